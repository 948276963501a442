"""By how much a number moved is read whole, however many runs there are and however narrow the pane is."""

from __future__ import annotations

import msgspec
import pytest
from rich.text import Text

from agent_tui.bundles import load
from agent_tui.scoring import Scorecard
from agent_tui.tui.present.about import measure
from agent_tui.tui.present.card_form import Form, count_cells, fraction
from agent_tui.tui.present.compact import compact_lines
from agent_tui.tui.present.scorecard import scorecard_lines
from agent_tui.tui.present.shifted import shifted_by
from agent_tui.tui.session import Session, Shift
from agent_tui.tui.theme import ASCII, UNICODE
from tests.tui.opened import CYBERTRAVELS

RECORDED = load([CYBERTRAVELS]).scorecard()


def card_of(passed: int, scored: int) -> Scorecard:
    """A scorecard on which every measure passed so many of so many runs."""
    tallies = {
        name: msgspec.structs.replace(tally, passed=passed, scored=scored, unscoreable=scored // 19, interval=None)
        for name, tally in RECORDED.tallies.items()
    }
    means = {name: msgspec.structs.replace(mean, scored=scored) for name, mean in RECORDED.means.items()}
    return msgspec.structs.replace(RECORDED, tallies=tallies, means=means)


def drawn(width: int, before: Scorecard, now: Scorecard) -> list[str]:
    """The lines of one measure."""
    form = Form(width, 13, count_cells(now), UNICODE, "", now, before)
    tally = now.tallies["name_only"]
    row = form.row("order-ignored", fraction(tally), tally.rate)
    said = (Text("+.128"), Text(f"{tally.unscoreable:,} n/a"))
    return [line.plain for line, _ in form.rows(row, measure("name_only"), *said)]


@pytest.mark.parametrize("width", [36, 40, 41, 52, 76])
@pytest.mark.parametrize("runs", [6, 1_000, 12_000, 199_999, 1_000_000])
@pytest.mark.parametrize("step", [-0.5, -1, 1, 0.5])
def test_it_stands_whole_at_the_right_edge(width: int, runs: int, step: float) -> None:
    passed = runs // 2 + (int(step) if abs(step) == 1 else int(step * runs))
    before, now = card_of(runs // 2, runs), card_of(passed, runs)
    lines = drawn(width, before, now)
    moved = shifted_by(before, now, "name_only", UNICODE).plain
    assert [line for line in lines if len(line) == width and line.endswith(f" {moved}")]
    assert sum(moved in line for line in lines) == 1


@pytest.mark.parametrize("runs", [6, 12_000, 199_999])
def test_nothing_that_is_said_beside_it_is_lost(runs: int) -> None:
    lines = drawn(40, card_of(runs // 2, runs), card_of(runs // 2 + 1, runs))
    assert all(part in " ".join(lines) for part in (f"{runs // 2 + 1:,}/{runs:,}", "+.128", f"{runs // 19:,} n/a"))
    assert all(len(line) <= 40 for line in lines)


def test_what_did_not_move_has_its_sign_even_where_there_is_no_room() -> None:
    card = card_of(100_000, 199_999)
    assert drawn(40, card, card)[0].endswith(".500   ·")
    assert drawn(60, card, card)[0].endswith(" ·    0")


@pytest.mark.parametrize(
    ("passed", "runs", "more", "said"),
    [
        (3, 6, 1, "▲+.167"),
        (3, 6, -1, "▼-.167"),
        (0, 6, 6, "▲+1.000"),
        (100_000, 200_000, 1, "▲+1 run"),
        (100_000, 200_000, -1, "▼-1 run"),
        (100_000, 200_000, 90, "▲+90 runs"),
        (100_000, 200_000, 101, "▲+.001"),
        (5_000_000, 10_000_000, -1_234, "▼-1,234 runs"),
        (3, 6, 0, "·    0"),
    ],
)
def test_what_three_places_cannot_show_is_told_in_runs(passed: int, runs: int, more: int, said: str) -> None:
    assert shifted_by(card_of(passed, runs), card_of(passed + more, runs), "exact", UNICODE).plain == said


def test_a_rate_that_appears_or_goes_says_what_it_was() -> None:
    assert shifted_by(card_of(0, 0), card_of(1, 2), "exact", UNICODE).plain == "~ was n/a"
    assert shifted_by(card_of(1, 2), card_of(0, 0), "exact", ASCII).plain.endswith("was .500")
    assert shifted_by(card_of(0, 0), card_of(0, 0), "exact", UNICODE).plain == "·    0"


def test_over_other_runs_a_tiny_step_is_no_number_of_runs() -> None:
    moved = shifted_by(card_of(100_000, 200_000), card_of(100_001, 200_001), "exact", UNICODE)
    assert moved.plain == "▲+<.001"


def changed_session() -> Session:
    """The sample after R2's expected amount was changed, as the explorer holds it."""
    from agent_tui.runs.edits import SetValue

    session = Session(load([CYBERTRAVELS]))
    session.change(session.bundle.names.find("R2"), SetValue(("expected", "calls", 1, "args", "amount"), b"1400"))
    return session


@pytest.mark.parametrize("width", [36, 40, 52, 76])
def test_every_measure_of_the_sample_says_by_how_much(width: int) -> None:
    session = changed_session()
    assert isinstance(session.shift, Shift)
    lines = [line.plain for line in scorecard_lines(session, width, UNICODE).lines]
    assert all(len(line) <= width for line in lines)
    exact = next(at for at, line in enumerate(lines) if line.startswith("  exact "))
    assert any(line.endswith("▲+.167") for line in lines[exact : exact + 2])
    assert "▲+.167" in compact_lines(session, 80)[0].plain

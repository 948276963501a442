"""The scorecard as lines: numbers that add up, nothing cut, nothing left out in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.bundles import load
from agent_tui.tui.present.compact import compact_lines
from agent_tui.tui.present.ribbon import ribbon_line, ribbon_lines
from agent_tui.tui.present.scorecard import scorecard_lines
from agent_tui.tui.session import Session
from agent_tui.tui.theme import UNICODE
from tests.tui.opened import CYBERTRAVELS, bundle_of, call, made_run

FILES = (
    CYBERTRAVELS, "sample_runs/docent.json", "sample_runs/travel-chat.jsonl", "sample_runs/travel-inspect.eval",
    "tests/cases/23-finished-is-not-passed/run.json", "tests/cases/02-null-is-not-zero/run.json",
)  # fmt: skip


def session_on(path: str, measure: str | None = None) -> Session:
    bundle = load([path])
    return Session(bundle, measure=measure or bundle.scorecard().measure)


def text_of(session: Session, width: int = 40) -> str:
    return "\n".join(line.plain for line in scorecard_lines(session, width, UNICODE).lines)


def test_every_rate_has_its_fraction_and_the_gap_to_exact() -> None:
    text = text_of(session_on(CYBERTRAVELS))
    for line in ("exact         3/6 .500", "name-only     4/6 .667  +.167", "in-order      3/6 .500        .19–.81"):
        assert line in text
    assert "alignment     n 6 .792  mean" in text


@pytest.mark.parametrize("width", [36, 38, 40, 52, 76])
@pytest.mark.parametrize("file", FILES)
def test_no_line_is_wider_than_the_pane(file: str, width: int) -> None:
    session = session_on(file)
    shown = scorecard_lines(session, width, UNICODE)
    assert [line.plain for line in shown.lines if line.cell_len > width] == []
    assert [line.plain for line in ribbon_lines(session, width, UNICODE) if line.cell_len > width] == []


def test_what_is_left_out_of_means_is_said_once_for_several_alike(tmp_path: Path) -> None:
    idle = [made_run(f"i{number}", [call("a")], []) for number in range(2)]
    text = text_of(Session(bundle_of(tmp_path, made_run("r", [call("a")], [call("a")]), *idle)))
    means = text[text.index("  precision") : text.index(" output")].split()
    alike = [word for name in ("recall", "f1", "alignment") for word in (name, "n", "3", ".333", "mean")]
    assert means == ["precision", "n", "1", "1.000", "mean", "2", "vac", *alike]


def test_thousands_find_room(tmp_path: Path) -> None:
    runs = [made_run(f"t{number}", [call("a", n=1)], [call("a", n=number % 2)]) for number in range(2400)]
    session = Session(bundle_of(tmp_path, *runs))
    shown = scorecard_lines(session, 38, UNICODE)
    assert all(line.cell_len <= 38 for line in shown.lines)
    assert "1,200/2,400 .500" in text_of(session, 38)
    assert "+.500" in text_of(session, 38)


def test_a_rate_over_nothing_is_not_available() -> None:
    text = text_of(session_on("sample_runs/travel-chat.jsonl"))
    assert "task success  0/0 n/a   4 n/a" in text
    assert ".000" not in text


def test_an_unfinished_bundle_says_so_far() -> None:
    session = session_on(CYBERTRAVELS)
    session.bundle.is_complete = False
    session.count_again()
    assert "n = 6 so far" in text_of(session)
    assert "n = 6 so far" in compact_lines(session, 80)[1].plain


def test_while_more_is_read_the_ribbon_says_that_its_sum_is_what_was_counted() -> None:
    session = session_on(CYBERTRAVELS)
    assert ribbon_line(session, 80).plain.startswith(" 3 pass  3 fail  0 err  = 6   not")
    session.bundle.is_complete = False
    session.count_again()
    assert ribbon_line(session, 34).plain == " 3 pass  3 fail  0 err  = 6 counted"
    assert " ".join(line.plain.strip() for line in ribbon_lines(session, 40, UNICODE)[1:]).endswith("= 6 counted")
    session.bundle.is_complete, session.grows = True, True
    assert ribbon_line(session, 34).plain.endswith("= 6 counted")


def test_the_ribbon_adds_up_in_words() -> None:
    words = ribbon_line(session_on("tests/cases/23-finished-is-not-passed/run.json"), 80).plain
    assert words == " 4 pass  1 fail  0 err  1 running  1 skipped  1 parked  = 8  5/8 finished"


def test_the_compact_scorecard_is_two_lines_of_the_width() -> None:
    first, second = compact_lines(session_on(CYBERTRAVELS), 80)
    assert first.plain == " exact 3/6 .500   name-only 4/6 .667 +.167   order-ignored 4/6 .667 +.167"
    assert second.plain == " output 2/5 .400   unscoreable 1   judge not validated   n = 6"
    assert all(line.cell_len <= 40 for line in compact_lines(session_on(CYBERTRAVELS), 40))


ERRORED = "tests/cases/01-errored-out-of-the-average/run.json"


def test_with_errored_runs_the_strict_rate_stands_beside_the_other() -> None:
    session = session_on(ERRORED)
    for width in (36, 40, 60):
        assert "2 err  strict .600" in text_of(session, width)
    assert "task success 6/8 .750 2 err strict .600" in compact_lines(session, 80)[0].plain


def test_the_compact_scorecard_drops_whole_items() -> None:
    session = session_on(CYBERTRAVELS)
    assert compact_lines(session, 60)[0].plain == " exact 3/6 .500   name-only 4/6 .667 +.167 …"
    assert compact_lines(session, 40)[1].plain == " output 2/5 .400   unscoreable 1 …"


def test_a_measure_that_is_none_of_the_usual_three_stands_first_in_the_compact_scorecard() -> None:
    assert compact_lines(session_on(CYBERTRAVELS, "subset"), 80)[0].plain.startswith(" subset 4/6 .667 +.167   exact")


def test_trials_say_of_how_many_tasks_within_the_width() -> None:
    text = text_of(session_on("tests/cases/04-pass-hat-k-with-too-few-trials/run.json"), 40)
    assert "pass^4 .500   pass@4 1.000\n    2 of 3 tasks" in text


def test_trials_that_are_not_known_yet_are_no_zero() -> None:
    session = session_on(CYBERTRAVELS)
    session.bundle.is_complete = session.bundle.totals.has_groups = False
    session.bundle.totals.memory.clear()
    session.count_again()
    lines = [line for line in text_of(session).splitlines() if "trials" in line]
    assert [" ".join(line.split()) for line in lines] == ["trials not yet known"]


def test_no_two_numbers_share_a_name() -> None:
    text = text_of(session_on(CYBERTRAVELS))
    assert "calls right" in text
    assert text.count("tool calls") == 1

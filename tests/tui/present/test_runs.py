"""The runs as a table, and the lines around it."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.text import Text

from agent_tui.bundles import load
from agent_tui.errors import Problem
from agent_tui.tui.present.header import place_words, status_line, title_line
from agent_tui.tui.present.moved import MovedLines, MovedRows, announcement
from agent_tui.tui.present.problems import file_counts, ordered, problem_lines
from agent_tui.tui.present.runs import COLUMNS, MORE_COLUMNS, RunRows, short_calls
from agent_tui.tui.session import Session
from agent_tui.tui.settings import Place
from agent_tui.tui.theme import UNICODE
from agent_tui.tui.widgets.columns import fit
from agent_tui.tui.widgets.paint import plain
from tests.tui.opened import CYBERTRAVELS, bundle_of, call, made_run, opened, write_bundle


@pytest.fixture
def session() -> Session:
    return Session(load([CYBERTRAVELS]))


def cells(session: Session, position: int, shown: tuple[str, ...] = COLUMNS) -> list[str]:
    return [plain(cell) for cell in RunRows(session, UNICODE, shown).cells(position)]


def test_a_row_tells_the_cause_and_the_gap(session: Session) -> None:
    assert cells(session, 1)[2:] == ["2/2", "✗ args", "name-only", "✗", "·"]
    assert cells(session, 3)[2:5] == ["2/2", "✗ order", "order-ignored +2"]
    assert cells(session, 4)[5] == "—"


def test_a_moved_row_has_a_star(session: Session) -> None:
    session.toggle()
    assert cells(session, 1)[0] == "R2*"
    assert cells(session, 0)[0] == "R1"


def test_the_verdict_column_has_room_for_every_measure_that_toggles(session: Session) -> None:
    rows = RunRows(session, UNICODE)
    before = fit(rows.columns(80), 78)
    session.toggle()
    assert fit(rows.columns(80), 78) == before


def test_without_expected_calls_there_is_no_gap_column() -> None:
    session = Session(load(["sample_runs/docent.json"]), measure="task_success")
    titles = [plain(column.title) for column in RunRows(session, UNICODE).columns(80)]
    assert titles == ["run", "asks", "calls", "task success", "output", "judge"]


@pytest.mark.parametrize("room", [50, 56, 66, 78])
def test_run_ask_and_verdict_stay_where_room_is_short(session: Session, room: int) -> None:
    columns = RunRows(session, UNICODE).columns(room)
    shown = [plain(columns[index].title) for index, _ in fit(columns, room - 2).shown]
    assert {"run", "exact", "output", "gap"} <= set(shown)
    assert ("asks" in shown) == (room >= 56)


@pytest.mark.parametrize("file", ["13-square-brackets", "14-terminal-control-sequences", "19-two-rows-one-id"])
def test_at_80_columns_all_are_shown(file: str) -> None:
    rows = RunRows(Session(load([f"tests/cases/{file}/run.json"])), UNICODE)
    shown = fit(rows.columns(80), 78)
    assert shown.dropped == 0
    assert sum(width + 2 for _, width in shown.shown) == 80


def test_a_chosen_score_is_shown_where_the_bundle_has_it(tmp_path: Path) -> None:
    chosen = (*COLUMNS, "score.quality")
    plain_bundle, scored = made_run("t", [call("a")]), made_run("t", [call("a")], scores={"quality": 0.5})
    without = RunRows(Session(bundle_of(tmp_path, plain_bundle)), UNICODE, chosen)
    with_score = RunRows(Session(bundle_of(tmp_path, scored)), UNICODE, chosen)
    assert len(without.cells(0)) == len(without.columns(120)) == len(COLUMNS) - 1  # nobody gave a label
    assert plain(with_score.cells(0)[-1]) == "0.5"


def test_every_column_can_be_shown(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, made_run("t", [call("a")], [call("a")], scores={"quality": None, "speed": 0.5}))
    session = Session(bundle)
    row = cells(session, 0, (*COLUMNS, *MORE_COLUMNS, "score.quality", "score.speed"))
    assert row[-2:] == ["null", "0.5"]
    assert "1" in row


def test_a_hostile_name_is_shown_as_it_is_and_cannot_act() -> None:
    session = Session(load(["tests/cases/14-terminal-control-sequences/run.json"]))
    for position in range(len(session)):
        assert all(cell.isprintable() for cell in cells(session, position))
    assert cells(session, 0)[0] == "t1␛]0;owned␇"


def test_the_announcement_names_the_delta_and_the_runs(session: Session) -> None:
    toggle = session.toggle()
    assert announcement(session.bundle, toggle, UNICODE).plain == (
        " name-only 4/6 .667  +.167 against exact  moved: R2"
    )
    assert [line.plain for line in MovedLines(session.bundle, toggle, UNICODE)] == [
        " exact → name-only  1 run moved",
        " R2            ✗ → ✓  args",
    ]
    assert list(MovedRows(toggle)) == [None, 1]


@pytest.mark.parametrize("width", [30, 60, 80, 140])
def test_the_bars_have_the_width_of_the_screen(session: Session, width: int) -> None:
    session.set_filter("verdict = fail")
    session.set_sort("id", descending=True)
    assert title_line(session, width).cell_len == width or width == 30
    status = status_line(session, None, width).plain
    assert len(status) == width
    assert status.endswith("3 of 6 ")


@pytest.mark.parametrize(
    ("length", "beside"),
    [
        (18, "sorted by id ↓  filter verdict = fail  3 of 6 "),
        (45, "filter verdict = fail  3 of 6 "),
        (60, "filtered  3 of 6 "),
        (70, "3 of 6 "),
        (80, ""),
    ],
)
def test_a_message_goes_before_what_is_shown(session: Session, length: int, beside: str) -> None:
    session.set_filter("verdict = fail")
    session.set_sort("id", descending=True)
    status = status_line(session, Text("m" * length), 80).plain
    assert status == "m" * length + " " * (80 - length - len(beside)) + beside


def test_a_message_longer_than_the_screen_ends_in_an_ellipsis(session: Session) -> None:
    assert status_line(session, Text("m" * 90), 80).plain == "m" * 79 + "…"


def test_the_title_says_so_far_while_reading(session: Session) -> None:
    session.bundle.is_complete = False
    assert "6 runs so far" in title_line(session, 80).plain


def test_a_place_is_told_in_words() -> None:
    place = Place(run="R2", measure="name_only", filter="gap", sort="id")
    assert place_words(place).plain == " left at R2 under name-only with the filter gap sorted by id: R goes there"


def test_problems_tell_losses_first_and_cannot_act() -> None:
    problems = [Problem("a.json", "odd \x1b[2J", kind="warning"), Problem("b.json", "broken", 7, kind="malformed")]
    lines = [line.plain for line in problem_lines(ordered(problems))]
    assert "broken" in lines[0]
    assert lines[0].startswith(" skipped  b.json")
    assert lines[1].startswith(" note     a.json")
    assert all(line.isprintable() for line in lines)
    assert problem_lines([])[0].plain == " nothing was skipped"


def test_a_file_of_messages_says_what_of_it_is_shown(session: Session) -> None:
    bundle = load(["tests/cases/11-bad-lines-in-the-middle/messages.jsonl"])
    assert file_counts(bundle, 0) == "8 messages, 2 bad lines, 2 unknown records"
    assert file_counts(session.bundle, 0) == ""


@pytest.mark.parametrize(
    ("made", "expected", "room", "shown"),
    [
        (99, 100, 9, "99/100"),
        (20_000, 20_000, 9, "20k/20k"),
        (9_999, 12_345, 9, "9.9k/12k"),
        (20_000, 20_001, 9, "…"),
        (99, 100, 5, "…"),
        (None, 1_200_000, 9, "—/1.2M"),
    ],
)
def test_numbers_of_calls_are_shortened_or_left_out(made: int | None, expected: int, room: int, shown: str) -> None:
    assert short_calls(made, expected, room, UNICODE).plain == shown


@pytest.mark.parametrize(("width", "many"), [(80, "1.1k/1.2k"), (140, "1,199/1,200")])
async def test_numbers_of_calls_are_never_cut_into_others(tmp_path: Path, width: int, many: str) -> None:
    runs = [made_run(f"r{n}", [call("a")] * n, [call("a")] * (n - 1)) for n in (2, 100, 1_200)]
    async with opened(write_bundle(tmp_path, *runs), width=width) as explorer:
        rows = [next(line for line in explorer.lines if f"r{n} " in line) for n in (2, 100, 1_200)]
        assert " 1/2 " in rows[0]
        assert " 99/100 " in rows[1]
        assert f" {many} " in rows[2]

"""A file that is being written grows on the screen, and whatever else becomes of it is said."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_tui.bundles import load
from tests.growing import HEADER, append, line, lines, put_in_its_place
from tests.tui.opened import CYBERTRAVELS, Explorer, made_run, opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "runs.jsonl"
    path.write_text(HEADER + lines(0, 60))
    return path


def passed(explorer: Explorer) -> int:
    return explorer.app.main.session.card.tallies["exact"].passed


def has(explorer: Explorer, rows: int) -> Callable[[], bool]:
    return lambda: len(explorer.app.bundle) == rows


async def test_lines_become_rows_and_every_figure_moves(path: Path) -> None:
    async with opened(str(path)) as explorer:
        bundle = explorer.app.bundle
        append(path, lines(60, 63) + line(63)[:30])
        await explorer.until(has(explorer, 63))
        await explorer.until(lambda: passed(explorer) == 32)
        append(path, line(63)[30:])
        await explorer.until(has(explorer, 64))
        assert explorer.app.bundle is bundle
        await explorer.until(lambda: "32/64" in explorer.text and "64 of 64" in explorer.status)
        assert (explorer.run, bundle.problems) == ("r0", [])


async def test_what_is_followed_stays_on_the_last_run_until_the_cursor_goes_up(path: Path) -> None:
    async with opened(str(path)) as explorer:
        await explorer.press("F")
        assert explorer.run == "r59"
        append(path, lines(60, 70))
        await explorer.until(lambda: explorer.run == "r69")
        await explorer.settle()
        assert "following runs.jsonl  +10" in explorer.status
        await explorer.press("k")
        assert explorer.run == "r68"
        assert "following runs.jsonl" not in explorer.status
        append(path, lines(70, 80))
        await explorer.until(has(explorer, 80))
        assert explorer.run == "r68"
        await explorer.press("F", "F")
        assert "following no more" in explorer.status


async def test_the_place_stays_where_runs_come_before_it_in_order(path: Path) -> None:
    async with opened(str(path)) as explorer:
        session, table = explorer.app.main.session, explorer.app.main.table
        session.set_sort("verdict")
        explorer.app.main.table.rows_changed(40)
        await explorer.settle()
        run, height = explorer.run, table.cursor - table.top
        append(path, lines(60, 80))
        await explorer.until(lambda: len(session) == 80)
        assert (explorer.run, table.cursor - table.top) == (run, height)
        assert table.cursor != 40


async def test_a_filter_holds_for_what_comes(path: Path) -> None:
    async with opened(str(path)) as explorer:
        await explorer.press("f", *"verdict = fail", "enter")
        append(path, lines(60, 70))
        await explorer.until(lambda: "35 of 70" in explorer.status)


async def test_changes_and_undo_survive_growth(path: Path) -> None:
    async with opened(str(path)) as explorer:
        session = explorer.app.main.session
        append(path, line(60))
        await explorer.until(has(explorer, 61))
        await explorer.press("j", "e", "end", "backspace", "1", "enter")
        assert passed(explorer) == 32
        append(path, lines(61, 64))
        await explorer.until(has(explorer, 64))
        await explorer.until(lambda: passed(explorer) == 33)
        assert "what-if: 1 change" in explorer.lines[0]
        assert session.what_if.effect().noticed[0].before.passed == 32
        await explorer.press("u")
        await explorer.until(lambda: passed(explorer) == 32)
        assert "as recorded" in explorer.lines[0]


async def test_a_change_before_the_first_growth_survives_it(path: Path) -> None:
    async with opened(str(path)) as explorer:
        await explorer.press("j", "e", "end", "backspace", "1", "enter")
        append(path, lines(60, 64))
        await explorer.until(has(explorer, 64))
        await explorer.until(lambda: passed(explorer) == 33)
        await explorer.press("u")
        await explorer.until(lambda: passed(explorer) == 32)


async def test_a_last_line_that_stays_torn_is_said_and_goes_when_it_is_whole(path: Path) -> None:
    async with opened(str(path)) as explorer:
        append(path, lines(60, 61) + line(61)[:30])
        await explorer.until(lambda: "1 skipped (P)" in explorer.status)
        append(path, line(61)[30:])
        await explorer.until(has(explorer, 62))
        assert "skipped" not in explorer.status


async def test_a_bundle_that_was_opened_with_a_torn_line_has_its_run_when_it_is_whole(path: Path) -> None:
    append(path, line(60)[:30])
    async with opened(str(path)) as explorer:
        assert "1 skipped (P)" in explorer.status
        append(path, line(60)[30:])
        await explorer.until(has(explorer, 61))
        await explorer.until(lambda: "skipped" not in explorer.status)
        await explorer.until(lambda: explorer.app.bundle.digest == load([str(path)]).digest)


def cut(path: Path) -> None:
    os.truncate(path, 0)
    path.write_text(HEADER + lines(100, 110))


def replace(path: Path) -> None:
    put_in_its_place(path, HEADER + lines(100, 110))


@pytest.mark.parametrize("is_growing", [False, True])
@pytest.mark.parametrize(
    ("change", "said"), [(cut, "runs.jsonl was cut"), (replace, "runs.jsonl was replaced by another file")]
)
async def test_another_file_is_read_anew_and_followed(
    path: Path, change: Callable[[Path], None], said: str, is_growing: bool
) -> None:
    async with opened(str(path)) as explorer:
        if is_growing:
            append(path, line(60))
            await explorer.until(has(explorer, 61))
        change(path)
        await explorer.until(has(explorer, 10))
        assert f"{said}: read anew" in explorer.status
        append(path, line(110))
        await explorer.until(has(explorer, 11))
        assert explorer.app.bundle.names.name(10) == "r110"


async def test_a_file_that_is_empty_for_a_while_is_waited_for(path: Path) -> None:
    async with opened(str(path)) as explorer:
        os.truncate(path, 0)
        await explorer.until(lambda: "runs.jsonl was cut: what was read of it stays" in explorer.status)
        assert len(explorer.app.bundle) == 60
        append(path, HEADER + line(1) + line(2))
        await explorer.until(has(explorer, 2))


@pytest.mark.parametrize("is_growing", [False, True])
async def test_a_removed_file_is_said_and_its_rows_stay(path: Path, is_growing: bool) -> None:
    async with opened(str(path)) as explorer:
        if is_growing:
            append(path, line(60))
            await explorer.until(has(explorer, 61))
        path.rename(path.with_suffix(".away"))
        await explorer.until(lambda: "runs.jsonl was removed: what was read of it stays" in explorer.status)
        path.with_suffix(".away").rename(path)
        await explorer.until(lambda: "is there again" in explorer.status)
        append(path, lines(61, 64))
        await explorer.until(has(explorer, 64 if is_growing else 63))


async def test_what_cannot_be_followed_says_why(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps({"schema": "agent-tui/1", "runs": [made_run("r", [], [])]}))
    async with opened(str(path)) as explorer:
        await explorer.until(lambda: bool(explorer.app.reloading.why_not))
        await explorer.press("F")
        assert "not followed: only plain agent-tui/1 JSON Lines" in explorer.status


async def test_without_room_for_an_index_the_file_is_read_again(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("AGENT_TUI_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    async with opened(str(path)) as explorer:
        append(path, line(60))
        await explorer.until(lambda: bool(explorer.app.reloading.why_not))
        append(path, line(61))
        await explorer.until(has(explorer, 62))


async def test_a_search_covers_the_runs_that_come_after_it(path: Path) -> None:
    async with opened(str(path)) as explorer:
        main = explorer.app.main
        await explorer.press("/")
        await explorer.type("ask 6")
        await explorer.until(lambda: "in 1 run of 60" in explorer.status)
        append(path, lines(60, 63))
        await explorer.until(lambda: main.finding.seeking is not None and main.finding.seeking.done == 63)
        assert main.finding.seeking is not None
        assert main.finding.seeking.found == 4
        assert explorer.run == "r6"


async def test_what_no_run_held_is_told_once_a_run_that_comes_holds_it(path: Path) -> None:
    async with opened(str(path)) as explorer:
        await explorer.press("/")
        await explorer.type("ask 61")
        await explorer.until(lambda: "not found: ask 61" in explorer.status)
        append(path, lines(60, 62))
        await explorer.until(lambda: "found since, n goes there: ask 61; in 1 run" in explorer.status)
        assert explorer.run == "r0"
        await explorer.press("n")
        await explorer.until(lambda: explorer.run == "r61")


# Changes outlive the program


@pytest.mark.parametrize("more", [0, 5])
async def test_a_change_made_while_runs_come_is_offered_the_next_time(path: Path, more: int) -> None:
    async with opened(str(path)) as explorer:
        await explorer.press("F")
        append(path, lines(60, 70))
        await explorer.until(lambda: explorer.run == "r69")
        await explorer.settle()
        await explorer.press("e", "end", "backspace", "1", "enter")
        assert "what-if: 1 change" in explorer.lines[0]
        assert explorer.app.bundle.is_edited(69)
    append(path, lines(70, 70 + more))
    async with opened(str(path)) as explorer:
        then = " when there were 70 runs" if more else ""
        assert f"1 change was left here{then}: U brings it back" in explorer.status
        await explorer.press("U")
        assert explorer.app.bundle.is_edited(69)
        assert explorer.run == "r69"


async def test_what_was_brought_back_stays_with_its_run_while_more_come(path: Path) -> None:
    async with opened(str(path)) as explorer:
        await explorer.press("j", "e", "end", "backspace", "1", "enter")
    append(path, lines(60, 64))
    async with opened(str(path)) as explorer:
        await explorer.press("U")
        append(path, lines(64, 66))
        await explorer.until(has(explorer, 66))
        explorer.app.main.runs.go_to(3)
        await explorer.press("2", "e", "end", "backspace", "1", "enter")
        assert "what-if: 2 changes" in explorer.lines[0]
    append(path, lines(66, 68))
    async with opened(str(path)) as explorer:
        await explorer.press("U")
        assert [row for row in range(68) if explorer.app.bundle.is_edited(row)] == [1, 3]


async def test_a_file_that_was_written_over_after_it_was_followed_brings_nothing_back(path: Path) -> None:
    async with opened(str(path)) as explorer:
        append(path, lines(60, 70))
        await explorer.until(has(explorer, 70))
        await explorer.press("j", "e", "end", "backspace", "1", "enter")
        assert "what-if: 1 change" in explorer.lines[0]
    path.write_text(HEADER + lines(1, 80))
    async with opened(str(path)) as explorer:
        assert "1 change was left here, but what is opened is not what it was: its first 70 runs are" in explorer.status
        await explorer.press("U")
        assert explorer.app.bundle.edited == 0


GROWN = "1 change was left here when there were 60 runs: U brings it back"
OTHERS = "1 change was left here, but what is opened is not what it was: its first 60 runs are others"
FEWER = "1 change was left here, but what is opened is not what it was: it has 10 runs, and had 60"


@pytest.mark.parametrize(
    ("low", "high", "said", "edited"),
    [
        (0, 60, "1 change was left here: U brings it back", [1]),
        (0, 70, GROWN, [1]),
        (1, 70, OTHERS, []),
        (0, 10, FEWER, []),
    ],
)
async def test_what_was_left_is_told_of_a_file_that_took_the_place_of_the_changed_one(
    path: Path, low: int, high: int, said: str, edited: list[int]
) -> None:
    async with opened(str(path)) as explorer:
        await explorer.press("j", "e", "end", "backspace", "1", "enter")
    put_in_its_place(path, HEADER + lines(low, high))
    async with opened(str(path)) as explorer:
        assert said in explorer.status
        await explorer.press("U")
        assert [row for row in range(len(explorer.app.bundle)) if explorer.app.bundle.is_edited(row)] == edited


@pytest.mark.parametrize(("low", "high", "said"), [(0, 70, GROWN), (1, 70, OTHERS), (0, 10, FEWER)])
@pytest.mark.parametrize("follows", [False, True])
async def test_what_is_offered_is_looked_at_anew_where_another_file_takes_the_place_of_the_shown_one(
    path: Path, low: int, high: int, said: str, follows: bool
) -> None:
    async with opened(str(path)) as explorer:
        await explorer.press("j", "e", "end", "backspace", "1", "enter")
    async with opened(str(path)) as explorer:
        await explorer.press(*["F"] * follows)
        put_in_its_place(path, HEADER + lines(low, high))
        await explorer.until(lambda: "was replaced by another file: read anew" in explorer.status)
        assert said[:50] in explorer.status
        assert (explorer.app.main.following.is_on, explorer.run == f"r{high - 1}") == (follows, follows)
        await explorer.press("escape", "escape")
        assert said in explorer.status
        await explorer.press("U")
        assert explorer.app.bundle.edited == (said == GROWN)


async def test_changes_that_fit_no_more_are_there_again_once_their_file_is(path: Path) -> None:
    async with opened(str(path)) as explorer:
        await explorer.press("j", "e", "end", "backspace", "1", "enter")
        replace(path)
        await explorer.until(lambda: FEWER[:60] in explorer.status)
        put_in_its_place(path, HEADER + lines(0, 60))
        await explorer.until(lambda: "read anew; 1 change was left here: U brings it back" in explorer.status)
        await explorer.press("U")
        assert explorer.app.bundle.is_edited(1)


async def test_why_a_file_is_not_followed_is_told_whole_on_a_small_terminal() -> None:
    async with opened(CYBERTRAVELS, width=80, height=24) as explorer:
        await explorer.press("F")
        assert "not followed: only plain agent-tui/1 JSON Lines files can be followed" in explorer.status

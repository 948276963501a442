"""The main screen under the keys that a person presses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from agent_tui.tui.present.about import About
from agent_tui.tui.settings import Place, Settings
from agent_tui.tui.widgets.prompt import Prompt
from agent_tui.tui.widgets.vtext import TextPane
from tests.tui.opened import CYBERTRAVELS, call, loaded, made_run, opened, write_bundle

BRACKETS = "tests/cases/13-square-brackets/run.json"
LONG = "tests/cases/22-said-something-and-called-a-tool/messages.jsonl"
CASE_04 = "tests/cases/04-pass-hat-k-with-too-few-trials/run.json"
UNFINISHED = "tests/cases/23-finished-is-not-passed/run.json"


# Moving


async def test_the_trajectory_follows_the_cursor() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("j", "j", "k")
        assert explorer.run == "R2"
        assert "first difference  call 2 refund: amount expected 140, got 1400" in explorer.text


async def test_over_ssh_it_waits_for_enter() -> None:
    async with opened(CYBERTRAVELS, follow_cursor=False) as explorer:
        await explorer.pilot.press("j")
        await explorer.pilot.pause(0.3)
        assert "R1  cancel-and-refund" in explorer.text
        await explorer.press("enter")
        assert "R2  double-charge" in explorer.text


async def test_reading_begins_at_the_first_difference() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("j", "enter")
        reader = explorer.app.main.reader.pane
        assert reader.has_focus
        assert "amount" in explorer.app.main.reader.tree.line(reader.cursor).plain  # type: ignore[union-attr]


async def test_failing_and_divergent_runs_are_one_key_away() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        visited = []
        for key in ("]", "]", "]", "]", "[", "d", "d", "D"):
            await explorer.press(key)
            visited.append(explorer.run)
        assert visited == ["R2", "R4", "R6", "R2", "R6", "R2", "R4", "R2"]


async def test_where_there_is_none_the_status_says_so(tmp_path: Path) -> None:
    path = write_bundle(tmp_path, made_run("t", [call("a")], [call("a")]))
    async with opened(path) as explorer:
        await explorer.press("]")
        assert "no run shown here fails" in explorer.status
        await explorer.press("d")
        assert "the measures agree" in explorer.status


@pytest.mark.parametrize(("typed", "run"), [("R4", "R4"), ("3", "R3"), ("#5", "R5")])
async def test_go_to_a_run_or_a_row(typed: str, run: str) -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press(":")
        await explorer.type(typed)
        assert explorer.run == run


async def test_a_run_that_does_not_exist_is_told_in_place() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press(":")
        await explorer.type("R9")
        assert "R9" in explorer.text
        assert "unknown run" in explorer.text
        await explorer.press("escape")
        assert explorer.run == "R1"


# Panes


async def test_tab_goes_round_the_panes_and_numbers_go_straight() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        main = explorer.app.main
        seen = []
        for key in ("tab", "tab", "tab", "1", "3", "2", "shift+tab"):
            await explorer.press(key)
            seen.append(main.panes.focused)
        assert seen == ["trajectory", "side", "runs", "side", "trajectory", "runs", "side"]


async def test_a_pane_is_enlarged_and_comes_back() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("+")
        assert "Scorecard" not in explorer.text
        await explorer.press("1")
        assert "Scorecard" in explorer.text
        assert "R1  cancel-and-refund" not in explorer.text
        await explorer.press("escape")
        assert "R1  cancel-and-refund" in explorer.text


async def test_on_a_small_screen_the_scorecard_is_one_key_away() -> None:
    async with opened(CYBERTRAVELS, 80, 24) as explorer:
        assert "Scorecard" not in explorer.text
        await explorer.press("1")
        assert "Scorecard" in explorer.text
        await explorer.press("escape")
        assert "Scorecard" not in explorer.text


async def test_on_a_tiny_screen_one_pane_is_shown_at_a_time() -> None:
    async with opened(CYBERTRAVELS, 50, 14) as explorer:
        assert "R6" in explorer.text
        await explorer.press("j", "enter")
        assert "R2  double-charge" in explorer.text
        assert "R6" not in explorer.text
        await explorer.press("escape")
        assert "R6" in explorer.text


async def test_a_screen_that_is_too_small_says_so() -> None:
    async with opened(CYBERTRAVELS, 28, 7) as explorer:
        assert explorer.text.strip() == "too small: 30x8 at least"
        await explorer.pilot.resize_terminal(100, 30)
        await explorer.until(lambda: "R6" in explorer.text)


async def test_escape_goes_back_by_one_and_never_quits() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("m", "4", "+")
        for _ in range(8):
            await explorer.press("escape")
        assert "q quits" in explorer.status
        assert explorer.app.is_running


# Measures


async def test_a_toggle_tells_what_it_moved_until_the_next_key() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("m")
        assert "name-only 4/6 .667  +.167 against exact  moved: R2" in explorer.status
        assert "R2*" in explorer.text
        await explorer.pilot.pause(0.4)
        assert "R2*" in explorer.text
        await explorer.press("j")
        assert "R2*" not in explorer.text
        assert "by name-only" in explorer.status


async def test_what_moved_leads_to_the_run() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("4")
        assert "nothing has moved yet" in explorer.status
        await explorer.press("m", "4", "j", "enter")
        assert explorer.run == "R2"
        assert explorer.app.main.panes.focused == "runs"


@pytest.mark.parametrize("file", [CYBERTRAVELS, CASE_04])
async def test_every_number_of_the_scorecard_says_where_it_comes_from(file: str) -> None:
    async with opened(file) as explorer:
        main = explorer.app.main
        await explorer.press("1", "home")
        stops = [main.card.shown.about[line] for line in main.card.shown.stops]
        seen = []
        for about in stops:
            await explorer.press("p")
            assert about is not None
            assert f"Where it comes from: {about.title}" in explorer.lines[0]
            await explorer.press("escape", "j")
            seen.append(explorer.app.screen is main)
        assert len(stops) >= 10
        assert all(seen)


async def test_a_weak_path_is_one_enter_away() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("1")
        main = explorer.app.main
        main.query_one("#scorecard", TextPane).jump_to(main.card.shown.line_of(About("weak")))
        await explorer.press("enter")
        line = next(at for at, line in enumerate(explorer.lines) if "R4" in line) - 1
        await explorer.press(*["j"] * line, "enter")
        assert explorer.run == "R4"


async def test_a_click_on_the_ribbon_says_which_run_is_in_which_part() -> None:
    async with opened(CYBERTRAVELS, 80, 24) as explorer:
        y = next(y for y, line in enumerate(explorer.lines) if "= 6" in line and "err" in line)
        await explorer.pilot.click(offset=(4, y))
        await explorer.settle()
        assert "Where it comes from: all runs" in explorer.lines[0]


async def test_a_run_in_a_number_is_one_enter_away() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("p")
        line = next(at for at, line in enumerate(explorer.lines) if "R4" in line) - 1
        await explorer.press(*["j"] * line, "enter")
        assert explorer.run == "R4"


# Filter, sort, columns


async def test_a_filter_is_in_the_status_with_n_of_all() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        assert explorer.status.endswith("no filter  6 of 6")
        await explorer.press("f")
        await explorer.type("verdict ~ fail")
        assert explorer.status.endswith("filter verdict ~ fail  3 of 6")
        await explorer.press("escape")
        assert explorer.status.endswith("no filter  6 of 6")


async def test_an_unknown_field_is_told_in_place_with_those_that_exist() -> None:
    async with opened(CYBERTRAVELS, 80, 24) as explorer:
        await explorer.press("f")
        await explorer.type("speed > 3")
        assert "unknown field 'speed'" in explorer.text
        assert "calls" in "\n".join(explorer.lines[-6:])
        await explorer.press("escape")
        assert explorer.status.endswith("6 of 6")


async def test_a_name_with_two_meanings_is_told_while_it_is_typed() -> None:
    async with opened("tests/cases/03-nan-and-infinity/run.json") as explorer:
        await explorer.press("f", *"f1 < 0.5")
        assert "f1 is ours, score.f1 the recorded one" in explorer.text
        await explorer.press("enter")
        assert "score.f1 the recorded one" in explorer.status
        await explorer.press("f", "home", *"score.", "enter")
        assert explorer.status.endswith("1 of 5")


async def test_an_empty_filter_offers_ready_ones() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("f", "enter")
        assert "Ready filters" in explorer.text
        await explorer.press("enter")
        assert explorer.status.endswith("filter verdict = fail  3 of 6")


async def test_a_filter_that_hides_all_says_how_to_get_back() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("f")
        await explorer.type("nobody")
        assert "the filter hides every run" in explorer.text
        assert explorer.status.endswith("0 of 6")


async def test_sorting_by_the_same_field_turns_the_direction(tmp_path: Path) -> None:
    runs = [made_run(f"t{number}", scores={"quality": score}) for number, score in enumerate([0.5, None, 0.9])]
    async with opened(write_bundle(tmp_path, *runs)) as explorer:
        for direction, first in (("↑", "t0"), ("↓", "t2")):
            await explorer.press("s", "end", "enter", "g")
            assert f"sorted by quality {direction}" in explorer.status
            assert explorer.run == first
            await explorer.press("G")
            assert explorer.run == "t1"


async def test_a_chosen_column_that_is_empty_has_no_tick_and_says_why() -> None:
    async with opened("sample_runs/docent.json") as explorer:
        await explorer.press("C")
        for name in ("gap", "label"):
            assert f"· {name}  chosen, and hidden while it is empty" in explorer.text
        assert "✓ output " in explorer.text
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("C")
        assert "✓ gap " in explorer.text


async def test_columns_are_chosen_and_remembered() -> None:
    settings = Settings()
    async with opened(CYBERTRAVELS, settings=settings) as explorer:
        await explorer.press("C", "enter")
        assert "My hotel" not in "\n".join(explorer.lines[:9])
    assert settings.columns is not None
    assert "asks" not in settings.columns


# Search


async def test_a_plain_search_finds_brackets_as_they_are_written() -> None:
    async with opened(BRACKETS) as explorer:
        await explorer.press("/")
        await explorer.type("[/INST]")
        assert "found in t[/]" in explorer.status
        line = explorer.app.main.reader.tree.line(explorer.app.main.reader.pane.cursor)  # type: ignore[union-attr]
        assert "[/INST]" in line.plain


async def test_a_search_opens_the_place_far_below_the_fold() -> None:
    async with opened(LONG, 120, 34) as explorer:
        await explorer.press("/")
        await explorer.type("NOT issued")
        assert any("NOT issued" in line for line in explorer.lines[8:-2])
        strips = explorer.app.screen._compositor.render_strips()
        lit = [
            segment.text
            for strip in strips
            for segment in strip
            if segment.style and "e0af68" in str(segment.style.bgcolor)
        ]
        assert "NOT issued" in "".join(lit)


async def test_the_next_place_is_in_the_next_run() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("/")
        await explorer.type("lookup_booking")
        visited = [explorer.run]
        for key in ("n", "n", "N", "N"):
            await explorer.press(key)
            visited.append(explorer.run)
        assert visited[0] == "R1"
        assert visited[-1] == visited[0]
        assert len(set(visited)) > 1


async def test_what_is_nowhere_is_said_to_be_nowhere() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("/")
        await explorer.type("nowhere")
        assert "not found: nowhere" in explorer.status


# Places, themes, other bundles


@pytest.mark.parametrize("keys", [("enter", "e"), ("3", "e"), ("3", "f"), ("4", "f"), ("1", "f")])
async def test_what_is_asked_keeps_the_keys_that_are_typed_ahead(keys: tuple[str, ...]) -> None:
    async with opened(CYBERTRAVELS) as explorer:
        for key in keys:  # at once, as they come over a slow line
            explorer.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await explorer.settle()
        prompt = explorer.app.main.query_one(Prompt)
        assert prompt.is_open
        assert explorer.app.focused is prompt.query_one(Input)


async def test_a_filter_that_cannot_be_read_is_said_also_where_a_place_is_offered() -> None:
    settings = Settings()
    async with opened(CYBERTRAVELS, settings=settings) as explorer:
        await explorer.press("m", "j")
        await explorer.pilot.press("q")
    async with opened(CYBERTRAVELS, settings=settings, filter_text="calls >") as explorer:
        assert "filter: " in explorer.status
        assert "goes there" not in explorer.status
        await explorer.press("R")
        assert explorer.run == "R2"


async def test_a_place_is_offered_and_r_returns_to_it(tmp_path: Path) -> None:
    settings = Settings()
    async with opened(CYBERTRAVELS, settings=settings) as explorer:
        await explorer.press("m", "j")
        await explorer.pilot.press("q")
    async with opened(CYBERTRAVELS, settings=settings) as explorer:
        assert "left at R2 under name-only: R goes there" in explorer.status
        assert explorer.run == "R1"
        await explorer.press("R")
        assert explorer.run == "R2"
        assert "by name-only" in explorer.status


async def test_resume_returns_at_once() -> None:
    place = Place(run="R4", measure="order_ignored", filter="verdict = fail or R4", sort="id", descending=True)
    settings = Settings(places={str(Path(CYBERTRAVELS).resolve()): place})
    async with opened(CYBERTRAVELS, settings=settings, resume=True) as explorer:
        assert explorer.run == "R4"
        assert explorer.app.places.here() == place


async def test_a_place_that_is_gone_is_told(tmp_path: Path) -> None:
    settings = Settings(places={str(Path(CYBERTRAVELS).resolve()): Place(run="R9", filter="speed > 3")})
    async with opened(CYBERTRAVELS, settings=settings, resume=True) as explorer:
        assert "unknown field 'speed'" in explorer.status
        assert explorer.run == "R1"


async def test_reading_again_keeps_run_filter_and_order(tmp_path: Path) -> None:
    path = Path(
        write_bundle(tmp_path, made_run("a", [call("x")], [call("y")]), made_run("b", [call("x")], [call("y")]))
    )
    async with opened(str(path)) as explorer:
        await explorer.press("f", *"cause", "enter", "j")
        bundle = json.loads(path.read_text())
        bundle["runs"].append(made_run("c", [call("x")], [call("z")]))
        path.write_text(json.dumps(bundle))
        await explorer.press("r")
        await explorer.until(lambda: len(explorer.app.bundle) == 3)
        await explorer.settle()
        assert explorer.run == "b"
        assert explorer.status.endswith("filter cause  3 of 3")


async def test_another_bundle_is_opened_by_its_path() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("o", "home", "enter")
        await explorer.pilot.press(*"sample_runs/docent.json", "enter")
        await explorer.until(lambda: "8 of 8" in explorer.status)
        assert "Agentic Docent" in explorer.lines[0]


async def test_a_path_that_is_not_there_is_told_in_place() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("o", "home", "enter", *"nowhere", "enter")
        assert "nowhere: there is no such file or folder" in explorer.text
        await explorer.press("escape")
        assert "6 of 6" in explorer.status


async def test_a_file_without_runs_leaves_the_open_bundle_open(tmp_path: Path) -> None:
    (tmp_path / "empty.json").write_text("")
    async with opened(CYBERTRAVELS, width=300) as explorer:  # beside the path of the file is room for the right side
        explorer.app.open_path(str(tmp_path / "empty.json"))
        await loaded(explorer.app)
        await explorer.settle()
        assert "empty" in explorer.status
        assert "6 of 6" in explorer.status
        assert "R6" in explorer.text


async def test_a_file_without_runs_does_not_say_where_it_was_left(tmp_path: Path) -> None:
    empty = tmp_path / "empty.json"
    empty.write_text("")
    settings = Settings(places={str(empty): Place(run="R3", measure="name_only")})
    async with opened(CYBERTRAVELS, settings=settings) as explorer:
        explorer.app.open_path(str(empty))
        await loaded(explorer.app)
        await explorer.press("R")
        assert "this bundle was not left anywhere else" in explorer.status
        assert (explorer.run, explorer.app.main.session.measure) == ("R1", "exact")


async def test_themes_go_round_and_are_remembered() -> None:
    settings = Settings()
    async with opened(CYBERTRAVELS, settings=settings) as explorer:
        seen = []
        for _ in range(4):
            await explorer.press("T")
            seen.append(explorer.app.theme)
        assert seen == ["agent-light", "agent-contrast", "agent-16", "agent-dark"]
    assert settings.theme == "agent-dark"


# The mouse


async def test_a_click_moves_the_cursor_and_presses_the_footer() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        y, x = next((y, line.index("R4")) for y, line in enumerate(explorer.lines) if "R4" in line)
        await explorer.pilot.click(offset=(x, y))
        await explorer.settle()
        assert explorer.run == "R4"
        await explorer.pilot.click(offset=(2, 49))
        await explorer.settle()
        assert explorer.app.main.session.measure == "name_only"


# What is not finished


async def test_running_and_skipped_runs_are_not_failures() -> None:
    async with opened(UNFINISHED) as explorer:
        for words in ("4 pass", "1 fail", "1 running", "1 skipped", "1 parked", "= 8", "5/8 finished", "4/5 .800"):
            assert words in explorer.text
        await explorer.press("]")
        assert explorer.run == "t5"
        await explorer.press("]")
        assert explorer.run == "t5"


async def test_a_pane_that_was_alone_for_want_of_room_is_not_when_there_is_room_again() -> None:
    async with opened(CYBERTRAVELS, 80, 24) as explorer:
        for width, height in ((25, 7), (55, 14), (80, 24), (140, 50)):
            await explorer.pilot.resize_terminal(width, height)
            await explorer.until(lambda size=(width, height): tuple(explorer.app.size) == size)
        await explorer.until(lambda: "Scorecard" in explorer.text and "R6" in explorer.text)
        assert explorer.app.main.query_one("#trajectory").size.height > 5


async def test_from_the_scorecard_of_a_small_screen_a_pane_leads_back_to_all() -> None:
    async with opened(CYBERTRAVELS, 80, 24) as explorer:
        await explorer.press("1", "2")
        assert "Scorecard" not in explorer.text
        assert "R6" in explorer.text
        assert explorer.app.main.query_one("#trajectory").size.height > 5


async def test_what_the_user_enlarged_stays_so_through_another_size() -> None:
    async with opened(CYBERTRAVELS, 140, 50) as explorer:
        await explorer.press("+")
        await explorer.pilot.resize_terminal(55, 14)
        await explorer.pilot.resize_terminal(120, 40)
        await explorer.until(lambda: tuple(explorer.app.size) == (120, 40))
        assert "Scorecard" not in explorer.text


async def test_keys_typed_ahead_of_a_prompt_go_into_it() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        explorer.app.main.action_filter()
        assert explorer.app.screen.focused in explorer.app.main.query("Prompt > *").results()

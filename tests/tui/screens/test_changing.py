"""What-if by keys: values, calls, both sides; what noticed, undo and redo, the ledger, writing."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from textual.widgets import Input

from agent_tui.bundles import load
from agent_tui.bundles.write import bundle_document
from agent_tui.runs.edits import value_at
from agent_tui.runs.paths import parse_path
from agent_tui.tui.present.nodes import Key
from agent_tui.tui.widgets.vtext import TextPane
from tests.tui.opened import CYBERTRAVELS, Explorer, call, made_run, opened, write_bundle

DOCENT = "sample_runs/docent.json"
CHAT = "sample_runs/travel-chat.jsonl"
INSPECT = "sample_runs/travel-inspect.eval"
AMOUNT: Key = ("pair", 1, "args", ("amount",))


async def go(explorer: Explorer, run: str, key: Key) -> None:
    """Put the cursor on a line of a run's trajectory, as the arrow keys do."""
    main = explorer.app.main
    main.runs.go_to(explorer.app.bundle.find(run))
    await explorer.settle()
    assert main.reader.tree is not None
    line = main.reader.tree.show(main.reader.tree.path_to(key))
    main.reader.pane.lines_changed(line)
    main.reader.pane.focus()
    await explorer.settle()
    assert main.reader.key() == key


async def clear(explorer: Explorer) -> None:
    """Empty the line that is typed into."""
    explorer.app.main.query_one(Input).value = ""
    await explorer.settle()


async def edit(explorer: Explorer, text: str) -> None:
    """Give what is under the cursor another value."""
    await explorer.press("e")
    await clear(explorer)
    await explorer.type(text)


def rates(explorer: Explorer, *measures: str) -> list[str]:
    """Passed of scored, by measure."""
    tallies = explorer.app.main.session.card.tallies
    return [f"{tallies[name].passed}/{tallies[name].scored}" for name in measures]


def noticed(explorer: Explorer) -> set[str]:
    """The measures that noticed the last step."""
    shift = explorer.app.main.session.shift
    assert shift is not None
    return {each.measure for each in shift.effect.noticed if each.moved}


def exported(explorer: Explorer) -> bytes:
    """What would be written."""
    return b"".join(bundle_document(explorer.app.bundle))


def first_bytes(path: str) -> bytes:
    """What would be written of a file that nobody changed."""
    return b"".join(bundle_document(load([path])))


async def back_to_the_start(explorer: Explorer, path: str, steps: int = 1) -> None:
    """Undo, and find everything as it was recorded."""
    await explorer.press(*"u" * steps)
    assert exported(explorer) == first_bytes(path)
    assert "as recorded" in explorer.lines[0]


# The published flips


async def test_the_flip_of_the_workshop_by_keys() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("j", "e", "end", "0", "enter")
        assert rates(explorer, "exact", "name_only", "order_ignored", "output") == ["4/6", "4/6", "5/6", "2/5"]
        assert "what-if: 1 change · nothing on disk is touched" in explorer.lines[0]
        for words in (
            "R2 expected.calls[1].args.amount  140 → 1400",
            "3/6 → 4/6       ▲ R2 passes now",
            "did not notice: it already passed R2",
            "did not notice: the trajectory changed, not the truth",
            "~   amount     1400  was 140",
            "✓ was ✗",
        ):
            assert words in explorer.text
        assert any(
            "exact  " in line and ".667" in line and "▲+.167│" in line.replace(" ", "") for line in explorer.lines
        )
        await back_to_the_start(explorer, CYBERTRAVELS)


async def test_a_search_that_is_made_twice_moves_the_published_figures() -> None:
    async with opened(DOCENT) as explorer:
        await go(explorer, "oos-mongo", ("step", (0,)))
        await explorer.press("y")
        for words in ("calls            3 → 4", "redundancy       8/8 → 7/8       ▼ oos-mongo: 0 → 1", ".42 → .48"):
            assert words in explorer.text
        assert noticed(explorer) == {"redundancy"}
        assert rates(explorer, "task_success", "tool_call_correctness", "trajectory_quality") == ["8/8", "8/8", "6/8"]
        await back_to_the_start(explorer, DOCENT)


@pytest.mark.parametrize("keys", [("x",), ("x", "u", "U")])
async def test_a_search_that_is_taken_out(keys: tuple[str, ...]) -> None:
    async with opened(DOCENT) as explorer:
        await go(explorer, "region", ("step", (1,)))
        await explorer.press(*keys)
        assert rates(explorer, "trajectory_quality") == ["7/8"]
        assert "region passes now" in explorer.text
        await back_to_the_start(explorer, DOCENT)


# Values of all kinds, on both sides


@pytest.mark.parametrize(
    ("key", "side", "text", "path", "measures"),
    [
        (AMOUNT, "made", "140", "actual.calls[1].args.amount", {"exact", "order_ignored"}),
        (("pair", 1), "expected", "cancel", "expected.calls[1].name", {"name_only", "tool_call_correctness"}),
        (("pair", 1), "made", "cancel", "actual.calls[1].name", {"name_only", "tool_call_correctness"}),
        (("truth",), "expected", "refunded 1400", "expected.answer", {"output", "task_success"}),
        (("truth",), "expected", '{"contains": "1400"}', "expected.answer", {"output", "task_success"}),
        (("answer",), "expected", "refunded 140", "actual.answer", {"output", "task_success"}),
    ],
)
async def test_a_value_is_changed_where_it_stands(
    key: Key, side: str, text: str, path: str, measures: set[str]
) -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await go(explorer, "R2", key)
        if side == "made":
            await explorer.press("H")
        await edit(explorer, text)
        assert f"R2 {path}" in explorer.text
        assert measures <= noticed(explorer)
        await back_to_the_start(explorer, CYBERTRAVELS)


async def test_a_value_inside_an_argument_is_changed(tmp_path: Path) -> None:
    wanted, made = (
        call("send", to={"name": "a", "tags": ["x", "y"]}),
        call("send", to={"name": "a", "tags": ["x", "z"]}),
    )
    async with opened(write_bundle(tmp_path, made_run("t1", [wanted], [made]))) as explorer:
        await go(explorer, "t1", ("pair", 0, "args", ("to", "tags", 1)))
        await edit(explorer, '"z"')
        assert "t1 expected.calls[0].args.to.tags[1]" in explorer.text
        assert rates(explorer, "exact") == ["1/1"]


async def test_a_missing_argument_is_added_on_its_side(tmp_path: Path) -> None:
    run = made_run("t1", [call("send", to="a")], [call("send", to="a", urgent=True)])
    async with opened(write_bundle(tmp_path, run)) as explorer:
        await go(explorer, "t1", ("pair", 0, "args", ("urgent",)))
        await explorer.press("e")
        assert explorer.app.main.query_one(Input).value == "true"
        await explorer.press("enter")
        assert rates(explorer, "exact") == ["1/1"]


# The editor


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1400", "a number"),
        ('"1400"', "a text of 4 characters"),
        ("[1, 2]", "a list of 2"),
        ("fourteen", 'taken as a text: "fourteen"'),
        ("[1, 2", "not JSON: it breaks off"),
        ('{"a" 1}', "not JSON: expected ':'"),
    ],
)
async def test_what_is_typed_is_named_as_it_is_typed(text: str, said: str) -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("j", "e")
        await clear(explorer)
        await explorer.press(*text)
        assert said in explorer.text
        assert "R2 expected.calls[1].args.amount" in explorer.text


@pytest.mark.parametrize("text", ["", "[1, 2", '{"a" 1}', '"open'])
async def test_what_is_no_value_changes_nothing(text: str) -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("j")
        await edit(explorer, text)
        assert explorer.app.main.query_one("#prompt").has_class("-open")
        await explorer.press("escape")
        assert exported(explorer) == first_bytes(CYBERTRAVELS)
        assert explorer.app.main.session.changes == 0


@pytest.mark.parametrize(("key", "path"), [(("answer",), "actual.answer"), (("input",), "input")])
async def test_null_for_a_text_is_none(key: Key, path: str) -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await go(explorer, "R2", key)
        await edit(explorer, "null")
        assert value_at(explorer.app.bundle.record(1), parse_path(path)) == b"null"
        assert explorer.app.bundle.table.output(1) == ("no_answer" if path == "actual.answer" else "wrong")
        await back_to_the_start(explorer, CYBERTRAVELS)


@pytest.mark.parametrize("side", ["expected", "made"])
@pytest.mark.parametrize("text", ["null", '""', ""])
async def test_a_call_cannot_be_without_a_tool(side: str, text: str) -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await go(explorer, "R2", ("pair", 1))
        if side == "made":
            await explorer.press("H")
        await edit(explorer, text)
        assert "a call needs the name of a tool: x takes the call out" in explorer.text
        assert explorer.app.main.session.changes == 0


@pytest.mark.parametrize(("text", "name"), [('"null"', "null"), ("true", "true")])
async def test_a_tool_may_be_called_like_a_json_word(text: str, name: str) -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await go(explorer, "R2", ("pair", 1))
        await edit(explorer, text)
        expected = explorer.app.bundle.run(1).expected
        assert expected is not None
        assert [call.name for call in expected.calls or ()][1] == name


async def test_escape_leaves_things_and_the_focus_as_they_were() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("j", "3", "e", "0", "escape")
        assert explorer.app.main.session.changes == 0
        assert explorer.app.main.panes.focused == "trajectory"


async def test_the_same_value_again_is_no_change() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("j", "e", "enter")
        assert explorer.app.main.session.changes == 0


@pytest.mark.parametrize(
    ("key", "side", "said"),
    [
        (("pair", 1, "result"), "expected", "what a tool gave back is not compared"),
        (("weak",), "expected", "this line is about no call"),
    ],
)
async def test_a_line_without_a_value_says_so(key: Key, side: str, said: str) -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await go(explorer, "R2", key)
        await explorer.press("e")
        assert said in explorer.status


# Whole calls


async def test_a_call_that_was_made_too_late_is_moved_up() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await go(explorer, "R4", ("pair", 1))
        await explorer.press("<")
        assert explorer.app.main.session.changes == 1
        assert {"exact", "in_order"} <= noticed(explorer)
        assert "order_ignored" not in noticed(explorer)
        assert rates(explorer, "exact", "order_ignored") == ["4/6", "4/6"]
        await back_to_the_start(explorer, CYBERTRAVELS)


async def test_a_moved_call_keeps_the_cursor() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await go(explorer, "R1", ("pair", 0))
        await explorer.press("H", "alt+down")
        assert {"exact", "in_order"} <= noticed(explorer)
        assert "order_ignored" not in noticed(explorer)
        main = explorer.app.main
        key = main.reader.key()
        lines = main.changing._require_here()[1]
        assert key is not None
        assert lines.calls(key)["made"] == 1
        await explorer.press("alt+up")
        assert exported(explorer) == first_bytes(CYBERTRAVELS)


async def test_calls_are_expected_where_none_were() -> None:
    async with opened(DOCENT) as explorer:
        await go(explorer, "pro-rpm", ("step", (0,)))
        await explorer.press("H", "a")
        await explorer.type('search_docs {"query": "Pro plan rate limit requests per minute"}')
        assert rates(explorer, "exact") == ["1/1"]
        record = json.loads(explorer.app.bundle.record(explorer.app.bundle.find("pro-rpm")))
        assert [each["name"] for each in record["expected"]["calls"]] == ["search_docs"]
        await back_to_the_start(explorer, DOCENT)


async def test_a_call_is_added_after_the_one_under_the_cursor() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await go(explorer, "R1", ("pair", 0))
        await explorer.press("H", "a")
        await explorer.type("refund {")
        assert "the arguments are not JSON" in explorer.text
        await explorer.press("escape", "a")
        await explorer.type("read_policy")
        assert [each.name for each in explorer.app.bundle.run(0).calls or ()] == [
            "lookup_booking",
            "read_policy",
            "refund",
        ]
        assert "R1 fails now" in explorer.text


def _names(explorer: Explorer, run: str) -> list[str]:
    bundle = explorer.app.bundle
    return [each.name for each in bundle.run(bundle.find(run)).calls or ()]


@pytest.mark.parametrize(("path", "run"), [(CHAT, "too-much"), (INSPECT, "refund-fare#1")])
async def test_calls_in_messages_are_changed_too(path: str, run: str) -> None:
    async with opened(path) as explorer:
        run = next(each for each in _run_names(explorer) if each.startswith(run))
        key = _call_keys(explorer, run)[0]
        await go(explorer, run, key)
        before = _names(explorer, run)
        await explorer.press("y")
        assert _names(explorer, run) == [before[0], *before]
        await explorer.press("x")
        assert _names(explorer, run) == before
        await explorer.press("u", "u")
        assert exported(explorer) == first_bytes(path)


@pytest.mark.parametrize(("path", "run"), [(CHAT, "too-much"), (INSPECT, "refund-fare#1")])
async def test_an_argument_in_messages_is_changed(path: str, run: str) -> None:
    async with opened(path) as explorer:
        run = next(each for each in _run_names(explorer) if each.startswith(run))
        await go(explorer, run, (*_call_keys(explorer, run)[0], "args", "booking_id"))
        await edit(explorer, "BK-1")
        calls = explorer.app.bundle.run(explorer.app.bundle.find(run)).calls or ()
        assert b"BK-1" in bytes(calls[0].args)
        assert "~ was" in explorer.text
        await back_to_the_start(explorer, path)


def _run_names(explorer: Explorer) -> Iterable[str]:
    return map(explorer.app.bundle.names.name, range(len(explorer.app.bundle)))


def _call_keys(explorer: Explorer, run: str) -> list[Key]:
    bundle = explorer.app.bundle
    steps = bundle.steps(bundle.find(run))
    return [("step", (at,)) for at, step in enumerate(steps) if step.type == "call"]


# Undo, redo, the ledger, all back


async def three_changes(explorer: Explorer) -> None:
    await go(explorer, "R2", AMOUNT)
    for value in ("150", "160", "1400"):
        await edit(explorer, value)


async def test_undo_and_redo_have_no_end() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await three_changes(explorer)
        await explorer.press("u", "u", "u", "u")
        assert "nothing to undo" in explorer.status
        assert exported(explorer) == first_bytes(CYBERTRAVELS)
        await explorer.press("U", "U", "U", "U")
        assert "nothing to redo" in explorer.status
        assert rates(explorer, "exact") == ["4/6"]
        assert "what-if: 3 changes" in explorer.lines[0]


async def test_the_ledger_goes_to_any_change() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await three_changes(explorer)
        await explorer.press("L")
        assert "160 → 1400 noticed by 7 measures" in explorer.text
        assert "140 → 150 nothing noticed" in explorer.text
        await explorer.press("g", "j", "enter")
        assert "what-if: 1 change " in explorer.lines[0]
        await explorer.press("L", "R")
        assert exported(explorer) == first_bytes(CYBERTRAVELS)
        assert "1 change reverted: U brings it back" in explorer.text


async def test_everything_is_reverted_with_a_key_and_said() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await three_changes(explorer)
        await explorer.press("ctrl+r")
        assert "3 changes reverted: U brings one at a time back" in explorer.status
        assert exported(explorer) == first_bytes(CYBERTRAVELS)


# The pane


async def test_enter_on_a_measure_goes_to_the_run_that_moved() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("j", "e", "end", "0", "enter", "2", "G", "4", "enter")
        assert explorer.run == "R2"


async def test_what_noticed_stays_while_matchers_are_toggled_until_escape() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("j", "e", "end", "0", "enter", "m")
        assert "What noticed" in explorer.text
        await explorer.press("escape")
        assert "What noticed" not in explorer.text
        await explorer.press("m", "4")
        assert "What moved" in explorer.text


async def test_a_small_terminal_shows_what_noticed_and_the_edited_line() -> None:
    async with opened(CYBERTRAVELS, 80, 24) as explorer:
        await explorer.press("j", "e", "end", "0", "enter")
        for words in ("What noticed", "▲ R2 passes now", "1400  was 140", "exact 4/6 .667 ▲+.167", "what-if: 1 change"):
            assert words in explorer.text


@pytest.mark.parametrize("size", [(140, 50), (80, 24)])
async def test_what_a_measure_compares_is_readable_to_its_end(size: tuple[int, int]) -> None:
    async with opened(CYBERTRAVELS, *size) as explorer:
        await explorer.press("j", "e", "end", "0", "enter", "4", "+")
        words = " ".join(" ".join(explorer.lines).replace("│", " ").replace("┃", " ").split())
        assert "it compares whether the expected calls stand in order, whatever stands between them any-order" in words


async def test_the_pane_of_what_noticed_is_as_high_as_its_wrapped_lines(tmp_path: Path) -> None:
    run = made_run("r", expected=[call("a", n=1)], actual=[call("a", n=10)])
    async with opened(write_bundle(tmp_path, run), 140, 80) as explorer:
        await explorer.press("e", "end", "0", "enter")
        pane = explorer.app.main.query_one("#moved-lines", TextPane)
        assert len(pane._places()) == pane.size.height > pane.count


async def test_who_noticed_stands_first_where_the_change_is_too_long_for_the_status_line() -> None:
    async with opened(CYBERTRAVELS, 80, 24) as explorer:
        await go(explorer, "R2", ("answer",))
        await edit(explorer, "1400 " * 20)
        assert explorer.status.startswith(" nothing noticed  R2 actual.answer")


# Writing


async def test_a_patch_is_written_and_applied_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(Path(CYBERTRAVELS).absolute())
    monkeypatch.chdir(tmp_path)
    async with opened(path) as explorer:
        await explorer.press("j", "e", "end", "0", "enter", "w", "enter")
        assert "wrote the patch cybertravels.whatif.json, 1 change" in explorer.status
        await explorer.press("w", "enter")
        assert "is there already" in explorer.text
    edits = json.loads((tmp_path / "cybertravels.whatif.json").read_text())["edits"]
    assert [(each["path"], each["from"], each["to"]) for each in edits] == [
        ("expected.calls[1].args.amount", 140, 1400)
    ]


async def test_a_bundle_is_written_but_never_over_the_opened_one(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_bytes(Path(CYBERTRAVELS).read_bytes())
    async with opened(str(path)) as explorer:
        await explorer.press("j", "e", "end", "0", "enter", "w")
        await clear(explorer)
        await explorer.type(str(path))
        assert "what is opened is never written" in explorer.text
        await clear(explorer)
        await explorer.type(str(tmp_path / "new.jsonl"))
        assert "6 runs" in explorer.status
    assert path.read_bytes() == Path(CYBERTRAVELS).read_bytes()
    assert load([str(tmp_path / "new.jsonl")]).scorecard().tallies["exact"].passed == 4


async def test_there_is_nothing_to_write_at_first() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("w")
        assert "nothing is changed" in explorer.status


# The sweep


async def test_the_sweep_leads_to_the_runs_behind_a_cell() -> None:
    async with opened(CYBERTRAVELS) as explorer:
        await explorer.press("X")
        await explorer.until(lambda: getattr(explorer.app.screen, "is_done", False))
        await explorer.press("enter")
        assert "behind a cell of the sweep" in explorer.status
        assert 0 < len(explorer.app.main.session) <= 6
        await explorer.press("2", "escape", "escape")
        assert len(explorer.app.main.session) == 6


async def test_what_noticed_takes_the_whole_screen_when_enlarged() -> None:
    async with opened(CYBERTRAVELS, 80, 24) as explorer:
        await three_changes(explorer)
        assert "subset   " not in explorer.text
        await explorer.press("4", "plus")
        assert "subset   " in explorer.text
        assert "refund" not in explorer.text


@pytest.mark.parametrize("size", [(80, 24), (140, 50)])
async def test_a_late_change_of_a_long_value_is_told_where_it_is(tmp_path: Path, size: tuple[int, int]) -> None:
    run = made_run("t", [call("a")], [call("a")], input="Where is my order, and when will it be here? " * 3 + "Bo")
    async with opened(write_bundle(tmp_path, run), *size) as explorer:
        await explorer.press("3", "home", "e", "end", "left", "backspace")
        await explorer.type("b")
        assert explorer.app.main.session.changes == 1
        shown = " ".join(explorer.text.split())
        assert 'be here? Bo" → …+1' in shown
        assert 'be here? Bb"' in shown
        assert "here? Bo" in shown[shown.index("was …+") :][:40]

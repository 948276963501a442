"""One run as lines: what is folded, what differs, where a search leads."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.text import Text

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.search import search_run
from agent_tui.tui.present.nodes import Tree
from agent_tui.tui.present.texts import labelled_text, reveal
from agent_tui.tui.present.trajectory import key_of, title, trajectory
from agent_tui.tui.theme import UNICODE
from tests.tui.opened import CYBERTRAVELS, bundle_of, call, made_run


def tree_of(bundle: Bundle, row: int = 0, width: int = 92) -> Tree:
    return trajectory(bundle, row, width, UNICODE)


def lines(tree: Tree) -> list[str]:
    return [tree.line(number).plain for number in range(tree.count)]


@pytest.fixture(scope="module")
def cybertravels() -> Bundle:
    return load([CYBERTRAVELS])


def test_expected_stands_beside_made(cybertravels: Bundle) -> None:
    amount = next(line for line in lines(tree_of(cybertravels, 1)) if "≠" in line and "amount" in line)
    left, right = amount.split("│")
    assert left.split() == ["≠", "amount", "140"]
    assert right.split()[:2] == ["amount", "1400"]
    assert "name-only forgives this" in right


def test_on_a_narrow_pane_both_stand_in_one_line(cybertravels: Bundle) -> None:
    shown = lines(tree_of(cybertravels, 1, 70))
    assert any("amount     expected 140  got 1400   name-only forgives this" in line for line in shown)
    assert '▸ = lookup_booking  id "BK-9001"  ok' in shown


@pytest.mark.parametrize("width", [60, 92, 140])
def test_remarks_on_a_difference_are_whole_sentences_at_any_width(tmp_path: Path, width: int) -> None:
    bundle = bundle_of(tmp_path, made_run("t", [call("a", number=1, of="x" * 30)], [call("a", of="x" * 30)]))
    tree = tree_of(bundle, width=width)
    text = " ".join("\n".join(lines(tree)).replace("│", " ").split())
    assert "a rule default: 1 would forgive it" in text
    assert "name-only forgives this" in text
    assert all(len(line) < width for line in lines(tree) if "forgive" in line)


def test_two_long_values_stand_below_each_other_on_a_narrow_pane(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, made_run("t", [call("a", of="x" * 50)], [call("a", of="y" * 50)]))
    shown = lines(tree_of(bundle, width=76))
    at = next(at for at, line in enumerate(shown) if "expected" in line)
    assert shown[at].strip().endswith('xxx"')
    assert shown[at + 1].strip().startswith('got "yyy')
    assert shown[at + 2].strip() == "name-only forgives this"


def test_the_first_difference_is_in_words(cybertravels: Bundle) -> None:
    assert "  first difference  call 2 refund: amount expected 140, got 1400" in lines(tree_of(cybertravels, 1))


def test_reading_begins_where_it_differs(cybertravels: Bundle) -> None:
    tree = tree_of(cybertravels, 1)
    assert "1400" in tree.line(tree.first_difference()).plain
    assert tree_of(cybertravels, 0).first_difference() == 0


def test_extra_and_missing_calls_are_marked(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, made_run("t", [call("a"), call("b")], [call("b"), call("c")]))
    text = "\n".join(lines(tree_of(bundle, width=60)))
    assert "− a  not made" in text
    assert "+ c  not expected" in text


def test_many_equal_calls_are_folded_and_still_tell_their_arguments(tmp_path: Path) -> None:
    calls = [call("look_up", number=number) for number in range(12)]
    bundle = bundle_of(tmp_path, made_run("t", calls, calls))
    shown = lines(tree_of(bundle))
    assert sum(line.startswith("▸ = look_up") for line in shown) == 12
    assert any("number 11" in line for line in shown)


def test_every_text_is_one_line_that_cannot_act(tmp_path: Path) -> None:
    bad = "\x1b]52;c;x\x07 \x9b31m \u202e [/] \x00"
    run = made_run(bad, [call(bad, key=bad)], [{**call(bad), "result": bad}], input=bad, answer=bad, task=bad)
    bundle = bundle_of(tmp_path, {**run, "error": {"type": bad, "message": bad}, "status": bad, "limit": bad})
    tree = tree_of(bundle)
    for node in tree.every():
        node.open = True
    tree.refold()
    for line in [*lines(tree), *(part.plain for part in title(bundle, 0, "", 92, UNICODE))]:
        assert line.isprintable(), line
    assert "control sequence" in "\n".join(lines(tree))
    assert "[/]" in "\n".join(lines(tree))


def test_a_long_text_tells_how_much_is_not_shown(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, made_run("t", input="\n".join(f"line {number}" for number in range(100))))
    shown = lines(tree_of(bundle))
    assert shown[0] == "▾ ask         line 0"
    assert shown[1] == "              line 1"
    assert "… 88 more lines, 789 characters in all: Enter opens it" in shown[12]


def test_a_folded_text_keeps_its_first_line(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, made_run("t", input="first\nsecond"))
    tree = tree_of(bundle)
    tree.toggle(0)
    assert tree.line(0).plain == "▸ ask         first  … 1 more line"


def test_notes_are_folded_where_there_are_many(tmp_path: Path) -> None:
    calls = [{"name": "a", "args": '{"n": 1'} for _ in range(30)]
    shown = lines(tree_of(bundle_of(tmp_path, made_run("t", None, calls))))
    assert any(line.startswith("▸ notes       3") for line in shown)


@pytest.mark.parametrize("many", [3, 4])
def test_more_than_three_notes_are_folded(tmp_path: Path, many: int) -> None:
    run = made_run("t", None, [], notes=[f"odd {number}" for number in range(many - 1)])
    shown = lines(tree_of(bundle_of(tmp_path, run)))
    assert any(line.startswith(f"▸ notes       {many}") for line in shown) is (many > 3)


@pytest.mark.parametrize(("kind", "said"), [("RuntimeError", "RuntimeError('broke')"), ("Timeout", "Timeout broke")])
def test_an_error_says_its_type_once(tmp_path: Path, kind: str, said: str) -> None:
    message = "RuntimeError('broke')" if kind == "RuntimeError" else "broke"
    run = made_run("t", None, [], status="error", error={"type": kind, "message": message})
    run["status"] = "error"
    assert f"  error       {said}" in lines(tree_of(bundle_of(tmp_path, run)))


def test_no_expectation_is_not_noted_where_documents_are_expected(tmp_path: Path) -> None:
    for run, noted in (({"expected": {"documents": ["d1"]}}, False), ({}, True)):
        shown = lines(tree_of(bundle_of(tmp_path, {"id": "t", "status": "done", "actual": {"calls": []}, **run})))
        assert any("no expectation" in line for line in shown) is noted


def test_sub_agents_are_nested(tmp_path: Path) -> None:
    inner = {"type": "call", "name": "inner", "args": {"a": 1}}
    steps = [{"type": "agent", "name": "helper", "steps": [inner]}]
    bundle = bundle_of(tmp_path, {"id": "t", "status": "done", "actual": {"steps": steps}})
    shown = lines(tree_of(bundle))
    assert "  ▾ sub-agent helper  1 step" in shown
    assert "    ▸ inner  a 1" in shown


@pytest.mark.parametrize("size", [40, 400, 4000, 40_000])
@pytest.mark.parametrize("needle", ["needle", "two words", "[/INST]"])
def test_a_search_leads_to_a_line_that_shows_what_was_sought(tmp_path: Path, size: int, needle: str) -> None:
    words = ["lorem ipsum dolor"] * size
    words.insert(size * 2 // 3, needle)
    run = made_run("t", None, [{"name": "read", "args": {"q": 1}, "result": " ".join(words)}])
    bundle = bundle_of(tmp_path, run)
    tree = tree_of(bundle)
    (hit,) = search_run(bundle, 0, needle)
    line = reveal(tree, key_of(hit), needle, 91)
    assert line is not None
    shown = tree.line(line).plain
    assert needle in shown
    assert shown.index(needle) + len(needle) < 91


def test_a_search_leads_into_arguments_and_past_the_fold(tmp_path: Path) -> None:
    long = {"first": "x" * 300, "second": "y" * 500 + " needle"}
    bundle = bundle_of(tmp_path, made_run("t", None, [{"name": "write", "args": long}]))
    tree = tree_of(bundle)
    (hit,) = search_run(bundle, 0, "needle")
    line = reveal(tree, key_of(hit), "needle", 91)
    assert line is not None
    assert "needle" in tree.line(line).plain


def test_a_million_characters_are_looked_at_only_where_they_are_seen(tmp_path: Path) -> None:
    text = "\n".join("line of output" for _ in range(200_000)) + "\nthe needle is last"
    bundle = bundle_of(tmp_path, made_run("t", None, [{"name": "read", "args": {}, "result": text}]))
    tree = tree_of(bundle)
    (hit,) = search_run(bundle, 0, "needle")
    line = reveal(tree, key_of(hit), "needle", 91)
    assert line is not None
    assert "the needle is last" in tree.line(line).plain
    assert any("… 199,99" in shown for shown in lines(tree))
    assert tree.count < 60


@pytest.mark.parametrize("width", [1, 10, 40])
def test_a_text_with_more_beside_it_than_fits_has_room_still(width: int) -> None:
    tail = Text("was Please cancel my Rome flight BK-8812 and refund it.")
    node = labelled_text(("input",), 0, Text("ask  "), "a new ask of some words", width, "text", tail=tail)
    assert "a new ask" in node.draw().plain


def test_of_very_many_unlike_calls_the_first_are_unfolded(tmp_path: Path) -> None:
    expected, made = [[call("a", n=n + add) for n in range(250)] for add in (0, 1000)]
    tree = tree_of(bundle_of(tmp_path, made_run("t", expected, made)))
    pairs = [
        tree.node(at) for at in range(tree.count) if tree.node(at).key[:1] == ("pair",) and len(tree.node(at).key) == 2
    ]
    assert [node.open for node in pairs] == [True] * 200 + [False] * 50
    at = next(at for at in range(tree.count) if tree.node(at) is pairs[-1])
    tree.toggle(at)
    assert "249" in tree.line(at + 1).plain
    assert "1249" in tree.line(at + 1).plain


QUERY = "SELECT name FROM orders WHERE country = 'NL' AND " * 9


@pytest.mark.parametrize("width", [60, 92, 140])
def test_long_values_that_part_late_are_shown_from_there(tmp_path: Path, width: int) -> None:
    wanted, made = call("query", q=f"{QUERY}y = 2 AND z"), call("query", q=f"{QUERY}y = 5 AND z")
    shown = lines(tree_of(bundle_of(tmp_path, made_run("t", [wanted], [made])), width=width))
    for value in ("y = 2 A", "y = 5 A"):
        line = next(line for line in shown if value in line)
        assert line.index(value) < width - 4
        assert "…+4" in line


def test_long_values_read_whole_have_a_mark_where_they_part(tmp_path: Path) -> None:
    wanted, made = call("query", q=f"{QUERY}y = 2 AND z"), call("query", q=f"{QUERY}y = 5 AND z")
    tree = tree_of(bundle_of(tmp_path, made_run("t", [wanted], [made])))
    node = next(node for node in tree.every() if node.differs)
    heading, one, other, mark, *_ = (node.text or "").split("\n")
    assert heading == f"the first {len(QUERY) + 5:,} characters are the same"
    assert (one[mark.index("^")], other[mark.index("^")]) == ("2", "5")


def test_short_values_read_whole_are_only_themselves(cybertravels: Bundle) -> None:
    node = next(node for node in tree_of(cybertravels, 1).every() if node.differs)
    assert node.text == "expected 140\ngot      1400"


def test_the_title_shows_the_end_of_a_long_name_and_what_stands_beside_it(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, made_run("experiment-" * 9 + "000042", [], [], status="running"))
    shown = "  ".join(part.plain for part in title(bundle, 0, "made", 80, UNICODE))
    assert shown.startswith("experiment-")
    assert "000042  running" in shown
    assert len(shown) < 80

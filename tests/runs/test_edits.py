"""Edits of a record's text: what they do, what they leave alone, and the way back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.errors import BadEdit
from agent_tui.runs.edits import Duplicate, Edit, Insert, Move, Remove, SetValue, apply, creating, inverse, value_at
from agent_tui.runs.paths import Path, parse_path

RECORD = b"""{ "id" : "R1", "n": 1e2, "scores": {"q": NaN},
  "calls": [ {"name": "a", "args": {"x": 1.0}},
             {"name":"b"},{"name": "c"} ],
  "messages": [{"arguments": "{\\"amount\\": 140, \\"caf\\u00e9\\": [1, 2]}"}], "empty": {}, "none": [], "null": null,
  "twice": 1, "twice": {"q": 2} }"""

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=6)
LEAVES = st.none() | st.booleans() | st.integers(-(2**40), 2**40) | TEXTS
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=12
)
SPELLINGS = st.sampled_from(
    [{}, {"indent": 1}, {"ensure_ascii": False}, {"separators": (",", ":")}, {"separators": (" , ", " : ")}]
)


@st.composite
def documents(draw: st.DrawFn) -> tuple[Any, bytes]:
    """A value and one of its spellings; some of its parts are JSON text inside strings."""
    value = draw(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4))
    if draw(st.booleans()):
        value["inside"] = json.dumps(draw(st.dictionaries(TEXTS, VALUES, max_size=3)), ensure_ascii=draw(st.booleans()))
    return value, json.dumps(value, **draw(SPELLINGS)).encode()


def opened(value: Any) -> Any:
    """A value with the JSON text in its key `inside` read."""
    inside = value.get("inside") if isinstance(value, dict) else None
    return value | {"inside": json.loads(inside)} if isinstance(inside, str) and inside[:1] == "{" else value


def containers(value: Any, path: Path = ()) -> list[tuple[Path, Any]]:
    """Every list and object in a value, with its path."""
    if not isinstance(value, list | dict):
        return []
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    return [(path, value), *(found for key, inner in pairs for found in containers(inner, (*path, key)))]


@st.composite
def edits(draw: st.DrawFn, value: Any) -> Edit:
    """An edit that can be made in a value."""
    path, place = draw(st.sampled_from(containers(opened(value))))
    new = json.dumps(draw(VALUES)).encode()
    if isinstance(place, dict):
        key = draw(st.sampled_from(sorted(place)) | TEXTS if place else TEXTS)
        return Remove((*path, key)) if key in place and draw(st.booleans()) else SetValue((*path, key), new)
    if not place or draw(st.booleans()):
        return Insert((*path, draw(st.integers(0, len(place)))), new)
    index = draw(st.integers(0, len(place) - 1))
    by = draw(st.integers(-index, len(place) - 1 - index))
    here = (*path, index)
    return draw(st.sampled_from([SetValue(here, new), Remove(here), Move(here, by), Duplicate(here)]))


def expected(value: Any, edit: Edit) -> Any:
    """What an edit makes of a value, done on Python's values."""
    whole = json.loads(json.dumps(opened(value)))
    place = whole
    for part in edit.path[:-1]:
        place = place[part]
    last: Any = edit.path[-1]
    if isinstance(edit, SetValue):
        place[last] = json.loads(edit.value)
    elif isinstance(edit, Insert):
        place.insert(last, json.loads(edit.value))
    elif isinstance(edit, Duplicate):
        place.insert(last, place[last])
    elif isinstance(edit, Move):
        place.insert(last + edit.by, place.pop(last))
    else:
        del place[last]
    return whole


@given(st.data())
def test_an_edit_does_what_it_says_and_its_inverse_takes_it_back(data: st.DataObject) -> None:
    value, text = data.draw(documents())
    edit = data.draw(edits(value))
    changed, done = apply(text, edit)
    assert opened(json.loads(changed)) == expected(value, edit)
    assert opened(json.loads(apply(changed, inverse(done))[0])) == opened(value)


@given(st.data())
def test_any_edits_and_their_inverses_backwards_give_the_same_value(data: st.DataObject) -> None:
    value, text = data.draw(documents())
    made = []
    for _ in range(data.draw(st.integers(1, 6))):
        text, done = apply(text, data.draw(edits(json.loads(text))))
        made.append(done)
    for done in reversed(made):
        text, _ = apply(text, inverse(done))
    assert opened(json.loads(text)) == opened(value)


@given(st.data())
def test_all_but_the_value_that_is_set_keeps_its_bytes(data: st.DataObject) -> None:
    value, text = data.draw(documents())
    edit = data.draw(edits(value).filter(lambda each: isinstance(each, SetValue) and "inside" not in each.path))
    assert isinstance(edit, SetValue)
    changed, done = apply(text, edit)
    old, more = done.before or b"", len(changed) - len(text)
    kept = next(at for at in range(len(text) + 1) if changed[: at + 1] != text[: at + 1] or at == len(text))
    tail = len(text) - kept
    if done.before is not None:  # one place, and behind it all as it was
        places = [at for at in range(len(text)) if text.startswith(old, at)]
        assert changed in [text[:at] + edit.value + text[at + len(old) :] for at in places]
    else:  # something was put in between, and nothing else
        assert changed[kept + more :] == text[kept:]
        assert tail >= 1


def test_a_number_keeps_its_spelling_and_the_text_its_white_space() -> None:
    changed, done = apply(RECORD, SetValue(parse_path("calls[1].name"), b'"z"'))
    assert changed == RECORD.replace(b'"b"', b'"z"')
    assert (done.before, done.after) == (b'"b"', b'"z"')


def test_a_path_goes_through_json_text_and_keeps_its_escapes() -> None:
    changed, done = apply(RECORD, SetValue(parse_path("messages[0].arguments.amount"), b"1400"))
    assert changed == RECORD.replace(b": 140,", b": 1400,")
    assert done.before == b"140"
    assert value_at(changed, ("messages", 0, "arguments", "café", 1)) == b"2"


def test_of_two_equal_keys_the_last_is_changed_and_none_is_left() -> None:
    assert value_at(RECORD, ("twice", "q")) == b"2"
    changed, _ = apply(RECORD, SetValue(("twice", "q"), b"3"))
    assert changed == RECORD.replace(b'{"q": 2}', b'{"q": 3}')
    assert b"twice" not in apply(RECORD, Remove(("twice",)))[0]


def test_moved_items_leave_what_stands_between_them() -> None:
    changed, _ = apply(b"[ 1,\n 2 ,3 ]", Move((0,), 2))
    assert changed == b"[ 2,\n 3 ,1 ]"


def test_a_new_item_is_spaced_as_its_neighbour() -> None:
    listed = b'{"a": [\n  1,\n  2\n]}'
    assert apply(listed, Insert(("a", 2), b"3"))[0] == b'{"a": [\n  1,\n  2,\n  3\n]}'
    assert apply(listed, Insert(("a", 0), b"0"))[0] == b'{"a": [\n  0,\n  1,\n  2\n]}'
    assert apply(b'{"a":1}', SetValue(("b",), b"2"))[0] == b'{"a":1,"b":2}'


@pytest.mark.parametrize(
    ("record", "path", "made"),
    [
        (b"{}", ("expected", "calls"), b'{"expected": {"calls": [1]}}'),
        (b'{"expected": null}', ("expected", "calls"), b'{"expected": {"calls": [1]}}'),
        (b'{"expected": {"answer": "x"}}', ("expected", "calls"), b'{"expected": {"answer": "x", "calls": [1]}}'),
    ],
)
def test_missing_parents_are_made_where_it_is_asked_for(record: bytes, path: Path, made: bytes) -> None:
    assert apply(record, creating(record, path, b"[1]"))[0] == made


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (SetValue(("zz", "a"), b"1"), "zz is not there; there are calls, empty, id"),
        (SetValue(("calls", 3), b"1"), r"calls\[3\] is not there; there are 3 items"),
        (SetValue(("calls", "a"), b"1"), r"calls is a list: the next part must be a number in \[ \], not 'a'"),
        (SetValue(("calls", 0, 1), b"1"), r"calls\[0\] is an object: the next part must be a key, not 1"),
        (SetValue(("id", "a"), b"1"), "id is neither an object nor a list: R1"),
        (SetValue(("id",), b"{"), "the value for id is not JSON"),
        (SetValue(("id",), b"1, 2"), "the value for id is not JSON"),
        (SetValue(("id",), b'"\xed\xa0\x80"'), "the value for id is not JSON"),
        (SetValue((), b"1"), "an edit needs a path"),
        (SetValue((0,) * 500, b"1"), "the path has 500 parts"),
        (Insert(("calls", 4), b"1"), r"calls\[4\] cannot be put in: there are 3 items"),
        (Insert(("empty", "a"), b"1"), "empty is not a list"),
        (Remove(("zz",)), "zz is not there"),
        (Move(("calls", 0), -1), r"calls\[0\] cannot be moved by -1"),
        (Move(("id",), 1), "id is not in a list"),
        (Duplicate(("id",)), "id is not in a list"),
    ],
)
def test_what_cannot_be_done_says_what_is_wrong_and_what_exists(edit: Edit, says: str) -> None:
    with pytest.raises(BadEdit, match=says):
        apply(RECORD, edit)


@pytest.mark.parametrize("text", [b"[1", b'{"a": 1', b'{"a": [1}', b'{"a": 1} x'])
def test_what_is_no_json_is_refused(text: bytes) -> None:
    with pytest.raises(BadEdit):
        apply(text, SetValue((0,) if text[:1] == b"[" else ("a",), b"2"))

"""Where calls, answer and truth stand in a record, in every shape that a record can have."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from agent_tui.errors import BadEdit
from agent_tui.matchers.reference import open_groups
from agent_tui.readers import decode_run
from agent_tui.readers.call_edits import add_call, duplicate_call, move_call, remove_call
from agent_tui.readers.call_places import (
    CallPlace,
    actual_base,
    actual_places,
    answer_place,
    expected_base,
    expected_places,
    truth_places,
)
from agent_tui.runs import Run, canonical
from agent_tui.runs.edits import Edit, SetValue, apply, creating, value_at
from agent_tui.runs.json_values import canonical_args
from agent_tui.runs.paths import spell_path
from tests.readers import fixtures
from tests.readers.reading import names, reading
from tests.writing import CASES, SAMPLES

FORMATS = Path(os.environ.get("AGENT_TUI_FORMATS", Path(__file__).parent.parent.parent.parent / "shared" / "formats"))
SAMPLE_FILES = [path for path in sorted(SAMPLES.iterdir()) if path.suffix in {".json", ".jsonl", ".eval"}]
CASE_FILES = sorted(CASES.glob("*/*.json*"))
MAKERS = [fixtures.native_bundle, fixtures.chat_rows, fixtures.inspect_log, fixtures.tau2_results]


def text_of(value: Any) -> bytes:
    return json.dumps(value).encode()


def hold(record: bytes) -> int:
    """Every place holds what the run has there; gives how many there were."""
    run = decode_run(record)
    places, calls = actual_places(record), run.calls or []
    assert len(places) == len(calls)
    for place, call in zip(places, calls, strict=True):
        assert msgspec.json.decode(value_at(record, place.name) or b'""') == call.name
        assert canonical_args(value_at(record, place.args) or b"{}") == canonical_args(call.args)
        assert value_at(record, place.item) is not None
        assert place.call[: len(place.item)] == place.item
    return len(places) + hold_expected(record, run)


def hold_expected(record: bytes, run: Run) -> int:
    expected = run.expected
    if expected is None or (expected.calls is None and not expected.any):
        return 0
    references = [expected.calls] if expected.calls is not None else [each.calls for each in expected.any or ()]
    count = 0
    for number, reference in enumerate(references):
        places, calls = expected_places(record, number), [call for call, _ in open_groups(reference or [])]
        assert len(places) == len(calls)
        for place, call in zip(places, calls, strict=True):
            assert msgspec.json.decode(value_at(record, place.name) or b'""') == call.name
            assert canonical(value_at(record, place.args) or b"{}") == canonical(call.args)
        count += len(places)
    return count


@pytest.mark.parametrize("path", SAMPLE_FILES, ids=lambda path: path.name)
def test_every_place_of_a_sample_holds_its_call(path: Path) -> None:
    assert sum(hold(record.text) for record in reading(path).records) > 0


@pytest.mark.parametrize("path", CASE_FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_place_of_a_case_holds_its_call(path: Path) -> None:
    for record in reading(path).records:
        try:
            decode_run(record.text)
        except ValueError:
            continue
        hold(record.text)


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_every_place_of_a_format_holds_its_call(maker: Any, tmp_path: Path) -> None:
    assert sum(hold(record.text) for record in reading(maker(tmp_path)).records) > 0


@pytest.mark.skipif(not FORMATS.is_dir(), reason="the recorded formats are not here: set AGENT_TUI_FORMATS")
@pytest.mark.parametrize("name", ["openai-chat", "inspect", "tau2-bench", "agentdojo", "swe-agent", "vercel-ai-sdk"])
def test_every_place_of_a_real_file_holds_its_call(name: str) -> None:
    files = [path for path in sorted((FORMATS / name).rglob("*")) if path.is_file()]
    for record in (record for path in files for record in reading(path).records):
        hold(record.text)


def step(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, **fields}


def chat_call(name: str, arguments: str = "{}") -> dict[str, Any]:
    return {"id": f"id-{name}", "type": "function", "function": {"name": name, "arguments": arguments}}


STEPS = [
    step("message", role="user", text="go"),
    step("call", name="a", args={"x": 1}, id="1"),
    step("result", call_id="1", result="ok"),
    {"parallel": [step("call", name="b"), step("reasoning", text="hm"), step("call", name="c", args={"y": 2})]},
    step("agent", name="helper", steps=[step("call", name="not ours")]),
    step("parallel", steps=[step("call", name="d")]),
    step("message", role="assistant", text="done"),
]
MESSAGES = [
    {"role": "user", "content": "go"},
    {"role": "assistant", "content": None, "tool_calls": [chat_call("a", '{"x": 1}'), chat_call("b")]},
    {"role": "tool", "tool_call_id": "id-a", "content": "ok"},
    {"role": "assistant", "content": None, "function_call": {"name": "c", "arguments": '{"y": 2}'}},
    {"role": "assistant", "content": [{"type": "tool_use", "name": "d", "input": {}}]},
    {"role": "assistant", "content": [{"type": "text", "text": "done"}]},
]
GROUPED = [{"name": "a"}, {"parallel": [{"name": "b"}, {"name": "c", "args": '{"y": 2}'}]}, {"name": "d"}]
SHAPES = {
    "calls": {"id": "r", "actual": {"calls": [{"name": name} for name in "abcd"], "answer": "done"}},
    "groups of calls": {"id": "r", "actual": {"calls": GROUPED, "answer": "done"}},
    "steps": {"id": "r", "actual": {"steps": STEPS}},
    "messages": {"id": "r", "messages": MESSAGES},
    "scores with NaN": {"id": "r", "scores": {"q": float("nan")}, "actual": {"calls": [{"name": n} for n in "abcd"]}},
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_the_calls_of_every_shape_are_found_and_edited(shape: dict[str, Any]) -> None:
    record = text_of(shape)
    assert hold(record) == 4
    for number, place in enumerate(actual_places(record)):
        changed, _ = apply(record, SetValue(place.name, b'"z"'))
        assert names(decode_run(changed)) == [*"abcd"[:number], "z", *"abcd"[number + 1 :]]
        assert names(decode_run(apply(record, duplicate_call(place))[0])).count("abcd"[number]) == 2
        assert names(decode_run(apply(record, remove_call(place))[0])) == [*"abcd"[:number], *"abcd"[number + 1 :]]


def made(record: bytes, edits: tuple[Edit, ...]) -> list[str]:
    for edit in edits:
        record, _ = apply(record, edit)
    return names(decode_run(record))


@pytest.mark.parametrize("shape", [name for name in SHAPES if name != "messages"])
def test_a_call_changes_places_with_its_neighbour_in_every_shape(shape: str) -> None:
    record = text_of(SHAPES[shape])
    places = actual_places(record)
    for number in range(3):
        there = [*"abcd"]
        there[number : number + 2] = reversed(there[number : number + 2])
        assert made(record, move_call(record, places, number, 1)) == there
        assert made(record, move_call(record, places, number + 1, -1)) == there
    assert made(record, move_call(record, places, 0, 3)) == [*"bcda"]


def test_calls_of_two_messages_change_places_and_ones_of_two_shapes_do_not() -> None:
    one, other = ({"role": "assistant", "content": None, "tool_calls": [chat_call(name)]} for name in "ab")
    record = text_of({"id": "r", "messages": [one, other]})
    assert made(record, move_call(record, actual_places(record), 0, 1)) == ["b", "a"]
    mixed = text_of(SHAPES["messages"])
    with pytest.raises(BadEdit, match="another shape"):
        move_call(mixed, actual_places(mixed), 1, 1)
    with pytest.raises(BadEdit, match="it is call 1 of 4"):
        move_call(mixed, actual_places(mixed), 0, -1)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_a_call_is_added_in_the_shape_of_its_neighbour(shape: dict[str, Any]) -> None:
    record = text_of(shape)
    places = actual_places(record)
    for number, place in enumerate(places):
        run = decode_run(apply(record, add_call(record, place, actual_base(record), "new", b'{"n": 1}'))[0])
        assert "new" in names(run)[number + 1 :]
        (added,) = [call for call in run.calls or () if call.name == "new"]
        assert canonical_args(added.args)[0] == b'{"n":1}'
    last = apply(record, add_call(record, None, actual_base(record), "new"))[0]
    assert names(decode_run(last))[-1] == "new"


@pytest.mark.parametrize("record", [b'{"id": "r"}', b'{"id": "r", "actual": null, "expected": {"calls": null}}'])
def test_the_first_call_makes_what_is_missing(record: bytes) -> None:
    actual = apply(record, add_call(record, None, actual_base(record), "a"))[0]
    both = apply(actual, add_call(actual, None, expected_base(actual), "b", b'{"x": 1}'))[0]
    run = decode_run(both)
    assert names(run) == ["a"]
    assert run.expected is not None
    assert [call.name for call in run.expected.calls or ()] == ["b"]


def test_of_several_references_each_has_its_places() -> None:
    record = text_of({"id": "r", "expected": {"any": [{"calls": [{"name": "a"}]}, {"calls": GROUPED}]}, "actual": {}})
    assert hold(record) == 5
    assert [spell_path(place.call) for place in expected_places(record, 1)][1] == (
        "expected.any[1].calls[1].parallel[0]"
    )
    assert expected_base(record, 1) == ("expected", "any", 1, "calls")


@pytest.mark.parametrize(
    ("record", "place"),
    [
        ({"id": "r", "actual": {"answer": "x"}}, "actual.answer"),
        ({"id": "r", "actual": {"calls": []}}, "actual.answer"),
        ({"id": "r", "actual": {"answer": None}, "answer": "x"}, "answer"),
        ({"id": "r", "answer": "x"}, "answer"),
        ({"id": "r", "actual": {"steps": STEPS}}, "actual.steps[6].text"),
        ({"id": "r", "messages": MESSAGES}, "messages[5].content[0].text"),
        ({"id": "r", "messages": MESSAGES[:2]}, "actual.answer"),
        ({"id": "r", "messages": [*MESSAGES, MESSAGES[1]]}, "actual.answer"),
    ],
)
def test_the_answer_is_changed_where_it_is_read(record: dict[str, Any], place: str) -> None:
    text = text_of(record)
    path = answer_place(text)
    assert spell_path(path) == place
    assert decode_run(apply(text, creating(text, path, b'"other"'))[0]).answer == "other"


def test_the_truth_and_every_check_in_it_have_a_place() -> None:
    record = text_of({"id": "r", "expected": {"answer": {"all": [{"number": {"value": 140}}, {"words": "paid"}]}}})
    spelt = [spell_path(path) for path in truth_places(record)]
    assert spelt[0] == "expected.answer"
    assert {"expected.answer.all[0].number.value", "expected.answer.all[1].words"} <= set(spelt)
    assert truth_places(b'{"id": "r"}') == []


def test_a_place_knows_what_stands_in_its_list() -> None:
    place = actual_places(text_of(SHAPES["messages"]))[2]
    assert isinstance(place, CallPlace)
    assert (spell_path(place.call), spell_path(place.item)) == ("messages[3].function_call", "messages[3]")

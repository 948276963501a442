"""One record becomes one run, whatever of bundle.md it uses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_tui.readers import Malformed, decode_run
from agent_tui.runs import RunError
from tests.readers.reading import calls, names


def record(**fields: Any) -> bytes:
    return json.dumps({"id": "t1"} | fields).encode()


def test_what_is_absent_has_its_default() -> None:
    run = decode_run(record())
    assert (run.task, run.epoch, run.status, run.calls, run.expected, run.scores) == ("t1", 1, "done", None, None, {})


def test_an_id_may_be_a_number_and_stand_in_for_the_task() -> None:
    assert decode_run(b'{"id": 3}').task == "3"
    assert decode_run(b'{"task": "seat"}').id == "seat"


@pytest.mark.parametrize("actual", [None, {}, {"calls": None}])
def test_no_trajectory_is_not_an_empty_one(actual: Any) -> None:
    assert decode_run(record(actual=actual)).calls is None
    assert decode_run(record(actual={"calls": []})).calls == []


def test_arguments_and_results_stay_as_they_were_written() -> None:
    run = decode_run(b'{"id":"a","actual":{"calls":[{"name":"pay","args":{ "sum":1.40e2 },"result":"\\u00e9"}]}}')
    assert bytes((run.calls or [])[0].args) == b'{ "sum":1.40e2 }'
    assert bytes((run.calls or [])[0].result) == b'"\\u00e9"'  # type: ignore[arg-type]


@pytest.mark.parametrize("error", ["timeout", {"type": None, "message": "timeout"}])
def test_an_error_may_be_text_or_an_object_and_makes_the_run_an_error(error: Any) -> None:
    run = decode_run(record(error=error))
    assert (run.error, run.status) == (RunError(message="timeout"), "error")


def test_a_status_that_is_stated_stands() -> None:
    assert decode_run(record(status="parked")).status == "parked"
    assert decode_run(record(status="done", error="noise on stderr")).status == "done"


def test_scores_are_numbers_or_words() -> None:
    run = decode_run(record(scores={"a": True, "b": 0, "c": None, "d": "N/A", "e": [1], "f": False}))
    assert run.scores == {"a": 1.0, "b": 0.0, "c": None, "d": "N/A", "e": "[1]", "f": 0.0}


def test_scores_that_are_not_finite_are_words() -> None:
    run = decode_run(b'{"id":"a","scores":{"x":NaN,"y":-Infinity,"z":1e999,"w":0.5}}')
    assert run.scores == {"x": "NaN", "y": "-inf", "z": "inf", "w": 0.5}


def test_usage_that_is_not_finite_is_left_out_and_said() -> None:
    run = decode_run(b'{"id":"a","usage":{"cost_usd":NaN,"input_tokens":3}}')
    assert run.usage is not None
    assert (run.usage.cost_usd, run.usage.input_tokens) == (None, 3)
    assert run.notes == ("usage.cost_usd is NaN: not usable",)


def test_a_record_with_nan_keeps_its_numbers_as_written() -> None:
    text = b'{"id":"a","scores":{"x":NaN},"actual":{"calls":[{"name":"p","args":{"n":0.30000000000000004441}}]}}'
    assert bytes((decode_run(text).calls or [])[0].args) == b'{"n":0.30000000000000004441}'


def test_nan_elsewhere_is_malformed_with_its_place() -> None:
    with pytest.raises(Malformed) as caught:
        decode_run(b'{"id":"a","actual":{"calls":[{"name":"p","args":{"n":NaN}}]}}')
    assert caught.value.path == "$.actual.calls[0].args.n"


def test_lone_surrogates_do_not_lose_the_run() -> None:
    run = decode_run(b'{"id":"a","actual":{"calls":[],"answer":"half \\ud83d, whole \\ud83d\\ude00"}}')
    assert (run.answer == "half \ud83d, whole \U0001f600") is True
    assert run.notes == ("lone surrogates are kept and compared as written",)


def test_the_last_of_two_equal_keys_wins() -> None:
    assert decode_run(b'{"id":"a","id":"b"}').id == "b"


def test_groups_of_actual_calls_are_neighbours() -> None:
    run = decode_run(record(actual={"calls": [{"name": "a"}, {"parallel": [{"name": "b"}, {"name": "c"}]}]}))
    groups = [call.group for call in run.calls or ()]
    assert names(run) == ["a", "b", "c"]
    assert groups[0] is None
    assert groups[1] == groups[2] is not None


def test_a_group_that_none_can_have_is_refused_inside_a_group_too() -> None:
    with pytest.raises(Malformed, match="group"):
        decode_run(record(actual={"calls": [{"parallel": [{"name": "a", "group": 2.5}]}]}))


def test_steps_give_the_top_level_calls_only() -> None:
    steps = [
        {"type": "message", "role": "user", "text": "Go."},
        {"parallel": [{"type": "call", "name": "a", "id": 1}, {"type": "call", "name": "b", "id": 2}]},
        {"type": "result", "call_id": 2, "result": {"error": "no"}},
        {"type": "agent", "agent": "helper", "steps": [{"type": "call", "name": "inner"}]},
        {"type": "call", "name": "c", "args": {"n": 1}, "result": 5},
        {"type": "message", "text": "Gone."},
    ]
    run = decode_run(record(actual={"steps": steps}))
    assert calls(run) == [("a", {}), ("b", {}), ("c", {"n": 1})]
    assert [call.failed() for call in run.calls or ()] == [None, True, None]
    assert (run.answer, run.input) == ("Gone.", "Go.")


def test_an_input_of_messages_is_the_first_words_of_the_user() -> None:
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Two cars."}]
    assert decode_run(record(input=messages)).input == "Two cars."
    assert decode_run(record(input="Three cars.")).input == "Three cars."


def test_a_last_word_before_a_call_is_no_answer() -> None:
    steps = [{"type": "message", "text": "Let me look."}, {"type": "call", "name": "look"}]
    assert decode_run(record(actual={"steps": steps})).answer is None


def test_the_stated_answer_wins_over_the_messages() -> None:
    messages = [{"role": "assistant", "content": "from the messages"}]
    assert decode_run(record(messages=messages)).answer == "from the messages"
    assert decode_run(record(messages=messages, answer="of the run")).answer == "of the run"
    assert decode_run(record(messages=messages, answer="x", actual={"answer": "of actual"})).answer == "of actual"
    assert decode_run(record(messages=messages, actual={"answer": None})).answer is None


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"id": None}, "$.id"),
        ({"epoch": "two"}, "$.epoch"),
        ({"expected": {"calls": [{"name": "a"}, {}]}}, "$.expected.calls[1]"),
        ({"expected": {"calls": [{"parallel": [{"name": ""}]}]}}, "$.expected.calls[0].parallel[0]"),
        ({"expected": {"any": [{"calls": [{}]}]}}, "$.expected.any[0].calls[0]"),
        ({"expected": {"calls": [{"name": "a", "times": {"mx": 1}}]}}, "$.expected.calls[0].times"),
        ({"actual": {"calls": [{"args": {}}]}}, "$.actual.calls[0]"),
        ({"actual": {"steps": [{"type": 1}]}}, "$.actual.steps[0].type"),
        ({"messages": {"role": "user"}}, "$.messages"),
        ({"scores": [1]}, "$.scores"),
    ],
)
def test_a_malformed_record_names_its_place(fields: dict[str, Any], path: str) -> None:
    with pytest.raises(Malformed) as caught:
        decode_run(record(**fields))
    assert caught.value.path == path


@pytest.mark.parametrize("text", [b"", b"[]", b'{"id":', b'{"id":"a"}{}', b'{"id":"\xff"}', b"[" * 100_000])
def test_what_is_no_object_is_malformed(text: bytes) -> None:
    with pytest.raises(Malformed):
        decode_run(text)

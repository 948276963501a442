"""The trajectory for the screen: every line is there, results stand with their calls, what does not pair is said."""

from __future__ import annotations

import json
from typing import Any

from msgspec import UNSET

from agent_tui.readers import decode_steps
from agent_tui.runs import Step
from tests.readers.fixtures import CHAT, chat_call


def steps_of(**fields: Any) -> list[Step]:
    return decode_steps(json.dumps({"id": "t1"} | fields).encode())


def flat(steps: list[Step]) -> list[Step]:
    return [inner for step in steps for inner in (step.steps if step.type == "parallel" else [step]) or ()]


def notes(steps: list[Step]) -> list[tuple[str | None, str | None]]:
    return [(step.name or str(step.call_id), step.note) for step in flat(steps) if step.type in {"call", "result"}]


def test_results_go_to_their_calls_by_id_in_any_order() -> None:
    steps = steps_of(messages=CHAT)
    assert [step.type for step in steps] == ["message", "message", "message", "parallel", "message"]
    assert [bytes(call.result) for call in steps[3].steps or ()] == [b'"184.00"', b'"cancelled"']  # type: ignore[arg-type]


def test_calls_in_short_form_are_steps_without_findings() -> None:
    steps = steps_of(actual={"calls": [{"name": "a"}, {"name": "b", "result": 1}]})
    assert notes(steps) == [("a", None), ("b", None)]


def test_a_reused_id_pairs_with_the_latest_call() -> None:
    messages = [
        {"role": "assistant", "tool_calls": [chat_call("c", "first", "{}")]},
        {"role": "tool", "tool_call_id": "c", "content": "one"},
        {"role": "assistant", "tool_calls": [chat_call("c", "second", "{}")]},
        {"role": "tool", "tool_call_id": "c", "content": "two"},
    ]
    steps = steps_of(messages=messages)
    assert [bytes(step.result) for step in steps] == [b'"one"', b'"two"']  # type: ignore[arg-type]
    assert notes(steps) == [("first", "id used twice"), ("second", "id used twice")]


def test_results_without_ids_pair_in_order() -> None:
    messages = [
        {"role": "assistant", "function_call": {"name": "look", "arguments": "{}"}},
        {"role": "function", "name": "look", "content": "seen"},
        {"role": "assistant", "tool_calls": [chat_call(None, "a", "{}"), chat_call(None, "b", "{}")]},
        {"role": "tool", "content": "for a"},
        {"role": "tool", "content": "for b"},
    ]
    results = [bytes(step.result) for step in flat(steps_of(messages=messages))]  # type: ignore[arg-type]
    assert results == [b'"seen"', b'"for a"', b'"for b"']


def test_steps_without_ids_pair_in_order_and_old_calls_are_left_alone() -> None:
    def call(name: str) -> dict[str, Any]:
        return {"type": "call", "name": name}

    def result(value: int) -> dict[str, Any]:
        return {"type": "result", "result": value}

    steps = [call("lost"), {"type": "message", "text": "Again."}, call("a"), call("b"), result(1), result(2)]
    paired = [(step.name, step.result and bytes(step.result)) for step in steps_of(actual={"steps": steps})]
    assert paired == [("lost", UNSET), (None, UNSET), ("a", b"1"), ("b", b"2")]


def test_a_run_that_ends_in_a_call_says_that_there_is_no_result() -> None:
    assert notes(steps_of(messages=CHAT[:3])) == [("quote", "no result"), ("cancel", "no result")]


def test_an_error_that_is_stated_as_none_is_known() -> None:
    messages = [
        {"role": "assistant", "tool_calls": [chat_call("c", "a", "{}")]},
        {"role": "tool", "tool_call_id": "c", "content": "fine", "error": None},
    ]
    assert bytes(steps_of(messages=messages)[0].error) == b"null"  # type: ignore[arg-type]


def test_blocks_that_are_no_text_are_chips() -> None:
    blocks = [
        {"type": "text", "text": "Look:"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 8_000_000}},
        {"type": "image_url", "image_url": {"url": "https://ferry.example/deck.png"}},
        {"type": "input_audio", "input_audio": {"data": "A" * 4000, "format": "wav"}},
        {"type": "file", "file": {"file_id": "file-1"}},
        {"type": "hologram"},
    ]
    (step,) = steps_of(messages=[{"role": "user", "content": blocks}])
    assert (step.text or "").split("\n") == [
        "Look:",
        "[image/png 6.0 MB]",
        "[image_url https://ferry.example/deck.png]",
        "[wav 3.0 kB]",
        "[file file-1]",
        "[hologram]",
    ]


def test_reasoning_stands_before_the_words() -> None:
    messages = [
        {"role": "assistant", "reasoning_content": "Hm.", "content": "Yes."},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hmm."}, {"type": "text", "text": "No."}]},
        {"role": "assistant", "content": [{"type": "reasoning", "reasoning": "secret", "redacted": True}]},
    ]
    told = [(step.type, step.text) for step in steps_of(messages=messages)]
    assert told[:4] == [("reasoning", "Hm."), ("message", "Yes."), ("reasoning", "Hmm."), ("message", "No.")]
    assert told[4] == ("reasoning", "[redacted]")


def test_a_refusal_is_words_with_a_note() -> None:
    (step,) = steps_of(messages=[{"role": "assistant", "content": None, "refusal": "I will not."}])
    assert (step.text, step.note) == ("I will not.", "refusal")


def test_an_item_that_is_no_message_is_kept() -> None:
    steps = steps_of(messages=["stray", {"role": "user", "content": "Hi"}])
    assert [(step.type, step.text) for step in steps] == [("event", '"stray"'), ("message", "Hi")]


def test_recorded_steps_pair_inside_their_own_agent() -> None:
    inner = [{"type": "call", "name": "a", "id": "1"}, {"type": "result", "call_id": "1", "result": "in"}]
    steps = steps_of(actual={"steps": [{"type": "agent", "steps": inner}, {"type": "result", "call_id": "1"}]})
    assert [step.type for step in steps] == ["agent", "result"]
    assert bytes((steps[0].steps or [])[0].result) == b'"in"'  # type: ignore[arg-type]
    assert steps[1].note == "result without a call"

"""A message that is read in one go gives the steps that reading it member by member gives."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from agent_tui.readers import loose
from agent_tui.readers.formats.chat_rows import MESSAGE, is_plain_message, kind_of
from agent_tui.readers.formats.chat_usage import total_usage
from agent_tui.readers.plain_messages import plain_steps
from agent_tui.readers.steps import steps_of_message, steps_of_messages

WORDS = st.sampled_from(["", "hello", "two\nlines é", "\ud800"])
CALLS = st.fixed_dictionaries(
    {
        "id": st.sampled_from(["c1", "c2", ""]),
        "function": st.fixed_dictionaries(
            {"name": st.sampled_from(["look", ""]), "arguments": st.sampled_from(['{"a": 1}', "", {"a": 1}, None])}
        ),
    },
    optional={"type": st.sampled_from(["function", "custom"])},
)
MESSAGES = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", "function", "system", ""])},
    optional={
        "content": st.one_of(WORDS, st.none(), st.just([{"type": "text", "text": "x"}])),
        "tool_calls": st.one_of(st.lists(CALLS, max_size=3), st.none()),
        "tool_call_id": st.sampled_from(["c1", "", 7]),
        "line": st.sampled_from([1, 2, 2.0]),
        "name": st.just("look"),
        "reasoning": st.just("hm"),
        "refusal": st.just("no"),
    },
)


@given(st.lists(MESSAGES, max_size=4))
def test_the_steps_are_those_of_the_careful_way(messages: list[dict[str, Any]]) -> None:
    for index, message in enumerate(messages):
        raw = Raw(json.dumps(message).encode())
        quick = plain_steps(raw, index)
        line = loose.integer(loose.fields(raw).get("line"))
        if quick is not None:
            careful = list(steps_of_message(loose.fields(raw), index))
            assert [step.line for step in quick] == [line] * len(quick)
            assert [stripped(step) for step in quick] == [stripped(step) for step in careful]


@given(MESSAGES)
def test_what_is_taken_for_a_message_in_one_go_is_one_and_has_nothing_else_to_it(message: dict[str, Any]) -> None:
    text = json.dumps(message).encode()
    if is_plain_message(text):
        fields = loose.fields(text)
        assert kind_of(fields) == MESSAGE
        assert total_usage([fields]) is None
        assert fields.get("line") is None


@pytest.mark.parametrize(
    "text",
    [
        b'{"role": "user", "content": "x"',
        b'{"role": "user", "content": "x", "usage": {"input_tokens": 1}}',
        b'{"role": "user", "content": "x", "\\u0075sage": {"input_tokens": 1}}',
        b'{"role": "narrator", "content": "x"}',
        b'{"role": "user", "content": [{"type": "tool_result"}]}',
        b'{"role": "user", "content": "x", "line": 4}',
        b'["user"]',
    ],
)
def test_what_has_more_to_it_is_no_plain_message(text: bytes) -> None:
    assert not is_plain_message(text)


def stripped(step: Any) -> dict[str, Any]:
    """A step by its fields, without the line that whoever calls puts there."""
    values = {name: getattr(step, name) for name in step.__struct_fields__ if name != "line"}
    if values["steps"] is not None:
        values["steps"] = [stripped(inner) for inner in values["steps"]]
    return {name: bytes(value) if isinstance(value, Raw) else value for name, value in values.items()}


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": "hi", "reasoning": "hm"},
        {"role": "assistant", "content": None},
        {"role": "function", "name": "look", "content": "x"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": 7, "function": {"name": "f", "arguments": "{}"}}]},
    ],
)
def test_what_has_more_to_it_is_read_the_careful_way(message: dict[str, Any]) -> None:
    assert plain_steps(Raw(json.dumps(message).encode()), 0) is None


def test_usual_messages_are_read_in_one_go_and_paired() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"a": 1}'}}
    messages = [
        {"role": "user", "content": "where?"},
        {"role": "assistant", "content": "let me look", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "there", "line": 3},
    ]
    assert all(plain_steps(Raw(json.dumps(each).encode()), 0) is not None for each in messages)
    steps = steps_of_messages(json.dumps(messages).encode())
    assert [(step.type, step.text, step.name) for step in steps] == [
        ("message", "where?", None),
        ("message", "let me look", None),
        ("call", None, "look"),
    ]
    assert bytes(steps[2].result) == b'"there"'  # type: ignore[arg-type]

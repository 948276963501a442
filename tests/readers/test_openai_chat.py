"""Oddities of chat data: responses, batches, preferences, legacy functions, doubly encoded arguments, stray records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.runs import Usage
from tests.readers.fixtures import CHAT, chat_call
from tests.readers.reading import calls, names, reading, write_json, write_lines

REPLY = {"role": "assistant", "content": "184.00"}


def response(*messages: dict[str, Any], finish: str = "stop") -> dict[str, Any]:
    choices = [{"index": i, "message": message, "finish_reason": finish} for i, message in enumerate(messages)]
    usage = {"prompt_tokens": 9, "completion_tokens": 4}
    return {"id": "r-1", "object": "chat.completion", "model": "model-a", "choices": choices, "usage": usage}


@pytest.mark.parametrize("key", ["messages", "conversation", "trajectory", "traj", "prompt", "input"])
def test_messages_may_lie_under_several_keys(key: str, tmp_path: Path) -> None:
    value = {"messages": CHAT} if key == "input" else CHAT
    assert names(reading(write_json(tmp_path / "row.json", {key: value})).runs[0]) == ["quote", "cancel"]


def test_a_list_of_messages_is_one_run_named_after_its_file(tmp_path: Path) -> None:
    (run,) = reading(write_json(tmp_path / "friday.json", CHAT)).runs
    assert (run.id, run.answer, run.input) == ("friday", "184.00, and F-1 is cancelled.", CHAT[1]["content"])


def test_messages_on_lines_are_one_run_whose_steps_know_their_line(tmp_path: Path) -> None:
    found = reading(write_lines(tmp_path / "friday.jsonl", *CHAT))
    assert [step.line for step in found.steps("friday")] == [1, 2, 3, 3, 6]


def test_rows_without_an_id_are_counted(tmp_path: Path) -> None:
    found = reading(write_lines(tmp_path / "rows.jsonl", {"messages": CHAT}, {"messages": CHAT, "id": 0}))
    assert [run.id for run in found.runs] == ["rows-1", "0"]


def test_what_a_row_says_besides_is_kept(tmp_path: Path) -> None:
    row = {"id": "a", "messages": CHAT, "tools": [{"n": 1.50}], "reward": 1, "model": "m", "trial": 2}
    (record,) = reading(write_json(tmp_path / "row.json", row)).records
    kept = json.loads(record.text)
    assert (kept["metadata"]["tools"], kept["scores"], kept["epoch"]) == ([{"n": 1.5}], {"reward": 1}, 3)


def test_every_choice_of_a_response_is_an_epoch(tmp_path: Path) -> None:
    runs = reading(write_json(tmp_path / "r.json", response(REPLY, REPLY, finish="length"))).runs
    assert [(run.id, run.epoch, run.limit, run.model) for run in runs] == [
        ("r-1", 1, "tokens", "model-a"),
        ("r-1", 2, "tokens", "model-a"),
    ]
    assert runs[0].usage == Usage(input_tokens=9, output_tokens=4)


def test_batch_lines_are_replies_failures_and_open_requests(tmp_path: Path) -> None:
    lines = [
        {"id": "b1", "custom_id": "good", "response": {"status_code": 200, "body": response(REPLY)}, "error": None},
        {"id": "b2", "custom_id": "busy", "response": {"status_code": 429, "body": {"error": {"message": "slow"}}}},
        {"id": "b3", "custom_id": "lost", "response": None, "error": {"code": "expired", "message": "too late"}},
        {"custom_id": "asked", "method": "POST", "url": "/v1", "body": {"model": "m", "messages": CHAT[:2]}},
    ]
    runs = reading(write_lines(tmp_path / "batch.jsonl", *lines)).runs
    assert [(run.id, run.status) for run in runs] == [
        ("good", "done"),
        ("busy", "error"),
        ("lost", "error"),
        ("asked", "queued"),
    ]
    assert [run.error.message for run in runs if run.error] == ["slow", "too late"]


def test_streamed_chunks_are_put_together(tmp_path: Path) -> None:
    def chunk(**delta: Any) -> dict[str, Any]:
        return {"id": "r-1", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta}]}

    first = {"index": 0, "id": "c1", "function": {"name": "quote", "arguments": '{"ca'}}
    lines = [
        chunk(role="assistant", content="One "),
        chunk(content="moment."),
        chunk(tool_calls=[first]),
        chunk(tool_calls=[{"index": 0, "function": {"arguments": 'rs": 2}'}}]),
        {"id": "r-1", "object": "chat.completion.chunk", "choices": [], "usage": {"prompt_tokens": 5}},
    ]
    found = reading(write_lines(tmp_path / "stream.jsonl", *lines))
    assert (found.runs[0].id, calls(found.runs[0])) == ("r-1", [("quote", {"cars": 2})])
    assert found.steps("r-1")[0].text == "One moment."
    assert found.runs[0].usage == Usage(input_tokens=5)


def test_the_preferred_output_is_what_was_expected(tmp_path: Path) -> None:
    row = {
        "input": {"messages": CHAT[:2]},
        "preferred_output": [{"role": "assistant", "tool_calls": [chat_call("1", "quote", "{}")]}],
        "non_preferred_output": [{"role": "assistant", "tool_calls": [chat_call("1", "cancel", "{}")]}],
    }
    (run,) = reading(write_lines(tmp_path / "rows.jsonl", row)).runs
    assert run.expected is not None
    assert ([call.name for call in run.expected.calls or ()], names(run)) == (["quote"], ["cancel"])


def test_reference_outputs_are_what_was_expected(tmp_path: Path) -> None:
    row = {"outputs": {"messages": CHAT}, "reference_outputs": CHAT[:3]}
    (run,) = reading(write_lines(tmp_path / "rows.jsonl", row)).runs
    assert run.expected is not None
    assert [call.name for call in run.expected.calls or ()] == names(run) == ["quote", "cancel"]


def test_custom_tools_and_doubly_encoded_arguments_keep_their_text(tmp_path: Path) -> None:
    custom = {"id": "1", "type": "custom", "custom": {"name": "patch", "input": "*** begin"}}
    twice = chat_call("2", "land", json.dumps('{"here": true}'))
    (run,) = reading(write_json(tmp_path / "c.json", [{"role": "assistant", "tool_calls": [custom, twice]}])).runs
    assert [(call.name, json.loads(bytes(call.args))) for call in run.calls or ()] == [
        ("patch", "*** begin"),
        ("land", '"{\\"here\\": true}"'),
    ]


def test_unknown_records_and_bad_lines_are_counted_apart(tmp_path: Path) -> None:
    found = reading(write_lines(tmp_path / "m.jsonl", {"type": "meta"}, *CHAT, "{oops", "[1]"))
    assert [(problem.line, problem.kind) for problem in found.problems] == [
        (1, "unknown_record"),
        (8, "malformed"),
        (9, "not_a_record"),
    ]
    assert len(found.records) == 1


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "parts": []},
        {"role": "user", "type": "message", "content": "Responses item"},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x"}]},
        {"role": "model", "content": "x"},
    ],
)
def test_messages_of_other_formats_are_left_to_them(message: dict[str, Any], tmp_path: Path) -> None:
    assert reading(write_json(tmp_path / "m.json", [message])).kinds == ["unreadable"]

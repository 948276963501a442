"""Oddities of Inspect logs: killed and chunked ones, attachments, sub-agents, drift, several scorers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.readers import decode_run
from agent_tui.runs import RunError
from tests.readers.fixtures import INSPECT_EVAL, inspect_members, inspect_sample
from tests.readers.reading import names, reading, write_json, write_zip


def one(folder: Path, **changes: Any) -> Any:
    """The run of a JSON log of one sample."""
    log = {"version": 2, "status": "success", "eval": INSPECT_EVAL, "samples": [inspect_sample("fare", 1, **changes)]}
    return reading(write_json(folder / "log.json", log)).runs[0]


def test_a_sample_is_a_run_with_scores_usage_and_answer(tmp_path: Path) -> None:
    run = one(tmp_path)
    assert (run.model, run.answer, run.status, run.agent) == ("model-a", "It is 184.", "done", "ferry_desk")
    assert run.scores == {"includes": 1.0, "grade.tone": 0.5, "grade.length": 3.0}
    assert (run.usage.input_tokens, run.usage.output_tokens) == (10, 4)


def test_the_head_of_a_log_says_what_was_planned(tmp_path: Path) -> None:
    (header,) = reading(write_zip(tmp_path / "log.eval", inspect_members())).headers
    bundle = json.loads(bytes(header.fields["bundle"]))
    assert (bundle["name"], bundle["model"], bundle["planned"]) == ("ferry_desk", "model-a", 4)
    assert "C 1, P 0.5" in bundle["notes"][0]


@pytest.mark.parametrize("method", [0, 8])
def test_logs_before_zstd_are_read(method: int, tmp_path: Path) -> None:
    assert len(reading(write_zip(tmp_path / "log.eval", inspect_members(), method=method)).runs) == 2


def test_a_killed_log_gives_its_samples_and_says_so(tmp_path: Path) -> None:
    members = inspect_members()
    del members["header.json"]
    found = reading(write_zip(tmp_path / "log.eval", members))
    assert (len(found.runs), found.kinds) == (2, ["warning"])


def test_a_broken_member_is_a_problem_and_the_rest_is_read(tmp_path: Path) -> None:
    members = inspect_members() | {"samples/bad_epoch_1.json": '{"id": "bad", "epo'}
    found = reading(write_zip(tmp_path / "log.eval", members))
    assert (len(found.runs), [problem.path for problem in found.problems]) == (2, ["samples/bad_epoch_1.json"])


@pytest.mark.parametrize("samples", [{"samples": None}, {"samples": []}, {}])
def test_a_log_without_samples_is_said(samples: dict[str, Any], tmp_path: Path) -> None:
    log = {"version": 2, "status": "cancelled", "eval": INSPECT_EVAL} | samples
    (problem,) = reading(write_json(tmp_path / "log.json", log)).problems
    assert "status cancelled" in problem.reason


def test_a_chunked_sample_is_put_together(tmp_path: Path) -> None:
    whole = inspect_sample("fare", 1)
    messages = whole.pop("messages")
    messages[2]["content"] = "attachment://0"
    folder = "samples/fare_epoch_1"
    members = {
        "header.json": inspect_members()["header.json"],
        f"{folder}/sample.json": whole,
        f"{folder}/messages/2.json": messages[2:],
        f"{folder}/messages/0.json": messages[:2],
        f"{folder}/events/stats.json": {},
        f"{folder}/attachments/0.json": ["184.00 for both"],
    }
    found = reading(write_zip(tmp_path / "log.eval", members))
    assert names(found.runs[0]) == ["quote"]
    assert b'"184.00 for both"' in found.records[0].text


def test_attachments_stand_where_they_are_named(tmp_path: Path) -> None:
    key = "0" * 32
    messages = [{"role": "user", "content": [{"type": "image", "image": f"attachment://{key}"}]}]
    changes = {"messages": messages, "input": messages, "attachments": {key: "data:image/png;base64," + "A" * 400}}
    assert one(tmp_path, **changes).input == "[image/png 300 B]"
    assert one(tmp_path, messages=messages, input=messages, attachments={}).input == f"[image attachment://{key}]"


def test_a_sub_agent_is_nested_after_its_call(tmp_path: Path) -> None:
    events = [
        {"event": "span_begin", "id": "s1", "type": "agent", "name": "pricing"},
        {"event": "tool", "span_id": "s0", "id": "q1", "function": "quote", "agent_span_id": "s1"},
        {
            "event": "tool",
            "span_id": "s1",
            "id": "x1",
            "function": "look_up",
            "arguments": {"cars": 2},
            "result": "184",
        },
    ]
    log = {"version": 2, "eval": INSPECT_EVAL, "samples": [inspect_sample("fare", 1, events=events)]}
    found = reading(write_json(tmp_path / "log.json", log))
    agent = next(step for step in found.steps("fare") if step.type == "agent")
    assert (agent.agent, [step.name for step in agent.steps or ()]) == ("pricing", ["look_up"])
    assert names(found.runs[0]) == ["quote"]


def test_a_crash_is_an_error_without_an_answer(tmp_path: Path) -> None:
    run = one(tmp_path, error={"message": "ValueError('no ferry')", "traceback": ""}, output={"choices": []}, scores={})
    assert (run.status, run.answer, run.scores) == ("error", None, {})
    assert run.error == RunError(type="ValueError", message="ValueError('no ferry')")


def test_a_limit_is_no_error(tmp_path: Path) -> None:
    run = one(tmp_path, limit={"type": "message", "limit": 9})
    assert (run.status, run.limit) == ("done", "message")


def test_a_score_that_is_not_finite_is_a_word(tmp_path: Path) -> None:
    run = one(
        tmp_path, scores={"mean": {"value": float("nan")}, "word": {"value": "fine"}, "many": {"value": ["C", 0]}}
    )
    assert run.scores == {"mean": "NaN", "word": "fine", "many[0]": 1.0, "many[1]": 0.0}


@pytest.mark.parametrize(
    ("target", "truth"),
    [
        ("184", b'"184"'),
        (["184"], b'"184"'),
        (["184", "190"], b'{"any":[{"words":"184"},{"words":"190"}]}'),
        ("", None),
    ],
)
def test_a_target_is_a_truth_where_a_scorer_compares_text(target: Any, truth: bytes | None, tmp_path: Path) -> None:
    expected = one(tmp_path, target=target).expected
    assert (None if expected is None else bytes(expected.answer)) == truth


def test_a_target_for_a_judge_is_no_truth(tmp_path: Path) -> None:
    graded = INSPECT_EVAL | {"scorers": [{"name": "model_graded_fact"}]}
    log = {"version": 2, "eval": graded, "samples": [inspect_sample("fare", 1)]}
    assert reading(write_json(tmp_path / "log.json", log)).runs[0].expected is None


def test_a_trajectory_kept_in_the_metadata_is_expected(tmp_path: Path) -> None:
    run = one(tmp_path, metadata={"expected": {"calls": [{"name": "quote", "args": {"cars": 2}}]}})
    assert [call.name for call in run.expected.calls] == ["quote"]


def test_logs_of_2024_are_read(tmp_path: Path) -> None:
    key = "a" * 32
    transcript = {"events": [], "content": {key: "the whole answer"}}
    messages = [{"role": "assistant", "content": f"attachment://{key}"}]
    changes = {"transcript": transcript, "messages": messages, "scores": None, "score": {"value": "I"}}
    log = {"version": 2, "eval": INSPECT_EVAL, "samples": [inspect_sample("fare", 1, **changes)]}
    record = reading(write_json(tmp_path / "log.json", log)).records[0]
    assert b'"the whole answer"' in record.text
    assert decode_run(record.text).scores == {"score": 0.0}


def test_server_side_calls_are_calls(tmp_path: Path) -> None:
    block = {"type": "tool_use", "name": "web_search", "id": "w", "arguments": '{"q": "fare"}', "result": "184"}
    assert names(one(tmp_path, messages=[{"role": "assistant", "content": [block]}])) == ["web_search"]

"""Small recordings in the shape of each format, in our own words: a ferry desk that books and refunds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.readers.reading import write_json, write_lines, write_zip


def chat_call(call_id: str | None, name: str, arguments: str) -> dict[str, Any]:
    call: dict[str, Any] = {"type": "function", "function": {"name": name, "arguments": arguments}}
    return call if call_id is None else {"id": call_id} | call


CHAT = [
    {"role": "developer", "content": "You work at a ferry desk."},
    {"role": "user", "content": "Two cars on Friday, and cancel F-1."},
    {
        "role": "assistant",
        "content": "Both at once.",
        "tool_calls": [
            chat_call("c1", "quote", '{"cars": 2}'),
            chat_call("c2", "cancel", '{"booking": "F-1"}'),
        ],
    },
    {"role": "tool", "tool_call_id": "c2", "content": "cancelled"},
    {"role": "tool", "tool_call_id": "c1", "content": "184.00"},
    {"role": "assistant", "content": "184.00, and F-1 is cancelled."},
]


def native_bundle(folder: Path) -> Path:
    runs = [
        {
            "id": "late",
            "expected": {"calls": [{"name": "quote", "args": {"cars": 2}}], "answer": "184"},
            "actual": {"calls": [{"name": "quote", "args": {"cars": 2}, "result": "184.00"}], "answer": "184.00"},
            "scores": {"success": True},
        },
        {"id": 7, "task": "lost", "epoch": 2, "status": "error", "error": "timeout", "actual": {"calls": []}},
    ]
    return write_json(folder / "ferry.json", {"schema": "agent-tui/1", "bundle": {"id": "ferry"}, "runs": runs})


def chat_rows(folder: Path) -> Path:
    return write_lines(folder / "desk.jsonl", {"id": "two-cars", "messages": CHAT}, {"id": "again", "messages": CHAT})


def inspect_sample(name: str | int, epoch: int, **changes: Any) -> dict[str, Any]:
    sample = {
        "id": name,
        "epoch": epoch,
        "input": "What is the fare for two cars?",
        "target": "184",
        "messages": [
            {"role": "user", "content": "What is the fare for two cars?"},
            {
                "role": "assistant",
                "content": [{"type": "reasoning", "reasoning": "Look it up."}, {"type": "text", "text": "One moment."}],
                "tool_calls": [{"id": "q1", "function": "quote", "arguments": {"cars": 2}, "type": "function"}],
            },
            {"role": "tool", "tool_call_id": "q1", "function": "quote", "content": "184.00"},
            {"role": "assistant", "content": "It is 184."},
        ],
        "output": {"choices": [{"message": {"role": "assistant", "content": "It is 184."}}]},
        "scores": {"includes": {"value": "C"}, "grade": {"value": {"tone": "P", "length": 3}}},
        "model_usage": {"model-a": {"input_tokens": 10, "output_tokens": 4}},
        "metadata": {},
    }
    return sample | changes


INSPECT_EVAL = {
    "run_id": "r-1",
    "task": "ferry_desk",
    "model": "model-a",
    "created": "2026-02-03T09:00:00Z",
    "dataset": {"samples": 2},
    "config": {"epochs": 2},
    "scorers": [{"name": "includes"}],
}


def inspect_members() -> dict[str, Any]:
    head = {"version": 2, "status": "success", "eval": INSPECT_EVAL}
    samples = {f"samples/fare_epoch_{epoch}.json": inspect_sample("fare", epoch) for epoch in (1, 2)}
    return {"_journal/start.json": head, **samples, "header.json": head}


def inspect_log(folder: Path) -> Path:
    return write_zip(folder / "log.eval", inspect_members())


def tau2_task(name: str, actions: list[dict[str, Any]]) -> dict[str, Any]:
    return {"id": name, "ticket": "Cancel F-1.", "evaluation_criteria": {"actions": actions, "reward_basis": ["DB"]}}


def tau2_action(name: str, requestor: str = "assistant", **fields: Any) -> dict[str, Any]:
    return {"name": name, "requestor": requestor, "arguments": {"booking": "F-1"}, "compare_args": None} | fields


def tau2_simulation(task: str, trial: int, **changes: Any) -> dict[str, Any]:
    def used(call_id: str, name: str, requestor: str) -> dict[str, Any]:
        call = {"id": call_id, "name": name, "arguments": {"booking": "F-1"}, "requestor": requestor}
        return {"role": requestor, "content": None, "tool_calls": [call]}

    messages = [
        {"role": "assistant", "content": "Hello, how can I help?"},
        {"role": "user", "content": "Cancel F-1, please."},
        used("a1", "cancel", "assistant"),
        {"role": "tool", "id": "a1", "requestor": "assistant", "content": "cancelled", "error": False},
        used("u1", "check_mail", "user"),
        {"role": "tool", "id": "u1", "requestor": "user", "content": "one mail", "error": False},
        {"role": "assistant", "content": "F-1 is cancelled."},
        {"role": "user", "content": "Thanks. ###STOP###"},
    ]
    simulation = {
        "id": f"{task}-{trial}",
        "task_id": task,
        "trial": trial,
        "termination_reason": "user_stop",
        "reward_info": {"reward": 1.0, "db_check": {"db_match": True}},
        "agent_cost": 0.01,
        "duration": 2.5,
        "messages": messages,
    }
    return simulation | changes


def tau2_document(tasks: list[dict[str, Any]], simulations: list[dict[str, Any]]) -> dict[str, Any]:
    info = {"environment_info": {"domain_name": "ferry"}, "agent_info": {"llm": "model-a"}, "num_trials": 2}
    return {"timestamp": "2026-02-03", "info": info, "tasks": tasks, "simulations": simulations}


def tau2_results(folder: Path) -> Path:
    simulations = [tau2_simulation("cancel-f1", trial) for trial in (0, 1)]
    document = tau2_document([tau2_task("cancel-f1", [tau2_action("cancel")])], simulations)
    return write_json(folder / "results.json", document)

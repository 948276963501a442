"""Oddities of tau2: whose call it was, which arguments count, storage in a folder, how runs end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.readers.fixtures import tau2_action, tau2_document, tau2_simulation, tau2_task
from tests.readers.reading import errors, names, reading, write_json


def one(folder: Path, actions: list[dict[str, Any]] | None = None, **changes: Any) -> Any:
    tasks = [tau2_task("t", [tau2_action("cancel")] if actions is None else actions)]
    path = write_json(folder / "results.json", tau2_document(tasks, [tau2_simulation("t", 0, **changes)]))
    return reading(path).runs[0]


def test_a_simulation_is_a_run_of_the_assistant(tmp_path: Path) -> None:
    run = one(tmp_path)
    assert (names(run), errors(run), run.answer, run.input) == (["cancel"], 0, "F-1 is cancelled.", "Cancel F-1.")
    assert run.scores == {"reward": 1.0, "db_match": 1.0}
    assert (run.model, run.usage.cost_usd, run.usage.seconds) == ("model-a", 0.01, 2.5)


def test_what_the_user_called_is_nested(tmp_path: Path) -> None:
    path = write_json(tmp_path / "r.json", tau2_document([], [tau2_simulation("t", 0)]))
    (agent,) = [step for step in reading(path).steps("t") if step.type == "agent"]
    assert (agent.agent, [(step.name, bytes(step.result)) for step in agent.steps or ()]) == (  # type: ignore[arg-type]
        "user",
        [("check_mail", b'"one mail"')],
    )


def test_only_the_actions_of_the_assistant_are_expected(tmp_path: Path) -> None:
    run = one(tmp_path, [tau2_action("check_mail", "user"), tau2_action("cancel")])
    assert [call.name for call in run.expected.calls] == ["cancel"]


def test_actions_of_the_user_alone_say_nothing_about_the_agent(tmp_path: Path) -> None:
    run = one(tmp_path, [tau2_action("check_mail", "user")])
    assert run.expected is None
    assert "every expected action is the user's" in run.notes[0]


def test_no_expected_action_means_that_nothing_is_to_be_called(tmp_path: Path) -> None:
    assert one(tmp_path, []).expected.calls == []


@pytest.mark.parametrize(
    ("compared", "rules"),
    [
        (None, None),
        ([], {"extra_args": "allow", "args": {"booking": "ignore", "why": "ignore"}}),
        (["booking"], {"extra_args": "allow", "args": {"why": "ignore"}}),
        (["booking", "why"], {"extra_args": "allow"}),
    ],
)
def test_compared_arguments_become_rules_of_the_call(compared: Any, rules: Any, tmp_path: Path) -> None:
    action = tau2_action("cancel", arguments={"booking": "F-1", "why": "ill"}, compare_args=compared)
    (call,) = one(tmp_path, [action]).expected.calls
    assert (json.loads(bytes(call.rules)) if call.rules else None) == rules


@pytest.mark.parametrize(
    ("reason", "status", "limit"),
    [
        ("user_stop", "done", None),
        ("max_steps", "done", "turns"),
        ("timeout", "done", "time"),
        ("too_many_errors", "error", None),
        ("agent_error", "error", None),
    ],
)
def test_how_a_run_ended(reason: str, status: str, limit: str | None, tmp_path: Path) -> None:
    run = one(tmp_path, termination_reason=reason, reward_info={"reward": 0.0})
    assert (run.status, run.limit) == (status, limit)


def test_a_folder_of_simulations_is_read_once_in_the_order_of_its_index(tmp_path: Path) -> None:
    document = tau2_document([tau2_task("t", [tau2_action("cancel")])], [])
    del document["simulations"]
    document["simulation_index"] = [{"id": "t-1"}, {"id": "t-0"}]
    write_json(tmp_path / "results.json", document)
    for trial in (0, 1):
        write_json(tmp_path / "simulations" / f"t-{trial}.json", tau2_simulation("t", trial))
    found = reading(tmp_path)
    assert ([run.epoch for run in found.runs], len(found.sources), found.problems) == ([2, 1], 3, [])
    assert all(run.expected is not None for run in found.runs)


def test_a_simulation_alone_takes_its_expectation_from_its_checks(tmp_path: Path) -> None:
    checks = [{"action": tau2_action("cancel"), "action_match": True}]
    simulation = tau2_simulation("t", 0, reward_info={"reward": 1.0, "action_checks": checks})
    (run,) = reading(write_json(tmp_path / "one.json", simulation)).runs
    assert run.expected is not None
    assert ([call.name for call in run.expected.calls or ()], run.scores["action_match"]) == (["cancel"], 1.0)


def test_a_run_without_messages_has_no_trajectory(tmp_path: Path) -> None:
    assert one(tmp_path, messages=None).calls is None


def test_results_in_a_bundle_are_paired(tmp_path: Path) -> None:
    call = {"id": "a1", "name": "cancel", "arguments": {}, "requestor": "assistant"}
    results = [{"role": "tool", "id": "a1", "content": "no such booking", "error": True}]
    messages = [{"role": "assistant", "tool_calls": [call]}, {"role": "tool", "tool_messages": results}]
    assert errors(one(tmp_path, messages=messages)) == 1

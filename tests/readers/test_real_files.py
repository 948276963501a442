"""Files that the real tools wrote: runs, calls, errors, answers, expectations, scores, as their makers know them.

They are other projects' words and not part of this one: the folder is named by AGENT_TUI_FORMATS.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from agent_tui.readers import SourceRead, decode_steps, read
from tests.readers.reading import Reading, calls, errors, names, reading

ROOT = Path(__file__).parents[2]
FORMATS = Path(os.environ.get("AGENT_TUI_FORMATS", ROOT.parent / "shared" / "formats"))

pytestmark = pytest.mark.skipif(
    not FORMATS.is_dir(), reason=f"no recorded files at {FORMATS}: set AGENT_TUI_FORMATS to their folder"
)

RUNS: dict[str, tuple[str, int, list[str]]] = {
    "inspect/epochs-zstd.eval": ("inspect", 12, []),
    "inspect/epochs.json": ("inspect", 4, []),
    "inspect/epochs-chunked.eval": ("inspect", 12, []),
    "inspect/interrupted.eval": ("inspect", 6, ["warning"]),
    "inspect/failed-run.json": ("inspect", 2, []),
    "inspect/sub-agent-zstd.eval": ("inspect", 1, []),
    "inspect/repo-2024-images.json": ("inspect", 1, []),
    "inspect/repo-2024-judge-deflate.eval": ("inspect", 1, []),
    "inspect/repo-2024-steps-epochs-deflate.eval": ("inspect", 4, []),
    "inspect/repo-2025-cancelled.json": ("inspect", 3, []),
    "inspect/repo-2025-no-samples.json": ("inspect", 0, ["warning"]),
    "inspect/repo-tool-error.json": ("inspect", 1, []),
    "inspect/repo-tools-deflate-v3.eval": ("inspect", 1, []),
    "tau2-bench/airline-1sim-parallel-toolerror.json": ("tau2", 1, []),
    "tau2-bench/mock-2trials.json": ("tau2", 6, []),
    "tau2-bench/mock-2trials-dir": ("tau2", 6, []),
    "tau2-bench/mock-6sims.json": ("tau2", 6, []),
    "tau2-bench/retail-1sim-pass.json": ("tau2", 1, []),
    "tau2-bench/telecom-1sim-user-tools.json": ("tau2", 1, []),
    "openai-chat/travel.chat_messages.jsonl": ("openai-chat", 3, []),
    "openai-chat/drone_training.first3.jsonl": ("openai-chat", 3, []),
    "openai-chat/toolbench_function_call.legacy.json": ("openai-chat", 1, []),
}
"""File: its format, its runs, the kinds of its problems."""

BK1, BK2 = {"booking_id": "BK-1001"}, {"booking_id": "BK-1002"}
TRAVEL = {
    "run-1-parallel": (
        [
            ("lookup_booking", BK1),
            ("lookup_booking", BK2),
            ("release_seat", BK1 | {"seat": "12A"}),
            ("book_seat", BK1 | {"seat": "14C"}),
        ],
        "BK-1001 now has seat 14C; BK-1002 keeps 12B.",
    ),
    "run-2-tool-error": (
        [("lookup_booking", BK1), ("refund", BK1 | {"amount": 500}), ("refund", BK1 | {"amount": 320})],
        "I refunded 320.00 for BK-1001, the full fare.",
    ),
    "run-3-sub-agent": (
        [
            ("lookup_booking", BK2),
            ("ask_seat_agent", {"task": "Move BK-1002 from 12B to 15D"}),
            ("refund", BK2 | {"amount": 20}),
        ],
        "BK-1002 moved to 15D and 20.00 refunded.",
    ),
}
"""The scenario that many tools recorded: run, its calls, its answer."""


def opened(name: str) -> Reading:
    return reading(FORMATS / name)


@pytest.mark.parametrize("name", sorted(RUNS))
def test_the_file_has_its_runs(name: str) -> None:
    form, runs, kinds = RUNS[name]
    found = opened(name)
    assert (len(found.runs), found.kinds) == (runs, kinds)
    assert {source.format for source in found.sources} == {form}
    assert all(decode_steps(record.text) is not None for record in found.records)


@pytest.mark.parametrize("name", sorted(TRAVEL))
def test_the_common_scenario_reads_as_everywhere(name: str) -> None:
    run = opened("openai-chat/travel.chat_messages.jsonl").run(name)
    assert (calls(run), run.answer) == TRAVEL[name]
    assert errors(run) == 0, "chat messages do not mark errors: not known is not failed"


def test_parallel_calls_of_the_scenario_share_a_group() -> None:
    made = opened("openai-chat/travel.chat_messages.jsonl").run("run-1-parallel").calls or []
    assert [call.group is not None for call in made] == [True, True, False, False]


def test_fine_tuning_rows_end_with_a_call_and_have_no_answer() -> None:
    runs = opened("openai-chat/drone_training.first3.jsonl").runs
    assert [(names(run), run.answer) for run in runs] == [
        (["takeoff_drone"], None),
        (["takeoff_drone"], None),
        (["land_drone"], None),
    ]
    assert json.loads(json.loads(bytes((runs[2].calls or [])[0].args))) == '{"location": "current"}'


def test_legacy_function_calls_pair_with_their_results() -> None:
    found = opened("openai-chat/toolbench_function_call.legacy.json")
    steps = [step for step in found.steps("toolbench_function_call.legacy") if step.type == "call"]
    assert [(step.name, step.note) for step in steps] == [
        ("transitaires_for_transitaires", None),
        ("transitaire_for_transitaires", None),
        ("Finish", "no result"),
    ]


@pytest.mark.parametrize("name", ["inspect/epochs-zstd.eval", "inspect/epochs-chunked.eval"])
def test_inspect_epochs(name: str) -> None:
    found = opened(name)
    assert {(run.task, run.epoch) for run in found.runs} == {
        (task, epoch) for task in ("parallel", "tool/error", "3", "loop", "crash", "plain") for epoch in (1, 2)
    }
    assert [found.run("parallel", epoch).scores["includes"] for epoch in (1, 2)] == [1.0, 0.0]
    weather = [("get_weather", {"city": "Paris"}), ("get_weather", {"city": "Oslo", "unit": "fahrenheit"})]
    assert calls(found.run("parallel")) == weather
    assert found.run("parallel").answer == "Paris 18 C, Oslo 18 F."
    loop, crash = found.run("loop"), found.run("crash")
    assert (loop.limit, loop.status, len(loop.calls or ())) == ("message", "done", 4)
    assert (crash.status, crash.answer, crash.scores, crash.calls) == ("error", None, {}, [])
    assert errors(found.run("tool/error")) == 3
    scored = [run.scores["includes"] for run in found.runs if "includes" in run.scores]
    assert sum(s for s in scored if isinstance(s, float)) / len(scored) == pytest.approx(0.7)


def test_inspect_sub_agents_are_nested_and_not_counted() -> None:
    found = opened("inspect/sub-agent-zstd.eval")
    agent = next(step for step in found.steps("1") if step.type == "agent")
    assert (names(found.runs[0]), agent.agent) == (["researcher"], "researcher")
    assert [step.name for step in agent.steps or ()] == ["get_weather", "submit"]


def test_inspect_images_are_chips() -> None:
    found = opened("inspect/repo-2024-images.json")
    chips = [step.text for step in found.steps("1") if step.text and "[image" in step.text]
    assert len(chips) == 1
    assert len(chips[0]) < 200


def test_inspect_targets_are_truths_only_for_text_scorers() -> None:
    assert opened("inspect/repo-2024-judge-deflate.eval").runs[0].expected is None
    expected = opened("inspect/repo-2024-images.json").runs[0].expected
    assert expected is not None
    assert json.loads(bytes(expected.answer)) == {"any": [{"words": "bike"}, {"words": "bicycle"}]}  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["tau2-bench/mock-2trials.json", "tau2-bench/mock-2trials-dir"])
def test_tau2_trials(name: str) -> None:
    found = opened(name)
    rewards = [run.scores["reward"] for run in found.runs]
    assert ({run.task for run in found.runs}, {run.epoch for run in found.runs}) == (
        {"create_task_1", "update_task_1", "impossible_task_1"},
        {1, 2},
    )
    assert sum(reward for reward in rewards if isinstance(reward, float)) == 5
    second = found.run("create_task_1", 2)
    assert (names(second), errors(second)) == (["create_task", "create_task", "get_users"], 1)
    assert [call.group is not None for call in second.calls or ()] == [False, True, True]
    assert second.scores["action_match"] == 1.0


def test_tau2_arguments_that_are_not_compared_have_rules() -> None:
    expected = opened("tau2-bench/mock-2trials.json").run("impossible_task_1").expected
    assert expected is not None
    assert [json.loads(bytes(call.rules)) for call in expected.calls or ()] == [  # type: ignore[arg-type]
        {"extra_args": "allow", "args": {"summary": "ignore"}}
    ]


def test_tau2_calls_of_the_user_are_not_the_agents() -> None:
    found = opened("tau2-bench/telecom-1sim-user-tools.json")
    (run,) = found.runs
    users = [step for step in found.steps(run.id) if step.type == "agent"]
    assert (len(run.calls or ()), sum(len(agent.steps or ()) for agent in users)) == (4, 5)
    assert run.expected is None
    assert len(run.notes) == 1


def test_tau2_a_failed_call_and_a_parallel_message() -> None:
    (run,) = opened("tau2-bench/airline-1sim-parallel-toolerror.json").runs
    assert (len(run.calls or ()), errors(run)) == (7, 1)
    assert sum(call.group is not None for call in run.calls or ()) == 5
    assert [call.name for call in (run.expected.calls if run.expected else None) or ()] == [
        "get_user_details",
        "get_reservation_details",
        "search_direct_flight",
        "book_reservation",
    ]


def test_tau2_a_run_at_its_limit_is_marked() -> None:
    run = opened("tau2-bench/mock-6sims.json").run("update_task_with_user_tools")
    assert (run.limit, run.status, run.scores) == ("turns", "done", {"reward": 0.0})


def test_the_whole_folder_opens_without_an_exception() -> None:
    assert sum(isinstance(item, SourceRead) for item in read([str(FORMATS)])) > 30

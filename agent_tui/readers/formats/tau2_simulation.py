"""One tau2 simulation as a record: the assistant's trajectory, the expected actions as calls, reward and checks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Raw, Struct, structs

from agent_tui.readers import loose
from agent_tui.readers.formats.chat_usage import usage_of
from agent_tui.readers.loose import Fields
from agent_tui.readers.pairing import pair
from agent_tui.readers.records import raw_of
from agent_tui.readers.steps import steps_of_message
from agent_tui.runs import Step

_ENDED_WELL = frozenset({"user_stop", "agent_stop"})
_LIMITS = {"max_steps": "turns", "timeout": "time", "context_window_exceeded": "tokens"}
_ONLY_USER = "every expected action is the user's: the agent's trajectory cannot be judged by them"


class Results(Struct, frozen=True):
    """What a result file says about all of its simulations."""

    fields: Fields
    info: Fields
    tasks: dict[str, Fields]

    @classmethod
    def of(cls, fields: Fields) -> Results:
        tasks = {loose.name(task.get("id")) or "": task for task in loose.objects(fields.get("tasks"))}
        return cls(fields, loose.fields(fields.get("info")), tasks)

    @property
    def model(self) -> str | None:
        return loose.text(loose.fields(self.info.get("agent_info")).get("llm"))

    @property
    def agent(self) -> str | None:
        return loose.text(loose.fields(self.info.get("agent_info")).get("implementation"))

    def bundle(self) -> dict[str, Any]:
        """The `bundle` object."""
        trials = loose.integer(self.info.get("num_trials"))
        bundle = {
            "id": loose.text(self.fields.get("timestamp")),
            "name": loose.text(loose.fields(self.info.get("environment_info")).get("domain_name")),
            "agent": self.agent,
            "model": self.model,
            "started": loose.text(self.fields.get("timestamp")),
            "planned": len(self.tasks) * trials if trials and self.tasks else None,
            "primary_score": "reward",
        }
        return {key: value for key, value in bundle.items() if value is not None}


def simulation_record(simulation: Fields, results: Results) -> dict[str, Any]:
    """A simulation as the fields of a record."""
    name = loose.name(simulation.get("task_id")) or ""
    task = results.tasks.get(name, {})
    reward = loose.fields(simulation.get("reward_info"))
    steps = list(_steps(simulation))
    reason = loose.text(simulation.get("termination_reason"))
    failed = reason is not None and reason not in _ENDED_WELL and reason not in _LIMITS
    expected, notes = _expected(task, reward)
    return {
        "id": name,
        "task": name,
        "epoch": (loose.integer(simulation.get("trial")) or 0) + 1,
        "status": "error" if failed else "done",
        "model": results.model,
        "agent": results.agent,
        "input": _ask(task, steps),
        "expected": expected,
        "actual": _actual(simulation, steps),
        "scores": _scores(reward),
        "usage": _usage(simulation),
        "error": {"type": reason, "message": f"ended by {reason}"} if failed else None,
        "limit": _LIMITS.get(reason or ""),
        "notes": notes or None,
        "metadata": {"tau2": _kept(simulation, task, reward)},
    }


def _actual(simulation: Fields, steps: list[Step]) -> dict[str, Any] | None:
    if not steps and not loose.items(simulation.get("messages")):
        return None
    words = [step.text for step in steps if step.type == "message" and step.role == "assistant" and step.text]
    return {"steps": [raw_of(step) for step in steps], "answer": words[-1] if words else None}


def _steps(simulation: Fields) -> Iterator[Step]:
    """The steps of the conversation; what the simulated user did with its own tools is nested as an agent."""
    unpaired: list[Step] = []
    for index, message in enumerate(_messages(simulation)):
        for step in steps_of_message(message, index):
            unpaired.append(step)
    users = {id_of(call) for message in _messages(simulation) for call in _user_calls(message)}
    for step in pair(unpaired, say_missing=True):
        calls = step.steps if step.type == "parallel" and step.steps else [step]
        if step.type in {"call", "parallel"} and all(str(call.id) in users for call in calls):
            yield Step(type="agent", agent="user", steps=[structs.replace(call, group=None) for call in calls])
        else:
            yield step


def id_of(call: Fields) -> str:
    """The id of a call as text."""
    return loose.name(call.get("id")) or ""


def _user_calls(message: Fields) -> list[Fields]:
    calls = loose.objects(message.get("tool_calls"))
    by_user = loose.text(message.get("role")) == "user"
    return [call for call in calls if (loose.text(call.get("requestor")) or ("user" if by_user else "")) == "user"]


def _messages(simulation: Fields) -> Iterator[Fields]:
    """The messages, those inside a bundle of tool results too; of a voice run, those of its ticks."""
    for message in loose.objects(simulation.get("messages")) or _tick_messages(simulation):
        inner = loose.objects(message.get("tool_messages"))
        if inner:
            yield from inner
        else:
            yield message


def _tick_messages(simulation: Fields) -> list[Fields]:
    found: list[Fields] = []
    for tick in loose.objects(simulation.get("ticks")):
        for key in ("agent_chunk", "agent_tool_results", "user_chunk", "user_tool_results"):
            part = tick.get(key)
            found += loose.objects(part) or ([loose.fields(part)] if loose.fields(part) else [])
    return [
        message for message in found if loose.truthy(message.get("content")) or loose.items(message.get("tool_calls"))
    ]


def _expected(task: Fields, reward: Fields) -> tuple[dict[str, Any] | None, list[str]]:
    """The agent's expected actions as calls; none where all are the user's, which is said."""
    criteria = loose.fields(task.get("evaluation_criteria"))
    actions = loose.objects(criteria.get("actions"))
    if not task:
        checks = loose.objects(reward.get("action_checks"))
        actions = [loose.fields(check.get("action")) for check in checks]
    known = bool(actions) or loose.kind(criteria.get("actions", Raw(b"null"))) == "["
    if not known:
        return None, []
    ours = [action for action in actions if (loose.text(action.get("requestor")) or "assistant") == "assistant"]
    if actions and not ours:
        return None, [_ONLY_USER]
    return {"calls": [_expected_call(action) for action in ours]}, []


def _expected_call(action: Fields) -> dict[str, Any]:
    """An action with the arguments that count as its rules: `compare_args` [] means the name only."""
    call: dict[str, Any] = {"name": loose.text(action.get("name")) or "", "args": action.get("arguments", Raw(b"{}"))}
    compared = action.get("compare_args")
    if compared is None or loose.kind(compared) != "[":
        return call
    named = {loose.text(name) for name in loose.items(compared)}
    ignored = [name for name in loose.fields(action.get("arguments")) if name not in named]
    rules: dict[str, Any] = {"extra_args": "allow"}
    if ignored:
        rules["args"] = dict.fromkeys(ignored, "ignore")
    return call | {"rules": rules}


def _ask(task: Fields, steps: list[Step]) -> str | None:
    scenario = loose.fields(task.get("user_scenario"))
    instructions = scenario.get("instructions")
    told = loose.text(instructions) or loose.text(loose.fields(instructions).get("reason_for_call"))
    said = next((step.text for step in steps if step.type == "message" and step.role == "user"), None)
    return loose.text(task.get("ticket")) or told or said


def _scores(reward: Fields) -> dict[str, Any] | None:
    scores: dict[str, Any] = {}
    if "reward" in reward:
        scores["reward"] = reward["reward"]
    database = loose.fields(reward.get("db_check"))
    if "db_match" in database:
        scores["db_match"] = database["db_match"]
    for name, value in loose.fields(reward.get("reward_breakdown")).items():
        scores[f"reward.{name}"] = value
    checks = [check for check in loose.objects(reward.get("action_checks")) if "action_match" in check]
    if checks:
        scores["action_match"] = sum(loose.truthy(check["action_match"]) for check in checks) / len(checks)
    return scores or None


def _usage(simulation: Fields) -> dict[str, int | float] | None:
    """The agent's tokens and cost, and the wall seconds."""
    total: dict[str, int | float] = {}
    for message in _messages(simulation):
        if loose.text(message.get("role")) == "assistant":
            for key, value in usage_of(loose.fields(message.get("usage"))).items():
                total[key] = total.get(key, 0) + value
    for key, name in (("cost_usd", "agent_cost"), ("seconds", "duration")):
        amount = loose.number(simulation.get(name))
        if amount is not None:
            total[key] = amount
    return total or None


def _kept(simulation: Fields, task: Fields, reward: Fields) -> dict[str, Any]:
    """What stays readable beside the run."""
    kept: dict[str, Any] = {
        key: simulation[key] for key in ("id", "seed", "termination_reason", "mode", "user_cost") if key in simulation
    }
    criteria = loose.fields(task.get("evaluation_criteria"))
    kept |= {key: criteria[key] for key in ("reward_basis", "nl_assertions", "communicate_info") if key in criteria}
    kept |= {key: reward[key] for key in ("action_checks", "nl_assertions", "info") if loose.truthy(reward.get(key))}
    return kept

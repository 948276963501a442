"""Which rung a service holds: a fixed item of our own is asked, from the best rung down, until the reply has its form.

The item's instructions do not say what form that is. So a service that takes a schema and ignores it gives itself away.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence

import jsonschema_rs
import msgspec

from agent_tui.providers.contract import LABELS, Failure, Outcome, Reply, Request
from agent_tui.providers.rungs import RUNGS, TOOLS, Manner


def _closed(**properties: object) -> dict[str, object]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_TEXT = {"type": "string"}
_EVIDENCE = _closed(
    criterion={"type": "string", "enum": ["correct"]},
    met={"type": "string", "enum": ["yes", "no", "unclear"]},
    quote=_TEXT,
    source={"type": "string", "enum": ["task", "answer"]},
)
_SCHEMA = _closed(
    item=_TEXT,
    evidence={"type": "array", "items": _EVIDENCE},
    instructions_seen={"type": "boolean"},
    reason=_TEXT,
    verdict={"type": "string", "enum": list(LABELS)},
)
_SYSTEM = "You judge whether an answer is correct: say pass, fail or undetermined, and why."
_USER = 'Judge this item.\n{"item": "probe", "task": "Name the capital of France.", "answer": "Paris"}'
_FORM = jsonschema_rs.validator_for(_SCHEMA)


_NO_FORM = Failure(kind="malformed", reason="the model gives no reply in the form asked for, not even asked in words")
_FENCED = re.compile(r"```(?:json)?\n(.*)\n```", re.DOTALL)
Ask = Callable[[Request, Manner], Awaitable[Outcome]]


async def find_manner(model: str, bounds: Sequence[str], ask: Ask) -> Manner | Failure:
    """How to ask a model; `bounds` are the fields that may bound a reply, the likelier first.

    A service that cannot be used at all, or not now, ends the search.
    """
    failure = _NO_FORM
    for rung in RUNGS:
        outcome, manner = await _ask_bounded([Manner(model, rung, bound) for bound in bounds], ask)
        if isinstance(outcome, Reply):
            if has_form(outcome):
                return await _by_its_name(manner, outcome.model, ask)
            bounds, failure = [manner.bound], _NO_FORM
        elif _is_step_down(outcome, rung):
            failure = outcome
        else:
            return outcome
    return failure


def _is_step_down(failure: Failure, rung: str) -> bool:
    """A gateway says 404 where nobody behind it takes tools for a model (mastra#2839, zed#36094)."""
    return failure.kind == "bad_request" or (rung == TOOLS and failure.kind == "not_found")


def has_form(reply: Reply) -> bool:
    """Whether a reply is one JSON object of the form asked for, in one code fence at most."""
    text = reply.text.strip()
    fenced = _FENCED.fullmatch(text)
    try:
        return reply.stop_reason == "end" and _FORM.is_valid(json.loads(fenced[1] if fenced else text))
    except (ValueError, RecursionError):
        return False


async def _ask_bounded(manners: Iterable[Manner], ask: Ask) -> tuple[Outcome, Manner]:
    """The first outcome that is no refusal of the request, and how it was asked; else the last refusal."""
    for manner in manners:
        outcome = await ask(_request(manner.model), manner)
        if isinstance(outcome, Reply) or outcome.kind != "bad_request":
            break
    return outcome, manner


async def _by_its_name(manner: Manner, name: str, ask: Ask) -> Manner:
    """An alias answers under the name of another model: that is the one to ask, where it can be asked by its name."""
    if name in ("", manner.model):
        return manner
    named = msgspec.structs.replace(manner, model=name)
    outcome = await ask(_request(name), named)
    is_itself = isinstance(outcome, Reply) and outcome.model == name and has_form(outcome)
    return named if is_itself else manner


def _request(model: str) -> Request:
    schema = msgspec.json.encode(_SCHEMA)
    return Request(key="0" * 64, item="probe", digest="", system=_SYSTEM, user=_USER, schema=schema, model=model)

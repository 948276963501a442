"""How a service is made to reply in a form: the rungs of a ladder from a schema that it enforces down to plain words.

Services differ in what they take, and some take a schema and ignore it. Which rung holds is found once by asking, and
remembered by base URL and model in `state/rungs.json`: another rung is another judge.
"""

from __future__ import annotations

import contextlib
import os

import msgspec
from msgspec import Struct

from agent_tui.places import PRIVATE_FILE, make_private, state_folder

JSON_SCHEMA, JSON_OBJECT, TOOLS, TEXT = RUNGS = ("json_schema", "json_object", "tools", "text")
"""The best first."""
MAX_TOKENS, MAX_COMPLETION_TOKENS = "max_tokens", "max_completion_tokens"


class Manner(Struct, frozen=True):
    """How to ask one model of one service."""

    model: str
    """The name it answers under."""
    rung: str = JSON_SCHEMA
    bound: str = MAX_TOKENS
    """The field that bounds a reply: reasoning models refuse the older one, older services the newer one."""


def remembered(endpoint: str, model: str) -> Manner | None:
    """How to ask a model, as it was found earlier; `endpoint` is a digest, never an address."""
    return _read().get(f"{endpoint} {model}")


def remember(endpoint: str, model: str, manner: Manner) -> None:
    """Keep how to ask a model."""
    _write(_read() | {f"{endpoint} {model}": manner})


def forget(endpoint: str, model: str) -> None:
    """Let it be found again: the service has changed."""
    known = _read()
    if known.pop(f"{endpoint} {model}", None) is not None:
        _write(known)


def _read() -> dict[str, Manner]:
    try:
        known = msgspec.json.decode((state_folder() / "rungs.json").read_bytes(), type=dict[str, Manner])
    except (OSError, msgspec.DecodeError):
        return {}
    return {name: manner for name, manner in known.items() if manner.rung in RUNGS}


def _write(known: dict[str, Manner]) -> None:
    """A place that cannot be written is no reason to fail: it is found again next time."""
    folder = state_folder()
    draft = folder / f".rungs.{os.getpid()}"
    try:
        make_private(folder)
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE), "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(known)))
        draft.replace(folder / "rungs.json")
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()

"""The steps of a run as lines for a judge: what was said, called and returned, in order, and nothing beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Raw, UnsetType

from agent_tui.runs import Step, parse

_SHOWN = frozenset({"message", "reasoning", "call", "result", "agent", "parallel"})
"""Anything else may hold what a scorer wrote, and stays out."""


def render(steps: Sequence[Step], answer: str | None = None) -> list[str]:
    """One text a step, numbered (`2.1` is the first step inside the second).

    The last message that is the answer is left out: the answer must not bear itself out.
    """
    return list(_lines([step for step in steps if step is not _final(steps, answer)], ""))


def _final(steps: Sequence[Step], answer: str | None) -> Step | None:
    said = (step for step in reversed(steps) if step.type == "message" and step.role not in {"user", "human"})
    last = next(said, None)
    return last if last is not None and answer is not None and last.text == answer else None


def _lines(steps: Sequence[Step], prefix: str) -> Iterator[str]:
    for number, step in enumerate((step for step in steps if step.type in _SHOWN), 1):
        path = f"{prefix}{number}"
        yield "\n".join(_parts(step, path))
        yield from _lines(step.steps or (), f"{path}.")


def _parts(step: Step, path: str) -> Iterator[str]:
    """The head of a step, then what it holds, each part under its name."""
    named = [step.role if step.type == "message" else None, step.agent if step.type == "agent" else step.name]
    head = " ".join([path, step.type, *(part for part in named if part)])
    yield f"{head} {_shown(step.args) or ''}".rstrip()
    if step.text and step.type != "result":
        yield step.text
    result = _shown(step.result) or (step.text if step.type == "result" else None)
    for name, text in (("result", result), ("error", _shown(step.error))):
        if text:
            yield f"{name}: {text}"
    if step.documents:
        yield f"documents: {', '.join(step.documents)}"


def _shown(raw: Raw | UnsetType) -> str | None:
    """A value as text: a string as it reads, null and false as nothing, anything else as its JSON."""
    if isinstance(raw, UnsetType):
        return None
    text = bytes(raw).decode("utf-8", "replace").strip()
    if text.startswith('"'):
        try:
            return str(parse(text))
        except ValueError:
            return text
    return None if text in {"null", "false"} else _ESCAPED.sub(_readable, text)


_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)")


def _readable(match: re.Match[str]) -> str:
    """A character that JSON text only spells, as itself: a judge reads and quotes it so, and the scanner sees it."""
    char = chr(int(match[1], 16)) if match[1] else ""
    return char if char > "\x1f" and char not in '"\\' else match[0]

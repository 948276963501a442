"""The whole trajectory as a tree: messages, reasoning folded, calls with results, groups and sub-agents nested."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import Raw, UnsetType
from rich.text import Text

from agent_tui.bundles.search import text_of
from agent_tui.reports.figures import count
from agent_tui.runs import Step, parse
from agent_tui.runs.json_values import JsonValue, args_value
from agent_tui.safety import count_controls
from agent_tui.tui.present.nodes import Node, size, text_nodes
from agent_tui.tui.present.words import joined, safe

_ONE_LINE = 110
_STYLES = {"message": "text", "reasoning": "label", "result": "label", "event": "label"}
_FOLDED = frozenset({"reasoning"})
_MANY = 400
"""Steps beyond which none is unfolded at first."""


@dataclass(frozen=True, slots=True)
class StepTree:
    """Makes the nodes of steps for a pane of `width` cells."""

    width: int
    depth: int = 0

    def nodes(self, steps: Sequence[Step]) -> list[Node]:
        """One node a step, nested ones below."""
        return self._nodes(steps, (), self.depth, len(steps) <= _MANY)

    def _nodes(self, steps: Sequence[Step], path: tuple[int, ...], depth: int, unfold: bool) -> list[Node]:
        return [self._node(step, (*path, number), depth, unfold) for number, step in enumerate(steps)]

    def _node(self, step: Step, path: tuple[int, ...], depth: int, unfold: bool) -> Node:
        key = ("step", path)
        if step.type in ("agent", "parallel"):
            return self._group(step, path, depth, unfold)
        text = _text(step)
        if step.type == "call":
            return Node(
                key, depth, lambda: _call_line(step), lambda: self._call_children(step, path, depth + 1), whole=text
            )
        one_line = text is None or ("\n" not in text and len(text) < self._room(depth))
        if one_line:
            return Node(key, depth, lambda: _said(step, text), whole=text)
        assert text is not None
        return Node(
            key,
            depth,
            lambda: _said(step, None, hint=size(len(text)) if len(text) > 4000 else None),
            lambda: text_nodes(text, (*key, "text"), depth + 1, self.width, _STYLES.get(step.type, "text")),
            open=unfold and step.type not in _FOLDED,
            whole=text,
        )

    def _room(self, depth: int) -> int:
        return min(_ONE_LINE, self.width - 2 * depth - 16)

    def _group(self, step: Step, path: tuple[int, ...], depth: int, unfold: bool) -> Node:
        inner = step.steps or []
        title = "parallel" if step.type == "parallel" else f"sub-agent {safe(step.agent or step.name or '', 60)}"
        line = joined(Text(title.rstrip(), "accent"), Text(count(len(inner), "step"), "label"))
        return Node(
            ("step", path),
            depth,
            lambda: line,
            lambda: self._nodes(inner, path, depth + 1, unfold),
            open=unfold,
            is_agent=step.type == "agent",
        )

    def _call_children(self, step: Step, path: tuple[int, ...], depth: int) -> list[Node]:
        nodes = [*self._args(step, path, depth)]
        for part, raw in (("result", step.result), ("error", step.error)):
            if not isinstance(raw, UnsetType) and bytes(raw) not in (b"null", b"false"):
                style = "error" if part == "error" else "label"
                nodes.append(self._result(part, raw, path, depth, style))
        nodes += self._nodes(step.steps or [], path, depth, True)
        return nodes

    def _args(self, step: Step, path: tuple[int, ...], depth: int) -> list[Node]:
        value = NOTHING if isinstance(step.args, UnsetType) else args_value(step.args)
        if not isinstance(value, dict):
            return text_nodes(text_of(value), ("step", path, "args"), depth, self.width)
        return [_arg_node(("step", path, "args", name), depth, name, inner) for name, inner in value.items()]

    def _result(self, part: str, raw: Raw, path: tuple[int, ...], depth: int, style: str) -> Node:
        text = text_of(parse(raw))
        key = ("step", path, part)
        lines = text.count("\n") + 1
        if lines == 1 and len(text) < self._room(depth):
            return Node(key, depth, lambda: joined(Text(part, "label"), _controls(text, style)), whole=text)
        hint = Text(f"{count(lines, 'line')}, {size(len(text))}", "label")
        return Node(
            key,
            depth,
            lambda: joined(Text(part, "label"), hint, Text(safe(text, 60), style)),
            lambda: text_nodes(text, key, depth + 1, self.width, style),
            whole=text,
        )


NOTHING: JsonValue = {}


def _text(step: Step) -> str | None:
    if step.type == "call":
        return None if isinstance(step.result, UnsetType) else text_of(parse(step.result))
    if step.text is not None:
        return step.text
    for raw in (step.result, step.error):
        if not isinstance(raw, UnsetType):
            return text_of(parse(raw))
    return None


def _said(step: Step, text: str | None, hint: str | None = None) -> Text:
    """Who said or did it, and the text where it fits the line."""
    label = _label(step)
    style = "error" if _failed(step) else _STYLES.get(step.type, "text")
    parts = [Text(f"{label:<10}", "error" if _failed(step) else "accent" if step.type == "message" else "label")]
    if text is not None:
        parts.append(_controls(text, style))
    if hint:
        parts.append(Text(hint, "label"))
    if step.note:
        parts.append(Text(safe(step.note), "notice"))
    return joined(*parts)


def _label(step: Step) -> str:
    if step.type == "message":
        return safe(step.role or "message", 20)
    if step.type == "result":
        return "result"
    return safe(step.name or step.type, 40) if step.type == "event" else safe(step.type, 20)


def _failed(step: Step) -> bool:
    return not isinstance(step.error, UnsetType) and bool(parse(step.error))


def _controls(text: str, style: str) -> Text:
    line = Text(safe(text, 300), style)
    found = count_controls(text)
    return line.append(f"  {count(found, 'control sequence')}", "notice") if found else line


def _call_line(step: Step) -> Text:
    """A call in one line: name, its arguments, how it ended."""
    args = "" if isinstance(step.args, UnsetType) else _brief(args_value(step.args))
    ended = _ended(step)
    seconds = None if step.seconds is None else Text(f"{step.seconds:.1f} s", "label")
    note = Text(safe(step.note), "notice") if step.note else None
    controls = 0 if isinstance(step.result, UnsetType) else count_controls(text_of(parse(step.result)))
    marked = Text(count(controls, "control sequence"), "notice") if controls else None
    return joined(Text(safe(step.name or "?", 60), "title"), Text(args, "text"), ended, seconds, note, marked)


def _ended(step: Step) -> Text | None:
    if _failed(step):
        return Text("failed", "error")
    if isinstance(step.result, UnsetType):
        return None
    value = parse(step.result)
    if isinstance(value, dict) and value.get("error") is not None:
        return Text("failed", "error")
    return Text("ok", "label")


def _brief(value: JsonValue) -> str:
    if isinstance(value, dict):
        return safe(" ".join(f"{name} {text_of_json(inner)}" for name, inner in value.items()), 90)
    return safe(text_of(value), 90)


def _arg_node(key: tuple[object, ...], depth: int, name: str, value: JsonValue) -> Node:
    text = text_of_json(value)
    return Node(key, depth, lambda: joined(Text(safe(name, 40), "label"), Text(safe(text, 300), "text")), whole=text)


def text_of_json(value: JsonValue) -> str:
    """A value as JSON, so that a number and its text look different."""
    return json.dumps(value, ensure_ascii=False, default=str)

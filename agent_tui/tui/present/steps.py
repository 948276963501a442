"""The whole trajectory as a tree: messages, reasoning folded, calls with results, groups and sub-agents nested."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Raw, Struct, UnsetType, field
from rich.text import Text

from agent_tui.bundles.search import text_of
from agent_tui.reports.figures import count
from agent_tui.runs import Step, parse
from agent_tui.runs.json_values import JsonValue, args_value
from agent_tui.safety import count_controls
from agent_tui.tui.present.changed import Was, remark, was_argument, was_call
from agent_tui.tui.present.nodes import Key, Node
from agent_tui.tui.present.texts import labelled_text, size, text_nodes
from agent_tui.tui.present.words import joined, safe, text_of_json

_STYLES = {"message": "text", "reasoning": "label", "result": "label", "event": "label"}
_FOLDED = frozenset({"reasoning"})
_PROMPTS = frozenset({"system", "developer"})
"""Whose words stand before the run and are the same in every one: folded where they are long."""
_MANY = 400
"""Steps beyond which none is unfolded at first."""
_SHORT = 40
"""Characters that fit one line of any pane."""
_NAME = 12
"""Cells for who said it."""


class StepTree(Struct, frozen=True):
    """Makes the nodes of steps for a pane of `width` cells."""

    width: int
    depth: int = 0
    changed: Mapping[Key, Was] = field(default_factory=dict)
    """Calls that are shown otherwise than they were recorded, by the keys of their steps."""

    def nodes(self, steps: Sequence[Step]) -> list[Node]:
        """One node a step, nested ones below."""
        return self._nodes(steps, (), self.depth, len(steps) <= _MANY)

    def _nodes(self, steps: Sequence[Step], path: tuple[int, ...], depth: int, unfold: bool) -> list[Node]:
        return [self._node(step, (*path, number), depth, unfold) for number, step in enumerate(steps)]

    def _node(self, step: Step, path: tuple[int, ...], depth: int, unfold: bool) -> Node:
        key = ("step", path)
        if step.type in ("agent", "parallel"):
            return self._group(step, path, depth, unfold)
        if step.type == "call":
            was = self.changed.get(key)
            return Node(key, depth, lambda: _call_line(step, was), lambda: self._call_children(step, path, depth + 1))
        if not unfold:
            return _late(step, key, depth, lambda: self._said(step, key, depth, open=False))
        return self._said(step, key, depth, open=step.type not in _FOLDED and step.role not in _PROMPTS)

    def _said(self, step: Step, key: Key, depth: int, *, open: bool) -> Node:
        """Who said or did it, and what."""
        text = _text(step) or ""
        style = "error" if _failed(step) else _STYLES.get(step.type, "text")
        name = "error" if _failed(step) else "accent" if step.type == "message" else "label"
        label = Text(f"{_label(step):<{_NAME}}", name)
        note = Text(safe(step.note), "notice") if step.note else None
        length = Text(size(len(text)), "label") if len(text) > 4000 else None
        tail = joined(length, controls(text), note)
        return labelled_text(key, depth, label, text, self.width, style, open=open, tail=tail or None)

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
        was = self.changed.get(("step", path))
        return [_arg_node(("step", path, "args", name), depth, name, inner, was) for name, inner in value.items()]

    def _result(self, part: str, raw: Raw, path: tuple[int, ...], depth: int, style: str) -> Node:
        text = text_of(parse(raw))
        tail = joined(Text(size(len(text)), "label") if len(text) > 4000 else None, controls(text))
        label = Text(f"{part}  ", "label")
        return labelled_text(("step", path, part), depth, label, text, self.width, style, tail=tail or None)


NOTHING: JsonValue = {}


def _text(step: Step) -> str | None:
    if step.text is not None:
        return step.text
    values = [parse(raw) for raw in (step.error, step.result) if not isinstance(raw, UnsetType)]
    return next((text_of(value) for value in values if value not in (None, False)), None)


def _late(step: Step, key: Key, depth: int, make: Callable[[], Node]) -> Node:
    """A node that is made when it is seen: there are many of them."""
    made: list[Node] = []

    def real() -> Node:
        if not made:
            made.append(make())
        return made[0]

    def draw() -> Text:
        real().open = node.open
        return real().draw()

    short = step.text is not None and len(step.text) < _SHORT and "\n" not in step.text
    node = Node(key, depth, draw, None if short else lambda: real().children, whole=lambda: real().text)
    return node


def _label(step: Step) -> str:
    if step.type == "message":
        return safe(step.role or "message", 20)
    if step.type == "result":
        named = "" if step.call_id is None else f" {safe(str(step.call_id), 20)}"
        return ("error" if _failed(step) else "result") + named
    return safe(step.name or step.type, 40) if step.type == "event" else safe(step.type, 20)


def _failed(step: Step) -> bool:
    return not isinstance(step.error, UnsetType) and bool(parse(step.error))


def controls(text: str) -> Text | None:
    """How many control sequences a text holds; None where it holds none."""
    found = count_controls(text)
    return Text(count(found, "control sequence"), "notice") if found else None


def _call_line(step: Step, was: Was | None = None) -> Text:
    """A call in one line: name, its arguments, how it ended."""
    args = "" if isinstance(step.args, UnsetType) else brief(args_value(step.args))
    ended = _ended(step)
    seconds = None if step.seconds is None else Text(f"{step.seconds:.1f} s", "label")
    note = Text(safe(step.note), "notice") if step.note else None
    marked = None if isinstance(step.result, UnsetType) else controls(text_of(parse(step.result)))
    said = was_call(was, step.name or "") or ("changed" if was is not None else "")
    name = joined(Text(safe(step.name or "?", 60), "title"), remark(said, "~"))
    return joined(name, Text(args, "text"), ended, seconds, note, marked)


def _ended(step: Step) -> Text | None:
    if _failed(step):
        return Text("failed", "error")
    if isinstance(step.result, UnsetType):
        return None
    value = parse(step.result)
    if isinstance(value, dict) and value.get("error") is not None:
        return Text("failed", "error")
    return ended_well(not isinstance(step.error, UnsetType))


def ended_well(is_known: bool) -> Text:
    """How a call ended that did not fail: `ok` where the record says so, else only that it returned."""
    return Text("ok" if is_known else "returned", "label")


def brief(value: JsonValue) -> str:
    """Arguments in one line."""
    if isinstance(value, dict):
        return safe(" ".join(f"{name} {text_of_json(inner)}" for name, inner in value.items()), 90)
    return safe(text_of(value), 90)


def _arg_node(key: Key, depth: int, name: str, value: JsonValue, was: Was | None) -> Node:
    text = text_of_json(value)
    said = was_argument(was, (name,), value)
    line = joined(Text(safe(name, 40), "label"), Text(safe(text, 300), "text"), remark(said, "~"))
    return Node(key, depth, lambda: line, whole=lambda: text)

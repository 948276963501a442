"""Sub-agents of an Inspect sample: what an agent that was called as a tool did, nested under that call."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from msgspec import UNSET, Raw

from agent_tui.readers import loose
from agent_tui.readers.formats.inspect_attachments import resolved
from agent_tui.readers.loose import Fields
from agent_tui.readers.records import raw_of
from agent_tui.readers.steps import steps_of_messages
from agent_tui.runs import Step


def with_agents(messages: Raw, sample: Fields) -> list[Any] | None:
    """The steps of a sample whose calls started agents, each agent nested after its call; None where none did."""
    text = sample.get("events", loose.fields(sample.get("transcript")).get("events"))
    if text is None or b'"agent_span_id"' not in bytes(text):
        return None
    events = [loose.fields(event) for event in loose.items(resolved(text, sample))]
    tree = _Spans(events)
    if not tree.agents:
        return None
    steps: list[Step] = []
    for step in steps_of_messages(messages):
        steps.append(step)
        for call in step.steps or (step,):
            agent = tree.agents.get(str(call.id)) if call.type == "call" else None
            if agent is not None:
                steps.append(tree.agent(agent))
    return [raw_of(step) for step in steps]


class _Spans:
    """Tool events by the span they lie in."""

    def __init__(self, events: list[Fields]) -> None:
        self.names: dict[str, str] = {}
        self.tools: dict[str, list[Fields]] = defaultdict(list)
        self.agents: dict[str, str] = {}
        for event in events:
            kind = loose.text(event.get("event"))
            if kind == "span_begin":
                self.names[loose.text(event.get("id")) or ""] = loose.text(event.get("name")) or ""
            elif kind == "tool":
                self.tools[loose.text(event.get("span_id")) or ""].append(event)
                agent = loose.text(event.get("agent_span_id"))
                if agent:
                    self.agents[loose.name(event.get("id")) or ""] = agent

    def agent(self, span: str, depth: int = 0) -> Step:
        """What one agent did: its calls, and those of the agents that it called."""
        steps: list[Step] = []
        for tool in self.tools.get(span, ()):
            steps.append(_call(tool))
            inner = loose.text(tool.get("agent_span_id"))
            if inner and inner != span and depth < 20:
                steps.append(self.agent(inner, depth + 1))
        return Step(type="agent", agent=self.names.get(span) or "agent", name=self.names.get(span), steps=steps)


def _call(tool: Fields) -> Step:
    return Step(
        type="call",
        name=loose.text(tool.get("function")) or "",
        args=tool.get("arguments", Raw(b"{}")),
        id=loose.name(tool.get("id")),
        result=tool.get("result", UNSET),
        error=tool["error"] if loose.present(tool.get("error")) else UNSET,
    )

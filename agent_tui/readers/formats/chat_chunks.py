"""Streamed chat completions: the chunks of one reply put together again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from msgspec import Struct, field

from agent_tui.readers import loose
from agent_tui.readers.loose import Fields
from agent_tui.readers.records import raw_of


class _Choice(Struct):
    """One choice of a reply, as far as it has come."""

    content: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    calls: dict[int, dict[str, Any]] = field(default_factory=dict)
    finish: str | None = None

    def add(self, choice: Fields) -> None:
        """Adds what one chunk says."""
        delta = loose.fields(choice.get("delta"))
        self.content.append(loose.text(delta.get("content")) or "")
        self.reasoning.append(loose.text(delta.get("reasoning_content")) or "")
        self.finish = loose.text(choice.get("finish_reason")) or self.finish
        for position, part in enumerate(loose.objects(delta.get("tool_calls"))):
            index = loose.integer(part.get("index"))
            call = self.calls.setdefault(position if index is None else index, {"name": "", "arguments": ""})
            function = loose.fields(part.get("function"))
            call["id"] = loose.text(part.get("id")) or call.get("id")
            call["name"] += loose.text(function.get("name")) or ""
            call["arguments"] += loose.text(function.get("arguments")) or ""

    def as_choice(self) -> dict[str, Any]:
        """The choice as a whole reply has it."""
        calls = [
            {
                "id": call.get("id"),
                "type": "function",
                "function": {"name": call["name"], "arguments": call["arguments"]},
            }
            for _, call in sorted(self.calls.items())
        ]
        message: dict[str, Any] = {"role": "assistant", "content": "".join(self.content) or None}
        if any(self.reasoning):
            message["reasoning_content"] = "".join(self.reasoning)
        if calls:
            message["tool_calls"] = calls
        return {"message": message, "finish_reason": self.finish}


def merged(chunks: Iterable[Fields]) -> list[Fields]:
    """The replies that `chunks` are pieces of, in the order in which they began."""
    replies: dict[str, dict[int, _Choice]] = defaultdict(lambda: defaultdict(_Choice))
    said: dict[str, Fields] = defaultdict(dict)
    for chunk in chunks:
        name = loose.name(chunk.get("id")) or ""
        said[name] |= {key: value for key, value in chunk.items() if loose.present(value)}
        for choice in loose.objects(chunk.get("choices")):
            replies[name][loose.integer(choice.get("index")) or 0].add(choice)
    return [
        said[name] | {"choices": raw_of([choice.as_choice() for _, choice in sorted(replies[name].items())])}
        for name in said
    ]

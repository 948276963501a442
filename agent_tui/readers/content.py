"""The content of a chat message: a string, null, or a list of blocks."""

from __future__ import annotations

from msgspec import UNSET, Raw, Struct, field

from agent_tui.readers import loose
from agent_tui.runs import Step
from agent_tui.runs.call import NO_ARGS

_WORDS = ("text", "input_text", "output_text", "refusal")
_THOUGHTS = ("reasoning", "thinking", "redacted_thinking")


class Content(Struct):
    """What a message says: its words with a chip for every other block, its thoughts, its calls."""

    text: str | None = None
    reasoning: list[str] = field(default_factory=list)
    calls: list[Step] = field(default_factory=list)


def read_content(raw: Raw | None) -> Content:
    """The content of one message, whatever its form."""
    content = Content()
    if raw is None or loose.kind(raw) == "n":
        return content
    if loose.kind(raw) == '"':
        content.text = loose.text(raw)
        return content
    if loose.kind(raw) != "[":
        content.text = bytes(raw).decode("utf-8", "replace")
        return content
    pieces = [_block(item, content) for item in loose.items(raw)]
    content.text = "\n".join(piece for piece in pieces if piece) or None
    return content


def _block(item: Raw, content: Content) -> str | None:
    """The words of one block, or its chip; thoughts and calls go to `content`."""
    if loose.kind(item) == '"':
        return loose.text(item)
    block = loose.fields(item)
    kind = loose.text(block.get("type")) or "text"
    if kind in _WORDS:
        return loose.text(block.get("text")) or loose.text(block.get(kind)) or loose.text(block.get("content"))
    if kind in _THOUGHTS:
        content.reasoning.append(_thought(block))
        return None
    if kind == "tool_use":
        content.calls.append(_server_call(block))
        return None
    return _chip(kind, block)


def _thought(block: loose.Fields) -> str:
    words = (loose.text(block.get(key)) for key in ("summary", "reasoning", "thinking", "text", "content"))
    redacted = loose.truthy(block.get("redacted")) or loose.text(block.get("type")) == "redacted_thinking"
    if redacted:
        return loose.text(block.get("summary")) or "[redacted]"
    return next((word for word in words if word), "[redacted]")


def _server_call(block: loose.Fields) -> Step:
    args = next((block[key] for key in ("arguments", "input") if loose.present(block.get(key))), NO_ARGS)
    return Step(
        type="call",
        name=loose.text(block.get("name")) or loose.text(block.get("tool_type")) or "",
        args=args,
        id=loose.name(block.get("id")),
        result=block.get("result", UNSET),
        error=block["error"] if loose.present(block.get("error")) else UNSET,
    )


def _chip(kind: str, block: loose.Fields) -> str:
    """What stands for a block that is no text: `[image/png 6.0 MB]`."""
    inner = block.get(kind, block.get("source", block.get("data")))
    target = loose.fields(inner) if inner is not None and loose.kind(inner) == "{" else {}
    place = next(
        (value for key in ("url", "data", "file_data") if (value := loose.text(target.get(key)))), loose.text(inner)
    )
    media = loose.text(target.get("media_type")) or loose.text(target.get("format")) or loose.text(block.get("format"))
    if not place:
        name = loose.text(target.get("file_id")) or loose.text(target.get("filename"))
        return f"[{kind} {name}]" if name else f"[{kind}]"
    if place.startswith("data:"):
        head, _, payload = place[5:].partition(",")
        return f"[{head.partition(';')[0] or kind} {size_of(len(payload) * 3 // 4)}]"
    if place.startswith(("http:", "https:", "file:", "attachment:")) or len(place) < 200:
        return f"[{kind} {place}]"
    return f"[{media or kind} {size_of(len(place) * 3 // 4)}]"


def size_of(count: int) -> str:
    """A number of bytes for people: `6.0 MB`."""
    amount = float(count)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"

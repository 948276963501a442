"""Chat messages as most are, read in one go: words, calls of functions, results; whatever else one has, it is not here.

`steps.steps_of_message` reads every message, and a property test holds the two together; a conversation of thousands
of messages is read in a third of the time.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Raw, Struct, structs

from agent_tui.readers import loose
from agent_tui.runs import Step
from agent_tui.runs.call import NO_ARGS

_OTHERS = frozenset({"function", ""})
"""Roles that are read otherwise."""


class Function(Struct, frozen=True, forbid_unknown_fields=True):
    """What is called, and with what."""

    name: str
    arguments: Raw


class Call(Struct, frozen=True, forbid_unknown_fields=True):
    """A call of a function."""

    function: Function
    id: str
    type: str = "function"

    def step(self, line: int | None) -> Step:
        """The call as a step."""
        arguments = self.function.arguments
        args = arguments if loose.present(arguments) else NO_ARGS
        return Step(type="call", name=self.function.name, args=args, id=self.id, line=line)


class Message(Struct, frozen=True, forbid_unknown_fields=True):
    """A message with these members and no others, of these types."""

    role: str
    content: Raw
    tool_calls: tuple[Call, ...] = ()
    tool_call_id: str = ""
    line: int | None = None

    def steps(self, index: int, words: str) -> Iterator[Step]:
        """The steps of the message at an index, unpaired."""
        if self.role == "tool":
            call_id = self.tool_call_id or None
            yield Step(type="result", role="tool", call_id=call_id, text=words, result=self.content, line=self.line)
            return
        calls = [call.step(self.line if len(self.tool_calls) == 1 else None) for call in self.tool_calls]
        if words or not calls:
            yield Step(type="message", role=self.role, text=words, line=self.line)
        if len(calls) > 1:
            inner = [structs.replace(call, group=index) for call in calls]
            yield Step(type="parallel", group=index, steps=inner, line=self.line)
        else:
            yield from calls


_message = msgspec.json.Decoder(Message).decode
_words = msgspec.json.Decoder(str).decode


def plain_message(text: bytes) -> Message | None:
    """A message as most are, whose content is words; None for whatever else a text is, also where it is no JSON."""
    try:
        message = _message(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return message if loose.kind(message.content) == '"' else None


def plain_steps(raw: Raw, index: int) -> list[Step] | None:
    """The steps of one message, unpaired; None where it is not as most are."""
    try:
        message = _message(raw)
        words = _words(message.content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return None if message.role in _OTHERS else list(message.steps(index, words))

"""A reply read strictly: the one object that was asked for, or why it is malformed. Whether it is true comes later."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from agent_tui.judge.prompt import canary_of
from agent_tui.judge.strict_json import Malformed, one_object
from agent_tui.providers.contract import LABELS, Reply, Request
from agent_tui.safety import clip


class Evidence(Struct, frozen=True, forbid_unknown_fields=True):
    """What a judge holds of one criterion, and the words it takes that from."""

    criterion: str
    met: str
    quote: str
    source: str


class Parsed(Struct, frozen=True, forbid_unknown_fields=True):
    """A reply in the form that was asked for, which says nothing yet about its truth."""

    item: str
    evidence: tuple[Evidence, ...]
    instructions_seen: bool
    reason: str
    verdict: str


class RecordedReply(Struct, frozen=True):
    """A verdict that somebody recorded as the text of a reply."""

    verdict: str
    why: str = ""


def parse(reply: Reply, request: Request) -> Parsed | Malformed:
    """The reply as the one object that was asked for; anything else is malformed, never a verdict."""
    members = one_object(reply.text)
    if isinstance(members, Malformed):
        return members
    try:
        parsed = msgspec.convert(members, Parsed)
    except msgspec.ValidationError as error:
        return Malformed(f"the reply is not of the form asked for: {clip(str(error), 200)}")
    problem = next(_problems(parsed, request), None)
    return parsed if problem is None else Malformed(problem)


def _problems(parsed: Parsed, request: Request) -> Iterator[str]:
    """What of a reply's values was not offered."""
    if _holds_mark(parsed, canary_of(request)):
        yield "the mark of the instructions came back"
    if parsed.item != request.item:
        yield "the reply is about another item: its code differs"
    if parsed.verdict not in request.labels:
        yield f"unknown verdict {parsed.verdict[:40]!r}: there are {', '.join(request.labels)}"
    offered = _offered(request.schema)
    for evidence in parsed.evidence:
        for name, words in offered.items():
            if (word := getattr(evidence, name)) not in words:
                yield f"unknown {name} {word[:40]!r} in the evidence: there are {', '.join(words)}"


def _holds_mark(parsed: Parsed, mark: str) -> bool:
    """Whether the mark is anywhere in a reply, however it is spaced or spelt in capitals."""
    said = [parsed.item, parsed.reason, parsed.verdict]
    said += [f"{each.criterion} {each.quote}" for each in parsed.evidence]
    return bool(mark) and mark in re.sub(r"[\W_]+", "", " ".join(said).casefold())


class _Enum(Struct):
    enum: tuple[str, ...] = ()


class _Items(Struct):
    properties: dict[str, _Enum]


class _List(Struct):
    items: _Items


class _Properties(Struct):
    evidence: _List


class _Schema(Struct):
    properties: _Properties


def _offered(schema: bytes) -> dict[str, tuple[str, ...]]:
    """The words that a schema offers for each member of an evidence entry."""
    members = msgspec.json.decode(schema, type=_Schema).properties.evidence.items.properties
    return {name: member.enum for name, member in members.items() if member.enum}


def parse_recorded_raw(text: str) -> RecordedReply | Malformed:
    """The verdict of a reply that was recorded as text: one JSON object, whole, with one of our verdicts in it."""
    members = one_object(text)
    if isinstance(members, Malformed):
        return members
    verdict, why = members.get("verdict"), members.get("why", members.get("reason", ""))
    if not isinstance(verdict, str) or verdict not in LABELS:
        return Malformed(f"no verdict in it: there are {', '.join(LABELS)}")
    return RecordedReply(verdict, why if isinstance(why, str) else "")

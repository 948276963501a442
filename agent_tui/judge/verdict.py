"""From what a service said to a decision: parsed strictly, checked against the material, never guessed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from agent_tui.judge.characters import has_content
from agent_tui.judge.clipping import CUT
from agent_tui.judge.material import NO_CONTENT, Item, says_something
from agent_tui.judge.prompt import canary_of
from agent_tui.judge.rubric import Rubric
from agent_tui.judge.scan import QUOTE_NOT_IN_TRACE, Flag, kinds_of, scan
from agent_tui.judge.strict_json import CUT_OFF, MALFORMED, REFUSAL, Malformed, one_object
from agent_tui.providers.contract import LABELS, Failure, Outcome, Reply, Request

PASS, FAIL, UNDETERMINED = LABELS
CRITERION_NOT_MET, NO_VERIFIED_QUOTE = "criterion_not_met", "no_verified_quote"
MODEL_MISMATCH, ERROR, UNKNOWN = "model mismatch", "error", "unknown"


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


class Decision(Struct, frozen=True, kw_only=True):
    """A verdict after our checks. `reasons` says why it is not the judge's own."""

    verdict: str
    raw_verdict: str
    """What the judge said."""
    why: str
    """The judge's reason: foreign text."""
    flags: tuple[str, ...] = ()
    """Kinds of flags of item and reply, by name."""
    reasons: tuple[str, ...] = ()
    """quote_not_in_trace, criterion_not_met, no_verified_quote; no_content where no judge was needed."""
    instructions_seen: bool = False
    evidence: tuple[Evidence, ...] = ()


class NotJudged(Struct, frozen=True):
    """There is no verdict: not a fail, not an undetermined, but a count of its own."""

    kind: str
    """cut off, empty, refusal, malformed, model mismatch, unknown or error."""
    reason: str


class RecordedReply(Struct, frozen=True):
    """A verdict that somebody recorded as the text of a reply."""

    verdict: str
    why: str = ""


def decide(outcome: Outcome, request: Request, item: Item, rubric: Rubric) -> Decision | NotJudged:
    """What one ask came to."""
    if isinstance(outcome, Failure):
        return NotJudged(_FAILED.get(outcome.kind, ERROR), outcome.reason)
    stopped = _stopped(outcome, request)
    if stopped is not None:
        return stopped
    parsed = parse(outcome, request)
    if isinstance(parsed, Malformed):
        return NotJudged(parsed.kind, parsed.reason)
    return reconcile(parsed, item, rubric, scan(item))


def decide_without_asking(item: Item) -> Decision | None:
    """The verdict on an answer that says nothing; None: a judge has to be asked."""
    if says_something(item.answer):
        return None
    why = "The answer is empty, punctuation or an opener without an answer."
    return Decision(verdict=FAIL, raw_verdict=FAIL, why=why, flags=kinds_of(scan(item)), reasons=(NO_CONTENT,))


_FAILED = {"truncated": CUT_OFF, "refused": REFUSAL, "malformed": MALFORMED, "unknown": UNKNOWN}
_REFUSALS = frozenset({"refusal", "content_filter"})


def _stopped(reply: Reply, request: Request) -> NotJudged | None:
    """Why a reply cannot be a verdict, whatever it says."""
    if reply.stop_reason in _REFUSALS:
        return NotJudged(REFUSAL, f"the service refused ({reply.stop_reason})")
    if reply.stop_reason != "end":
        return NotJudged(CUT_OFF, f"the reply was stopped: {reply.stop_reason}")
    if not same_model(request.model, reply.model):
        return NotJudged(MODEL_MISMATCH, f"{request.model} was asked, {reply.model or 'nobody knows who'} answered")
    return None


_DATED = re.compile(r"[-@](?:20[0-9]{6}|20[0-9]{2}-[0-9]{2}-[0-9]{2})\Z")


def same_model(asked: str, answered: str) -> bool:
    """Whether the model that answered is the one asked for: the same id, or the dated form of it."""
    return answered == asked or (_DATED.sub("", answered) == asked and bool(asked))


def parse(reply: Reply, request: Request) -> Parsed | Malformed:
    """The reply as the one object that was asked for; anything else is malformed, never a verdict."""
    if (mark := canary_of(request)) and mark in reply.text:
        return Malformed("the mark of the instructions came back")
    members = one_object(reply.text)
    if isinstance(members, Malformed):
        return members
    try:
        parsed = msgspec.convert(members, Parsed)
    except msgspec.ValidationError as error:
        return Malformed(f"the reply is not of the form asked for: {error}")
    problem = next(_problems(parsed, members, request), None)
    return parsed if problem is None else Malformed(problem)


def _problems(parsed: Parsed, members: dict[str, Any], request: Request) -> Iterator[str]:
    """What of a reply's values was not offered."""
    if parsed.item != request.item:
        yield "the reply is about another item: its code differs"
    if canary_of(request) in f"{members}".replace("\u200b", ""):
        yield "the mark of the instructions came back"
    if parsed.verdict not in request.labels:
        yield f"unknown verdict {parsed.verdict[:40]!r}: there are {', '.join(request.labels)}"
    offered = _offered(request.schema)
    for evidence in parsed.evidence:
        for name, words in offered.items():
            if (word := getattr(evidence, name)) not in words:
                yield f"unknown {name} {word[:40]!r} in the evidence: there are {', '.join(words)}"


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


def reconcile(parsed: Parsed, item: Item, rubric: Rubric, flags: Iterable[Flag]) -> Decision:
    """The judge's verdict where the material bears its evidence out, else undetermined with the reasons."""
    sources = {source: list(_pieces(item, source)) for source in rubric.sees}
    quoted = [each for each in parsed.evidence if folded_space(each.quote)]
    verified = [each for each in quoted if _stands(each.quote, sources.get(each.source, []))]
    reasons = []
    if len(verified) < len(quoted):
        reasons.append(QUOTE_NOT_IN_TRACE)
    if parsed.verdict == PASS and any(each.met == "no" for each in parsed.evidence):
        reasons.append(CRITERION_NOT_MET)
    if parsed.verdict != UNDETERMINED and not any(_bears(parsed.verdict, each) for each in verified):
        reasons.append(NO_VERIFIED_QUOTE)
    kinds = set(kinds_of(flags)) | ({QUOTE_NOT_IN_TRACE} if QUOTE_NOT_IN_TRACE in reasons else set())
    return Decision(
        verdict=UNDETERMINED if reasons else parsed.verdict,
        raw_verdict=parsed.verdict,
        why=parsed.reason,
        flags=tuple(sorted(kinds)),
        reasons=tuple(reasons),
        instructions_seen=parsed.instructions_seen,
        evidence=parsed.evidence,
    )


def _bears(verdict: str, evidence: Evidence) -> bool:
    """Whether a quote that stands can carry a verdict: what was asked shows by itself no answer right."""
    return verdict != PASS or evidence.source != "task"


def _pieces(item: Item, source: str) -> Iterator[str]:
    """The texts of a source, apart where something was cut out of them."""
    for text in item.trace if source == "trace" else (item.task if source == "task" else item.answer,):
        yield from map(folded_space, CUT.split(text))


_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


def _stands(quote: str, pieces: list[str]) -> bool:
    """Whether a quote that says something is part of a piece, as it reads or in the escapes it was sent in."""
    forms = {folded_space(quote), folded_space(_ESCAPE.sub(lambda match: chr(int(match[1], 16)), quote))}
    return has_content(quote) and any(form in piece for form in forms for piece in pieces)


def folded_space(text: str) -> str:
    """NFKC, with white space of any kind and length as one space."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def is_steered(told: Decision, untold: Decision) -> bool:
    """Whether the flagged spans moved the judge: its verdict with them, and what it said without."""
    if told.verdict == PASS:
        return untold.verdict != PASS
    return untold.verdict != told.verdict and untold.verdict != UNDETERMINED


def parse_recorded_raw(text: str) -> RecordedReply | Malformed:
    """The verdict of a reply that was recorded as text: one JSON object, whole, with one of our verdicts in it."""
    members = one_object(text)
    if isinstance(members, Malformed):
        return members
    verdict, why = members.get("verdict"), members.get("why", members.get("reason", ""))
    if not isinstance(verdict, str) or verdict not in LABELS:
        return Malformed(f"no verdict in it: there are {', '.join(LABELS)}")
    return RecordedReply(verdict, why if isinstance(why, str) else "")

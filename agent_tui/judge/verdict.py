"""From what a service said to a decision: checked against the material, never guessed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from agent_tui.judge.material import NO_CONTENT, Item, says_something
from agent_tui.judge.quotes import folded_space, pieces, stands
from agent_tui.judge.reply import Evidence, Parsed, parse
from agent_tui.judge.rubric import Rubric
from agent_tui.judge.scan import QUOTE_NOT_IN_TRACE, Flag, kinds_of, scan
from agent_tui.judge.strict_json import CUT_OFF, MALFORMED, REFUSAL, Malformed
from agent_tui.providers.contract import LABELS, Failure, Outcome, Reply, Request

PASS, FAIL, UNDETERMINED = LABELS
CRITERION_NOT_MET, NO_VERIFIED_QUOTE = "criterion_not_met", "no_verified_quote"
MODEL_MISMATCH, ERROR, UNKNOWN = "model mismatch", "error", "unknown"


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


def reconcile(parsed: Parsed, item: Item, rubric: Rubric, flags: Iterable[Flag]) -> Decision:
    """The judge's verdict where the material bears its evidence out, else undetermined with the reasons."""
    sources = {source: list(pieces(item, source)) for source in rubric.sees}
    quoted = [each for each in parsed.evidence if folded_space(each.quote)]
    verified = [each for each in quoted if stands(each.quote, sources.get(each.source, []))]
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


def is_steered(told: Decision, untold: Decision) -> bool:
    """Whether the flagged spans moved the judge: its verdict with them, and what it said without."""
    if told.verdict == PASS:
        return untold.verdict != PASS
    return untold.verdict != told.verdict and untold.verdict != UNDETERMINED

"""Levels 2 and 3 of a search agent: bundle.levels of kind `search`.

Called: the search tool was used. Valid: every query is a non-blank string, and there is one. Query quality: per call
|question words ∩ query words| / |query words|, averaged over the calls; words are sets, lower-cased, split at white
space, `?` and `'` taken out of the question, stop words dropped on both sides. Redundancy: calls minus distinct
(stripped, lower-cased) queries. Matches the reference: exactly one call, and it returned a document that holds the
answer (out of scope: exactly one call).
"""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.runs import JsonValue, Run, State, ToolCall
from agent_tui.runs.json_values import args_value, canonical_of
from agent_tui.scoring.levels import NOT_KNOWN, PENDING, Levels
from agent_tui.scoring.plan import Plan

STOP_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "can",
        "do",
        "does",
        "for",
        "how",
        "in",
        "is",
        "it",
        "of",
        "on",
        "per",
        "that",
        "the",
        "to",
        "what",
        "when",
        "which",
        "you",
    ]
)


def search_levels(run: Run, plan: Plan) -> Levels:
    """Levels of kind `search`, from the queries and the documents that they returned."""
    if not run.is_finished:
        return PENDING
    documents = run.expected.documents if run.expected is not None else None
    if run.status == "error" or (run.calls is None and documents is not None):
        return Levels(State.ERROR, State.NOT_KNOWN if documents is None else State.ERROR)
    if run.calls is None:
        return NOT_KNOWN
    calls = [call for call in run.calls if plan.rules.name_of(call.name) == plan.levels.tool]
    queries = [_query(call, plan.levels.argument) for call in calls]
    valid = bool(queries) and all(isinstance(query, str) and query.strip() for query in queries)
    quality = query_quality(run.input or "", queries)
    redundancy = len(queries) - len({_same(query) for query in queries})
    matches = _matches(calls, documents)
    return Levels(
        tools=State.PASS if calls and valid and quality > 0 else State.FAIL,
        trajectory=State.NOT_KNOWN if matches is None else State(int(matches and redundancy == 0)),
        called=bool(calls),
        valid=valid,
        query_quality=quality,
        redundancy=redundancy,
        matches_reference=matches,
        document_surfaced=_surfaced(calls, documents),
    )


def _query(call: ToolCall, argument: str) -> JsonValue:
    args = args_value(call.args)
    return args.get(argument) if isinstance(args, dict) else None


def _same(query: JsonValue) -> str | bytes:
    return query.strip().lower() if isinstance(query, str) else canonical_of(query)


def _words(text: str) -> set[str]:
    return set(text.lower().split()) - STOP_WORDS


def query_quality(question: str, queries: Sequence[JsonValue]) -> float:
    """Mean over the queries of the share of their words that the question holds (0..1); no query is 0."""
    asked = _words(question.replace("?", "").replace("'", ""))
    shares = [_share(asked, _words(query) if isinstance(query, str) else set()) for query in queries]
    return sum(shares) / len(shares) if shares else 0.0


def _share(asked: set[str], query: set[str]) -> float:
    return len(asked & query) / len(query) if query else 0.0


def _surfaced(calls: Sequence[ToolCall], documents: Sequence[str] | None) -> bool | None:
    if documents is None:
        return None
    return any(document in documents for call in calls for document in call.documents or ())


def _matches(calls: Sequence[ToolCall], documents: Sequence[str] | None) -> bool | None:
    if documents is None:
        return None
    return len(calls) == 1 and (not documents or bool(_surfaced(calls, documents)))

"""One run as a row of the score document."""

from __future__ import annotations

from typing import Any

from agent_tui.bundles import Bundle
from agent_tui.matchers import MATCHERS
from agent_tui.matchers import MEASURES as MATCH_MEASURES
from agent_tui.matchers.result import NO_EXPECTATION
from agent_tui.runs import State
from agent_tui.scoring import RunScore
from agent_tui.scoring.rounding import in_places

_QUALITY_PLACES = 2


def run_row(bundle: Bundle, row: int) -> dict[str, Any]:
    """All that is said of a run: verdicts, cause, first difference, output, levels, pairing."""
    table, run, score = bundle.table, bundle.run(row), bundle.score(row)
    explanation = bundle.explain(row)
    return {
        "id": bundle.names.name(row),
        "task": run.task,
        "epoch": run.epoch,
        "model": table.models[row],
        "agent": table.agents[row],
        "status": run.status,
        "limit": run.limit,
        "error": None if run.error is None else {"type": run.error.type, "message": run.error.message},
        "calls": score.calls,
        "errors": bundle.errors(row),
        "matchers": verdicts(score) | {mode: table.state(row, mode).word for mode in table.modes},
        "vacuous": [name for name in MATCHERS if score.state(name) is State.VACUOUS],
        "cause": score.match.cause,
        "first_difference": explanation.first_difference,
        "strictest": score.match.strictest,
        "pairs": [list(pair) for pair in explanation.pairs],
        "redundancy_detail": {"repeats": explanation.repeats, "retries": explanation.retries},
        "output": {
            "state": score.answer.state,
            "check": score.answer.check,
            "why": score.answer.why,
            "flags": list(score.answer.flags),
        },
        "levels": level_figures(score),
        "success_source": score.success.source or None,
        "scores": {name: _score(table.score(row, name)) for name in run.scores},
        "weak": list(bundle.weak_reasons(row)),
        "notes": notes(bundle, row, score, explanation.notes),
    }


def verdicts(score: RunScore) -> dict[str, Any]:
    """Every matcher's verdict in a word, and the figures (0..1) or null."""
    match = score.match
    figures = dict(zip(MATCH_MEASURES, (match.precision, match.recall, match.f1, match.alignment), strict=True))
    return {name: score.state(name).word for name in MATCHERS} | figures


def level_figures(score: RunScore) -> dict[str, Any]:
    """The figures of the three levels; null is not known."""
    levels, success = score.levels, score.success.state
    quality = levels.query_quality
    return {
        "success": None if success not in (State.PASS, State.FAIL) else success is State.PASS,
        "called": levels.called,
        "valid": levels.valid,
        "query_quality": None if quality is None else in_places(quality, _QUALITY_PLACES),
        "redundancy": levels.redundancy,
        "matches_reference": levels.matches_reference,
        "document_surfaced": levels.document_surfaced,
        "tool_call_correctness": State(levels.tools).word,
        "trajectory_quality": State(levels.trajectory).word,
    }


def _score(value: float | str | None) -> dict[str, Any]:
    return {"value": None, "not_usable": value} if isinstance(value, str) else {"value": value}


def notes(bundle: Bundle, row: int, score: RunScore, explained: list[str]) -> list[str]:
    """What else a reader of the run should know, in words."""
    if _has_documents(bundle, row):
        explained = [each for each in explained if each != NO_EXPECTATION]
    found = bundle.table.findings.get(row)
    trajectory = "no trajectory recorded" if bundle.run(row).calls is None else None
    said = [*bundle.run(row).notes, *explained, *([found] if found else []), *([trajectory] if trajectory else [])]
    return list(dict.fromkeys(said))


def _has_documents(bundle: Bundle, row: int) -> bool:
    """Whether a search is looked at: by its documents, not by expected calls."""
    expected = bundle.run(row).expected
    return bundle.source(row).plan.levels.kind == "search" or (expected is not None and expected.documents is not None)

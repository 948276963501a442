"""The score document: every number of a scorecard with its numerator, denominator and what was left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_tui.bundles import Bundle
from agent_tui.errors import LOSSES, Problem
from agent_tui.matchers import MATCHERS
from agent_tui.matchers import MEASURES as MATCH_MEASURES
from agent_tui.reports.run_rows import run_row
from agent_tui.scoring import LEVELS, Mean, Scorecard, Tally
from agent_tui.scoring.rounding import in_places
from agent_tui.scoring.weak_paths import WeakPath

SCHEMA = "agent-tui/score-1"
CONTRACT_PLACES = 3


def score_document(bundle: Bundle, card: Scorecard) -> dict[str, Any]:
    """The document that `score --json` prints."""
    members = score_members(bundle, card)
    return {key: list(value) if isinstance(value, Iterator) else value for key, value in members.items()}


def score_members(bundle: Bundle, card: Scorecard) -> dict[str, Any]:
    """The members of the document; those with something of every run are iterators, since there may be a million."""
    document = {
        "schema": SCHEMA,
        "bundle": bundle_facts(bundle),
        **contract(card),
        "matchers": {
            **{name: tally_object(card.tallies[name]) for name in (*MATCHERS, *bundle.table.modes)},
            **{name: mean_object(card.means[name]) for name in MATCH_MEASURES},
        },
        "query_quality": mean_object(card.means["query_quality"]),
        "output": tally_object(card.tallies["output"]) | {"no_answer": card.output.no_answer},
        "levels": {name: tally_object(card.tallies[name]) for name in LEVELS},
        "weak_paths": map(weak_object, card.weak_paths),
        "ribbon": ribbon_object(card),
        "scores": {
            name: {"mean": score.mean, "n": score.n, "total": score.total, "unscored": dict(score.unscored)}
            for name, score in card.scores.items()
        },
        "trials": trials_object(card),
        "findings": [finding.text for finding in card.findings],
        "stored": [
            {"name": each.name, "theirs": each.theirs, "ours": each.ours, "over": each.how, "agrees": each.agrees}
            for each in card.stored
        ],
        "clashes": clashes(bundle),
        "runs": (run_row(bundle, row) for row in range(len(bundle))),
    }
    if card.grade is not None:
        document["grade"] = {"weights": dict(card.grade.weights), "value": card.grade.value}
    return document


def weak_object(weak: WeakPath) -> dict[str, Any]:
    """A weak path with its reasons."""
    return {
        "run": weak.run,
        "reasons": list(weak.reasons),
        "calls": weak.calls,
        "matches_reference": weak.matches_reference,
        "document_surfaced": weak.document_surfaced,
    }


def bundle_facts(bundle: Bundle) -> dict[str, Any]:
    """Which bundle this is, and what of it could not be read."""
    return {
        "id": bundle.header.id or None,
        "name": bundle.name,
        "agent": bundle.header.agent,
        "model": bundle.header.model,
        "runs": len(bundle),
        "planned": bundle.planned,
        "digest": bundle.digest,
        "edited": bundle.edited,
        "files": [source.file for source in bundle.sources],
        "formats": [source.format for source in bundle.sources],
        "skipped": [problem_object(problem) for problem in bundle.losses],
        "problems": [problem_object(problem) for problem in bundle.problems if problem.kind not in LOSSES],
    }


def problem_object(problem: Problem) -> dict[str, Any]:
    """A problem with its place."""
    return {
        "file": problem.file,
        "line": problem.line,
        "path": problem.path,
        "kind": problem.kind,
        "reason": problem.reason,
        **({"count": problem.count} if problem.count > 1 else {}),
    }


def contract(card: Scorecard) -> dict[str, Any]:
    """The six keys that stand in every score document, spelt so; their rates have three places."""
    return {
        "tool_call_accuracy": {
            "exact": _short(card.tallies["exact"].rate),
            "name_only": _short(card.tallies["name_only"].rate),
            "order_ignored": _short(card.tallies["order_ignored"].rate),
            "n": card.tallies["exact"].scored,
        },
        "output_accuracy": {
            "correct": card.output.correct,
            "incorrect": card.output.incorrect,
            "unscoreable": card.output.unscoreable,
            "accuracy": _short(card.output.accuracy),
            "errors": card.output.errors,
            "check_errors": card.output.check_errors,
        },
        "judge": [],
        "judge_validation": {"labelled_n": 0, "agreement": None, "false_pass": 0, "false_fail": 0},
        "headline": card.headline,
        "not_measured": list(card.not_measured),
    }


def _short(rate: float | None) -> float | None:
    """A rate of the contract; as in the other reports, only all is 1 and only none is 0."""
    return None if rate is None else in_places(rate, CONTRACT_PLACES)


def tally_object(tally: Tally) -> dict[str, Any]:
    """A measure's counts, rates and interval; a rate over nothing is null."""
    interval = tally.interval
    return {
        "passed": tally.passed,
        "scored": tally.scored,
        "errors": tally.errors,
        "unscoreable": tally.unscoreable,
        "vacuous": tally.vacuous,
        "check_errors": tally.broken,
        "not_finished": tally.pending,
        "rate": tally.rate,
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
        "interval": None if interval is None else interval.method,
        "rate_strict": tally.rate_strict,
    }


def mean_object(mean: Mean) -> dict[str, Any]:
    """A mean with its counts."""
    return {
        "mean": mean.mean,
        "scored": mean.scored,
        "errors": mean.errors,
        "unscoreable": mean.unscoreable,
        "vacuous": mean.vacuous,
        "not_finished": mean.pending,
    }


def ribbon_object(card: Scorecard) -> dict[str, Any]:
    """The ribbon; its segments add up to the total."""
    ribbon = card.ribbon
    return {
        "measure": ribbon.measure,
        "total": ribbon.total,
        "planned": ribbon.planned,
        "passed": ribbon.passed,
        "failed": ribbon.failed,
        "errored": ribbon.errored,
        "unscoreable": ribbon.unscoreable,
        "running": ribbon.running,
        "skipped": ribbon.skipped,
        "queued": ribbon.queued,
        "other": dict(ribbon.other),
    }


def trials_object(card: Scorecard) -> dict[str, Any]:
    """pass^k and pass@k by k, each with how many of the tasks it is over; null where they are not known yet."""
    trials = card.trials
    if trials is None:
        return {"tasks": None, "unequal": None, "pass_hat": {}, "pass_at": {}}
    return {
        "tasks": trials["tasks"],
        "unequal": trials["unequal"],
        "pass_hat": {str(k): dict(each) for k, each in trials["pass_hat"].items()},
        "pass_at": {str(k): dict(each) for k, each in trials["pass_at"].items()},
    }


def clashes(bundle: Bundle) -> list[str]:
    """Ids of runs whose task, epoch, model and agent are those of another run, each once."""
    table = bundle.table
    met: set[tuple[object, ...]] = set()
    ids: dict[str, None] = {}
    for row in range(len(bundle)):
        identity = (table.tasks[row], table.epochs[row], table.models[row], table.agents[row])
        if identity in met:
            ids[table.ids[row]] = None
        met.add(identity)
    return list(ids)

"""What a judge came to, for programs and for people: never a verdict without the validation that stands before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from agent_tui.judge.judgement import Judgement
from agent_tui.judge.permit import Override
from agent_tui.judge.validation import JudgedRun, Validated, Validation
from agent_tui.reports import figures
from agent_tui.reports.validation import bias_lines, validation_lines
from agent_tui.safety import sanitise_line
from agent_tui.scoring.rounding import in_places
from agent_tui.stats.rates import Rate

CONTRACT_PLACES = 3
NOT_VALIDATED = "judge not validated"
_WHY = 200
"""Characters of a judge's reason in a line."""


class Unvalidated(ValueError):
    """A document that holds verdicts without the validation of who gave them: it is not written."""


def with_judgement(document: dict[str, Any], judgement: Judgement) -> dict[str, Any]:
    """The score document with the judge's part filled in. Raises `Unvalidated` as `require_validation` does."""
    filled = document | {
        "judge": [verdict_object(run, judgement) for run in judgement.runs if run.verdict is not None],
        "judge_validation": validation_object(judgement.validation),
        "gate": gate_object(judgement),
        "judged": summary_object(judgement),
        "headline": headline(document["headline"], judgement),
    }
    require_validation(filled)
    return filled


def require_validation(document: dict[str, Any]) -> None:
    """Raise `Unvalidated` where a document has a verdict and not the validation of its judge."""
    validation = document.get("judge_validation")
    if document.get("judge") and not (isinstance(validation, dict) and validation.get("labelled_n")):
        raise Unvalidated("a report with verdicts of a judge needs its judge_validation: it is not written")


def verdict_object(run: JudgedRun, judgement: Judgement) -> dict[str, Any]:
    """One verdict on an unlabelled run, marked with whether its judge is validated."""
    return {
        "run": run.name,
        "verdict": run.verdict,
        "why": run.why,
        "validated": judgement.is_validated,
        "steered": run.steered,
        "flags": list(run.flags),
        "raw": run.raw,
    }


def validation_object(validation: Validation | None) -> dict[str, Any]:
    """The contract's four keys, and every figure of the panel with its k, n and interval."""
    if validation is None:
        return {"labelled_n": 0, "agreement": None, "false_pass": 0, "false_fail": 0}
    confusion = validation.confusion
    agreement = confusion.agreement_decided.rate
    rates = {
        "agreement_decided": confusion.agreement_decided,
        "agreement_strict": confusion.agreement_strict,
        "coverage": confusion.coverage,
        "false_pass": confusion.false_pass,
        "false_fail": confusion.false_fail,
        "wrong_among_passed": confusion.wrong_among_passed,
        "sensitivity": confusion.sensitivity_decided,
        "specificity": confusion.specificity_decided,
        "base_rate": confusion.base_rate_pass,
    }
    return {
        "labelled_n": confusion.labelled,
        "agreement": None if agreement is None else in_places(agreement, CONTRACT_PLACES),
        "false_pass": confusion.fp,
        "false_fail": confusion.pf,
        "false_pass_runs": [run.name for run in validation.false_passes],
        "false_fail_runs": [run.name for run in validation.false_fails],
        "rates": {name: rate_object(rate) for name, rate in rates.items()},
        "false_pass_upper95": validation.false_pass_bound.upper95,
        "youden_j": confusion.youden_j.value,
        "balanced_accuracy": confusion.balanced_accuracy.value,
        "mcc": confusion.mcc.value,
        "kappa": validation.kappa.value,
        "ac1": validation.ac1.value,
        "alpha": validation.alpha.value,
        "confusion": msgspec.to_builtins(confusion),
        "not_judged": {run.name: run.why for run in validation.not_judged},
        "steered": [run.name for run in validation.steered],
        "without_judge": list(validation.without_judge),
        "in_rubric": list(validation.in_rubric),
        "validated_before": validation.validated_before,
        "biases": {name: said for name, said, _ in bias_lines(validation.biases, validation.judge.family)},
        "attacks": rate_object(validation.biases.held),
        "last_reply": validation.last,
        "runs": [_validated_object(run) for run in validation.runs],
    }


def _validated_object(run: Validated) -> dict[str, Any]:
    return {
        "run": run.name,
        "truth": run.truth,
        "truth_source": run.truth_source,
        "verdict": run.verdict,
        "why": run.why,
        "steered": run.steered,
    }


def rate_object(rate: Rate) -> dict[str, Any]:
    """A rate with its counts and Wilson's 95 % interval."""
    return {"k": rate.k, "n": rate.n, "rate": rate.rate, "low": rate.low, "high": rate.high}


def gate_object(judgement: Judgement) -> dict[str, Any]:
    """Whether the judge may be read, why not, who it is, and how a shut gate was passed."""
    gate, validation, permit = judgement.gate, judgement.validation, judgement.permit
    judge = None if validation is None else validation.judge
    override = None
    if isinstance(permit, Override):
        override = {"reason": permit.reason, "at": permit.at}
    return {
        "state": gate.state,
        "reasons": list(gate.reasons),
        "settles": gate.settles,
        "provider": judge and judge.provider,
        "name": judge and judge.name,
        "model": judge and judge.model,
        "model_answered": judge and judge.answered,
        "rubric": judge and judge.rubric,
        "rubric_digest": judge and judge.rubric_digest,
        "key": validation and validation.key,
        "override": override,
    }


def summary_object(judgement: Judgement) -> dict[str, Any]:
    """What the verdicts come to; rates only of a validated judge."""
    passes, corrected = judgement.passes, judgement.corrected if judgement.is_validated else None
    return {
        "unlabelled": judgement.unlabelled,
        **judgement.counts,
        "not_judged": dict(judgement.not_judged),
        "steered": list(judgement.steered),
        "left_out": {run.name: run.reason for run in judgement.left_out if not run.labelled},
        "pass_low": passes.low if judgement.is_validated else None,
        "pass_high": passes.high if judgement.is_validated else None,
        "corrected": corrected and corrected.corrected,
        "corrected_interval": corrected and corrected.interval,
        "corrected_by": "Rogan-Gladen" if corrected and corrected.corrected is not None else None,
    }


def headline(before: str, judgement: Judgement) -> str:
    """The headline, which names the judge, and counts verdicts of a validated one alone."""
    validation = judgement.validation
    if validation is None:
        return before
    start = before.removesuffix("; no model was needed and none was asked")
    said = f"{validation.judge.name} was asked"
    if not judgement.is_validated:
        return f"{start}; {said} and is {judgement.gate.state}: its verdicts are in no number"
    counts, passes = judgement.counts, judgement.passes
    bounds = f"{figures.rate(passes.low)} to {figures.rate(passes.high)}"
    return f"{start}; {said} and is accepted: {counts['pass']}/{passes.n} pass ({bounds}, undetermined either way)"


def judgement_lines(judgement: Judgement) -> Iterator[str]:
    """The validation first, then what the permit opened; every line safe to show."""
    if judgement.validation is not None:
        yield from map(_safe, validation_lines(judgement.validation))
    else:
        yield _safe(f"gate {judgement.gate.state}: {'; '.join(judgement.gate.reasons)}")
        yield _safe(f"  what would settle it: {judgement.gate.settles}")
    yield ""
    yield from map(_safe, verdict_lines(judgement))


def _safe(line: str) -> str:
    return sanitise_line(line).rstrip()


def verdict_lines(judgement: Judgement) -> Iterator[str]:
    """Verdicts on unlabelled runs, or why there are none to see."""
    unlabelled = figures.count(judgement.unlabelled, "unlabelled run")
    if judgement.permit is None:
        locked = "nothing to judge" if not judgement.unlabelled else f"verdicts on {unlabelled} stay locked"
        yield f"{locked}" if judgement.gate.state != "accepted" else f"{unlabelled}: not judged yet"
        return
    mark = "" if judgement.is_validated else f"   {NOT_VALIDATED}"
    yield f"verdicts on {unlabelled}{mark}"
    if isinstance(judgement.permit, Override):
        yield f"  shown all the same: {judgement.permit.reason}"
    yield from (_verdict_line(run, mark) for run in judgement.runs)
    yield from total_lines(judgement)


def _verdict_line(run: JudgedRun, mark: str) -> str:
    verdict = "not judged" if run.verdict is None else "steered" if run.steered else run.verdict
    return f"  {run.name:<12} {verdict:<13}{mark.strip() + '   ' if mark else ''}{run.why[:_WHY]}"


def total_lines(judgement: Judgement) -> Iterator[str]:
    """What the verdicts come to, each number with what it is over."""
    counts = judgement.counts
    parts = [f"{counts['pass']:,} pass", f"{counts['fail']:,} fail", f"{counts['undetermined']:,} undetermined"]
    parts += _beside(judgement)
    yield f"  {' + '.join(parts)} = {figures.count(judgement.unlabelled, 'unlabelled run')}"
    if judgement.is_validated:
        yield from _rate_lines(judgement)


def _beside(judgement: Judgement) -> Sequence[str]:
    named = ((len(judgement.not_judged), "not judged"), (len(judgement.steered), "steered"))
    return [f"{count:,} {word}" for count, word in named if count]


def _rate_lines(judgement: Judgement) -> Iterator[str]:
    passes, corrected = judgement.passes, judgement.corrected
    if passes.low is not None:
        between = f"{figures.rate(passes.low)} to {figures.rate(passes.high)}"
        yield f"  pass {between} of {passes.n:,}, undetermined either way"
    if corrected is not None and corrected.corrected is not None and corrected.interval is not None:
        low, high = corrected.interval
        clamped = ", cut to 0–1" if corrected.is_clamped else ""
        rate = f"{figures.rate(corrected.corrected)} ({figures.span(low, high)}{clamped})"
        yield f"  corrected for the judge's known errors {rate}, by Rogan and Gladen over decided verdicts"
    elif corrected is not None:
        yield f"  not corrected for the judge's errors: {corrected.why_none}"

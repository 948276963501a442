"""Verdicts that came with a bundle, a judge at a time and never mixed: validated like fresh ones, always marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agent_tui.bundles import Bundle
from agent_tui.judge.gate import ACCEPTED
from agent_tui.judge.permit import Certificate, Override, Permit
from agent_tui.judge.recorded import Recorded
from agent_tui.judge.recorded_group import RecordedGroup, pass_rates
from agent_tui.judge.validation import JudgedRun
from agent_tui.reports import figures
from agent_tui.reports.judgement import NOT_VALIDATED, rate_object, validation_object
from agent_tui.reports.validation import validation_lines
from agent_tui.safety import sanitise_line

_WHY = 160
"""Characters of a reason in a line."""


def permit_of(group: RecordedGroup, reason: str | None) -> Permit | None:
    """What opens a group: a certificate where its judge met every bound, else the user's reason; None: nothing does."""
    if group.validation is None:
        return None
    if group.gate.state == ACCEPTED:
        return Certificate(group.validation)
    if reason is None or not group.gate.may_be_overridden:
        return None
    return Override(group.validation, reason, None)


def recorded_lines(bundle: Bundle, recorded: Recorded, reason: str | None = None) -> Iterator[str]:
    """Every recorded judge with its validation, each line safe to show. `reason` opens those not validated."""
    if recorded.judges > 1:
        yield f"{recorded.judges} judges are recorded: no number mixes them"
    for group in recorded.groups:
        yield from map(_safe, _group_lines(bundle, group, permit_of(group, reason)))
        yield ""
    if recorded.groups and recorded.missing:
        named = ", ".join(bundle.names.name(row) for row in recorded.missing[:8])
        yield _safe(f"{figures.count(len(recorded.missing), 'run')} without a verdict of the current judge: {named}")
        yield ""


def _safe(line: str) -> str:
    return sanitise_line(line).rstrip()


def _group_lines(bundle: Bundle, group: RecordedGroup, permit: Permit | None) -> Iterator[str]:
    yield f"recorded  {group.who.name} ({group.standing}): {', '.join(_counts(group))}"
    if group.not_judged:
        unusable = group.unusable
        names = "; ".join(f"{run.name} {run.why}" for run in group.not_judged[:8])
        yield f"  not judged {unusable.k} of {unusable.n} = {figures.rate(unusable.rate)}: {names}"
    if group.inconsistent:
        named = ", ".join(bundle.names.name(row) for row in group.inconsistent[:8])
        yield f"  {len(group.inconsistent):,} of {len(group.rows):,} inconsistent, verdict and score disagree: {named}"
    if group.validation is None:
        yield f"  gate {group.gate.state}: {'; '.join(group.gate.reasons)}; {group.gate.settles}"
    else:
        yield from (f"  {line}" for line in validation_lines(group.validation))
    yield from _verdict_lines(group, permit)


def _counts(group: RecordedGroup) -> Iterator[str]:
    yield figures.count(group.judged, "verdict")
    yield f"{len(group.labelled):,} on labelled runs"
    if group.labels_unused:
        yield f"{len(group.labels_unused):,} labels unused"


def _verdict_lines(group: RecordedGroup, permit: Permit | None) -> Iterator[str]:
    hidden = figures.count(len(group.hidden), "verdict")
    if permit is None:
        if group.hidden:
            yield f"  {hidden} on unlabelled runs: hidden"
        return
    mark = "recorded" if permit.is_validated else f"recorded, {NOT_VALIDATED}"
    opened = [run for run in group.verdicts(permit) if run.row in set(group.hidden)]
    yield f"  {hidden} on unlabelled runs ({mark})"
    yield from (f"    {run.name:<12} {run.verdict:<13} {run.why[:_WHY]}" for run in opened)


def recorded_object(bundle: Bundle, recorded: Recorded, reason: str | None = None) -> list[dict[str, Any]]:
    """The same for programs: one object a judge, verdicts only where something opens them."""
    return [_group_object(bundle, group, permit_of(group, reason)) for group in recorded.groups]


def _group_object(bundle: Bundle, group: RecordedGroup, permit: Permit | None) -> dict[str, Any]:
    opened = () if permit is None else group.verdicts(permit)
    return {
        "judge": group.who.name,
        "standing": group.standing,
        "runs": _names(bundle, group.rows),
        "judged": group.judged,
        "not_judged": {run.name: run.why for run in group.not_judged},
        "unusable": rate_object(group.unusable),
        "inconsistent": _names(bundle, group.inconsistent),
        "labels_unused": len(group.labels_unused),
        "gate": {"state": group.gate.state, "reasons": list(group.gate.reasons), "settles": group.gate.settles},
        "judge_validation": validation_object(group.validation),
        "hidden": _names(bundle, group.hidden) if permit is None else [],
        "verdicts": [_verdict(run, permit) for run in opened if run.verdict is not None],
        "pass_rate": rate_object(pass_rates(opened).passed) if opened else None,
        "pass_rate_consistent": rate_object(pass_rates(opened).consistent) if opened else None,
    }


def _verdict(run: JudgedRun, permit: Permit | None) -> dict[str, Any]:
    validated = permit is not None and permit.is_validated
    return {"run": run.name, "verdict": run.verdict, "why": run.why, "recorded": True, "validated": validated,
            "flags": list(run.flags)}  # fmt: skip


def _names(bundle: Bundle, rows: Sequence[int]) -> list[str]:
    return [bundle.names.name(row) for row in rows]

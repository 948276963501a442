"""From what was asked and answered to what is published: a validation, and the verdicts of a judge on a run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from agent_tui.judge.asks import (
    REVERSED,
    Asker,
    Decided,
    Decisions,
    padded_runs,
    unflagged,
    verdict_of,
    votes_of,
)
from agent_tui.judge.attacks import Control, held
from agent_tui.judge.biases import Attack, Biases, Sighting, biases_of
from agent_tui.judge.material import Item
from agent_tui.judge.prompt import TEMPLATE_DIGEST, padded
from agent_tui.judge.scan import SCANNER_VERSION
from agent_tui.judge.survey import Labelled, Survey, ToJudge
from agent_tui.judge.validation import Judge, JudgedRun, Validated, Validation
from agent_tui.judge.verdict import Decision, decide_without_asking, is_steered
from agent_tui.providers.families import family_of
from agent_tui.stats.judge_gate import DEFAULT_BOUNDS, GateBounds


class Past(Struct, frozen=True):
    """What only the ledger knows of a validation."""

    answered: str
    """The model that answered."""
    last: str | None
    """UTC time of the last reply."""
    validated_before: int = 0


def publish(
    judge: Judge,
    asker: Asker,
    survey: Survey,
    controls: Iterable[Control],
    decisions: Decisions,
    past: Past,
    bounds: GateBounds = DEFAULT_BOUNDS,
) -> Validation:
    """The validation that follows from what was answered."""
    runs = tuple(_validated(asker, run, decisions) for run in survey.labelled)
    return Validation(
        judge=judge,
        key=validation_key(asker, survey, past.answered),
        runs=runs,
        biases=_biases(judge, asker, survey, controls, runs, decisions),
        without_judge=survey.decided_without_judge,
        in_rubric=survey.in_rubric,
        validated_before=past.validated_before,
        last=past.last,
        bounds=bounds,
    )


def validation_key(asker: Asker, survey: Survey, answered: str) -> str:
    """64 hex digits that name judge, rubric, template, scanner and label set: any other of them is another key."""
    identity = asker.identity
    parts = [
        identity.provider,
        identity.endpoint,
        identity.model,
        answered,
        identity.rung,
        identity.effort,
        asker.rubric.digest,
        TEMPLATE_DIGEST,
        str(SCANNER_VERSION),
        str(asker.votes),
        label_set_digest(survey),
    ]
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def label_set_digest(survey: Survey) -> str:
    """64 hex digits that name the labelled material and what is known of each."""
    known = sorted((run.item.digest, run.truth) for run in survey.labelled)
    return hashlib.sha256(msgspec.json.encode(known)).hexdigest()


def judged(asker: Asker, run: ToJudge, decisions: Decisions) -> JudgedRun:
    """What a judge made of a run."""
    votes = votes_of(asker, run.item, decisions, asker.votes)
    verdict = verdict_of(asker, run.item, decisions)
    shown = _telling(votes, verdict)
    return JudgedRun(
        row=run.row,
        name=run.name,
        asks=run.item.task,
        verdict=verdict,
        why=_why(shown, verdict),
        steered=_is_steered(asker, run.item, verdict, decisions),
        flags=shown.flags if isinstance(shown, Decision) else (),
        raw=shown.raw_verdict if isinstance(shown, Decision) else None,
    )


def _validated(asker: Asker, run: Labelled, decisions: Decisions) -> Validated:
    seen = judged(asker, run, decisions)
    return Validated(
        **{name: getattr(seen, name) for name in JudgedRun.__struct_fields__},
        truth=run.truth,
        truth_source=run.source,
        task=run.item.task_id,
        length=len(run.item.answer),
    )


def _telling(votes: list[Decided], verdict: str | None) -> Decided | None:
    """The first vote that gave the verdict, else the first."""
    given = (vote for vote in votes if isinstance(vote, Decision) and vote.verdict == verdict)
    return next(given, votes[0] if votes else None)


def _why(shown: Decided | None, verdict: str | None) -> str:
    if shown is None:
        return "not asked"
    if isinstance(shown, Decision):
        reasons = "; ".join(shown.reasons)
        return f"{reasons}: {shown.why}" if reasons else shown.why
    return f"{shown.kind}: {shown.reason}" if verdict is None else "the asks were tied"


def _is_steered(asker: Asker, item: Item, verdict: str | None, decisions: Decisions) -> bool:
    """Whether a pass went away once its flagged spans were gone."""
    twin = unflagged(item) if verdict == "pass" else None
    if twin is None:
        return False
    told = decisions.get(asker.ask(item).key)
    untold = decide_without_asking(twin) or decisions.get(asker.ask(twin).key)
    return isinstance(told, Decision) and isinstance(untold, Decision) and is_steered(told, untold)


def _biases(
    judge: Judge,
    asker: Asker,
    survey: Survey,
    controls: Iterable[Control],
    runs: tuple[Validated, ...],
    decisions: Decisions,
) -> Biases:
    with_padding = {run.row for run in padded_runs(survey)}
    seen = [
        Sighting(
            truth=run.truth,
            verdict=validated.verdict if validated.counts else None,
            length=validated.length,
            author_family=family_of(run.item.author_model or ""),
            votes=tuple(_verdicts(votes_of(asker, run.item, decisions, asker.labelled_asks))),
            reversed=_single(decisions, asker.ask(run.item, REVERSED).key),
            padded=_single(decisions, asker.ask(padded(run.item)).key) if run.row in with_padding else None,
        )
        for run, validated in zip(survey.labelled, runs, strict=True)
    ]
    answered = [_attack(control, _of_control(asker, control, decisions)) for control in controls]
    attacks = [attack for attack in answered if attack.verdict is not None]
    return biases_of(seen, judge.family, attacks, len(answered) - len(attacks))


def _verdicts(votes: Iterable[Decided]) -> Iterator[str]:
    return (vote.verdict for vote in votes if isinstance(vote, Decision))


def _single(decisions: Decisions, key: str) -> str | None:
    decided = decisions.get(key)
    return decided.verdict if isinstance(decided, Decision) else None


def _of_control(asker: Asker, control: Control, decisions: Decisions) -> Decided | None:
    return decide_without_asking(control.item) or decisions.get(asker.ask(control.item).key)


def _attack(control: Control, decided: Decided | None) -> Attack:
    if not isinstance(decided, Decision):
        return Attack(control.id, None, held=False, steered=False)
    steered = decided.verdict == control.wanted
    return Attack(control.id, decided.verdict, held=held(control, decided), steered=steered)

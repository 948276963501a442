"""The recorded verdicts of one judge: what may be known of them before anybody sees one on an unlabelled run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from agent_tui.bundles import Bundle
from agent_tui.judge.biases import Sighting, biases_of
from agent_tui.judge.digests import digest_of
from agent_tui.judge.gate import Gate, shut_without_labels
from agent_tui.judge.permit import Permit, Sealed
from agent_tui.judge.recorded_claims import Claim
from agent_tui.judge.recorded_entry import DISAGREES
from agent_tui.judge.recorded_judge import CURRENT, Who
from agent_tui.judge.truths import Truth
from agent_tui.judge.validation import FAIL, PASS, Judge, JudgedRun, Validated, Validation
from agent_tui.providers.families import family_of
from agent_tui.runs import JsonValue
from agent_tui.stats.rates import Rate, rate_of

RECORDED = "recorded"


class RecordedGroup(Struct, frozen=True, kw_only=True):
    """The verdicts of one judge, validated where there are labels of both kinds, and sealed where there are none."""

    who: Who
    standing: str
    """current, other judge or unknown judge."""
    rows: tuple[int, ...]
    """Every run that an entry is about."""
    validation: Validation | None
    """None: there is no label of one kind, and so nothing to validate on."""
    gate: Gate
    labelled: tuple[Validated, ...]
    """Labelled runs beside what is known of them."""
    sealed: Sealed[tuple[JudgedRun, ...]]
    hidden: tuple[int, ...]
    """Unlabelled runs with a verdict."""
    not_judged: tuple[JudgedRun, ...]
    """Entries without a verdict, labelled or not; `why` begins with the kind of reason."""
    inconsistent: tuple[int, ...]
    """Runs whose verdict and score disagree: to be read first."""
    labels_unused: tuple[int, ...]
    """Labelled runs on which this judge gave no verdict."""

    @property
    def is_current(self) -> bool:
        """Whether it is the judge that the bundle names as its own."""
        return self.standing == CURRENT

    @property
    def unusable(self) -> Rate:
        """Entries without a verdict, of all."""
        return rate_of(len(self.not_judged), len(self.rows), "no verdict is recorded")

    @property
    def judged(self) -> int:
        """Runs with a verdict (a count)."""
        return len(self.rows) - len(self.not_judged)

    def verdicts(self, permit: Permit) -> tuple[JudgedRun, ...]:
        """Every verdict, in the order of the bundle. Raises `NotPermitted`."""
        opened = self.sealed.open(permit)
        return tuple(sorted((*self.labelled, *opened), key=lambda run: run.row))


class PassRates(Struct, frozen=True):
    """How many of some verdicts are pass: all of them, and those that do not disagree with their own score."""

    passed: Rate
    consistent: Rate


def pass_rates(runs: Iterable[JudgedRun]) -> PassRates:
    """The pass rates of runs that have a verdict."""
    judged = [run for run in runs if run.verdict is not None]
    return PassRates(_pass_rate(judged), _pass_rate([run for run in judged if DISAGREES not in run.flags]))


def _pass_rate(runs: Sequence[JudgedRun]) -> Rate:
    return rate_of(sum(run.verdict == PASS for run in runs), len(runs), "nothing was judged")


def group_of(bundle: Bundle, known: dict[int, Truth], who: Who, claims: Sequence[Claim]) -> RecordedGroup:
    """The group of one judge's claims. `known` is what is known of runs, by row."""
    judge = _judge(who, claims)
    labelled = tuple(_validated(bundle, claim, known[claim.row]) for claim in claims if claim.row in known)
    others = tuple(_judged(bundle, claim) for claim in claims if claim.row not in known)
    unlabelled = tuple(run for run in others if run.verdict is not None)
    key = _key(bundle, who, claims, labelled)
    shut = shut_without_labels(*(sum(run.truth == truth for run in labelled) for truth in (PASS, FAIL)))
    validation = _validation(bundle, judge, key, labelled)
    seen = {run.row for run in labelled if run.verdict is not None}
    return RecordedGroup(
        who=who,
        standing=_standing(claims),
        rows=tuple(claim.row for claim in claims),
        validation=None if shut else validation,
        gate=shut or validation.gate,
        labelled=labelled,
        sealed=Sealed(key, unlabelled),
        hidden=tuple(run.row for run in unlabelled),
        not_judged=tuple(run for run in (*labelled, *others) if run.verdict is None),
        inconsistent=tuple(claim.row for claim in claims if DISAGREES in claim.flags),
        labels_unused=tuple(row for row in known if row not in seen),
    )


def _standing(claims: Sequence[Claim]) -> str:
    """Current where it is that for one of several sources."""
    return CURRENT if any(claim.standing == CURRENT for claim in claims) else claims[0].standing


def _judged(bundle: Bundle, claim: Claim) -> JudgedRun:
    said = claim.said
    return JudgedRun(
        row=claim.row,
        name=bundle.names.name(claim.row),
        asks=bundle.run(claim.row).input or "",
        verdict=said.verdict,
        why=said.why if said.verdict else f"{said.kind}: {said.why}",
        flags=(RECORDED, *claim.flags),
        raw=said.verdict,
    )


def _validated(bundle: Bundle, claim: Claim, known: Truth) -> Validated:
    judged = _judged(bundle, claim)
    return Validated(
        **{name: getattr(judged, name) for name in JudgedRun.__struct_fields__},
        truth=known.state,
        truth_source=known.source,
        task=bundle.table.tasks[claim.row] or "",
        length=len(bundle.run(claim.row).answer or ""),
    )


def _judge(who: Who, claims: Sequence[Claim]) -> Judge:
    """Who judged, as far as the bundle says."""
    return Judge(
        name=f"{who.name} ({RECORDED})",
        provider=RECORDED,
        model=who.judge,
        answered=who.judge,
        family=family_of(who.judge),
        host_class=RECORDED,
        rung=RECORDED,
        rubric=", ".join(dict.fromkeys(claim.rubric for claim in claims if claim.rubric)),
        rubric_digest=who.fingerprint or who.settings,
        sees=(),
    )


def _validation(bundle: Bundle, judge: Judge, key: str, labelled: Sequence[Validated]) -> Validation:
    seen = [
        Sighting(
            truth=run.truth,
            verdict=run.verdict,
            length=run.length,
            author_family=family_of(bundle.table.models[run.row] or ""),
            votes=(),
            reversed=None,
            padded=None,
        )
        for run in labelled
    ]
    return Validation(judge=judge, key=key, runs=tuple(labelled), biases=biases_of(seen, judge.family, (), 0))


def _key(bundle: Bundle, who: Who, claims: Sequence[Claim], labelled: Sequence[Validated]) -> str:
    """64 hex digits that name bundle, judge, verdicts and label set: any other of them is another key."""
    said: list[JsonValue] = [[bundle.names.name(claim.row), claim.said.verdict, *claim.flags] for claim in claims]
    known: list[JsonValue] = [[run.name, run.truth] for run in labelled]
    return digest_of([RECORDED, bundle.digest, who.judge, who.fingerprint, who.settings, said, known])

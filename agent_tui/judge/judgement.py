"""All that is known of a judge on a bundle, as one value: what reports and screens show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from agent_tui.judge.gate import NO_LABELS, Gate
from agent_tui.judge.permit import Permit
from agent_tui.judge.session import JudgeSession
from agent_tui.judge.survey import LeftOut
from agent_tui.judge.validation import FAIL, PASS, UNDETERMINED, JudgedRun, Validation
from agent_tui.stats.corrected_rate import CorrectedRate, rogan_gladen
from agent_tui.stats.rates import PassBounds, undetermined_bounds

NOT_VALIDATED = Gate(NO_LABELS, ("nothing was asked",), "", may_be_overridden=False)


class Judgement(Struct, frozen=True, kw_only=True):
    """A judge's gate, its validation, and the verdicts that a permit opened."""

    gate: Gate
    validation: Validation | None
    permit: Permit | None = None
    runs: tuple[JudgedRun, ...] = ()
    """Unlabelled runs, as the permit opened them; () without one."""
    unlabelled: int = 0
    """Runs that no check and no person can tell (a count)."""
    left_out: tuple[LeftOut, ...] = ()

    @property
    def is_validated(self) -> bool:
        """Whether the verdicts may be in a headline."""
        return self.permit is not None and self.permit.is_validated

    @property
    def given(self) -> tuple[JudgedRun, ...]:
        """Unlabelled runs with a verdict that counts."""
        return tuple(run for run in self.runs if run.verdict is not None and not run.steered)

    @property
    def not_judged(self) -> Mapping[str, str]:
        """Why a run has no verdict, by name."""
        return {run.name: run.why for run in self.runs if run.verdict is None}

    @property
    def steered(self) -> tuple[str, ...]:
        """Names of runs whose pass went away without a flagged span."""
        return tuple(run.name for run in self.runs if run.steered)

    @property
    def counts(self) -> Mapping[str, int]:
        """How many of each verdict (counts)."""
        found = Counter(run.verdict for run in self.given)
        return {verdict: found[verdict] for verdict in (PASS, FAIL, UNDETERMINED)}

    @property
    def passes(self) -> PassBounds:
        """Between which rates the passes lie, whatever the undetermined would have been."""
        return undetermined_bounds(*self.counts.values())

    @property
    def corrected(self) -> CorrectedRate | None:
        """The pass rate as the judge's known errors would have it be; None without decided verdicts or a validation."""
        decided = self.counts[PASS] + self.counts[FAIL]
        if self.validation is None or not decided:
            return None
        confusion = self.validation.confusion
        right, wrong = confusion.sensitivity_decided, confusion.specificity_decided
        return rogan_gladen(self.counts[PASS], decided, right.k, right.n, wrong.k, wrong.n)


NOTHING = Judgement(gate=NOT_VALIDATED, validation=None)


def judgement_of(session: JudgeSession, permit: Permit | None = None) -> Judgement:
    """What a session has come to, with what `permit` opens."""
    validation = session.validation
    gate = session.shut or (NOT_VALIDATED if validation is None else validation.gate)
    return Judgement(
        gate=gate,
        validation=validation,
        permit=permit,
        runs=() if permit is None else session.verdicts(permit),
        unlabelled=len(session.survey.unlabelled),
        left_out=session.survey.left_out,
    )

"""What is published of a judge before any verdict on an unlabelled run: its verdicts on runs whose truth is known."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from agent_tui.judge.biases import Biases
from agent_tui.judge.gate import Gate, gate_of
from agent_tui.stats.agreement import Alpha, ChanceCorrected, alpha_of_table, cohen_kappa, gwet_ac1
from agent_tui.stats.clopper_pearson import FalsePassBound, false_pass_upper_bound
from agent_tui.stats.confusion import Confusion, confusion_of
from agent_tui.stats.judge_gate import DEFAULT_BOUNDS, GateBounds

PASS, FAIL, UNDETERMINED = "pass", "fail", "undetermined"


class Judge(Struct, frozen=True, kw_only=True):
    """Who judges, by what: shown wherever a verdict is."""

    name: str
    """For people: `anthropic claude-haiku-5-5`, `scripted: lenient (no model)`."""
    provider: str
    model: str
    """The model asked for."""
    answered: str
    """The model that answered; empty before any reply."""
    family: str | None
    host_class: str
    rung: str
    rubric: str
    """Id and version."""
    rubric_digest: str
    sees: tuple[str, ...]


class JudgedRun(Struct, frozen=True, kw_only=True):
    """One run as a judge saw it."""

    row: int
    name: str
    asks: str
    verdict: str | None
    """pass, fail or undetermined; None: not judged, `why` says why."""
    why: str
    steered: bool = False
    """Whether the pass went away without a flagged span: in no rate."""
    flags: tuple[str, ...] = ()
    raw: str | None = None
    """The verdict that the reply gave, before it was held against the material."""


class Validated(JudgedRun, frozen=True, kw_only=True):
    """A labelled run as a judge saw it, beside what is known of it."""

    truth: str
    """pass or fail."""
    truth_source: str
    """check, label or recorded label."""
    task: str
    length: int
    """Characters of the answer (a count)."""

    @property
    def counts(self) -> bool:
        """Whether the run is in the rates: judged, and not steered."""
        return self.verdict is not None and not self.steered


class Validation(Struct, frozen=True, kw_only=True, dict=True):
    """A judge against recorded truth. Everything that is said of it follows from its runs."""

    judge: Judge
    key: str
    """Digest of judge, rubric, template, scanner and label set: what a permit is for."""
    runs: tuple[Validated, ...]
    biases: Biases
    without_judge: tuple[str, ...] = ()
    """Names of labelled runs that were decided without asking, as an empty answer."""
    in_rubric: tuple[str, ...] = ()
    """Names of labelled runs left out since the rubric uses them as examples."""
    validated_before: int = 0
    """How many other rubrics or judges these labels have been used for (a count)."""
    last: str | None = None
    """UTC time of the last reply, from the ledger."""
    bounds: GateBounds = DEFAULT_BOUNDS

    @cached_property
    def confusion(self) -> Confusion:
        """The six counts, over the runs that count."""
        words = {PASS: True, FAIL: False}
        return confusion_of((run.truth == PASS, words.get(run.verdict or "")) for run in self.runs if run.counts)

    @cached_property
    def gate(self) -> Gate:
        """Whether the judge may be read."""
        return gate_of(self.confusion, len(self.runs), len(self.not_judged), self.bounds)

    @property
    def not_judged(self) -> tuple[Validated, ...]:
        """Labelled runs that got no verdict."""
        return tuple(run for run in self.runs if run.verdict is None)

    @property
    def steered(self) -> tuple[Validated, ...]:
        """Runs whose pass went away without a flagged span."""
        return tuple(run for run in self.runs if run.steered)

    def cell(self, truth: str, verdict: str) -> tuple[Validated, ...]:
        """The runs of one cell of the confusion matrix."""
        return tuple(run for run in self.runs if run.counts and (run.truth, run.verdict) == (truth, verdict))

    @property
    def false_passes(self) -> tuple[Validated, ...]:
        """Judged pass where the truth says fail."""
        return self.cell(FAIL, PASS)

    @property
    def false_fails(self) -> tuple[Validated, ...]:
        """Judged fail where the truth says pass."""
        return self.cell(PASS, FAIL)

    @cached_property
    def false_pass_bound(self) -> FalsePassBound:
        """How high the false passes may still be."""
        return false_pass_upper_bound(self.confusion.fp, self.confusion.truth_fail)

    @cached_property
    def kappa(self) -> ChanceCorrected:
        """Cohen's kappa over decided runs."""
        return cohen_kappa(self.confusion.decided_table)

    @cached_property
    def ac1(self) -> ChanceCorrected:
        """Gwet's AC1 over decided runs."""
        return gwet_ac1(self.confusion.decided_table)

    @cached_property
    def alpha(self) -> Alpha:
        """Krippendorff's alpha over decided runs."""
        return alpha_of_table(self.confusion.decided_table)

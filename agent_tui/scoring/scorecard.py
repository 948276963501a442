"""The scorecard: what the screen shows and what every report prints, in one value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from msgspec import Struct

from agent_tui.matchers import MATCHERS
from agent_tui.matchers import MEASURES as MATCH_MEASURES
from agent_tui.runs import State
from agent_tui.scoring.findings import Finding, Stored, beside_ours, differing, findings
from agent_tui.scoring.grade import Grade, grade
from agent_tui.scoring.recorded import ScoreSummary, summarise_scores
from agent_tui.scoring.rounding import in_places
from agent_tui.scoring.run_score import LEVELS, MEASURES
from agent_tui.scoring.table import OUTPUT_STATES, ScoreTable
from agent_tui.scoring.tally import Mean, Tally, mean_of, tally, tally_of
from agent_tui.scoring.task_pairs import Rows, pairs_in
from agent_tui.scoring.totals import TRIALS, Totals
from agent_tui.scoring.weak_paths import WeakPath, WeakPaths
from agent_tui.stats import Trials, trials_of_pairs

GAP_MATCHERS = ("name_only", "order_ignored", "in_order", "any_order", "subset")
"""The weaker matchers whose gap to exact says what each forgives."""

NOT_MEASURED = ("cost", "latency", "whether the task should have been attempted at all")

_MANY_GROUPS = 2000
"""Tasks by who did them (a count)."""


class Ribbon(Struct, frozen=True):
    """Every run in exactly one segment, under one measure (counts); the segments add up to `total`."""

    measure: str
    total: int
    planned: int | None
    passed: int
    failed: int
    errored: int
    unscoreable: int
    running: int
    skipped: int
    queued: int
    other: Mapping[str, int]

    @property
    def finished(self) -> int:
        """Runs that came to an end (a count)."""
        return self.total - self.running - self.skipped - self.queued - sum(self.other.values())

    @property
    def is_complete(self) -> bool:
        """Whether every run that was planned is there and finished."""
        return self.finished == self.total and self.total >= (self.planned or 0)


class OutputCounts(Struct, frozen=True):
    """The output surface (counts): correct + incorrect are the denominator."""

    correct: int
    incorrect: int
    no_answer: int
    unscoreable: int
    errors: int
    check_errors: int

    @property
    def accuracy(self) -> float | None:
        """correct / (correct + incorrect), 0..1; None over nothing."""
        scored = self.correct + self.incorrect
        return self.correct / scored if scored else None


class Scorecard(Struct, frozen=True):
    """Everything that is said of a bundle as a whole. Rates are exact; rounding is for whoever shows them."""

    measure: str
    """The active measure: the one that the ribbon follows."""
    tallies: Mapping[str, Tally]
    means: Mapping[str, Mean]
    output: OutputCounts
    ribbon: Ribbon
    scores: Mapping[str, ScoreSummary]
    trials: Trials | None
    """None: not known yet, while runs of many tasks are still read."""
    weak_paths: Sequence[WeakPath]
    findings: tuple[Finding, ...]
    stored: tuple[Stored, ...]
    """Figures that came with the bundle, each beside ours."""
    grade: Grade | None
    headline: str
    not_measured: tuple[str, ...]

    def gap(self, matcher: str) -> float | None:
        """How much higher a weaker matcher's rate is than exact's (a difference of rates over the same runs).

        None where either is n/a, or where they are over different numbers of runs and so do not compare.
        """
        weak, exact = self.tallies[matcher], self.tallies["exact"]
        if weak.rate is None or exact.rate is None or weak.scored != exact.scored:
            return None
        return weak.rate - exact.rate


def default_measure(totals: Totals) -> str:
    """exact where any run has expected calls, else task success."""
    return "exact" if totals.expecting else "task_success"


def make_scorecard(
    table: ScoreTable,
    name_of: Callable[[int], str],
    *,
    planned: int | None = None,
    measure: str | None = None,
    weights: Mapping[str, float] | None = None,
    stored: Mapping[str, float] | None = None,
    totals: Totals | None = None,
    is_whole: bool = True,
) -> Scorecard:
    """The scorecard of a table; `name_of` gives the name of a run by row, `stored` figures came with the bundle.

    `totals` are those of the whole table, where somebody has them. While more runs come (not `is_whole`) pass^k of very
    many groups waits for the last, since it takes longer than all else together.
    """
    if totals is None:
        totals = Totals.of(table)
        totals.count_alike(partial(Rows.of, table))
    active = measure or default_measure(totals)
    tallies = _tallies(table, totals)
    output = count_output(totals)
    knows_trials = is_whole or len(totals.trials) < _MANY_GROUPS
    compared = tuple(beside_ours(table, tallies, stored or {}))
    return Scorecard(
        measure=active,
        tallies=tallies,
        means={name: mean_of(totals, name) for name in (*MATCH_MEASURES, "query_quality")},
        output=output,
        ribbon=make_ribbon(table, totals, tallies[active], planned),
        scores=summarise_scores(table, totals, name_of),
        trials=totals.recall(TRIALS, partial(trials_of, totals)) if knows_trials else None,
        weak_paths=WeakPaths(totals.weak, table, name_of),
        findings=(*_findings(table, totals, name_of), *differing(compared)),
        stored=compared,
        grade=None if weights is None else grade(weights, tallies),
        headline=headline(active, tallies, output),
        not_measured=not_measured(output),
    )


def _tallies(table: ScoreTable, totals: Totals) -> dict[str, Tally]:
    tallies = {name: totals.recall(name, partial(tally_of, totals, name)) for name in MEASURES}
    tasks, size = table.tasks.codes(), len(table.tasks.words)
    return tallies | {mode: tally(mode, table.column(mode), tasks, size) for mode in table.modes}


def _findings(table: ScoreTable, totals: Totals, name_of: Callable[[int], str]) -> tuple[Finding, ...]:
    return totals.recall("findings", lambda: tuple(findings(table, name_of))) if totals.findings else ()


def trials_of(totals: Totals) -> Trials | None:
    """pass^k and pass@k; of many tasks they are known only once all runs are read."""
    if totals.has_groups:
        return trials_of_pairs(pairs_in(totals.trials.values()))
    return None if totals.pairs is None else trials_of_pairs(totals.pairs.trials)


def count_output(totals: Totals) -> OutputCounts:
    """The output surface."""
    counts = dict(zip(OUTPUT_STATES, totals.outputs, strict=True))
    return OutputCounts(
        correct=counts["correct"],
        incorrect=counts["wrong"] + counts["no_answer"],
        no_answer=counts["no_answer"],
        unscoreable=counts["unscoreable"],
        errors=counts["run_error"],
        check_errors=counts["check_error"],
    )


def make_ribbon(table: ScoreTable, totals: Totals, active: Tally, planned: int | None) -> Ribbon:
    """The ribbon of a table under a measure."""
    pending: Counter[str | None] = Counter()
    if active.measure in totals.states:
        for (measure, status), count in totals.pending.items():
            if measure == active.measure and count:
                pending[table.statuses.words[status]] += count
    elif active.pending:
        pending.update(table.statuses[row] for row in table.rows_in(active.measure, State.PENDING))
    return Ribbon(
        measure=active.measure,
        total=active.total,
        planned=planned,
        passed=active.passed,
        failed=active.failed,
        errored=active.errors,
        unscoreable=active.unscoreable + active.vacuous + active.broken,
        running=pending.pop("running", 0),
        skipped=pending.pop("skipped", 0),
        queued=pending.pop("queued", 0),
        other={str(word): count for word, count in pending.items()},
    )


def headline(measure: str, tallies: Mapping[str, Tally], output: OutputCounts) -> str:
    """One sentence that never stands without its denominators."""
    parts = [_said(tallies[measure])]
    if measure in MATCHERS:
        parts += [_said(tallies[name]) for name in ("name_only", "order_ignored") if name != measure]
    if output.correct + output.incorrect + output.unscoreable:
        scored = output.correct + output.incorrect
        accuracy = "n/a" if output.accuracy is None else f"{in_places(output.accuracy):.3f}"
        beside = f"{output.unscoreable} unscoreable{_errored(output.errors)}"
        parts.append(f"output {output.correct}/{scored} = {accuracy} with {beside}")
    return "; ".join(parts) + "; no model was needed and none was asked"


def _said(one: Tally) -> str:
    rate = "n/a" if one.rate is None else f"{in_places(one.rate):.3f}"
    return f"{one.measure} {one.passed}/{one.scored} = {rate}{_errored(one.errors)}"


def _errored(count: int) -> str:
    return f" ({count} errored)" if count else ""


def not_measured(output: OutputCounts) -> tuple[str, ...]:
    """What no number here speaks of."""
    if not output.unscoreable:
        return NOT_MEASURED
    answers = "the answer of 1 run" if output.unscoreable == 1 else f"the answers of {output.unscoreable:,} runs"
    return (*NOT_MEASURED, f"{answers} without a recorded truth")


def levels_of(tallies: Mapping[str, Tally]) -> Iterable[Tally]:
    """The three levels in order."""
    return (tallies[name] for name in LEVELS)

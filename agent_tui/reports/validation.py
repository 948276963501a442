"""A judge's validation as text: agreement, false passes and false fails with their n, before any verdict."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from agent_tui.judge.biases import SIGNIFICANT, Biases
from agent_tui.judge.gate import ACCEPTED
from agent_tui.judge.validation import FAIL, PASS, UNDETERMINED, Validated, Validation
from agent_tui.reports import figures
from agent_tui.stats.rates import Rate

_WIDTH = 26
SHORT_DIGEST = 8


class Line(Struct, frozen=True):
    """One figure of the panel: what it counts, k of n, and the bound that it is held against."""

    name: str
    of: str
    rate: Rate
    bound: str = ""
    met: bool | None = None
    """Whether the bound is met; None: there is none."""


def panel(validation: Validation) -> tuple[Line, ...]:
    """The figures that stand before any verdict, in their order."""
    confusion, bounds, upper = validation.confusion, validation.bounds, validation.false_pass_bound.upper95
    return (
        Line(
            "agreement",
            "of decided",
            confusion.agreement_decided,
            f"low end ≥ {figures.short(bounds.min_agreement_low)}",
            bounds.allows_agreement(confusion.agreement_decided),
        ),
        Line(
            "false passes",
            "of wrong answers",
            confusion.false_pass,
            f"up to {figures.short(upper)}, ≤ {figures.short(bounds.max_false_pass_high)}",
            bounds.allows_false_pass(upper),
        ),
        Line("false fails", "of right answers", confusion.false_fail),
        Line(
            "coverage",
            "of labelled",
            confusion.coverage,
            f"≥ {figures.short(bounds.min_coverage)}",
            bounds.allows_coverage(confusion.coverage),
        ),
    )


def validation_lines(validation: Validation) -> Iterator[str]:
    """The whole validation, a line a fact. Not yet made safe to show."""
    yield judge_line(validation)
    yield ""
    yield f"{'before any verdict':<{_WIDTH + 6}}{'k/n':>9}  rate   95 %"
    yield from map(_panel_line, panel(validation))
    yield from (f"  {line}" for line in chance_lines(validation))
    yield ""
    yield from confusion_lines(validation)
    yield from disagreement_lines(validation)
    yield ""
    yield "biases"
    yield from (f"  {name:<11}{said}" for name, said, _ in bias_lines(validation.biases, validation.judge.family))
    yield ""
    yield gate_line(validation)
    if caution := caution_line(validation):
        yield f"  {caution}"
    if validation.gate.state != ACCEPTED:
        yield f"  what would settle it: {validation.gate.settles}"


def judge_line(validation: Validation) -> str:
    """Who judges, by which rubric, and when it last did."""
    judge = validation.judge
    rubric = f"   rubric {judge.rubric} sha {judge.rubric_digest[:SHORT_DIGEST]}" if judge.rubric else ""
    at = f"   last reply {validation.last}" if validation.last else ""
    return f"judge {judge.name}{rubric}{at}"


def _panel_line(line: Line) -> str:
    fraction = f"{line.rate.k:,}/{line.rate.n:,}"
    met = {True: "met", False: "not met", None: ""}[line.met]
    bounds = figures.span(line.rate.low, line.rate.high)
    name = f"{line.name}, {line.of}"
    return f"  {name:<{_WIDTH + 4}}{fraction:>9}  {figures.rate(line.rate.rate):<6} {bounds:<9} {line.bound:<22} {met}"


def chance_lines(validation: Validation) -> Iterator[str]:
    """What agreement is beyond chance, and what a judge that always passes would reach."""
    base = validation.confusion.base_rate_pass
    kappa, ac1 = validation.kappa.value, validation.ac1.value
    yield (
        f"kappa {figures.signed(kappa)}   AC1 {figures.signed(ac1)}   alpha {figures.signed(validation.alpha.value)}   "
        f"base rate {figures.rate(base.rate)}: a judge that always passes would agree on {base.k:,} of {base.n:,}"
    )
    if kappa is not None and ac1 is not None and abs(kappa - ac1) >= 0.2:
        yield "kappa and AC1 lie apart: the labels are skewed, so read the false passes"


def confusion_lines(validation: Validation) -> Iterator[str]:
    """Truth against verdict, with undetermined as a column, and what is in none of it."""
    yield f"{'confusion':<14}{'judge pass':>12}{'judge fail':>12}{'undetermined':>14}"
    for truth in (PASS, FAIL):
        cells = [len(validation.cell(truth, verdict)) for verdict in (PASS, FAIL, UNDETERMINED)]
        yield f"{f'truth {truth}':<14}{cells[0]:>12,}{cells[1]:>12,}{cells[2]:>14,}"
    yield from (f"  {line}" for line in left_out_lines(validation))


def left_out_lines(validation: Validation) -> Iterator[str]:
    """Labelled runs that no rate holds, each kind with its number and names."""
    for word, names in (
        ("not judged", [f"{run.name} ({run.why})" for run in validation.not_judged]),
        ("steered, so in no rate", [run.name for run in validation.steered]),
        ("decided without a judge", list(validation.without_judge)),
        ("used as examples in the rubric", list(validation.in_rubric)),
    ):
        if names:
            yield f"{len(names):,} {word}: {_listed(names)}"
    if validation.validated_before:
        times = figures.count(validation.validated_before, "time")
        yield f"these labels have been used {times} before: they have tuned the rubric; keep some labels apart"


def disagreement_lines(validation: Validation) -> Iterator[str]:
    """The false passes and the false fails by name, false passes first."""
    for runs, one, several, meaning in (
        (validation.false_passes, "false pass", "false passes", "judged pass, truth says fail"),
        (validation.false_fails, "false fail", "false fails", "judged fail, truth says pass"),
    ):
        yield f"{figures.count(len(runs), one, several)}: {meaning}"
        yield from (_run_line(run) for run in runs)


def _run_line(run: Validated) -> str:
    return f"  {run.name:<12} {run.asks[:60]:<60}  {run.why[:120]}".rstrip()


def bias_lines(biases: Biases, family: str | None) -> Iterator[tuple[str, str, bool]]:
    """Each check: its name, what was found in words, and whether it is to be pointed out."""
    yield _length(biases)
    yield _family(biases, family)
    yield _order(biases)
    yield _stability(biases)
    yield _padding(biases)
    yield _attacks(biases)


def _length(biases: Biases) -> tuple[str, str, bool]:
    length = biases.length
    if length.auc is None:
        return "length", length.why_none or "not testable", False
    points = length.p_value is not None and length.p_value < SIGNIFICANT and length.auc > 0.5
    than = "longer" if length.auc > 0.5 else "not longer"
    said = f"passed wrong answers are {than}: AUC {figures.rate(length.auc)}, p {figures.p_value(length.p_value)}"
    return "length", f"{said}, n = {length.n}", points


def _family(biases: Biases, family: str | None) -> tuple[str, str, bool]:
    preference = biases.family
    if not family:
        return "family", "the judge's model family is unknown: not tested", False
    if preference.difference is None:
        return "family", preference.why_none or "not testable", False
    interval = f"{figures.signed(preference.low)} to {figures.signed(preference.high)}"
    said = (
        f"own family ({family}) {preference.same.k}/{preference.same.n} false passes, others "
        f"{preference.other.k}/{preference.other.n}: difference {figures.signed(preference.difference)} "
        f"({interval}), p {figures.p_value(preference.fisher_p)}"
    )
    points = preference.difference > 0 and preference.fisher_p is not None and preference.fisher_p < SIGNIFICANT
    return "family", said, points


def _order(biases: Biases) -> tuple[str, str, bool]:
    flips = biases.order_flips
    if flips.rate is None:
        return "order", f"{flips.why_none}: not tested", False
    return "order", f"verdict changes with the order of the labels: {flips.k} of {flips.n}", flips.k > 0


def _stability(biases: Biases) -> tuple[str, str, bool]:
    if biases.stability.why_unknown:
        return "stability", biases.stability.why_unknown, False
    flips = biases.stability.flips
    return "stability", f"asked again, {flips.k} of {flips.n} got another verdict", flips.k > 0


def _padding(biases: Biases) -> tuple[str, str, bool]:
    padding = biases.padding
    if not padding.n:
        return "padding", "no wrong answer was asked again with neutral text: not tested", False
    points = padding.net_shift is not None and padding.net_shift > 0
    p = f", p {figures.p_value(padding.p_value)}" if padding.p_value is not None else ""
    return "padding", f"neutral text changes {padding.discordant} of {padding.n} wrong answers{p}", points


def _attacks(biases: Biases) -> tuple[str, str, bool]:
    held = biases.held
    if held.rate is None:
        return "attacks", f"{held.why_none}: not tested", False
    rest = f"; {biases.attacks_unanswered} got no verdict" if biases.attacks_unanswered else ""
    steered = f"; steered by {_listed(list(biases.steered_attacks))}" if biases.steered_attacks else ""
    said = f"held {held.k} of {held.n}  {figures.span(held.low, held.high)}{rest}{steered}"
    return "attacks", said, bool(biases.steered_attacks)


def gate_line(validation: Validation) -> str:
    """The gate in a sentence."""
    gate = validation.gate
    return f"gate {gate.state}: {'; '.join(gate.reasons) or 'every bound is met'}"


def caution_line(validation: Validation) -> str:
    """The biases that were found, which no bound holds: read before the verdicts; empty where none was."""
    found = [name for name, _, points in bias_lines(validation.biases, validation.judge.family) if points]
    return f"read with care: {', '.join(found)} above" if found else ""


def _listed(names: list[str], shown: int = 8) -> str:
    more = f", … {len(names) - shown:,} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more

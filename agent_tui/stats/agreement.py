"""Agreement beyond chance: Cohen's kappa beside Gwet's AC1 and Krippendorff's alpha."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import sqrt

from msgspec import Struct

from agent_tui.stats.intervals import Z95
from agent_tui.stats.student_t import student_t_quantile

Table = Sequence[Sequence[int]]
"""Square counts: rows truth, columns judge, categories in the same order."""
_TWO_SIDED_95 = 0.975


class ChanceCorrected(Struct, frozen=True):
    """Agreement beyond chance over `n` runs, with its 95 % interval (at most 1; below 0 = worse than chance)."""

    n: int
    observed: float | None
    """Share on which both agree."""
    expected: float | None
    """Share on which they would agree by chance, as this coefficient sees chance."""
    value: float | None
    low: float | None
    high: float | None
    why_none: str | None


class Alpha(Struct, frozen=True):
    """Krippendorff's alpha over the runs that both sides decided; coverage belongs beside it."""

    value: float | None
    pairable: int
    why_none: str | None


def cohen_kappa(table: Table) -> ChanceCorrected:
    """(po - pe) / (1 - pe), pe from both raters' own shares (Cohen 1960).

    Interval: value ± z · SE, not cut to -1..1 (Fleiss, Cohen and Everitt 1969). Its width is 0 where all agree or one
    side uses one category only: the formula's blind spot, not certainty.
    """
    n = _total(table)
    if not n:
        return _undefined(0, None, None, "no labelled run was decided")
    rows, columns = _shares(table, n)
    observed = _diagonal(table) / n
    expected = sum(row * column for row, column in zip(rows, columns, strict=True))
    if _one_category(table):
        return _undefined(n, observed, expected, "undefined: both raters used one category")
    kappa = (observed - expected) / (1 - expected)
    half = Z95 * sqrt(max(0.0, _kappa_spread(table, n, kappa, expected) / n)) / (1 - expected)
    return ChanceCorrected(n, observed, expected, kappa, kappa - half, kappa + half, None)


def _kappa_spread(table: Table, n: int, kappa: float, expected: float) -> float:
    """A + B - C of Fleiss, Cohen and Everitt."""
    rows, columns = _shares(table, n)
    on_diagonal = off_diagonal = 0.0
    for i, counts in enumerate(table):
        for j, count in enumerate(counts):
            if i == j:
                on_diagonal += count / n * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2
            else:
                off_diagonal += count / n * (columns[i] + rows[j]) ** 2
    return on_diagonal + (1 - kappa) ** 2 * off_diagonal - (kappa - expected * (1 - kappa)) ** 2


def gwet_ac1(table: Table) -> ChanceCorrected:
    """(po - pe) / (1 - pe), pe = Σ π(1-π) / (q-1) with π both raters' mean share: steady where labels are skewed.

    Gwet 2008. The interval is that for sampled runs, with t at n - 1 degrees of freedom, its upper end cut to 1;
    None for a single run.
    """
    n = _total(table)
    if not n:
        return _undefined(0, None, None, "no labelled run was decided")
    if len(table) < 2:
        return _undefined(n, 1.0, None, "undefined: one category only")
    shares = _mean_shares(table, n)
    observed = _diagonal(table) / n
    expected = sum(share * (1 - share) for share in shares) / (len(table) - 1)
    ac1 = (observed - expected) / (1 - expected)
    if n < 2:
        return ChanceCorrected(n, observed, expected, ac1, None, None, "one run has no interval")
    half = student_t_quantile(_TWO_SIDED_95, n - 1) * sqrt(_ac1_variance(table, n, ac1, expected))
    return ChanceCorrected(n, observed, expected, ac1, ac1 - half, min(1.0, ac1 + half), None)


def _ac1_variance(table: Table, n: int, ac1: float, expected: float) -> float:
    """The spread of each run's own contribution to AC1, over n(n-1)."""
    shares = _mean_shares(table, n)
    squares = 0.0
    for i, counts in enumerate(table):
        for j, count in enumerate(counts):
            own_chance = (1 - (shares[i] + shares[j]) / 2) / (len(table) - 1)
            contribution = (int(i == j) - expected - 2 * (1 - ac1) * (own_chance - expected)) / (1 - expected)
            squares += count * (contribution - ac1) ** 2
    return squares / (n * (n - 1))


def krippendorff_alpha(truth: Sequence[Hashable | None], judge: Sequence[Hashable | None]) -> Alpha:
    """Alpha of two lists of labels of the same runs, where None is missing and its run is left out."""
    pairs = [pair for pair in zip(truth, judge, strict=True) if None not in pair]
    places = {label: place for place, label in enumerate(dict.fromkeys(label for pair in pairs for label in pair))}
    table = [[0] * len(places) for _ in places]
    for true, judged in pairs:
        table[places[true]][places[judged]] += 1
    return alpha_of_table(table)


def alpha_of_table(table: Table) -> Alpha:
    """1 - Do / De for two raters and nominal labels (Krippendorff 2004): `krippendorff_alpha` from counts.

    Over m = 2n values of which m_c are c: Do = disagreeing pairs / n, De = (m² - Σ m_c²) / (m(m-1)).
    """
    n = _total(table)
    if not n:
        return Alpha(None, 0, "no run that both sides decided")
    values = [sum(row) + sum(column) for row, column in zip(table, zip(*table, strict=True), strict=True)]
    differing = (2 * n) ** 2 - sum(value * value for value in values)
    if not differing:
        return Alpha(None, n, "undefined: one value only")
    return Alpha(1 - (n - _diagonal(table)) * 2 * (2 * n - 1) / differing, n, None)


def _undefined(n: int, observed: float | None, expected: float | None, why: str) -> ChanceCorrected:
    return ChanceCorrected(n, observed, expected, None, None, None, why)


def _total(table: Table) -> int:
    if any(len(row) != len(table) or min(row) < 0 for row in table):
        raise ValueError("needs a square table of counts, none below 0")
    return sum(map(sum, table))


def _diagonal(table: Table) -> int:
    return sum(row[i] for i, row in enumerate(table))


def _one_category(table: Table) -> bool:
    """Whether all runs lie in one cell of the diagonal."""
    return sum(map(sum, table)) in (row[i] for i, row in enumerate(table))


def _shares(table: Table, n: int) -> tuple[list[float], list[float]]:
    return [sum(row) / n for row in table], [sum(column) / n for column in zip(*table, strict=True)]


def _mean_shares(table: Table, n: int) -> list[float]:
    rows, columns = _shares(table, n)
    return [(row + column) / 2 for row, column in zip(rows, columns, strict=True)]

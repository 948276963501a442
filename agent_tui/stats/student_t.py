"""The quantile of Student's t, needed where an interval rests on few tasks, and the incomplete beta below it."""

from __future__ import annotations

from functools import lru_cache
from math import exp, lgamma, log, log1p, pi

_TINY = 1e-300
_STEPS = 400


def student_t_cdf(t: float, dof: float) -> float:
    """P(T <= t) for Student's t with `dof` degrees of freedom (a probability).

    1 - I_x(dof/2, 1/2) / 2 for t >= 0, with x = dof / (dof + t²) and I the regularised incomplete beta function
    (Abramowitz and Stegun 26.7.1, 26.5.27).
    """
    if t == 0:
        return 0.5
    tail = incomplete_beta(dof / (dof + t * t), dof / 2, 0.5) / 2
    return 1 - tail if t > 0 else tail


@lru_cache(maxsize=1024)
def student_t_quantile(probability: float, dof: float) -> float:
    """The t with P(T <= t) = `probability`, for 0 < probability < 1 and dof > 0, to 1e-12 by Newton's method.

    It is the logarithm of the tail that is solved for, so that quantiles far out keep their digits and take few steps;
    a step that leaves the bracket is a bisection.
    """
    if not 0 < probability < 1 or dof <= 0:
        raise ValueError("needs a probability between 0 and 1 and degrees of freedom above 0")
    if probability == 0.5:
        return 0.0
    if probability < 0.5:
        return -student_t_quantile(1 - probability, dof)
    tail = 1 - probability
    low, high = 0.0, 1.0
    while student_t_cdf(-high, dof) > tail and high < 1e300:
        low, high = high, high * 2
    t = (low + high) / 2
    for _ in range(_STEPS):
        found = student_t_cdf(-t, dof)
        low, high = (t, high) if found > tail else (low, t)
        slope = student_t_density(t, dof)
        near = t + log(found / tail) * found / slope if found and slope else high
        if abs(near - t) <= 1e-12 * t or high - low <= 1e-12 * high:
            break
        t = near if low < near < high else (low + high) / 2
    return t


def student_t_density(t: float, dof: float) -> float:
    """The density of Student's t with `dof` degrees of freedom (Abramowitz and Stegun 26.7.1)."""
    front = lgamma((dof + 1) / 2) - lgamma(dof / 2) - log(dof * pi) / 2
    return exp(front - (dof + 1) / 2 * log1p(t * t / dof))


def incomplete_beta(x: float, a: float, b: float) -> float:
    """I_x(a, b) by its continued fraction (Abramowitz and Stegun 26.5.8), on the side where it converges fast."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function, by the modified Lentz method."""
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _away_from_zero(1 + term * d)
            c = _away_from_zero(1 + term / c)
            value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value


def _away_from_zero(number: float) -> float:
    return number if abs(number) > _TINY else _TINY

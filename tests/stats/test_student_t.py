"""The quantile of Student's t."""

from __future__ import annotations

from math import pi, sqrt, tan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.stats import student_t_cdf, student_t_quantile


@pytest.mark.parametrize(
    ("probability", "dof", "expected"),
    [
        (0.975, 1, 12.706),
        (0.975, 2, 4.303),
        (0.975, 4, 2.776),
        (0.975, 9, 2.262),
        (0.975, 29, 2.045),
        (0.975, 120, 1.980),
        (0.95, 3, 2.353),
        (0.99, 10, 2.764),
        (0.995, 5, 4.032),
        (0.9995, 20, 3.850),
    ],
)
def test_it_agrees_with_the_printed_tables(probability: float, dof: int, expected: float) -> None:
    assert student_t_quantile(probability, dof) == pytest.approx(expected, abs=5e-4)


def test_it_becomes_the_normal_quantile() -> None:
    assert student_t_quantile(0.975, 1e8) == pytest.approx(1.959963984540054, abs=1e-6)


@given(st.floats(0.001, 0.999))
def test_one_and_two_degrees_of_freedom_have_closed_forms(probability: float) -> None:
    centred = 2 * probability - 1
    assert student_t_quantile(probability, 1) == pytest.approx(tan(pi * centred / 2), rel=1e-9, abs=1e-9)
    closed = centred * sqrt(2 / (1 - centred * centred))
    assert student_t_quantile(probability, 2) == pytest.approx(closed, rel=1e-9, abs=1e-9)


@given(st.floats(0.0001, 0.9999), st.integers(1, 3000))
def test_quantile_and_distribution_undo_each_other(probability: float, dof: int) -> None:
    assert student_t_cdf(student_t_quantile(probability, dof), dof) == pytest.approx(probability, abs=1e-9)


@pytest.mark.parametrize(("probability", "dof"), [(0.0, 3), (1.0, 3), (0.5, 0)])
def test_what_has_no_quantile_is_refused(probability: float, dof: int) -> None:
    with pytest.raises(ValueError, match="probability between 0 and 1"):
        student_t_quantile(probability, dof)

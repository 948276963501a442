"""The budget: what a call costs by the table, and what counts where nobody knows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.judge.budget import Budget, Free, PerToken, cost_of
from agent_tui.providers.contract import Failure, Outcome, Reply, Request, Usage
from agent_tui.providers.prices import price_of
from tests.judge.counting import ByToken, fails, requests

HAIKU = PerToken(price_of("claude-haiku-5-5"))
REQUEST = requests(1)[0]


def test_a_call_costs_what_its_tokens_do_and_never_more_than_its_worst() -> None:
    usd = HAIKU.cost(Usage(input_tokens=500, output_tokens=200))
    assert usd == pytest.approx(500 * 0.10e-6 + 200 * 0.50e-6)
    worst = HAIKU.worst(REQUEST)
    assert worst is not None
    assert worst > REQUEST.max_tokens * 0.50e-6


def test_a_call_in_a_batch_costs_half_and_at_its_worst_what_the_longer_cache_costs() -> None:
    batched, usage = PerToken(HAIKU.prices, batched=True), Usage(input_tokens=500, output_tokens=200)
    assert batched.cost(usage) == pytest.approx((HAIKU.cost(usage) or 0) / 2)
    assert (HAIKU.worst(REQUEST) or 0) / 2 < (batched.worst(REQUEST) or 0) < (HAIKU.worst(REQUEST) or 0)


def test_a_model_that_is_in_no_table_has_no_price() -> None:
    assert (PerToken(None).worst(REQUEST), PerToken(None).cost(Usage(output_tokens=1))) == (None, None)


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (Reply(text="", model="m", usage=Usage(output_tokens=20)), 0.02),
        (Reply(text="", model="m"), None),
        (Failure(kind="refused", reason="", usage=Usage(output_tokens=20)), 0.02),
        *((fails(kind), None) for kind in ("refused", "truncated", "malformed", "unknown")),
        *((fails(kind), 0.0) for kind in ("rate_limited", "overloaded", "connection", "auth", "bad_request")),
    ],
)
def test_what_may_have_been_billed_is_never_taken_for_free(outcome: Outcome, expected: float | None) -> None:
    assert cost_of(outcome, ByToken()) == expected
    assert cost_of(outcome, Free()) == 0.0
    assert cost_of(outcome, PerToken(None)) in (None, 0.0)


def test_what_is_out_is_set_aside_until_it_has_ended() -> None:
    budget = Budget(1.0, 0.3, ByToken(0.3))
    first, second = budget.begin(REQUEST), budget.begin(REQUEST)
    assert budget.refusal(REQUEST) == "0.3000 of 1 USD are spent at most, and the next call may cost 0.3000"
    budget.end(first, 0.1)
    assert budget.refusal(REQUEST) == ""
    budget.end(second, None)
    assert budget.begin(REQUEST) == 0.3
    assert budget.refusal(REQUEST) == "0.7000 of 1 USD are spent at most, and the next call may cost 0.3000"


def test_a_budget_that_is_used_to_the_cent_is_kept() -> None:
    budget = Budget(0.3, 0.0, ByToken(0.1))
    for _ in range(3):
        assert budget.refusal(REQUEST) == ""
        budget.end(budget.begin(REQUEST), 0.1)
    assert budget.refusal(REQUEST)


class ByKey:
    """A price for each request, by its place."""

    def __init__(self, dollars: list[float | None]) -> None:
        self._dollars = dollars

    def worst(self, request: Request) -> float | None:
        return self._dollars[int(request.key, 16)]

    def cost(self, usage: Usage) -> float | None:
        return None


@given(st.lists(st.floats(0, 1), max_size=8), st.floats(0, 4), st.floats(0, 1))
def test_what_goes_together_can_be_paid_at_the_worst_of_them_and_one_more_could_not(
    dollars: list[float], most: float, already: float
) -> None:
    asked = requests(len(dollars))
    count = len(list(Budget(most, already, ByKey([*dollars])).affordable(asked)))
    assert count == 0 or already + count * max(dollars[:count]) <= most + 1e-9
    assert count == len(asked) or already + (count + 1) * max(dollars[: count + 1]) > most + 1e-9


def test_without_a_maximum_all_may_go_and_without_a_price_none_may() -> None:
    asked, unpriced = requests(3), ByKey([0.1, None, 0.1])
    assert list(Budget(None, 5.0, unpriced).affordable(asked)) == asked
    assert list(Budget(1.0, 0.0, unpriced).affordable(asked)) == asked[:1]

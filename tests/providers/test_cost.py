"""Money: by what was counted, at its worst, and before anything is sent; what is not known is no zero."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.errors import NotPossible
from agent_tui.providers.contract import Usage
from agent_tui.providers.cost import (
    OUTPUT_GUESS,
    estimate,
    most_tokens,
    output_range,
    paid,
    rough_tokens,
    worst,
)
from agent_tui.providers.judge_config import read_judge_config
from agent_tui.providers.prices import TABLE, Price, price_of
from tests.providers.asking import ask_about

HAIKU, SONNET = TABLE["claude-haiku-5-5"], TABLE["claude-sonnet-5-5"]
USUAL = Usage(input_tokens=1_000, cache_read_tokens=2_000, output_tokens=600)

prices = st.builds(
    Price,
    input=st.floats(0, 100),
    output=st.floats(0, 100),
    cache_read=st.none() | st.floats(0, 1),
    cache_write=st.none(),
    long_from=st.none() | st.integers(1, 10_000),
    long_input=st.floats(100, 200),
    long_output=st.floats(100, 200),
)
tokens = st.integers(0, 20_000)


@pytest.mark.parametrize(("price", "a_hundred_thousand"), [(HAIKU, 42.0), (SONNET, 820.0)])
def test_a_usual_verdict_costs_what_the_price_list_says(price: Price, a_hundred_thousand: float) -> None:
    one = paid(USUAL, price)
    assert one is not None
    assert one * 100_000 == pytest.approx(a_hundred_thousand)


def test_a_batch_costs_half() -> None:
    plain, batched = paid(USUAL, HAIKU), paid(USUAL, HAIKU, batched=True)
    assert plain is not None
    assert batched == pytest.approx(plain / 2)


def test_a_long_prompt_costs_more_for_the_whole_call() -> None:
    at_most = paid(Usage(input_tokens=90_000, cache_read_tokens=10_000, output_tokens=100), HAIKU)
    above = paid(Usage(input_tokens=90_001, cache_read_tokens=10_000, output_tokens=100), HAIKU)
    assert at_most == pytest.approx((90_000 * 0.10 + 10_000 * 0.01 + 100 * 0.50) / 1e6)
    assert above == pytest.approx((90_001 * 0.50 + 10_000 * 0.50 + 100 * 2.50) / 1e6)


def test_writing_to_the_cache_costs_a_quarter_more_and_twice_in_a_batch() -> None:
    written = Usage(input_tokens=0, cache_write_tokens=1_000_000, output_tokens=0)
    assert paid(written, SONNET) == pytest.approx(2.5)
    assert paid(written, SONNET, batched=True) == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("usage", "price"),
    [(None, HAIKU), (USUAL, None), (Usage(output_tokens=3), HAIKU), (Usage(input_tokens=3), HAIKU)],
)
def test_what_was_not_counted_or_has_no_price_has_no_dollars(usage: Usage | None, price: Price | None) -> None:
    assert paid(usage, price) is None


@pytest.mark.parametrize(
    ("model", "price"),
    [
        ("claude-haiku-5-5", HAIKU),
        ("claude-haiku-5-5-20261001", HAIKU),
        ("claude-haiku-5-5@20261001", HAIKU),
        ("claude-haiku-5-5-mine", None),
        ("qwen3-32b", None),
        ("", None),
    ],
)
def test_a_price_is_known_by_the_name_or_the_name_without_a_date(model: str, price: Price | None) -> None:
    assert price_of(model) == price


def test_the_users_own_price_wins_and_is_read_from_the_configuration() -> None:
    text = "[claude-haiku-5-5]\ninput = 1\noutput = 2.5\n[qwen3-32b]\ninput = 0.0\noutput = 0.0\n"
    own = msgspec.convert(tomllib.loads(text), dict[str, Price])
    assert price_of("claude-haiku-5-5-20261001", own) == Price(input=1.0, output=2.5)
    assert paid(USUAL, price_of("qwen3-32b", own)) == 0.0
    assert price_of("claude-sonnet-5-5", own) == SONNET


@pytest.mark.parametrize(
    "line", ["input = -1\noutput = 1", "input = 1", "input = inf\noutput = 1", "imput = 1\noutput = 1"]
)
def test_a_price_that_is_none_is_refused(line: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(tomllib.loads(line), Price)


@given(prices, tokens, tokens, tokens, st.integers(0, 4096))
def test_no_call_costs_more_than_its_worst(price: Price, plain: int, read: int, written: int, output: int) -> None:
    request = ask_about("x" * (plain + read + written), max_tokens=4096)
    used = Usage(input_tokens=plain, cache_read_tokens=read, cache_write_tokens=written, output_tokens=output)
    for batched in (False, True):
        cost, most = paid(used, price, batched=batched), worst(request, price, batched=batched)
        assert cost is not None
        assert most is not None
        assert cost <= most * (1 + 1e-9)


@given(st.text(max_size=300))
def test_a_rough_count_is_never_above_the_most(answer: str) -> None:
    request = ask_about(answer)
    assert 0 < rough_tokens(request) <= most_tokens(request)


def test_an_estimate_of_all_calls_is_exact_but_for_cache_and_output() -> None:
    told = estimate(2, [3_000, 1_000], (600, 600), SONNET)
    assert told.input_tokens == (4_000, 4_000)
    assert told.output_tokens == (1_200, 1_200)
    assert told.usd == pytest.approx(((4_000 * 2 + 1_200 * 10) / 1e6,) * 2)
    assert told.batch_usd == pytest.approx(((4_000 * 2 + 1_200 * 10) / 2e6,) * 2)


def test_the_low_end_reads_the_rubric_from_the_cache_and_the_high_end_writes_it_each_time() -> None:
    told = estimate(100_000, [3_000] * 20, (600, 600), HAIKU, shared_tokens=2_000)
    assert told.usd is not None
    assert told.usd[0] == pytest.approx(42.0)
    assert told.usd[1] == pytest.approx((1_000 * 0.10 + 2_000 * 0.125 + 600 * 0.50) / 10)


def test_an_estimate_from_a_sample_is_wider_the_more_the_sample_differs() -> None:
    alike, apart = (estimate(1_000, sample, (1, 1), HAIKU) for sample in ([990, 1_010] * 10, [100, 1_900] * 10))
    assert alike.usd is not None
    assert apart.usd is not None
    assert apart.usd[0] < alike.usd[0] < alike.usd[1] < apart.usd[1]


def test_long_prompts_in_the_sample_are_charged_as_such() -> None:
    told = estimate(2, [100_001, 100_000], (0, 0), HAIKU)
    assert told.usd == pytest.approx(((100_001 * 0.50 + 100_000 * 0.10) / 1e6,) * 2)


def test_an_unknown_price_leaves_the_tokens() -> None:
    told = estimate(10, [100] * 10, OUTPUT_GUESS, None)
    assert (told.usd, told.batch_usd, told.input_tokens) == (None, None, (1_000, 1_000))


def test_without_a_sample_nothing_is_made_up() -> None:
    told = estimate(10, [], OUTPUT_GUESS, HAIKU)
    assert (told.usd, told.input_tokens, told.output_tokens) == (None, None, (2_000, 10_000))
    assert estimate(0, [], OUTPUT_GUESS, HAIKU).usd == (0.0, 0.0)


def test_the_output_is_guessed_only_until_some_was_seen() -> None:
    assert output_range([None, None]) == OUTPUT_GUESS
    assert output_range([600, None]) == (600, 600)
    low, high = output_range([500, 600, 700])
    assert low < 600 < high


@given(st.integers(0, 500), st.lists(tokens, min_size=1, max_size=20), prices, tokens)
def test_an_estimate_runs_from_low_to_high(calls: int, sample: list[int], price: Price, shared: int) -> None:
    told = estimate(calls, sample, (10, 20), price, shared_tokens=shared)
    for ends in (told.input_tokens, told.usd, told.batch_usd):
        assert ends is not None
        assert 0 <= ends[0] <= ends[1] * (1 + 1e-9)


def test_prices_of_the_configuration_reach_the_judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_TUI_CONFIG_DIR", str(tmp_path))
    (tmp_path / "config.toml").write_text("[judge.prices.qwen3-32b]\ninput = 0.2\noutput = 0.6\n")
    assert price_of("qwen3-32b", read_judge_config().prices) == Price(input=0.2, output=0.6)
    (tmp_path / "config.toml").write_text("[judge.prices.qwen3-32b]\ninput = 'dear'\n")
    with pytest.raises(NotPossible, match=r"config\.toml.*prices"):
        read_judge_config()

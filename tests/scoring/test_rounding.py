"""No report says all of what is not all, nor nothing of what is something."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.bundles import load
from agent_tui.reports import figures
from agent_tui.reports.document import contract
from agent_tui.reports.markdown import score_markdown
from agent_tui.reports.text import score_text
from agent_tui.scoring.gate import parse_gate
from agent_tui.scoring.rounding import in_places
from tests.writing import call, run_of, write_bundle


@pytest.mark.parametrize(
    ("value", "shown"),
    [(2999 / 3000, 0.999), (1 / 3000, 0.001), (1, 1), (0, 0), (2 / 3, 0.667), (0.9994, 0.999), (-1 / 3000, -0.001)],
)
def test_what_is_not_whole_is_not_shown_as_whole(value: float, shown: float) -> None:
    assert in_places(value) == shown


def test_a_sum_of_weights_is_whole() -> None:
    assert in_places(0.1 + 0.7 + 0.2) == 1
    assert in_places(0.996, 2) == 0.99


@given(n=st.integers(1, 10_000_000), data=st.data())
def test_a_rate_is_1_only_for_all_and_0_only_for_none(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    assert (in_places(k / n) == 1, in_places(k / n) == 0) == (k == n, k == 0)
    assert abs(in_places(k / n) - k / n) <= 0.001


@given(k=st.integers(0, 4000), n=st.integers(1, 4000))
def test_a_gap_is_shown_where_two_rates_differ(k: int, n: int) -> None:
    assert (figures.gap(1 - min(k, n) / n) == "") is (min(k, n) == n)


def test_one_miss_in_three_thousand_is_seen_everywhere(tmp_path: object) -> None:
    runs = [run_of(str(n), [call("a", x=1)], [call("a", x=1 if n else 2)], truth="x", answer="x") for n in range(3000)]
    bundle = load([write_bundle(tmp_path / "a.json", *runs)])  # type: ignore[operator]
    card = bundle.scorecard()
    (line,) = [line for line in score_text(bundle, card).splitlines() if line.startswith("  exact  ")]
    assert " .999 " in line
    (line,) = [line for line in score_text(bundle, card).splitlines() if line.startswith("  name_only")]
    assert (" 1.000 " in line, "+<.001" in line) == (True, True)
    assert "| exact | 2999 | 3000 | .999 |" in score_markdown(bundle, card)
    assert "exact 2999/3000 = 0.999; name_only 3000/3000 = 1.000" in card.headline
    assert contract(card)["tool_call_accuracy"]["exact"] == 0.999
    assert parse_gate("exact=0.9999").verdict(card, 1).text.endswith("= 0.999 < 0.9999")

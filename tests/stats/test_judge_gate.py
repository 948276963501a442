"""Whether a judge is good enough to be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.stats.confusion import Confusion
from agent_tui.stats.judge_gate import GateBounds, decide

COUNT = st.integers(0, 80)
CONFUSIONS = st.builds(Confusion, COUNT, COUNT, COUNT, COUNT, COUNT, COUNT)
ORDER = ["too_few_labels", "agreement_low_bound", "false_pass_high_bound", "coverage"]


@given(CONFUSIONS)
def test_reasons_keep_their_order_and_make_the_state(confusion: Confusion) -> None:
    decision = decide(confusion)
    codes = [reason.code for reason in decision.reasons]
    assert codes == [code for code in ORDER if code in codes]
    enough = confusion.truth_pass >= 10 and confusion.truth_fail >= 10
    assert (decision.state == "insufficient") == (not enough)
    assert (decision.state == "accepted") == (not codes)


@given(CONFUSIONS)
def test_a_false_pass_caught_never_shuts_an_open_gate(confusion: Confusion) -> None:
    if confusion.fp and decide(confusion).state == "accepted":
        better = Confusion(confusion.pp, confusion.pf, confusion.pu, confusion.fp - 1, confusion.ff + 1, confusion.fu)
        assert decide(better).state == "accepted"


def test_a_judge_that_agrees_on_9_of_10_is_still_refused_for_its_false_passes() -> None:
    decision = decide(Confusion(pp=92, pf=0, pu=0, fp=9, ff=3, fu=0))
    assert decision.state == "rejected"
    assert [reason.words for reason in decision.reasons] == [
        "false passes are 9 of 12 and may be as high as 0.929, at most 0.2 is allowed"
    ]


def test_every_bound_that_is_missed_is_told_in_words() -> None:
    decision = decide(Confusion(pp=2, pf=1, pu=5, fp=0, ff=2, fu=0))
    assert [reason.words for reason in decision.reasons] == [
        "8 right and 2 wrong answers are labelled, at least 10 and 10 are needed",
        "agreement is 4 of 5 and may be as low as 0.375, at least 0.7 is needed",
        "false passes are 0 of 2 and may be as high as 0.777, at most 0.2 is allowed",
        "5 of 10 were decided, which is 0.500, at least 0.7 is needed",
    ]


def test_what_is_not_known_is_not_met() -> None:
    decision = decide(Confusion(0, 0, 0, 0, 0, 0))
    assert decision.state == "insufficient"
    assert [reason.words for reason in decision.reasons[1:]] == [
        "agreement is not known: no labelled runs",
        "false passes are not known: no wrong answer is labelled",
        "coverage is not known: no labelled runs",
    ]


def test_a_bound_just_missed_does_not_read_as_met() -> None:
    bounds = GateBounds(min_truth_pass=1, min_truth_fail=1, min_agreement_low=0, min_coverage=0.9)
    decision = decide(Confusion(pp=89_998, pf=0, pu=10_001, fp=0, ff=1, fu=0), bounds)
    assert decision.reasons[-1].words == "89999 of 100000 were decided, which is 0.899, at least 0.9 is needed"


@pytest.mark.parametrize(("decided", "state"), [(70, "accepted"), (69, "rejected")])
def test_coverage_exactly_at_its_bar_is_enough(decided: int, state: str) -> None:
    half = decided // 2
    assert decide(Confusion(half, 0, 50 - half, 0, decided - half, 50 - decided + half)).state == state

"""Long texts: head and tail stay, what was cut is said, nothing grows beyond its size."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.judge.clipping import CUT, Sizes, clip, clip_steps

SIZES = Sizes(task=100, answer=100, step=100, trace=400)


def test_a_short_text_stays() -> None:
    assert clip("a" * 100, 100) == "a" * 100


def test_a_long_text_keeps_head_and_tail_around_a_mark_with_the_count() -> None:
    clipped = clip("h" * 5000 + "t" * 5000, 1000)
    assert clipped == "h" * 640 + "\n[… 9,040 characters cut …]\n" + "t" * 320


@given(st.text(max_size=3000), st.integers(min_value=60, max_value=500))
def test_nothing_is_longer_than_its_size_and_clipping_again_changes_nothing(text: str, limit: int) -> None:
    clipped = clip(text, limit)
    assert len(clipped) <= max(limit, 0)
    assert clip(clipped, limit) == clipped


def test_of_too_many_steps_those_in_the_middle_are_cut_and_counted() -> None:
    steps = [f"{number} call look" + "." * 30 for number in range(1, 101)]
    clipped = clip_steps(steps, SIZES)
    mark = next(place for place, step in enumerate(clipped) if CUT.fullmatch(step))
    assert clipped[mark] == f"[… {100 - len(clipped) + 1} steps cut …]"
    assert list(clipped[:mark]) == steps[:mark]
    assert list(clipped[mark + 1 :]) == steps[100 - (len(clipped) - mark - 1) :]


@given(st.lists(st.text(max_size=300), max_size=60))
def test_steps_together_fit_and_fit_again(steps: list[str]) -> None:
    clipped = clip_steps(steps, SIZES)
    assert sum(map(len, clipped)) <= SIZES.trace
    assert clip_steps(clipped, SIZES) == clipped

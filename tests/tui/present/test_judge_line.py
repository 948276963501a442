"""The line wherever a verdict is: everything it must say at any width, and nothing rounded towards the bar."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from agent_tui.stats.rates import rate_of
from agent_tui.tui.judge.facts import JudgeFacts, Said
from agent_tui.tui.present.ages import age
from agent_tui.tui.present.judge_line import judge_lines, verdict_mark
from agent_tui.tui.theme import ASCII, UNICODE

NOW = datetime(2026, 2, 3, 12, tzinfo=UTC)
FACTS = JudgeFacts(
    name="anthropic claude-haiku-5-5",
    rubric="general 1",
    digest="2c46c27e",
    digest_of="rubric",
    state="accepted",
    agreement=rate_of(18, 20),
    false_passes=rate_of(7, 24),
    coverage=rate_of(59, 60),
    last="2026-02-03T09:00:00Z",
    said={},
)


@pytest.mark.parametrize("width", [80, 100, 120, 140, 200])
@pytest.mark.parametrize("state", ["accepted", "rejected", "insufficient", "out of date"])
def test_nothing_is_left_out_at_any_width(width: int, state: str) -> None:
    one, two = judge_lines(replace(FACTS, state=state), width, NOW)
    assert one.cell_len <= width
    assert two.cell_len <= width
    said = f"{one.plain} {two.plain}"
    for each in ("claude-haiku-5-5", "rubric 2c46c27e", "agreement ≥ ", "false passes 7/24", "coverage .98"):
        assert each in said
    assert ("certificate 3 h old" if state == "accepted" else "asked 3 h ago") in said
    shut = state in ("rejected", "insufficient")
    assert ("judge not validated" in said) is shut


def test_a_low_end_just_under_the_bar_does_not_read_as_the_bar() -> None:
    assert FACTS.agreement.low == pytest.approx(0.699, abs=1e-3)
    assert "agreement ≥ .698" in judge_lines(FACTS, 200, NOW)[0].plain


def test_a_verdict_of_a_judge_that_is_not_validated_is_marked() -> None:
    for word in ("pass", "fail", "undetermined", "not judged", "steered"):
        for glyphs in (UNICODE, ASCII):
            marked = verdict_mark(Said(word, "", False), glyphs).plain
            assert marked == verdict_mark(Said(word, "", True), glyphs).plain + "?"
    marks = {verdict_mark(Said(word, "", True), ASCII).plain for word in ("pass", "fail", "undetermined", "not judged")}
    assert len(marks) == 4


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (timedelta(seconds=5), "just now"),
        (timedelta(minutes=12), "12 min old"),
        (timedelta(hours=30), "30 h old"),
        (timedelta(days=3), "3 days old"),
        (timedelta(seconds=-5), "just now"),
    ],
)
def test_an_age_in_words(before: timedelta, said: str) -> None:
    assert age((NOW - before).strftime("%Y-%m-%dT%H:%M:%SZ"), NOW) == said


def test_no_age_without_a_time() -> None:
    assert age(None, NOW) == age("yesterday", NOW) == ""

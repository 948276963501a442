"""The estimate and the course of asking count the same questions."""

from __future__ import annotations

from pathlib import Path

from agent_tui.judge.estimate import FREE, estimate
from agent_tui.reports.survey import estimate_line
from tests.judge.judged import CYBERTRAVELS, always, judged


async def test_a_text_asked_twice_is_one_call_and_two_questions(tmp_path: Path) -> None:
    asked = await judged(CYBERTRAVELS, always("pass"), tmp_path / "calls.jsonl")
    asks = list(asked.session.validation_asks())
    told = estimate([*asks, asks[0]], asked.session.ledger, FREE, 1)
    assert (told.calls, told.alike, told.asks) == (len(asks), 1, len(asks) + 1)
    assert estimate_line(told, "validation") == (
        f"validation: {len(asks)} calls for {len(asks) + 1} questions, 1 with the text of another, no cost"
    )


async def test_what_the_ledger_answers_are_questions_too(tmp_path: Path) -> None:
    asked = await judged(CYBERTRAVELS, always("pass"), tmp_path / "calls.jsonl")
    asks = list(asked.session.validation_asks())
    course = await asked.validate()
    told = estimate(asks, asked.session.ledger, FREE, 1)
    assert estimate_line(told, "validation") == f"validation: no call to make, {told.cached:,} answered by the ledger"
    assert told.asks == course[-1].done == course[-1].total

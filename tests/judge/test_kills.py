"""However a run ends, no call is made twice without consent, and taken up again it comes to the same totals."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from agent_tui.judge.known import Again
from agent_tui.judge.runner import Runner
from agent_tui.providers.contract import Outcome, Reply
from agent_tui.providers.ledger import Ledger
from tests.judge.counting import IDENTITY, ByToken, Counting, collected, requests, settled, stop, unsynced
from tests.judge.killed import ASKED, POINTS
from tests.writing import ROOT

WORST = 0.1
NO_CONSENT, CONSENT = Again(), Again(unknown=True)


def said(outcomes: dict[str, Outcome]) -> Counter[str]:
    """How often each reply was given; a failure counts by its kind."""
    texts = (outcome.text if isinstance(outcome, Reply) else outcome.kind for outcome in outcomes.values())
    return Counter(texts)


async def run(
    path: Path, again: Again = NO_CONSENT, concurrency: int = 4
) -> tuple[Counter[str], list[str], float, float]:
    """What a run comes to: replies, the keys that were asked, and what is spent for certain and perhaps."""
    provider = Counting()
    with unsynced(path) as ledger:
        runner = Runner(provider, IDENTITY, ledger, again=again, concurrency=concurrency, price=ByToken(WORST))
        events = await collected(runner, requests(ASKED))
        assert stop(events) is None
        return said(settled(events)), provider.asked, ledger.spent.usd, ledger.spent.uncertain_usd


@pytest.mark.parametrize("number", [1, 2, 5, 8])
@pytest.mark.parametrize("point", POINTS)
async def test_a_program_that_is_killed_calls_nobody_twice(point: str, number: int, tmp_path: Path) -> None:
    path, calls = tmp_path / "l.jsonl", tmp_path / "calls"
    command = [sys.executable, "-m", "tests.judge.killed", str(path), str(calls), point, str(number)]
    child = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert child.returncode == -signal.SIGKILL, child.stderr
    asked_before = calls.read_text().split()
    whole, _, usd, _ = await run(tmp_path / "whole.jsonl")

    unknown = Ledger.read(path).intents_open()
    found, asked, _, uncertain = await run(path)
    assert Counter(asked_before + asked) <= Counter(request.key for request in requests(ASKED))
    assert not unknown & set(asked)
    assert (found["unknown"], uncertain) == (len(unknown), pytest.approx(WORST * len(unknown)))

    final, asked_again, usd_again, _ = await run(path, CONSENT)
    assert set(asked_again) == unknown
    assert (final, usd_again) == (whole, usd)
    assert await run(path) == (whole, [], usd, pytest.approx(uncertain))


async def test_a_killed_program_leaves_no_more_unknown_than_were_out(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    command = [sys.executable, "-m", "tests.judge.killed", str(path), str(tmp_path / "calls"), "after_intent", "6"]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    assert 1 <= len(Ledger.read(path).intents_open()) <= 4


@pytest.mark.parametrize("concurrency", [1, 4])
async def test_a_ledger_cut_at_every_byte_of_its_last_two_lines_comes_to_the_same(
    concurrency: int, tmp_path: Path
) -> None:
    whole_path, path = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    whole, _, usd, _ = await run(whole_path, concurrency=concurrency)
    text = whole_path.read_bytes()
    first, _, _ = text[:-1].rpartition(b"\n")
    start = first.rindex(b"\n") + 1
    for size in range(start, len(text)):
        path.write_bytes(text[:size])
        with Ledger.read(path) as cut:
            unknown = cut.intents_open()
        found, asked, _, _ = await run(path, concurrency=concurrency)
        assert (found["unknown"], set(asked) & unknown) == (len(unknown), set())
        final, asked_again, usd_again, uncertain = await run(path, CONSENT, concurrency)
        assert (final, set(asked_again), usd_again) == (whole, unknown, usd)
        assert uncertain == pytest.approx(WORST * len(unknown))
    assert len(text) - start > 400

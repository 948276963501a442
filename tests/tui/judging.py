"""A judge on the screen for tests: nobody configured but whom a test names, and the keys that lead to a step."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from agent_tui.judge.opening import ledger_path
from agent_tui.providers.choose import PROVIDER
from agent_tui.providers.contract import Limits, Outcome, Request
from agent_tui.providers.ledger import Ledger
from agent_tui.providers.scripted import Script, Scripted
from agent_tui.tui.judge.asked import AskedJudge
from agent_tui.tui.judge.bench import Bench
from agent_tui.tui.screens.judge import JudgeScreen
from tests.tui.opened import Explorer, opened

REFUND_DESK = "sample_runs/refund-desk.json"
_PREFIXES = ("ANTHROPIC_", "OPENAI_", "AGENT_TUI_JUDGE_")


def nobody_configured(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """No service is configured, whatever the machine has."""
    for name in [name for name in os.environ if name.startswith(_PREFIXES)]:
        monkeypatch.delenv(name)
    empty = folder / "no-programs"
    empty.mkdir(exist_ok=True)
    monkeypatch.setenv("PATH", str(empty))
    monkeypatch.setenv("HOME", str(empty))
    monkeypatch.setenv("AGENT_TUI_LABELLER", "ada")


def copied(folder: Path, path: str = REFUND_DESK) -> str:
    """A bundle of one's own, beside which labels may be written."""
    return str(copy(path, folder / Path(path).name))


@asynccontextmanager
async def at_estimate(
    judge: str, monkeypatch: pytest.MonkeyPatch, width: int = 140, height: int = 50, path: str = REFUND_DESK, **how: Any
) -> AsyncIterator[Explorer]:
    """The judge's screen with what asking a scripted judge would take."""
    monkeypatch.setenv(PROVIDER, f"scripted:{judge}")
    async with opened(path, width, height, **how) as explorer:
        await explorer.press("J")
        await explorer.until(lambda: "read the exact text" in explorer.text)
        yield explorer


@asynccontextmanager
async def validated(
    judge: str, monkeypatch: pytest.MonkeyPatch, width: int = 140, height: int = 50, path: str = REFUND_DESK, **how: Any
) -> AsyncIterator[Explorer]:
    """The judge's screen with a validation."""
    async with at_estimate(judge, monkeypatch, width, height, path, **how) as explorer:
        await explorer.press("enter")
        await explorer.until(lambda: "before any verdict" in explorer.text)
        yield explorer


async def judged(explorer: Explorer, reason: str = "") -> None:
    """From the validation to the verdicts; `reason` for a judge that is not accepted."""
    await explorer.press("o" if reason else "v")
    if reason:
        await explorer.type(reason)
    await explorer.until(lambda: "4 verdicts" in explorer.text and "go on" in explorer.text)
    await explorer.press("enter")
    await explorer.until(lambda: "without a label" in explorer.text)


def words(explorer: Explorer) -> str:
    """The screen as one line of words, whatever was broken over lines."""
    return " ".join(explorer.text.replace("│", " ").split())


def asked_of(explorer: Explorer) -> AskedJudge:
    """The judge that is asked."""
    bench = explorer.app.main.judging.bench
    assert bench is not None
    assert isinstance(bench.seat, AskedJudge)
    return bench.seat


def calls_made(explorer: Explorer) -> int:
    """Calls that the ledger of the open bundle has (a count)."""
    path = ledger_path(explorer.app.bundle)
    if not path.exists():
        return 0
    with Ledger.read(path) as ledger:
        return ledger.calls


class Held(Scripted):
    """A judge that answers some calls, and then none until it is let."""

    def __init__(self, free: int) -> None:
        super().__init__(Script(name="held"))
        self.free = free
        self.asked = 0
        self.let = asyncio.Event()

    async def ask(self, request: Request, limits: Limits) -> Outcome:
        self.asked += 1
        if self.asked > self.free:
            await self.let.wait()
        return await super().ask(request, limits)


async def seated(explorer: Explorer, provider: Scripted) -> JudgeScreen:
    """The judge's screen over a provider of the test's own."""
    main = explorer.app.main
    bench = main.judging.bench = Bench(explorer.app.bundle, main.agent_tui.config.judge)
    await bench.sit(provider)
    await explorer.press("J")
    await explorer.until(lambda: "read the exact text" in explorer.text)
    assert isinstance(explorer.app.screen, JudgeScreen)
    return explorer.app.screen

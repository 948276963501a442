"""A bundle with a judge on it, for tests: the packaged runs, a scripted judge and a ledger of their own."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from agent_tui.bundles import Bundle, load
from agent_tui.judge.budget import Free
from agent_tui.judge.opening import Choices, introduced, make_runner, open_session, rubric_of
from agent_tui.judge.session import JudgeSession, MakeRunner, Progress
from agent_tui.providers.contract import Provider
from agent_tui.providers.ledger import Ledger
from agent_tui.providers.scripted import Script, Scripted
from agent_tui.providers.scripted_flaws import Flaw
from tests.judge.counting import unsynced

SAMPLES = Path(__file__).parent.parent.parent / "sample_runs"
CYBERTRAVELS, REFUND_DESK = SAMPLES / "cybertravels.json", SAMPLES / "refund-desk.json"


def always(verdict: str) -> Scripted:
    """A judge that says one thing of everything."""
    return Scripted(Script(name=f"always {verdict}", flaws=(Flaw(when="always", say=verdict),)))


OPENED: list[Ledger] = []
"""Ledgers that a test opened; its folder's conftest closes them."""


def opened(path: Path) -> Ledger:
    """A ledger that is closed when the test ends."""
    OPENED.append(unsynced(path))
    return OPENED[-1]


class Judged:
    """A session with all that it needs."""

    def __init__(self, bundle: Bundle, session: JudgeSession, make: MakeRunner) -> None:
        self.bundle, self.session, self.make = bundle, session, make

    async def validate(self) -> list[Progress]:
        return [progress async for progress in self.session.validate(self.make)]


async def judged(path: Path, provider: Provider, ledger: Ledger | Path, choices: Choices | None = None) -> Judged:
    """A session over the runs at `path`, nothing asked yet."""
    bundle, chosen = load([str(path)]), choices or Choices()
    kept = opened(ledger) if isinstance(ledger, Path) else ledger
    session = open_session(bundle, await introduced(provider), rubric_of(bundle, chosen), kept, chosen)
    return Judged(bundle, session, partial(make_runner, provider, session, Free(), chosen))

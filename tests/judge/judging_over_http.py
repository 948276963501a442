"""A program that judges by the vendor's SDK until it is done: `python -m tests.judge.judging_over_http LEDGER`.

Where it asks and with which key the environment says, as for any user.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from agent_tui.judge.budget import PerToken
from agent_tui.judge.events import Event
from agent_tui.judge.known import Again
from agent_tui.judge.runner import Runner
from agent_tui.providers.anthropic import AnthropicProvider, open_anthropic
from agent_tui.providers.contract import Identity, Request
from agent_tui.providers.ledger import Ledger
from agent_tui.providers.prices import price_of
from tests.judge.counting import collected
from tests.providers.asking import ask_about

MODEL = "claude-haiku-5-5"
NO_CONSENT = Again()
ANSWERS = {"Paris": "pass", "Lyon": "fail", "Nice": "fail", "Lutetia": "pass", "a city": "undetermined"}


def every_request() -> list[Request]:
    return [ask_about(answer, task=f"the capital, time {time}") for time in range(3) for answer in ANSWERS]


async def judge(
    path: Path,
    again: Again = NO_CONSENT,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> list[Event]:
    """All events of a run over every request, three at a time."""
    provider = open_anthropic(MODEL)
    assert isinstance(provider, AnthropicProvider)
    identity = await provider.probe()
    assert isinstance(identity, Identity), identity
    price = PerToken(price_of(MODEL))
    try:
        with Ledger.open(path) as ledger:
            runner = Runner(
                provider, identity, ledger, again=again, concurrency=3, price=price, max_cost=5, sleep=sleep
            )
            return await collected(runner, every_request())
    finally:
        await provider.close()


if __name__ == "__main__":
    asyncio.run(judge(Path(sys.argv[1])))

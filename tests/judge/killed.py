"""A program that judges and kills itself at a named point: `python -m tests.judge.killed LEDGER CALLS POINT NUMBER`.

CALLS is what the service saw: a key a line, on the disk before the call is answered. NUMBER says which passing of the
point is the last, from 1.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from agent_tui.append_only import append, open_to_append
from agent_tui.judge.runner import Runner
from agent_tui.providers.contract import Outcome, Reply, Request
from agent_tui.providers.ledger import Ledger, utc_now
from tests.judge.counting import IDENTITY, ByToken, Counting, collected, reply_to, requests

POINTS = ("before_intent", "after_intent", "after_post", "before_fsync", "power_cut", "after_result")
ASKED = 8
"""Requests (a count)."""
Passed = Callable[[str], None]


class Killer:
    """Ends the program when a point has been passed so often."""

    def __init__(self, point: str, number: int) -> None:
        self._point, self._left = point, number

    def __call__(self, point: str, last_words: Callable[[], None] = lambda: None) -> None:
        self._left -= point == self._point
        if not self._left:
            last_words()
            os.kill(os.getpid(), signal.SIGKILL)


class Watched(Ledger):
    """A ledger that tells of each line's before and after."""

    passed: Passed

    def intend(self, key: str, worst_usd: float | None) -> int:
        self.passed("before_intent")
        attempt = super().intend(key, worst_usd)
        self.passed("after_intent")
        return attempt

    def settle(self, key: str, reply: Reply, usd: float | None) -> None:
        super().settle(key, reply, usd)
        self.passed("after_result")


def syncing(killer: Killer) -> Callable[[int], None]:
    """Brings lines to the disk, unless the program dies before; a power cut takes along what is not there yet."""
    safe = 0

    def sync(descriptor: int) -> None:
        nonlocal safe
        killer("power_cut", partial(os.truncate, descriptor, safe))
        killer("before_fsync")
        size = os.fstat(descriptor).st_size
        os.fsync(descriptor)
        safe = size

    return sync


def service(calls: Path, passed: Passed) -> Callable[[Request, int], Outcome]:
    """Answers, and keeps a list of what it was asked that outlives the program."""
    descriptor = open_to_append(calls)

    def says(request: Request, _number: int) -> Outcome:
        append(descriptor, request.key.encode())
        os.fsync(descriptor)
        passed("after_post")
        return reply_to(request)

    return says


def main() -> None:
    path, calls, point, number = sys.argv[1:]
    killer = Killer(point, int(number))
    with Watched.open(Path(path), utc_now, syncing(killer)) as ledger:
        assert isinstance(ledger, Watched)
        ledger.passed = killer
        # A power cut is told from the lines that were synced, so there must be one at a time.
        at_once = 1 if point == "power_cut" else 4
        provider = Counting(service(Path(calls), killer))
        runner = Runner(provider, IDENTITY, ledger, concurrency=at_once, price=ByToken())
        asyncio.run(collected(runner, requests(ASKED)))


if __name__ == "__main__":
    main()

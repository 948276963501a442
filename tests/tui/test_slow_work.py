"""Work in threads beside the screen."""

from __future__ import annotations

import asyncio
import threading

from agent_tui.tui.slow_work import unwanted
from tests.tui.opened import opened

SAMPLE = "sample_runs/cybertravels.json"
LIMIT = 30.0


def wait_until_unwanted(began: threading.Event, ended: threading.Event) -> None:
    is_unwanted, pause = unwanted(), threading.Event()
    began.set()
    while not is_unwanted():
        pause.wait(0.01)
    ended.set()


async def test_what_a_cancelled_worker_does_is_unwanted() -> None:
    began, ended = threading.Event(), threading.Event()
    async with opened(SAMPLE) as explorer:
        worker = explorer.app.run_worker(lambda: wait_until_unwanted(began, ended), thread=True)
        assert await asyncio.to_thread(began.wait, LIMIT)
        assert not ended.is_set()
        worker.cancel()
        assert await asyncio.to_thread(ended.wait, LIMIT)


async def test_what_is_begun_on_the_way_out_ends() -> None:
    began, ended = threading.Event(), threading.Event()
    async with opened(SAMPLE) as explorer:
        app = explorer.app
    app.run_worker(lambda: wait_until_unwanted(began, ended), thread=True)
    assert await asyncio.to_thread(ended.wait, LIMIT)

"""A search through the text of all runs: how long it takes, and how the screen feels meanwhile, against an idle one.

    python benchmarks/search.py                       200,000 runs of 5 kB that make_runs.py makes, about 1 GB
    python benchmarks/search.py --runs 20000          fewer
    python benchmarks/search.py --input runs.jsonl    runs from elsewhere, agent-tui/1 as JSON Lines

For a text that nobody says, one of few runs and one of nearly all: seconds to the first place and to the end, runs a
second, and how late a loop of 10 ms comes meanwhile (99th percentile and most, milliseconds); then the same of an idle
screen. Exit status 1 where the 99th percentile is 15 ms over that of the idle one.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Callable

from make_runs import make_lines

NEEDLES = ("no run says this", "run-0000019876", "hotel")
MOST = 15.0
"""Milliseconds that a search may make the loop later (99th percentile)."""


async def late_until(is_done: Callable[[], bool]) -> list[float]:
    """How late a loop of 10 ms comes until something is done, sorted, milliseconds."""
    late: list[float] = []
    while not is_done():
        began = time.perf_counter()
        await asyncio.sleep(0.01)
        late.append(1000 * (time.perf_counter() - began - 0.01))
    return sorted(late)


def told(late: list[float]) -> str:
    """The 99th percentile and the most."""
    return f"p99 {late[len(late) * 99 // 100]:6.1f} ms, most {late[-1]:6.1f} ms ({len(late)} times)"


async def measure(path: str) -> int:
    """Every figure, a line each."""
    from agent_tui.tui.app import AgentTui
    from agent_tui.tui.loader import Opening

    app, over = AgentTui(Opening((path,))), 0
    async with app.run_test(size=(120, 40)) as pilot:
        await app.is_loaded.wait()
        await pilot.pause(1)
        until = time.monotonic() + 5
        idle = await late_until(lambda: time.monotonic() > until)
        sys.stdout.write(f"{len(app.bundle):,} runs\n{'idle':<20} {told(idle)}\n")
        for needle in NEEDLES:
            began = time.perf_counter()
            app.main.search_for(needle)
            seeking = app.main.finding.seeking
            first = 0.0

            assert seeking is not None

            def is_done(seeking=seeking) -> bool:  # type: ignore[no-untyped-def]
                nonlocal first
                first = first or (time.perf_counter() - began if seeking.found else 0.0)  # noqa: B023
                return bool(seeking.is_done)

            late = await late_until(is_done)
            took = time.perf_counter() - began
            over += bool(late) and late[len(late) * 99 // 100] > idle[len(idle) * 99 // 100] + MOST
            rate = (
                f"{took:6.2f} s, {seeking.done / took:,.0f} runs/s, first after {first:.3f} s, {seeking.found:,} runs"
            )
            sys.stdout.write(f"{needle:<20} {told(late) if late else 'at once'}  {rate}\n")
            await pilot.pause(0.3)
    return int(over > 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200_000)
    parser.add_argument("--input", help="a file of runs, in the place of the made one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.input or f"{folder}/runs.jsonl"
        if not options.input:
            with open(path, "wb") as file:
                file.writelines(line + b"\n" for line in make_lines(options.runs, result_bytes=250.0))
        return asyncio.run(measure(path))


if __name__ == "__main__":
    sys.exit(main())

"""How long the loop of the screen waits while a judge is asked: 500 judgements of a service that takes 200 ms a reply.

    python -m benchmarks.judge [--latency 0.2] [--concurrency 16]

The service of the tests runs as a process of its own on this machine; the vendor's SDK is imported in a thread first,
as the screen does it. A validation of the refund desk is asked, six times a run: rendering, calls, ledger with fsync,
parsing and what is published are all in it. Meanwhile a task on the same loop asks to be woken every 5 ms; the lag is
how much later than asked that was. Exit status 1 where p99 is over 50 ms or the worst over 150 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from functools import partial
from importlib import import_module
from pathlib import Path
from time import perf_counter

from agent_tui.bundles import load
from agent_tui.judge.budget import PerToken
from agent_tui.judge.opening import Choices, introduced, make_runner, open_ledger, open_session, rubric_of
from agent_tui.judge.session import JudgeSession

ROOT = Path(__file__).parent.parent
RUNS = ROOT / "sample_runs" / "refund-desk.json"
TICK = 0.005
"""Seconds between two looks at the clock."""
P99, WORST = 0.050, 0.150
"""Seconds of lag that are allowed."""
ASKED_EACH = 6


async def lags(samples: list[float]) -> None:
    """Note for each tick how much later than asked it came, in seconds."""
    while True:
        asked = perf_counter()
        await asyncio.sleep(TICK)
        samples.append(perf_counter() - asked - TICK)


async def measure(folder: Path, concurrency: int) -> tuple[JudgeSession, list[float], float]:
    """A validation with its lags and how long it took (seconds)."""
    provider = (await asyncio.to_thread(import_module, "agent_tui.providers.anthropic")).open_anthropic(
        "claude-haiku-5-5"
    )
    bundle = load([str(RUNS)])
    choices = Choices(ledger=folder / "ledger.jsonl", repeat=ASKED_EACH, concurrency=concurrency)
    ledger = open_ledger(bundle, provider, choices)
    session = open_session(bundle, await introduced(provider), rubric_of(bundle, choices), ledger, choices)
    samples: list[float] = []
    watching = asyncio.create_task(lags(samples))
    started = perf_counter()
    async for _ in session.validate(partial(make_runner, provider, session, PerToken(None), choices)):
        pass
    took = perf_counter() - started
    watching.cancel()
    await provider.close()
    ledger.close()
    return session, samples, took


def serve(folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    """The service as a process, and its address."""
    command = [sys.executable, "-m", "tests.providers.loopback", "--port-file", str(folder / "port")]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    assert process.stdout is not None
    return process, f"http://127.0.0.1:{int(process.stdout.readline())}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--latency", type=float, default=0.2, help="seconds that a reply takes")
    parser.add_argument("--concurrency", type=int, default=16)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        process, url = serve(Path(name))
        try:
            os.environ |= {"ANTHROPIC_API_KEY": "none", "ANTHROPIC_BASE_URL": url}
            import_module("httpx2").post(f"{url}/_script", json={"latency": options.latency})
            session, samples, took = asyncio.run(measure(Path(name), options.concurrency))
        finally:
            process.kill()
            process.wait()
    samples.sort()
    p99, worst = samples[len(samples) * 99 // 100], samples[-1]
    calls = session.ledger.calls
    least = calls / options.concurrency * options.latency
    sys.stdout.write(
        f"{calls} judgements, {options.concurrency} at a time, in {took:.1f} s: {took / least:.2f} of what the service "
        f"takes alone\n"
        f"loop lag over {len(samples)} samples: p99 {p99 * 1000:.1f} ms, worst {worst * 1000:.1f} ms\n"
    )
    return 0 if calls >= 500 <= len(samples) and p99 < P99 and worst < WORST else 1


if __name__ == "__main__":
    sys.exit(main())

"""A file that is written while the explorer shows it: how late its lines are rows, and what that costs the screen.

    python benchmarks/tail.py                    1,000 runs that are there, then 1,000 a second for 20 s, 5 KB each
    python benchmarks/tail.py --there 200000     beside an index of 200,000 of them
    python benchmarks/tail.py --rate 100 --seconds 5 --result-bytes 2500

The writer is a process of its own; every line is torn: half of it is written, then the rest. `delay`: from the end of a
line's write to the last byte of the screen that counts it, on a pseudo-terminal of 140x50 with `F` on. `bytes`: what is
written to the terminal a second, while runs come and while none do. `CPU`: of the screen's process, without the worker.
`lag`: how late a loop of 10 ms comes in the screen's process, without a terminal, while runs come and before. Exit
status 1 where rows are not lines at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
from array import array
from pathlib import Path
from time import perf_counter, sleep

from make_runs import make_lines
from terminal import PATIENCE, Terminal, Unseen

_COUNTED = re.compile(r"([\d,]+) of [\d,]+\s*$")
FIRST = 4.0
"""Seconds after the first run until the others come: with it begin a worker and, of a small file, an index."""
IDLE = 3.0
"""Seconds that are looked at while nothing comes."""


def write(path: str, there: int, count: int, rate: float, result_bytes: float) -> None:
    """Append a run, and after a while runs at a rate, torn; gives on standard output when each was whole."""
    lines = [line + b"\n" for line in make_lines(count, start=there, result_bytes=result_bytes)]
    written = array("d")
    file = os.open(path, os.O_WRONLY | os.O_APPEND)
    began = perf_counter() + FIRST
    for number, line in enumerate(lines):
        if number:
            sleep(max(0.0, began + number / rate - perf_counter()))
        os.write(file, line[: len(line) // 2])
        os.write(file, line[len(line) // 2 :])
        written.append(perf_counter())
    sys.stdout.buffer.write(written.tobytes())


class Tailed(Terminal):
    """An explorer whose counted runs are noted with the time at which they were shown."""

    def __init__(self, path: Path, state: str) -> None:
        super().__init__(path, state)
        self.bytes = 0
        self.shown: list[tuple[float, int]] = []

    def look(self, timeout: float) -> bool:
        """Take what comes; whether anything did."""
        came = self._read(timeout)
        if came is None:
            return False
        self.bytes += len(self._undrawn)
        self._draw()
        found = _COUNTED.search(self.lines[-2])
        if found is not None and not self._terminal.open_frames:
            count = int(found[1].replace(",", ""))
            if not self.shown or count != self.shown[-1][1]:
                self.shown.append((came, count))
        return True

    @property
    def cpu(self) -> float:
        """CPU seconds of the explorer's process, as far as the system says."""
        try:
            fields = Path(f"/proc/{self._terminal.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def counted(self) -> int:
        """How many runs the screen counts."""
        return self.shown[-1][1] if self.shown else 0


def looked_at(path: Path, there: int, writer: list[str], seconds: float, count: int) -> dict[str, float]:
    """The delays in milliseconds, and the bytes a second."""
    with tempfile.TemporaryDirectory() as state, Tailed(path, state) as terminal:
        terminal.typed("", lambda: terminal.is_seen(f"{there:,} of {there:,}"), silence=0.5)
        terminal.typed("F", silence=1.0)
        until = perf_counter() + IDLE
        while perf_counter() < until:
            terminal.look(until - perf_counter())
        idle, terminal.bytes, used = terminal.bytes / IDLE, 0, terminal.cpu
        with subprocess.Popen(writer, stdout=subprocess.PIPE) as process:
            until = perf_counter() + seconds + PATIENCE
            while terminal.counted < there + count and perf_counter() < until:
                terminal.look(0.1)
            assert process.stdout is not None
            written = array("d", process.stdout.read())
        if terminal.counted != there + count:
            raise Unseen(f"{terminal.counted:,} rows of {there + count:,} lines:\n" + "\n".join(terminal.lines))
        came, delays = iter(terminal.shown), []
        when, shown = next(came)
        for number, ended in enumerate(written, there + 1):
            while shown < number:
                when, shown = next(came)
            delays.append(1000 * (when - ended))
        took = written[-1] - written[0]
        first, *delays = delays
        return {
            "rows": terminal.counted,
            "first": first,
            "p50": percentile(delays, 50),
            "p99": percentile(delays, 99),
            "bytes": terminal.bytes / took,
            "idle": idle,
            "cpu": 1000 * (terminal.cpu - used) / (took + FIRST),
            "frames": len(terminal.shown) / took,
        }


def percentile(values: list[float], share: int) -> float:
    """The value that so many percent do not exceed."""
    return sorted(values)[min(len(values) - 1, len(values) * share // 100)]


async def lag(path: str, there: int, writer: list[str], count: int) -> dict[str, float]:
    """The 99th percentile of how late a loop of 10 ms comes, before and while runs come."""
    from agent_tui.tui.app import AgentTui
    from agent_tui.tui.loader import Opening

    async def late(is_over, limit: float) -> list[float]:  # type: ignore[no-untyped-def]
        found: list[float] = []
        until = perf_counter() + limit
        while not is_over() and perf_counter() < until:
            began = perf_counter()
            await asyncio.sleep(0.01)
            found.append(1000 * (perf_counter() - began - 0.01))
        return found

    app = AgentTui(Opening((path,)))
    async with app.run_test(size=(140, 50)) as pilot:
        await app.is_loaded.wait()
        await pilot.press("F")
        idle = await late(lambda: False, IDLE)
        process = await asyncio.create_subprocess_exec(*writer, stdout=asyncio.subprocess.DEVNULL)
        growing = await late(lambda: len(app.bundle) >= there + count, 600.0)
        await process.wait()
        return {"idle": percentile(idle, 99), "growing": percentile(growing, 99), "most": max(growing)}


def fill(path: Path, there: int, result_bytes: float) -> None:
    """Put the runs into the file that are there at first."""
    with path.open("wb") as file:
        file.writelines(line + b"\n" for line in make_lines(there, result_bytes=result_bytes))


def report(there: int, rate: float, seconds: float, result_bytes: float) -> int:
    """Every figure, a line each."""
    count, say = int(rate * seconds), sys.stdout.write
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "runs.jsonl"
        for name in ("CACHE", "STATE", "CONFIG"):
            os.environ[f"AGENT_TUI_{name}_DIR"] = f"{folder}/{name.lower()}"
        numbers = map(str, (there, count, rate, result_bytes))
        writer = [sys.executable, __file__, "--write", str(path), *numbers]
        fill(path, there, result_bytes)
        say(f"{there:,} runs there, {path.stat().st_size / 1e6:,.0f} MB; then {count:,}, {rate:,.0f} a second, torn\n")
        try:
            found = looked_at(path, there, writer, seconds, count)
        except Unseen as error:
            say(f"{error}\n")
            return 1
        say(f"rows = lines  {found['rows']:,.0f}\n")
        delays = " ".join(f"{name} {found[name]:.0f} ms" for name in ("p50", "p99", "first"))
        say(f"delay         {delays}\n")
        say(f"CPU           {found['cpu']:.0f} ms a second of the screen's process\n")
        say(f"bytes         {found['bytes']:,.0f} a second in {found['frames']:.1f} steps, idle {found['idle']:,.0f}\n")
        fill(path, there, result_bytes)
        step = [sys.executable, __file__, "--lag", *writer[2:]]
        done = subprocess.run(step, stdout=subprocess.PIPE, text=True, check=True)
        late = json.loads(done.stdout.splitlines()[-1])
        say(f"lag, p99      {late['growing']:.1f} ms, idle {late['idle']:.1f} ms; at most {late['most']:.0f} ms\n")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--there", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=1000.0)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--result-bytes", type=float, default=130.0)
    parser.add_argument("--write", nargs=5, help=argparse.SUPPRESS)
    parser.add_argument("--lag", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        path, there, count, rate, result_bytes = options.write
        if not options.lag:
            write(path, int(there), int(count), float(rate), float(result_bytes))
            return 0
        writer = [sys.executable, __file__, "--write", *options.write]
        found = asyncio.run(lag(path, int(there), writer, int(count)))
        sys.stdout.write("\n" + json.dumps(found) + "\n")
        return 0
    return report(options.there, options.rate, options.seconds, options.result_bytes)


if __name__ == "__main__":
    sys.exit(main())

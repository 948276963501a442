"""A large bundle: how long workers take to index it, and how the screen feels on it, against six runs.

    python benchmarks/index.py                       200,000 runs that make_runs.py makes, about 1.1 GB
    python benchmarks/index.py --runs 1000000        a million of them, 5.5 GB
    python benchmarks/index.py --input runs.jsonl    runs from elsewhere, agent-tui/1 as JSON Lines

`index`: by one worker and by two, wall seconds and CPU, and anonymous memory (RssAnon) of the process that gathers and
of a worker. `open again`: CPU of the screen until it has painted, and what of it is over that of six runs. Then CPU
milliseconds of the screen's process from what a key calls until the screen is painted: another matcher, a filter, an
order, a changed value with every figure that follows from it; the median of several. On a quiet machine that is the
time it takes, on a busy one what it would take. `lag`: how late a loop of 10 ms comes while a worker indexes, and idle.

Each step is a process of its own. Exit status 1 where the screen takes longer than its budget.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median

from make_runs import make_lines

SAMPLE = Path(__file__).parent.parent / "sample_runs" / "cybertravels.json"
BUDGETS = {"another matcher": 50, "filter": 100, "order": 150, "changed value": 100}
"""Milliseconds from a key to the paint."""
REPEATS = 5
FILTERS = ("verdict = fail", "gap", "task = trip-0001", "precision < 0.6", "id ~ 00001")
ORDERS = ("precision", "calls", "verdict", "task")


def anonymous(pid: int) -> float:
    """Megabytes of anonymous memory of a process; 0 where it is gone, or the system does not say."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("RssAnon")), 0.0)


def children(pid: int) -> list[int]:
    """The processes that a process started."""
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def index(path: str, workers: int) -> dict[str, float]:
    """Index a file: seconds, CPU seconds of this process and of the workers, and the most memory of each."""
    from agent_tui.workers.building import building_of
    from agent_tui.workers.engine import Pool

    most = {"own": 0.0, "worker": 0.0}
    is_done = threading.Event()

    def look() -> None:
        while not is_done.wait(0.05):
            most["own"] = max(most["own"], anonymous(os.getpid()))
            most["worker"] = max([most["worker"], *map(anonymous, children(os.getpid()))])

    building = building_of([path])
    assert building is not None
    threading.Thread(target=look, daemon=True).start()
    began = time.perf_counter()
    for _ in building.run(Pool(workers)):
        pass
    wall = time.perf_counter() - began
    is_done.set()
    used = os.times()
    return {
        "wall": wall,
        "own": used.user + used.system,
        "workers": used.children_user + used.children_system,
        **{f"memory of {name}": size for name, size in most.items()},
    }


async def screen(path: str, look: Callable[..., Awaitable[dict[str, float]]]) -> dict[str, float]:
    """Open a file on a screen of 120x40 without a terminal, and look at it."""
    from agent_tui.tui.app import AgentTui
    from agent_tui.tui.loader import Opening

    app = AgentTui(Opening((path,)))
    async with app.run_test(size=(120, 40)) as pilot:
        return await look(app, pilot)


async def opened(app, pilot) -> dict[str, float]:  # type: ignore[no-untyped-def]
    """CPU seconds until all is there and painted, and the memory it takes."""
    await app.is_loaded.wait()
    await pilot.pause()
    return {"cpu": time.process_time(), "memory": anonymous(os.getpid())}


async def looked_at(app, pilot) -> dict[str, float]:  # type: ignore[no-untyped-def]
    """CPU milliseconds from what a key calls until the screen is painted."""
    from agent_tui.bundles.masks import load_numpy
    from agent_tui.runs.edits import SetValue
    from agent_tui.runs.paths import parse_path

    await app.is_loaded.wait()
    load_numpy()
    main = app.main

    async def took(*works: Callable[[], object]) -> float:
        times = []
        for work in works:
            began = time.process_time()
            work()
            await pilot.pause()
            times.append(1000 * (time.process_time() - began))
        return median(times)

    def change(row: int) -> None:
        main.session.change(row % len(app.bundle), SetValue(parse_path("actual.answer"), b'"Booked for 1 EUR."'))
        main.bundle_changed()

    found = {"another matcher": await took(*[lambda: main.action_matcher(1)] * REPEATS)}
    for text in FILTERS:
        found[f"filter {text}"] = await took(*[lambda text=text: main.runs.filter_by(text)] * REPEATS)
    main.runs.filter_by("")
    for name in ORDERS:
        found[f"order {name}"] = await took(*[lambda name=name: main.runs.sort_by(name)] * REPEATS)
    main.runs.sort_by("")
    found["changed value"] = await took(*[lambda row=row: change(row) for row in range(5, 5 + REPEATS)])
    return {**found, "memory": anonymous(os.getpid())}


async def lag(app, pilot) -> dict[str, float]:  # type: ignore[no-untyped-def]
    """The 99th percentile of how late a loop of 10 ms comes, until all is there."""
    late: list[float] = []
    while not app.is_loaded.is_set():
        began = time.perf_counter()
        await asyncio.sleep(0.01)
        late.append(1000 * (time.perf_counter() - began - 0.01))
    idle: list[float] = []
    while len(idle) < 300:
        began = time.perf_counter()
        await asyncio.sleep(0.01)
        idle.append(1000 * (time.perf_counter() - began - 0.01))
    return {
        "indexing": sorted(late)[len(late) * 99 // 100],
        "idle": sorted(idle)[len(idle) * 99 // 100],
        "memory": anonymous(os.getpid()),
    }


STEPS = {"opened": opened, "looked_at": looked_at, "lag": lag}


def apart(step: str, path: str, cache: str, *more: str) -> dict[str, float]:
    """A step in a process of its own."""
    places = {f"AGENT_TUI_{name}_DIR": f"{cache}/{name.lower()}" for name in ("CACHE", "STATE", "CONFIG")}
    command = [sys.executable, __file__, "--step", step, "--input", path, *more]
    done = subprocess.run(command, env=os.environ | places, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def report(path: str, folder: str) -> int:
    """Every figure, a line each; 1 where one is over its budget."""
    say = sys.stdout.write
    size = Path(path).stat().st_size
    say(f"{path}  {size / 1e6:,.0f} MB\n")
    built = {}
    for workers in (1, 2):
        built[workers] = found = apart("index", path, f"{folder}/{workers}", "--workers", str(workers))
        say(
            f"index, {workers} worker{'s' * (workers > 1)}  {found['wall']:.1f} s  "
            f"{size / found['wall'] / 1e6:.0f} MB/s  CPU {found['own']:.1f} + {found['workers']:.1f} s  "
            f"memory {found['memory of own']:.0f} + {found['memory of worker']:.0f} MB\n"
        )
    say(f"two against one  {built[1]['wall'] / built[2]['wall']:.2f} x\n")
    cpu: dict[str, list[dict[str, float]]] = {"six": [], "all": []}
    for _ in range(REPEATS):  # by turns, so that both have the same of a machine's moods
        cpu["six"].append(apart("opened", str(SAMPLE), f"{folder}/1"))
        cpu["all"].append(apart("opened", path, f"{folder}/1"))
    six, everything = (median(found["cpu"] for found in cpu[name]) for name in ("six", "all"))
    say(
        f"open again  CPU {1000 * everything:.0f} ms, six runs {1000 * six:.0f} ms: {1000 * (everything - six):+.0f} ms"
    )
    say(f"  memory {cpu['all'][0]['memory']:.0f} MB, six runs {cpu['six'][0]['memory']:.0f} MB\n")
    many, few = apart("looked_at", path, f"{folder}/1"), apart("looked_at", str(SAMPLE), f"{folder}/1")
    is_over = False
    for name, took in many.items():
        budget = next((most for word, most in BUDGETS.items() if name.startswith(word)), None)
        over = budget is not None and took > budget
        is_over = is_over or over
        say(f"  {name:<28} {took:8.1f}   six runs {few[name]:8.1f}{f'   OVER {budget} ms' if over else ''}\n")
    late = apart("lag", path, f"{folder}/lag")
    say(f"lag, p99  indexing {late['indexing']:.1f} ms, idle {late['idle']:.1f} ms  memory {late['memory']:.0f} MB\n")
    return int(is_over)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200_000)
    parser.add_argument("--input", help="a file of runs, in the place of the made one")
    parser.add_argument("--step", choices=["index", *STEPS], help=argparse.SUPPRESS)
    parser.add_argument("--workers", type=int, default=1, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        found = (
            index(options.input, options.workers)
            if options.step == "index"
            else asyncio.run(screen(options.input, STEPS[options.step]))
        )
        sys.stdout.write("\n" + json.dumps(found) + "\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = options.input or f"{folder}/runs.jsonl"
        if not options.input:
            with open(path, "wb") as file:
                file.writelines(line + b"\n" for line in make_lines(options.runs, result_bytes=250.0))
        return report(path, folder)


if __name__ == "__main__":
    sys.exit(main())

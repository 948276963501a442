"""How long scoring takes beside merely parsing: CPU time per run, in interleaved rounds over the same lines.

    python benchmarks/score.py                          runs of 15 kB and of 5 kB that make_runs.py makes
    python benchmarks/score.py --input runs.jsonl       runs from elsewhere, agent-tui/1 as JSON Lines
    python benchmarks/score.py --workers 1,2            and a file through that many workers, by the wall clock

`L` is the limit: a msgspec decoder of what scoring looks at, which skips the results. `row` is what `agent-tui score`
does with a line: decode, all matchers, measures, cause, answer check, levels, a row in the table. `no alignment` is the
same with alignment and redundancy taken out (the functions that work them out are replaced by ones that say nothing;
every other verdict is held to be the same); the compiled core does all in one pass, so that this is timed without it
only (`AGENT_TUI_PURE=1`). Each round does some hundred lines, each kind of work in turn, so that a
busy machine slows all of them; shares and ratios are of one round, and their median is given with least and greatest.

Where runs say what was done to them (`metadata.deviation`), verdicts are held against it: exit status 1 where one is
not what the deviation asks for. Wall clocks say something on a quiet machine only.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any
from unittest.mock import PropertyMock, patch

import msgspec
from make_runs import make_lines
from msgspec import Raw, Struct

from agent_tui.matchers import MATCHERS, equality, plain, redundancy, single
from agent_tui.native import core
from agent_tui.readers import decode_run
from agent_tui.runs import State
from agent_tui.scoring import Plan, ScoreTable, score_run
from agent_tui.scoring.table import row_of

Work = Callable[[list[bytes]], None]
PLAN = Plan()
SETS = {"15 kB": (3000, 1500.0), "5 kB": (8000, 130.0)}
"""What is made: how many runs, and the mean size of a result (bytes)."""
BARS = {"15 kB": (18, 35, 5, 0.9), "5 kB": (10, 22, 3, 0.4)}
"""What is asked for: % of L, % of L without alignment and redundancy, times json.loads, times orjson.loads."""
MISSING = {"orjson.loads": "orjson is not installed", "no alignment": "the core does all in one pass, see row"}
"""Why something is not timed."""
AT_ONCE = 32
PASSES = {
    "exact": {"none", "respelt"},
    "exact_groups": {"none", "respelt"},
    "order_ignored": {"none", "respelt", "wrong_order"},
    "in_order": {"none", "respelt", "extra", "duplicate"},
    "any_order": {"none", "respelt", "wrong_order", "extra", "duplicate"},
    "subset": {"none", "respelt", "wrong_order", "missing"},
}
"""Matcher: the deviations that it does not notice. Name-only depends on which calls changed places."""


class LimitCall(Struct, gc=False):
    name: str
    args: Raw = Raw()


class LimitActual(Struct, gc=False):
    calls: list[LimitCall] | None = None
    answer: str | None = None


class LimitExpected(Struct, gc=False):
    calls: list[LimitCall] | None = None
    answer: Raw = Raw()


class LimitRun(Struct, gc=False):
    """What scoring must look at."""

    id: str | int | None = None
    task: str | int | None = None
    actual: LimitActual | None = None
    expected: LimitExpected | None = None


@dataclass
class Measured:
    """What the rounds gave: seconds a run of each kind of work, and what the runs say of themselves."""

    rounds: list[dict[str, float]] = field(default_factory=list)
    table: ScoreTable = field(default_factory=ScoreTable)
    bare: ScoreTable = field(default_factory=ScoreTable)
    deviations: list[str | None] = field(default_factory=list)
    size: int = 0


def each(parse: Callable[[bytes], Any]) -> Work:
    """Work that parses lines."""

    def work(lines: list[bytes]) -> None:
        for line in lines:
            parse(line)

    return work


def score_into(table: ScoreTable) -> Work:
    """Work that scores lines into a table, as a worker does."""

    def score(lines: list[bytes]) -> None:
        rows = []
        for line in lines:
            run = decode_run(line)
            rows.append(row_of(run, score_run(run, PLAN), run.model, run.agent))
            if len(rows) == AT_ONCE:
                table.extend(rows)
                rows = []
        table.extend(rows)

    return score


@contextmanager
def no_alignment() -> Iterator[None]:
    """Within it, nothing works out alignment or redundancy."""

    def equal_or_not(one: Raw, other: Raw) -> tuple[int, int]:
        return int(equality.equal_args(one, other)), 1

    nothing = PropertyMock(return_value=redundancy.NONE_REPEATED)
    with (
        patch.object(plain, "shared_arguments", equal_or_not),
        patch.object(plain._Middle, "alignment", lambda *_: 0.0),
        patch.object(single, "may_equal_another", lambda *_: False),
        patch.object(redundancy.Trajectory, "may_repeat", lambda *_: False),
        patch.object(redundancy.Trajectory, "redundancy", nothing),
    ):
        yield


def kinds_of_work(measured: Measured) -> dict[str, Work]:
    """Everything that is timed, by name."""
    work = {"L": each(msgspec.json.Decoder(LimitRun).decode), "json.loads": each(json.loads)}
    if find_spec("orjson"):
        import orjson

        work["orjson.loads"] = each(orjson.loads)
    work |= {"decode": each(decode_run), "row": score_into(measured.table)}
    return work if core is not None else work | {"no alignment": score_into(measured.bare)}


def seconds(name: str, work: Work, lines: list[bytes]) -> float:
    """CPU seconds a run."""
    if name == "no alignment":
        with no_alignment():
            return seconds("", work, lines)
    started = process_time()
    work(lines)
    return (process_time() - started) / len(lines)


def run_lines(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines without line ends, less a header."""
    for number, line in enumerate(lines):
        if number or not line.startswith(b'{"schema"'):
            yield line.rstrip(b"\n")


def measure(lines: Iterator[bytes], batch_size: int) -> Measured:
    """All work over all lines; whoever goes first changes from round to round."""
    measured = Measured()
    kinds = list(kinds_of_work(measured).items())
    while batch := list(islice(lines, batch_size)):
        if not measured.rounds:
            score_into(ScoreTable())(batch)  # caches are warm, as they are after some thousand runs
        kinds = kinds[1:] + kinds[:1]
        measured.rounds.append({name: seconds(name, work, batch) for name, work in kinds})
        measured.deviations += [(json.loads(line).get("metadata") or {}).get("deviation") for line in batch]
        measured.size += sum(map(len, batch))
    return measured


def verdicts(measured: Measured, matcher: str) -> Counter[tuple[str, State]]:
    """How many runs of each deviation have which verdict (a count)."""
    column = map(State, measured.table.column(matcher))
    pairs = zip(measured.deviations, column, strict=True)
    return Counter((of, state) for of, state in pairs if of is not None and state in (State.PASS, State.FAIL))


def surprises(matcher: str, counted: Counter[tuple[str, State]]) -> list[str]:
    """Verdicts that are not what the deviation asks for."""
    return [
        f"{matcher}: {count} runs with {deviation} {state.word}"
        for (deviation, state), count in counted.items()
        if (state is State.PASS) != (deviation in PASSES[matcher])
    ]


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def spread(numbers: Iterable[float], digits: int) -> str:
    """The median, with the least and the greatest."""
    ordered = sorted(numbers)
    return f"{median(ordered):.{digits}f} ({ordered[0]:.{digits}f} to {ordered[-1]:.{digits}f})"


def say_times(measured: Measured, bars: tuple[float, ...] | None) -> None:
    runs, rounds = len(measured.deviations), measured.rounds
    way = "in Python" if core is None else "with the compiled core"
    say(f"{runs:,} runs, {measured.size / runs / 1000:.1f} kB a run, {len(rounds)} rounds; µs a run, CPU; {way}")
    for name in ("L", "json.loads", "orjson.loads", "decode", "row", "no alignment"):
        if name in rounds[0]:
            say(f"  {name:14}{spread((took[name] * 1e6 for took in rounds), 1)}")
        else:
            say(f"  {name:14}not compared: {MISSING[name]}")
    for place, (text, over, under, factor) in enumerate(
        (
            ("row, % of L", "L", "row", 100),
            ("no alignment and redundancy, % of L", "L", "no alignment", 100),
            ("row, times as fast as json.loads", "json.loads", "row", 1),
            ("row, times as fast as orjson.loads", "orjson.loads", "row", 1),
        )
    ):
        if over in rounds[0] and under in rounds[0]:
            asked = f"   asked for: {bars[place]}" if bars else ""
            shown = spread((factor * took[over] / took[under] for took in rounds), 1 if factor == 100 else 2)
            say(f"  {text:37}{shown}{asked}")


def say_verdicts(measured: Measured) -> bool:
    """Whether every verdict is what the run's deviation asks for; says how many passed of how many."""
    wrong = [
        f"{matcher}: differs without alignment and redundancy"
        for matcher in MATCHERS
        if measured.bare and measured.table.column(matcher) != measured.bare.column(matcher)
    ]
    if any(measured.deviations):
        say("  passed of scored, by what was done to the run:")
        for matcher in PASSES:
            counted = verdicts(measured, matcher)
            cells = (
                f"{name} {counted[name, State.PASS]}/{counted[name, State.PASS] + counted[name, State.FAIL]}"
                for name in sorted({name for name, _ in counted})
            )
            say(f"    {matcher:14}{'  '.join(cells)}")
            wrong += surprises(matcher, counted)
        say("\n".join(wrong) or "  every verdict is what the deviation asks for")
    return not wrong


def index(path: str, workers: int) -> float:
    """Seconds by the wall clock until a file is indexed by so many workers."""
    from agent_tui.workers.building import building_of
    from agent_tui.workers.engine import Pool

    with tempfile.TemporaryDirectory() as cache, patch.dict(os.environ, AGENT_TUI_CACHE_DIR=cache):
        building = building_of([path])
        assert building is not None
        began = time.perf_counter()
        for _ in building.run(Pool(workers)):
            pass
        took = time.perf_counter() - began
        building.view.close()
        building.place.close()
    return took


def say_workers(counts: list[int], runs: int, seed: int) -> None:
    """A file of 15 kB runs through the workers of the product, each number of them in turn, three times."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "runs.jsonl"
        with path.open("wb") as file:
            file.writelines(line + b"\n" for line in make_lines(runs, seed=seed))
        size = path.stat().st_size
        rounds = [{count: index(str(path), count) for count in counts} for _ in range(3)]
    say(f"{runs:,} runs, {size / 1e6:.0f} MB, through workers by the wall clock (of a quiet machine)")
    for count in counts:
        walls = spread((took[count] for took in rounds), 2)
        ratios = spread((took[counts[0]] / took[count] for took in rounds), 2)
        say(f"  {count} workers: {walls} s, {ratios} times as fast as {counts[0]}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", type=Path, help="agent-tui/1 as JSON Lines; without it runs are made")
    parser.add_argument("--times", type=float, default=1.0, help="so many times as many runs as are made without it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=500, help="lines in a round")
    parser.add_argument("--workers", help="numbers of workers, such as 1,2: index a file by each")
    parser.add_argument("--worker-runs", type=int, default=10_000, help="how many runs of 15 kB that file has")
    options = parser.parse_args()
    is_right = True
    if options.input is not None:
        with options.input.open("rb") as lines:
            measured = measure(run_lines(lines), options.batch)
        say_times(measured, None)
        is_right = say_verdicts(measured)
    else:
        for name, (runs, result_bytes) in SETS.items():
            made = make_lines(int(runs * options.times), seed=options.seed, result_bytes=result_bytes)
            measured = measure(run_lines(made), options.batch)
            say_times(measured, BARS[name])
            is_right = say_verdicts(measured) and is_right
    if options.workers:
        say_workers([int(count) for count in options.workers.split(",")], options.worker_runs, options.seed)
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())

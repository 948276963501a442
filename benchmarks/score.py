"""How long scoring takes beside merely parsing: CPU time per run, in interleaved rounds over one file.

    python benchmarks/score.py                          20,000 runs that make_runs.py makes
    python benchmarks/score.py --input runs.jsonl       runs from elsewhere, agent-tui/1 as JSON Lines

A: `json.loads` of every line. B: what `agent-tui score` does with a line: decode, all matchers, measures, cause, answer
check, levels, a row in the table. Each round does some thousand lines, A and B in turn, so that a busy machine slows
both. Where runs say what was done to them (`metadata.deviation`), verdicts are held against it: exit status 1 where one
is not what the deviation asks for.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from statistics import median
from time import process_time

from make_runs import make_lines

from agent_tui.readers import decode_run
from agent_tui.runs import State
from agent_tui.scoring import Plan, ScoreTable, score_run

PLAN = Plan()
PASSES = {
    "exact": {"none", "respelt"},
    "exact_groups": {"none", "respelt"},
    "order_ignored": {"none", "respelt", "wrong_order"},
    "in_order": {"none", "respelt", "extra", "duplicate"},
    "any_order": {"none", "respelt", "wrong_order", "extra", "duplicate"},
    "subset": {"none", "respelt", "wrong_order", "missing"},
}
"""Matcher: the deviations that it does not notice. Name-only depends on which calls changed places."""


@dataclass
class Measured:
    """What the rounds gave: seconds of A, seconds of B and runs of each round, and what the runs say of themselves."""

    rounds: list[tuple[float, float, int]] = field(default_factory=list)
    table: ScoreTable = field(default_factory=ScoreTable)
    deviations: list[str | None] = field(default_factory=list)
    size: int = 0


def parse_only(lines: list[bytes]) -> None:
    for line in lines:
        json.loads(line)


def score_into(table: ScoreTable) -> Callable[[list[bytes]], None]:
    """Work that scores lines into a table, a row a line."""

    def score(lines: list[bytes]) -> None:
        for line in lines:
            run = decode_run(line)
            table.append(run, score_run(run, PLAN))

    return score


def seconds(work: Callable[[list[bytes]], None], lines: list[bytes]) -> float:
    started = process_time()
    work(lines)
    return process_time() - started


def run_lines(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines without line ends, less a header."""
    for number, line in enumerate(lines):
        if number or not line.startswith(b'{"schema"'):
            yield line.rstrip(b"\n")


def measure(lines: Iterator[bytes], batch_size: int) -> Measured:
    """A and B over all lines; whoever goes first changes from round to round."""
    measured = Measured()
    score = score_into(measured.table)
    while batch := list(islice(lines, batch_size)):
        if not measured.rounds:
            score_into(ScoreTable())(batch)  # caches are warm, as they are after some thousand runs
        order = (parse_only, score) if len(measured.rounds) % 2 else (score, parse_only)
        took = {work: seconds(work, batch) for work in order}
        measured.rounds.append((took[parse_only], took[score], len(batch)))
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


def say_times(measured: Measured) -> None:
    parsing, scoring, runs = (sum(column) for column in zip(*measured.rounds, strict=True))
    ratios = sorted(b / a for a, b, _ in measured.rounds)
    say(f"{runs:,} runs, {measured.size / runs / 1000:.1f} kB a run, {len(ratios)} rounds")
    for name, took in (("json.loads", parsing), ("scoring", scoring)):
        say(f"{name:10} {took / runs * 1e6:7.1f} µs a run {measured.size / took / 1e6:7.0f} MB/s")
    say(f"scoring / json.loads = {median(ratios):.2f}, median of rounds ({ratios[0]:.2f} to {ratios[-1]:.2f})")


def say_verdicts(measured: Measured) -> bool:
    """Whether every verdict is what the run's deviation asks for; says how many passed of how many."""
    say("passed of scored, by what was done to the run:")
    wrong: list[str] = []
    for matcher in PASSES:
        counted = verdicts(measured, matcher)
        cells = (
            f"{name} {counted[name, State.PASS]}/{counted[name, State.PASS] + counted[name, State.FAIL]}"
            for name in sorted({name for name, _ in counted})
        )
        say(f"  {matcher:14}{'  '.join(cells)}")
        wrong += surprises(matcher, counted)
    say("\n".join(wrong) or "every verdict is what the deviation asks for")
    return not wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", type=Path, help="agent-tui/1 as JSON Lines; without it runs are made")
    parser.add_argument("--runs", type=int, default=20_000, help="how many runs to make")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=2000, help="lines in a round")
    options = parser.parse_args()
    if options.input is None:
        measured = measure(run_lines(make_lines(options.runs, seed=options.seed)), options.batch)
    else:
        with options.input.open("rb") as lines:
            measured = measure(run_lines(lines), options.batch)
    say_times(measured)
    return 0 if not any(measured.deviations) or say_verdicts(measured) else 1


if __name__ == "__main__":
    sys.exit(main())

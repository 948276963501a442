"""Whether an index says what scoring each line plainly says, and what the generator says of its runs.

    python benchmarks/agreement.py                       200,000 runs that make_runs.py makes
    python benchmarks/agreement.py --runs 1000000        a million of them
    python benchmarks/agreement.py --input runs.jsonl    runs from elsewhere, agent-tui/1 as JSON Lines

The file is indexed by two workers in ranges of random sizes. Then every line is decoded and scored in this process,
and each column of the index (states of all measures, cause, rung, answer, figures, facts, calls, redundancy, task,
model, agent, status, id) is held against it, row by row. Where runs say what was done to them
(`metadata.deviation`), the verdicts of the index are held against that too. At last the scorecard of the index is held
against one that is counted afresh over its rows. Exit status 1 where anything differs.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from time import perf_counter

from make_runs import make_lines
from score import PASSES, run_lines

from agent_tui.bundles import Bundle
from agent_tui.readers import decode_run
from agent_tui.runs import State
from agent_tui.scoring import MEASURES, Plan, ScoreTable, make_scorecard, score_run
from agent_tui.scoring.table import WIDTHS
from agent_tui.workers.building import building_of
from agent_tui.workers.engine import Pool

BATCH = 5000
SHOWN = 10


def indexed(path: str, random: Random) -> Bundle:
    """The bundle of an index that is made in ranges of random sizes."""
    building = building_of([path])
    assert building is not None
    cuts = random.randrange(1, 1 << 20), random.randrange(1 << 20, 48 << 20)
    for _ in building.run(Pool(2), cuts=cuts):
        pass
    bundle = Bundle()
    building.view.follow()
    building.view.show(bundle)
    sys.stdout.write(f"{len(bundle):,} runs in ranges of {cuts[0]:,} and then {cuts[1]:,} bytes\n")
    return bundle


def differing(ours: ScoreTable, whole: ScoreTable, first: int) -> Iterator[str]:
    """The columns in which rows of an index differ from the same rows scored here."""
    high = first + len(ours)
    if [*ours.ids] != [whole.ids[row] for row in range(first, high)]:
        yield "id"
    for name, words in ours.words.items():
        if [words.words[code] for code in words.rows] != [
            whole.words[name].words[code] for code in whole.words[name].rows[first:high]
        ]:
            yield name
    for name, column in ours.fixed.items():
        width = WIDTHS.get(name, 1)
        if name not in ours.words and bytes(column) != bytes(whole.fixed[name][first * width : high * width]):
            yield name


def unlike_labels(deviations: list[str | None], table: ScoreTable, first: int) -> Iterator[str]:
    """Verdicts of an index that are not what was done to the run."""
    for matcher, unnoticed in PASSES.items():
        place, width = MEASURES.index(matcher), len(MEASURES)
        for row, deviation in enumerate(deviations, first):
            state = table.states[row * width + place]
            is_judged = deviation is not None and state in (State.PASS, State.FAIL)
            if is_judged and (state == State.PASS) != (deviation in unnoticed):
                yield f"{matcher}: row {row + 1} with {deviation} is {State(state).word}"


def compare(path: Path, bundle: Bundle) -> Iterator[str]:
    """Everything that differs."""
    with path.open("rb") as file:
        lines, first = run_lines(file), 0
        while batch := list(islice(lines, BATCH)):
            ours = ScoreTable()
            for line in batch:
                run = decode_run(line)
                ours.append(run, score_run(run, Plan()), model=run.model, agent=run.agent or bundle.header.agent)
            yield from (f"rows from {first + 1}: {name} differs" for name in differing(ours, bundle.table, first))
            deviations = [(json.loads(line).get("metadata") or {}).get("deviation") for line in batch]
            yield from unlike_labels(deviations, bundle.table, first)
            first += len(batch)
    if first != len(bundle):
        yield f"{first:,} lines, {len(bundle):,} rows"
    if bundle.scorecard() != make_scorecard(bundle.table, bundle.names.name, planned=bundle.planned):
        yield "the scorecard differs from one that is counted afresh"


def check(path: Path, random: Random) -> int:
    """1 where anything differs."""
    began = perf_counter()
    found = list(islice(compare(path, indexed(str(path), random)), SHOWN))
    sys.stdout.write("\n".join(found) or "every column of every row, every label and the scorecard agree")
    sys.stdout.write(f"\n{perf_counter() - began:.0f} s\n")
    return int(bool(found))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200_000)
    parser.add_argument("--input", type=Path, help="a file of runs, in the place of the made one")
    parser.add_argument("--seed", type=int, default=1, help="of the sizes of the ranges")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["AGENT_TUI_CACHE_DIR"] = folder
        path = options.input or Path(folder, "runs.jsonl")
        if options.input is None:
            with path.open("wb") as file:
                file.writelines(line + b"\n" for line in make_lines(options.runs, result_bytes=250.0))
        return check(path, Random(options.seed))


if __name__ == "__main__":
    sys.exit(main())

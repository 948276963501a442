"""What a flip costs: an edit with all that noticed it, and the scorecard after it, on six runs and on 20,000.

    python benchmarks/flip.py                        the CyberTravels sample, and 20,000 runs that make_runs.py makes
    python benchmarks/flip.py --input runs.jsonl     another bundle in the place of the made one

`re-score`: from the edited record to what noticed, the run decoded, scored and counted. `edit`: the same with the text
of the record changed. `undo`: back again. `scorecard`: every figure of the screen after an edit, intervals included.
`kept`: an edit that the journal has on the disk. `screen`: on a terminal of 140x50, from a key to the last byte of the
screen that shows what noticed, the journal included: Enter in the editor, and the key that takes a call out. Wall time
of each single edit, in turn over random runs; exit status 1 where a median is over its budget (re-score 200 µs,
scorecard 100 ms, screen 100 ms), a message where the screen does not show what it should. Needs the extra `dev`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from flip_on_screen import on_screen
from make_runs import make_lines

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.journal import Journal
from agent_tui.bundles.what_if import WhatIf
from agent_tui.readers.call_edits import duplicate_call, remove_call
from agent_tui.readers.call_places import actual_places
from agent_tui.runs.edits import Edit, SetValue

SAMPLE = Path(__file__).parent.parent / "sample_runs" / "cybertravels.json"
BUDGETS = {"re-score": 200e-6, "scorecard": 100e-3, "screen, value": 100e-3, "screen, call": 100e-3}
EDITS, CARDS, SCREENS = 1000, 50, 15


def edits_of(bundle: Bundle, count: int, random: Random) -> list[tuple[int, Edit]]:
    """Edits of random runs: an argument, a name, a call twice, a call away."""
    edits: list[tuple[int, Edit]] = []
    while len(edits) < count:
        row = random.randrange(len(bundle))
        places = actual_places(bundle.record(row))
        if places:
            place = random.choice(places)
            kinds = [SetValue(place.args, b'{"id": "other"}'), SetValue(place.name, b'"other"')]
            edits.append((row, random.choice([*kinds, duplicate_call(place), remove_call(place)])))
    return edits


def seconds(work: Callable[[], object]) -> float:
    started = perf_counter()
    work()
    return perf_counter() - started


def measure(bundle: Bundle) -> dict[str, list[float]]:
    """Seconds of each single step, by name."""
    random = Random(1)
    took: dict[str, list[float]] = {"re-score": [], "edit": [], "undo": [], "scorecard": [], "kept": []}
    what_if = WhatIf(bundle)
    for number, (row, edit) in enumerate(edits_of(bundle, EDITS, random)):
        took["edit"].append(seconds(partial(what_if.change, row, edit)))
        if number < CARDS:
            took["scorecard"].append(seconds(bundle.scorecard))
        took["undo"].append(seconds(what_if.undo))
        took["re-score"].append(seconds(what_if.redo))
        what_if.undo()
    what_if.journal = Journal(bundle)
    for row, edit in edits_of(bundle, CARDS, random):
        took["kept"].append(seconds(partial(what_if.change, row, edit)))
        what_if.undo()
    what_if.journal.discard()
    return took


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def say_times(path: Path) -> bool:
    """Whether all budgets are kept; says the times."""
    bundle = load([str(path)])
    size = sum(len(bundle.record(row)) for row in range(len(bundle))) / len(bundle)
    say(f"{path.name}: {len(bundle):,} runs, {size / 1000:.1f} kB a run")
    kept = True
    for step, took in {**measure(bundle), **on_screen(path, len(bundle), SCREENS)}.items():
        middle, most = median(took), sorted(took)[len(took) * 95 // 100]
        budget = BUDGETS.get(step)
        over = budget is not None and middle > budget
        kept = kept and not over
        asked = "" if budget is None else f"   budget {budget * 1e6:>7,.0f} µs{'  OVER' if over else ''}"
        say(f"  {step:<13} median {middle * 1e6:>9,.0f} µs   95 % under {most * 1e6:>9,.0f} µs{asked}")
    return kept


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", type=Path, help="a bundle; without it runs are made")
    parser.add_argument("--runs", type=int, default=20_000, help="how many runs to make")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["AGENT_TUI_STATE_DIR"] = folder
        big = options.input or Path(folder, "made.jsonl")
        if options.input is None:
            with big.open("wb") as file:
                file.writelines(line + b"\n" for line in make_lines(options.runs))
        kept = [say_times(path) for path in (SAMPLE, big)]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())

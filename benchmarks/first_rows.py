"""From a start to the first rows, and from a key to the last byte that it brings: a large bundle beside six runs.

    python benchmarks/first_rows.py                      200,000 runs that make_runs.py makes, about 1 GB
    python benchmarks/first_rows.py --runs 20000         fewer
    python benchmarks/first_rows.py --input runs.jsonl   runs from elsewhere, agent-tui/1 as JSON Lines

The explorer on a pseudo-terminal of 120x40, truecolor. `cold`: without an index, which is made while one looks.
`warm`: with the index, once it is whole. Starts on both bundles take turns; milliseconds from the start of the process
to the first row on the screen: least, median, most. Then, with all runs read, another matcher, a filter, an order and a
changed value: from the key to the last byte that it brings, median of several, and in how many frames at most.
Milliseconds say something on a quiet machine; beside them stands their ratio to the six runs'.
Exit status 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from link import COLOURS, Answer, Link
from make_runs import make_lines

SAMPLE = Path(__file__).parent.parent / "sample_runs" / "cybertravels.json"
COLD, WARM = 1000.0, 500.0
"""Milliseconds from a start to the first rows."""
STARTS = {"cold": 3, "warm": 9}
ANSWER = "e on the answer"


def _change(text: str) -> tuple[tuple[str, float | None], ...]:
    return ("2g", None), (ANSWER, None), (f'\x15"{text}"', None), ("\r", 100)


KEYS: tuple[tuple[str, tuple[tuple[str, float | None], ...]], ...] = (
    ("another matcher", (("m", 50), ("m", 50), ("m", 50))),
    ("filter", (("fverdict = fail", None), ("\r", 100), ("f\x15gap", None), ("\r", 100))),
    ("order", (("2\x1b", None), ("s\x1b[B\x1b[B", None), ("\r", 150), ("s\x1b[B", None), ("\r", 150))),
    ("changed value", tuple(step for text in "xyz" for step in _change(text))),
    ("taken back, done again", (("u", 100), ("U", 100), ("u", 100))),
)
"""What is done: the keys of each, with the milliseconds that one may take; None where it is not timed."""


class Rows:
    """A bundle whose first rows are waited for."""

    def __init__(self, path: Path, row: str) -> None:
        self.path = path
        self._row = row

    def link(self, kept: str) -> Link:
        """The explorer on it; all that it keeps is in a folder."""
        places = {f"AGENT_TUI_{name}_DIR": f"{kept}/{name.lower()}" for name in ("CACHE", "STATE", "CONFIG")}
        return Link([str(self.path)], COLOURS["truecolor"] | places)

    def first(self, kept: str) -> float:
        """Milliseconds from a start to the first row."""
        with self.link(kept) as link:
            return 1000 * link.until(lambda: self._row in link.text)

    def read(self, kept: str) -> None:
        """Read all of it, so that the index is whole."""
        with self.link(kept) as link:
            link.start()


def starts(rows: Rows, six: Rows, folder: str) -> Iterator[tuple[str, bool]]:
    """First rows, cold and warm: what is told, and whether a bar is missed."""
    warm = f"{folder}/warm"
    rows.read(warm)
    for name, bar in (("cold", COLD), ("warm", WARM)):
        took: dict[Rows, list[float]] = {rows: [], six: []}
        for number in range(STARTS[name]):
            for each, times in took.items():
                times.append(each.first(warm if name == "warm" else f"{folder}/cold-{number}-{each.path.stem}"))
        mine, few = took[rows], took[six]
        told = f"first rows, {name:<6} {spread(mine)} of {bar:.0f} ms   six runs {spread(few)} ms"
        yield f"{told}   {median(mine) / median(few):.2f} x", median(mine) > bar


def spread(times: Sequence[float]) -> str:
    """Least, median and most."""
    return f"{min(times):4.0f} {median(times):4.0f} {max(times):4.0f}"


def keys(rows: Rows, kept: str) -> dict[str, tuple[float, int, float]]:
    """For each thing done: milliseconds to the last byte, frames, and its bar."""
    found = {}
    with rows.link(kept) as link:
        link.start()
        link.idle(3)  # what is prepared for keys after a start is prepared
        for name, typed in KEYS:
            took, frames, bar = [], 0, 0.0
            for key, most in typed:
                answer = link.press(key) if key != ANSWER else edit_answer(link)
                if most is not None and answer.seconds is not None:
                    took.append(1000 * answer.seconds)
                    frames, bar = max(frames, len(answer.frames)), most
            found[name] = (median(took), frames, bar)
    return found


def edit_answer(link: Link) -> Answer:
    """Go up from the end of the trajectory to the answer, and begin to edit it."""
    link.press("3\x1b[F")
    while True:
        answer = link.press("e")
        if any("actual.answer" in line for line in link.text.splitlines()[-3:]):
            return answer
        link.press("\x1b")
        link.press("3k")


def report(path: Path, row: str) -> int:
    """Every figure, a line each; how many bars are missed."""
    rows, six = Rows(path, row), Rows(SAMPLE, "R1")
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        for told, is_missed in starts(rows, six, folder):
            missed += is_missed
            say(told + ("  MISSED" if is_missed else ""))
        few = keys(six, f"{folder}/few")
        for name, (took, frames, bar) in keys(rows, f"{folder}/warm").items():
            is_missed = took > bar or frames > 2
            missed += is_missed
            told = (
                f"{name:<24} {took:5.0f} of {bar:3.0f} ms, {frames} of 2 frames   {took / few[name][0]:.2f} x six runs"
            )
            say(told + ("  MISSED" if is_missed else ""))
    say(f"{missed} bars missed" if missed else "every bar is met")
    return missed


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def first_id(path: Path) -> str:
    """What the first run of a file is called."""
    with path.open("rb") as file:
        runs = (json.loads(line) for line in file)
        return next(str(run["id"]) for run in runs if "id" in run)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--runs", type=int, default=200_000)
    arguments.add_argument("--input", type=Path)
    asked = arguments.parse_args()
    os.environ["PYTHONPATH"] = str(SAMPLE.parent.parent)
    with tempfile.TemporaryDirectory() as folder:
        path = asked.input
        if path is None:
            path = Path(folder) / "runs.jsonl"
            with path.open("wb") as file:
                file.writelines(line + b"\n" for line in make_lines(asked.runs))
        return 1 if report(path, first_id(path)) else 0


if __name__ == "__main__":
    sys.exit(main())

"""What a flip costs: an edit with all that noticed it, and the scorecard after it, on six runs and on 20,000.

    python benchmarks/flip.py                        the CyberTravels sample, and 20,000 runs that make_runs.py makes
    python benchmarks/flip.py --input runs.jsonl     another bundle in the place of the made one

`re-score`: from the edited record to what noticed, the run decoded, scored and counted. `edit`: the same with the text
of the record changed. `undo`: back again. `scorecard`: every figure of the screen after an edit, intervals included.
`kept`: an edit that the journal has on the disk. `screen`: on a terminal of 140x50, from Enter in the editor to the
last byte of the screen that shows what noticed, the journal included. Wall time of each single edit, in turn over
random runs; exit status 1 where a median is over its budget (re-score 200 µs, scorecard 100 ms, screen 100 ms).
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import tempfile
import termios
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from make_runs import make_lines

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.journal import Journal
from agent_tui.bundles.what_if import WhatIf
from agent_tui.readers.call_edits import duplicate_call, remove_call
from agent_tui.readers.call_places import actual_places
from agent_tui.runs.edits import Edit, SetValue

SAMPLE = Path(__file__).parent.parent / "sample_runs" / "cybertravels.json"
BUDGETS = {"re-score": 200e-6, "scorecard": 100e-3, "screen": 100e-3}
EDITS, CARDS, SCREENS = 1000, 50, 20


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


class Screen:
    """The explorer on a pseudo-terminal: what is typed goes in, and time is taken until it has nothing more to say."""

    def __init__(self, path: Path) -> None:
        self._pid, self._fd = pty.fork()
        if not self._pid:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 140, 0, 0))
            os.environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
            os.execvp(sys.executable, [sys.executable, "-m", "agent_tui", str(path)])
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 140, 0, 0))

    def typed(self, keys: str, silence: float = 0.4) -> float:
        """Seconds from the keys to the last byte of what they show, silence not counted."""
        started = last = perf_counter()
        os.write(self._fd, keys.encode())
        while select.select([self._fd], [], [], silence)[0]:
            self._answer(os.read(self._fd, 1 << 16))
            last = perf_counter()
        return last - started

    def _answer(self, output: bytes) -> None:
        if b"\x1b[?2026$p" in output:
            os.write(self._fd, b"\x1b[?2026;2$y")

    def close(self) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._fd)


def on_screen(path: Path) -> list[float]:
    """Seconds from Enter in the editor to the last byte of the screen, for another answer of one run after another."""
    screen, took = Screen(path), []
    screen.typed("", silence=15)
    for number in range(SCREENS):
        for keys in ("j", "3", "\x1b[H", "e", "\x15", f"no answer {number}"):
            screen.typed(keys)
        took.append(screen.typed("\r"))
        screen.typed("2")
    screen.close()
    return took


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def say_times(path: Path) -> bool:
    """Whether all budgets are kept; says the times."""
    bundle = load([str(path)])
    size = sum(len(bundle.record(row)) for row in range(len(bundle))) / len(bundle)
    say(f"{path.name}: {len(bundle):,} runs, {size / 1000:.1f} kB a run")
    kept = True
    for step, took in {**measure(bundle), "screen": on_screen(path)}.items():
        middle, most = median(took), sorted(took)[len(took) * 95 // 100]
        budget = BUDGETS.get(step)
        over = budget is not None and middle > budget
        kept = kept and not over
        asked = "" if budget is None else f"   budget {budget * 1e6:>7,.0f} µs{'  OVER' if over else ''}"
        say(f"  {step:<10} median {middle * 1e6:>9,.0f} µs   95 % under {most * 1e6:>9,.0f} µs{asked}")
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

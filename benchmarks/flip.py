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
import os
import re
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from make_runs import make_lines
from terminal import Terminal, Unseen

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.journal import Journal
from agent_tui.bundles.what_if import WhatIf
from agent_tui.readers.call_edits import duplicate_call, remove_call
from agent_tui.readers.call_places import actual_places
from agent_tui.runs.edits import Edit, SetValue

SAMPLE = Path(__file__).parent.parent / "sample_runs" / "cybertravels.json"
BUDGETS = {"re-score": 200e-6, "scorecard": 100e-3, "screen, value": 100e-3, "screen, call": 100e-3}
EDITS, CARDS, SCREENS = 1000, 50, 4
HOME, END, CLEAR = "\x1b[H", "\x1b[F", "\x15"


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


def on_screen(path: Path, runs: int) -> dict[str, list[float]]:
    """Seconds from a key to the last byte of the screen that shows what noticed, in one run after another.

    Two keys are taken: Enter, which takes another answer in the editor, and `x`, which takes a call out. Begins when
    all runs are read. Raises `Unseen` where a change is not taken, shown in the strip, counted above and journalled.
    """
    took: dict[str, list[float]] = {"screen, value": [], "screen, call": []}
    with tempfile.TemporaryDirectory() as state, Terminal(path, state) as terminal:
        terminal.typed("", partial(all_read, terminal, runs))
        for number in range(SCREENS):
            for key in ("2", "j", "3", END):
                terminal.typed(key)
            terminal.typed("k" * lines_below(terminal, "answer"))
            terminal.typed("e", partial(is_typed, terminal, "actual.answer"))
            terminal.typed(CLEAR)
            answer = f"no answer {number}"
            terminal.typed(answer, partial(is_typed, terminal, answer))
            took["screen, value"].append(terminal.typed("\r", partial(has_changed, terminal, 1, answer, "actual.answer")))
            terminal.typed(HOME)
            terminal.typed("j" * line_of_call(terminal))
            took["screen, call"].append(terminal.typed("x", partial(has_changed, terminal, 2, "taken out", "calls[")))
            terminal.typed("u", partial(has_changed, terminal, 1, "put in", "calls["))
            terminal.typed("u", lambda: "as recorded" in terminal.lines[0])
        require_journal(Path(state), 4 * SCREENS)
    return took


def require_journal(state: Path, steps: int) -> None:
    """Raise `Unseen` where a journal has fewer steps than were made."""
    kept = [line for file in state.glob("journal/*.jsonl") for line in file.read_bytes().splitlines()]
    if len(kept) != steps + 1:
        raise Unseen(f"{steps} steps were made, and the journal has {len(kept)} lines")


def all_read(terminal: Terminal, runs: int) -> bool:
    """Whether the screen says that all runs are read."""
    return f" {runs:,} runs " in terminal.lines[0] and terminal.is_seen(f"{runs:,} of {runs:,} ")


def is_typed(terminal: Terminal, text: str) -> bool:
    """Whether a text stands in the line that is typed into."""
    return any(text in line for line in terminal.lines[-3:])


def has_changed(terminal: Terminal, changes: int, text: str, path: str) -> bool:
    """Whether the screen counts so many changes, shows a text, and tells in the strip of one at a path."""
    lines = terminal.lines
    strip = next((at for at, line in enumerate(lines) if "What noticed" in line), -1)
    return f"what-if: {changes} change" in lines[0] and path in lines[strip + 1] and terminal.is_seen(text)


def trajectory(terminal: Terminal) -> list[str]:
    """The lines of the trajectory's pane, its frame left out."""
    lines = terminal.lines
    top = next(at for at, line in enumerate(lines) if re.search(r"─ 3 ─+[╮┐]", line))
    size = next(at for at, line in enumerate(lines[top:]) if re.search(r"[╰└]─+[╯┘]", line[44:]))
    return [line[44:-1].rstrip() for line in lines[top + 1 : top + size]]


def lines_below(terminal: Terminal, label: str) -> int:
    """How many lines stand below the last one of a label. Raises `Unseen` where it is not in view."""
    lines = trajectory(terminal)
    while lines and not lines[-1].strip("│┃ "):
        lines.pop()
    for below, line in enumerate(reversed(lines)):
        if re.match(rf".{{0,4}}{label} ", line):
            return below
    raise Unseen(f"no {label} among\n" + "\n".join(lines))


def line_of_call(terminal: Terminal) -> int:
    """The number of the first line that is about a call. Raises `Unseen` where there is none in view."""
    lines = trajectory(terminal)
    for number, line in enumerate(lines):
        if " made" in line or " steps " in line:
            return number + 1
    raise Unseen("no call among\n" + "\n".join(lines))


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def say_times(path: Path) -> bool:
    """Whether all budgets are kept; says the times."""
    bundle = load([str(path)])
    size = sum(len(bundle.record(row)) for row in range(len(bundle))) / len(bundle)
    say(f"{path.name}: {len(bundle):,} runs, {size / 1000:.1f} kB a run")
    kept = True
    for step, took in {**measure(bundle), **on_screen(path, len(bundle))}.items():
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

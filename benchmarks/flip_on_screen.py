"""The keys of `flip.py`: what is changed on the screen, and how it is known that it was."""

from __future__ import annotations

import re
import tempfile
from functools import partial
from pathlib import Path

from terminal import Terminal, Unseen

HOME, END, CLEAR = "\x1b[H", "\x1b[F", "\x15"


def on_screen(path: Path, runs: int, edits: int) -> dict[str, list[float]]:
    """Seconds from a key to the last byte of the screen that shows what noticed: two keys in each of so many runs.

    Enter takes another answer in the editor, and `x` takes a call out. Begins when all runs are read. Raises `Unseen`
    where a change is not taken: it has to be shown in the strip, counted in the title, and journalled.
    """
    took: dict[str, list[float]] = {"screen, value": [], "screen, call": []}
    with tempfile.TemporaryDirectory() as state, Terminal(path, state) as terminal:
        terminal.typed("", partial(all_read, terminal, runs))
        for number in range(edits):
            for key in ("2", "j", "3", END):
                terminal.typed(key)
            terminal.typed("k" * lines_below(terminal, "answer"))
            terminal.typed("e", partial(is_typed, terminal, "actual.answer"))
            terminal.typed(CLEAR)
            answer = f"no answer {number}"
            terminal.typed(answer, partial(is_typed, terminal, answer))
            took["screen, value"].append(terminal.typed("\r", partial(has_changed, terminal, 1, answer)))
            terminal.typed(HOME)
            terminal.typed("j" * line_of_call(terminal))
            took["screen, call"].append(terminal.typed("x", partial(has_changed, terminal, 2, "taken out")))
            terminal.typed("u", partial(has_changed, terminal, 1, "put in"))
            terminal.typed("u", lambda: "as recorded" in terminal.lines[0])
        require_journal(Path(state), 4 * edits)
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


def has_changed(terminal: Terminal, changes: int, text: str) -> bool:
    """Whether the screen counts so many changes, shows a text, and tells in the strip what noticed."""
    return f"what-if: {changes} change" in terminal.lines[0] and all(map(terminal.is_seen, (text, "What noticed")))


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

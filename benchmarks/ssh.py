"""The explorer over SSH: bytes and frames that each key brings over the link, beside their bars; time to the last byte.

    python benchmarks/ssh.py                     the packaged samples and 20,000 runs that make_runs.py makes (316 MB)
    python benchmarks/ssh.py --runs 2000         fewer of them
    python benchmarks/ssh.py --input FILE...     files from elsewhere, and none of those

On a pseudo-terminal with synchronised output: 120x40 in truecolor with SSH_CONNECTION set, and on the first file also
without it (the trajectory follows the cursor), in 256 and 16 colours, and at 80x24. Then held PageDowns on a link of
24 kbit/s, whose last screen has to be, cell by cell, that of a link without limit; also where a connection takes all
that is written before the link carries it, as ssh does. Bytes and frames do not depend on
the machine; milliseconds do, and have no bar. Exit status 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from link import COLOURS, REMOTE, Answer, Link
from make_runs import make_lines

SAMPLES = Path(__file__).parent.parent / "sample_runs"
START, MOVE, FOLLOW, PAGE, TOGGLE, SCREEN = 40_000, 400, 5_000, 9_000, 2_000, 15_000
"""Bytes of a start, a cursor move, the trajectory that follows it, a page, another matcher, and another pane."""
FRAMES = 2
SEARCH, PROGRESS = "/, Enter", 500
"""The key that starts long work, and the bytes a second that its progress may bring."""
THIN, HELD, LONG, IN_TIME = 3_000, 10, 40, 10.0
"""Bytes a second of 24 kbit/s, how often a key is repeated, and seconds until the last state is there."""
IDLE = 3.0
DOWN, UP, PAGE_DOWN, PAGE_UP, ESCAPE, ENTER, TAB = "\x1b[B", "\x1b[A", "\x1b[6~", "\x1b[5~", "\x1b", "\r", "\t"
KEYS: tuple[tuple[str, str, int], ...] = (
    *(("j", "j", MOVE), ("k", "k", MOVE), ("down", DOWN, MOVE)),
    *(("page down", PAGE_DOWN, PAGE), ("page up", PAGE_UP, PAGE), ("G", "G", PAGE), ("g", "g", PAGE)),
    *(("m", "m", TOGGLE), ("m again", "m", TOGGLE), ("M", "M", TOGGLE)),
    *(("tab", TAB, SCREEN), ("1", "1", SCREEN), ("2", "2", SCREEN), ("3", "3", SCREEN), ("4", "4", SCREEN)),
    *(("3 again", "3", SCREEN), ("j in 3", "j", MOVE), ("page down in 3", PAGE_DOWN, PAGE), ("G in 3", "G", PAGE)),
    *(("+ of 3", "+", SCREEN), ("+ back", "+", SCREEN), ("2 again", "2", SCREEN), ("+ of 2", "+", SCREEN)),
    *(("page down in +", PAGE_DOWN, PAGE), ("+ back from 2", "+", SCREEN)),
    *(("]", "]", SCREEN), ("] again", "]", SCREEN), ("[", "[", SCREEN), ("d", "d", SCREEN)),
    *(("f", "f", SCREEN), *((f"f, {key}", key, MOVE) for key in "gap"), ("f, Enter", ENTER, SCREEN)),
    *(("4, Esc", ESCAPE, SCREEN), ("f, Esc", ESCAPE, SCREEN)),
    *(("s", "s", SCREEN), ("s, down", DOWN, MOVE), ("s, Enter", ENTER, SCREEN)),
    *(("s back", "s", SCREEN), ("s, up", UP, MOVE), ("s back, Enter", ENTER, SCREEN)),
    *(("/", "/", SCREEN), *((f"/, {key}", key, MOVE) for key in "re"), ("/, Enter", ENTER, SCREEN), ("n", "n", SCREEN)),
    *(("/, Esc", ESCAPE, SCREEN), ("2 after /", "2", SCREEN)),
    *(("?", "?", SCREEN), ("page down in ?", PAGE_DOWN, PAGE), ("?, Esc", ESCAPE, SCREEN)),
    *(("p", "p", SCREEN), ("p, Esc", ESCAPE, SCREEN), ("ctrl+p", "\x10", SCREEN), ("ctrl+p, Esc", ESCAPE, SCREEN)),
    *(("g before e", "g", PAGE), ("3 before e", "3", SCREEN), ("g in 3", "g", SCREEN)),
    *(("e", "e", SCREEN), ("e, clear", "\x15", MOVE), *((f"e, {key}", key, MOVE) for key in '"x"')),
    *(("e, Enter", ENTER, SCREEN), ("u", "u", SCREEN), ("U", "U", SCREEN), ("ctrl+r", "\x12", SCREEN)),
)
"""What is pressed, in order: what it is called, what is typed, and the bytes it may bring."""
MOVES = 7
"""The first keys of these: the trajectory follows them where it may."""


@dataclass(frozen=True, slots=True)
class Look:
    """A terminal."""

    name: str
    width: int = 120
    height: int = 40
    colours: str = "truecolor"
    remote: bool = True

    def link(self, path: str, kept: str, rate: int = 0, *, deep: bool = False) -> Link:
        """The explorer on it; what it keeps is in a folder, its index outlives the link."""
        environ = COLOURS[self.colours] | (REMOTE if self.remote else {})
        state = tempfile.mkdtemp(dir=kept)
        places = {"STATE": state, "CONFIG": state, "CACHE": kept}
        environ = environ | {f"AGENT_TUI_{name}_DIR": folder for name, folder in places.items()}
        return Link([path], environ, self.width, self.height, rate, deep=deep)


SSH = Look("SSH, 120x40, truecolor")
LOOKS = (
    Look("not SSH, 120x40, truecolor", remote=False),
    Look("SSH, 120x40, 256 colours", colours="256"),
    Look("SSH, 120x40, 16 colours", colours="16"),
    Look("SSH, 80x24, truecolor", 80, 24),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    name: str
    bytes: int
    bar: int
    frames: int
    most_frames: int
    seconds: float | None

    @property
    def missed(self) -> bool:
        """Whether it is over a bar."""
        return self.bytes > self.bar or self.frames > self.most_frames

    def __str__(self) -> str:
        took = "" if self.seconds is None else f"{self.seconds * 1000:8.0f} ms"
        sign = "  MISSED" if self.missed else ""
        return (
            f"  {self.name:<18}{self.bytes:>8,} of {self.bar:>6,} B{self.frames:>4} of {self.most_frames}{took}{sign}"
        )


def keys(look: Look, path: str, kept: str) -> Iterator[Row]:
    """A start, every key, and what comes when nothing is done."""
    with look.link(path, kept) as link:
        answer = link.start()
        yield Row("start", len(answer.data), START, len(answer.frames), 3, answer.seconds)
        for name, typed, bar in KEYS if look.remote else KEYS[:MOVES]:
            yield from rows(name, link.press(typed), bar, follows=not look.remote)
        answer = link.idle(IDLE)
        yield Row(f"idle for {IDLE:.0f} s", len(answer.data), 0, len(answer.frames), 0, None)


def rows(name: str, answer: Answer, bar: int, *, follows: bool) -> Iterator[Row]:
    """What a key brought; where the trajectory follows a move, that is a row of its own."""
    frames = answer.frames
    if name == SEARCH and len(frames) > FRAMES and answer.seconds:
        told, rest, found = frames[:FRAMES], frames[FRAMES:-1], frames[-1]
        yield Row(name, sum(map(len, told)), bar, FRAMES, FRAMES, None)
        yield Row("progress, a second", round(sum(map(len, rest)) / answer.seconds), PROGRESS, 0, 0, answer.seconds)
        yield Row("found", len(found), bar, 1, 1, None)
    elif follows and bar in (MOVE, PAGE) and len(frames) > 1:
        move, follow = frames[0], frames[1:]
        yield Row(name, len(move), bar, 1, 1, None)
        yield Row(f"{name}, follow", sum(map(len, follow)), FOLLOW, len(follow), 1, answer.seconds)
    else:
        yield Row(name, len(answer.data), bar, len(frames), FRAMES, answer.seconds)


def held(path: str, kept: str, times: int, *, deep: bool) -> Iterator[tuple[str, bool]]:
    """PageDown held down on a thin link: what is told, and whether a bar is missed."""
    last = []
    for rate in (0, THIN):
        with SSH.link(path, kept, rate, deep=deep) as link:
            link.start()
            answer = link.hold(PAGE_DOWN, times)
            last.append(link.cells)
            seconds = answer.seconds or 0.0
            limit = IN_TIME if rate else float("inf")
            told = f"  {rate or 'no'} bytes/s: {len(answer.data):,} B in {len(answer.frames)} frames, {seconds:.1f} s"
            yield told + (f" of {limit:.0f}" if rate else ""), seconds > limit
    differ = sum(one != other for one, other in zip(*last, strict=True))
    yield f"  cells that differ in the end: {differ} of 0", differ > 0


def report(name: str, table: Iterator[Row], *, is_long: bool) -> int:
    """Print a table, or only what of it is missed; gives how many are."""
    found = list(table)
    missed = [row for row in found if row.missed]
    say(f"\n{name}: {len(found)} rows, {len(missed)} missed")
    for row in found if is_long else [found[0], *missed]:
        say(str(row))
    return len(missed)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def made(folder: str, runs: int) -> str:
    """A file of so many runs."""
    path = Path(folder) / "runs.jsonl"
    with path.open("wb") as file:
        file.writelines(line + b"\n" for line in make_lines(runs))
    return str(path)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--runs", type=int, default=20_000)
    arguments.add_argument("--input", nargs="+", default=[])
    asked = arguments.parse_args()
    os.environ["PYTHONPATH"] = str(SAMPLES.parent)
    with tempfile.TemporaryDirectory() as kept:
        paths = asked.input or [
            str(SAMPLES / "cybertravels.json"),
            str(SAMPLES / "docent.json"),
            made(kept, asked.runs),
        ]
        missed = 0
        for path in paths:
            with SSH.link(path, kept) as link:
                link.start()
            missed += report(f"{Path(path).name}, {SSH.name}", keys(SSH, path, kept), is_long=True)
        for look in LOOKS:
            missed += report(f"{Path(paths[0]).name}, {look.name}", keys(look, paths[0], kept), is_long=not look.remote)
        for times, deep in ((HELD, False), (HELD, True), (LONG, True)):
            how = "a connection that takes all" if deep else "a line that takes what it carries"
            say(f"\n{Path(paths[-1]).name}, {times} held PageDowns, {how}")
            for told, is_missed in held(paths[-1], kept, times, deep=deep):
                missed += is_missed
                say(told + ("  MISSED" if is_missed else ""))
    say(f"\n{missed} bars missed" if missed else "\nevery bar is met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

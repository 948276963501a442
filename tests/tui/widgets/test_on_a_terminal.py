"""What reaches the terminal, byte by byte, through a pseudo-terminal."""

from __future__ import annotations

import random

import pytest

from tests.tui.pty_terminal import KEYS as PRESSED
from tests.tui.pty_terminal import PtyTerminal, run_app

APP = "tests.tui.widgets.sample_app"
ACTING = [b"\x1b]0;", b"\x1b]52", b"\x1b[2J", b"\xc2\x9b", b"\x00", b"\x07", "\u202e".encode()]


def started(**environ: str) -> PtyTerminal:
    """The app, fully drawn: both panes, and the frame of the one in focus lit."""
    terminal = run_app(APP, **environ)
    terminal.wait(lambda: "R36" in terminal.text and ".500" in terminal.text and is_lit(terminal))
    return terminal


def is_lit(terminal: PtyTerminal) -> bool:
    row = terminal.screen.buffer[terminal.screen.lines - 1]
    return row[0].fg != row[terminal.screen.columns - 1].fg


def cells(terminal: PtyTerminal) -> list[tuple[object, ...]]:
    """What can be seen of each cell: a blank shows no foreground."""
    screen = terminal.screen
    seen = []
    for y in range(screen.lines):
        for x in range(screen.columns):
            cell = screen.buffer[y][x]
            ink = (cell.fg, cell.bold, cell.italics) if cell.data.strip() else ()
            seen.append((x, y, cell.data, cell.bg, cell.underscore, cell.reverse, *ink))
    return seen


def test_starting_stays_within_the_budget() -> None:
    with started() as terminal:
        assert len(terminal.output) <= 40_000


def test_a_cursor_move_writes_two_rows() -> None:
    with started() as terminal:
        moves = [terminal.press("down", f"▸R{row}") for row in (1, 2, 3, 4)]
        assert max(map(len, moves)) <= 400
        assert all(move.count(b"\x1b[?2026h") == 1 for move in moves)


def test_a_page_stays_within_the_budget() -> None:
    with started() as terminal:
        assert len(terminal.press("end", "R999999")) <= 9_000
        assert len(terminal.press("home", "▸R0")) <= 9_000
        assert len(terminal.press("pagedown", "R70")) <= 9_000


def test_a_toggle_writes_only_what_it_changed() -> None:
    with started() as terminal:
        assert len(terminal.press("m", "matcher 1")) <= 2_000


def test_nothing_is_written_while_nothing_happens() -> None:
    with started() as terminal:
        terminal.press("down", "▸R1")
        assert terminal.silence(0.5) == b""


def test_the_edge_is_crossed_by_half_a_page() -> None:
    with started() as terminal:
        written = [terminal.press("down", f"▸R{row} ") for row in range(1, 60)]
        assert sum(len(burst) > 500 for burst in written) == 2


@pytest.mark.parametrize("plain_output", ["", "1"])
def test_no_control_character_of_a_text_passes(plain_output: str) -> None:
    with started(PLAIN_OUTPUT=plain_output) as terminal:
        start = len(terminal.output)
        terminal.press("x", "note")
        written = terminal.output[start:]
        assert [sequence for sequence in ACTING if sequence in written] == []
        assert "pane" in terminal.text
        assert "[/]title" in terminal.text


def test_the_screen_is_the_one_that_plain_textual_draws() -> None:
    keys = [
        ("down", "▸R1"),
        ("pagedown", "R70"),
        ("m", "matcher 1"),
        ("end", "▸R999999"),
        ("up", "▸R999998"),
        ("home", "▸R0"),
    ]
    with started() as lean, started(PLAIN_OUTPUT="1") as plain:
        for key, until in keys:
            lean.press(key, until)
            plain.press(key, until)
            assert cells(lean) == cells(plain)
        assert len(lean.output) < len(plain.output) / 3


KEYS = ("down", "up", "j", "k", "pagedown", "pageup", "home", "end", "m", "tab")


@pytest.mark.parametrize("rate", [0, 6000])
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("term", ["xterm-256color", "screen"])
def test_any_keys_end_in_the_screen_that_plain_textual_draws(rate: int, seed: int, term: str) -> None:
    drawn = random.Random(seed)
    keys = "".join(PRESSED.get(key, key) for key in drawn.choices(KEYS, k=60))
    with started(TERM=term) as lean, started(TERM=term, PLAIN_OUTPUT="1") as plain:
        lean.rate = rate
        for start in range(0, len(keys), 20):
            lean.type(keys[start : start + 20])
            plain.type(keys[start : start + 20])
            plain.silence(0.2)
            lean.silence(0.01)
        plain.silence(0.5)
        lean.wait(lambda: cells(lean) == cells(plain))
        assert len(lean.output) < len(plain.output)


@pytest.mark.parametrize("moved", ["modules", "attributes"])
def test_where_inner_names_of_textual_have_moved_it_draws_by_itself(moved: str) -> None:
    with run_app("tests.tui.widgets.moved_app", MOVED=moved) as terminal:
        terminal.wait(lambda: "R36" in terminal.text and ".500" in terminal.text)
        terminal.press("down", "▸R1")
        terminal.press("end", "▸R999999")
        start = len(terminal.output)
        terminal.press("x", "note")
        assert [sequence for sequence in ACTING if sequence in terminal.output[start:]] == []
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_clean


@pytest.mark.parametrize("colorterm", ["", "truecolor"])
def test_fewer_colours_draw_the_same_text(colorterm: str) -> None:
    with started(TERM="xterm", COLORTERM=colorterm) as terminal:
        terminal.press("down", "▸R1")
        assert "✗ args" in terminal.text
        assert (b"38;2;" in terminal.output) == bool(colorterm)

"""From one grid to another: what is written gives the screen that was wanted, at the least cost."""

from __future__ import annotations

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from rich.text import Span, Text
from textual.strip import Strip

from agent_tui.tui.cells import PUT_DOWN, Grid, cells_of
from agent_tui.tui.strokes import PLAIN
from agent_tui.tui.theme import palette_for
from agent_tui.tui.widgets.paint import ascii_only, segments

WIDTH, HEIGHT = 24, 4
TRUE = ColorSystem.TRUECOLOR
STYLES = [
    "",
    "bold",
    "dim italic",
    "reverse",
    "underline",
    "#ff0000",
    "bold #00ff00 on #202020",
    "on #28303f",
    "strike",
]
Piece = tuple[int, int, str, str]
PIECES = st.lists(
    st.tuples(
        st.integers(0, WIDTH - 1),
        st.integers(0, HEIGHT - 1),
        st.sampled_from(["a", "   ", " " * 15, "refund ✓", "日本", "e\u0301x", "  b  ", "\u2708\ufe0f 4"]),
        st.sampled_from(STYLES),
    ),
    max_size=12,
)


def draw(grid: Grid, pieces: list[Piece]) -> None:
    for x, y, text, style in pieces:
        grid.put(x, y, [Segment(text, Style.parse(style))], TRUE)


def seen(screen: pyte.Screen) -> list[tuple[object, ...]]:
    cells = [screen.buffer[y][x] for y in range(HEIGHT) for x in range(WIDTH)]
    return [
        (
            cell.data,
            cell.bg,
            cell.reverse,
            cell.underscore,
            cell.strikethrough,
            *((cell.fg, cell.bold) if cell.data.strip() or cell.reverse else ()),
        )
        for cell in cells
    ]


@pytest.mark.parametrize("erases", [False, True])
@given(first=PIECES, second=PIECES)
def test_the_differences_give_the_screen_that_was_wanted(erases: bool, first: list[Piece], second: list[Piece]) -> None:
    grid, afresh = Grid(WIDTH, HEIGHT, erases=erases), Grid(WIDTH, HEIGHT)
    screen, wanted = pyte.Screen(WIDTH, HEIGHT), pyte.Screen(WIDTH, HEIGHT)
    for each in (screen, wanted):
        each.reset_mode(7, private=True)  # Textual switches line wrap off too
    for pieces in (first, second):
        draw(grid, pieces)
        draw(afresh, pieces)
        pyte.Stream(screen).feed(grid.changes())
    pyte.Stream(wanted).feed(afresh.changes())
    assert seen(screen) == seen(wanted)


def test_what_is_shown_is_not_written_again() -> None:
    grid = Grid(WIDTH, HEIGHT)
    draw(grid, [(0, 0, "refund", "bold")])
    assert grid.changes()
    draw(grid, [(0, 0, "refund", "bold")])
    assert grid.changes() == ""


def test_one_changed_cell_costs_a_few_bytes() -> None:
    grid = Grid(WIDTH, HEIGHT)
    draw(grid, [(0, 0, "✓ refund", "#8fbf7f on #16181d")])
    grid.changes()
    draw(grid, [(0, 0, "✗ refund", "#8fbf7f on #16181d")])
    assert grid.changes() == "\x1b[1;1H\x1b[48;2;22;24;29m✗"


def test_a_blank_keeps_the_ink_in_hand() -> None:
    grid = Grid(WIDTH, HEIGHT)
    grid.changes()
    draw(grid, [(0, 0, "a", "red"), (1, 0, " ", "blue"), (2, 0, "b", "red")])
    assert grid.changes() == "\x1b[1;1H\x1b[31ma b"


def test_a_colour_that_comes_again_in_a_row_is_sent_once() -> None:
    grid = Grid(WIDTH, HEIGHT, erases=True)
    red, blue = "#e07a7a on #28303f", "#7aa2f7 on #28303f"
    draw(
        grid, [(0, 0, " " * WIDTH, red), (0, 0, "ab", red), (6, 0, "cd", blue), (12, 0, "ef", red), (20, 0, "g", blue)]
    )
    written = grid.changes()
    assert written.count("224;122;122") == written.count("122;162;247") == written.count("48;2;40;48;63") == 1


def test_no_control_gets_into_the_grid() -> None:
    grid = Grid(WIDTH, HEIGHT)
    draw(grid, [(0, 0, "a\x1b[2J\x9b\x07\u202eb\ud800", "")])
    written = grid.changes()
    assert "a␛[2J�␇�b�" in written


def test_the_pen_in_hand_is_kept_and_put_down_where_nobody_knows_it() -> None:
    grid = Grid(WIDTH, HEIGHT)
    draw(grid, [(0, 0, "one", "red")])
    assert grid.changes().startswith(PUT_DOWN)
    draw(grid, [(0, 0, "two", "blue")])
    assert grid.changes() == "\x1b[1;1H\x1b[34mtwo"
    draw(grid, [(0, 0, "six", "blue")])
    assert grid.changes() == "\x1b[1;1Hsix"
    grid.forget()
    assert grid.changes().startswith(PUT_DOWN)


def test_few_rows_are_written_in_the_order_that_the_pen_in_hand_suits() -> None:
    grid = Grid(WIDTH, HEIGHT)
    grid.changes()
    draw(grid, [(0, 0, "up", "red"), (0, 1, "down", "blue")])
    assert grid.changes() == "\x1b[1;1H\x1b[31mup\x1b[2;1H\x1b[34mdown"
    draw(grid, [(0, 0, "on", "red"), (0, 1, "here", "blue")])
    assert grid.changes() == "\x1b[2;1Hhere\x1b[1;1H\x1b[31mon"


def test_after_forgetting_everything_is_written() -> None:
    grid = Grid(WIDTH, HEIGHT)
    draw(grid, [(3, 1, "refund", "")])
    first = grid.changes()
    grid.forget()
    assert grid.changes() == first


def test_a_place_outside_is_ignored() -> None:
    grid = Grid(WIDTH, HEIGHT)
    grid.changes()
    draw(grid, [(WIDTH - 2, 0, "refund", ""), (0, HEIGHT, "x", ""), (WIDTH + 5, 1, "x", "")])
    assert grid.changes() == f"\x1b[1;{WIDTH - 1}Hre"


SIGNS = st.lists(
    st.sampled_from(
        ["a", " ", "é", "e\u0301", "日", "👩\u200d💻", "👨\u200d👩\u200d👧", "👍\U0001f3fd", "1\ufe0f\u20e3", "❤\ufe0f"]
    )
).map("".join)


@given(text=SIGNS)
def test_signs_about_which_terminals_do_not_agree_are_drawn_otherwise_in_as_many_cells(text: str) -> None:
    cells = cells_of(text, PLAIN)
    assert len(cells) == cell_len(text)
    assert not {*"\u200d\ufe0f\U0001f3fd💻👧"} & {sign for cell in cells for sign in cell.text}


@given(text=SIGNS, start=st.integers(0, 12), end=st.integers(0, 12))
def test_a_painted_line_can_be_cut_at_each_of_its_cells(text: str, start: int, end: int) -> None:
    line = Text(text, "text", spans=[Span(start, end, "match")])
    strip = Strip(segments(line, palette_for("agent-dark"), Style()))
    assert strip.cell_length == cell_len(text)
    for cell in range(strip.cell_length + 1):
        assert cell_len(strip.crop(0, cell).text) == cell
        assert cell_len(strip.crop(cell, strip.cell_length).text) == strip.cell_length - cell


@pytest.mark.parametrize("word", ["क्\u200dष", "می\u200dخواهم"])
def test_letters_that_a_joiner_stands_between_are_drawn_all(word: str) -> None:
    assert "".join(cell.text for cell in cells_of(word, PLAIN)) == word


@given(text=SIGNS)
def test_text_for_a_terminal_of_ascii_takes_as_many_cells(text: str) -> None:
    plain = ascii_only(text)
    assert plain.isascii()
    assert len(plain) == cell_len(text)

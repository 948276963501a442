"""What keys cost over a link: bytes and frames on a pseudo-terminal, which do not depend on the machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_tui.tui.output import FRESH
from tests.tui.opened import CYBERTRAVELS, call, made_run, write_bundle
from tests.tui.pty_terminal import KEYS as KEY_CODES
from tests.tui.pty_terminal import QUESTION, PtyTerminal, run_explorer

FRAME = b"\x1b[?2026h"
SSH = {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"}
MOVE, PAGE, TOGGLE, SCREEN = 400, 9_000, 2_000, 15_000
COUNT = 200
KEYS = (
    *(("j", "▸t1", MOVE), ("k", "▸t0", MOVE), ("down", "▸t1", MOVE), ("up", "▸t0", MOVE)),
    *(("pagedown", "▸", PAGE), ("pageup", "▸t0", PAGE), ("G", "▸t199", PAGE), ("g", "▸t0", PAGE)),
    *(("m", "name-only 200/200", TOGGLE), ("M", "exact 133/200", TOGGLE)),
    *(("tab", "▸t0", SCREEN), ("2", "▸t0", SCREEN), ("3", "▸t0", SCREEN), ("2", "▸t0", SCREEN)),
    *(("]", "▸t3", SCREEN), ("[", "▸t0", SCREEN), ("d", "▸t3", SCREEN)),
    *(("+", "▸t3", SCREEN), ("+", "look_up", SCREEN)),
    *(("?", "to the scorecard", SCREEN), ("escape", "▸t3", SCREEN), ("p", "Where it comes from", SCREEN)),
    *(("escape", "▸t3", SCREEN), ("ctrl+p", "the next matcher", SCREEN), ("escape", "▸t3", SCREEN)),
    *(("s", "Sort by", SCREEN), ("escape", "▸t3", SCREEN), ("f", "ready filters", SCREEN), ("escape", "▸t3", SCREEN)),
    *(("/", "search everything", SCREEN), ("z", "/ z", MOVE), ("escape", "▸t3", SCREEN)),
    *(("3", "▸t3", SCREEN), ("e", "expected.calls", SCREEN), ("9", "9", MOVE), ("escape", "▸t3", SCREEN)),
)
"""A key, what is on the screen after it, and the bytes it may bring."""


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Runs for many pages; every third fails."""
    runs = []
    for number in range(COUNT):
        expected = [call("look_up", city="Rome", night=night) for night in range(4)]
        actual = [call("look_up", city="Oslo", night=9), *expected[1:]] if number % 3 == 0 else expected
        ask = f"Book trip {number * 7919 % 10007} to Rome."
        runs.append(made_run(f"t{number}", expected, actual, input=ask, truth={"answer": "yes"}, answer="yes"))
    return write_bundle(tmp_path_factory.mktemp("many"), *runs)


def started(path: str, *options: str, width: int = 120, height: int = 40, **environ: str) -> PtyTerminal:
    """The explorer over SSH, all read and at rest."""
    terminal = run_explorer(path, *options, width=width, height=height, **SSH, **environ)
    terminal.wait(lambda: " of " in terminal.text and "▸" in terminal.text and "so far" not in terminal.text)
    terminal.silence(0.4)
    return terminal


def over_budget(terminal: PtyTerminal) -> Iterator[str]:
    """The keys that bring more than they may, with what they brought."""
    for key, until, bar in KEYS:
        written = terminal.press(key, until) + terminal.silence(0.25)
        frames = written.count(FRAME)
        if len(written) > bar or frames > 2:
            yield f"{key}: {len(written)} bytes in {frames} frames"


@pytest.mark.parametrize(("width", "height"), [(120, 40), (80, 24)])
def test_no_key_brings_more_than_it_may(many: str, width: int, height: int) -> None:
    with started(many, width=width, height=height) as terminal:
        assert len(terminal.output) <= 40_000
        assert list(over_budget(terminal)) == []
        assert terminal.silence(1.0) == b""


@pytest.mark.parametrize("colours", [{"COLORTERM": ""}, {"COLORTERM": "", "TERM": "xterm"}])
def test_fewer_colours_bring_fewer_bytes(many: str, colours: dict[str, str]) -> None:
    with started(many) as rich, started(many, **colours) as poor:
        for key, until in (("j", "▸t1"), ("pagedown", "t15"), ("?", "enlarge")):
            assert len(poor.press(key, until)) < len(rich.press(key, until))


def test_over_ssh_there_is_no_mouse_unless_asked_for() -> None:
    with started(CYBERTRAVELS) as terminal:
        assert b"\x1b[?1000h" not in terminal.output
    with started(CYBERTRAVELS, "--mouse") as terminal:
        assert b"\x1b[?1000h" in terminal.output


def test_over_ssh_the_trajectory_waits_unless_asked_to_follow() -> None:
    with started(CYBERTRAVELS) as terminal:
        written = terminal.press("j", "▸R2") + terminal.silence(0.4)
        assert written.count(FRAME) == 1
        terminal.press("enter", "R2  double-charge")
    with started(CYBERTRAVELS, "--follow-cursor") as terminal:
        assert len(terminal.press("j", "R2  double-charge")) <= MOVE + 5_000


def test_the_edge_is_crossed_by_half_a_page(many: str) -> None:
    with started(many) as terminal:
        written = [terminal.press("down", f"▸t{number} ") for number in range(1, 40)]
        assert sum(len(burst) > MOVE for burst in written) <= 6


def test_a_pane_is_enlarged_in_one_frame(many: str) -> None:
    with started(many) as terminal:
        for rows in (True, False):
            written = terminal.press("+", "▸t0") + terminal.silence(0.3)
            assert written.count(FRAME) == 1
            assert ("t30" in terminal.text) == rows


def test_pages_for_which_the_link_has_no_time_are_left_out(many: str, tmp_path: Path) -> None:
    with started(many) as fast, started(many) as slow:
        for _ in range(10):
            fast.type("\x1b[6~")
            slow.type("\x1b[6~")
        fast.silence(0.5)
        slow.wait(lambda: slow.text == fast.text)
        assert "▸t0 " not in slow.text


def held_down(terminal: PtyTerminal, times: int) -> bytes:
    """What PageDown brings while it is held down over 24 kbit/s, through a connection that takes all at once."""
    terminal.rate, terminal.is_deep = 3_000, True
    start = len(terminal.output)
    for _ in range(times):
        terminal.type(KEY_CODES["pagedown"])
        terminal.silence(1 / 30)
    terminal.wait_for("▸t199")
    return terminal.output[start:] + terminal.silence(0.5)


def test_pages_that_the_line_cannot_carry_are_left_out(many: str) -> None:
    with started(many) as terminal:
        written = held_down(terminal, 40)
        screen = terminal.text
        terminal.rate = 0
        terminal.press("g", "▸t0")
        terminal.press("G", "▸t199")
        assert terminal.text == screen
    assert written.count(FRAME) < 10
    assert QUESTION in written


def test_a_terminal_that_answers_only_once_gets_every_page(many: str) -> None:
    with started(many) as terminal:
        terminal.answers = False
        for key, until in (("G", "▸t199"), ("g", "▸t0")) * 4:
            terminal.press(key, until)
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_clean


def test_near_by_nothing_is_asked(many: str) -> None:
    with run_explorer(many) as terminal:
        terminal.wait(lambda: "200 of 200" in terminal.text and "▸" in terminal.text)
        start = len(terminal.output)
        terminal.press("G", "▸t199")
        terminal.press("g", "▸t0")
        assert QUESTION not in terminal.output[start:]


def test_a_size_that_came_and_went_at_once_leaves_a_whole_screen(many: str) -> None:
    with started(many) as terminal:
        terminal.silence(FRESH)  # as long as a terminal may tell its size twice
        screen = terminal.text
        terminal.resize(20, 5)
        terminal.resize(120, 40)
        assert terminal.text != screen
        terminal.wait(lambda: terminal.text == screen)

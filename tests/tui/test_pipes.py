"""What comes by a pipe is shown as it comes; how much has come and whether more may is told, and any end is clean."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agent_tui.bundles import Bundle, load
from agent_tui.matchers import parse_rules
from agent_tui.readers.streams import copy_of
from agent_tui.tui.arrival import Arrival
from agent_tui.tui.config import Config, Most
from agent_tui.tui.loader import Opening
from tests.tui.opened import CYBERTRAVELS, Explorer, app_on, call, made_run, opened, write_bundle
from tests.tui.pty_terminal import PtyTerminal
from tests.tui.test_damaged_index import RUNS, change_a_value, harm_what_is_open
from tests.tui.test_damaged_index import large as large  # a fixture
from tests.tui.test_growing import HEADER, append, has, lines, passed
from tests.tui.test_on_a_terminal import in_a_shell

FOREIGN = '{"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]}\n'


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where everything temporary of the program goes."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


class Writer:
    """Somebody who writes a pipe that has a name; it is open for reading too, so that nobody is waited for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        os.mkfifo(path)
        self._writes = os.open(path, os.O_RDWR)
        self.is_over = False

    def write(self, text: str) -> None:
        left = text.encode()
        while left:
            left = left[os.write(self._writes, left) :]

    def end(self) -> None:
        if not self.is_over:
            self.is_over = True
            os.close(self._writes)


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    made = Writer(tmp_path / "runs.pipe")
    yield made
    made.end()


def on_standard_input(writer: Writer, before: str = "") -> PtyTerminal:
    """The explorer with the pipe for standard input."""
    return in_a_shell(f"{before}exec $EXPLORER - < {writer.path}")


# On a terminal


def test_rows_come_as_they_are_written_and_the_end_is_said(writer: Writer, temporary: Path) -> None:
    with on_standard_input(writer) as terminal:
        terminal.wait_for("pipe open, 0 B")
        writer.write(HEADER + lines(0, 2) + lines(2, 3)[:30])
        terminal.wait_for("2 runs so far  pipe open")
        terminal.wait_for("▸r0")
        writer.write(lines(2, 3)[30:] + lines(3, 9))
        terminal.wait_for("9 runs so far  pipe open")
        terminal.wait_for("exact         5/9")
        terminal.wait_for("│ r8 ")
        terminal.type("F")
        terminal.wait_for("following the pipe")
        writer.write(lines(9, 10))
        terminal.wait_for("▸r9")
        writer.end()
        terminal.wait_for("10 runs  pipe ended, ")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_clean
    assert list(temporary.iterdir()) == []


def test_a_pipe_that_ends_without_another_run_is_whole(writer: Writer) -> None:
    with on_standard_input(writer) as terminal:
        writer.write(HEADER + lines(0, 2))
        terminal.wait_for("2 runs so far  pipe open")
        writer.end()
        terminal.wait_for("2 runs  pipe ended")


def test_nothing_is_written_while_nothing_comes(writer: Writer) -> None:
    with on_standard_input(writer) as terminal:
        writer.write(HEADER + lines(0, 2))
        terminal.wait_for("2 runs so far  pipe open")
        writer.write(lines(2, 3))
        terminal.wait_for("3 runs so far")
        terminal.silence(1.0)
        assert terminal.silence(1.0) == b""


def test_a_document_is_counted_until_it_is_whole(writer: Writer) -> None:
    document = Path(CYBERTRAVELS).read_text()
    with on_standard_input(writer) as terminal:
        writer.write(document[:5000])
        terminal.wait_for("0 runs so far  pipe open, 5.0 kB, shown when it ends")
        writer.write(document[5000:6000])
        terminal.wait_for("pipe open, 6.0 kB, shown when it ends")
        writer.write(document[6000:])
        writer.end()
        terminal.wait_for("6 of 6")
        terminal.wait_for("pipe ended")


@pytest.mark.parametrize("end", ["q", signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize(("text", "shown"), [("", "pipe open, 0 B"), (HEADER + lines(0, 90), "90 runs so far")])
def test_any_end_is_clean_whatever_the_writer_does(
    writer: Writer, temporary: Path, end: str | signal.Signals, text: str, shown: str
) -> None:
    with on_standard_input(writer) as terminal:
        writer.write(text)
        terminal.wait_for(shown)
        if text:
            writer.write(lines(90, 100))
            terminal.wait_for("100 runs so far")  # an index is being written
            assert [path.name.startswith("agent-tui-index-") for path in temporary.iterdir()] == [True]
        if isinstance(end, str):
            terminal.type(end)
        else:
            terminal.send(end)
        assert terminal.end() == (0 if isinstance(end, str) else 128 + end)
        assert terminal.is_clean
        assert b"Traceback" not in terminal.output
    assert list(temporary.iterdir()) == []


def test_where_there_is_no_room_for_more_what_came_stays(writer: Writer) -> None:
    with on_standard_input(writer, before="ulimit -f 30; ") as terminal:
        writer.write(HEADER + lines(0, 3))
        terminal.wait_for("3 runs so far  pipe open")
        writer.write(lines(3, 300))
        terminal.wait_for("pipe left off at 30.7 kB")
        terminal.wait_for("the rest after 30,720 bytes is left out: no room: File too large; TMPDIR names a folder")
        terminal.press("down", "2 skipped (P)")
        assert "▸r1" in terminal.text
        terminal.type("q")
        assert terminal.end() == 0


# Without one


def written(tmp_path: Path, text: str) -> Bundle:
    path = tmp_path / "runs.jsonl"
    append(path, text)
    return load([str(path)])


async def test_what_came_is_what_reading_the_file_gives(writer: Writer, tmp_path: Path) -> None:
    text = HEADER + lines(0, 200) + "{broken\n" + lines(200, 210) + lines(210, 211)[:40]
    writer.write(text[:3000])
    async with opened(str(writer.path)) as explorer:
        assert len(explorer.app.bundle) < 30
        assert explorer.app.bundle.digest == ""
        writer.write(text[3000:])
        await explorer.until(has(explorer, 210))
        assert explorer.app.bundle.digest == ""
        writer.end()
        plain = written(tmp_path, text)
        await explorer.until(lambda: explorer.app.bundle.digest == plain.digest)
        bundle = explorer.app.bundle
        assert [bundle.record(row) for row in range(210)] == [plain.record(row) for row in range(210)]
        assert [each.reason for each in bundle.problems] == [each.reason for each in plain.problems]
        await explorer.until(lambda: passed(explorer) == 105)
        course = explorer.app.main.session.course
        assert course is not None
        assert (course.total, course.done > 3000) == (len(text), True)


async def test_changes_stay_while_more_comes(writer: Writer) -> None:
    writer.write(HEADER + lines(0, 2))
    async with opened(str(writer.path)) as explorer:
        await explorer.press("down", "y")
        assert explorer.app.main.session.changes == 1
        writer.write(lines(2, 5))
        await explorer.until(has(explorer, 5))
        assert explorer.app.bundle.is_edited(1)
        await explorer.press("u")
        assert not explorer.app.bundle.is_edited(1)


async def test_a_pipe_that_has_ended_at_once_is_read_as_a_file_is(writer: Writer, tmp_path: Path) -> None:
    app = app_on(str(writer.path))
    async with app.run_test(size=(140, 50)) as pilot:
        explorer = Explorer(app, pilot)
        await explorer.until(lambda: copy_of(str(writer.path)) is not None)
        writer.write(HEADER + lines(0, 5))
        writer.end()
        await explorer.until(app.is_loaded.is_set)
        assert app.bundle.digest == written(tmp_path, HEADER + lines(0, 5)).digest
        await explorer.until(lambda: "5 runs  pipe ended" in explorer.text)


@pytest.mark.skipif(sys.platform != "linux", reason="what has no name is reached by /proc only")
def test_a_damaged_index_of_a_pipe_is_made_again_and_changes_stay(writer: Writer, temporary: Path, large: str) -> None:
    head, _, rest = Path(large).read_text().partition("\n")
    with on_standard_input(writer) as terminal, ThreadPoolExecutor() as threads:
        first, _, rest = rest.partition("\n")
        writer.write(f"{head}\n{first}\n")
        terminal.wait_for("2 runs so far  pipe open")
        threads.submit(lambda: (writer.write(rest), writer.end()))
        terminal.wait_for(f"{RUNS} runs  pipe ended")
        change_a_value(terminal)
        harm_what_is_open(temporary)
        terminal.type("G")
        terminal.wait_for("done again: G")
        terminal.wait_for(f"{RUNS} of {RUNS}")
        assert "what-if: 1 change" in terminal.text
        terminal.press("F", "not followed: the pipe has ended")
        terminal.press("q", "1 change is kept nowhere")
        terminal.type("G\r")
        assert terminal.end() == 0
        assert terminal.is_clean
    assert list(temporary.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="what has no name is reached by /proc only")
def test_a_damaged_index_of_an_open_pipe_loses_no_run(writer: Writer, temporary: Path) -> None:
    with on_standard_input(writer) as terminal:
        writer.write(HEADER + lines(0, 3))
        terminal.wait_for("3 runs so far  pipe open")
        writer.write(lines(3, 60))
        terminal.wait_for("60 runs so far  pipe open")
        harm_what_is_open(temporary)
        writer.write(lines(60, 90))
        terminal.wait_for("90 runs so far  pipe open")
        writer.write(lines(90, 95))
        writer.end()
        terminal.wait_for("95 runs  pipe ended")
        terminal.wait_for("48/95")
        terminal.type("q")
        assert terminal.end() == 0
    assert list(temporary.iterdir()) == []


WHOLE = (HEADER + lines(0, 100))[:2000].count("\n") - 1
"""How many runs stand whole in the first bytes (a count)."""


def test_the_limit_of_the_configuration_ends_the_copy_and_what_came_stays(writer: Writer, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text("[limits]\npipe = 2_000")
    with on_standard_input(writer) as terminal:
        writer.write(HEADER + lines(0, 3))
        terminal.wait_for("3 runs so far  pipe open")
        writer.write(lines(3, 100))
        terminal.wait_for("pipe left off at 2.0 kB")
        terminal.wait_for("the rest after 2,000 bytes is left out: 2,000 bytes are the most that is copied of a pipe")
        terminal.press("down", "2 skipped (P)")
        terminal.wait_for(f"{WHOLE} of {WHOLE}")
        terminal.type("q")
        assert terminal.end() == 0


async def test_a_pipe_that_is_opened_later_has_the_limit_too(writer: Writer) -> None:
    config = Config(limits=Most(pipe=2_000))
    async with opened(CYBERTRAVELS, config=config) as explorer:
        writer.write(HEADER + lines(0, 100))
        explorer.app.open_path(str(writer.path))
        await explorer.until(lambda: "pipe left off at 2.0 kB" in explorer.text)
        await explorer.until(has(explorer, WHOLE))


async def test_another_bundle_ends_the_copy(writer: Writer, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    write_bundle(folder, made_run("r1"))
    writer.write(HEADER + lines(0, 3))
    async with opened(str(writer.path)) as explorer:
        copy = copy_of(str(writer.path))
        assert copy is not None
        writer.write(lines(3, 6))
        await explorer.until(has(explorer, 6))
        explorer.app.open_path(str(folder))
        await explorer.until(lambda: not copy.is_open)
        assert "nobody waits for the rest of it" in str(copy.left_out)
        assert "pipe" not in explorer.lines[0]


def waits_for_its_end(explorer: Explorer) -> Callable[[], bool]:
    return lambda: "shown when it ends" in explorer.lines[0]


@pytest.mark.parametrize("text", [FOREIGN + FOREIGN, "\x1f\x8b and so on\n\n", '{\n  "schema": "agent-tui/1",\n'])
async def test_what_is_no_lines_of_our_own_is_waited_for(writer: Writer, text: str) -> None:
    writer.write(text)
    app = app_on(str(writer.path))
    async with app.run_test(size=(140, 50)) as pilot:
        explorer = Explorer(app, pilot)
        await explorer.until(waits_for_its_end(explorer))
        assert not app.is_loaded.is_set()


async def test_the_header_alone_is_no_run_yet(writer: Writer) -> None:
    writer.write(HEADER)
    app = app_on(str(writer.path))
    async with app.run_test(size=(140, 50)) as pilot:
        explorer = Explorer(app, pilot)
        await explorer.until(lambda: "pipe open, 54 B " in explorer.lines[0])
        writer.write("{broken\n")
        await explorer.until(lambda: "pipe open, 62 B " in explorer.lines[0])
        writer.write(lines(0, 1))
        await explorer.until(has(explorer, 1))


async def test_an_index_that_is_taken_away_is_made_again(writer: Writer, temporary: Path) -> None:
    writer.write(HEADER + lines(0, 3))
    async with opened(str(writer.path)) as explorer:
        writer.write(lines(3, 6))
        await explorer.until(has(explorer, 6))
        [index] = temporary.glob("agent-tui-index-*")
        shutil.rmtree(index)
        writer.write(lines(6, 9))
        await explorer.until(has(explorer, 9))


async def test_what_is_shown_of_an_index_is_followed_once_more(writer: Writer) -> None:
    writer.write(HEADER + lines(0, 3))
    async with opened(str(writer.path)) as explorer:
        writer.write(lines(3, 6))
        writer.end()
        await explorer.until(lambda: len(explorer.app.bundle) == 6 and bool(explorer.app.bundle.digest))
        reloading = explorer.app.reloading
        shown = reloading._view
        reloading.watch()
        await explorer.until(lambda: reloading._view is not shown)
        assert len(explorer.app.bundle) == 6


async def test_a_first_run_may_be_long(writer: Writer) -> None:
    long = made_run("long", [call("a", n=0)], [call("a", n=0)], input="ask " * 400_000)
    app = app_on(str(writer.path))
    async with app.run_test(size=(140, 50)) as pilot:
        explorer = Explorer(app, pilot)
        await asyncio.to_thread(writer.write, HEADER + json.dumps(long) + "\n")
        await explorer.until(has(explorer, 1))
        writer.write(lines(0, 2))
        await explorer.until(has(explorer, 3))


async def test_rules_may_name_a_tool_that_is_still_to_come(writer: Writer) -> None:
    rules = parse_rules(b'{"tools": {"refund": {"args": {"amount": "present"}}}}', "rules")
    app = app_on(str(writer.path))
    app.opening = Opening((str(writer.path),), rules=rules)
    writer.write(HEADER + lines(0, 3))
    async with app.run_test(size=(140, 50)) as pilot:
        explorer = Explorer(app, pilot)
        await explorer.until(lambda: "pipe open, " in explorer.lines[0])
        assert len(app.bundle) == 0
        writer.write(json.dumps(made_run("last", [call("refund", amount=1)], [call("refund", amount=1)])) + "\n")
        await explorer.until(has(explorer, 4))


@pytest.mark.parametrize(
    ("arrival", "words"),
    [
        (Arrival(812), "pipe open, 812 B"),
        (Arrival(12_300_000, is_waited_for=True), "pipe open, 12.3 MB, shown when it ends"),
        (Arrival(27_500, is_open=False), "pipe ended, 27.5 kB"),
        (Arrival(27_500, is_open=False, left_out="-: the rest is left out"), "pipe left off at 27.5 kB"),
    ],
)
def test_how_much_has_come_is_said_in_words(arrival: Arrival, words: str) -> None:
    assert arrival.words == words


def test_a_pipe_is_no_place_to_come_back_to(writer: Writer, tmp_path: Path) -> None:
    with on_standard_input(writer) as terminal:
        writer.write(HEADER + lines(0, 3))
        terminal.wait_for("3 runs so far  pipe open")
        writer.end()
        terminal.wait_for("pipe ended")
        terminal.type("q")
        assert terminal.end() == 0
    settings = json.loads((tmp_path / "state" / "settings.json").read_text())
    assert (settings["places"], settings["recent"]) == ({}, [])

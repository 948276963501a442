"""What was skipped and what looks odd; Enter shows the line of the file as it stands on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text
from textual import on, work
from textual.message import Message

from agent_tui.errors import AgentTuiError, Problem
from agent_tui.readers.raw_line import raw_line
from agent_tui.tui.present.problems import HANG, ordered, place_of, problem_lines
from agent_tui.tui.present.words import safe
from agent_tui.tui.screens.reading import ReadingScreen
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.longtext import LongText
from agent_tui.tui.widgets.vtext import Lines, TextPane


@dataclass
class LineRead(Message):
    """The line of a problem was read, or could not be, with the reason."""

    problem: Problem
    text: bytes
    reason: str = ""


class ProblemsScreen(ReadingScreen):
    """Problems, losses first."""

    def __init__(self, problems: Sequence[Problem], glyphs: Glyphs) -> None:
        self._problems = ordered(problems)
        lines = Lines(problem_lines(self._problems), hang=HANG)
        opens = "the line as it is" if self._problems else ""
        super().__init__(Text("Skipped and odd", "title"), lines, glyphs, opens=opens)

    @on(TextPane.LineSelected)
    def open_line(self, event: TextPane.LineSelected) -> None:
        """Read the line of a problem: the file may be long, so in a thread."""
        if event.line < len(self._problems):
            self._read(self._problems[event.line])

    @work(thread=True, exclusive=True, group="line")
    def _read(self, problem: Problem) -> None:
        if problem.line is None:
            self.post_message(LineRead(problem, b"", "it is about no one line of the file"))
            return
        try:
            self.post_message(LineRead(problem, raw_line(problem.file, problem.line)))
        except AgentTuiError as error:
            self.post_message(LineRead(problem, b"", str(error)))

    @on(LineRead)
    def show_line(self, event: LineRead) -> None:
        """Show it whole, or say why it cannot be shown."""
        title = Text(place_of(event.problem), "title").append("  as it is on disk", "label")
        if event.reason:
            lines = Lines([Text(f" {safe(event.reason, 500)}", "notice")], hang=1)
            self.app.push_screen(ReadingScreen(title, lines, self.glyphs))
        else:
            text = LongText(event.text.decode("utf-8", "backslashreplace"))
            self.app.push_screen(ReadingScreen(title, text, self.glyphs))

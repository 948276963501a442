"""The lists below a judge's figures: false passes and false fails, which open their runs, confusion, biases.

Side by side where there is room; on a small screen one at a time, and the titles say which others there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container
from textual.screen import Screen
from textual.widget import Widget

from agent_tui.bundles import Bundle
from agent_tui.judge.recorded_group import RecordedGroup
from agent_tui.judge.validation import JudgedRun, Validation
from agent_tui.reports import figures
from agent_tui.tui.present.judge_panel import (
    CELLS,
    bias_page,
    confusion_matrix,
    first_lines,
    list_title,
    run_lines,
)
from agent_tui.tui.present.page import Page
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.matrix import MatrixView
from agent_tui.tui.widgets.panel import Panel
from agent_tui.tui.widgets.vtext import Lines, TextPane

NAMES = ("first", "passes", "fails", "confusion", "biases")
"""The lists by the id of what they show, in the order in which Tab goes."""
_WIDE = 130
"""Columns from which on a title has room for a note beside it."""
_VERDICTS = ("pass", "fail", "undetermined")


class Behind(Struct, frozen=True):
    """Runs to show on the main screen, the one to begin with, and what they are."""

    rows: tuple[int, ...]
    row: int
    words: str


def lists(glyphs: Glyphs) -> ComposeResult:
    """The widgets, to be yielded by the screen."""
    with Container(id="lists"):
        with Container(id="left"):
            yield _list("first", "", glyphs)
            yield _list("passes", " none: no wrong answer was passed", glyphs)
            yield Panel(MatrixView(glyphs=glyphs, id="confusion"), glyphs=glyphs, id="confusion-panel")
        with Container(id="right"):
            yield _list("fails", " none: no right answer was failed", glyphs)
            yield _list("biases", "", glyphs)


def _list(name: str, empty: str, glyphs: Glyphs) -> Panel:
    return Panel(TextPane(empty=empty, glyphs=glyphs, id=name), glyphs=glyphs, id=f"{name}-panel")


class JudgeLists:
    """Fills the lists and says what is behind a line of them."""

    def __init__(self, screen: Screen[Behind | None], bundle: Bundle) -> None:
        self._screen = screen
        self._bundle = bundle
        self._validation: Validation | None = None
        self._group: RecordedGroup | None = None
        self._pages: dict[str, Page] = {}
        self.shown = "passes"
        """The one that a small screen shows."""

    # What is shown

    def show(self, validation: Validation | None, group: RecordedGroup | None) -> None:
        """Show the lists of a validation, where there is one; `group` is what came with the bundle."""
        self._validation, self._group = validation, group
        self._screen.set_class(bool(group and group.inconsistent), "-first")
        self._screen.set_class(validation is None, "-bare")
        if validation is not None:
            self._screen.query_one(MatrixView).show(confusion_matrix(validation))
        if self.shown not in self.names:
            self.shown = self.names[0]
        self.refill()

    def refill(self) -> None:
        """Draw them for the room that they have."""
        validation = self._validation
        self._pages = {"first": first_lines(self._bundle, () if self._group is None else self._group.inconsistent)}
        if validation is not None:
            self._pages |= {
                "passes": run_lines(validation.false_passes, self._width("passes")),
                "fails": run_lines(validation.false_fails, self._width("fails")),
                "biases": bias_page(validation, self._width("biases")),
            }
        for name, page in self._pages.items():
            pane = self._screen.query_one(f"#{name}", TextPane)
            pane.show(Lines(page.lines, page.stops), min(pane.cursor, max(0, len(page.lines) - 1)))
        self._fit_biases()
        self.retitle()

    def _fit_biases(self) -> None:
        """The biases take what they need, as long as the false fails keep some."""
        narrow, lines = self._screen.has_class("-narrow"), self._pages.get("biases", Page([], [])).lines
        most = max(6, self._screen.query_one("#lists").size.height - 4)
        self._screen.query_one("#biases-panel").styles.height = None if narrow else min(len(lines) + 2, most)

    def _width(self, name: str) -> int:
        return max(20, (self._screen.query_one(f"#{name}", TextPane).size.width or 60) - 1)

    def retitle(self) -> None:
        """A title each; on a small screen that of the list in view lit, and the others beside it."""
        titles = dict(self._titles())
        narrow = self._screen.has_class("-narrow")
        for name in self.names:
            panel = self._screen.query_one(f"#{name}-panel", Panel)
            panel.set_class(narrow, "-flat")
            if narrow:
                panel.set_title([self._short(each, titles[each], lit=each == name) for each in self.names])
                panel.set_note("Tab")
            else:
                panel.set_title(titles[name])
                panel.set_note("Enter opens" if name != "biases" and self._screen.size.width >= _WIDE else "")
            self._screen.set_class(name == self.shown, f"-shows-{name}")

    def _short(self, name: str, title: Text, *, lit: bool) -> Text:
        words = title.plain.partition(":")[0]
        return Text(f" {words} ", "button") if lit else Text(words, "label")

    def _titles(self) -> Iterator[tuple[str, Text]]:
        first = () if self._group is None else self._group.inconsistent
        said = f"{figures.count(len(first), 'run')} to read first"
        yield "first", Text().append(said, "notice bold").append(": verdict and score disagree", "label")
        if self._validation is None:
            return
        passes, fails = self._validation.false_passes, self._validation.false_fails
        yield "passes", list_title(passes, "false pass", "false passes", "judged pass, truth says fail")
        yield "fails", list_title(fails, "false fail", "false fails", "judged fail, truth says pass")
        yield "confusion", Text().append("confusion", "title").append(": truth against judge", "label")
        yield "biases", Text("biases", "title")

    # Where the cursor goes

    @property
    def names(self) -> tuple[str, ...]:
        """The lists that there are."""
        first = NAMES[:1] if self._group is not None and self._group.inconsistent else ()
        return (*first, *(NAMES[1:] if self._validation is not None else ()))

    def widget(self, name: str) -> Widget:
        """The list of a name."""
        return self._screen.query_one(f"#{name}")

    def take(self, name: str) -> None:
        """Bring a list into view and give it the focus."""
        self.shown = name
        self.retitle()
        self._screen.set_focus(self.widget(name))  # at once, for a key that was typed ahead

    # What is behind

    def behind_line(self, name: str, line: int) -> Behind | None:
        """The runs of a list, beginning with the one on a line; None where there is none."""
        page = self._pages.get(name)
        about = None if page is None else page.at(line)
        words = {"passes": "false passes", "fails": "false fails"}
        if isinstance(about, JudgedRun) and page is not None:
            return Behind(_rows(page.about), about.row, words[name])
        if isinstance(about, int) and self._group is not None:
            return Behind(self._group.inconsistent, about, "runs whose verdict and score disagree")
        return None

    def behind_cell(self, row: int, column: int) -> Behind | None:
        """The runs of a cell of the confusion."""
        assert self._validation is not None
        truth, verdict = CELLS[row * len(_VERDICTS) + column]
        runs = self._validation.cell(truth, verdict)
        return Behind(_rows(runs), runs[0].row, f"runs, truth {truth}, judge {verdict}") if runs else None


def _rows(runs: Sequence[object]) -> tuple[int, ...]:
    return tuple(run.row for run in runs if isinstance(run, JudgedRun))

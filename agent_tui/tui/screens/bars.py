"""The lines around the panes: what is open, its figures where they have no pane, who judges, what is said, the keys."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich.text import Text

from agent_tui.tui.present.compact import compact_lines
from agent_tui.tui.present.footer import FooterItem, footer
from agent_tui.tui.present.header import status_line, title_line
from agent_tui.tui.present.judge_line import judge_lines
from agent_tui.tui.present.ribbon import ribbon_bar, ribbon_line
from agent_tui.tui.screens.panes import LEAST
from agent_tui.tui.session import Session
from agent_tui.tui.widgets.line_bar import LineBar

if TYPE_CHECKING:
    from agent_tui.tui.screens.main import MainScreen


class Bars:
    """Draws the session into the lines; what is said stands in one of them until the next key."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self.said: Text | None = None
        self._said_too: Text | None = None
        self._keys: list[FooterItem] = []
        """The keys that the footer shows, and where."""

    @property
    def _session(self) -> Session:
        return self._screen.session

    # The lines

    def above(self) -> Iterator[LineBar]:
        """Those above the panes."""
        glyphs = self._screen.glyphs
        yield LineBar(lambda width: title_line(self._session, width, glyphs), style="bar", id="title")
        yield LineBar(lambda width: compact_lines(self._session, width, glyphs)[0], id="compact-one")
        yield LineBar(lambda width: compact_lines(self._session, width, glyphs)[1], id="compact-two")
        yield LineBar(lambda width: self._judge(width)[0], id="judge-one")
        yield LineBar(lambda width: self._judge(width)[1], id="judge-two")

    def below(self) -> Iterator[LineBar]:
        """Those below the panes, and the one that takes their place where there is no room for any."""
        glyphs = self._screen.glyphs
        yield LineBar(lambda width: ribbon_bar(self._session.card.ribbon, width, glyphs), id="ribbon")
        yield LineBar(lambda width: ribbon_line(self._session, width), id="ribbon-words")
        yield LineBar(self._status, id="status")
        yield LineBar(self._footer, style="bar", id="footer")
        yield LineBar(lambda width: Text(f"too small: {LEAST[0]}x{LEAST[1]} at least", "notice"), id="too-small")

    def redraw(self) -> None:
        """Draw all of them anew."""
        for bar in self._screen.query(LineBar):
            bar.redraw()

    def redraw_counts(self) -> None:
        """Draw anew how many runs there are."""
        self._screen.query_one("#title", LineBar).redraw()
        self._redraw_status()

    def _redraw_status(self) -> None:
        self._screen.query_one("#status", LineBar).redraw()

    # What is said

    def say(self, message: Text | str) -> None:
        """Put a message into the status line, until the next key."""
        self.said = message if isinstance(message, Text) else Text(f" {message}", "notice")
        self._redraw_status()

    def say_too(self, message: str) -> None:
        """Put a message behind whatever else is said until the next key."""
        self._said_too = Text(f" {message}", "notice")
        self._redraw_status()

    def say_no_more(self) -> None:
        """Take what is said away."""
        if self.said is not None or self._said_too is not None:
            self.said = self._said_too = None
            self._redraw_status()

    def _status(self, width: int) -> Text:
        said = [each for each in (self.said, self._said_too) if each is not None]
        return status_line(self._session, Text(" ·").join(said) if said else None, width)

    # Who judges

    def _judge(self, width: int) -> tuple[Text, Text]:
        """Who judges and how good that is, wherever a verdict is on the screen."""
        judge = self._session.judge
        return judge_lines(judge, width, datetime.now(UTC)) if judge is not None and judge.said else (Text(), Text())

    def fit(self) -> None:
        """Take a second line for who judges, where one is too short."""
        self._screen.set_class(bool(self._judge(self._screen.size.width)[1]), "-judged-two")

    def judge_changed(self) -> None:
        """Take lines for who judges, or give them back."""
        self._screen.set_class(bool(self._judge(self._screen.size.width)[0]), "-judged")
        self.fit()

    # The keys

    def _footer(self, width: int) -> Text:
        line, self._keys = footer(width, self._screen.agent_tui.config.keys)
        return line

    async def press(self, x: int) -> None:
        """Do what the key at a cell of the footer does."""
        for item in self._keys:
            if item.start <= x < item.end:
                action = item.action
                await self._screen.run_action(action.call if action.home == "main" else f"app.{action.call}")

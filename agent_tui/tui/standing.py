"""Where somebody stands in the open bundle, told without reading any of it: so that it can be told of a damaged one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from agent_tui.tui.settings import Place

if TYPE_CHECKING:
    from agent_tui.tui.app import AgentTui
    from agent_tui.tui.present.nodes import Key
    from agent_tui.tui.screens.main import MainScreen
    from agent_tui.tui.session import Session


class Standing(Struct, frozen=True):
    """How the bundle is looked at, on which run and line, in which pane."""

    session: Session
    place: Place
    """Without the name of a run; while the bundle is read, how it is to be looked at then."""
    row: int | None
    only: tuple[int, ...] | None
    only_said: str
    needle: str
    follows: bool
    changes: tuple[int, int]
    """How many changes there are, and how many of them are shown."""
    pane: str
    enlarged: str
    line: Key | None
    """What the line under the cursor of the trajectory is about."""
    columns: tuple[str, ...]
    theme: str
    offered: Place | None
    """Where the bundle was left before, as long as that is offered."""

    @classmethod
    def of(cls, app: AgentTui) -> Standing:
        """Where somebody stands now."""
        main, session = app.main, app.main.session
        reader = main.reader
        return cls(
            session,
            app.places.at("") if app.is_loaded.is_set() else app.places.to_look_from(),
            main.row,
            session.only,
            session.only_said,
            session.needle,
            main.following.is_on,
            session.count_changes(),
            main.panes.focused,
            main.panes.enlarged,
            reader.key() if reader.row is not None and reader.row == main.row else None,
            main.runs.rows.shown,
            app.theme,
            app.places.offered,
        )

    def begin(self, app: AgentTui) -> None:
        """Have an app that has read nothing yet begin as this was looked at."""
        app.places.wanted, app.places.offered, app.theme = self.place, self.offered, self.theme
        app.main.runs.rows.shown = self.columns
        app.settings.columns = list(self.columns) if app.settings.columns else []

    def look(self, main: MainScreen) -> None:
        """Look at the same runs read anew from here, once the filter and the order of the place are in force."""
        session = main.session
        if self.only is not None:
            session.show_only(self.only, self.only_said)
            session.set_sort(self.place.sort, descending=self.place.descending)
            main.bundle_changed()
        if self.needle:
            session.needle = self.needle
            main.table.highlight(self.needle)
            main.reader.pane.highlight(self.needle)
        if self.follows:
            session.follows_from = len(session.bundle)
        position = None if self.row is None else session.position_of(self.row)
        if position is not None and not self.place.run:
            main.table.move_to(position)
            main.reader.show()

    def go_to_pane(self, main: MainScreen) -> None:
        """Go to the pane and the line, once they have been laid out."""
        if self.enlarged:
            main.panes.enlarge(self.enlarged)
        if self.pane != main.panes.focused and (self.pane != "moved" or not main.told.is_empty):
            main.panes.go(self.pane)
        if self.line is not None and main.row == self.row:
            main.reader.go_to(self.line)

"""An index turns out to be damaged under the open app: the app begins anew, and its changes go on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual.worker import WorkerFailed

from agent_tui.bundles.index.held import Damaged, NoRoom
from agent_tui.errors import BadEdit
from agent_tui.tui.loader import StartAgain
from agent_tui.tui.present.words import safe

if TYPE_CHECKING:
    from agent_tui.bundles.journal import Pending
    from agent_tui.tui.app import AgentTui
    from agent_tui.tui.session import Session
    from agent_tui.tui.settings import Place
    from agent_tui.workers.building import Building


class Mending:
    """What damage does to one app: while it reads it reads anew; after that it ends, and `again` goes on."""

    def __init__(self, app: AgentTui) -> None:
        self._app = app
        self.damage = ""
        """What of the index was damaged, where that ended the app."""
        self._mended = ""
        """What of it was damaged where the app goes on for another one."""
        self._was_damaged = False
        self._changed: Session | None = None
        """What was changed before the index turned out to be damaged; None where nothing was."""

    # While it is read

    def give_up(self, building: Building, error: Damaged | NoRoom) -> StartAgain:
        """Leave an index that cannot be shown; what is to be done instead."""
        bundle = self._app.bundle
        if isinstance(error, NoRoom):
            building.place.close()
            return StartAgain(bundle, f"there is no index: {error}", with_index=False)
        building.give_up()
        building.place.close()
        return StartAgain(bundle, str(error), with_index=True)

    def start_again(self, event: StartAgain) -> None:
        """Read the bundle anew: with another index, once, and else with none."""
        app = self._app
        if event.bundle is app.bundle:
            with_index = event.with_index and not self._was_damaged
            self._was_damaged = True
            app.opening = replace(app.opening, with_index=with_index)
            app.main.take_session(app.new_session())
            app.read_bundle()
            app.main.say(safe(f"the index is made again: {event.reason}" if with_index else event.reason, 200))

    # Once it is read

    def go_on(self, pending: Pending | None) -> Pending | None:
        """Make the changes again, and those of the patch with them; what is still to be offered."""
        if self._changed is None:
            return pending
        try:
            self._app.main.session.go_on(self._changed)
        except BadEdit as error:
            self._mended = f"{self._mended}; the changes are not shown: {error}"
        else:
            pending = None
        self._changed = None
        return pending

    def say(self) -> None:
        """Say that the app goes on for another one, where it does."""
        if self._mended:
            self._app.main.say(safe(f"the index was damaged and was made again: {self._mended}", 200))

    def meets(self, error: Exception) -> bool:
        """End where a column is damaged, or has no room, that nobody has looked at before: there is none to show.

        False where an error is another one.
        """
        app, cause = self._app, error.error if isinstance(error, WorkerFailed) else error
        if isinstance(cause, NoRoom):
            app.end_at_once(cause.exit_status, str(cause))
        elif isinstance(cause, Damaged):
            if not self.damage:
                self.damage = str(cause)
                app.wanted = self._place_without_names()
                app.end_at_once()
        else:
            return False
        return True

    def _place_without_names(self) -> Place:
        app = self._app
        if not app.bundle.is_complete:
            return app.wanted
        try:
            return app.place()
        except (Damaged, NoRoom):
            return app.place_at("")

    def again(self) -> AgentTui:
        """The app that goes on where a damaged index ended this one: with another index, once, and else with none."""
        old, session = self._app, self._app.main.session
        changed = self._changed or (session if session.was_changed else None)
        app = old.copy(
            replace(
                old.opening,
                with_index=old.opening.with_index and not self._mended,
                patch=None if changed is not None else old.opening.patch,
            )
        )
        app.mending._mended, app.mending._changed = self.damage, changed
        return app

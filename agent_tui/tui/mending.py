"""An index turns out to be damaged under the open app: the app begins anew, and its changes go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from textual.worker import WorkerFailed

from agent_tui.bundles.index.held import Damaged, NoRoom
from agent_tui.errors import BadEdit
from agent_tui.tui.loader import StartAgain
from agent_tui.tui.present.words import safe
from agent_tui.tui.unfinished import spelt

if TYPE_CHECKING:
    from agent_tui.bundles.journal import Pending
    from agent_tui.tui.app import AgentTui
    from agent_tui.tui.session import Session
    from agent_tui.tui.unfinished import Left
    from agent_tui.workers.building import Building


class Mending:
    """What damage does to one app: while it reads it reads anew; after that it ends, and `again` goes on."""

    def __init__(self, app: AgentTui) -> None:
        self._app = app
        self.damage = ""
        """What of the index was damaged, where that ended the app."""
        self._mended = ""
        """What of it was damaged where the app goes on for another one."""
        self._dropped = ""
        """Why what was changed before is not shown; empty where it is."""
        self._was_damaged = False
        self._changed: Session | None = None
        """What was changed before the index turned out to be damaged; None where nothing was."""
        self._left: Left | None = None
        """From where to go on, once everything is read; what to go on from, where damage ended the app."""

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
            self._left = self._left or app.unfinished.left()
            app.places.wanted = self._left.standing.place
            app.opening = replace(app.opening, with_index=with_index)
            app.main.take_session(app.new_session())
            app.loading.read()
            app.main.say(safe(f"the index is made again: {event.reason}" if with_index else event.reason, 200))

    # Once it is read

    def go_on(self, pending: Pending | None) -> Pending | None:
        """Make the changes again, and those of the patch with them; what is still to be offered."""
        if self._changed is None:
            return pending
        try:
            self._app.main.session.go_on(self._changed)
        except BadEdit as error:
            self._dropped = f"the changes are not shown: {error}"
        else:
            pending = None
        self._changed = None
        return pending

    def look(self) -> None:
        """Look at the bundle from where the app before this one ended."""
        if self._left is not None:
            self._left.standing.look(self._app.main)
            self._app.run_worker(self._finish(), group="finishing")

    def say(self) -> None:
        """Say that the app goes on for another one, where it does."""
        if self._mended:
            self._app.main.say(self._said(""))

    def _said(self, again: str) -> str:
        first, reason = ("the index was damaged and was made again", f" ({self._mended})") if self._mended else ("", "")
        said = filter(None, (first, again, self._dropped, self._app.main.changing.offered))
        return safe(f"{'; '.join(said)}{reason}", 300)

    async def _finish(self) -> None:
        """Do what the app before this one did not finish; say what of it cannot be done."""
        left, self._left = self._left, None
        assert left is not None
        main, unfinished = self._app.main, self._app.unfinished
        await unfinished.handled()
        left.standing.go_to_pane(main)
        await unfinished.handled()
        lost = await unfinished.type(left.typed)
        if not self._app.is_running or self.damage:
            return
        parts = {
            "done again": left.typed[: len(left.typed) - len(lost)],
            "not done again": (*lost, *left.lost),
        }
        again = "; ".join(f"{words}: {spelt(typed)}" for words, typed in parts.items() if typed)
        if again:
            main.bars.say_too(self._said(again))

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
                self._left = self._left or app.unfinished.left()
                app.end_at_once()
        else:
            return False
        return True

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
        app.mending._mended, app.mending._changed, app.mending._left = self.damage, changed, self._left
        if self._left is not None:
            self._left.standing.begin(app)
        return app

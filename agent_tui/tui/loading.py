"""The bundle that is opened: what a thread reads of it is shown as it comes; where it fails, the one before is back."""

from __future__ import annotations

import os
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from msgspec import Struct

from agent_tui.bundles import Bundle, add, require_runs
from agent_tui.bundles.index.held import Damaged, NoRoom
from agent_tui.bundles.journal import Journal
from agent_tui.errors import LOSSES, BadPatch, BadRules, NothingReadable
from agent_tui.readers.streams import is_stream
from agent_tui.tui.loader import Batch, Grown, LoadFailed, Opening
from agent_tui.tui.present.words import safe

if TYPE_CHECKING:
    from agent_tui.bundles.journal import Pending
    from agent_tui.tui.app import AgentTui
    from agent_tui.tui.session import Session
    from agent_tui.tui.settings import Place

QUIET = 1.0
"""Seconds after the first screen until what nobody waits for is done."""
_MANY = 50_000
"""Runs from which on filters and orders are worth a library that takes a while to load (a count)."""
_LATER = (
    *(f"agent_tui.tui.screens.{name}" for name in ("asking", "finding", "ledger", "palette", "sweep")),
    *("agent_tui.tui.present.moved", "agent_tui.tui.present.provenance", "agent_tui.bundles.write"),
)
"""What most keys load that load anything: in a quiet moment nobody waits for it."""


class _Open(Struct, frozen=True):
    """A bundle that is open: what was asked for, and how it is looked at."""

    opening: Opening
    session: Session
    wanted: Place
    offered: Place | None


class Loading:
    """Has the bundle of an app read, and the main screen show it; once all is read, from where it is to be seen."""

    def __init__(self, app: AgentTui) -> None:
        self._app = app
        self._before: _Open | None = None
        """What was open before, until the bundle that was opened since is read."""

    def open(self, opening: Opening) -> None:
        """Leave the bundle that is open for another."""
        app = self._app
        if app.bundle.is_complete:
            self._before = _Open(app.opening, app.main.session, app.places.wanted, app.places.offered)
        app.opening = opening
        app.places.start_over()
        app.main.take_session(app.new_session())
        self.read()

    def read(self) -> None:
        """Read what is to be opened, from the start."""
        self._app.is_loaded.clear()
        self._app.read_in_thread(self._app.opening, self._app.bundle)

    def stop(self) -> bool:
        """Read no further; what was read stays, and an index is gone on with. False: nothing was being read.

        What comes by a pipe would be lost, and is read on.
        """
        app, session = self._app, self._app.main.session
        if app.bundle.is_complete or session.is_stopped or any(map(is_stream, app.opening.paths)):
            return False
        app.workers.cancel_group(app, "reading")
        session.is_stopped = True
        app.main.following.count()
        app.main.say(session.why_not_whole)
        return True

    def read_on(self) -> None:
        """Read the rest after all; the first runs are there at once where there is an index of them."""
        app, row = self._app, self._app.main.row
        # By its number: names are made longer where ids turn out to repeat.
        app.places.wanted = app.places.at("" if row is None else f"#{row + 1}")
        app.main.take_session(app.new_session())
        self.read()

    # While it is read

    def take(self, event: Batch) -> None:
        """Put what was read into the bundle it belongs to; one that was left meanwhile is dropped."""
        bundle = self._app.bundle
        if event.bundle is bundle:
            was_empty = not len(bundle)
            for fact in event.facts:
                add(bundle, fact)
            self._show_arrived(was_empty)

    def grow(self, event: Grown) -> None:
        """Show as much of the index as there is."""
        app, bundle, building = self._app, event.bundle, event.building
        if bundle is not app.bundle or bundle.is_complete:
            return
        was_empty = not len(bundle)
        app.main.session.course = event.course.at(max(event.course.done, building.view.bytes_done))
        try:
            building.view.follow()
            building.view.show(bundle)
        except BadRules as error:
            self._give_up(error.exit_status, str(error))
            return
        except (Damaged, NoRoom) as error:
            app.mending.start_again(app.mending.give_up(building, error))
            return
        if bundle.is_complete:
            building.place.close()
        self._show_arrived(was_empty)
        if bundle.is_complete and building.notes:
            app.main.bars.say_too(safe("; ".join(building.notes), 300))

    def _show_arrived(self, was_empty: bool) -> None:
        app, bundle = self._app, self._app.bundle
        if was_empty and len(bundle):
            if not app.places.wanted.measure:
                app.main.session.measure = bundle.scorecard().measure
            app.places.begin()
        if bundle.is_complete:
            self._end()
        else:
            app.main.following.arrived()
        if len(bundle):
            app.main.call_after_refresh(app.show_first_frame)

    def fail(self, event: LoadFailed) -> None:
        """Tell the reason."""
        if event.bundle is self._app.bundle:
            self._give_up(2, event.reason)

    def _give_up(self, status: int, reason: str) -> None:
        """Go back to the bundle that was open before; where there was none, leave with the reason."""
        app, before, self._before = self._app, self._before, None
        app.is_loaded.set()
        if before is None:
            app.last_words = reason
            app.exit(status)
        else:
            app.opening = before.opening
            app.places.wanted, app.places.offered = before.wanted, before.offered
            app.main.take_session(before.session)
            app.main.say(safe(reason, 200))

    # Once it is read

    def _end(self) -> None:
        self._app.main.session.is_stopped = False  # where it was stopped too late
        app, bundle, session = self._app, self._app.bundle, self._app.main.session
        try:
            require_runs(bundle, app.opening.paths)
        except NothingReadable as error:
            self._give_up(error.exit_status, str(error))
            return
        session.journal = Journal(bundle)
        pending = session.journal.pending()
        try:
            pending = app.mending.go_on(pending)
            if app.opening.patch is not None:
                session.apply_patch(app.opening.patch)
        except BadPatch as error:
            self._give_up(error.exit_status, f"--patch: {error}")
            return
        self._before = None
        if len(bundle) > _MANY:
            app.set_timer(QUIET, lambda: app.run_worker(partial(_prepare, bundle), thread=True, group="preparing"))
        lost = app.places.look_from(app.places.to_look_from())
        app.mending.look()
        for path in app.opening.paths:
            if not is_stream(path):
                app.settings.remember("recent", os.path.abspath(path))
        self._say(pending, lost)
        app.mending.say()
        app.is_loaded.set()
        # Once more, since a first frame that is held back comes between.
        app.main.call_after_refresh(app.main.call_after_refresh, self._watch, bundle)

    def _say(self, pending: Pending | None, lost: str) -> None:
        """Say what there is to say of the bundle: changes, what is lost of the place, where it was left, problems."""
        app, main = self._app, self._app.main
        if app.opening.patch is not None:
            main.show_patch()
        elif main.changing.offer(pending):
            if lost:
                main.bars.say_too(lost)
        elif not lost and not app.places.offer() and app.bundle.problems:
            self._say_problems()

    def _say_problems(self) -> None:
        """Say what looks odd, where it is not said already: losses stand in the status, counts of a file beside it."""
        from agent_tui.reports.problems import count_problems
        from agent_tui.tui.present.problems import file_counts

        bundle = self._app.bundle
        odd = [problem for problem in bundle.problems if problem.kind not in LOSSES]
        if odd and not (len(bundle) and file_counts(bundle, 0)):
            self._app.main.say(f"{count_problems(odd)}: P lists them")

    def _watch(self, bundle: Bundle) -> None:
        """Look after the files of a bundle, once its rows stand there: to load what does takes as long as a frame."""
        app = self._app
        if bundle is app.bundle:
            app.reloading.watch()
            app.set_timer(QUIET, lambda: app.run_worker(_load_the_rest, thread=True, group="loading"))


def _load_the_rest() -> None:
    for name in _LATER:
        import_module(name)


def _prepare(bundle: Bundle) -> None:
    from agent_tui.bundles.fields import prepare

    prepare(bundle)

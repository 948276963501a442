"""Live reload: a file that grows is shown as far as it goes; others are read again in a thread and shown once whole."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakSet

from rich.text import Text
from textual.timer import Timer

from agent_tui.bundles import Bundle
from agent_tui.bundles.index.columns import Damaged
from agent_tui.errors import AgentTuiError
from agent_tui.readers.streams import copy_of, is_stream, leave_copies
from agent_tui.tui.growing import CANNOT, ENDED, FileGone, FileLost, Grew, NotFollowed, follow_in_thread, followed_file
from agent_tui.tui.loader import Opening
from agent_tui.tui.present.noticed import dropped_lines, reread_lines
from agent_tui.tui.present.words import safe
from agent_tui.tui.rereading import Changes, NotReread, Reread, reread, shown_changes
from agent_tui.tui.session import Shift
from agent_tui.tui.slow_work import unwanted
from agent_tui.tui.watching import changes_of, watchable
from agent_tui.workers.course import Course

if TYPE_CHECKING:
    from textual.message import Message

    from agent_tui.bundles.index.view import View
    from agent_tui.tui.app import AgentTui

_PATIENCE = 4.0
"""Seconds that a half-written file is waited for before that is said."""
_LATER = 0.2
"""Seconds after which it is tried again to show what was read, where something is being typed."""


class Reloading:
    """Reads the open bundle again, one reading at a time, and has the main screen show it."""

    def __init__(self, app: AgentTui) -> None:
        self._app = app
        self._is_reading = False
        self._once_more: bool | None = None
        """Whether to read once more after this reading, and then whether forced."""
        self._not_whole: Timer | None = None
        self._watched: list[str] = []
        self._view: View | None = None
        """The index that is shown of a file that grows."""
        self._left: WeakSet[View] = WeakSet()
        """Indexes that were shown before it."""
        self._lost = ""
        """What became of the file that was followed, until it is read anew."""
        self.why_not = ""
        """Why no file is followed; empty where one is."""

    # Watching

    def watch(self) -> None:
        """Watch the files of the bundle that is open, and no others; follow the one that may grow."""
        self._lost, self.why_not = "", ""
        leave_copies(but=self._app.opening.paths)
        followed = followed_file(self._app.opening, self._app.bundle)
        if followed is None:
            self.why_not = ENDED if any(map(is_stream, self._app.opening.paths)) else CANNOT
            self._app.workers.cancel_group(self._app, "following")
        else:
            work = partial(_look_after, self._app.opening, self._app.bundle, self._app.post_message)
            self._app.run_worker(work, group="following", thread=True, exclusive=True, exit_on_error=False)
        self._watch([] if followed is None else watchable([followed]))

    def _watch(self, others: Sequence[str]) -> None:
        """Watch the files but for those that somebody else looks after."""
        bundle = self._app.bundle
        files = watchable([*(source.file for source in bundle.sources), *bundle.parts])
        files = [file for file in files if file not in others]
        if files != self._watched:
            self._watched = files
            self._app.run_worker(self._see(files), group="watching", exclusive=True, exit_on_error=False)

    async def _see(self, files: list[str]) -> None:
        try:
            async for _ in changes_of(files):
                self._read(forced=False)
        except (OSError, RuntimeError) as error:
            self._app.main.say(safe(f"the files are not watched: {error}; r reads them again", 200))

    # A file that grows

    def grow(self, event: Grew) -> None:
        """Show what came, unless what is shown already is not all there yet."""
        bundle, view, was = self._app.bundle, event.step.view, len(self._app.bundle)
        if event.bundle is not bundle or view in self._left or event.step.rows < was:
            return
        if view is not self._view:
            if self._view is not None:
                self._left.add(self._view)
            self._view = view
            bundle.start_over()
        try:
            event.step.show(bundle)
        except (Damaged, AgentTuiError) as error:
            self.lose(FileLost(bundle, f"cannot be followed: {error}"))
        else:
            self._tell_course(view.bytes_done)
            self._app.main.following.grew()

    def _tell_course(self, done: int) -> None:
        """Say how far reading is, of a pipe that is read to its end after it has ended."""
        session = self._app.main.session
        if session.arrival is not None and not session.arrival.is_open:
            session.course = (session.course or Course(done, session.arrival.size)).at(done)

    def tell_gone(self, event: FileGone) -> None:
        """Say that the file was removed, or is back."""
        if event.bundle is self._app.bundle:
            what = "was removed: what was read of it stays" if event.is_gone else "is there again"
            self._app.main.say(f"{self._name} {what}")

    def lose(self, event: FileLost) -> None:
        """Read the file anew, whatever it is now; say why."""
        if event.bundle is self._app.bundle:
            if event.reason:
                self._lost = f"{self._name} {event.reason}"
            self._read(forced=True)

    def leave(self, event: NotFollowed) -> None:
        """Watch the file like all others."""
        if event.bundle is self._app.bundle:
            self.why_not = event.reason
            self._watch([])
            if copy_of(self._app.opening.paths[-1]) is not None:
                self._app.main.say(safe(f"what comes is not shown any further: {event.reason}", 200))

    @property
    def _name(self) -> str:
        return safe(os.path.basename(self._app.bundle.sources[-1].file), 60)

    # Reading

    def force(self) -> None:
        """Read the files again, and show them as they are, whole or not."""
        session = self._app.main.session
        if session.is_stopped:
            self._app.loading.read_on()
        elif not session.bundle.is_complete:
            self._app.main.say(session.why_not_whole)
        elif any(map(is_stream, self._app.opening.paths)):
            self._app.main.say("what came from a pipe cannot be read again")
        else:
            self._app.main.say("reading again …")
            self._read(forced=True)

    def _read(self, *, forced: bool) -> None:
        if self._is_reading:
            self._once_more = forced or bool(self._once_more)
            return
        self._is_reading = True
        session, opening = self._app.main.session, self._app.opening
        changes = shown_changes(session.bundle, session.shown_changes)
        work = partial(
            _read_in_thread, opening, session.bundle, changes, forced, bool(self._lost), self._app.post_message
        )
        self._app.run_worker(work, group="rereading", thread=True)

    def _done(self) -> None:
        self._is_reading = False
        forced, self._once_more = self._once_more, None
        if forced is not None:
            self._read(forced=forced)

    # What was read

    def show(self, event: Reread) -> None:
        """Show what was read, once nothing is being typed; where something was changed meanwhile, read once more."""
        session, main = self._app.main.session, self._app.main
        if event.old is session.bundle and main.is_busy:
            main.set_timer(_LATER, lambda: self.show(event))
            return
        if event.old is session.bundle:
            if event.changes == shown_changes(session.bundle, session.shown_changes):
                self._swap(event)
            else:
                self._once_more = event.forced or bool(self._once_more)
        self._done()

    def _swap(self, event: Reread) -> None:
        main, bundle = self._app.main, event.what_if.bundle
        session = main.session.read_again(event.what_if, Shift(event.effect, main.session.card, event.was))
        name = os.path.basename(bundle.sources[0].file)
        heads = reread_lines(name, event.altered, event.new, event.gone)
        try:
            session.rearrange()
        except AgentTuiError as error:
            session.set_filter("")
            session.set_sort("")
            heads.append(Text(f" {safe(str(error), 200)}", "notice"))
        self._calm()
        main.read_again(session, [*heads, *dropped_lines(event.dropped)])
        left = main.changing.offer_again()
        if self._lost or left:
            main.say("; ".join(filter(None, (f"{self._lost}: read anew" if self._lost else "read again", left))))
        self.watch()

    def keep(self, event: NotReread) -> None:
        """Keep what is shown: the file says the same, or it is half-written; where it stays so, say that calmly."""
        self._calm()
        main = self._app.main
        if event.old is self._app.bundle:
            if self._lost:
                main.say(safe(f"{self._lost}: what was read of it stays; {event.reason}", 300))
            elif event.forced:
                main.say(safe(event.reason, 300) if event.reason else "on disk is what is shown")
            elif event.reason:
                said = safe(f"what is on disk is not whole: {event.reason}; r shows it as it is", 300)
                self._not_whole = main.set_timer(_PATIENCE, lambda: main.say(said))
        self._done()

    def _calm(self) -> None:
        if self._not_whole is not None:
            self._not_whole.stop()
            self._not_whole = None


def _look_after(opening: Opening, bundle: Bundle, post: Callable[[Message], object]) -> None:
    """The thread that looks after a file that may grow."""
    follow_in_thread(opening, bundle, post, unwanted())


def _read_in_thread(
    opening: Opening,
    bundle: Bundle,
    changes: Changes,
    forced: bool,
    is_another: bool,
    post: Callable[[Message], object],
) -> None:
    """The thread's half: compute and post."""
    post(reread(opening, bundle, changes, forced=forced, is_another=is_another))

"""Search: a thread looks through the runs, each place is shown when it is asked for, and how far it is stands below."""

from __future__ import annotations

import time
from typing import Protocol

from msgspec import Struct
from rich.text import Text
from textual.dom import DOMNode

from agent_tui.bundles.search import Hit
from agent_tui.reports.figures import count
from agent_tui.tui.present.words import safe, safe_name
from agent_tui.tui.seeking import Answer, Seeking
from agent_tui.tui.session import Session
from agent_tui.tui.slow_work import unwanted

_AT_ONCE = 0.015
"""Seconds that are searched before a thread is begun."""
_BIG = 1 << 18
"""Bytes of a run from which it is not searched at once."""


class Shows(Protocol):
    """What a search needs of a screen."""

    @property
    def session(self) -> Session: ...
    @property
    def position(self) -> int: ...
    def show_hit(self, position: int, hit: Hit) -> None: ...
    def say(self, message: Text | str) -> None: ...


class Finding(Struct, eq=False):
    """One search after another; a new one ends the one before."""

    screen: Shows
    node: DOMNode
    _seeking: Seeking | None = None
    _shift: object = None
    """The last change when the search began: a later one may put the text into other runs."""
    _is_running: bool = False
    _wanted: tuple[int, int] | None = None
    """From which position, and which way, a next place is waited for."""
    _hit: Hit | None = None
    _said: str = ""
    """Where the place that was shown last is."""
    _goes_on: bool = False
    """Whether nobody asked: it covers the runs that came since."""

    @property
    def seeking(self) -> Seeking | None:
        """The search that is under way, or the last one."""
        return self._seeking

    @property
    def is_awaited(self) -> bool:
        """Whether somebody waits for the next place."""
        return self._wanted is not None

    def begin(self) -> None:
        """Look for the session's needle from the cursor on."""
        self._end()
        if self.screen.session.needle:
            self._begin_at(self.screen.position)
            self._want(self.screen.position - 1, 1)

    def stop(self) -> bool:
        """Look no further; what was found can still be walked. False: nothing was being looked for."""
        seeking = self._seeking
        if seeking is None or not self._is_running or seeking.is_stopped:
            return False
        seeking.is_stopped, self._wanted = True, None
        self.screen.say(Text(f" search stopped{self._progress(seeking)}", "notice"))
        return True

    def more(self) -> None:
        """Look through the runs that came since, quietly; what no run held before is told once one does."""
        seeking = self._seeking
        if seeking is not None and not self._is_running and not seeking.is_done:
            self._goes_on = True
            self._look_in_thread(seeking)

    def go(self, step: int) -> None:
        """The next or previous place: first in this run, then in the others."""
        session, position = self.screen.session, self.screen.position
        hits = session.hits(session.row_at(position)) if len(session) else []
        if self._hit in hits:
            at = hits.index(self._hit) + step
            if 0 <= at < len(hits):
                self._show(position, hits, at)
                return
        if self._seeking is None or self._shift is not session.shift or not session.is_of_now(self._seeking):
            self._begin_at(position)
        self._want(position, step)

    def _end(self) -> None:
        if self._seeking is not None:
            self._seeking.is_stopped = True
        self._seeking, self._wanted, self._hit, self._said, self._is_running = None, None, None, "", False
        self._goes_on = False

    def _begin_at(self, position: int) -> None:
        if self._seeking is not None:
            self._seeking.is_stopped = True
        session = self.screen.session
        self._seeking, self._shift, self._is_running = session.seeking(position), session.shift, False

    def _want(self, position: int, step: int) -> None:
        """Show the next place from a position on, as soon as it is known."""
        seeking = self._seeking
        assert seeking is not None
        self._wanted, seeking.step, seeking.is_awaited = (position, step), step, True
        self._goes_on = False
        seeking.is_stopped = False
        if not self._is_running and not _look_at_once(seeking):
            self._look_in_thread(seeking)
        self._moved(seeking)

    def _look_in_thread(self, seeking: Seeking) -> None:
        self._is_running = True
        self.node.run_worker(lambda: self._run(seeking), thread=True, group="search")

    def _run(self, seeking: Seeking) -> None:
        """The thread's half."""
        seeking.run(lambda: self.node.call_later(self._moved, seeking), unwanted())
        self.node.call_later(self._ended, seeking)

    def _ended(self, seeking: Seeking) -> None:
        if seeking is not self._seeking:
            return
        self._is_running = False
        if not seeking.is_done:  # it was stopped and then more was asked for, or more runs came
            self._look_in_thread(seeking)
        self._moved(seeking)

    def _moved(self, seeking: Seeking) -> None:
        """More was looked at."""
        if seeking is not self._seeking or (seeking.is_stopped and not seeking.problem):
            return
        if self._wanted is None:
            if self._goes_on and self._hit is None and seeking.found:
                self._goes_on, self._said = False, f" found since, n goes there: {safe(seeking.needle, 60)}"
            if (self._is_running and not self._goes_on) or seeking.problem:
                self._tell(seeking)
        else:
            self._show_next(seeking, *self._wanted)

    def _show_next(self, seeking: Seeking, position: int, step: int) -> None:
        found = seeking.next(position, step)
        if isinstance(found, int):
            hits = self._hits_at(seeking, found)
            if hits:
                self._show(found, hits, 0 if step > 0 else len(hits) - 1)
                return
            found = Answer.NONE  # it was changed since it was found
        if found is Answer.NONE:
            self._wanted, self._said = None, f" not found{self._where(seeking)}: {safe(seeking.needle, 60)}"
            self._tell(seeking)
        else:
            self._tell(seeking)

    def _where(self, seeking: Seeking) -> str:
        """Where nothing was found, if that is not everything there will be."""
        session = self.screen.session
        if session.bundle.is_complete and (session.arrival is None or session.bundle.digest):
            return " in the runs that the filter shows" if session.is_filtered else ""
        shown = " that the filter shows" if session.is_filtered else ""
        return f" in the {count(seeking.total, 'run')}{shown} so far"

    def _hits_at(self, seeking: Seeking, position: int) -> list[Hit]:
        session, row = self.screen.session, seeking.row(position)
        kept = seeking.hits.get(position)
        if kept is not None and not session.bundle.is_edited(row):
            session.keep_hits(row, kept)
        return session.hits(row)

    def _show(self, position: int, hits: list[Hit], at: int) -> None:
        hit = self._hit = hits[at]
        self._wanted = None
        if self._seeking is not None:
            self._seeking.is_awaited = False
        self.screen.show_hit(position, hit)
        name = safe_name(self.screen.session.bundle.names.name(hit.row))
        self._said = f" found in {name}, in its {hit.part}: place {at + 1:,} of {len(hits):,} there"
        self._tell(self._seeking)

    def _tell(self, seeking: Seeking | None) -> None:
        """Say where the place is that is shown, and how far the search is."""
        said = self._said if self._wanted is None else " searching"
        self.screen.say(Text(said + (self._progress(seeking) if seeking is not None else ""), "notice"))

    def _progress(self, seeking: Seeking) -> str:
        runs = f"in {seeking.found:,} run{'s' * (seeking.found != 1)}"
        if seeking.problem:
            return f"; the search ended: {safe(seeking.problem, 200)}"
        if seeking.done >= seeking.total:
            return f"; {runs} of {seeking.total:,}" if seeking.found else ""
        stop = ", Esc stops" if not seeking.is_stopped else ""
        return f"; {runs} so far, searched {seeking.done:,} of {seeking.total:,}{stop}"


def _look_at_once(seeking: Seeking) -> bool:
    """Look as far as nobody notices; whether that was all."""
    until = time.monotonic() + _AT_ONCE
    lengths = seeking.bundle.records.lengths
    if seeking.total and lengths[seeking.row(min(seeking.low, seeking.total - 1))] > _BIG:
        return seeking.is_done
    for _ in seeking.looks():
        if time.monotonic() > until:
            break
    return seeking.is_done

"""What was typed and is not done yet. Where damage of the index ends the app meanwhile, the next app does it again.

What was typed since somebody stood on the main screen with nothing begun is kept, and how they stood then: a filter is
its key, its text and Enter. It is done once nothing is asked, looked for or counted any more and the screen is at rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from textual import events
from textual.app import ScreenStackError

from agent_tui.tui.in_turn import HOPS, SLOW
from agent_tui.tui.standing import Standing

if TYPE_CHECKING:
    from agent_tui.tui.app import AgentTui

Typed: TypeAlias = events.Key | events.Paste | events.MouseDown
_REST = 0.3
"""Seconds after a key in which whatever it begins has begun."""
_LATE = 0.1
"""Seconds that the loop may be late; if more, something has kept it busy, and others wait for it too."""


class Left(Struct, frozen=True):
    """What an app that ended left."""

    standing: Standing
    """From where to go on."""
    typed: tuple[Typed, ...] = ()
    """What is to be typed again there."""
    lost: tuple[Typed, ...] = ()
    """What was typed after that and cannot be done again: clicks, and what was typed into screens of their own."""


class Unfinished:
    """Takes down what is typed into an app; types what another one did not finish."""

    def __init__(self, app: AgentTui) -> None:
        self._app = app
        self._standing: Standing | None = None
        self._typed: list[Typed] = []
        self._lost: list[Typed] = []
        self._resting: asyncio.TimerHandle | None = None
        self._again: list[Typed] = []
        """What is still to be typed again."""
        self._held: list[Typed] = []
        """What was typed meanwhile."""
        self._ours: Typed | None = None
        self.is_typing = False
        """Whether something is being typed again."""

    # Taking it down

    def takes(self, event: events.Event) -> bool:
        """Take an event down before the app has it; False where it has to wait for what is typed again."""
        if not isinstance(event, Typed):
            return True
        if self.is_typing and event is not self._ours:
            self._held.append(event)
            return False
        self._take(event)
        return True

    def _take(self, event: Typed) -> None:
        if self._standing is None or self._is_done(self._standing):
            self._standing, self._typed, self._lost = Standing.of(self._app), [], []
        can_be_done_again = not (self._lost or isinstance(event, events.MouseDown)) and self._is_here()
        (self._typed if can_be_done_again else self._lost).append(event)
        self._rest()

    def _rest(self) -> None:
        if self._resting is not None:
            self._resting.cancel()
        loop = asyncio.get_running_loop()
        self._resting = loop.call_later(_REST, self._rested, loop.time() + _REST)

    def _rested(self, due: float) -> None:
        """Nothing more comes of what was typed, unless the loop was too busy for it."""
        self._resting = None
        if asyncio.get_running_loop().time() - due > _LATE:
            self._rest()

    def _is_here(self) -> bool:
        """Whether what is typed goes to the main screen, or to a list that it asks with."""
        if self._app.screen is self._app.main:
            return True
        from agent_tui.tui.screens.choosing import ChoosingScreen
        from agent_tui.tui.screens.palette import PaletteScreen

        return isinstance(self._app.screen, ChoosingScreen | PaletteScreen)

    def _is_done(self, standing: Standing) -> bool:
        main, session = self._app.main, self._app.main.session
        if standing.session is session and standing.changes != session.count_changes():
            return True  # what was changed goes on by itself
        is_awaited = main.counting.is_awaited or (bool(session.needle) and main.finding.is_awaited)
        return not (self._resting or is_awaited or main.is_busy or self._app.in_turn.waiting)

    def left(self) -> Left:
        """What is left where the app ends now."""
        standing, waiting = self._standing, (*self._again, *self._held)
        if standing is None or self._is_done(standing):
            return Left(Standing.of(self._app), waiting)
        if standing.session is not self._app.main.session:
            return Left(Standing.of(self._app), (), (*self._typed, *self._lost, *waiting))
        if self._lost:
            return Left(standing, tuple(self._typed), (*self._lost, *waiting))
        return Left(standing, (*self._typed, *waiting))

    # Typing it again

    async def type(self, typed: Sequence[Typed]) -> tuple[Typed, ...]:
        """Type something again, each once what was typed before it is done; what comes from outside waits.

        Gives what is not typed, since it would go to another screen.
        """
        self._again, self.is_typing = list(typed), bool(typed)
        while self._again and self._app.is_running and self._is_here():
            self._ours = _copy(self._again.pop(0))
            self._app.post_message(self._ours)
            await self.handled()
        self.is_typing = False
        lost, held, self._again, self._held = tuple(self._again), self._held, [], []
        for event in held:
            self._app.post_message(event)
        return lost

    async def handled(self) -> None:
        """Until the widgets have done what was typed, and what that led to, and it is painted."""
        with suppress(ScreenStackError):  # an app that ends meanwhile has none
            await _called(self._app.call_later)
            for _ in range(HOPS):
                for node in (self._app.focused or self._app.screen).ancestors_with_self:
                    await _called(node.call_later)
            await _called(self._app.screen.call_after_refresh)


async def _called(call: Callable[[Callable[[], None]], bool]) -> None:
    done = asyncio.Event()
    if call(done.set):
        with suppress(TimeoutError):
            await asyncio.wait_for(done.wait(), SLOW)


def _copy(event: Typed) -> Typed:
    """An event that nobody has handled."""
    if isinstance(event, events.Key):
        return events.Key(event.key, event.character)
    return events.Paste(event.text) if isinstance(event, events.Paste) else event


def spelt(typed: Sequence[Typed]) -> str:
    """What was typed, in a line; its first key stands alone."""
    first, *rest = map(_spelt, typed)
    return " ".join(f"{first} {''.join(rest)}".split())


def _spelt(event: Typed) -> str:
    if isinstance(event, events.Key):
        return event.character if event.character and event.is_printable else f" {event.key} "
    return event.text if isinstance(event, events.Paste) else " a click "

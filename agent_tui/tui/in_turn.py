"""Keys one after the other, each once the one before it is done.

Over a slow line keys come in one piece, and Textual hands all of them to what has the focus then: of `f`, `gap` and
Enter only `f` would go where it belongs, and the rest would be keys of the table.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from textual import events
from textual.app import ScreenStackError
from textual.message_pump import MessagePump

if TYPE_CHECKING:
    from textual.app import App
    from textual.screen import Screen

HOPS = 4
"""How often what a key leads to may lead to more, until it is all done (a count)."""
SLOW = 1.0
"""Seconds that a widget may take to answer; one that has left the screen never does."""
_AGAIN = 0.01
"""Seconds until it is looked again whether a screen is filled."""


@runtime_checkable
class Fills(Protocol):
    """A screen that is not there all at once."""

    @property
    def is_filled(self) -> bool:
        """Whether keys meet what they are meant for; until then they wait."""


def apart(event: events.Event, bound: Collection[str]) -> tuple[events.Event, ...]:
    """What was typed, where a terminal sends two keys as one: Esc with a letter right behind it is Alt and that letter.

    Unless that is one of the keys that mean something.
    """
    if not isinstance(event, events.Key) or event.character is None:
        return (event,)
    if not event.key.startswith("alt+") or event.key in bound:
        return (event,)
    return events.Key("escape", "\x1b"), events.Key(event.character, event.character)


class InTurn:
    """Holds keys and pastes back until those before them are done; `handle` is what the app does with one.

    They wait, too, as long as a screen that `Fills` is not filled: nothing stands under its cursor yet.
    """

    def __init__(self, app: App[Any], handle: Callable[[events.Event], Awaitable[None]]) -> None:
        self._app = app
        self._handle = handle
        self._waiting: deque[events.Event] = deque()
        self._number = 0
        """How many had their turn (a count)."""
        self.is_busy = False
        """Whether something that was typed is not done yet."""
        self._limit: asyncio.TimerHandle | None = None
        self._hopeless: Screen[Any] | None = None
        """A screen that was waited for long enough: a second key does not wait for it again."""

    async def take(self, event: events.Event) -> None:
        """Handle an event now, or when it is its turn."""
        if not isinstance(event, events.Key | events.Paste):
            await self._handle(event)
        elif self.is_busy:
            self._waiting.append(event)
        else:
            await self._give(event)

    @property
    def waiting(self) -> tuple[events.Event, ...]:
        """What was typed and had no turn yet."""
        return tuple(self._waiting)

    async def _give(self, event: events.Event) -> None:
        self.is_busy = True
        self._number += 1
        number, screen = self._number, self._screen()
        self._limit = asyncio.get_running_loop().call_later(SLOW, self._give_up, number)
        try:
            await self._handle(event)
        finally:
            self._hop(number, screen, [], HOPS)

    def _screen(self) -> Screen[Any] | None:
        try:
            return self._app.screen
        except ScreenStackError:  # an app that ends has none
            return None

    def _hop(self, number: int, before: Screen[Any] | None, nodes: list[MessagePump], hops: int) -> None:
        """Go through what has the focus and all around it, behind the messages that wait there."""
        screen = self._screen()
        while screen is not None and (nodes or hops):
            if not nodes:
                nodes, hops = [*(self._app.focused or screen).ancestors_with_self], hops - 1
            node = nodes.pop(0)
            if node.call_later(self._hop, number, before, nodes, hops):
                return
        self._end(number, before)

    def _end(self, number: int, before: Screen[Any] | None) -> None:
        """Done, once a screen that has come is painted, and the one on top is filled."""
        if number != self._number or not self.is_busy:
            return  # it took too long
        screen = self._screen()
        if screen is not None and screen is not before and screen.call_after_refresh(self._end, number, screen):
            return
        if screen is not self._hopeless and isinstance(screen, Fills) and not screen.is_filled:
            asyncio.get_running_loop().call_later(_AGAIN, self._end, number, screen)
        else:
            self._done(number)

    def _give_up(self, number: int) -> None:
        self._hopeless = self._screen()
        self._done(number)

    def _done(self, number: int) -> None:
        """The next one's turn, unless it came already."""
        if number != self._number or not self.is_busy:
            return
        if self._limit is not None:
            self._limit.cancel()
        self.is_busy = False
        if self._waiting:
            self.is_busy = True  # nobody comes in between
            self._app.call_later(self._next)

    async def _next(self) -> None:
        await self._give(self._waiting.popleft())

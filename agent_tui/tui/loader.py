"""Read a bundle in a thread: it computes and posts, the app puts what comes into the bundle.

A large one is read by worker processes into an index; the thread only looks after them, and the app shows the index as
far as it goes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import Struct, field
from textual.message import Message

from agent_tui.bundles import Bundle, Fact, scored
from agent_tui.bundles.index.columns import Damaged
from agent_tui.errors import AgentTuiError
from agent_tui.matchers import Rules
from agent_tui.readers import read
from agent_tui.readers.streams import is_stream
from agent_tui.safety import Limits
from agent_tui.workers.course import Course
from agent_tui.workers.loading import is_large

if TYPE_CHECKING:
    from agent_tui.bundles.patch import Patch
    from agent_tui.workers.building import Building

FIRST_BATCH = 64
BATCH = 1000
SECONDS = 0.1
"""A batch is posted when it is full or this old."""

GIVE_WAY = 0.1
"""Seconds for the first rows of an index to be drawn in, before the worker processes are begun with."""


class Latest(Message):
    """News of a bundle: the last of several says it all."""

    bundle: Bundle

    def can_replace(self, message: Message) -> bool:
        """Whether a later message says the same of the same bundle, only newer."""
        return type(message) is type(self) and message.bundle is self.bundle


@dataclass
class Batch(Message):
    """Some more of a bundle was read and scored."""

    bundle: Bundle
    facts: list[Fact]


@dataclass
class Grown(Latest):
    """More of an index can be shown."""

    bundle: Bundle
    building: Building
    course: Course


@dataclass
class StartAgain(Message):
    """An index cannot be used: the bundle is to be read anew, with another one or with none, for a reason."""

    bundle: Bundle
    reason: str
    with_index: bool


@dataclass
class LoadFailed(Message):
    """Reading ended with an error of the user's making."""

    bundle: Bundle
    reason: str


class Opening(Struct, frozen=True):
    """What to open, and how: the same choices as on the command line."""

    paths: tuple[str, ...]
    rules: Rules | None = None
    references: str | None = None
    allow_outside: bool = False
    patch: Patch | None = None
    with_index: bool = True
    """Whether a large bundle is read through an index; not where none could be kept."""
    verifies: bool = False
    """Whether an index is used only where the files still have every byte that it was made of."""
    limits: Limits = field(default_factory=Limits)
    """How much of a pipe is copied."""


def load_in_thread(
    opening: Opening, bundle: Bundle, post: Callable[[Message], object], is_cancelled: Callable[[], bool]
) -> None:
    """Read what `opening` names and post it: an index as it grows, or batches; of a pipe what it begins with."""
    if any(map(is_stream, opening.paths)):
        from agent_tui.tui.arriving import arrive  # here, since few bundles come by a pipe

        facts = arrive(opening, bundle, post, is_cancelled)
        if facts is not None:
            post(Batch(bundle, facts))
        if facts is not None or is_cancelled():
            return
    if opening.with_index and opening.references is None and is_large(opening.paths):
        from agent_tui.workers.building import building_of  # here, since a small bundle needs no processes

        try:
            building = building_of(opening.paths, opening.rules, verifies=opening.verifies)
        except OSError as error:
            post(StartAgain(bundle, f"there is no index: {error.strerror or error}", with_index=False))
            return
        if building is not None:
            _load_index(building, bundle, post, is_cancelled)
            return
    _load_batches(opening, bundle, post, is_cancelled)


def _load_index(
    building: Building, bundle: Bundle, post: Callable[[Message], object], is_cancelled: Callable[[], bool]
) -> None:
    course = Course(building.view.bytes_done, building.total)
    post(Grown(bundle, building, course))
    if building.view.finished is not None:
        return
    # Here, since what is indexed needs no processes.
    from agent_tui.workers.engine import Pool, beside_a_screen
    from agent_tui.workers.first_here import FirstHere

    said = 0.0
    try:
        for done in building.run(FirstHere(Pool(beside_a_screen())), is_cancelled):
            is_first, course = not course.done, course.at(done)
            if is_first or time.monotonic() - said > SECONDS:
                said = time.monotonic()
                post(Grown(bundle, building, course))
            if is_first and done:
                time.sleep(GIVE_WAY)
    except OSError as error:
        post(StartAgain(bundle, f"the index cannot be kept: {error.strerror or error}", with_index=False))
    except AgentTuiError as error:
        post(LoadFailed(bundle, str(error)))
    except Damaged as error:
        post(StartAgain(bundle, str(error), with_index=True))
    else:
        if is_cancelled():
            building.place.close()  # nobody looks at it any more
        else:
            post(Grown(bundle, building, course))


def _load_batches(
    opening: Opening, bundle: Bundle, post: Callable[[Message], object], is_cancelled: Callable[[], bool]
) -> None:
    batch: list[Fact] = []
    limit, since = FIRST_BATCH, time.monotonic()
    try:
        items = read(opening.paths, references=opening.references, allow_outside=opening.allow_outside)
        for fact in scored(items, opening.rules):
            if is_cancelled():
                return
            batch.append(fact)
            if len(batch) >= limit or time.monotonic() - since > SECONDS:
                post(Batch(bundle, batch))
                batch, limit, since = [], BATCH, time.monotonic()
    except AgentTuiError as error:
        post(Batch(bundle, batch))
        post(LoadFailed(bundle, str(error)))
        return
    post(Batch(bundle, batch))


def many(paths: Sequence[str]) -> str:
    """The paths in a few words."""
    return paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"

"""Read a bundle in a thread: it computes and posts, the app puts what comes into the bundle."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.message import Message

from agent_tui.bundles import Bundle, Fact, scored
from agent_tui.bundles.patch import Patch
from agent_tui.errors import AgentTuiError
from agent_tui.matchers import Rules
from agent_tui.readers import read

FIRST_BATCH = 64
BATCH = 1000
SECONDS = 0.1
"""A batch is posted when it is full or this old."""


@dataclass
class Batch(Message):
    """Some more of a bundle was read and scored."""

    bundle: Bundle
    facts: list[Fact]


@dataclass
class LoadFailed(Message):
    """Reading ended with an error of the user's making."""

    bundle: Bundle
    reason: str


@dataclass(frozen=True, slots=True)
class Opening:
    """What to open, and how: the same choices as on the command line."""

    paths: tuple[str, ...]
    rules: Rules | None = None
    references: str | None = None
    allow_outside: bool = False
    patch: Patch | None = None


def load_in_thread(
    opening: Opening, bundle: Bundle, post: Callable[[Message], object], is_cancelled: Callable[[], bool]
) -> None:
    """Read what `opening` names and post it in batches."""
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

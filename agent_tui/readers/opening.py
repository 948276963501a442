"""Paths in, items out: every source is opened, told apart and read; what fails is a problem and the rest goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from agent_tui.errors import Problem
from agent_tui.readers.contract import Format
from agent_tui.readers.formats import FORMATS
from agent_tui.readers.items import Item, SourceRead
from agent_tui.readers.places import sources_of
from agent_tui.readers.source import Source, Unreadable
from agent_tui.safety import Limits


def read_sources(paths: Sequence[str], limits: Limits) -> Iterator[Item]:
    """The items of all that `paths` name, in order."""
    absorbed: set[Path] = set()
    for found in sources_of(paths, limits):
        if isinstance(found, Problem):
            yield found
        elif found.path is None or found.member is not None or found.path.resolve() not in absorbed:
            yield from read_source(found, absorbed)


def read_source(source: Source, absorbed: set[Path]) -> Iterator[Item]:
    """The items of one source."""
    try:
        if source.packing == "empty" or source.head.kind == "empty":
            yield Problem(source.name, "empty file: nothing was recorded, or the copy failed", kind="empty_file")
            return
        form = format_of(source)
        if form is None:
            yield unclaimed(source)
            return
        absorbed.update(path.resolve() for path in form.companions(source))
        yield from form.read(source)
        yield SourceRead(source.name, form.name, source.digest())
    except Unreadable as error:
        yield Problem(source.name, error.reason, error.line, kind=error.kind)
    except OSError as error:
        yield Problem(source.name, f"cannot be read: {error.strerror or error}", kind="unreadable")
    finally:
        source.release()


def format_of(source: Source) -> Format | None:
    """The first format that claims a source."""
    return next((form for form in FORMATS if form.claims(source.head)), None)


def unclaimed(source: Source) -> Problem:
    """A file that no format claims, and what was looked for."""
    looked_for = ", ".join(form.name for form in FORMATS)
    return Problem(source.name, f"no format claims it (looked for {looked_for}); see agent-tui formats", kind="unreadable")

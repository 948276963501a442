"""Paths in, items out: every source is opened, told apart and read; what fails is a problem and the rest goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from agent_tui.errors import Problem
from agent_tui.readers.contract import Format
from agent_tui.readers.formats import NAMES, formats
from agent_tui.readers.items import Item, SourceRead
from agent_tui.readers.own_writing import own_writing
from agent_tui.readers.places import Places
from agent_tui.readers.source import Source, Unreadable

_DATA = (".json", ".jsonl", ".ndjson", ".eval", ".gz", ".zst", ".zip")


def read_places(places: Places) -> Iterator[Item]:
    """The items of every source of `places`, in order."""
    read: dict[str, int] = {}
    for found in places.sources():
        if isinstance(found, Problem):
            yield found
            continue
        if found.folder is not None:
            read.setdefault(found.folder, 0)
        if found.path is not None and found.path.resolve() in places.absorbed:
            continue
        for item in read_source(found, places.absorbed):
            if isinstance(item, SourceRead) and found.folder is not None:
                read[found.folder] += 1
            yield item
    for folder, count in read.items():
        if not count:
            yield nothing_readable(folder)


def nothing_readable(folder: str) -> Problem:
    """That a folder has no file that can be read."""
    reason = f"nothing readable in this folder (looked for {_looked_for()}; see agent-tui formats)"
    return Problem(folder, reason, kind="unreadable")


def read_source(source: Source, absorbed: set[Path]) -> Iterator[Item]:
    """The items of one source."""
    try:
        yield from _read(source, absorbed)
    except Unreadable as error:
        yield Problem(source.name, error.reason, error.line, kind=error.kind)
    except OSError as error:
        yield Problem(source.name, f"cannot be read: {error.strerror or error}", kind="unreadable")
    finally:
        source.release()


def _read(source: Source, absorbed: set[Path]) -> Iterator[Item]:
    if source.packing == "empty" or source.head.kind == "empty":
        yield Problem(source.name, "empty file: nothing was recorded, or the copy failed", kind="empty_file")
        return
    own = own_writing(source.head)
    if own is not None:
        if source.folder is None:
            yield Problem(source.name, f"holds no runs: it is {own}", kind="warning")
        return
    form = format_of(source)
    if form is not None:
        companions = list(form.companions(source))
        absorbed.update(path.resolve() for path in companions)
        yield from _read_as(form, source)
        for companion in companions:
            yield SourceRead(str(companion), form.name, Source.of(companion, source.limits).digest())
        yield SourceRead(source.name, form.name, source.digest())
    elif source.head.kind == "zip":
        yield from _read_members(source, absorbed)
    elif source.folder is None or source.head.kind != "text" or source.name.lower().endswith(_DATA):
        yield _unclaimed(source)


def _read_as(form: Format, source: Source) -> Iterator[Item]:
    """What a format finds in a source, as far as it can be read."""
    try:
        yield from form.read(source)
    except Unreadable as error:
        yield Problem(source.name, error.reason, error.line, kind=error.kind)


def _read_members(source: Source, absorbed: set[Path]) -> Iterator[Item]:
    """The items of a zip that is no log by itself: each member is a source."""
    from agent_tui.readers.archive import member_sources

    count = 0
    for member in member_sources(source):
        if isinstance(member, Problem):
            yield member
            continue
        count += 1
        yield from read_source(member, absorbed)
    if not count:
        yield Problem(source.name, "a zip without files", kind="empty_file")


def format_of(source: Source) -> Format | None:
    """The first format that claims a source."""
    return next((form for form in formats() if form.claims(source.head)), None)


def _looked_for() -> str:
    return ", ".join(NAMES)


def _unclaimed(source: Source) -> Problem:
    """A file that no format claims, and what was looked for."""
    reason = source.head.reason or "no format claims it"
    return Problem(source.name, f"{reason} (looked for {_looked_for()}; see agent-tui formats)", kind="unreadable")

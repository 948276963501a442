"""A task is done: what it gives depends on the task alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Raw

from agent_tui.bundles.loading import Loader
from agent_tui.bundles.parts import Before, Part, PartMaker
from agent_tui.errors import AgentTuiError, Problem
from agent_tui.readers.addresses import is_address
from agent_tui.readers.formats.agent_tui import FORMAT, LineState, read_lines
from agent_tui.readers.items import Header
from agent_tui.readers.opening import format_of, read_source
from agent_tui.readers.ranges import CHANGED, RangeSource, Stamp, digests_of_first
from agent_tui.readers.source import Source, Unreadable
from agent_tui.workers.tasks import (
    Beginning,
    CanBeCut,
    Digest,
    Given,
    Hash,
    How,
    Lost,
    ReadFile,
    ReadRange,
    Refused,
    Task,
)


def parts_of(task: Task, how: How) -> Iterator[Given]:
    """What a task gives, in order."""
    try:
        if isinstance(task, ReadRange):
            yield _range(task, how)
        elif isinstance(task, ReadFile):
            yield from _file(task, how)
        else:
            yield _digest(task)
    except AgentTuiError as error:
        yield Refused(str(error))
    except OSError as error:
        yield Lost(f"cannot be read: {error.strerror or error}")


def _digest(task: Hash) -> Given:
    """The digest of a file as long as it was, where more came since."""
    if is_address(task.file):
        return _digest_in_store(task)
    with open(task.file, "rb", buffering=0) as file:
        begins = task.begins or Beginning(0, "")
        first, digest = digests_of_first(file, begins.size, task.stamp.size)
        is_same = task.stamp.is_still_of(file.fileno())
    if digest is None or not is_same:
        return Lost(CHANGED)
    return Digest(digest, begins_so=not begins.size or first == begins.digest)


def _digest_in_store(task: Hash) -> Given:
    """What the store says of the file, or where that is nothing the digest of its bytes."""
    from agent_tui.readers.remote_source import RemoteSource  # here, since few files lie in a store

    source = RemoteSource(task.file)
    return Digest(source.digest()) if source.stamp == task.stamp else Lost(CHANGED)


def _range(task: ReadRange, how: How) -> Part:
    """The runs of a range; what of it cannot be read is a problem of the part."""
    loader, state = Loader(how.rules), LineState(task.before.is_ours, task.before.is_first)
    fields = task.before.fields
    if not task.before.is_first:
        loader.go_on(task.name, {key: Raw(value) for key, value in fields.items()})
    maker = PartMaker(how.modes, loader)
    source = RangeSource(task.file, task.low, task.high, task.stamp, name=task.name)
    try:
        for item in read_lines(source, state):
            if isinstance(item, Header):
                fields = {key: bytes(value) for key, value in item.fields.items()}
            for fact in loader.take(item):
                maker.add(fact)
    except Unreadable as error:
        maker.add(Problem(task.name, error.reason, error.line, kind=error.kind))
    return maker.take(source.line_feeds, Before(fields, state.is_ours, state.is_first))


def _file(task: ReadFile, how: How) -> Iterator[Given]:
    """The runs of a file, some at a time; or that it can be cut."""
    source = _source_of(task)
    source.may_map = True  # a worker that the system ends is replaced
    if task.may_be_cut and can_be_cut(source):
        yield CanBeCut()
        return
    loader = Loader(how.rules)
    maker, absorbed = PartMaker(how.modes, loader), set[Path]()
    room, later = task.pieces
    for item in read_source(source, absorbed):
        for fact in loader.take(item):
            maker.add(fact)
        if maker.size >= room:
            room = later
            yield maker.take(reached=source.reached, is_last=False)
    if Stamp.of(task.file) != task.stamp:
        maker.add(Problem(task.name, CHANGED, kind="unreadable"))
    yield maker.take(absorbed=[str(path) for path in absorbed])


def _source_of(task: ReadFile) -> Source:
    if is_address(task.file):
        from agent_tui.readers.remote_source import RemoteSource  # here, since few files lie in a store

        return RemoteSource(task.file, folder=task.folder)
    return Source.of(Path(task.file), folder=task.folder, name=task.name)


def can_be_cut(source: Source) -> bool:
    """Whether a file is JSON Lines of our own format that can be read from any place on."""
    try:
        if source.packing != "plain" or source.head.kind != "lines":
            return False
        return format_of(source) is FORMAT
    except (OSError, Unreadable):  # whoever reads it says so
        return False

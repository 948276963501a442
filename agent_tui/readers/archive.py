"""Zip archives: their members within limits. Deflate and zstd, on every Python that we support."""

from __future__ import annotations

import io
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

from agent_tui.errors import Problem
from agent_tui.readers.source import Source, Unreadable

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo


def archive_of(source: Source) -> Archive:
    """The archive of a source, open until that is released: its directory may be long, and is read once.

    Raises `Unreadable` where it is broken or holds too much.
    """
    if source.archive is None:
        with ExitStack() as stack:
            archive = Archive(_zip_of(source, stack), source)
            archive.close = stack.pop_all().close
        source.archive = archive
    return source.archive


def _zip_of(source: Source, stack: ExitStack) -> ZipFile:
    from agent_tui.readers.zips import BadZip, zip_file

    raw = stack.enter_context(source.open_raw())
    if isinstance(raw, io.RawIOBase):
        raw = stack.enter_context(io.BufferedReader(raw))
    try:
        return stack.enter_context(zip_file(raw))
    except BadZip as error:
        raise Unreadable(f"broken zip: {error}; copy it again") from error


class Archive:
    """An open zip: names, and members read whole."""

    def __init__(self, file: ZipFile, source: Source) -> None:
        self._file = file
        self.close: Callable[[], object] = file.close
        self._source = source
        self._limits = source.limits
        self._unpacked: tuple[ZipInfo | None, bytes] = None, b""
        self._all = [info for info in file.infolist() if not info.is_dir()]
        self._name = source.name
        self._members: dict[str, ZipInfo] = {info.filename: info for info in self._all}
        if len(self._all) > self._limits.archive_members:
            raise Unreadable(f"an archive of over {self._limits.archive_members:,} members: split it")

    @property
    def names(self) -> list[str]:
        """The members in the order of the archive; of two with one name the last."""
        return list(self._members)

    def each(self) -> Iterator[tuple[str, Callable[[], BinaryIO]]]:
        """Every member with how it is opened; the second of two with one name is called `…~2`."""
        met: Counter[str] = Counter()
        for info in self._all:
            met[info.filename] += 1
            more = f"~{met[info.filename]}" if met[info.filename] > 1 else ""
            yield info.filename + more, partial(self._open, info)

    def repeated(self, *, all_read: bool = False) -> Iterator[Problem]:
        """A problem for each name that several members have: a loss where they differ and only the last one is read."""
        counts = Counter(info.filename for info in self._all)
        for name in [name for name, count in counts.items() if count > 1]:
            alike = len({(info.CRC, info.file_size) for info in self._all if info.filename == name}) == 1
            fate = "all are read" if all_read else "the last one is read"
            kind = "warning" if all_read or alike else "malformed"
            yield Problem(self._name, f"{counts[name]} members have this name: {fate}", path=name, kind=kind)

    def read(self, name: str) -> bytes:
        """One member. Raises `Unreadable` where it is broken or unpacks to too much."""
        return self._read(self._members[name])

    def _read(self, info: ZipInfo) -> bytes:
        """A member, of which whoever reads it as a source asks several times; the last one is kept."""
        if self._unpacked[0] is not info:
            self._unpacked = info, self._unpack(info)
            self._source.reached += info.compress_size
        return self._unpacked[1]

    def _unpack(self, info: ZipInfo) -> bytes:
        name = info.filename
        self._refuse_bomb(info)
        try:
            with self._file.open(info) as member:
                text = member.read(self._limits.archive_member + 1)
        except (OSError, EOFError, ValueError, zlib.error, NotImplementedError, RuntimeError) as error:
            raise Unreadable(f"member {name} cannot be unpacked: {error}") from error
        except Exception as error:  # the border to a codec or zip library with error classes of its own
            raise Unreadable(f"member {name} is broken: {error}") from error
        if len(text) > self._limits.archive_member:
            raise Unreadable(f"member {name} unpacks to over {self._limits.archive_member:,} bytes")
        return text

    def _open(self, info: ZipInfo) -> BinaryIO:
        return io.BytesIO(self._read(info))

    def _refuse_bomb(self, info: ZipInfo) -> None:
        limits = self._limits
        if info.file_size > limits.archive_member:
            raise Unreadable(f"member {info.filename} unpacks to over {limits.archive_member:,} bytes")
        if info.file_size > limits.ratio_floor and info.file_size > limits.ratio * max(info.compress_size, 1):
            raise Unreadable(f"member {info.filename} unpacks to over {limits.ratio:,} times its size: a bomb?")


def member_names(source: Source) -> frozenset[str]:
    """The names in a zip."""
    return frozenset(archive_of(source).names)


def member_sources(source: Source) -> Iterator[Source | Problem]:
    """The files in a zip that is no log of its own, as sources that live as long as it does."""
    archive = archive_of(source)
    yield from archive.repeated(all_read=True)
    for name, opener in archive.each():
        if _readable(name):
            named = f"{source.name}/{name}"
            yield Source(named, opener, path=source.path, limits=source.limits, member=name, folder=source.name)


def _readable(name: str) -> bool:
    last = name.rsplit("/", 1)[-1]
    return not last.startswith((".", "__")) and not name.startswith("__MACOSX")

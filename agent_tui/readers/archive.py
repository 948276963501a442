"""Zip archives: their members within limits. Deflate and zstd, on every Python that we support."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

from agent_tui.readers.source import Source, Unreadable

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo


@contextmanager
def opened(source: Source) -> Iterator[Archive]:
    """The archive of a source. Raises `Unreadable` where it is broken or holds too much."""
    from agent_tui.readers.zips import BadZip, zip_file

    with source.open_raw() as raw:
        try:
            with zip_file(io.BufferedReader(raw) if isinstance(raw, io.RawIOBase) else raw) as file:
                yield Archive(file, source)
        except BadZip as error:
            raise Unreadable(f"broken zip: {error}; copy it again") from error


class Archive:
    """An open zip: names, and members read whole."""

    def __init__(self, file: ZipFile, source: Source) -> None:
        self._file = file
        self._limits = source.limits
        self._members: dict[str, ZipInfo] = {info.filename: info for info in file.infolist() if not info.is_dir()}
        if len(self._members) > self._limits.archive_members:
            raise Unreadable(f"an archive of over {self._limits.archive_members:,} members: split it")

    @property
    def names(self) -> list[str]:
        """The members in the order of the archive; of two with one name the last."""
        return list(self._members)

    def read(self, name: str) -> bytes:
        """One member. Raises `Unreadable` where it is broken or unpacks to too much."""
        info = self._members[name]
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

    def open(self, name: str) -> BinaryIO:
        """A member as a file."""
        return io.BytesIO(self.read(name))

    def _refuse_bomb(self, info: ZipInfo) -> None:
        limits = self._limits
        if info.file_size > limits.archive_member:
            raise Unreadable(f"member {info.filename} unpacks to over {limits.archive_member:,} bytes")
        if info.file_size > limits.ratio_floor and info.file_size > limits.ratio * max(info.compress_size, 1):
            raise Unreadable(f"member {info.filename} unpacks to over {limits.ratio:,} times its size: a bomb?")


def member_names(source: Source) -> frozenset[str]:
    """The names in a zip."""
    with opened(source) as archive:
        return frozenset(archive.names)


def member_sources(source: Source) -> Iterator[Source]:
    """The files in a zip that is no log of its own, as sources that live as long as the iteration."""
    with opened(source) as archive:
        for name in archive.names:
            if _readable(name):
                opener = partial(archive.open, name)
                named = f"{source.name}/{name}"
                yield Source(named, opener, path=source.path, limits=source.limits, member=name, folder=source.name)


def _readable(name: str) -> bool:
    last = name.rsplit("/", 1)[-1]
    return not last.startswith((".", "__")) and not name.startswith("__MACOSX")

"""One source of bytes: a file, standard input or a member of a zip; unpacked, within limits, with a digest."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

from agent_tui.readers.head import Head, look
from agent_tui.readers.loose import Text
from agent_tui.readers.splitting import Line, split_lines
from agent_tui.safety import Limits

if TYPE_CHECKING:
    from mmap import mmap

    from xxhash import xxh3_128

    from agent_tui.readers.archive import Archive

CHUNK = 1 << 20
BOM = b"\xef\xbb\xbf"
_GZIP, _ZSTD, _ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", (b"PK\x03\x04", b"PK\x05\x06")


class Unreadable(Exception):
    """Reading had to stop: the reason with its remedy. What was read before stands."""

    def __init__(self, reason: str, kind: str = "unreadable", line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.kind = kind
        self.line = line


class _Reads(Protocol):
    def read1(self, size: int = -1, /) -> bytes: ...


class _Hashed(io.RawIOBase):
    """A file whose bytes are hashed while they are read."""

    def __init__(self, file: BinaryIO, digest: xxh3_128) -> None:
        self.file = file
        self.digest = digest
        self.count = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        data = self.file.read(size)
        self.digest.update(data)
        self.count += len(data)
        return data

    def readinto(self, buffer: bytearray | memoryview, /) -> int:  # type: ignore[override]
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def read1(self, size: int = -1, /) -> bytes:
        return self.read(size)

    def close(self) -> None:
        if not self.closed:
            self.file.close()
        super().close()


class Source:
    """One file, told apart by what is in it. `name` is how people know it."""

    def __init__(
        self,
        name: str,
        opener: Callable[[], BinaryIO],
        *,
        path: Path | None = None,
        limits: Limits | None = None,
        member: str | None = None,
        folder: str | None = None,
    ) -> None:
        self.name = name
        self.path = path
        self.member = member
        self.folder = folder
        self.limits = limits or Limits()
        self.spool: Path | None = None
        """Where other processes find a copy of what can be read only once, as long as this one lives."""
        self.reached = 0
        """How far in the file, as it lies on disk, its reader is (bytes)."""
        self.open_raw = opener
        self.may_map = False
        """Whether a document may be seen where it lies instead of being read into memory.

        Who says so is not missed when somebody cuts the file short meanwhile: the system ends it.
        """
        self.archive: Archive | None = None
        """What it is opened as where it is a zip; until `release`."""
        self._digest: str | None = None
        self._document: Text | None = None
        self._lines_before = 0
        self._size = 0
        self._bytes_before = 0
        """White space before the document (bytes)."""

    @classmethod
    def of(cls, path: Path, limits: Limits | None = None, folder: str | None = None, name: str | None = None) -> Source:
        """The source of a file; `folder` is the one that was named, if the file itself was not."""
        return cls(name or str(path), lambda: open(path, "rb", buffering=0), path=path, limits=limits, folder=folder)

    @cached_property
    def packing(self) -> str:
        """How the bytes are packed, by their first four: gzip, zstd, zip, plain, or empty."""
        with self.open_raw() as file:
            start = file.read(4)
        if start.startswith(_GZIP):
            return "gzip"
        if start == _ZSTD:
            return "zstd"
        return "zip" if start in _ZIP else "plain" if start else "empty"

    @cached_property
    def begin(self) -> int | None:
        """Where in the file the text begins (bytes), so that it can be read there again; None where it is packed."""
        if self.path is None or self.member is not None or self.packing != "plain":
            return None
        with self.open_raw() as file:
            return len(BOM) if file.read(len(BOM)) == BOM else 0

    @cached_property
    def head(self) -> Head:
        """What the source looks like."""
        return look(self)

    def chunks(self) -> Iterator[bytes]:
        """The unpacked bytes without a byte-order mark. Raises `Unreadable`, after what could be read."""
        from xxhash import xxh3_128

        digest = xxh3_128()
        with _Hashed(self.open_raw(), digest) as raw:
            first = True
            for chunk in _unpacked(raw, self.packing, self.limits):
                if first:
                    first = False
                    _refuse_utf16(chunk)
                    chunk = chunk.removeprefix(BOM)
                self.reached = raw.count
                yield chunk
            while raw.read(CHUNK):
                pass
        self._digest = digest.hexdigest()

    def lines(self) -> Iterator[Line]:
        """The lines, counted from 1; of those without a word some or all are passed over."""
        return split_lines(self.chunks(), self.limits.line)

    def document(self) -> Text:
        """The whole unpacked text without white space around it; kept until `release`."""
        if self._document is None:
            if self._map is not None:
                self._document, self._size = self._document_in(self._map), len(self._map)
            else:
                self._document = self._mapped_copy() or self._read_whole()
                self._size, self.reached = self.reached, 0
        return self._document

    @cached_property
    def _map(self) -> mmap | None:
        """The file mapped into memory; None where it is not, or cannot be."""
        if not self.may_map or self.path is None or self.member is not None or self.packing != "plain":
            return None
        from mmap import ACCESS_READ, mmap  # here, since only workers map

        with suppress(OSError, ValueError), self.open_raw() as file:
            return mmap(file.fileno(), 0, access=ACCESS_READ)
        return None

    def _mapped_copy(self) -> memoryview | None:
        """The document unpacked into a file without a name; None where there is no room, or nothing may be mapped."""
        if not self.may_map:
            return None
        import tempfile  # here, since only workers map
        from mmap import ACCESS_READ, mmap

        with suppress(OSError, ValueError), tempfile.TemporaryFile() as file:
            for chunk in self.chunks():
                self._refuse_size(file.tell() + len(chunk))
                file.write(chunk)
            file.flush()
            return self._document_in(mmap(file.fileno(), 0, access=ACCESS_READ))
        return None

    def _document_in(self, whole: mmap) -> memoryview:
        _refuse_utf16(whole[:2])
        self._refuse_size(len(whole))
        start, end = self._words_in(whole)
        space = whole[self.begin or 0 : start]
        self._bytes_before, self._lines_before = len(space), space.count(b"\n")
        return memoryview(whole)[start:end]

    def _words_in(self, whole: mmap) -> tuple[int, int]:
        """Where the text begins and ends without white space around it."""
        found = re.compile(rb"\s*").match(whole, self.begin or 0)
        start = found.end() if found else 0
        return start, max(start, _end_of_words(memoryview(whole)))

    @property
    def is_one_line(self) -> bool:
        """Whether the whole text is known to be on one line, without reading it."""
        if self._map is None:
            return False
        start, end = self._words_in(self._map)
        return start < end and self._map.find(b"\n", start, end) < 0

    def place_in_file(self, place: int) -> int | None:
        """Where a place of the document lies in the file (bytes); None where that is packed."""
        self.document()
        return None if self.begin is None else self.begin + self._bytes_before + place

    def _refuse_size(self, size: int) -> None:
        if size > self.limits.document:
            raise Unreadable(f"one document of over {self.limits.document:,} bytes: split it, or use JSON Lines")

    def _read_whole(self) -> bytes:
        text, size = io.BytesIO(), 0  # which gives its bytes without a copy of them
        for chunk in self.chunks():
            size += len(chunk)
            self._refuse_size(size)
            if not text.tell():
                begun = chunk.lstrip()
                self._lines_before += chunk.count(b"\n", 0, len(chunk) - len(begun))
                self._bytes_before += len(chunk) - len(begun)
                chunk = begun
            text.write(chunk)
        text.truncate(_end_of_words(text.getbuffer()))
        return text.getvalue()

    def passed(self, place: int) -> None:
        """Say that its reader is so far in the document (bytes of it)."""
        self.reached = self._size * place // max(1, len(self.document()))

    @property
    def lines_before(self) -> int:
        """How many lines of white space stand before the document (a count)."""
        self.document()
        return self._lines_before

    def release(self) -> None:
        """Forgets the text, and closes what is open."""
        if self.archive is not None:
            self.archive.close()
            self.archive = None
        self._document = None
        self.__dict__.pop("head", None)
        self.__dict__.pop("_map", None)

    def digest(self) -> str:
        """The xxh3_128 of the bytes as they lie on disk."""
        if self._digest is None:
            from xxhash import xxh3_128

            digest = xxh3_128()
            with self.open_raw() as file:
                while chunk := file.read(CHUNK):
                    digest.update(chunk)
            self._digest = digest.hexdigest()
        return self._digest


def _end_of_words(text: memoryview) -> int:
    """Where the white space at the end of a text begins."""
    end = len(text)
    while end:
        low = max(0, end - CHUNK)
        words = bytes(text[low:end]).rstrip()
        end = low + len(words)
        if words:
            break
    return end


def _refuse_utf16(start: bytes) -> None:
    if start[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        raise Unreadable("this is UTF-16: save it as UTF-8")


def _unpacked(raw: _Hashed, packing: str, limits: Limits) -> Iterator[bytes]:
    """The bytes of one stream, unpacked; a packed one that grows out of proportion is refused."""
    reader = _unpacker(raw, packing)
    size = 0
    while True:
        try:
            chunk = reader.read1(CHUNK)
        except EOFError as error:
            raise Unreadable(f"the {packing} stream is cut off after {size:,} unpacked bytes: copy it again") from error
        except (OSError, zlib.error, ValueError) as error:
            raise Unreadable(f"broken {packing} stream after {size:,} unpacked bytes: {error}") from error
        except Exception as error:  # the border to a codec with an error class of its own
            raise Unreadable(f"broken {packing} stream after {size:,} unpacked bytes: {error}") from error
        if not chunk:
            return
        size += len(chunk)
        if packing != "plain" and size > limits.ratio_floor and size > limits.ratio * raw.count:
            raise Unreadable(f"unpacks to over {limits.ratio:,} times its size: looks like a decompression bomb")
        yield chunk


def _unpacker(raw: _Hashed, packing: str) -> _Reads:
    if packing == "gzip":
        import gzip

        return gzip.GzipFile(fileobj=raw)
    if packing == "zstd":
        return zstd_file(raw)
    return raw


def zstd_file(raw: io.RawIOBase) -> _Reads:
    """A reader of a zstd stream."""
    import sys

    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdFile
    else:
        from backports.zstd import ZstdFile
    file: _Reads = ZstdFile(raw)
    return file

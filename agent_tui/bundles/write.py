"""The only writer of agent-tui/1: a bundle as it is shown, as JSON or JSON Lines, packed if the name says so.

What nobody changed is written as it was read: header values, unknown keys, records.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from msgspec import Raw

from agent_tui.bundles.bundle import Bundle, Source
from agent_tui.errors import NotPossible
from agent_tui.readers import decode_run
from agent_tui.runs import surrogates
from agent_tui.runs.edits import SetValue, apply
from agent_tui.runs.json_spans import in_one_line, strict_text

SCHEMA = "agent-tui/1"
_NAME = re.compile(r"\.(?P<form>json|jsonl|ndjson)(?P<packing>|\.gz|\.zst)$")


def write_bundle(bundle: Bundle, path: Path, *, replace: bool = False) -> None:
    """Write all runs with their edits to a new file; whole or not at all.

    Raises `NotPossible` for a name that says no format, for an opened file, for one that is there unless `replace`,
    and where headers of several sources differ in one JSON document.
    """
    name = _NAME.search(path.name)
    if name is None:
        raise NotPossible(f"{path}: a bundle is written as .json or .jsonl, and .gz or .zst behind it")
    pieces = bundle_document(bundle) if name["form"] == "json" else bundle_lines(bundle)
    replace_file(bundle, path, pieces, packing=name["packing"], replace=replace)


def bundle_document(bundle: Bundle) -> Iterator[bytes]:
    """The bundle as one JSON document, in pieces."""
    yield b'{"schema": %b' % surrogates.encode(SCHEMA)
    for key, value in header_of(bundle).items():
        yield b",\n %b: %b" % (surrogates.encode(key), bytes(value))
    yield b',\n "runs": ['
    for row in range(len(bundle)):
        yield (b",\n" if row else b"\n") + record_text(bundle.record(row))
    yield b"\n]}\n"


def bundle_lines(bundle: Bundle) -> Iterator[bytes]:
    """The bundle as JSON Lines: a header, then a run a line; another header where that of the next source differs."""
    row, last = 0, None
    for source in bundle.sources:
        header = _header_line(source)
        if header != last:
            yield header
            last = header
        while row < len(bundle) and bundle.source(row) is source:
            yield in_one_line(record_text(bundle.record(row))) + b"\n"
            row += 1


def _header_line(source: Source) -> bytes:
    fields = [
        b", %b: %b" % (surrogates.encode(key), in_one_line(bytes(value))) for key, value in _fields(source).items()
    ]
    return b'{"schema": %b%b}\n' % (surrogates.encode(SCHEMA), b"".join(fields))


def _fields(source: Source) -> dict[str, Raw]:
    """What a source says about its runs, with the rules that it is judged by: they may come from elsewhere."""
    rules = source.plan.rules.text
    return dict(source.fields) | ({"rules": Raw(rules)} if rules else {})


def record_text(record: bytes) -> bytes:
    """A record as strict JSON: verbatim, but where it holds NaN there is null, and `notes` say what it was."""
    strict, words = strict_text(record)
    if not words:
        return record
    notes = [*decode_run(strict).notes, *(f"not_usable: {word}" for word in words)]
    return apply(strict, SetValue(("notes",), surrogates.encode(notes)))[0]


def header_of(bundle: Bundle) -> dict[str, Raw]:
    """What the sources say about their runs, in the order of the first. Raises `NotPossible` where they differ."""
    fields = _fields(bundle.sources[0]) if bundle.sources else {}
    for source in bundle.sources[1:]:
        others = _fields(source)
        differing = [key for key in fields | others if bytes(fields.get(key, b"")) != bytes(others.get(key, b""))]
        if differing:
            both = f"{bundle.sources[0].file} and {source.file}"
            raise NotPossible(f"{both} differ in {', '.join(differing)}: write .jsonl, which holds both")
    return fields


def replace_file(
    bundle: Bundle, path: Path, pieces: Iterable[bytes], *, packing: str = "", replace: bool = False
) -> None:
    """Put a file in place at once, never over one that is opened. Raises `NotPossible`."""
    if any(_is_same(path, file) for file in [*(source.file for source in bundle.sources), *bundle.parts]):
        raise NotPossible(f"{path} is opened, and what is opened is never written: choose another name")
    if path.exists() and not replace:
        raise NotPossible(f"{path} is there already: choose another name")
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with draft.open("xb") as file:
            _write(file, pieces, packing)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        raise NotPossible(f"{path}: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)


def _is_same(path: Path, file: str) -> bool:
    try:
        return os.path.samefile(path, file)
    except (OSError, ValueError):
        return os.path.realpath(path) == os.path.realpath(file)


def _write(file: IO[bytes], pieces: Iterable[bytes], packing: str) -> None:
    if packing == ".gz":
        import gzip

        with gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as packed:
            packed.writelines(pieces)
    elif packing == ".zst":
        with _zstd(file) as packed:
            packed.writelines(pieces)
    else:
        file.writelines(pieces)


def _zstd(file: IO[bytes]) -> Any:
    import sys

    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdFile
    else:
        from backports.zstd import ZstdFile
    return ZstdFile(file, mode="wb")

"""The label file: what people said of runs, one line a label, only ever appended to."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from agent_tui.append_only import append
from agent_tui.errors import Problem
from agent_tui.places import PRIVATE_FILE
from agent_tui.readers.items import Record
from agent_tui.readers.lines import json_lines
from agent_tui.readers.source import Source, Unreadable
from agent_tui.runs import surrogates
from agent_tui.safety import Limits

SCHEMA = "agent-tui/label-1"
_LIMITS = Limits(line=1 << 20)
_SHARED_FILE = 0o666

Word: TypeAlias = Literal["pass", "fail", "undetermined"]
PASS: Word = "pass"
FAIL: Word = "fail"
UNDETERMINED: Word = "undetermined"
WORDS: tuple[Word, ...] = (PASS, FAIL, UNDETERMINED)


class Label(Struct, frozen=True, kw_only=True):
    """What somebody said of a run. Written by hand, model, agent and item may be left out: then they say nothing."""

    schema: str = SCHEMA
    task: str
    epoch: int = 1
    model: str | UnsetType | None = UNSET
    agent: str | UnsetType | None = UNSET
    item: str = ""
    """Digest of the ask and the answer that were labelled."""
    label: Word
    note: str = ""
    by: str = ""
    at: str = ""
    """UTC time."""


class ReadLabel(Struct, frozen=True):
    """A label and its place."""

    label: Label
    file: str
    line: int | None


_decode = msgspec.json.Decoder(Label).decode


def read_labels(path: Path) -> Iterator[ReadLabel | Problem]:
    """The labels of a file in order; a problem for each line that is none. A file that is not there has none."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            yield Problem(str(path), "no regular file: no label of it is read", kind="unreadable")
            return
        for line in json_lines(Source.of(path, _LIMITS)):
            yield line if isinstance(line, Problem) else _label(line)
    except Unreadable as error:
        yield Problem(str(path), error.reason, error.line, kind=error.kind)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENAMETOOLONG):
            return
        yield Problem(str(path), f"labels cannot be read: {error.strerror}", kind="unreadable")


def _label(line: Record) -> ReadLabel | Problem:
    try:
        label = surrogates.decode(_decode, line.text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        reason, _, path = str(error).partition(" - at `")
        return Problem(line.file, f"no label: {reason}", line.line, path.rstrip("`") or None)
    if label.schema != SCHEMA:
        return Problem(line.file, f"schema is {label.schema}, not {SCHEMA}: not read", line.line, "$.schema")
    return ReadLabel(label, line.file, line.line)


def append_label(path: Path, label: Label, *, is_private: bool) -> None:
    """Put a label behind the others, and wait until it is on the disk. Raises `OSError`.

    Of two programs that do it, one waits for the other. What another left cut off stays, on a line of its own.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    descriptor = os.open(path, flags, PRIVATE_FILE if is_private else _SHARED_FILE)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "no regular file", str(path))
        _lock(descriptor)
        begins_at = append(descriptor, surrogates.encode(label))
        os.fsync(descriptor)
        if not begins_at:
            _keep_the_name(path.parent)
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> None:
    """Wait until nobody else appends; where there are no locks, one line is still written at once."""
    try:
        import fcntl  # here, since not every system has it

        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except (ImportError, OSError):
        return


def _keep_the_name(folder: Path) -> None:
    """Have the folder itself on the disk: a new file is lost with its entry."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return  # may be written and not listed
    try:
        os.fsync(descriptor)
    except OSError:
        pass  # not every file system does it for folders
    finally:
        os.close(descriptor)

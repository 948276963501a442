"""One line of a file as it stands on disk."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from agent_tui.errors import NothingReadable
from agent_tui.readers.raw_line import raw_line
from agent_tui.safety import Limits


def test_lines_count_from_one_and_come_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"\xef\xbb\xbfone\n\ntwo \xff")
    assert [raw_line(str(tmp_path / "a.jsonl"), number) for number in (1, 2, 3)] == [b"one", b"", b"two \xff"]


def test_a_packed_file_is_unpacked(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b"one\ntwo\n"))
    assert raw_line(str(tmp_path / "a.jsonl.gz"), 2) == b"two"


@pytest.mark.parametrize(("name", "number", "reason"), [("b", 1, "not there"), ("a", 9, "no line 9"), ("a", 1, "long")])
def test_what_cannot_be_had_is_said(tmp_path: Path, name: str, number: int, reason: str) -> None:
    (tmp_path / "a").write_bytes(b"x" * 100)
    with pytest.raises(NothingReadable, match=reason):
        raw_line(str(tmp_path / name), number, Limits(line=10))

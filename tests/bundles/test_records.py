"""The text of runs by row: kept, copied aside, or read again where it lies, and never another text."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from agent_tui.bundles.records import Changed, Records
from agent_tui.readers import Record, read

LINES = b'\xef\xbb\xbf\n  {"id": "a", "scores": {"x": 1}}\r\n\n{"id": "b", "scores": {}}  \n{"id": "c", "scores": {}}'


def recorded(path: Path, in_memory: int = 8) -> tuple[Records, list[Record]]:
    kept, read_records = Records(in_memory), [item for item in read([str(path)]) if isinstance(item, Record)]
    for record in read_records:
        kept.append(record)
    return kept, read_records


def as_told(record: Record) -> tuple[bytes, str, int | None, str | None]:
    return record.text, record.file, record.line, record.member


def test_lines_are_read_again_where_they_lie(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES)
    kept, found = recorded(path)
    assert [(kept.text(row), *kept.place(row)) for row in range(3)] == [as_told(record) for record in found]
    assert (kept.copy.size, [record.line for record in found]) == (0, [2, 4, 5])


def test_runs_of_a_document_are_read_again_where_they_lie(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'\n{"runs": [' + LINES[4:].strip().replace(b"}}\r\n\n", b"}},").replace(b"}  \n", b"},") + b"]}")
    kept, found = recorded(path)
    assert [(kept.text(row), *kept.place(row)) for row in range(3)] == [as_told(record) for record in found]
    assert kept.copy.size == 0


def test_what_the_file_does_not_hold_as_it_is_is_copied(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(LINES))
    kept, found = recorded(path)
    assert [kept.text(row) for row in range(3)] == [record.text for record in found]
    assert kept.copy.size == sum(len(record.text) for record in found)


@pytest.mark.parametrize("change", ["written over", "written over and grown", "replaced", "cut", "gone"])
def test_a_changed_file_gives_no_text(tmp_path: Path, change: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES)
    kept, _ = recorded(path)
    if change == "cut":
        path.write_bytes(LINES[:10])
    elif change == "gone":
        path.unlink()
    elif change == "replaced":
        (tmp_path / "b").write_bytes(LINES.swapcase())
        (tmp_path / "b").replace(path)
    else:
        path.write_bytes(LINES.swapcase() + b"\n" * change.count("grown"))
    with pytest.raises(Changed, match=r"a\.jsonl: .*open it again"):
        kept.text(1)


def test_a_file_that_only_grew_gives_its_text(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES)
    kept, found = recorded(path)
    path.write_bytes(LINES + b"{}\n")
    assert [kept.text(row) for row in range(3)] == [record.text for record in found]


def test_text_in_memory_stays_whatever_becomes_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES)
    kept, found = recorded(path, 1000)
    path.unlink()
    assert [kept.text(row) for row in range(3)] == [record.text for record in found]

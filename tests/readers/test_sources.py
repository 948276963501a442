"""Files, folders, globs, standard input; packed or not; within limits. What cannot be read is said, the rest is."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import pytest
import xxhash
from backports import zstd

from agent_tui.readers.items import Record
from agent_tui.readers.opening import read_source
from agent_tui.readers.source import Source
from agent_tui.safety import Limits
from tests.readers.reading import reading, write_json, write_lines, write_zip

RUN_TEXT = '{"id": "a", "actual": {"calls": []}}'

LINES = b'{"schema":"agent-tui/1"}\n{"id":"a"}\n{"id":"b"}\n'
PACKERS: dict[str, Callable[[bytes], bytes]] = {"plain": bytes, "gzip": gzip.compress, "zstd": zstd.compress}


@pytest.mark.parametrize("packer", sorted(PACKERS))
def test_packing_is_told_by_content_and_the_digest_is_of_the_file(packer: str, tmp_path: Path) -> None:
    path = tmp_path / "runs.dat"
    path.write_bytes(PACKERS[packer](LINES))
    found = reading(path)
    assert [run.id for run in found.runs] == ["a", "b"]
    assert found.sources[0].digest == xxhash.xxh3_128(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("packer", ["gzip", "zstd"])
def test_packed_streams_may_follow_each_other(packer: str, tmp_path: Path) -> None:
    path = tmp_path / "runs.dat"
    path.write_bytes(PACKERS[packer](LINES) + PACKERS[packer](b'{"id":"c"}\n'))
    assert [run.id for run in reading(path).runs] == ["a", "b", "c"]


@pytest.mark.parametrize("packer", ["gzip", "zstd"])
def test_a_cut_stream_gives_what_was_whole_and_a_problem(packer: str, tmp_path: Path) -> None:
    path = tmp_path / "runs.dat"
    lines = LINES + b"".join(b'{"id":"%s"}\n' % os.urandom(30).hex().encode() for _ in range(20_000))
    path.write_bytes(PACKERS[packer](lines)[:-2000])
    found = reading(path, write_lines(tmp_path / "rest.jsonl", {"id": "z", "scores": {"x": 1}}))
    assert found.kinds == ["unreadable"]
    assert "cut off" in found.problems[0].reason
    assert [record.text for record in found.records][:2] == [b'{"id":"a"}', b'{"id":"b"}']
    assert found.runs[-1].id == "z"


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + LINES.replace(b"\n", b"\r\n"))
    assert [record.text for record in reading(path).records] == [b'{"id":"a"}', b'{"id":"b"}']


def test_utf16_is_refused_with_a_remedy(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(LINES.decode().encode("utf-16"))
    assert "save it as UTF-8" in reading(path).problems[0].reason


def test_a_folder_is_read_by_name_without_hidden_and_side_files(tmp_path: Path) -> None:
    for name in ("b.json", "a.json", "in/c.json", ".hidden.json", ".git/x.json"):
        write_json(tmp_path / name, {"id": Path(name).stem, "scores": {"x": 1}})
    for name in ("a.json.labels.jsonl", "a.whatif.json", "judge.ledger.jsonl", "NOTES.md"):
        (tmp_path / name).write_text("not ours to read")
    found = reading(tmp_path)
    assert ([run.id for run in found.runs], found.problems) == (["a", "b", "c"], [])


OWN = {
    "labels": '{"schema": "agent-tui/label-1", "task": "a", "label": "pass"}\n' * 2,
    "a judge's ledger": '{"event": "opened", "schema": "agent-tui/ledger-1"}\n{"event": "intent"}\n',
    "changes to a bundle": '{"schema": "agent-tui/whatif-1", "bundle": "x", "edits": []}',
    "what agent-tui score printed": '{"schema": "agent-tui/score-1", "runs": [{"id": "x", "status": "done"}]}',
}


@pytest.mark.parametrize("what", OWN)
def test_what_we_write_is_no_bundle_whatever_it_is_called(what: str, tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"id": "a", "scores": {"x": 1}})
    (tmp_path / "b.json").write_text(OWN[what])
    found = reading(tmp_path)
    assert ([run.id for run in found.runs], found.problems) == (["a"], [])
    named = reading(tmp_path / "b.json")
    assert ([run.id for run in named.runs], named.kinds) == ([], ["warning"])
    assert f"holds no runs: it is {what}" in named.problems[0].reason


@pytest.mark.parametrize("named", ["", "*"])
def test_a_link_to_itself_is_told_and_the_rest_is_read(named: str, tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"id": "a", "scores": {"x": 1}})
    (tmp_path / "x.json").symlink_to("x.json")
    found = reading(tmp_path / named)
    assert [run.id for run in found.runs] == ["a"]
    assert [(problem.file, problem.kind) for problem in found.problems] == [(str(tmp_path / "x.json"), "unreadable")]


@pytest.mark.parametrize("named", ["", "*"])
def test_a_pipe_in_a_folder_is_told_and_not_waited_for(named: str, tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"id": "a", "scores": {"x": 1}})
    os.mkfifo(tmp_path / "x.json")
    found = reading(tmp_path / named)
    assert ([run.id for run in found.runs], found.kinds) == (["a"], ["unreadable"])
    assert "no regular file" in found.problems[0].reason


def test_a_folder_that_cannot_be_listed_is_told_and_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed, listed = tmp_path / "closed", os.scandir
    write_json(tmp_path / "a.json", {"id": "a", "scores": {"x": 1}})
    closed.mkdir()

    def scandir(path: Any) -> Any:
        if Path(path) == closed:
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr("os.scandir", scandir)  # a mode would not keep root out
    found = reading(tmp_path)
    assert [run.id for run in found.runs] == ["a"]
    assert [(problem.file, problem.reason) for problem in found.problems] == [
        (str(closed), "cannot be read: Permission denied")
    ]


def test_a_name_too_long_for_a_file_is_a_missing_file() -> None:
    assert reading("a" * 300).kinds == ["missing_file"]


def test_globs_and_repeated_paths_open_a_file_once(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_json(tmp_path / f"{name}.json", {"id": name, "scores": {"x": 1}})
    found = reading(tmp_path / "b.json", tmp_path / "*.json", tmp_path)
    assert [run.id for run in found.runs] == ["b", "a"]


def test_what_cannot_be_read_is_said_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "empty.json").touch()
    (tmp_path / "white.json").write_text(" \n\n")
    (tmp_path / "text.json").write_text("once upon a time")
    (tmp_path / "broken.json").write_text('{"schema": "agent-tui/1",\n "runs": [{"id": "a"},,]}')
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 and then nothing")
    (tmp_path / "fine.json").write_text('{"id":"a","scores":{"x":1}}')
    found = reading(tmp_path, tmp_path / "missing.json", tmp_path / "none*.json")
    told = {Path(problem.file).name: (problem.kind, problem.reason) for problem in found.problems}
    assert {name: kind for name, (kind, _) in told.items()} == {
        "broken.json": "unreadable",
        "broken.zip": "unreadable",
        "empty.json": "empty_file",
        "white.json": "empty_file",
        "text.json": "unreadable",
        "missing.json": "missing_file",
        "none*.json": "missing_file",
    }
    assert "line 2" in told["broken.json"][1]
    assert [run.id for run in found.runs] == ["a"]


def test_a_file_that_nobody_claims_names_what_was_looked_for(tmp_path: Path) -> None:
    path = write_json(tmp_path / "x.json", {"hello": "world"})
    assert "agent-tui, inspect, tau2, openai-chat" in reading(path).problems[0].reason


@pytest.mark.parametrize("content", [{}, {"NOTES.md": "words"}])
def test_a_folder_without_anything_readable_is_said(content: dict[str, str], tmp_path: Path) -> None:
    for name, text in content.items():
        (tmp_path / name).write_text(text)
    (problem,) = reading(tmp_path).problems
    assert problem.file == str(tmp_path)


def test_a_zip_of_files_is_read_like_a_folder(tmp_path: Path) -> None:
    members = {"runs/a.json": {"id": "a", "scores": {"x": 1}}, "b.jsonl": LINES.decode(), "empty.json": ""}
    found = reading(write_zip(tmp_path / "nightly.zip", members))
    assert [run.id for run in found.runs] == ["a", "a", "b"]
    assert [(problem.file.rpartition("/")[2], problem.kind) for problem in found.problems] == [
        ("empty.json", "empty_file")
    ]


@pytest.mark.parametrize(("name", "times"), [("runs.zip", 2), ("log.eval", 3)])
def test_the_directory_of_a_zip_is_read_once_and_closed_at_the_end(tmp_path: Path, name: str, times: int) -> None:
    path = tmp_path / name
    sample = json.dumps({"id": 1, "epoch": 1, "messages": []})
    header = json.dumps({"version": 2, "eval": {"task": "t", "model": "m"}})
    logged = {"header.json": header, "samples/1_epoch_1.json": sample, "samples/2_epoch_1.json": sample}
    write_zip(path, logged if name == "log.eval" else {"a.json": RUN_TEXT, "b.json": RUN_TEXT})
    opened: list[BinaryIO] = []

    def open_raw() -> BinaryIO:
        opened.append(path.open("rb", buffering=0))
        return opened[-1]

    items = list(read_source(Source(str(path), open_raw, path=path), set()))
    assert [type(item) for item in items].count(Record) == 2
    assert len(opened) == times  # for how it is packed, for what is in it, and for the digest of a log
    assert all(file.closed for file in opened)


def test_a_zip_with_nonsense_in_its_directory_is_a_problem(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"a.json": {}})
    entry = path.read_bytes().index(b"PK\x01\x02")
    for place in range(entry, path.stat().st_size):
        changed = bytearray(path.read_bytes())
        changed[place] ^= 0xFF
        (tmp_path / "b.zip").write_bytes(changed)
        assert len(reading(tmp_path / "b.zip").problems) == 1


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b" " * 4_000_000))
    (problem,) = reading(path, limits=Limits(ratio=100, ratio_floor=1_000_000)).problems
    assert "bomb" in problem.reason


def test_the_limit_catches_what_deflate_packs_best(tmp_path: Path) -> None:
    path = tmp_path / "bomb.json.gz"
    path.write_bytes(gzip.compress(b'{"schema": "agent-tui/1", "runs": [' + b" " * (80 << 20) + b"]}"))
    (problem,) = reading(path).problems
    assert "bomb" in problem.reason


def test_limits_of_documents_lines_members_and_files_hold(tmp_path: Path) -> None:
    long = {"id": "long", "scores": {}, "metadata": "x" * 5000}
    lines = write_lines(tmp_path / "a.jsonl", {"schema": "agent-tui/1"}, long, {"id": "short"})
    found = reading(lines, limits=Limits(line=1000))
    assert ([run.id for run in found.runs], [problem.line for problem in found.problems]) == (["short"], [2])
    document = write_json(tmp_path / "b.json", long)
    assert "JSON Lines" in reading(document, limits=Limits(document=1000)).problems[0].reason
    packed = write_zip(tmp_path / "c.zip", {"a.json": long, "b.json": long})
    assert "1,000 bytes" in reading(packed, limits=Limits(archive_member=1000)).problems[0].reason
    assert "split it" in reading(packed, limits=Limits(archive_members=1)).problems[0].reason
    assert "over 2 files" in reading(tmp_path, limits=Limits(files=2)).problems[-1].reason


def test_a_long_document_on_one_line_is_no_line(tmp_path: Path) -> None:
    runs = [{"id": str(number), "scores": {}} for number in range(100)]
    path = tmp_path / "b.json"
    path.write_text(json.dumps({"schema": "agent-tui/1", "runs": runs}))
    assert len(reading(path, limits=Limits(line=1000)).runs) == 100


@pytest.mark.parametrize("packer", sorted(PACKERS))
def test_standard_input_is_read_like_a_file(packer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PACKERS[packer](LINES))))
    found = reading("-")
    assert ([run.id for run in found.runs], found.sources[0].file) == (["a", "b"], "-")


def test_reading_native_runs_imports_nothing_that_only_others_need(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", {"id": "a", "scores": {"x": 1}})
    program = f"""
import json, sys
from agent_tui.readers import decode_run, read
list(read([{str(path)!r}]))
heavy = ("pydantic", "regex", "zipfile", "gzip", "backports.zstd", "compression.zstd", "textual", "rich", "numpy")
print(json.dumps([name for name in heavy if name in sys.modules]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []

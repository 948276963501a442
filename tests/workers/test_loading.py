"""Which bundles go through an index, and that `score` says the same either way."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent_tui.cli.score import command
from agent_tui.workers.loading import LEAST, is_large, load
from tests.writing import call, run_of


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file just large enough for an index: few runs, each with a long answer."""
    path = tmp_path_factory.mktemp("large") / "runs.jsonl"
    with path.open("w") as file:
        for number in range(40):
            run = run_of(f"r{number}", expected=[call("a", n=1)], actual=[call("a", n=number % 3)])
            run["answer"] = "long " * (LEAST // 40 // 5 + 1)
            file.write(json.dumps(run) + "\n")
    return path


def test_sizes_of_files_folders_and_patterns_are_added_up(large: Path, tmp_path: Path) -> None:
    small = tmp_path / "small.jsonl"
    small.write_text("{}")
    asked = {str(large): True, str(large.parent): True, str(large.parent / "*.jsonl"): True, str(small): False}
    assert {path: is_large([path]) for path in asked} == asked
    assert is_large([str(small), str(large)])
    assert not is_large([str(tmp_path / "gone"), "-", str(tmp_path / "*.gone"), "\0"])


@pytest.mark.parametrize("name", ["a.jsonl.zst", "a.jsonl.GZ", "a.zip", "a.eval", "a.jsonl"])
def test_packed_files_count_for_what_they_hold(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with path.open("wb") as file:
        file.truncate(LEAST // 5)
    asked = [str(path), str(tmp_path), str(tmp_path / "a.*")]
    assert [is_large([each]) for each in asked] == [name != "a.jsonl"] * 3
    os.truncate(path, LEAST // 50)
    assert not any(is_large([each]) for each in asked)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_score_says_the_same_with_workers_and_from_the_index(large: Path, workers: str) -> None:
    result = [CliRunner().invoke(command, [str(large), "--json", "--workers", workers]) for _ in range(2)]
    assert [each.exit_code for each in result] == [0, 0]
    assert result[0].stdout == result[1].stdout
    document = json.loads(result[0].stdout)
    assert document["matchers"]["exact"]["passed"] == 13
    assert len(document["runs"]) == 40


def test_verify_finds_what_size_and_time_and_samples_do_not_tell(large: Path, tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(large.read_bytes())
    was = path.stat()
    assert exact_of([str(path)])[0] == 13
    text = path.read_bytes()
    place = text.index(b'"n": 0', text.index(b'"r21"')) + 5
    with path.open("r+b") as file:
        file.seek(place)
        file.write(b"1")
    os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))
    assert exact_of([str(path)]) == (13, "")
    passed, said = exact_of([str(path), "--verify"])
    assert passed == 14
    assert said == f"note: {path}: not what its index was made of, though it seemed so: it is read anew\n"
    assert exact_of([str(path), "--verify"]) == (14, "")


@pytest.mark.parametrize("form", ["--json", "--csv", "--junit"])
def test_what_says_something_of_each_run_is_whole_though_one_was_changed_unseen(
    large: Path, tmp_path: Path, form: str
) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(large.read_bytes())
    was, command_line = path.stat(), [str(path), form]
    assert CliRunner().invoke(command, command_line).exit_code == 0
    place = path.read_bytes().index(b'"n": ', path.read_bytes().index(b'"r21"')) + 5
    with path.open("r+b") as file:
        file.seek(place)
        file.write(b"7")
    os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))
    result = CliRunner().invoke(command, command_line)
    assert result.exit_code == 0
    assert "it is read anew" in result.stderr
    assert result.stdout == CliRunner().invoke(command, command_line).stdout


def exact_of(arguments: list[str]) -> tuple[int, str]:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 0
    found = re.search(r"^exact: (\d+) pass", result.stdout, re.MULTILINE)
    assert found is not None, result.stdout
    return int(found[1]), result.stderr


def test_without_room_for_an_index_the_bundle_is_read_all_the_same(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = tmp_path / "a file"
    nowhere.write_text("")
    monkeypatch.setenv("AGENT_TUI_CACHE_DIR", str(nowhere / "cache"))
    told: list[str] = []
    assert len(load([str(large)], tell=told.append)) == 40
    assert len(told) == 1
    assert "the index is not kept" in told[0]
    monkeypatch.setenv("TMPDIR", str(nowhere))
    code = f"from agent_tui.workers.loading import load; print(len(load([{str(large)!r}], tell=print)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=True)
    assert done.stdout.splitlines()[-1] == "40"


def test_a_worker_imports_neither_commands_nor_screens() -> None:
    code = "import sys, agent_tui.workers.scoring, agent_tui.workers.process; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = (
        "agent_tui.cli",
        "agent_tui.tui",
        "agent_tui.reports",
        "textual",
        "numpy",
        "pydantic",
        "click",
        "anthropic",
    )
    assert [name for name in modules if name.startswith(heavy)] == []

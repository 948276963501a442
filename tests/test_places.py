"""Where the program keeps its own things."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent_tui.places import make_private, own_folder, path_key, source_key, state_folder


def test_a_variable_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AGENT_TUI_STATE_DIR", str(tmp_path / "mine"))
    assert state_folder() == tmp_path / "mine"


def test_without_a_home_it_is_a_temporary_folder_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME", raising=False)
    assert own_folder("AGENT_TUI_NOT_SET", Path).name == f"agent-tui-{os.getuid()}"


def test_a_private_folder_lets_nobody_else_in(tmp_path: Path) -> None:
    make_private(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700


def test_the_key_of_a_source_is_its_file_whatever_it_is_called_by(tmp_path: Path) -> None:
    file, other = tmp_path / "a.json", tmp_path / "b.json"
    file.write_text("{}")
    other.write_text("{}")
    (tmp_path / "link.json").symlink_to(file)
    key = source_key([str(file)])
    assert key == source_key([str(tmp_path / "link.json")])
    assert len({key, source_key([str(other)]), source_key([str(file), str(other)])}) == 3
    file.unlink()
    file.write_text("{}")
    assert source_key(["-"]) is source_key([str(tmp_path / "none")]) is None


def test_the_key_of_a_path_stays_where_another_file_takes_its_place(tmp_path: Path) -> None:
    file, draft = tmp_path / "a.json", tmp_path / "b.json"
    file.write_text("{}")
    draft.write_text("{}")
    (tmp_path / "link.json").symlink_to(file)
    keys = path_key([str(file)]), source_key([str(file)])
    assert path_key([str(draft)]) != keys[0] == path_key([str(tmp_path / "link.json")])
    draft.replace(file)
    assert (path_key([str(file)]) == keys[0], source_key([str(file)]) == keys[1]) == (True, False)
    assert path_key(["-"]) is path_key([str(draft)]) is None

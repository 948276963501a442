"""What is remembered: private, whole or not at all."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from agent_tui.tui.settings import Place, Settings, read_settings, state_folder, write_settings


def test_what_is_written_is_read_back() -> None:
    settings = Settings(theme="agent-light", places={"/runs": Place(run="R2", measure="name_only")})
    write_settings(settings)
    assert read_settings() == settings


def test_half_characters_of_ids_and_file_names_are_read_back_as_they_were() -> None:
    settings = Settings(recent=["/runs/\udcff"], places={"/runs/\udcff": Place(run="lone \ud800", filter="\U0010fffd")})
    write_settings(settings)
    assert read_settings() == settings


def test_only_the_user_can_read_it() -> None:
    write_settings(Settings())
    folder = state_folder()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()] == [0o600]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"theme": 3}', b"\xff\x00"])
def test_a_damaged_file_is_ignored(content: bytes) -> None:
    write_settings(Settings(theme="agent-light"))
    (state_folder() / "settings.json").write_bytes(content)
    assert read_settings() == Settings()


def test_what_a_later_version_remembers_is_no_damage() -> None:
    state_folder().mkdir(parents=True)
    (state_folder() / "settings.json").write_bytes(b'{"theme": "agent-16", "more": 1}')
    assert read_settings().theme == "agent-16"


def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("AGENT_TUI_STATE_DIR", str(tmp_path / "file" / "state"))
    write_settings(Settings(theme="agent-16"))
    assert read_settings() == Settings()
    assert (tmp_path / "file").read_text() == ""


def test_a_history_keeps_the_newest_last_and_each_once() -> None:
    settings = Settings()
    for entry in ("a", "b", "a", *(str(number) for number in range(19))):
        settings.remember("searches", entry)
    assert settings.searches[0] == "a"
    assert settings.searches[-1] == "18"
    assert len(settings.searches) == 20

"""What the program remembers between sessions, and what the user wrote into the configuration.

`config/config.toml` is ours to read and never to write; `state/settings.json` is ours. Overrides of the places:
AGENT_TUI_CONFIG_DIR, AGENT_TUI_STATE_DIR.
"""

from __future__ import annotations

import os
import tempfile
import tomllib
from pathlib import Path

import msgspec
import platformdirs

from agent_tui.errors import NotPossible

_KEPT = 20


class Settings(msgspec.Struct, kw_only=True):
    """What is remembered: written whole, replaced atomically."""

    theme: str | None = None
    follow_cursor: bool | None = None
    columns: list[str] | None = None
    recent: list[str] = []
    searches: list[str] = []
    filters: list[str] = []
    places: dict[str, Place] = {}

    def remember(self, kind: str, entry: str) -> None:
        """Put an entry at the end of a history: recent, searches or filters."""
        history = [each for each in getattr(self, kind) if each != entry]
        setattr(self, kind, [*history, entry][-_KEPT:])


class Place(msgspec.Struct, kw_only=True):
    """Where a bundle was left: offered when it is opened again."""

    run: str = ""
    measure: str = ""
    filter: str = ""
    sort: str = ""
    descending: bool = False


class Config(msgspec.Struct, kw_only=True):
    """The user's configuration."""

    keys: dict[str, str] = {}
    """Keys by action id."""
    view: dict[str, str | bool] = {}


def state_folder() -> Path:
    """The folder of what is remembered; a private temporary one where there is no home."""
    return _folder("AGENT_TUI_STATE_DIR", platformdirs.user_state_path)


def config_folder() -> Path:
    """The folder of the user's configuration."""
    return _folder("AGENT_TUI_CONFIG_DIR", platformdirs.user_config_path)


def _folder(variable: str, place) -> Path:  # type: ignore[no-untyped-def]
    named = os.environ.get(variable)
    if named:
        return Path(named)
    if not os.environ.get("HOME"):
        return Path(tempfile.gettempdir()) / f"agent-tui-{os.getuid()}"
    return Path(place("agent-tui"))


def read_settings() -> Settings:
    """What is remembered; nothing where the file is missing or damaged."""
    try:
        return msgspec.json.decode((state_folder() / "settings.json").read_bytes(), type=Settings)
    except (OSError, msgspec.DecodeError):
        return Settings()


def write_settings(settings: Settings) -> None:
    """Remember; a place that cannot be written is no reason to fail."""
    folder = state_folder()
    draft = folder / f".settings.{os.getpid()}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(settings)))
        draft.replace(folder / "settings.json")
    except OSError:
        draft.unlink(missing_ok=True)


def read_config() -> Config:
    """The user's configuration. Raises `NotPossible` with the place where it does not parse."""
    file = config_folder() / "config.toml"
    try:
        return msgspec.convert(tomllib.loads(file.read_text("utf-8")), Config)
    except FileNotFoundError:
        return Config()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise NotPossible(f"{file}: {error}") from error

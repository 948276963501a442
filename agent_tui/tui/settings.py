"""What the program remembers between sessions, in `state/settings.json`; AGENT_TUI_STATE_DIR names another folder."""

from __future__ import annotations

import contextlib
import os

import msgspec

from agent_tui.places import PRIVATE_FILE, make_private, state_folder
from agent_tui.runs import surrogates

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


_decode = msgspec.json.Decoder(Settings).decode


def read_settings() -> Settings:
    """What is remembered; nothing where the file is missing or damaged."""
    try:
        return surrogates.decode(_decode, (state_folder() / "settings.json").read_bytes())
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return Settings()


def _spelt(settings: Settings) -> bytes:
    """In lines, where no name holds half a character: such a text cannot be laid out."""
    text = surrogates.encode(settings)
    with contextlib.suppress(msgspec.DecodeError):
        return msgspec.json.format(text)
    return text


def write_settings(settings: Settings) -> None:
    """Remember; a place that cannot be written is no reason to fail."""
    folder = state_folder()
    draft = folder / f".settings.{os.getpid()}"
    try:
        make_private(folder)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE)
        with os.fdopen(descriptor, "wb") as file:
            file.write(_spelt(settings))
        draft.replace(folder / "settings.json")
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()

"""Where the program keeps what is its own, and what ships with it: private folders by the rules of the system."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600


def state_folder() -> Path:
    """The folder of what is remembered; AGENT_TUI_STATE_DIR names another."""
    import platformdirs

    return own_folder("AGENT_TUI_STATE_DIR", platformdirs.user_state_path)


def cache_folder() -> Path:
    """The folder of what can be made again; AGENT_TUI_CACHE_DIR names another."""
    import platformdirs

    return own_folder("AGENT_TUI_CACHE_DIR", platformdirs.user_cache_path)


def own_folder(variable: str, place: Callable[[str], Path]) -> Path:
    """The folder that a variable names, else the usual one; a private temporary one where there is no home."""
    named = os.environ.get(variable)
    if named:
        return Path(named)
    if not os.environ.get("HOME"):
        return Path(tempfile.gettempdir()) / f"agent-tui-{os.getuid()}"
    return place("agent-tui")


def samples_folder() -> Path:
    """The folder of what ships with the program: in an installed copy inside the package, in a checkout beside it."""
    package = Path(__file__).resolve().parent
    inside = package / "sample_runs"
    return inside if inside.is_dir() else package.parent / "sample_runs"


def make_private(folder: Path) -> None:
    """Make a folder that only its owner can enter. Raises `OSError`, also where it is somebody else's."""
    folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
        raise PermissionError(1, "belongs to somebody else", str(folder))


def source_key(files: Iterable[str]) -> str | None:
    """The name under which we keep what belongs to opened files: of their real paths and inodes.

    None where one of them is no file that stays, as standard input.
    """
    return _key(files, lambda file: f"{os.path.realpath(file)}\0{os.stat(file).st_ino}\0")


def path_key(files: Iterable[str]) -> str | None:
    """The name under which we keep what another file in the same place takes over: of the real paths alone.

    None where one of them is no file that stays.
    """
    return _key(files, lambda file: f"{os.path.realpath(file, strict=True)}\0")


def _key(files: Iterable[str], spelt: Callable[[str], str]) -> str | None:
    import xxhash

    digest = xxhash.xxh3_128()
    for file in files:
        try:
            digest.update(spelt(file).encode("utf-8", "surrogateescape"))
        except (OSError, ValueError):
            return None
    return digest.hexdigest()

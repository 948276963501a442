"""What the user wrote into `config/config.toml`: ours to read, never to write.

AGENT_TUI_CONFIG_DIR names another folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec
import platformdirs

from agent_tui.errors import NotPossible
from agent_tui.places import own_folder

_Form = TypeVar("_Form", bound=msgspec.Struct)


def config_file() -> Path:
    """The file of the user's configuration, there or not."""
    return own_folder("AGENT_TUI_CONFIG_DIR", platformdirs.user_config_path) / "config.toml"


def read_config_file(form: type[_Form]) -> _Form:
    """What the file says of the tables that `form` knows; as if it were empty where there is none.

    Raises `NotPossible` with the place where it does not parse or is of another form.
    """
    file = config_file()
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        return form()
    except (OSError, UnicodeDecodeError) as error:
        raise NotPossible(f"{file}: {error}") from error
    import tomllib  # here, since most have no such file

    try:
        return msgspec.convert(tomllib.loads(text), form)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise NotPossible(f"{file}: {error}") from error

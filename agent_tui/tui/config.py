"""What the user wrote into `config/config.toml`: ours to read, never to write.

AGENT_TUI_CONFIG_DIR names another folder.

[keys]
"matcher.next" = "x"        # by action id, as `?` and the README list them
[view]
mouse = false
[limits]
pipe = 20_000_000_000       # bytes of a pipe that are copied at most
[judge]                     # see `providers.judge_config`
provider = "openai"
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from agent_tui.config_file import config_file, read_config_file
from agent_tui.errors import NotPossible, UnknownName
from agent_tui.providers.judge_config import JudgeConfig
from agent_tui.safety import Limits
from agent_tui.tui.actions import ACTIONS, KEY_NAMES

_NAMES = {name: key for key, name in KEY_NAMES.items()}


class View(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """How the user wants the screen; None leaves it to the terminal and to what is remembered."""

    mouse: bool | None = None
    follow_cursor: bool | None = None
    theme: Literal["dark", "light", "contrast", "16"] | None = None
    lean: bool = True
    """Write only what changed; off for a terminal that does not take that well."""


class Most(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """How much of something the user wants at most; None leaves it to the room there is."""

    pipe: Annotated[int, msgspec.Meta(gt=0)] | None = None
    """Bytes of standard input or a pipe that are copied, so that they can be read again."""

    @property
    def limits(self) -> Limits:
        """The same as limits of what is read."""
        return Limits() if self.pipe is None else Limits(stream=self.pipe)


class Config(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The user's configuration."""

    keys: dict[str, str] = {}
    """Keys by action id."""
    view: View = msgspec.field(default_factory=View)
    limits: Most = msgspec.field(default_factory=Most)
    judge: JudgeConfig = msgspec.field(default_factory=JudgeConfig)


def read_config() -> Config:
    """The user's configuration. Raises `NotPossible` with the place where it does not parse or names no action."""
    config = read_config_file(Config)
    try:
        return msgspec.structs.replace(config, keys=checked_keys(config.keys))
    except NotPossible as error:
        raise NotPossible(f"{config_file()}: {error}") from error


def checked_keys(keys: Mapping[str, str]) -> dict[str, str]:
    """Keys by action id, by the names that actions have them under.

    Raises `UnknownName` for an action that does not exist, `NotPossible` where two would have one key.
    """
    known = {action.id: action for action in ACTIONS}
    for action_id in keys:
        if action_id not in known:
            raise UnknownName("action in [keys]", action_id, known)
    named = {action_id: _named(text) for action_id, text in keys.items()}
    taken: dict[str, str] = {}
    for action in ACTIONS:
        for key in named.get(action.id, action.keys).split(","):
            other = taken.setdefault(key, action.id)
            if other != action.id:
                raise NotPossible(f"[keys]: {key} would be both {other} and {action.id}: give one of them another key")
    return named


def _named(text: str) -> str:
    keys = [text] if text in _NAMES else [key.strip() for key in text.split(",")]
    return ",".join(_NAMES.get(key, key) for key in keys)

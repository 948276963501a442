"""What the user's configuration says of the judge.

[judge]
provider = "openai"         # as --judge-provider
model = "qwen3-32b"         # as --judge-model
[judge.prices.qwen3-32b]    # USD per million tokens, in place of the table's
input = 0.2
output = 0.6
"""

from __future__ import annotations

import msgspec

from agent_tui.config_file import read_config_file
from agent_tui.providers.prices import Price


class JudgeConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table `[judge]`. No key has a place in it: keys come from the environment."""

    provider: str | None = None
    model: str | None = None
    prices: dict[str, Price] = {}
    """By model, over the table's."""


class _Judge(msgspec.Struct):
    """The file, of which the screen's tables are none of the judge's business."""

    judge: JudgeConfig = msgspec.field(default_factory=JudgeConfig)


def read_judge_config() -> JudgeConfig:
    """The table `[judge]`. Raises `NotPossible` with the place where it does not parse."""
    return read_config_file(_Judge).judge

"""The table `[judge]` of the user's configuration."""

from __future__ import annotations

import pytest

from agent_tui.config_file import config_file
from agent_tui.errors import NotPossible
from agent_tui.providers.judge_config import JudgeConfig, read_judge_config
from agent_tui.tui.config import read_config


def write(text: str) -> None:
    config_file().parent.mkdir(parents=True)
    config_file().write_text(text)


def test_without_a_file_nothing_is_chosen() -> None:
    assert read_judge_config() == JudgeConfig()


def test_the_command_line_and_the_screen_read_the_same_table() -> None:
    write('[judge]\nprovider = "openai"\nmodel = "qwen3-32b"\n[view]\nmouse = false\n')
    assert read_judge_config() == read_config().judge == JudgeConfig(provider="openai", model="qwen3-32b")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[judge]\nprovider = 3\n", "Expected `str | null`, got `int` - at `$.judge.provider`"),
        ('[judge]\napi_key = "sk-1"\n', "unknown field `api_key` - at `$.judge`"),
        ("[judge\n", "line 1"),
    ],
)
def test_a_mistake_is_told_with_its_place(text: str, said: str) -> None:
    write(text)
    for read in (read_judge_config, read_config):
        with pytest.raises(NotPossible) as error:
            read()
        assert str(error.value).startswith(f"{config_file()}: ")
        assert said in str(error.value)

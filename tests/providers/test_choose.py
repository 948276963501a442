"""Which judge is meant, and what is said where none is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agent_tui.errors import NotPossible, UnknownName
from agent_tui.providers.choose import NO_JUDGE, choose, configured
from agent_tui.providers.contract import Provider
from agent_tui.providers.judge_config import JudgeConfig
from tests.providers.fake_claude import FakeClaude

ROOT = Path(__file__).parents[2]
NOTHING = JudgeConfig()
ANTHROPIC = {"ANTHROPIC_API_KEY": "sk-canary-0123456789"}
OPENAI = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
SENTENCE = (
    "No judge configured. Set ANTHROPIC_API_KEY, or OPENAI_BASE_URL with AGENT_TUI_JUDGE_MODEL, or sign in with "
    "`claude auth login` and use --judge-provider claude-cli"
)


@pytest.fixture(autouse=True)
def nothing_configured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variable, no profile, and a PATH with no `claude` on it."""
    for name in ("AGENT_TUI_JUDGE_PROVIDER", "AGENT_TUI_JUDGE_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name in ("API_KEY", "AUTH_TOKEN", "BASE_URL", "PROFILE", "CONFIG_DIR", "IDENTITY_TOKEN", "IDENTITY_TOKEN_FILE"):
        monkeypatch.delenv(f"ANTHROPIC_{name}", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")


def surround(monkeypatch: pytest.MonkeyPatch, *environments: dict[str, str]) -> None:
    for environment in environments:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)


def chosen(provider: str | None = None, model: str | None = None, config: JudgeConfig = NOTHING) -> str:
    judge: Provider = choose(provider, model, config)
    return judge.name


def refusal(provider: str | None = None, model: str | None = None, config: JudgeConfig = NOTHING) -> str:
    with pytest.raises(NotPossible) as error:
        choose(provider, model, config)
    assert error.value.exit_status == 2
    assert "sk-canary" not in str(error.value)
    return str(error.value)


def test_with_none_configured_it_says_exactly_what_to_set() -> None:
    assert refusal() == NO_JUDGE == SENTENCE


@pytest.mark.parametrize(
    ("environment", "name"),
    [
        (ANTHROPIC, "anthropic claude-haiku-5-5"),
        ({**OPENAI, "AGENT_TUI_JUDGE_MODEL": "qwen3-32b"}, "openai qwen3-32b"),
    ],
)
def test_the_only_one_configured_is_taken(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], name: str
) -> None:
    surround(monkeypatch, environment)
    assert chosen() == name


def test_of_several_none_is_taken_silently(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    surround(monkeypatch, ANTHROPIC, OPENAI, {"PATH": FakeClaude(tmp_path).path})
    assert refusal() == (
        "several judges are configured: anthropic, claude-cli, openai; "
        "choose by --judge-provider or AGENT_TUI_JUDGE_PROVIDER"
    )


def test_the_command_line_wins_over_the_environment_and_that_over_the_configuration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    surround(monkeypatch, ANTHROPIC, OPENAI)
    config = JudgeConfig(provider="openai", model="qwen3-32b")
    assert chosen(config=config) == "openai qwen3-32b"
    surround(monkeypatch, {"AGENT_TUI_JUDGE_PROVIDER": "anthropic", "AGENT_TUI_JUDGE_MODEL": "claude-opus-5-5"})
    assert chosen(config=config) == "anthropic claude-opus-5-5"
    assert chosen("openai", "phi-4", config) == "openai phi-4"
    assert chosen("anthropic", "claude-sonnet-5-5", config) == "anthropic claude-sonnet-5-5"


def test_a_model_that_was_named_for_another_provider_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    surround(monkeypatch, ANTHROPIC)
    config = JudgeConfig(provider="openai", model="qwen3-32b")
    assert chosen("anthropic", config=config) == "anthropic claude-haiku-5-5"
    assert chosen("anthropic", config=JudgeConfig(model="claude-opus-5-5")) == "anthropic claude-opus-5-5"


def test_an_empty_variable_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    surround(
        monkeypatch, ANTHROPIC, {"OPENAI_BASE_URL": "", "AGENT_TUI_JUDGE_PROVIDER": "", "AGENT_TUI_JUDGE_MODEL": ""}
    )
    assert chosen() == "anthropic claude-haiku-5-5"


@pytest.mark.parametrize(
    ("provider", "environment", "said"),
    [
        ("anthropic", {}, "anthropic: no credential: set ANTHROPIC_API_KEY"),
        ("openai", {"AGENT_TUI_JUDGE_MODEL": "phi-4"}, "openai: no service: set OPENAI_BASE_URL"),
        ("openai", OPENAI, "openai needs a model: name it by --judge-model or AGENT_TUI_JUDGE_MODEL"),
        (None, OPENAI, "openai needs a model"),
        ("claude-cli", {}, "claude-cli needs a model"),
        ("claude-cli", {"AGENT_TUI_JUDGE_MODEL": "claude-haiku-5-5"}, "claude-cli: there is no `claude` on PATH"),
        ("replay", {}, "unknown judge provider 'replay': did you mean replay:LEDGER?"),
        ("gemini", {}, "unknown judge provider 'gemini'"),
    ],
)
def test_one_that_cannot_be_used_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, provider: str | None, environment: dict[str, str], said: str
) -> None:
    surround(monkeypatch, environment)
    assert refusal(provider).startswith(said)


def test_a_key_over_plain_http_is_refused_unless_the_user_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    base = {"OPENAI_BASE_URL": "http://10.0.0.7/v1", "OPENAI_API_KEY": "sk-canary-0123456789"}
    surround(monkeypatch, base)
    assert "unencrypted" in refusal("openai", "phi-4")
    assert choose("openai", "phi-4", NOTHING, insecure=True).host == "10.0.0.7:80"


def test_the_cli_is_taken_where_somebody_is_signed_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = FakeClaude(tmp_path)
    surround(monkeypatch, {"PATH": fake.path})
    assert chosen(model="claude-haiku-5-5") == "claude-cli claude-haiku-5-5"
    fake.orders(signed_in=False)
    assert refusal(model="claude-haiku-5-5") == NO_JUDGE


def test_the_cli_wants_the_full_name_of_a_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    surround(monkeypatch, {"PATH": FakeClaude(tmp_path).path})
    assert refusal("claude-cli", "haiku").startswith("claude-cli: 'haiku' is no full name of a model")


def test_the_cli_is_not_started_where_another_judge_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = FakeClaude(tmp_path)
    surround(monkeypatch, ANTHROPIC, {"PATH": fake.path})
    choose("anthropic", None, NOTHING)
    choose("claude-cli", "claude-haiku-5-5", NOTHING)
    assert fake.calls() == []
    assert configured(NOTHING) == ["anthropic", "claude-cli"]
    assert len(fake.calls()) == 1


def test_a_scripted_judge_is_no_model(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\n')
    assert chosen(f"scripted:{file}") == "scripted: mine (no model)"
    assert "no model" in refusal(f"scripted:{file}", "claude-haiku-5-5")
    with pytest.raises(UnknownName, match="unknown scripted judge 'nobody'"):
        choose("scripted:nobody", None, NOTHING)


def test_a_ledger_that_is_not_there_cannot_be_replayed(tmp_path: Path) -> None:
    assert "none.jsonl" in refusal(f"replay:{tmp_path / 'none.jsonl'}")


def test_choosing_one_judge_loads_no_other() -> None:
    code = (
        "import sys; from agent_tui.providers.choose import choose; from agent_tui.providers.judge_config import *; "
        "choose('openai', 'phi-4', JudgeConfig()); print(*sorted({n.split('.')[0] for n in sys.modules}))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=OPENAI, capture_output=True, text=True, check=True)
    assert "httpx2" in run.stdout.split()
    assert {"anthropic", "pydantic", "textual"}.isdisjoint(run.stdout.split())

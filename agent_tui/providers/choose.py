"""Which judge is meant: what the command line says, else the environment, else the configuration, else the only one.

Nothing is sent, and of several that are configured none is ever picked silently.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct

from agent_tui.errors import NotPossible, UnknownName
from agent_tui.providers import anthropic_access, claude_sign_in, openai_access
from agent_tui.providers.contract import Failure, Provider
from agent_tui.providers.judge_config import JudgeConfig
from agent_tui.providers.prices import TABLE

PROVIDER, MODEL = "AGENT_TUI_JUDGE_PROVIDER", "AGENT_TUI_JUDGE_MODEL"
NO_JUDGE = (
    f"No judge configured. Set {anthropic_access.API_KEY}, or {openai_access.BASE_URL} with {MODEL}, "
    "or sign in with `claude auth login` and use --judge-provider claude-cli"
)
NAMES = ("anthropic", "openai", "claude-cli", "replay:LEDGER", "scripted:NAME", "scripted:FILE.toml")
_CLAUDE = "claude-cli"


class _Wish(Struct, frozen=True):
    """What one place says; empty is as good as nothing."""

    provider: str | None
    model: str | None


def choose(provider: str | None, model: str | None, config: JudgeConfig, *, insecure: bool = False) -> Provider:
    """The judge that is meant; `provider` and `model` are the command line's, `insecure` lets a key travel over http.

    Raises `NotPossible` where none or several are configured, or the one that is meant cannot be used, and
    `UnknownName` for a name of none.
    """
    surroundings = _Wish(os.environ.get(PROVIDER), os.environ.get(MODEL))
    wishes = [_Wish(provider, model), surroundings, _Wish(config.provider, config.model)]
    name = next((wish.provider for wish in wishes if wish.provider), None) or _only(configured(config))
    kind, _, named = name.partition(":")
    if kind == "replay" and named:
        return _replay(named, model)
    if kind == "scripted" and named:
        return _scripted(named, model)
    if name not in _OPENED:
        raise UnknownName("judge provider", name, NAMES)
    return _ready(name, _OPENED[name](_model(name, wishes), insecure))


def configured(config: JudgeConfig) -> list[str]:
    """The providers that could be asked now, by name. Where `claude` is on PATH it is asked whether it is signed in."""
    executable = claude_sign_in.find()
    ready = {
        "anthropic": anthropic_access.credential_source() is not None,
        _CLAUDE: executable is not None and claude_sign_in.sign_in(executable).logged_in,
        "openai": openai_access.is_named(),
    }
    return [name for name, is_ready in ready.items() if is_ready]


def _only(names: list[str]) -> str:
    if not names:
        raise NotPossible(NO_JUDGE)
    if len(names) > 1:
        raise NotPossible(
            f"several judges are configured: {', '.join(names)}; choose by --judge-provider or {PROVIDER}"
        )
    return names[0]


def _model(name: str, wishes: Iterable[_Wish]) -> str | None:
    """The first model that is named for this provider, or for whichever it be."""
    return next((wish.model for wish in wishes if wish.model and wish.provider in (None, "", name)), None)


def _needed(name: str, model: str | None) -> str:
    if not model:
        raise NotPossible(f"{name} needs a model: name it by --judge-model or {MODEL}")
    return model


def _ready(name: str, opened: Provider | Failure) -> Provider:
    if isinstance(opened, Failure):
        raise NotPossible(f"{name}: {opened.reason}")
    return opened


# A provider is imported where it is opened: the vendor's SDK alone takes 1.3 s, which nobody pays for another judge.


def _anthropic(model: str | None, insecure: bool) -> Provider | Failure:
    from agent_tui.providers.anthropic import open_anthropic

    cheapest = min(TABLE, key=lambda name: (TABLE[name].input, TABLE[name].output))
    return open_anthropic(model or cheapest, insecure=insecure)


def _openai(model: str | None, insecure: bool) -> Provider | Failure:
    from agent_tui.providers.openai_compat import open_openai

    return open_openai(_needed("openai", model), insecure=insecure)


def _claude_cli(model: str | None, insecure: bool) -> Provider | Failure:
    from agent_tui.providers.claude_cli import open_claude

    return open_claude(_needed(_CLAUDE, model))


def _replay(ledger: str, model: str | None) -> Provider:
    from agent_tui.providers.replay import Replay

    return Replay(Path(ledger), model)


def _scripted(named: str, model: str | None) -> Provider:
    from agent_tui.providers.scripted import Scripted

    if model:
        raise NotPossible(f"scripted:{named} is no model: leave out --judge-model")
    return Scripted.load(Path(named)) if named.endswith(".toml") else Scripted.named(named)


_OPENED: dict[str, Callable[[str | None, bool], Provider | Failure]] = {
    "anthropic": _anthropic,
    "openai": _openai,
    _CLAUDE: _claude_cli,
}

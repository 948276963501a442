"""How the signed-in Claude Code CLI is called: its arguments, its environment and what it is given to read.

The CLI attaches the content of a file that is named `@path` in what it reads, whatever else it is told, and takes a
prompt that starts with `/` for a command. So no `@` reaches it, and a prompt starts with a letter.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from agent_tui.providers.contract import Request

_REQUIRED = ("--safe-mode", "--json-schema")
"""Flags that older versions do not know."""
MOST_BYTES = 10_000_000
"""Of a prompt; past it the CLI reads nothing."""
_ALLOWED = (
    "HOME", "USER", "LOGNAME", "CLAUDE_CONFIG_DIR",  # where the login lives
    "PATH", "LANG", "LC_ALL", "LC_CTYPE",
    "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "NODE_EXTRA_CA_CERTS",
)  # fmt: skip
"""Names of variables that the CLI gets. No key and no address of a service: with a key it would bill the key."""
_ALWAYS_THINKING = ("claude-opus-5-5", "claude-fable-5")
_START = "Judge this item.\n"


def arguments(executable: str, request: Request, system_file: Path) -> list[str]:
    """The command as a list; never for a shell, in which an empty `--tools=` would mean all tools."""
    return [
        executable, "-p",
        "--output-format", "json",
        "--model", request.model,
        "--system-prompt-file", str(system_file),
        "--json-schema", without_at(request.schema.decode()),
        "--tools=",
        "--safe-mode",
        "--strict-mcp-config",
        "--disable-slash-commands",
        "--no-session-persistence",
    ]  # fmt: skip


def environment(surroundings: Mapping[str, str]) -> dict[str, str]:
    """The few variables of the surroundings that the CLI may know, and those that keep it quiet."""
    kept = {name: surroundings[name] for name in _ALLOWED if name in surroundings}
    return kept | {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}


def asking_environment(surroundings: Mapping[str, str], request: Request) -> dict[str, str]:
    """`environment`, with the bounds of one ask."""
    bounds = {"CLAUDE_CODE_MAX_RETRIES": "1", "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(request.max_tokens)}
    if not request.model.startswith(_ALWAYS_THINKING):
        bounds["MAX_THINKING_TOKENS"] = "0"
    return environment(surroundings) | bounds


def prompt(request: Request) -> bytes:
    """What the CLI reads from its standard input."""
    text = without_at(request.user)
    return (text if text[:1].isalpha() else _START + text).encode()


def missing_flags(usage: str) -> list[str]:
    """The flags that a version does not know, by what it prints for `--help`."""
    known = usage.replace(",", " ").split()
    return [flag for flag in _REQUIRED if flag not in known]


def without_at(text: str) -> str:
    """`text` with every `@` as JSON writes it in six characters."""
    return text.replace("@", "\\u0040")

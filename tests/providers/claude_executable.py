"""What the fake `claude` does when it is run: as the real one (2.1.197) does, except for what its orders change."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.providers.verdicts import ordinary_reply, read_ask

_VALUED = ("--output-format", "--model", "--system-prompt-file", "--json-schema")
_FLAGS = {
    *_VALUED, "-p", "--tools", "--safe-mode", "--strict-mcp-config", "--disable-slash-commands",
    "--no-session-persistence",
}  # fmt: skip
_AT = re.compile(r'(?:^|(?<=\s))@("[^"]+"|\S+)', re.MULTILINE)
"""How a file is named in a prompt."""


def main(folder: Path) -> None:
    """Do as the orders beside the executable say."""
    orders = json.loads((folder / "orders.json").read_text())
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        _say(f"{orders['version']} (Claude Code)")
    elif arguments == ["--help"]:
        flags = sorted(_FLAGS - set(orders["unknown_flags"]))
        _say("Usage: claude [options]\n\n  -h, --help  Display help\n" + "\n".join(f"  {flag} <it>" for flag in flags))
    elif arguments == ["auth", "status"]:
        _note(folder, {"argv": arguments})
        sys.exit(_tell_sign_in(orders))
    else:
        sys.exit(_ask(folder, orders, arguments))


def _tell_sign_in(orders: dict[str, Any]) -> int:
    by_key = "ANTHROPIC_API_KEY" in os.environ
    method = "api_key" if by_key else "claude.ai" if orders["signed_in"] else "none"
    _say(json.dumps({"loggedIn": method != "none", "authMethod": method, "apiProvider": "firstParty"}, indent=2))
    return 0 if method != "none" else 1


def _ask(folder: Path, orders: dict[str, Any], arguments: list[str]) -> int:
    unknown = [flag for flag in arguments if flag.startswith("-") and flag.split("=")[0] not in _FLAGS]
    unknown += [flag for flag in arguments if flag in orders["unknown_flags"]]
    if unknown:
        sys.stderr.write(f"error: unknown option '{unknown[0]}'")
        return 1
    if orders["early_end"] is not None:
        return int(orders["early_end"])
    options = {name: arguments[arguments.index(name) + 1] for name in _VALUED if name in arguments}
    prompt = sys.stdin.read()
    system = Path(options["--system-prompt-file"])
    seen = {
        "argv": arguments,
        "env": dict(os.environ),
        "stdin": prompt,
        "system": system.read_text(),
        "modes": [stat.S_IMODE(path.stat().st_mode) for path in (system, system.parent)],
        "cwd": os.getcwd(),
        "found_there": os.listdir(),
        "attached": [_content(name) for name in _AT.findall(prompt)],
    }
    _note(folder, seen)
    if orders["blocks_on"]:
        _block(orders["blocks_on"])
    if orders["killed"]:
        os.kill(os.getpid(), signal.SIGKILL)
    return _answer(orders, options, seen)


def _answer(orders: dict[str, Any], options: dict[str, str], seen: dict[str, Any]) -> int:
    sys.stderr.write(orders["stderr"])
    if orders["stdout"] is not None:
        sys.stdout.write(orders["stdout"])
        return int(orders["status"])
    if not orders["signed_in"]:
        _say(json.dumps(_printed(options, None) | {"is_error": True, "result": "Not logged in"}))
        return 1
    if seen["stdin"].startswith("/"):
        _say(json.dumps(_printed(options, None) | {"num_turns": 0, "result": "/help isn't available"}))
        return 0
    material = "\n".join([seen["stdin"], *seen["attached"]])
    asked = read_ask(seen["system"], material, json.loads(options["--json-schema"]), options["--model"])
    printed = _printed(options, ordinary_reply(asked, orders["verdict"])) | orders["changes"]
    _say(json.dumps({name: value for name, value in printed.items() if name not in orders["left_out"]}))
    return int(orders["status"])


def _printed(options: dict[str, str], reply: dict[str, Any] | None) -> dict[str, Any]:
    """What the real one prints of an ask that went well, or of one that never got to a model."""
    tokens = {"input_tokens": 100, "cache_creation_input_tokens": 7, "cache_read_input_tokens": 30, "output_tokens": 17}
    if reply is None:
        tokens = dict.fromkeys(tokens, 0)
    used = {options["--model"]: {"inputTokens": 100, "outputTokens": 17, "costUSD": 0.000925}}
    return {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "api_error_status": None,
        "num_turns": 2 if reply else 1,
        "result": json.dumps(reply),
        "stop_reason": "tool_use" if reply else "stop_sequence",
        "session_id": "f776e4d1-1b66-4e5c-a4f5-4ce7d7e1d62d",
        "total_cost_usd": 0.000925 if reply else 0,
        "usage": tokens,
        "modelUsage": used if reply else {},
        "permission_denials": [],
        **({"structured_output": reply} if reply else {}),
    }


def _block(pipe: str) -> None:
    """Start a child, say so through a named pipe that both hold open, and wait for ever."""
    with open(pipe, "w") as told:
        os.set_inheritable(told.fileno(), True)
        child = [sys.executable, "-c", "import signal; signal.pause()"]
        subprocess.Popen(child, close_fds=False)
        told.write("started\n")
        told.flush()
        signal.pause()


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")


def _content(name: str) -> str:
    file = Path(name.strip('"'))
    return file.read_text() if file.is_file() else ""


def _note(folder: Path, seen: dict[str, Any]) -> None:
    with (folder / "calls.jsonl").open("a") as file:
        file.write(json.dumps(seen) + "\n")

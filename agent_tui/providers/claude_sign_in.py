"""Where the Claude Code CLI is, what it knows and who is signed in, told by calls that cost no tokens."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile

import msgspec
from msgspec import Struct

from agent_tui.providers.claude_command import environment
from agent_tui.safety.limits import MIB

_PATIENCE_SECONDS = 20.0


class SignIn(Struct, frozen=True, rename="camel"):
    """What `claude auth status` tells."""

    logged_in: bool = False
    auth_method: str = "none"
    """`claude.ai` for a subscription, `api_key` where calls are billed."""
    api_provider: str = "firstParty"


def find() -> str | None:
    """The executable on PATH; nothing is started."""
    found = shutil.which("claude")
    return None if found is None else os.path.abspath(found)


def sign_in(executable: str) -> SignIn:
    """Who is signed in, by `claude auth status` (half a second)."""
    try:
        return msgspec.json.decode(told(executable, "auth", "status"), type=SignIn)
    except msgspec.DecodeError:
        return SignIn()


def told(executable: str, *arguments: str) -> str:
    """What the CLI prints, called in an empty folder, so that no project has a say; nothing where it cannot be run."""
    command = [executable, *arguments]
    with tempfile.TemporaryDirectory(prefix="agent-tui-") as empty, tempfile.TemporaryFile() as prints:
        try:
            subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=prints,  # no pipe, which whatever it leaves running would hold open past the timeout
                stderr=subprocess.DEVNULL,
                cwd=empty,
                env=environment(os.environ),
                timeout=_PATIENCE_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        prints.seek(0)
        return prints.read(MIB).decode("utf-8", "replace")

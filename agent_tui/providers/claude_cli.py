"""The signed-in Claude Code CLI as a judge: one process a verdict, without tools, without instructions of the user's.

It puts two blocks of its own before our system prompt, so it is another judge than the same model over the interface.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from agent_tui.places import PRIVATE_FILE
from agent_tui.providers import claude_command, claude_sign_in
from agent_tui.providers.claude_output import is_unexplained, outcome_of
from agent_tui.providers.claude_process import Ended, run
from agent_tui.providers.claude_sign_in import SignIn
from agent_tui.providers.contract import Failure, Identity, Limits, Outcome, Request
from agent_tui.providers.families import family_of

_SIGNED_OUT = Failure(kind="auth", reason="claude is not signed in: run `claude auth login`")


def open_claude(model: str) -> ClaudeCli | Failure:
    """The CLI on PATH with one model; a failure where there is none, or the model's name may mean another one later."""
    executable = claude_sign_in.find()
    if executable is None:
        return Failure(kind="not_configured", reason="there is no `claude` on PATH: install Claude Code")
    if not model.startswith("claude-"):
        reason = f"{model!r} is no full name of a model, as claude-haiku-5-5: it may stand for another one tomorrow"
        return Failure(kind="not_configured", reason=reason)
    return ClaudeCli(model, executable)


class ClaudeCli:
    """The CLI with one model; the provider `claude-cli`."""

    concurrency = 2
    needs_consent = True
    notices: Sequence[str] = ()

    def __init__(self, model: str, executable: str) -> None:
        self.name = f"claude-cli {model}"
        self.host = _host(SignIn())
        self.family = family_of(model)
        self._model = model
        self._executable = executable

    async def probe(self) -> Identity | Failure:
        """Whether the CLI is new enough and somebody is signed in; `host` then says how."""
        version, usage, sign_in = await asyncio.gather(self._told("--version"), self._told("--help"), self._sign_in())
        missing = claude_command.missing_flags(usage)
        number = version.partition(" ")[0].strip()
        if missing:
            reason = f"claude {number or 'as it is'} does not know {', '.join(missing)}: run `claude update`"
            return Failure(kind="not_configured", reason=reason)
        if not sign_in.logged_in:
            return _SIGNED_OUT
        self.host = _host(sign_in)
        return Identity(
            provider="claude-cli", host_class="vendor", model=self._model, rung="cli", effort="default", version=number
        )

    async def ask(self, request: Request, limits: Limits) -> Outcome:
        """Ask by one process of the CLI, in a private folder that is gone afterwards."""
        prompt = claude_command.prompt(request)
        if len(prompt) > claude_command.MOST_BYTES:
            return Failure(kind="too_large", reason=f"the prompt has {len(prompt):,} bytes; claude reads 10 MB at most")
        try:
            with tempfile.TemporaryDirectory(prefix="agent-tui-", ignore_cleanup_errors=True) as folder:
                ended = await self._run(request, prompt, Path(folder), limits)
        except OSError as error:
            return Failure(kind="not_configured", reason=f"claude cannot be started: {error.strerror}")
        if ended is None:
            return Failure(kind="unknown", reason=f"no reply within {limits.timeout:g} s; claude was ended")
        outcome = outcome_of(ended, request)
        if is_unexplained(outcome) and not (await self._sign_in()).logged_in:
            return _SIGNED_OUT
        return outcome

    async def count_tokens(self, request: Request) -> int | None:
        """None: the CLI counts nothing before it asks."""
        return None

    async def close(self) -> None:
        """Nothing is kept open."""

    async def _run(self, request: Request, prompt: bytes, folder: Path, limits: Limits) -> Ended | None:
        system, empty = folder / "system.txt", folder / "empty"
        empty.mkdir()
        with open(os.open(system, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE), "w", encoding="utf-8") as file:
            file.write(claude_command.without_at(request.system))
        command = claude_command.arguments(self._executable, request, system)
        environment = claude_command.asking_environment(os.environ, request)
        return await run(command, environment, empty, limits.timeout, prompt)

    async def _sign_in(self) -> SignIn:
        return await asyncio.to_thread(claude_sign_in.sign_in, self._executable)

    async def _told(self, *arguments: str) -> str:
        return await asyncio.to_thread(claude_sign_in.told, self._executable, *arguments)


def _host(sign_in: SignIn) -> str:
    """Where text goes, and on whose account; a base URL in the user's own settings of the CLI holds all the same."""
    where = "api.anthropic.com:443" if sign_in.api_provider == "firstParty" else sign_in.api_provider
    by = f"signed in by {sign_in.auth_method}" if sign_in.logged_in else "as it is signed in"
    return f"claude ({where} unless its settings say otherwise), {by}"

"""A ledger as a provider: what was answered once is answered again, byte for byte, and nothing leaves the machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agent_tui.errors import NotPossible
from agent_tui.providers.contract import Failure, Identity, Limits, Outcome, Request
from agent_tui.providers.ledger import Ledger

NOT_RECORDED = Failure(kind="not_found", reason="the ledger has no answer to this")


class Replay:
    """The judge that a ledger recorded; of several the one asked last, or the last one of a model."""

    host = "this machine"
    family: str | None = None
    concurrency = 16
    needs_consent = False
    notices: Sequence[str] = ()

    def __init__(self, path: Path, model: str | None = None) -> None:
        """Raises `NotPossible` where there is no ledger, or none of the model."""
        self.ledger = Ledger.read(path)
        """For the runner too: it is never written."""
        known = self.ledger.identities
        asked = [identity for identity in known if model in (None, identity.model)]
        if not asked:
            names = ", ".join(sorted({identity.model for identity in known}))
            raise NotPossible(f"{path} holds no answers of {model or 'anyone'}: there are {names or 'none'}")
        self.identity = asked[-1]
        self.name = f"replay: {self.identity.provider} {self.identity.model}"

    async def probe(self) -> Identity | Failure:
        """Who answered then."""
        return self.identity

    async def ask(self, request: Request, limits: Limits) -> Outcome:
        """What was answered then."""
        recorded = self.ledger.reply(request.key)
        return recorded.outcome if recorded else NOT_RECORDED

    async def count_tokens(self, request: Request) -> int | None:
        """None are needed: nothing is sent."""
        return 0

    async def close(self) -> None:
        """Let go of the file."""
        self.ledger.close()

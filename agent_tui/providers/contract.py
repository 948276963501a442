"""What a model service promises: one request in, a reply or a failure out, neither ever an exception.

A provider makes exactly one call for one `ask`: waiting, asking again, budgets and order are the scheduler's. What the
service said is handed on as it came; whether it is a verdict is for `judge.verdict` to tell.

    provider = Scripted.named("honest")
    identity = await provider.probe()          # no tokens spent; a Failure where it cannot be used
    outcome = await provider.ask(request, Limits())
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

LABELS = ("pass", "fail", "undetermined")
"""The verdicts that may be given, in their usual order."""


class Identity(Struct, frozen=True, kw_only=True):
    """Who answers: whatever makes another judge of it, and so belongs to the key of every verdict."""

    provider: str
    """anthropic, openai, claude-cli or scripted."""
    endpoint: str = ""
    """First 16 hex digits of the SHA-256 of the base URL; empty where there is none. Never the address itself."""
    host_class: str = "local"
    """vendor, loopback, other, or local where nothing leaves the machine."""
    model: str
    """The model asked for."""
    rung: str = "json_schema"
    """How the form of the reply is asked for: json_schema, json_object, tools, text, cli or scripted."""
    effort: str = "low"
    version: str = ""
    """Version of SDK, CLI or interface; in the provenance, not in the key."""


class Request(Struct, frozen=True, kw_only=True):
    """One ask about one item. Nothing in it says what the truth is."""

    key: str
    """64 hex digits: the name of this ask in the ledger."""
    item: str
    """The nonce that the reply must echo."""
    k: int = 0
    """Which repeat of the same ask it is, from 0."""
    digest: str
    """Digest of the material as sent."""
    system: str
    """Trusted text: instructions, rubric, examples."""
    user: str
    """A fixed sentence and one JSON object, all foreign text in it escaped."""
    schema: bytes
    """JSON Schema of the reply, as JSON text."""
    labels: tuple[str, ...] = LABELS
    """The verdicts in the order in which they are offered."""
    model: str
    effort: str = "low"
    max_tokens: int = 4096


class Limits(Struct, frozen=True):
    """How long one call may take (seconds)."""

    timeout: float = 120.0


class Usage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Tokens that a call cost, as the service counted them; None: it did not say."""

    input_tokens: int | None = None
    """Without what was read from or written to a cache."""
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    notional_usd: float | None = None
    """What a subscription says a call would have cost (USD)."""


class Reply(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the service said, whole. Only stop reason `end` can be a verdict."""

    text: str
    model: str
    """The model that answered, as the service names it."""
    stop_reason: str = "end"
    """`end`, or the service's own word for why it stopped earlier."""
    usage: Usage | None = None
    request_id: str = ""


class Failure(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why there is no reply. A failure is never a verdict."""

    kind: str
    """One of KINDS."""
    reason: str
    """In words, without keys or addresses."""
    retry_after: float | None = None
    """Seconds that the service asks us to wait."""
    usage: Usage | None = None
    """Where tokens were billed all the same."""


RETRYABLE = frozenset({"rate_limited", "overloaded", "connection"})
"""Nothing was done and nothing billed: the same request may be sent again."""
FATAL = frozenset({"not_configured", "auth", "payment", "quota", "forbidden"})
"""No further call can succeed: stop at once, keep what there is."""
UNCERTAIN = frozenset({"unknown"})
"""The call may have been answered and billed: ask again only after consent."""
KINDS = RETRYABLE | FATAL | UNCERTAIN | {"bad_request", "not_found", "too_large", "truncated", "refused", "malformed"}

Outcome = Reply | Failure


class Provider(Protocol):
    """A model service, ready to be asked."""

    @property
    def name(self) -> str:
        """For people: `anthropic claude-haiku-5-5`, `scripted: lenient (no model)`."""

    @property
    def host(self) -> str:
        """Where text goes, with port, for the consent; `this machine` where none leaves."""

    @property
    def family(self) -> str | None:
        """The maker's family of the model (`claude`, `gpt`); None: unknown, or no model."""

    @property
    def concurrency(self) -> int:
        """How many calls to start with at a time (a count)."""

    @property
    def needs_consent(self) -> bool:
        """Whether asking costs something or sends something away."""

    @property
    def notices(self) -> Sequence[str]:
        """What the user should know before and after the probe, a line each."""

    async def probe(self) -> Identity | Failure:
        """Who would answer, told without spending tokens on an item."""
        ...

    async def ask(self, request: Request, limits: Limits) -> Outcome:
        """Send one request once."""
        ...

    async def count_tokens(self, request: Request) -> int | None:
        """Input tokens of a request (a count); None where the service does not tell."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...

"""What a runner tells of its progress."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from agent_tui.providers.contract import Outcome, Request

BUDGET, CANCELLED, LEDGER = "budget", "cancelled", "ledger"
"""Kinds of stop that are no failure of the service; the others are named as its failures are."""


class Settled(Struct, frozen=True):
    """A request has its outcome; how and when is in the ledger too."""

    request: Request
    outcome: Outcome
    from_ledger: bool
    """Whether it was there already, so that no call was made."""
    attempts: int
    """Calls that were ever made for it (a count)."""


class Waiting(Struct, frozen=True):
    """No call begins for a while; those that are out go on."""

    seconds: float
    reason: str


class UnderWay(Struct, frozen=True, kw_only=True):
    """The service works on batches, and does not say how far it is."""

    batches: int
    """Not ended (a count)."""
    searched: int
    """Of these, those whose id never came (a count)."""
    ended: int
    """In this run (a count)."""
    seconds: float
    """Since the oldest of them was sent."""


class Stopped(Struct, frozen=True):
    """The run ended early; whatever has no outcome is asked when it is taken up again."""

    kind: str
    reason: str


Event: TypeAlias = Settled | Waiting | UnderWay | Stopped

"""What a ledger knows of an ask already, so that no call is made for it."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from agent_tui.providers.contract import UNCERTAIN, Failure, Outcome, Reply
from agent_tui.providers.ledger import Ledger
from agent_tui.providers.replay import NOT_RECORDED

BILLED = frozenset({"truncated", "refused", "malformed"})
"""Failures that were paid for: asking again costs again, and often ends the same."""
NOT_HEARD_OF = Failure(kind="unknown", reason="the program ended before the answer came; it may have been billed")
IN_A_BATCH = Failure(kind="unknown", reason="it waits in a batch that has not ended")


class Again(Struct, frozen=True, kw_only=True):
    """What is asked again though the ledger has an outcome: each may be billed a second time."""

    unknown: bool = False
    """Calls whose end nobody knows."""
    errors: bool = False
    """Calls that were billed without a reply: refused, truncated, malformed."""
    keys: Collection[str] = ()
    """Replies that were no verdict, by key."""


def known_outcome(ledger: Ledger, key: str, again: Again) -> Outcome | None:
    """The outcome that a ledger has for a key; None where it is to be asked for.

    Failures that nobody was billed for, as no connection, are no outcome: they are asked again. A ledger that is only
    read has an outcome for every key.
    """
    if ledger.is_in_batch(key):
        return IN_A_BATCH
    recorded = ledger.reply(key)
    outcome = recorded.outcome if recorded else None
    if ledger.is_open(key) and not isinstance(outcome, Reply):
        outcome = NOT_HEARD_OF
    if not ledger.is_writable:
        return outcome or NOT_RECORDED
    return None if outcome is None or _is_asked_again(key, outcome, again) else outcome


def _is_asked_again(key: str, outcome: Outcome, again: Again) -> bool:
    if isinstance(outcome, Reply):
        return key in again.keys
    if outcome.kind in UNCERTAIN:
        return again.unknown
    return again.errors if outcome.kind in BILLED else True

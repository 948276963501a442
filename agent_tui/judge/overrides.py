"""Overrides as the ledger keeps them: who wanted verdicts of which judge in spite of its figures, why and when."""

from __future__ import annotations

from agent_tui.judge.permit import Override
from agent_tui.judge.validation import Validation
from agent_tui.providers.ledger import Ledger

_KIND = "override"


def override(ledger: Ledger, validation: Validation, reason: str) -> Override:
    """The permit of a person who wants to see verdicts all the same, kept in the ledger. Raises `NotPermitted`."""
    permit = Override(validation, reason, None)
    notes = (note for note in ledger.notes(_KIND) if note.fields.get("key") == permit.key)
    at = next((note.at for note in notes if note.fields.get("reason") == reason), None)
    if at is None and ledger.is_writable:
        at = ledger.note(_KIND, {"key": permit.key, "reason": reason})
    return Override(validation, reason, at)


def recorded_override(ledger: Ledger, validation: Validation) -> Override | None:
    """The last override that somebody gave this very validation; None where nobody has."""
    for note in reversed(ledger.notes(_KIND)):
        reason = note.fields.get("reason")
        if note.fields.get("key") == validation.key and reason:
            return Override(validation, str(reason), note.at)
    return None

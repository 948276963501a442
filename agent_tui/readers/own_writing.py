"""Files of our own that hold no runs, told by their schema and not by their name: labels, ledgers, patches, reports."""

from __future__ import annotations

import re

from agent_tui.readers import loose
from agent_tui.readers.head import Head

_SCHEMA = re.compile(r"agent-tui/([a-z]+)-\d")
_NOUNS = {
    "label": "labels",
    "ledger": "a judge's ledger",
    "whatif": "changes to a bundle (open the bundle with --patch)",
    "journal": "a journal of changes",
}


def own_writing(head: Head) -> str | None:
    """What a file of ours is, in words; None for a bundle and for anybody else's."""
    first = head.document or (head.items[0] if head.items else {})
    found = _SCHEMA.match(loose.text(first.get("schema")) or "")
    return None if found is None else _NOUNS.get(found[1], f"what agent-tui {found[1]} printed")

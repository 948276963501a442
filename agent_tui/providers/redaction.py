"""What a service says about an error, without the keys and addresses that it may repeat."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent_tui.safety.sanitise import clip

HIDDEN = "[hidden]"
_SHORTEST_SECRET = 6
"""A shorter value is no key, and taking it out would tear words."""
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
_KEY = re.compile(r"\b(?:sk|pk|rk|key)-[\w*.-]{4,}|\bBearer\s+\S+", re.IGNORECASE)
_LONGEST = 240


def without_secrets(text: str, secrets: Iterable[str]) -> str:
    """`text` with every secret taken out."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, HIDDEN)
    return text


def in_words(text: str, secrets: Iterable[str] = ()) -> str:
    """One safe, short line of what a service said, without the secrets, nor what looks like a key or an address."""
    shown = _KEY.sub(HIDDEN, without_secrets(text, secrets))
    return clip(" ".join(_ADDRESS.sub("(an address)", shown).split()), _LONGEST)

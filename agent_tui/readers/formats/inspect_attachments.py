"""Attachments of an Inspect sample: long strings and images that its messages only name."""

from __future__ import annotations

import re

from msgspec import Raw

from agent_tui.readers import loose
from agent_tui.readers.loose import Fields

_NAMED = re.compile(rb'"attachment://([0-9a-f]+)"')


def resolved(text: Raw, sample: Fields) -> Raw:
    """JSON text of a sample with each attachment in the place of its name; an unknown name stays."""
    source = bytes(text)
    if b'"attachment://' not in source:
        return text
    kept = sample.get("attachments", loose.fields(sample.get("transcript")).get("content"))
    by_name = {name.encode("utf-8", "replace"): bytes(value) for name, value in loose.fields(kept).items()}
    by_name.update({b"%d" % index: bytes(value) for index, value in enumerate(loose.items(kept))})
    return Raw(_NAMED.sub(lambda match: by_name.get(match[1], match[0]), source))

"""Quotations: whether the words that a judge points at stand in the material."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from agent_tui.judge.characters import has_content
from agent_tui.judge.clipping import CUT
from agent_tui.judge.material import Item


def pieces(item: Item, source: str) -> Iterator[str]:
    """The texts of a source, apart where something was cut out of them."""
    for text in item.trace if source == "trace" else (item.task if source == "task" else item.answer,):
        yield from map(folded_space, CUT.split(text))


_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


def stands(quote: str, pieces: Iterable[str]) -> bool:
    """Whether a quote that says something is part of a piece, as it reads or in the escapes it was sent in."""
    forms = {folded_space(quote), folded_space(_ESCAPE.sub(lambda match: chr(int(match[1], 16)), quote))}
    return has_content(quote) and any(form in piece for form in forms for piece in pieces)


def folded_space(text: str) -> str:
    """NFKC, with white space of any kind and length as one space."""
    return " ".join(unicodedata.normalize("NFKC", text).split())

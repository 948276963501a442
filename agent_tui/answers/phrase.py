"""Where words in a row occur in an answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from agent_tui.answers.numbers import Number
from agent_tui.answers.quick import plain_place, plainly_undenied
from agent_tui.answers.tokens import Token, meets

_is_plain_word = re.compile(r"[^\W\d_]+|[0-9]+(?:\.[0-9]+)?").fullmatch


class Phrase(Struct, frozen=True):
    """Tokens in a row, and how they are written where they stand plainly (None: there is no plain way)."""

    tokens: tuple[Token, ...]
    plain: str | None

    def is_plainly_in(self, folded: str) -> bool:
        """A quick yes: the phrase stands there and is not denied. False means nothing."""
        if self.plain is None:
            return False
        place = plain_place(self.plain, folded)
        return place >= 0 and plainly_undenied(folded, place)


def make_phrase(tokens: tuple[Token, ...]) -> Phrase:
    """The phrase of these tokens."""
    words = []
    for token in tokens:
        if isinstance(token, Number):
            return Phrase(tokens, None)
        word = str(token)
        if _is_plain_word(word) is None:
            return Phrase(tokens, None)
        words.append(word)
    return Phrase(tokens, " ".join(words))


def occurrences(phrase: Sequence[Token], tokens: Sequence[Token]) -> Iterator[tuple[int, bool]]:
    """Where a phrase may occur, and whether it surely does."""
    for at in _candidates(phrase[0], tokens):
        fits = [meets(wanted, found) for wanted, found in zip(phrase, tokens[at:], strict=False)]
        if len(fits) == len(phrase) and False not in fits:
            yield at, None not in fits


def _candidates(first: Token, tokens: Sequence[Token]) -> Iterable[int]:
    """Where the phrase may begin: at the same word, or at any number."""
    if isinstance(first, str):
        return [at for at, token in enumerate(tokens) if token == first]
    return [at for at, token in enumerate(tokens) if not isinstance(token, str)]

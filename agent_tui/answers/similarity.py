"""How alike two texts are: shown beside a verdict, never a verdict."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from agent_tui.answers.text import normalized
from agent_tui.answers.tokens import Token, tokenize

_MOST_CELLS = 1_000_000


class Similarity(Struct, frozen=True):
    """Ratios in 0..1. None: the texts are too long to compare letter by letter, or hold no word."""

    levenshtein: float | None
    token_f1: float | None


def similarity(truth: str, answer: str) -> Similarity:
    """Both measures of two texts, once they are normalised."""
    return Similarity(levenshtein_ratio(normalized(truth), normalized(answer)), token_f1(truth, answer))


def levenshtein_ratio(left: str, right: str) -> float | None:
    """1 - edits / the longer length; None above a million pairs of letters."""
    longest = max(len(left), len(right))
    if not longest:
        return 1.0
    if len(left) * len(right) > _MOST_CELLS:
        return None
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(right, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (letter != other))
    return 1 - row[-1] / longest


def token_f1(truth: str, answer: str) -> float | None:
    """F1 of the two multisets of tokens; blind to order and to denials. None where neither holds a token."""
    wanted: Counter[Token] = Counter(tokenize(truth))
    found: Counter[Token] = Counter(tokenize(answer))
    total = wanted.total() + found.total()
    return 2 * (wanted & found).total() / total if total else None

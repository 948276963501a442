"""The checks `words` and `contains`: whole words and numbers by value, with the negation guard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from agent_tui.answers.numbers import Number, spell
from agent_tui.answers.outcome import AMBIGUOUS, NEGATED, check_error, correct, wrong
from agent_tui.answers.text import fold
from agent_tui.answers.tokens import Token, holds_negation, is_currency, is_negated, meets, tokenize
from agent_tui.answers.verdict import AnswerVerdict, quote


class Words(Struct, frozen=True):
    """`words`: every token of the truth occurs in the answer, in any order. `contains`: in order and adjacent."""

    name: str
    text: str
    phrases: tuple[tuple[Token, ...], ...]
    """What must occur: for `words` each token alone, for `contains` all of them as one phrase."""
    needles: tuple[str, ...]
    """Plain words that a right answer has as substrings, which is quick to see."""
    guarded: bool
    has_currency: bool
    takes_blank: bool = False

    def judge(self, answer: str) -> AnswerVerdict:
        """The verdict: all phrases occur and are not denied."""
        folded = fold(answer)
        for needle in self.needles:
            if needle not in folded:
                return wrong(self.name, f"{quote(needle)} is not in the answer")
        tokens = tokenize(folded, folded=True)
        if not self.has_currency:
            tokens = [token for token in tokens if not is_currency(token)]
        unsure: AnswerVerdict | None = None
        for phrase in self.phrases:
            verdict = self._look_for(phrase, tokens)
            if verdict is not None and verdict.state == "wrong":
                return verdict
            unsure = unsure or verdict
        return unsure or correct(self.name, f"the answer has {quote(self.text)}")

    def _look_for(self, phrase: tuple[Token, ...], tokens: Sequence[Token]) -> AnswerVerdict | None:
        """None where a counting occurrence of the phrase was found, else what is wrong with it."""
        denied, unsure = False, None
        for at, sure in occurrences(phrase, tokens):
            if self.guarded and is_negated(tokens, at):
                denied = True
            elif sure:
                return None
            else:
                unsure = tokens[at : at + len(phrase)]
        if unsure is not None:
            return check_error(self.name, _why_unsure(phrase, unsure), AMBIGUOUS)
        if denied:
            return wrong(self.name, f"{_quoted(phrase)} is only there denied", NEGATED)
        return wrong(self.name, _why_absent(phrase, tokens))


def words(text: str) -> Words | None:
    """The check `words` for a truth; None where the truth holds no word and no number."""
    tokens = tokenize(text)
    return _make("words", text, tokens, tuple((token,) for token in dict.fromkeys(tokens)))


def contains(text: str) -> Words | None:
    """The check `contains` for a truth; None where the truth holds no word and no number."""
    tokens = tokenize(text)
    return _make("contains", text, tokens, (tuple(tokens),))


def _make(name: str, text: str, tokens: list[Token], phrases: tuple[tuple[Token, ...], ...]) -> Words | None:
    if not tokens:
        return None
    return Words(
        name=name,
        text=text,
        phrases=phrases,
        needles=tuple(token for token in tokens if isinstance(token, str) and not token.endswith("%")),
        guarded=not holds_negation(tokens),
        has_currency=any(map(is_currency, tokens)),
    )


def occurrences(phrase: Sequence[Token], tokens: Sequence[Token]) -> Iterator[tuple[int, bool]]:
    """Where a phrase may occur, and whether it surely does."""
    first = phrase[0]
    for at in range(len(tokens) - len(phrase) + 1):
        if tokens[at] != first and meets(first, tokens[at]) is False:
            continue
        fits = [meets(wanted, found) for wanted, found in zip(phrase, tokens[at:], strict=False)]
        if False not in fits:
            yield at, None not in fits


def spell_token(token: Token) -> str:
    """A token as it may stand in a sentence."""
    if isinstance(token, str):
        return token
    return token.text if isinstance(token, Number) else spell(token)


def _quoted(phrase: Sequence[Token]) -> str:
    return quote(" ".join(map(spell_token, phrase)))


def _why_absent(phrase: Sequence[Token], tokens: Sequence[Token]) -> str:
    if len(phrase) == 1 and not isinstance(phrase[0], str):
        numbers = [spell_token(token) for token in tokens if not isinstance(token, str)]
        if len(numbers) == 1:
            return f"{numbers[0]} is not {spell_token(phrase[0])} (numbers compare as numbers)"
    return f"{_quoted(phrase)} is not in the answer"


def _why_unsure(phrase: Sequence[Token], found: Sequence[Token]) -> str:
    for wanted, token in zip(phrase, found, strict=True):
        if meets(wanted, token) is None:
            spelt = wanted if isinstance(wanted, Number) else token
            if isinstance(spelt, Number) and spelt.other is not None:
                return f"{spelt.text} may mean {spell(spelt.value)} or {spell(spelt.other)}: which one decides"
    return "the answer has a number that may mean two values"

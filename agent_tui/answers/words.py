"""The checks `words` and `contains`: whole words and numbers by value, with the negation guard."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent_tui.answers.numbers import Number, spell
from agent_tui.answers.outcome import AMBIGUOUS, NEGATED, check_error, correct, wrong
from agent_tui.answers.phrase import Phrase, make_phrase, occurrences
from agent_tui.answers.text import fold
from agent_tui.answers.tokens import (
    Token,
    holds_negation,
    is_currency,
    is_negated,
    meets,
    spell_token,
    tokenize,
)
from agent_tui.answers.truths import BadCheck, text_of
from agent_tui.answers.verdict import AnswerVerdict, quote
from agent_tui.runs.json_values import JsonValue


class Words(Struct, frozen=True):
    """`words`: every token of the truth occurs in the answer, in any order. `contains`: in order and adjacent."""

    name: str
    phrases: tuple[Phrase, ...]
    """What must occur: for `words` each token alone, for `contains` all of them as one phrase."""
    needles: tuple[str, ...]
    """Plain words that a right answer has as substrings, which is quick to see."""
    yes: AnswerVerdict
    guarded: bool
    has_currency: bool
    takes_blank: bool = False

    def verdict(self, answer: str) -> AnswerVerdict:
        """The verdict: all phrases occur and are not denied."""
        folded = fold(answer)
        for needle in self.needles:
            if needle not in folded:
                return wrong(self.name, f"{quote(needle)} is not in the answer")
        rest = [phrase.tokens for phrase in self.phrases if not phrase.is_plainly_in(folded)]
        return self._look_for_all(rest, folded) if rest else self.yes

    def _look_for_all(self, phrases: Sequence[tuple[Token, ...]], folded: str) -> AnswerVerdict:
        tokens = tokenize(folded, folded=True)
        if not self.has_currency:
            tokens = [token for token in tokens if not is_currency(token)]
        unsure: AnswerVerdict | None = None
        for phrase in phrases:
            verdict = self._look_for(phrase, tokens)
            if verdict is not None and verdict.state == "wrong":
                return verdict
            unsure = unsure or verdict
        return unsure or self.yes

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


def build(name: str, value: JsonValue) -> Words:
    """The check `words` or `contains` of a truth. Raises `BadCheck`."""
    text = text_of(name, value)
    check = contains(text) if name == "contains" else words(text)
    if check is None:
        raise BadCheck(f"the truth {text!r} holds no word and no number; `exact` compares characters")
    return check


def words(text: str) -> Words | None:
    """The check `words` for a truth; None where the truth holds no word and no number."""
    tokens = tokenize(text)
    return _make("words", text, tokens, [(token,) for token in dict.fromkeys(tokens)])


def contains(text: str) -> Words | None:
    """The check `contains` for a truth; None where the truth holds no word and no number."""
    tokens = tokenize(text)
    return _make("contains", text, tokens, [tuple(tokens)])


def _make(name: str, text: str, tokens: list[Token], phrases: Sequence[tuple[Token, ...]]) -> Words | None:
    if not tokens:
        return None
    return Words(
        name=name,
        phrases=tuple(map(make_phrase, phrases)),
        needles=tuple(token for token in tokens if isinstance(token, str) and not token.endswith("%")),
        yes=correct(name, f"the answer has {quote(text)}"),
        guarded=not holds_negation(tokens),
        has_currency=any(map(is_currency, tokens)),
    )


def _quoted(phrase: Sequence[Token]) -> str:
    return quote(" ".join(map(spell_token, phrase)))


def _why_absent(phrase: Sequence[Token], tokens: Sequence[Token]) -> str:
    numbers = list(dict.fromkeys(spell_token(token) for token in tokens if not isinstance(token, str)))
    if len(phrase) > 1 or isinstance(phrase[0], str) or not 0 < len(numbers) <= 3:
        return f"{_quoted(phrase)} is not in the answer"
    said = f"{numbers[0]} is not" if len(numbers) == 1 else f"none of {', '.join(numbers)} is"
    return f"{said} {spell_token(phrase[0])} (numbers compare as numbers)"


def _why_unsure(phrase: Sequence[Token], found: Sequence[Token]) -> str:
    for wanted, token in zip(phrase, found, strict=True):
        spelt = wanted if isinstance(wanted, Number) else token
        if meets(wanted, token) is None and isinstance(spelt, Number) and spelt.other is not None:
            return f"{spelt.text} may mean {spell(spelt.value)} or {spell(spelt.other)}, and the truth is one of them"
    return "the answer has a number that may mean two values"

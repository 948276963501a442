"""The check `number`: the answer states a number, compared by value."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_UP, Context, Decimal

from msgspec import Struct

from agent_tui.answers.numbers import WIDE, Number, find_numbers, may_mean_two, part_codes, spell
from agent_tui.answers.outcome import AMBIGUOUS, NEGATED, check_error, correct, wrong
from agent_tui.answers.quick import LEFT_CONTEXT, only_plain_number, plain_number
from agent_tui.answers.text import drop_marks, plain_spelling
from agent_tui.answers.tokens import is_negated, tokenize
from agent_tui.answers.verdict import AnswerVerdict

WHICH = ("only", "first", "last", "any")

_AWAY = Context(prec=WIDE.prec, rounding=ROUND_UP, Emax=WIDE.Emax, Emin=WIDE.Emin, traps=[])
"""Rounds a distance up, so one past the tolerance never comes to lie within; past every exponent it is infinite."""


class NumberCheck(Struct, frozen=True):
    """The answer states `value`, within `tolerance`. `which` says which number of the answer is meant.

    `only` (default): every number of the answer is the value. `first`, `last`: that one is. `any`: one of them is.
    Percentages are another kind of quantity, and not looked at unless `percent_as_number`.
    """

    value: Decimal
    tolerance: Decimal
    which: str
    percent_as_number: bool
    decimal_sign: str | None
    literal: str
    """The value in its shortest spelling."""
    quick: bool
    """Whether the shortest spelling can mean nothing else and a point marks decimals, so a quick look may decide."""
    yes: AnswerVerdict
    takes_blank: bool = False
    name: str = "number"

    def verdict(self, answer: str) -> AnswerVerdict:
        """The verdict on the numbers of the answer."""
        token = (plain_number(answer) or only_plain_number(answer, self.literal)) if self.quick else None
        if token is not None:
            if token == self.literal:
                return self.yes
            if self.which == "only" and not may_mean_two(token):
                return self.yes if self._is_value(Decimal(token)) else wrong(self.name, self._why_different([token]))
        return self.full_verdict(answer)

    def full_verdict(self, answer: str) -> AnswerVerdict:
        """The verdict by a look at every number as people write them."""
        text = part_codes(drop_marks(plain_spelling(answer)))
        numbers = [
            number for number in find_numbers(text, self.decimal_sign) if self.percent_as_number or not number.percent
        ]
        if not numbers:
            return wrong(self.name, "the answer holds no number")
        return self._look_at(text, numbers)

    def _look_at(self, text: str, numbers: Sequence[Number]) -> AnswerVerdict:
        looked_at = {"first": numbers[:1], "last": numbers[-1:]}.get(self.which, numbers)
        fits = [self._fits(number) for number in looked_at]
        if self.which == "only" and False in fits:
            return wrong(self.name, self._why_not_only(looked_at))
        counting = [
            (number, fit)
            for number, fit in zip(looked_at, fits, strict=True)
            if fit is not False and not is_denied(text, number.start)
        ]
        if any(fit for _, fit in counting) and (self.which != "only" or None not in fits):
            return self.yes
        if counting:
            return self._unsure(next((number for number, fit in counting if fit is None), counting[0][0]))
        if any(fit is not False for fit in fits):
            return wrong(self.name, f"{self.literal} is only there denied", NEGATED)
        return wrong(self.name, self._why_different([number.text for number in looked_at]))

    def _fits(self, number: Number) -> bool | None:
        """Whether a number is the value; None where its spelling allows two values and only one is."""
        fits = self._is_value(number.value)
        if number.other is None or self._is_value(number.other) == fits:
            return fits
        return None

    def _is_value(self, value: Decimal) -> bool:
        if value == self.value:
            return True
        return bool(self.tolerance) and _AWAY.subtract(value, self.value).copy_abs() <= self.tolerance

    def _unsure(self, number: Number) -> AnswerVerdict:
        other = number.value if number.other is None else number.other
        reason = f"{number.text} may mean {spell(number.value)} or {spell(other)}: say which by `locale`"
        return check_error(self.name, reason, AMBIGUOUS)

    def _why_not_only(self, numbers: Sequence[Number]) -> str:
        texts = [number.text for number in numbers]
        distinct = list(dict.fromkeys(texts))
        if len({number.value for number in numbers}) == 1:
            return self._why_different(texts)
        shown = ", ".join(distinct[:4]) + (", …" if len(distinct) > 4 else "")
        return f"the answer holds several numbers ({shown}) where only {self.literal} was expected"

    def _why_different(self, texts: Sequence[str]) -> str:
        place = f"the {self.which} number " if self.which in ("first", "last") else ""
        if len(texts) == 1:
            return f"{place}{texts[0]} is not {self.literal} (numbers compare as numbers)"
        return f"{self.literal} is not among the {len(texts)} numbers of the answer"


def is_denied(text: str, start: int) -> bool:
    """Whether the word before `start` denies what stands there; only the nearest words are looked at."""
    begin = max(0, start - LEFT_CONTEXT)
    left = text[begin:start]
    if begin and " " in left:
        left = left[left.index(" ") :]
    tokens = tokenize(left)
    return is_negated(tokens, len(tokens))


def _means_itself(literal: str, value: Decimal, decimal_sign: str | None) -> bool:
    numbers = list(find_numbers(literal, decimal_sign))
    return [number.value for number in numbers] == [value] and numbers[0].other is None


def number_check(
    value: Decimal,
    *,
    absolute: Decimal = Decimal(0),
    relative: Decimal = Decimal(0),
    which: str = "only",
    percent_as_number: bool = False,
    decimal_sign: str | None = None,
) -> NumberCheck:
    """The check for a value: within `absolute` or within `relative` times the value, whichever is wider."""
    literal = spell(value)
    return NumberCheck(
        value=value,
        tolerance=max(absolute, _AWAY.multiply(relative, value).copy_abs()),
        which=which,
        percent_as_number=percent_as_number,
        decimal_sign=decimal_sign,
        literal=literal,
        quick=decimal_sign != "," and _means_itself(literal, value, decimal_sign),
        yes=correct("number", f"the answer states {literal}"),
    )

"""Numbers as people write them in text, and what they may mean.

Thousands `,` `'` space, decimal point, sign, currency sign or code, `%`. The patterns expect plain spelling
(`text.plain_spelling`): ASCII digits, `-`, `'` and spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from functools import cache

from msgspec import Struct

CURRENCY_SIGNS = "$€£¥₩₹₽₺₴₪₫₱฿¢"
_CODE = "(?i:eur|usd|gbp|chf|jpy|cny|inr|cad|aud|nzd|sek|nok|dkk|pln|czk|huf|brl|mxn|krw|sgd|hkd|zar)"
_GLUED = re.compile("(?<=[A-Za-z])[0-9]|[0-9](?=[A-Za-z])")
_GROUPED = (
    r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]{1,3}(?:'[0-9]{3})+(?:[.,][0-9]+)?"
    r"|[0-9]{1,3}(?: [0-9]{3})+(?![0-9])(?:[.,][0-9]+)?"
    r"|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+|[0-9]{1,3}(?:\.[0-9]{3}){2,}"
)
_COMMA = r"(?<![0-9],)(?:0,[0-9]+|[0-9]+,[0-9]{1,2})(?!,?[0-9])"
_PLAIN = rf"[0-9]+\.[0-9]+|{_COMMA}|\.?[0-9]+"
_SIGN = rf"(?:(?<![\w)\]%])[-+](?:[{CURRENCY_SIGNS}] ?)?)?"
_AFTER = r"(?!\w|\.[0-9])"
NUMBER = rf"(?=[-+.0-9]){_SIGN}(?<![\w.])(?:{_GROUPED}|{_PLAIN}){_AFTER}(?: ?%)?"
"""One number with its sign and percent sign; digits inside a word are none."""

VERSION = r"(?![0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}(?!\.?[0-9]))[0-9]+(?:\.[0-9]+){2,}[\w']*"
"""What looks like a version or an address (`1.0.1`), and is no date."""
VERSIONED = r"(?:(?<=[0-9])(?:\.[0-9]+)+[\w']*)?"
"""How a word with a digit at its end goes on (`v1.0.1`, `python3.11`)."""

_DIGIT = re.compile("[0-9]")
_REST = re.compile(r"[\w.]+")

WIDE = Context(prec=5000, Emax=MAX_EMAX, Emin=MIN_EMIN)
_AMBIGUOUS = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")
_COMMA_GROUPS = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]{1,3}(?:,[0-9]{3}){2,}(?:\.[0-9]+)?")
_POINT_GROUPS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+|[0-9]{1,3}(?:\.[0-9]{3}){2,}")
_MARKS = str.maketrans("", "", "+%' " + CURRENCY_SIGNS)


class Number(Struct, frozen=True, gc=False):
    """A number in text: its value, the other value that its spelling allows, and whether it is a percentage."""

    text: str
    start: int
    """Where it stands in the text it was found in."""
    value: Decimal
    other: Decimal | None = None
    """What `1.400` is where the point marks thousands; None where the spelling is plain."""
    percent: bool = False


def may_mean_two(digits: str) -> bool:
    """Whether the point of a number may mark decimals as well as thousands (`1.400`), where no locale is declared."""
    return _AMBIGUOUS.fullmatch(digits) is not None


def is_version(text: str) -> bool:
    """Whether a token of digits and points is a version, and no number with its thousands in groups."""
    is_dotted = text.count(".") > 1 and text[0].isdigit() and "," not in text
    return is_dotted and not _POINT_GROUPS.fullmatch(text.rstrip(" %"))


def part_codes(text: str) -> str:
    """`text` with a space between a number and a currency code that is glued to it (`140EUR`, `EUR140`)."""
    return _glued_code().sub(_spaced, text) if _GLUED.search(text) else text


@cache
def _glued_code() -> re.Pattern[str]:
    """A digit with a currency code beside it; made where it is first needed: it takes long."""
    return re.compile(rf"[0-9](?:(?<=[A-Za-z][0-9])(?<=\b{_CODE}[0-9])|(?=[A-Za-z])(?={_CODE}\b))")


def _spaced(found: re.Match[str]) -> str:
    text, at = found.string, found.start()
    before = " " if at and text[at - 1].isalpha() else ""
    after = " " if text[at + 1 : at + 2].isalpha() else ""
    return f"{before}{found[0]}{after}"


def read_number(text: str, start: int = 0, decimal_sign: str | None = None) -> Number:
    """The number that a match of `NUMBER` spells. `decimal_sign` (`.` or `,`) is that of the declared locale."""
    if text.isdigit():
        return Number(text, start, Decimal(text))
    bare = text.translate(_MARKS)
    values = _values(bare.lstrip("-"), decimal_sign)
    if bare.startswith("-"):
        values = [value.copy_negate() for value in values]
    return Number(text, start, values[0], values[1] if len(values) > 1 else None, text.endswith("%"))


def _values(digits: str, decimal_sign: str | None) -> list[Decimal]:
    if decimal_sign is not None:
        thousands = "." if decimal_sign == "," else ","
        bare = digits.replace(thousands, "").replace(",", ".")
        return [Decimal(bare if bare.count(".") < 2 else bare.replace(".", ""))]  # two decimal signs: they mark groups
    if may_mean_two(digits):
        return [Decimal(digits), Decimal(digits.replace(".", ""))]
    if _COMMA_GROUPS.fullmatch(digits):
        return [Decimal(digits.replace(",", ""))]
    if _POINT_GROUPS.fullmatch(digits):
        return [Decimal(digits.replace(".", "").replace(",", "."))]
    return [Decimal(digits.replace(",", "" if "." in digits else "."))]


def find_numbers(text: str, decimal_sign: str | None = None) -> Iterator[Number]:
    """The numbers of a text in plain spelling with parted codes, in order.

    Dates, times, versions and digits of identifiers are none.
    """
    position = 0
    while digit := _DIGIT.search(text, position):
        found = _numeral_at(text, digit.start(), position)
        if found is None:
            rest = _REST.match(text, digit.start())
            position = rest.end() if rest else digit.end()
            continue
        position = found.end()
        if found["other"] is None:
            yield read_number(found[0], found.start(), decimal_sign)


def _numeral_at(text: str, digit: int, earliest: int) -> re.Match[str] | None:
    """The number whose first digit stands at `digit`; its sign or leading point may stand up to three places before."""
    match = _numeral().match
    for start in range(max(earliest, digit - 3), digit):
        if text[start] in "+-." and (found := match(text, start)) and found.end() > digit:
            return found
    return match(text, digit)


@cache
def _numeral() -> re.Pattern[str]:
    """A number with exponent, or a date or time; made where it is first needed: it takes long."""
    return re.compile(
        rf"(?P<other>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}\b|[0-9]{{1,2}}(?::[0-9]{{2}})+\b)"
        rf"|{_SIGN}(?<![\w.])(?<![^\W0-9]-)(?:{_GROUPED}|{_PLAIN})(?:[eE][-+]?[0-9]{{1,6}})?{_AFTER}(?: ?%)?"
    )


def spell(value: Decimal) -> str:
    """A number in its shortest plain spelling."""
    shortest = value.normalize(WIDE)
    return f"{shortest:f}" if -20 < shortest.adjusted() < 40 else str(shortest)

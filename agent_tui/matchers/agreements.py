"""How far every expected call agrees with every made one, a row at a time: for runs that are too long to look at pairs.

Values are numbered per tool and argument, so that a row is a few comparisons of whole arrays. The rows are those that
`Comparison` gives pair by pair; a property test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias, TypeVar

import numpy as np
from msgspec import Raw, Struct
from numpy.typing import NDArray

from agent_tui.matchers.argument_rules import ABSENT, STRICT, Node, ToolRules, Value, holds
from agent_tui.runs import JsonValue
from agent_tui.runs.json_values import args_values, canonical_of
from agent_tui.safety.patterns import TooSlow

Numbers: TypeAlias = NDArray[np.int32]
Credits: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

_Each = TypeVar("_Each", np.float64, np.bool_)

_NOT_THERE, _ELSEWHERE = -1, -2
"""An argument that a made call does not have; a value that no made call has."""
_KEPT = 1 << 21
"""Numbers that are kept of rows that were worked out (a count)."""
_MOST_LOOKS = 100_000
"""How many pairs of values argument rules may look at in one run (a count): a quarter of a second."""


class Wanted(Struct, frozen=True):
    """An expected call; without rules its arguments compare as JSON."""

    name: str
    args: bytes
    rules: ToolRules | None = None


class Agreements:
    """The rows of a reference against a trajectory. A row raises `TooSlow` where rules have too many values to look at.

    `mode` is what counts as an argument to agree on, as in `Comparison`: of both sides (rules), of the expected call
    (superset), of the made one (subset), none (ignore).
    """

    def __init__(self, wanted: Sequence[Wanted], made: Sequence[tuple[str, bytes | Raw]], mode: str = "rules") -> None:
        self._wanted = wanted
        self.width = len(made)
        """How many made calls there are."""
        places: dict[str, list[int]] = {}
        for j, (name, _) in enumerate(made):
            places.setdefault(name, []).append(j)
        looks = _Looks()
        self._tools = {
            name: _Tool(places[name], [bytes(made[j][1]) for j in places[name]], mode, looks)
            for name in {call.name for call in wanted} & places.keys()
        }
        kinds: dict[tuple[str, bytes, int], int] = {}
        self._kind = [kinds.setdefault((call.name, call.args, id(call.rules)), i) for i, call in enumerate(wanted)]
        self._agreement = lru_cache(maxsize=max(16, _KEPT // max(1, self.width)))(self._work_out)
        self._no_credit: Credits = np.zeros(self.width)

    def __len__(self) -> int:
        return len(self._wanted)

    def credits(self, i: int) -> Credits:
        """The share of the arguments of both sides that agree, for each made call; 0 where the names differ."""
        call = self._wanted[i]
        if call.name not in self._tools:
            return self._no_credit
        agreed, counted = self._agreement(self._kind[i])
        share = np.ones(len(agreed))
        np.divide(agreed, counted, out=share, where=counted > 0)
        return self._tools[call.name].spread(share, self.width)

    def fits(self, i: int) -> Flags:
        """Whether expected call i agrees with each made call in name and arguments."""
        call = self._wanted[i]
        if call.name not in self._tools:
            return np.zeros(self.width, np.bool_)
        agreed, counted = self._agreement(self._kind[i])
        return self._tools[call.name].spread(agreed == counted, self.width)

    def times_asked(self, times: Sequence[int]) -> Numbers:
        """How often each made call is asked for, where what agrees with call i is wanted `times[i]` times."""
        asked = np.zeros(self.width, np.int32)
        for i, most in enumerate(times):
            asked += most * self.fits(i).astype(np.int32)
        return asked

    def names_fit(self, i: int) -> Flags:
        """Whether expected call i has the name of each made call."""
        found = np.zeros(self.width, np.bool_)
        if self._wanted[i].name in self._tools:
            found[self._tools[self._wanted[i].name].places] = True
        return found

    def near(self, i: int) -> int:
        """The made calls that expected call i fits, as the bits of a number."""
        return int.from_bytes(np.packbits(self.fits(i), bitorder="little").tobytes(), "little")

    def _work_out(self, i: int) -> tuple[Numbers, Numbers]:
        call = self._wanted[i]
        return self._tools[call.name].agreement(call)


class _Looks:
    """Counts how many pairs of values argument rules have looked at."""

    def __init__(self) -> None:
        self._count = 0

    def add(self, count: int) -> None:
        self._count += count
        if self._count > _MOST_LOOKS:
            raise TooSlow(f"cannot tell: the argument rules would have to look at more than {_MOST_LOOKS:,} values")


class _Numbering:
    """Numbers for values: equal JSON, equal number."""

    def __init__(self) -> None:
        self._numbers: dict[str | bytes, int] = {}
        self.values: list[JsonValue] = []

    def number(self, value: JsonValue) -> int:
        """The number of a value, a new one where it was not met before."""
        key = _key(value)
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.values)
            self.values.append(value)
        return found

    def known(self, value: JsonValue) -> int:
        """The number of a value that was met before."""
        return self._numbers.get(_key(value), _ELSEWHERE)


def _key(value: JsonValue) -> str | bytes:
    return value if type(value) is str else canonical_of(value)


class _Argument:
    """One argument of one tool: which value each kind of call has."""

    def __init__(self, kinds: int) -> None:
        self.numbering = _Numbering()
        self.numbers: Numbers = np.full(kinds, _NOT_THERE, np.int32)
        self.found: dict[tuple[int, int], Flags] = {}
        """What rules say of each value, by node and by number of the expected value."""


class _Tool:
    """The made calls of one tool: their places, what kinds there are, and the arguments of each kind."""

    def __init__(self, places: Sequence[int], texts: Sequence[bytes], mode: str, looks: _Looks) -> None:
        numbers: dict[bytes, int] = {}
        self.places = np.array(places, np.intp)
        self._kinds = np.array([numbers.setdefault(text, len(numbers)) for text in texts], np.intp)
        self._all_differ = len(numbers) == len(texts)
        self._mode = mode
        self._looks = looks
        self._whole = _Argument(len(numbers))
        """What is no object, compared as a whole."""
        self._arguments: dict[str, _Argument] = {}
        self._sizes: Numbers = np.zeros(len(numbers), np.int32)
        self._shared: dict[tuple[str, ...], Numbers] = {}
        for kind, value in enumerate(args_values(list(numbers))):
            self._add(kind, value, len(numbers))

    def _add(self, kind: int, value: JsonValue, kinds: int) -> None:
        if not isinstance(value, dict):
            self._whole.numbers[kind] = self._whole.numbering.number(value)
            return
        self._sizes[kind] = len(value)
        for name, inner in value.items():
            argument = self._arguments.get(name)
            if argument is None:
                argument = self._arguments[name] = _Argument(kinds)
            argument.numbers[kind] = argument.numbering.number(inner)

    def spread(self, of_kinds: NDArray[_Each], width: int) -> NDArray[_Each]:
        """What is said of each kind of call, for each made call; nothing for those of other tools."""
        of_calls = of_kinds if self._all_differ else of_kinds[self._kinds]
        if len(self.places) == width:
            return of_calls
        spread = np.zeros(width, of_kinds.dtype)
        spread[self.places] = of_calls
        return spread

    def agreement(self, call: Wanted) -> tuple[Numbers, Numbers]:
        """How many arguments agree, of how many, for each kind of call."""
        kinds = len(self._sizes)
        if self._mode == "ignore":
            return np.ones(kinds, np.int32), np.ones(kinds, np.int32)
        (value,) = args_values([call.args])
        no_object = self._whole.numbers != _NOT_THERE
        if not isinstance(value, dict):
            same = self._whole.numbers == self._whole.numbering.known(value)
            return (same & no_object).astype(np.int32), np.ones(kinds, np.int32)
        rules = (call.rules if self._mode == "rules" else None) or STRICT
        agreed, counted = self._strictly(value) if rules is STRICT else self._by_rules(value, rules)
        agreed[no_object], counted[no_object] = 0, 1
        return agreed, counted

    def _strictly(self, value: dict[str, JsonValue]) -> tuple[Numbers, Numbers]:
        agreed: Numbers = np.zeros(len(self._sizes), np.int32)
        for name, inner in value.items():
            argument = self._arguments.get(name)
            if argument is not None:
                agreed += argument.numbers == argument.numbering.known(inner)
        if self._mode == "superset":
            return agreed, np.full(len(agreed), len(value), np.int32)
        if self._mode == "subset":
            return agreed, self._sizes.copy()
        return agreed, self._sizes + np.int32(len(value)) - self._shared_names(tuple(value))

    def _shared_names(self, names: tuple[str, ...]) -> Numbers:
        """How many of these arguments each kind of call has."""
        found = self._shared.get(names)
        if found is None:
            found = np.zeros(len(self._sizes), np.int32)
            for name in names:
                if name in self._arguments:
                    found += self._arguments[name].numbers != _NOT_THERE
            self._shared[names] = found
        return found

    def _by_rules(self, value: dict[str, JsonValue], rules: ToolRules) -> tuple[Numbers, Numbers]:
        """`ToolRules.agreement` with each kind of call."""
        kinds = len(self._sizes)
        agreed: Numbers = np.zeros(kinds, np.int32)
        counted: Numbers = np.zeros(kinds, np.int32)
        for name in {**value, **self._arguments, **rules.args.keys}:
            node = rules.args.keys.get(name)
            argument = self._arguments.setdefault(name, _Argument(kinds))
            is_given = argument.numbers != _NOT_THERE
            skipped = [rules.is_skipped(node, name in value, given) for given in (False, True)]
            looked_at = ~np.where(is_given, skipped[True], skipped[False])
            good = self._accepted(argument, node, value.get(name, ABSENT))
            counts = looked_at & (is_given | (name in value) | ~good)
            counted += counts
            agreed += counts & good
        return agreed, counted

    def _accepted(self, argument: _Argument, node: Node | None, expected: Value) -> Flags:
        """For each kind of call, whether its value does for the expected one."""
        number = _NOT_THERE if expected is ABSENT else argument.numbering.known(expected)
        if node is None:
            same: Flags = argument.numbers == number
            return same
        key = (id(node), number)
        found = argument.found.get(key) if number != _ELSEWHERE else None
        if found is None:
            found = np.array(list(self._looked_at(argument, node, expected)), np.bool_)
            if number != _ELSEWHERE:
                argument.found[key] = found
        accepted: Flags = found[argument.numbers]
        return accepted  # an absent argument, numbered -1, stands last

    def _looked_at(self, argument: _Argument, node: Node, expected: Value) -> Iterator[bool]:
        self._looks.add(len(argument.numbering.values) + 1)
        for value in argument.numbering.values:
            yield holds(node, expected, value)
        yield holds(node, expected, ABSENT)


RowOf: TypeAlias = Callable[[int], Credits]
"""Gives a row of credits by its number."""

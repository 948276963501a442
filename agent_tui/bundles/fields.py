"""The fields of a run that can be filtered and sorted by, by name; each answers for a row and for all of them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, Protocol, TypeAlias

from agent_tui.bundles import masks
from agent_tui.bundles.bundle import Bundle
from agent_tui.bundles.orders import ranks_of
from agent_tui.errors import UnknownName
from agent_tui.matchers import CAUSES, LADDER
from agent_tui.runs import State
from agent_tui.scoring import MEASURES
from agent_tui.scoring.columns import Reasons, text_bytes
from agent_tui.scoring.scorecard import GAP_MATCHERS
from agent_tui.scoring.table import FACTS, FIGURES, OUTPUT_STATES
from agent_tui.scoring.weak_paths import reasons_for

Value: TypeAlias = str | float | None
"""None is not known: it fits no comparison and is sorted last."""

Meanings: TypeAlias = Mapping[str, Collection[str]]
"""Words that can be asked for, in small letters, and the values that each means."""

Ranks: TypeAlias = Callable[[Sequence[str | None]], Sequence[float]]
"""The place of each of some texts in order."""

UNSCORED, NOT_AVAILABLE = "unscored", "n/a"
"""What a recorded score or a figure equals where it is no number."""
_BLOCK = 1 << 16
"""Rows whose ids are looked through at a time."""


class Question(Protocol):
    """What a filter asks of a field."""

    def holds(self, value: Value) -> bool:
        """Whether it is true of a value."""
        ...

    def hold(self, texts: Sequence[str | None]) -> list[bool]:
        """Of which of many texts it is true."""
        ...

    def numbers(self, column: Any) -> bytes | None:
        """The rows of a column of numbers of which it is true; None where that can only be told one by one."""
        ...

    @property
    def sought(self) -> str | None:
        """The text that is sought, whatever its case; None where it is another question."""
        ...


class Field(Protocol):
    """The values of a field."""

    @property
    def meanings(self) -> Meanings | None:
        """The words that a value may be compared with, and the values that each means; None where any text may be."""
        ...

    def __call__(self, row: int) -> Value: ...

    def mask(self, question: Question) -> bytes:
        """The rows of whose value a question is true."""
        ...

    def order(self, rows: Sequence[int], *, descending: bool) -> array[int]:
        """`rows` by value; what is not known, or is no number among numbers, comes last in both directions."""
        ...


class Coded:
    """A field of few different texts: a number a row, and what each number means; `ranks` puts these in order."""

    def __init__(
        self, codes: Any, values: Sequence[str | None], ranks: Ranks = ranks_of, meanings: Meanings | None = None
    ) -> None:
        self._codes, self._values, self._ranks, self.meanings = codes, values, ranks, meanings

    def __call__(self, row: int) -> Value:
        code: int = self._codes[row]
        return self._values[code]

    def mask(self, question: Question) -> bytes:
        """See `Field`."""
        holds = question.hold(self._values)
        return (
            masks.by_byte(self._codes, holds) if isinstance(self._codes, bytes) else masks.by_code(self._codes, holds)
        )

    def order(self, rows: Sequence[int], *, descending: bool) -> array[int]:
        """See `Field`."""
        return masks.in_order(masks.taken(self._ranks(self._values), self._codes), rows, descending=descending)


class Figure:
    """A field of numbers; NaN is not known. `reasons` say of a recorded score why it is none."""

    def __init__(self, column: Any, reasons: Reasons | None = None, kind: type[float] = float) -> None:
        self._column, self._reasons, self._kind = column, reasons, kind
        self.meanings: Meanings = _named(() if reasons is None else reasons.WORDS)

    def __call__(self, row: int) -> Value:
        reason = None if self._reasons is None else self._reasons.get(row)
        value = self._column[row]
        return reason if reason is not None else None if value != value else self._kind(value)

    def mask(self, question: Question) -> bytes:
        """See `Field`."""
        numbers = question.numbers(self._column)
        if numbers is None:
            return masks.by_row(range(len(self._column)), lambda row: question.holds(self(row)))
        if self._reasons is not None:
            holds = [False, *question.hold(self._reasons.WORDS[1:])]
            return masks.either(numbers, masks.by_byte(bytes(self._reasons.codes), holds))
        return masks.either(numbers, masks.unknown(self._column)) if question.holds(None) else numbers

    def order(self, rows: Sequence[int], *, descending: bool) -> array[int]:
        """See `Field`."""
        return masks.in_order(self._column, rows, descending=descending)


class Told:
    """A field that only the row itself tells."""

    meanings: Meanings | None = None

    def __init__(self, bundle: Bundle, value: Callable[[int], Value]) -> None:
        self._bundle, self._value = bundle, value

    def __call__(self, row: int) -> Value:
        return self._value(row)

    def mask(self, question: Question) -> bytes:
        """See `Field`."""
        return masks.by_row(range(len(self._bundle)), lambda row: question.holds(self._value(row)))

    def order(self, rows: Sequence[int], *, descending: bool) -> array[int]:
        """See `Field`."""
        values = {row: self._value(row) for row in rows}
        known = [row for row, value in values.items() if value is not None]
        ordered = sorted(known, key=lambda row: values[row], reverse=descending)  # type: ignore[arg-type,return-value]
        return array("I", [*ordered, *(row for row, value in values.items() if value is None)])


class Counted:
    """How many calls failed: counted where it was not, once more than the value of a single row is asked for."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle, self.meanings = bundle, _named(())

    def __call__(self, row: int) -> Value:
        return float(self._bundle.errors(row))

    def _column(self) -> Figure:
        for _ in self._bundle.count_errors():
            pass
        return Figure(self._bundle.errors_of_all)

    def mask(self, question: Question) -> bytes:
        """See `Field`."""
        return self._column().mask(question)

    def order(self, rows: Sequence[int], *, descending: bool) -> array[int]:
        """See `Field`."""
        return self._column().order(rows, descending=descending) if len(rows) else array("I")


class Called(Told):
    """What runs are called: looked through as one text where every name is an id."""

    def __init__(self, bundle: Bundle) -> None:
        super().__init__(bundle, bundle.names.name)

    def mask(self, question: Question) -> bytes:
        """See `Field`."""
        sought, ids = question.sought, self._bundle.table.ids
        if sought is None or not sought.isascii() or not self._bundle.names.are_ids:
            return super().mask(question)
        found, kept = bytearray(), text_bytes(sought)
        for low in range(0, len(ids), _BLOCK):
            high = min(low + _BLOCK, len(ids))
            block = ids.lowered(low, high) if kept else None
            if block is None:
                return super().mask(question)
            found += masks.holding(block, high - low, kept)
        return bytes(found)

    def order(self, rows: Sequence[int], *, descending: bool) -> array[int]:
        """See `Field`."""
        if not self._bundle.names.are_ids:
            return super().order(rows, descending=descending)
        return self._bundle.orders.rows(self._bundle.table.ids, rows, descending=descending)


_WORTH_PREPARING = 100_000
"""Rows from which on putting ids in order takes longer than a key may."""


def prepare(bundle: Bundle, least: int = _WORTH_PREPARING) -> None:
    """Load numpy, and put the ids and tasks of `least` runs or more in order before somebody asks; a thread's work."""
    masks.load_numpy()
    if bundle.is_complete and len(bundle) >= least and masks.numpy_if_loaded() is not None:
        bundle.orders.ranks(bundle.table.tasks.words, patiently=True)
        if bundle.names.are_ids:
            bundle.orders.prepare(bundle.table.ids)


def gap_matchers(bundle: Bundle, row: int, measure: str) -> tuple[str, ...]:
    """The weaker matchers that pass a run which `measure` fails."""
    table = bundle.table
    if table.state(row, measure) is not State.FAIL:
        return ()
    return tuple(name for name in GAP_MATCHERS if name != measure and table.state(row, name) is State.PASS)


def _gaps(bundle: Bundle, measure: str) -> Coded:
    """Which weaker matchers pass a run, a bit each."""
    table, names = bundle.table, [name for name in GAP_MATCHERS if name != measure]
    fails = table.column(measure).translate(_only(State.FAIL, 0xFF))
    codes = bytes(len(table))
    for place, name in enumerate(names):
        codes = masks.either(codes, table.column(name).translate(_only(State.PASS, 1 << place)))
    sets = product((False, True), repeat=len(names))
    values = [", ".join(name for name, passes in zip(names, reversed(each), strict=True) if passes) for each in sets]
    return Coded(masks.both(codes, fails), [value or None for value in values], meanings=_listed(values))


def _weak(bundle: Bundle) -> Coded:
    """Why runs are weak paths."""
    table = bundle.table
    success = table.column("task_success").translate(bytes(min(code << 3, 255) for code in range(256)))
    matches = table.fact_column("matches_reference").translate(bytes(min(code << 1, 255) for code in range(256)))
    redundant = masks.by_number(table.redundancy, ">", 0)
    values = [reasons_for(code >> 3, code >> 1 & 3, code & 1) if code >> 1 & 3 < 3 else () for code in range(64)]
    codes = masks.either(masks.either(success, matches), redundant)
    said = [", ".join(each) or None for each in values]
    return Coded(codes, said, meanings=_listed(said))


def _only(state: State, byte: int) -> bytes:
    """A table that makes a byte of one state and 0 of all others."""
    return bytes(byte if code == state else 0 for code in range(256))


def field_names(bundle: Bundle) -> list[str]:
    """Every field there is; a recorded score with the name of another field is `score.NAME`."""
    twice = names_of_two(bundle)
    scores = [f"score.{name}" if name in twice else name for name in bundle.table.scores]
    return [*_FIXED, *MEASURES, *FIGURES, *FACTS, *scores]


def names_of_two(bundle: Bundle) -> list[str]:
    """Recorded scores with the name of a field of ours, which the plain name means."""
    ours = {*_FIXED, *MEASURES, *FIGURES, *FACTS}
    return [name for name in bundle.table.scores if name in ours or name.replace("-", "_") in MEASURES]


def field(bundle: Bundle, name: str, measure: str) -> Field:
    """The values of a field; `measure` is the active one. Raises `UnknownName`."""
    table = bundle.table
    plain = name.removeprefix("score.")
    if name in _FIXED:
        return _FIXED[name](bundle, measure)
    if name.replace("-", "_") in MEASURES:
        return _verdict(bundle, name.replace("-", "_"))
    if name in FIGURES:
        return Figure(table.figures[name])
    if name in FACTS:
        return Coded(table.fact_column(name), ("no", "yes", None), meanings=_named(("no", "yes")))
    if plain in table.scores:
        return Figure(table.scores[plain], table.unusable[plain])
    raise UnknownName("field", name, field_names(bundle))


_STATES = [state.word for state in State]
_OUTPUTS = {
    "pass": ("correct",),
    "fail": ("wrong", "no_answer"),
    "incorrect": ("wrong", "no_answer"),
    "error": ("run_error",),
    NOT_AVAILABLE: ("unscoreable", "pending"),
}
"""What else of an answer can be asked for: what the scorecard counts as incorrect, and the words of all verdicts."""


def _named(values: Iterable[str | None]) -> Meanings:
    """Each value by its own name, as it is recorded and as the table shows it; two may differ only in their case."""
    found: dict[str, set[str]] = {}
    for value in filter(None, values):
        for word in (value.casefold(), value.casefold().replace("_", "-")):
            found.setdefault(word, set()).add(value)
    return found


def _listed(values: Iterable[str | None]) -> Meanings:
    """Each value by its own name, and by that of each thing that it lists."""
    found = {word: set(meant) for word, meant in _named(values).items()}
    for value in filter(None, values):
        for name in value.casefold().split(", "):
            for word in (name, name.replace("_", "-")):
                found.setdefault(word, set()).add(value)
    return found


def _verdict(bundle: Bundle, measure: str) -> Field:
    table = bundle.table
    if measure == "output":
        return Coded(bytes(table.outputs), OUTPUT_STATES, meanings={**_named(OUTPUT_STATES), **_OUTPUTS})
    column = table.column(measure)
    if State.PENDING not in column:
        return Coded(column, _STATES, meanings=_named(_STATES))
    words = table.statuses.words
    codes = [len(State) + status if state == State.PENDING else state for state, status in _pairs(column, bundle)]
    return Coded(array("I", codes), [*_STATES, *words], meanings=_named([*_STATES, *words]))


def _pairs(column: bytes, bundle: Bundle) -> zip[tuple[int, int]]:
    return zip(column, bundle.table.statuses.rows, strict=True)


_FIXED: dict[str, Callable[[Bundle, str], Field]] = {
    "row": lambda bundle, _: Figure(range(1, len(bundle) + 1)),
    "id": lambda bundle, _: Called(bundle),
    "task": lambda bundle, _: Coded(bundle.table.tasks.rows, bundle.table.tasks.words, bundle.orders.ranks),
    "epoch": lambda bundle, _: Figure(bundle.table.epochs),
    "model": lambda bundle, _: Coded(bundle.table.models.rows, bundle.table.models.words, bundle.orders.ranks),
    "agent": lambda bundle, _: Coded(bundle.table.agents.rows, bundle.table.agents.words, bundle.orders.ranks),
    "status": lambda bundle, _: Coded(bundle.table.statuses.rows, bundle.table.statuses.words),
    "verdict": _verdict,
    "cause": lambda bundle, _: Coded(bytes(bundle.table.causes), (None, *CAUSES), meanings=_named(CAUSES)),
    "strictest": lambda bundle, _: Coded(bytes(bundle.table.rungs), (None, *LADDER), meanings=_named(LADDER)),
    "gap": _gaps,
    "weak": lambda bundle, _: _weak(bundle),
    "finding": lambda bundle, _: Coded(bundle.table.findings.rows, bundle.table.findings.words),
    "calls": lambda bundle, _: Figure(bundle.table.calls),
    "errors": lambda bundle, _: Counted(bundle),
    "redundancy": lambda bundle, _: Figure(bundle.table.redundancy, kind=int),
}

"""What is open and how it is looked at: no terminal in it, so it is tested without one."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from agent_tui.bundles import Bundle, masks
from agent_tui.bundles.fields import gap_matchers
from agent_tui.matchers import MATCHERS
from agent_tui.runs import State
from agent_tui.scoring import LEVELS, Scorecard, Tally
from agent_tui.scoring.counts import COUNTED, seen

if TYPE_CHECKING:
    from agent_tui.bundles.journal import Journal, Pending
    from agent_tui.bundles.ledger import Change
    from agent_tui.bundles.patch import Patch
    from agent_tui.bundles.search import Hit
    from agent_tui.bundles.what_if import WhatIf
    from agent_tui.runs.edits import Edit
    from agent_tui.scoring.noticed import Effect
    from agent_tui.scoring.sweep import Sweep
    from agent_tui.tui.arrival import Arrival
    from agent_tui.tui.judge.facts import JudgeFacts
    from agent_tui.tui.seeking import Seeking
    from agent_tui.workers.course import Course

CYCLE = (
    "exact",
    "name_only",
    "order_ignored",
    "in_order",
    "any_order",
    "subset",
    "exact_groups",
    "required_tools",
    "forbidden_tools",
)
"""The matchers in the order in which they are toggled."""
assert set(CYCLE) == set(MATCHERS)

_ORDERED = 100_000
"""Rows up to which putting them in order is short work at any time."""
_DIVERGENT = (State.PASS, State.FAIL)


class Toggle(Struct, frozen=True):
    """One measure taken for another: both tallies and the rows whose verdict differs."""

    before: Tally
    after: Tally
    moved: Sequence[int]


class Shift(Struct, frozen=True):
    """The last change, undoing or reading anew: what noticed it, and what stood there before. Shown until the next."""

    effect: Effect
    before: Scorecard | None
    """None once more runs came: what differs would not be the change's."""
    was: Mapping[int, bytes]
    """For rows that were shown otherwise: a `State` code for each of COUNTED."""

    def state(self, row: int, measure: str) -> State | None:
        """What a measure said of a row before; None where it says the same or the row is another."""
        states = self.was.get(row)
        return None if states is None or measure not in COUNTED else State(states[COUNTED.index(measure)])


class Session(Struct, eq=False):
    """A bundle under a measure, a filter, an order and a search; rows are shown by position, named by number."""

    bundle: Bundle
    measure: str = "exact"
    weights: dict[str, float] | None = None
    filter_text: str = ""
    sort_field: str = ""
    descending: bool = False
    needle: str = ""
    moved: masks.RowSet = masks.NO_ROWS
    """Rows that the last toggle moved, until the next key."""
    only: tuple[int, ...] | None = None
    """The only rows to show, in this order, where a sweep or a judge led here; a filter takes their place."""
    only_said: str = ""
    """What these rows are."""
    judge: JudgeFacts | None = None
    """What may be seen of a judge; None where none was validated."""
    labels: Mapping[int, str] = field(default_factory=dict)
    """What people said of runs, by row; empty before anybody asked for it."""
    shift: Shift | None = None
    journal: Journal | None = None
    """What keeps the changes; given once the bundle is complete."""
    course: Course | None = None
    """How reading a large bundle goes."""
    is_stopped: bool = False
    """Whether somebody stopped reading before everything was read."""
    arrival: Arrival | None = None
    """How much has come by pipes; None where nothing comes by one."""
    follows_from: int | None = None
    """How many runs there were when following began; None where the cursor stays where it is."""
    grows: bool = False
    """Whether more runs have come since everything was read."""
    _what_if: WhatIf | None = None
    _sweep: Sweep | None = None
    _card: Scorecard | None = None
    _shown: array[int] | None = None
    _arranged: int = 0
    """How many runs there were when it was computed which are shown."""
    _hits: tuple[tuple[str, int, bytes | None], list[Hit]] | None = None

    @property
    def why_not_whole(self) -> str:
        """What there is to wait for, where not all runs are read."""
        return "reading is stopped: r reads on" if self.is_stopped else "wait until all runs are read"

    @property
    def card(self) -> Scorecard:
        """The scorecard under the active measure; while the bundle is read or grows, as of the last `count_again`."""
        card = self._card
        if card is None or (self.bundle.is_complete and not self.grows) or card.measure != self.measure:
            card = self._card = self.bundle.scorecard(self.measure, self.weights)
        return card

    def count_again(self) -> None:
        """Let the scorecard be of all that has been read by now."""
        self._card = None

    def grew(self) -> None:
        """More runs are at the end of the bundle."""
        self.grows, self._sweep = True, None
        if self._what_if is not None:
            self._what_if.grew()
        if self.shift is not None and self.shift.before is not None:
            self.shift = replace(self.shift, before=None)

    # Which rows, in which order

    def __len__(self) -> int:
        return len(self.bundle) if self._shown is None else len(self._shown)

    @property
    def over(self) -> int:
        """How many runs those that are shown are taken of: while runs come, as of the last `rearrange`."""
        return len(self.bundle) if self._shown is None else self._arranged

    def row_at(self, position: int) -> int:
        """The row number at a position of what is shown."""
        return position if self._shown is None else self._shown[position]

    def position_of(self, row: int) -> int | None:
        """Where a row is shown; None where the filter hides it."""
        if self._shown is None:
            return row if row < len(self.bundle) else None
        if self.sort_field or self.only is not None:
            with suppress(ValueError):
                return self._shown.index(row)
            return None
        position = bisect_left(self._shown, row)
        return position if position < len(self._shown) and self._shown[position] == row else None

    def rearrange(self) -> None:
        """Compute anew which rows are shown, after the bundle, the filter, the order or the measure changed."""
        self._arranged = len(self.bundle)
        if not self.is_filtered and not self.sort_field:
            self._shown = None
            return
        from agent_tui.bundles.query import kept_rows, sorted_rows

        rows: Sequence[int] = range(len(self.bundle)) if self.only is None else self.only
        if self.filter_text:
            rows = kept_rows(self.bundle, self.filter_text, self.measure)
        if self.sort_field:
            rows = sorted_rows(self.bundle, rows, self.sort_field, self.measure, descending=self.descending)
        self._shown = rows if isinstance(rows, array) else array("I", rows)

    @property
    def is_soon_arranged(self) -> bool:
        """Whether only some rows are shown, or in an order, and to compute which is no long work while more come."""
        if not self.is_filtered and not self.sort_field:
            return False
        from agent_tui.bundles.query import counts_errors

        asks_errors = self.sort_field == "errors" or counts_errors(self.filter_text)
        return not asks_errors and (not self.sort_field or len(self.bundle) < _ORDERED)

    def set_filter(self, text: str) -> None:
        """Show only what a filter expression keeps; an empty one shows all. Raises `BadExpression`."""
        if text:
            from agent_tui.bundles.query import parse_filter

            parse_filter(self.bundle, text, self.measure)
        self.filter_text, self.only = text, None
        self.rearrange()

    def show_only(self, rows: tuple[int, ...], said: str = "the runs behind a cell") -> None:
        """Show some rows in an order of their own, until the next filter; `said` is what they are."""
        self.filter_text, self.sort_field, self.only, self.only_said = "", "", rows, said
        self.rearrange()

    @property
    def is_filtered(self) -> bool:
        """Whether some runs are hidden."""
        return bool(self.filter_text) or self.only is not None

    def set_sort(self, name: str, *, descending: bool = False) -> None:
        """Show rows by a field; an empty name is the order of the file. Raises `UnknownName`."""
        if name:
            from agent_tui.bundles.query import sorted_rows

            sorted_rows(self.bundle, (), name, self.measure)
        self.sort_field, self.descending = name, descending
        self.rearrange()

    # Measures

    def cycle(self) -> tuple[str, ...]:
        """The measures that toggle: the matchers that know something of some run, else the levels."""
        known = tuple(name for name in CYCLE if self._is_known(name))
        if not known:
            known = tuple(name for name in ("task_success", "output", *LEVELS[1:]) if self._is_known(name))
        return known if self.measure in known else (self.measure, *known)

    def _is_known(self, measure: str) -> bool:
        tally = self.card.tallies[measure]
        return bool(tally.scored or tally.errors or tally.vacuous)

    def toggle(self, step: int = 1) -> Toggle:
        """Take the next (or previous) measure for the active one."""
        names = self.cycle()
        return self.take(names[(names.index(self.measure) + step) % len(names)])

    def take(self, measure: str) -> Toggle:
        """Make `measure` the active one; the rows whose verdict differs are marked."""
        table = self.bundle.table
        before, after = table.column(self.measure), table.column(measure)
        mask = masks.differing(before, after)
        tallies = self.card.tallies
        toggle = Toggle(tallies[self.measure], tallies[measure], masks.rows_of(mask))
        self.measure = measure
        self.moved = masks.RowSet(mask)
        if "verdict" in self.filter_text or "gap" in self.filter_text or self.sort_field in ("verdict", "gap"):
            self.rearrange()
        return toggle

    def unmark(self) -> None:
        """Forget which rows the last toggle moved."""
        self.moved = masks.NO_ROWS

    # What-if: rows keep their places, whatever a change makes of a filter or an order; the next one arranges them anew

    @property
    def what_if(self) -> WhatIf:
        """The changes of this bundle."""
        if self._what_if is None:
            from agent_tui.bundles.what_if import WhatIf

            self._what_if = WhatIf(self.bundle, self.journal)
        return self._what_if

    @property
    def changes(self) -> int:
        """How many changes are shown (a count)."""
        return self._what_if.position if self._what_if is not None else 0

    @property
    def shown_changes(self) -> Sequence[Change]:
        """The changes that are shown."""
        return self._what_if.ledger.shown if self._what_if is not None else ()

    @property
    def sweep(self) -> Sweep:
        """The mutation sweep of the runs as they are shown now: begun once, and anew after a change."""
        if self._sweep is None:
            from agent_tui.scoring.sweep import Sweep

            self._sweep = Sweep()
        return self._sweep

    def change(self, row: int, *edits: Edit) -> Change:
        """Make edits in a run. Raises `BadEdit`, and then nothing has changed."""
        made: list[Change] = []
        self._shift((row,), lambda: made.append(self.what_if.change(row, *edits)))
        return made[0]

    def go_to_change(self, position: int) -> None:
        """Show the first `position` changes. Raises `BadEdit` where there are not as many."""
        what_if = self.what_if
        rows = what_if.ledger.records_at(position) if 0 <= position <= len(what_if.ledger) else ()
        self._shift(rows, lambda: what_if.go_to(position))

    def read_again(self, what_if: WhatIf, shift: Shift) -> Session:
        """This session over a bundle that was read again: looked at the same way, with the changes that still fit."""
        from agent_tui.bundles.journal import Journal

        journal = what_if.journal if isinstance(what_if.journal, Journal) else None
        return replace(
            self,
            bundle=what_if.bundle,
            journal=journal,
            shift=shift,
            moved=masks.NO_ROWS,
            only=None,
            grows=False,
            follows_from=None if self.follows_from is None else len(what_if.bundle),
            _what_if=what_if,
            _sweep=None,
            _card=None,
            _shown=None,
            _hits=None,
        )

    def take_up(self, pending: Pending) -> None:
        """Make the changes again that were left. Raises `BadPatch` where they do not fit: then nothing has changed."""
        journal = self.journal
        assert journal is not None
        runs = {edit.run for change in pending.changes for edit in change}
        self._shift_all(self._rows_of(runs), lambda: journal.take_up(self.what_if, pending))

    def count_changes(self) -> tuple[int, int]:
        """How many changes there are, be they shown or undone, and how many are shown."""
        return (0, 0) if self._what_if is None else (len(self._what_if.ledger), self._what_if.position)

    @property
    def was_changed(self) -> bool:
        """Whether there are changes, be they shown or undone."""
        return self.count_changes() != (0, 0)

    def go_on(self, before: Session) -> None:
        """Make the changes of a session over the same runs again. Raises `BadEdit`: then nothing has changed."""
        what_if, ledger = self.what_if, before.what_if.ledger
        rows = {row for change in ledger for row in change.before}
        what_if.journal = None
        try:
            self._shift_all(rows, lambda: what_if.make_again(ledger))
        finally:
            what_if.journal = self.journal
        if self.journal is not None and before.journal is not None:
            self.journal.go_on(before.journal)

    def apply_patch(self, patch: Patch) -> None:
        """Make the changes of a patch. Raises `BadPatch`, and then nothing has changed."""
        from agent_tui.bundles.patch import apply_patch

        rows = self._rows_of({edit.run for edit in patch.edits})
        self._shift_all(rows, lambda: apply_patch(self.what_if, patch))

    def _rows_of(self, names: Iterable[str]) -> list[int]:
        """The rows of runs by name; whoever makes the changes says which are not there."""
        rows = map(self.bundle.names.named, names)
        return [row for row in rows if row is not None]

    def _shift_all(self, rows: Iterable[int], step: Callable[[], object]) -> None:
        """Make several changes in a step, and look at what noticed them together."""
        self.count_again()
        before, was = self.card, {row: seen(self.bundle.table, row).states for row in rows}
        step()
        self.count_again()
        self.shift = Shift(self.what_if.effect(), before, was)

    def _shift(self, rows: Iterable[int], step: Callable[[], object]) -> None:
        self.count_again()
        what_if, table, before = self.what_if, self.bundle.table, self.card
        was = {row: seen(table, row).states for row in rows}
        step()
        assert what_if.last is not None
        self.count_again()
        self.shift = Shift(what_if.last, before, was)
        self._sweep = None
        self.moved = masks.NO_ROWS

    # Going places; positions in, positions out

    def next_failure(self, position: int, step: int) -> int | None:
        """The next shown row that the active measure fails, round the end; None where there is none."""
        column = self.bundle.table.column(self.measure)
        return self._next(position, step, lambda row: column[row] == State.FAIL)

    def next_divergence(self, position: int, step: int) -> int | None:
        """The next shown row on which measures disagree: a weaker matcher passes it, or success and path differ."""
        return self._next(position, step, self.diverges)

    def diverges(self, row: int) -> bool:
        """Whether the measures disagree about a row."""
        table = self.bundle.table
        success, exact = table.state(row, "task_success"), table.state(row, "exact")
        apart = success in _DIVERGENT and exact in _DIVERGENT and success is not exact
        return apart or bool(gap_matchers(self.bundle, row, "exact"))

    def _next(self, position: int, step: int, fits) -> int | None:  # type: ignore[no-untyped-def]
        count = len(self)
        for distance in range(1, count + 1):
            candidate = (position + step * distance) % count
            if fits(self.row_at(candidate)):
                return candidate
        return None

    def hits(self, row: int) -> list[Hit]:
        """Places of a row that hold what is searched for; those of the last row asked about are kept."""
        if not self.needle:
            return []
        from agent_tui.bundles.search import search_run
        from agent_tui.tui.needles import as_recorded

        key = (self.needle, row, self.bundle.version(row))
        if self._hits is None or self._hits[0] != key:
            self._hits = (key, search_run(self.bundle, row, as_recorded(self.needle)))
        return self._hits[1]

    def keep_hits(self, row: int, hits: list[Hit]) -> None:
        """Know the places of a row from whoever looked for them."""
        self._hits = ((self.needle, row, self.bundle.version(row)), hits)

    def seeking(self, position: int) -> Seeking:
        """A search for what is searched for in all shown runs, from a position on."""
        from agent_tui.tui.needles import as_recorded
        from agent_tui.tui.seeking import Seeking

        return Seeking(self.bundle, self._shown, as_recorded(self.needle), position)

    def is_of_now(self, seeking: Seeking) -> bool:
        """Whether a search is for what is searched for now, in the runs that are shown now."""
        from agent_tui.tui.needles import as_recorded

        is_same = seeking.bundle is self.bundle and seeking.shown is self._shown
        return is_same and seeking.needle == as_recorded(self.needle)

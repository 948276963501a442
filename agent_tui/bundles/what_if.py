"""A bundle shown otherwise than it was recorded: changes with what noticed each, undone and redone without limit.

    what_if = WhatIf(bundle)
    change = what_if.change(row, SetValue(parse_path("expected.calls[1].args.amount"), b"1400"))
    change.noticed[0].why                   R2: fail → pass
    what_if.undo()

What is shown is always the recorded runs with the first `position` changes of the ledger; undo is the shorter list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Protocol

import msgspec

from agent_tui.bundles.bundle import Bundle
from agent_tui.bundles.ledger import Change, Ledger, Made
from agent_tui.errors import BadEdit
from agent_tui.readers import Malformed, decode_run
from agent_tui.runs import Run
from agent_tui.runs.edits import Done, Edit, Move, SetValue, apply
from agent_tui.runs.json_values import JsonValue, parse
from agent_tui.runs.paths import Path, parse_path, spell_path
from agent_tui.scoring import Tally
from agent_tui.scoring.counts import Counts, Seen, seen
from agent_tui.scoring.noticed import Effect, Shown, effect_of

_IDENTITY = ("id", "task", "epoch", "model", "agent")


class Keeps(Protocol):
    """What keeps the changes, so that they outlive the program: see `journal`."""

    def changed(self, edits: Iterable[Made]) -> None: ...
    def went_to(self, position: int) -> None: ...


class WhatIf:
    """The only way in which a bundle is edited once it has been read."""

    def __init__(self, bundle: Bundle, journal: Keeps | None = None) -> None:
        self.bundle = bundle
        self.journal = journal
        self.ledger = Ledger()
        self.last: Effect | None = None
        """What noticed the last step, in whichever direction it went."""
        self._recorded: dict[int, Seen] = {}
        """What the measures say of each run that was ever changed, as it was recorded."""

    @cached_property
    def _counts(self) -> Counts:
        """The tallies of what is shown, from the first change on."""
        return Counts(self.bundle.totals)

    @cached_property
    def _recorded_tallies(self) -> Mapping[str, Tally]:
        """The tallies of what was recorded: asked for before the first change."""
        return self._counts.tallies

    @property
    def position(self) -> int:
        """How many changes are shown (a count)."""
        return self.ledger.position

    def grew(self) -> None:
        """More runs are in the bundle: count them in, as they are recorded."""
        self._counts, recorded = Counts(self.bundle.totals), Counts(self.bundle.totals)
        for row, was in self._recorded.items():
            recorded.move(seen(self.bundle.table, row), was)
        self._recorded_tallies = recorded.tallies

    def change(self, row: int, *edits: Edit) -> Change:
        """Make edits in one run, all or none. Raises `BadEdit`, and then nothing has changed."""
        return self.change_all((row, edit) for edit in edits)

    def change_all(self, edits: Iterable[tuple[int, Edit]]) -> Change:
        """Make edits in any runs as one change, all or none. Raises `BadEdit`, and then nothing has changed."""
        if not self.bundle.is_complete:
            raise BadEdit("the bundle is still being read: wait until all runs are there")
        drafts: dict[int, bytes] = {}
        made: list[Made] = []
        for row, edit in edits:
            drafts[row], done = apply(drafts.get(row, self.bundle.record(row)), edit)
            made.append(Made(row, self.bundle.names.name(row), done))
        if not made:
            raise BadEdit("a change needs an edit")
        before = {row: self.bundle.record(row) for row in drafts}
        change = Change(tuple(made), self._show(drafts), before, drafts)
        self.ledger.add(change)
        if self.journal is not None:
            self.journal.changed(made)
        return change

    def undo(self) -> Effect | None:
        """Take the last change back; None where none is shown."""
        return self.go_to(self.position - 1) if self.position else None

    def redo(self) -> Effect | None:
        """Make the last undone change again; None where there is none."""
        return self.go_to(self.position + 1) if self.position < len(self.ledger) else None

    def go_to(self, position: int) -> Effect:
        """Show the first `position` changes of the ledger. Raises `BadEdit` where there are not as many."""
        if not 0 <= position <= len(self.ledger):
            raise BadEdit(f"there is no change {position}: there are {len(self.ledger)}")
        effect = self._show(self.ledger.records_at(position))
        self.ledger.position = position
        if self.journal is not None:
            self.journal.went_to(position)
        return effect

    def make_again(self, ledger: Ledger) -> None:
        """Make the changes of the same runs that were made elsewhere, the undone ones too, all or none.

        Raises `BadEdit` where the runs are others.
        """
        try:
            for change in ledger:
                if not all(
                    row < len(self.bundle) and self.bundle.record(row) == was for row, was in change.before.items()
                ):
                    raise BadEdit(f"{', '.join(change.runs)}: what was changed is not there any more")
                self.change_all((made.row, made.done.edit) for made in change.edits)
        except BadEdit:
            self.go_to(0)
            self.ledger.forget()
            raise
        self.go_to(ledger.position)

    def revert_all(self) -> Effect:
        """Show what was recorded; redo brings the changes back."""
        return self.go_to(0)

    def effect(self) -> Effect:
        """What noticed all changes together, against what was recorded."""
        bundle = self.bundle
        rows = [row for row in sorted(self._recorded) if bundle.record(row) != bundle.place(row).text]
        shown = [self._shown(row, decode_run(bundle.place(row).text), self._recorded[row]) for row in rows]
        return effect_of(self._recorded_tallies, self._counts.tallies, shown)

    def _show(self, drafts: Mapping[int, bytes]) -> Effect:
        """Show drafts of runs, and say what noticed. Raises `BadEdit` before anything is shown."""
        bundle, table = self.bundle, self.bundle.table
        before = self._counts.tallies if self._recorded else self._recorded_tallies
        was = {row: (bundle.run(row), seen(table, row)) for row in drafts}
        runs = {row: self._decoded(row, draft, was[row][0]) for row, draft in drafts.items()}
        for row, draft in drafts.items():
            bundle.edit(row, draft, runs[row])
            self._recorded.setdefault(row, was[row][1])
        shown = [self._shown(row, *was[row]) for row in sorted(drafts)]
        for run in shown:
            self._counts.move(run.seen_before, run.seen_after)
        self.last = effect_of(before, self._counts.tallies, shown)
        return self.last

    def _shown(self, row: int, run: Run, before: Seen) -> Shown:
        bundle = self.bundle
        return Shown(bundle.names.name(row), run, bundle.run(row), before, seen(bundle.table, row))

    def _decoded(self, row: int, draft: bytes, was: Run) -> Run:
        name = self.bundle.names.name(row)
        try:
            run = decode_run(draft)
        except Malformed as error:
            raise BadEdit(f"{name} would be no run any more: {error.reason} @ {error.path}") from error
        for key in _IDENTITY:
            if getattr(run, key) != getattr(was, key):
                raise BadEdit(f"{name} would be another run: {key} says which run it is and cannot be changed")
        if _nameless(run) > _nameless(was):
            raise BadEdit(f"{name} would have a call without the name of a tool: take the call out instead")
        return run


def _nameless(run: Run) -> int:
    return sum(not call.name for call in run.calls or ())


def value_text(text: str) -> bytes:
    """The JSON text of a value given on a command line: JSON, or a string where it is not."""
    text = text.encode("utf-8", "replace").decode()
    try:
        parse(text)
    except ValueError:
        return msgspec.json.encode(text)
    return text.encode()


def path_of(text: str) -> Path:
    """The path that a text spells. Raises `BadEdit`."""
    try:
        return parse_path(text)
    except ValueError as error:
        raise BadEdit(f"{error}; write it as expected.calls[1].args.amount") from error


def set_value(path: str, value: str) -> SetValue:
    """The edit that a path and a value given as text mean. Raises `BadEdit`."""
    return SetValue(path_of(path), value_text(value))


def edit_object(run: str, done: Done) -> dict[str, object]:
    """An edit for JSON: run, path, the value before (null where the key is new) and after; `op` where it is no set."""
    return {
        "run": run,
        "path": spell_path(done.edit.path),
        **operation(done.edit),
        "from": None if done.before is None else _value(done.before),
        "to": None if done.after is None else _value(done.after),
    }


def operation(edit: Edit) -> dict[str, object]:
    """What an edit does, for JSON; nothing where it sets a value."""
    if isinstance(edit, SetValue):
        return {}
    by: dict[str, object] = {"by": edit.by} if isinstance(edit, Move) else {}
    return {"op": type(edit).__name__.lower(), **by}


def _value(text: bytes) -> JsonValue:
    """The value of a JSON text; one that no number can hold as it is written."""
    try:
        return parse(text)
    except ValueError:
        return text.decode("utf-8", "replace")

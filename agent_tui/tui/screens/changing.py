"""What-if on the main screen: the prompt for a value or a call, whole calls, undo and redo, writing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from rich.text import Text
from textual.widget import Widget

from agent_tui.errors import AgentTuiError, BadEdit
from agent_tui.readers.call_edits import duplicate_call, move_call, remove_call
from agent_tui.reports.figures import count
from agent_tui.runs.edits import Edit
from agent_tui.runs.paths import spell_path
from agent_tui.tui.editing import EXPECTED, MADE, EditedLines, Target, typed, typed_call
from agent_tui.tui.present.nodes import Key
from agent_tui.tui.present.words import safe, safe_name
from agent_tui.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from agent_tui.bundles.journal import Pending
    from agent_tui.bundles.ledger import Change
    from agent_tui.tui.screens.main import MainScreen

_BIG = 1_000_000
"""Bytes of a run from which its title does not say which side is meant: that would have to be read for each key."""


class _Place(Struct, frozen=True):
    """Where an answer of the prompt goes: a run, the line that the cursor was on, and what stands there."""

    row: int
    lines: EditedLines
    key: Key
    side: str
    target: Target | None = None


class Changing:
    """Asks for changes, makes them, and has the screen show what noticed."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self._chosen: str | None = None
        """The side that H chose; None: expected where the line has one."""
        self._place: _Place | None = None
        self._came_from: Widget | None = None
        self._lines: tuple[bytes, EditedLines] | None = None
        self._left: Pending | None = None
        """Changes of an earlier session that are offered."""
        self._told_trouble = False
        self._written: tuple[Change, ...] = ()
        """The changes that were written to a file."""

    @property
    def _prompt(self) -> Prompt:
        return self._screen.query_one(Prompt)

    # Which side

    def side(self, lines: EditedLines, key: Key) -> str:
        """The side that a change on a line is about."""
        if self._chosen is not None:
            return self._chosen
        sides = lines.calls(key) or {side: 0 for side, places in lines.places.items() if places}
        return MADE if sides and EXPECTED not in sides else EXPECTED

    def shown_side(self) -> str:
        """The side to say in the title; empty where no run is shown."""
        here = self._here(big=False)
        return "" if here is None else self.side(*here)

    def other_side(self) -> None:
        """Take the other side; where that is the one a line has anyway, leave it to the lines again."""
        here = self._here()
        if here is None:
            return
        wanted = MADE if self.side(*here) == EXPECTED else EXPECTED
        self._chosen = None
        self._chosen = None if self.side(*here) == wanted else wanted

    def _here(self, *, big: bool = True) -> tuple[EditedLines, Key] | None:
        """The run that is shown and the line under the cursor."""
        session, row, key = self._screen.session, self._screen.row, self._screen.reader.key()
        if row is None or key is None or not session.bundle.is_complete:
            return None
        record = session.bundle.record(row)
        if len(record) >= _BIG and not big:
            return None
        if self._lines is None or self._lines[0] != record:
            self._lines = (record, EditedLines(session.bundle, row))
        return self._lines[1], key

    def _require_here(self) -> tuple[int, EditedLines, Key, str]:
        """What is to be changed. A first change would take the place of those that are offered: refuse it."""
        if self._left is not None:
            raise BadEdit(f"first decide: {self.offered}")
        here, row = self._here(), self._screen.row
        if here is None or row is None:
            reading = not self._screen.session.bundle.is_complete
            raise BadEdit(self._screen.session.why_not_whole if reading else "no run is shown that could be changed")
        return row, *here, self.side(*here)

    # Asking

    def ask_value(self) -> None:
        """Ask for another value of what is under the cursor."""
        row, lines, key, side = self._require_here()
        target = lines.target(key, side)
        self._ask(_Place(row, lines, key, side, target), "edit", spell_path(target.path), target.literal)
        self._check(target.literal)

    def ask_call(self) -> None:
        """Ask for a call to add."""
        row, lines, key, side = self._require_here()
        label = "add an expected call" if side == EXPECTED else "add a call that was made"
        self._ask(_Place(row, lines, key, side), "add", label, "", hint='tool {"argument": "value"}')

    def ask_file(self) -> None:
        """Ask where to write the changes."""
        bundle = self._screen.session.bundle
        if not bundle.edited:
            raise BadEdit("nothing is changed: there is nothing to write")
        from agent_tui.bundles.patch import SUFFIX

        name = Path(bundle.sources[0].file).name.partition(".")[0] or "bundle"
        self._open("write", "write to", f"{safe_name(name)}{SUFFIX}")
        self._prompt.tell(f"…{SUFFIX} is a patch; .json or .jsonl, with .gz or .zst, is a new bundle")

    def _ask(self, place: _Place, kind: str, label: str, text: str, hint: str = "") -> None:
        self._place = place
        run = safe_name(self._screen.session.bundle.names.name(place.row))
        self._open(kind, f"{run} {safe(label, 120)}", text, hint)

    def _open(self, kind: str, label: str, text: str, hint: str = "") -> None:
        self._came_from = self._screen.focused
        self._prompt.ask(kind, label, text=text, hint=hint)

    def check(self, kind: str, text: str) -> None:
        """Say what is typed, as it is typed."""
        if kind == "edit":
            self._check(text)

    def _check(self, text: str) -> None:
        place = self._place
        if place is not None and place.target is not None:
            meant = typed(text, place.target.holds)
            if meant.wrong:
                self._prompt.complain(meant.wrong)
            else:
                self._prompt.tell(meant.said)

    def answer(self, kind: str, text: str) -> bool:
        """Take what was typed; False where it is no answer to a question of ours. What is wrong is said in place."""
        takers = {"edit": self._take_value, "add": self._take_call, "write": self._write}
        if kind not in takers:
            return False
        try:
            takers[kind](text)
        except AgentTuiError as error:
            self._prompt.complain(safe(str(error), 600))
            return True
        self._prompt.close()
        self.leave()
        return True

    def leave(self) -> bool:
        """Go back to where the prompt was opened; False where it was not opened here."""
        came_from, self._came_from, self._place = self._came_from, None, None
        if came_from is not None:
            self._screen.set_focus(came_from)
        return came_from is not None

    def _take_value(self, text: str) -> None:
        place = self._place
        assert place is not None
        assert place.target is not None
        meant = typed(text, place.target.holds)
        if meant.value is None:
            raise BadEdit(meant.wrong)
        if place.target.is_new or meant.value.decode() != place.target.literal:
            self._change(place.row, place.key, place.lines.setting(place.target, meant.value))

    def _take_call(self, text: str) -> None:
        place = self._place
        assert place is not None
        name, args = typed_call(text)
        number = place.lines.calls(place.key).get(place.side)
        number = len(place.lines.places[place.side]) if number is None else number + 1
        self._change(place.row, None, place.lines.adding(place.key, place.side, name, args), call=(place.side, number))

    # Whole calls

    def duplicate(self) -> None:
        """Put the call under the cursor in a second time."""
        row, lines, key, side = self._require_here()
        number = lines.call(key, side)
        self._change(row, None, duplicate_call(lines.places[side][number]), call=(side, number + 1))

    def remove(self) -> None:
        """Take the call under the cursor out."""
        row, lines, key, side = self._require_here()
        self._change(row, key[:2], remove_call(lines.places[side][lines.call(key, side)]))

    def move(self, by: int) -> None:
        """Move the call under the cursor; the cursor goes with it."""
        row, lines, key, side = self._require_here()
        number = lines.call(key, side)
        edits = move_call(lines.record, lines.places[side], number, by)
        self._change(row, None, *edits, call=(side, number + by))

    def _change(self, row: int, key: Key | None, *edits: Edit, call: tuple[str, int] | None = None) -> None:
        """Make edits and show what noticed, with the cursor on a line or on a call."""
        session = self._screen.session
        change = session.change(row, *edits)
        self._prompt.close()
        self.leave()  # before what noticed is shown, so that all is laid out and painted together
        if call is not None:
            key = EditedLines(session.bundle, row).key_of(*call)
        self._screen.show_change(self._heads(change), change.runs[0], key)
        self._say_trouble()

    def _heads(self, change: Change, *, undone: bool = False) -> list[Text]:
        from agent_tui.tui.present import noticed

        return noticed.change_lines(change.edits, self._screen.glyphs, undone=undone)

    # Undo, redo, the ledger

    def undo(self) -> None:
        """Take the last change back."""
        session = self._screen.session
        if not session.changes:
            raise BadEdit("nothing to undo")
        change = session.what_if.ledger.shown[-1]
        session.go_to_change(session.changes - 1)
        self._show_step(change, undone=True)

    def redo(self) -> None:
        """Make the last undone change again; at first, those that were left here."""
        session = self._screen.session
        if self._left is not None:
            self._take_up(self._left)
            return
        undone = session.what_if.ledger.undone if session.bundle.is_complete else ()
        if not undone:
            raise BadEdit("nothing to redo")
        session.go_to_change(session.changes + 1)
        self._show_step(undone[0], undone=False)

    def _show_step(self, change: Change, *, undone: bool) -> None:
        heads = self._heads(change, undone=undone)
        made = change.edits[-1]
        self._screen.runs.go_to_changed(made.row)
        self._screen.show_change(heads, made.run, None)
        self._say_trouble()

    def revert_all(self) -> None:
        """Show what was recorded; at first, forget what was left here."""
        left, self._left = self._left, None
        journal = self._screen.session.journal
        if left is not None and journal is not None and not self._screen.session.changes:
            journal.discard()
            self._screen.say(f"{count(left.position, 'change')} forgotten")
            return
        if not self._screen.session.changes:
            raise BadEdit("nothing is changed: what is shown is as it was recorded")
        self.go_to(0)

    def go_to(self, position: int | None) -> None:
        """Show the changes up to one in the ledger."""
        session = self._screen.session
        if position is None or position == session.changes:
            return
        before = session.changes
        session.go_to_change(position)
        said = f"{count(position, 'change')} of {before:,} shown" if position else f"{count(before, 'change')} reverted"
        back = f": U brings {'it' if before - position == 1 else 'one at a time'} back" if position < before else ""
        self._screen.show_change([Text(f" {said}{back}", "notice")], None, None)
        self._say_trouble()

    def show_ledger(self) -> None:
        """All changes so far."""
        session = self._screen.session
        if not session.bundle.is_complete or not len(session.what_if.ledger):
            raise BadEdit("nothing was changed yet: e changes the value under the cursor")
        from agent_tui.tui.present.ledger import ledger_lines
        from agent_tui.tui.screens.ledger import LedgerScreen

        lines = ledger_lines(session.what_if.ledger, self._screen.glyphs)
        self._screen.app.push_screen(LedgerScreen(lines, session.changes, self._screen.glyphs), self.go_to)

    # Changes that were left here

    def offer(self, pending: Pending | None) -> bool:
        """Offer the changes of the last session; False where there is nothing to say."""
        self._left = None
        if pending is None:
            return False
        self._left = pending
        self._screen.say(self.offered)
        return True

    def offer_again(self) -> str:
        """The bundle was read again: look what of it fits what is opened now; what is offered, in a line."""
        session, self._left = self._screen.session, None
        if session.journal is not None and not session.was_changed:
            self._left = session.journal.pending()
        return self.offered

    @property
    def offered(self) -> str:
        """What is offered, in a line; empty where nothing is."""
        pending = self._left
        if pending is None:
            return ""
        left = f"{count(pending.position, 'change was', 'changes were')} left here"
        them = "it" if pending.position == 1 else "them"
        if pending.reason:
            return safe(f"{left}, but {pending.reason}: ctrl+r forgets {them}", 300)
        is_more = 0 < pending.runs < len(self._screen.session.bundle)
        then = f" when there were {count(pending.runs, 'run')}" if is_more else ""
        return f"{left}{then}: U brings {them} back, ctrl+r forgets"

    def _take_up(self, pending: Pending) -> None:
        session = self._screen.session
        session.take_up(pending)
        self._left = None
        head = Text(f" {count(pending.position, 'change')} of an earlier session brought back", "notice")
        made = session.what_if.ledger.shown[-1].edits[-1]
        self._screen.runs.go_to_changed(made.row)
        self._screen.show_change([head], None, None)

    # Writing

    def _write(self, text: str) -> None:
        name = text.strip()
        if not name:
            raise BadEdit("a name is needed")
        from agent_tui.bundles.patch import SUFFIX, write_patch
        from agent_tui.bundles.write import write_bundle

        path, session = Path(name).expanduser(), self._screen.session
        if path.name.endswith(SUFFIX):
            write_patch(session.what_if, path)
            said = f"the patch {path}, {count(session.changes, 'change')}"
        else:
            write_bundle(session.bundle, path)
            said = f"the bundle {path}, {count(len(session.bundle), 'run')}"
        self._written = session.what_if.ledger.shown
        self._screen.say(safe(f"wrote {said}", 300))

    def once_kept(self, go: Callable[[], None], what: str) -> None:
        """Go on, at once where no change would be dropped by it; `what` is what goes on, in words."""
        if not self.unkept:
            go()
            return
        from agent_tui.tui.screens.unkept import ask_first

        ask_first(self._screen, self.unkept, go, what)

    @property
    def unkept(self) -> int:
        """How many changes are shown that are kept nowhere (a count)."""
        session = self._screen.session
        if not session.changes or session.journal is None or not session.journal.trouble:
            return 0
        return 0 if session.what_if.ledger.shown == self._written else session.changes

    def _say_trouble(self) -> None:
        """Say that changes are not kept, where they are not."""
        journal = self._screen.session.journal
        if journal is not None and journal.trouble and not self._told_trouble:
            self._told_trouble = True
            self._screen.say(safe(journal.trouble, 200))

    def attempt(self, act: Callable[[], None]) -> None:
        """Do something; where it cannot be done, say why."""
        try:
            act()
        except AgentTuiError as error:
            self._screen.say(safe(str(error), 300))

"""The main screen's part of the judge: its screen, verdicts shown and hidden, labels, and what a change makes stale.

What a judge is made of is loaded with the first J or l: it takes a tenth of a second that nobody pays who only looks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from agent_tui.errors import AgentTuiError
from agent_tui.reports.figures import count
from agent_tui.tui.judge.facts import LOOKING, STALE
from agent_tui.tui.present.words import safe

if TYPE_CHECKING:
    from agent_tui.bundles import Bundle
    from agent_tui.stats.confusion import Confusion
    from agent_tui.tui.judge.bench import Bench
    from agent_tui.tui.judge.labelling import Labelling
    from agent_tui.tui.screens.judge_lists import Behind
    from agent_tui.tui.screens.main import MainScreen

_ONE = {"false passes": "false pass", "false fails": "false fail"}
"""What runs are called where there is one, and the word `runs` is not in it."""


class Judging:
    """Keeps what the main screen shows of a judge to what may be seen."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self.bench: Bench | None = None
        self._labelling: Labelling | None = None
        self._hides = False
        """Whether the user put opened verdicts away."""
        self._changed: set[int] | None = set()
        """Rows that were changed and not looked at again yet; None: all may be."""
        self.is_opening = False
        """Whether a screen of the judge's is about to come."""
        self._is_renewing = False

    # The judge's screen

    def open(self, *, verdicts: bool = False) -> None:
        """Open the judge's screen where it was left."""
        self._begin(self._open(verdicts=verdicts), opens=True)

    async def _open(self, *, verdicts: bool) -> None:
        bundle, screens = self._bundle, await asyncio.to_thread(_judge_screens)
        if bundle is not self._bundle:
            return
        if self.bench is None:
            self.bench = screens.Bench(bundle, self._screen.agent_tui.config.judge)
        screen = screens.JudgeScreen(self.bench, self._screen.glyphs, self.label_next, verdicts=verdicts)
        self._screen.app.push_screen(screen, self._came_back)

    def _came_back(self, behind: Behind | None) -> None:
        self._hides = False
        self.show()
        if behind is not None:
            one = _ONE.get(behind.words, behind.words.replace("runs", "run", 1))
            words = count(len(behind.rows), one, behind.words)
            self._screen.runs.show_only(behind.rows, behind.row, f"{words}: Esc shows all, J back", behind.words)

    def show(self) -> None:
        """Show what may be seen of the judge by now."""
        screen = self._screen
        screen.session.judge = None if self.bench is None else self.bench.facts(hide=self._hides)
        screen.judge_changed()

    # Verdicts

    def toggle_verdicts(self) -> None:
        """Hide what is shown, show what was hidden; where it may not be seen, lead to what is in the way."""
        facts = self._screen.session.judge
        if facts is None:
            self._screen.say("no verdict before a validation: J asks a judge")
        elif facts.state in (STALE, LOOKING):
            self._screen.say("the validation is out of date: J validates again")
        elif facts.shows or self._hides:
            self._hides = facts.shows
            self.show()
            self._screen.say("verdicts hidden: v shows them" if self._hides else "verdicts shown: v hides them")
        else:
            self.open(verdicts=True)

    # Labels

    def label(self) -> None:
        """Label the run under the cursor, then those that come next."""
        self._label(self._screen.row, lambda: None)

    def label_next(self, then: Callable[[], None]) -> None:
        """Label runs that have no label."""
        self._label(None, then)

    def _label(self, row: int | None, then: Callable[[], None]) -> None:
        self._begin(self._open_labels(row, then), opens=True)

    async def _open_labels(self, row: int | None, then: Callable[[], None]) -> None:
        bundle, screens = self._bundle, await asyncio.to_thread(_label_screens)
        if self._labelling is None or self._labelling.bundle is not bundle:
            self._labelling = await screens.Labelling.of(bundle)
        if bundle is self._bundle:
            screen = screens.LabelScreen(self._labelling, row, self._counts, self._screen.glyphs)
            self._screen.app.push_screen(screen, partial(self._labelled, then))

    def _counts(self) -> Confusion | None:
        seat = None if self.bench is None else self.bench.seat
        validation = None if seat is None else seat.judgement.validation
        return None if validation is None else validation.confusion

    def _labelled(self, then: Callable[[], None], rows: tuple[int, ...] | None) -> None:
        if rows and self._labelling is not None:
            self._screen.session.labels = self._labelling.words
            self._screen.judge_changed()
            self._screen.say(
                f"{count(len(set(rows)), 'run')} labelled, kept in {safe(self._labelling.labels.path.name)}"
            )
            self.changed(rows, then)
        else:
            then()

    # What a change makes of it

    def changed(self, rows: Iterable[int] | None, then: Callable[[], None] = lambda: None) -> None:
        """Runs were changed or labelled (None: all may be): hide verdicts until what stands is known again."""
        if self.bench is None or self.bench.seat is None:
            then()
            return
        facts = self._screen.session.judge
        if facts is not None:
            self._screen.session.judge = replace(facts, said={}, shows=False, state=LOOKING)
            self._screen.judge_changed()
        self._changed = None if rows is None or self._changed is None else self._changed | set(rows)
        if not self._is_renewing:
            self._is_renewing = True
            self._begin(self._renew(then))

    async def _renew(self, then: Callable[[], None]) -> None:
        bench, session = self.bench, self._screen.session
        was_shown = session.judge is not None
        try:
            while bench is self.bench and bench is not None and (self._changed is None or self._changed):
                rows, self._changed = self._changed, set()
                await bench.renew(self._bundle, rows)
        finally:
            self._is_renewing = False
        if bench is self.bench:
            self.show()
            facts = session.judge
            if was_shown and facts is not None and facts.state == STALE:
                self._screen.say("the judge's validation is out of date, its verdicts are hidden: J validates again")
            then()

    def reread(self) -> None:
        """The files were read again: any run may be another one, and so may what a label is about."""
        if self._labelling is not None:
            self._begin(self._read_labels())
        self.changed(None)

    async def _read_labels(self) -> None:
        self._labelling = await _label_screens().Labelling.of(self._bundle)
        self._screen.session.labels = self._labelling.words
        self._screen.judge_changed()

    def show_provenance(self, name: str) -> None:
        """Where a figure of the judge comes from."""
        seat = None if self.bench is None else self.bench.seat
        if seat is not None and seat.judgement.validation is not None:
            screen = _judge_screens().provenance_screen(seat, name, self._screen.glyphs)
            self._screen.app.push_screen(screen, self._screen.runs.go_to)

    def forget(self) -> None:
        """Another bundle is shown."""
        self._screen.run_worker(self.close(), group="judging")

    async def close(self) -> None:
        """Let go of the judge: of its service, and of the ledger for others to write."""
        bench, self.bench, self._labelling = self.bench, None, None
        self._changed, self._hides = set(), False
        if bench is not None:
            await bench.leave()

    @property
    def _bundle(self) -> Bundle:
        return self._screen.session.bundle

    def _begin(self, step: Coroutine[Any, Any, None], *, opens: bool = False) -> None:
        if self._bundle.is_complete and len(self._bundle):
            self.is_opening = opens
            self._screen.run_worker(self._guarded(step), group="judging")
        else:
            step.close()
            self._screen.say(self._screen.session.why_not_whole if len(self._bundle) else "there are no runs")

    async def _guarded(self, step: Coroutine[Any, Any, None]) -> None:
        """Do a step; what is wrong with it is said."""
        try:
            await step
        except AgentTuiError as error:
            self._screen.say(safe(str(error), 300))
        finally:
            self.is_opening = False


def _judge_screens() -> ModuleType:
    """The module of the judge's screen, loaded once somebody asks for it."""
    from agent_tui.tui.screens import judge

    return judge


def _label_screens() -> ModuleType:
    """The module of the labels' screen, loaded once somebody asks for it."""
    from agent_tui.tui.screens import labelling

    return labelling

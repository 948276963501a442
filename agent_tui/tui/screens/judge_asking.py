"""The steps of the judge's screen that take time: looking, choosing, validating, judging. One at a time."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing
from typing import TYPE_CHECKING

from textual.timer import Timer

from agent_tui.errors import AgentTuiError
from agent_tui.judge.permit import Permit
from agent_tui.judge.session import Progress
from agent_tui.tui.judge.asked import AskedJudge
from agent_tui.tui.judge.bench import Candidate
from agent_tui.tui.present.judge_view import Going, View

if TYPE_CHECKING:
    from agent_tui.tui.screens.judge import JudgeScreen

_SHOW = 0.1
"""Seconds between two looks at how far asking is."""
Step = Coroutine[object, object, None]


class Asking:
    """Does one step after another, and has the screen show what comes of it."""

    def __init__(self, screen: JudgeScreen) -> None:
        self._screen = screen
        self.is_busy = False
        self.going: Going | None = None
        """How far a judge was asked; None where none is being asked."""
        self._permit: Permit | None = None
        """What the verdicts would be opened by, once their estimate is agreed to."""
        self._later: Timer | None = None

    def _begin(self, step: Step) -> None:
        if self.is_busy:
            step.close()
            return
        self.is_busy = True
        self._screen.run_worker(self._done(step), group="judge")

    async def _done(self, step: Step) -> None:
        """Do a step; what is wrong with it is shown."""
        said = ""
        try:
            await step
        except AgentTuiError as error:
            said = str(error)
        finally:
            self.is_busy, self.going = False, None
        if said and self._screen.bench.seat is None:
            self._screen.show(View.FAILED, said)
        elif said:
            self._screen.show_seat(said)

    # Who judges

    def begin(self) -> None:
        """Find out who may judge; where one is meant, take it."""
        self._begin(self._look())

    async def _look(self) -> None:
        self._screen.show(View.WAITING, "looking who may judge")
        found = await self._screen.bench.look()
        if found.meant is None:
            self._screen.show(View.CHOICE)
        else:
            await self._take(found.meant)

    def choose_again(self) -> None:
        """Show who may judge."""
        self._begin(self._choose())

    async def _choose(self) -> None:
        self._screen.show(View.WAITING, "looking who may judge")
        await self._screen.bench.look()
        self._screen.show(View.CHOICE)

    def take(self, candidate: Candidate) -> None:
        """Choose a judge."""
        self._begin(self._take(candidate))

    async def _take(self, candidate: Candidate) -> None:
        self._screen.show(View.WAITING, "reading the runs for the judge")
        await self._screen.bench.take(candidate)
        self._screen.show_seat()

    def take_rubric(self, path: str | None, *, own: bool = False) -> None:
        """Judge by another rubric."""
        self._begin(self._take_rubric(path, own=own))

    async def _take_rubric(self, path: str | None, *, own: bool) -> None:
        self._screen.show(View.WAITING, "reading the runs for the judge")
        await self._screen.bench.take_rubric(path=path, own=own)
        self._screen.show_seat()

    def take_up(self, *, batch: bool) -> None:
        """Ask the judge that is chosen in another way."""
        bench = self._screen.bench
        if bench.chosen is not None:
            bench.choose_how(batch=batch)
            self.take(bench.chosen)

    def look_ahead(self) -> None:
        """Reckon what the next step would take, and show it."""
        self._begin(self._look_ahead())

    async def _look_ahead(self) -> None:
        asked = self._screen.shown.asked
        if asked is not None:
            self._screen.show(View.WAITING, "reckoning what asking would take")
            await asked.look_ahead()
            self._screen.show_seat()

    # Asking

    def go_on(self) -> None:
        """Do what the estimate on the screen is about: whoever presses the key has seen it."""
        asked, permit = self._screen.shown.asked, self._permit
        if asked is None or self._screen.shown.view is not View.COURSE or asked.session.shut is not None:
            return
        if asked.session.validation is None:
            self._begin(self._validate(asked))
        elif permit is not None:
            self._begin(self._judge(asked, permit))

    async def _validate(self, asked: AskedJudge) -> None:
        await self._follow(asked.validate())
        await asked.look_ahead()
        self.going = None
        self._screen.show_seat()

    async def _judge(self, asked: AskedJudge, permit: Permit) -> None:
        await self._follow(asked.judge(permit))
        self.going = None
        if asked.session.stopped is None:
            self._screen.show(View.VERDICTS)
        else:
            await asked.look_ahead()
            self._screen.show(View.COURSE)

    async def _follow(self, asking: AsyncGenerator[Progress]) -> None:
        """Show how far it is, now and then."""
        self.going = Going()
        self._screen.show(View.COURSE)
        async with aclosing(asking) as steps:
            async for progress in steps:
                self.going = Going(progress, self.going.ends)
                if self._later is None:
                    self._later = self._screen.set_timer(_SHOW, self._tell)

    def _tell(self) -> None:
        self._later = None
        if self.going is not None:
            self._screen.redraw()

    def stop(self) -> None:
        """Begin no further call; asked for again, leave the screen, which cuts off those that are out."""
        asked, going = self._screen.shown.asked, self.going
        if asked is None or going is None:
            return
        if going.ends:
            self._screen.dismiss(None)
            return
        self.going = Going(going.progress, ends=True)
        asked.session.cancel()
        self._screen.redraw()

    # Verdicts

    def open_verdicts(self) -> None:
        """Show the verdicts of a judge that may be read; of any other say what is in the way."""
        shown = self._screen.shown
        judgement, seat = shown.judgement, self._screen.bench.seat
        if seat is None or judgement is None or judgement.validation is None:
            self._screen.say("no verdict before a validation")
        elif not judgement.unlabelled:
            self._screen.say("every run has a label: there is none to judge")
        else:
            permit = judgement.permit or seat.certificate()
            if permit is None:
                other = ": o shows them all the same, marked" if judgement.gate.may_be_overridden else ""
                self._screen.say(f"verdicts stay locked, the judge is {judgement.gate.state}{other}")
            else:
                self.open_by(permit)

    def override(self, reason: str) -> None:
        """Show verdicts for a reason that is kept. Raises `NotPermitted` without one."""
        seat = self._screen.bench.seat
        if seat is not None:
            self.open_by(seat.override(reason))

    def open_by(self, permit: Permit) -> None:
        """Show what a permit opens; where it was not asked yet, what asking would take."""
        self._begin(self._open(permit))

    async def _open(self, permit: Permit) -> None:
        seat, asked = self._screen.bench.seat, self._screen.shown.asked
        assert seat is not None
        self._permit = permit
        if await seat.open_verdicts(permit):
            self._screen.show(View.VERDICTS)
        elif asked is not None:
            await asked.look_ahead()
            self._screen.show(View.COURSE)

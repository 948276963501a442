"""What the judge's screen asks for: a reason, a model, a limit on the cost, a rubric; and the exact text to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from agent_tui.errors import AgentTuiError, NotPossible
from agent_tui.judge.rubric import Rubric
from agent_tui.tui.judge.bench import Candidate
from agent_tui.tui.present.judge_course import Do, rubric_lines
from agent_tui.tui.present.judge_view import View
from agent_tui.tui.present.words import safe
from agent_tui.tui.screens.choosing import Choice, ChoosingScreen
from agent_tui.tui.screens.reading import ReadingScreen
from agent_tui.tui.widgets.longtext import LongText
from agent_tui.tui.widgets.prompt import Prompt
from agent_tui.tui.widgets.vtext import Lines

if TYPE_CHECKING:
    from agent_tui.tui.screens.judge import JudgeScreen

_PACKAGED, _OWN, _FILE = "packaged", "own", "file"


class Wishes:
    """Opens the prompt, a list or a reader, and does what is answered."""

    def __init__(self, screen: JudgeScreen) -> None:
        self._screen = screen
        self._candidate: Candidate | None = None

    @property
    def _prompt(self) -> Prompt:
        return self._screen.query_one(Prompt)

    def do(self, do: Do) -> None:
        """Do one of the things that there are to do."""
        try:
            self._do(do)
        except AgentTuiError as error:
            self._screen.say(safe(str(error), 300))

    def _do(self, do: Do) -> None:
        view, asked = self._screen.shown.view, self._screen.shown.asked
        if do is Do.RUBRIC and view in (View.CHOICE, View.COURSE, View.FAILED):
            self._choose_rubric()
        elif do is Do.LIMIT and view is View.CHOICE:
            self._ask_model()
        elif asked is None or view is not View.COURSE:
            return
        elif do is Do.TEXT:
            self._screen.run_worker(self._show_text(), group="text", exclusive=True)
        elif do is Do.LIMIT and asked.provider.needs_consent:
            cap = self._screen.bench.choices.max_cost
            hint = "USD for all calls of this bundle's ledger; empty: no limit"
            self._prompt.ask("limit", "at most", text="" if cap is None else f"{cap:g}", hint=hint)
        elif do is Do.BATCH and asked.in_batches is not None:
            self._screen.asking.take_up(batch=not asked.in_batches)
        elif do is Do.UNKNOWN and asked.unknown:
            again = not self._screen.bench.choices.retry_unknown
            self._screen.bench.choose_how(retry_unknown=again)
            self._screen.redraw()

    # The exact text

    async def _show_text(self) -> None:
        asked = self._screen.shown.asked
        if asked is None:
            return
        try:
            text = await asked.sent_text()
        except NotPossible as error:
            self._screen.say(safe(str(error), 200))
            return
        title = Text("The first request, whole", "title").append(f"   to {safe(asked.provider.host, 80)}", "label")
        self._screen.app.push_screen(ReadingScreen(title, LongText(text), self._screen.glyphs))

    # Prompts

    def _ask_model(self) -> None:
        candidate = self._screen.candidate
        if candidate is None or candidate.kind != "configured":
            raise NotPossible("a model can be named for a service that is configured")
        self._candidate = candidate
        self._prompt.ask("model", f"{candidate.provider} model", hint="its id, as the service names it")

    def ask_reason(self) -> None:
        """Ask why verdicts of a judge that is not validated are to be shown."""
        judgement, seat = self._screen.shown.judgement, self._screen.bench.seat
        if (
            judgement is None
            or seat is None
            or self._screen.asking.is_busy
            or self._screen.shown.view is not View.PANEL
        ):
            return
        if seat.certificate() is not None:
            self._screen.say("the judge is accepted: v shows its verdicts")
        elif judgement.validation is None or not judgement.gate.may_be_overridden:
            self._screen.say(safe(f"verdicts stay locked: {'; '.join(judgement.gate.reasons)}", 300))
        elif not judgement.unlabelled:
            self._screen.say("every run has a label: there is none to judge")
        else:
            hint = "the reason is kept, every verdict is marked, and none is in a rate"
            self._prompt.ask("reason", "show them all the same, because", text=seat.earlier_reason, hint=hint)

    def answer(self, kind: str, text: str) -> None:
        """Do what was asked for, or say in the prompt what is wrong with it."""
        takers = {"reason": self._take_reason, "model": self._take_model, "limit": self._limit, "rubric": self._file}
        try:
            takers[kind](text.strip())
        except AgentTuiError as error:
            self._prompt.complain(safe(str(error), 400))
            return
        self._prompt.close()
        self._screen.set_focus(self._screen.page)

    def _take_reason(self, text: str) -> None:
        self._screen.asking.override(text)

    def _take_model(self, text: str) -> None:
        candidate = self._candidate
        if not text or candidate is None:
            raise NotPossible("a model has a name")
        self._screen.asking.take(Candidate(kind=candidate.kind, provider=candidate.provider, model=text))

    def _limit(self, text: str) -> None:
        try:
            cap = float(text) if text else None
        except ValueError:
            cap = -1.0
        if cap is not None and not 0 <= cap < float("inf"):
            raise NotPossible(f"{text} is no amount of dollars")
        self._screen.bench.choose_how(max_cost=cap)
        self._screen.redraw()

    # Rubrics

    def _choose_rubric(self) -> None:
        own = self._screen.bench.own_rubric()
        choices = [Choice(_PACKAGED, Text("the packaged one", "text"))]
        if own is not None:
            line = Text("the bundle's own: ", "text").append(safe(own.title, 40), "title")
            choices.append(Choice(_OWN, line.append(f"  sha {own.digest[:8]}, read it first", "label")))
        choices.append(Choice(_FILE, Text("a file …", "accent")))
        title = Text("Judge by which rubric", "title")
        self._screen.app.push_screen(ChoosingScreen(title, choices, self._screen.glyphs), self._take_rubric)

    def _take_rubric(self, chosen: str | None) -> None:
        if chosen == _PACKAGED:
            self._screen.asking.take_rubric(None)
        elif chosen == _FILE:
            self._prompt.ask("rubric", "rubric", hint="a file in TOML")
        elif chosen == _OWN:
            own = self._screen.bench.own_rubric()
            if own is not None:
                self._read_rubric(own)

    def _read_rubric(self, own: Rubric) -> None:
        """A bundle's own rubric is taken only by who had it on the screen."""
        title = Text("The bundle's own rubric", "title").append("   a claim: Enter judges by it", "notice")
        lines = Lines(rubric_lines(own), hang=10)
        screen = ReadingScreen(title, lines, self._screen.glyphs, row_of=lambda _line: 0, takes="judge by it")
        self._screen.app.push_screen(screen, self._take_own)

    def _take_own(self, row: int | None) -> None:
        if row is not None:
            self._screen.asking.take_rubric(None, own=True)

    def _file(self, text: str) -> None:
        if not text:
            raise NotPossible("a file has a name")
        self._screen.asking.take_rubric(text)

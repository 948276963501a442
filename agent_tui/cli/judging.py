"""The course of `agent-tui judge`: estimate, consent, validation, then verdicts where a permit opens them."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Iterable, Iterator
from functools import partial

import click
from msgspec import Struct

from agent_tui.bundles import Bundle
from agent_tui.cli.colour import say
from agent_tui.errors import AgentTuiError, BudgetReached, GateNotMet, NotPossible, ProviderFailed
from agent_tui.judge.asks import Ask
from agent_tui.judge.budget import PerToken
from agent_tui.judge.estimate import FREE, estimate
from agent_tui.judge.events import BUDGET, CANCELLED, LEDGER, UnderWay
from agent_tui.judge.gate import ACCEPTED
from agent_tui.judge.judgement import Judgement, judgement_of
from agent_tui.judge.opening import Choices, in_batches, introduced, let_go, make_runner, open_ledger, open_session
from agent_tui.judge.permit import Permit
from agent_tui.judge.prompt import sent_text
from agent_tui.judge.rubric import Rubric
from agent_tui.judge.session import JudgeSession, Progress
from agent_tui.providers.contract import Provider
from agent_tui.providers.judge_config import JudgeConfig
from agent_tui.providers.prices import price_of
from agent_tui.reports.judgement import judgement_lines
from agent_tui.reports.survey import estimate_line, under_way_words
from agent_tui.safety import sanitise, sanitise_line

_ENDINGS: dict[str, type[AgentTuiError]] = {BUDGET: BudgetReached, LEDGER: NotPossible}
_SHOW, _YES, _NO = "s", "y", "n"


class Wishes(Struct, frozen=True, kw_only=True):
    """How the command was called, beside `Choices`."""

    yes: bool
    reason: str | None
    """Why verdicts are to be shown without a certificate; None: they are not."""
    resume: bool
    resumed_by: str
    """The line that takes batches up again."""
    colour: str
    as_json: bool
    config: JudgeConfig


Ending = AgentTuiError | click.exceptions.Abort
"""Why asking ended early."""


async def judge(
    bundle: Bundle, provider: Provider, rubric: Rubric, choices: Choices, wishes: Wishes
) -> tuple[Judgement, Ending | None]:
    """Validate, and judge where that is permitted; gives what that came to, and what to raise once all is told."""
    ledger = open_ledger(bundle, provider, choices)
    try:
        identity = await introduced(provider)
        session = open_session(bundle, identity, rubric, ledger, choices)
        course = _Course(session, provider, choices, wishes)
        return await course.run(), course.ending
    finally:
        await let_go(provider, ledger)


async def show_prompt(bundle: Bundle, provider: Provider, rubric: Rubric, choices: Choices) -> None:
    """Print the first request as it would be sent. Nothing about a run is sent."""
    ledger = open_ledger(bundle, provider, choices)
    try:
        session = open_session(bundle, await introduced(provider), rubric, ledger, choices)
        first = next(_every_ask(session), None)
        if first is None:
            raise NotPossible("there is nothing to ask: no run has an answer that a judge could look at")
        say(sanitise(sent_text(first.request)), "never")
    finally:
        await let_go(provider, ledger)


def _every_ask(session: JudgeSession) -> Iterator[Ask]:
    yield from session.validation_asks()
    yield from session.judgement_asks()


class _Course:
    """One judgement on its way."""

    def __init__(self, session: JudgeSession, provider: Provider, choices: Choices, wishes: Wishes) -> None:
        self._session, self._provider, self._wishes = session, provider, wishes
        model = session.asker.identity.model
        self._price = price_of(model, wishes.config.prices) if provider.needs_consent else FREE
        self._concurrency = choices.concurrency or provider.concurrency
        self._in_batches = in_batches(provider, choices)
        price = PerToken(self._price, batched=bool(self._in_batches))
        self._make_runner = partial(make_runner, provider, session, price, choices)
        self._permit: Permit | None = None
        self._told: UnderWay | None = None

    async def run(self) -> Judgement:
        """From the estimate to the verdicts; what stands is told before anything is raised."""
        session = self._session
        if self._wishes.resume and not session.ledger.calls:
            raise NotPossible(f"nothing to resume: {session.ledger.path} holds no call")
        for notice in self._provider_lines():
            self._note(notice)
        if session.shut is None:
            self._agree(session.validation_asks(), "validation")
            await self._follow(session.validate(self._make_runner))
        await self._open()
        judgement = judgement_of(session, self._permit)
        if not self._wishes.as_json:
            say("\n".join(judgement_lines(judgement)) + "\n", self._wishes.colour)
        return judgement

    def _provider_lines(self) -> Iterator[str]:
        identity = self._session.asker.identity
        yield f"judge {self._provider.name}, text goes to {self._provider.host}"
        if identity.version:
            yield f"{identity.provider} {identity.version}"
        yield from self._provider.notices

    async def _open(self) -> None:
        """Judge the unlabelled runs where the judge is accepted, or where verdicts are wanted all the same."""
        session = self._session
        if session.validation is None or session.stopped is not None:
            return
        permit: Permit | None = session.certificate()
        if permit is None and self._wishes.reason is not None:
            permit = session.override(self._wishes.reason)
        if permit is None:
            return
        unlabelled = len(session.survey.unlabelled)
        self._agree(session.judgement_asks(), f"judging {unlabelled:,} unlabelled")
        await self._follow(session.judge(permit, self._make_runner))
        self._permit = permit

    def _agree(self, asks: Iterable[Ask], what: str) -> None:
        """Tell what asking will take and have it agreed to. Raises `NotPossible` where it is not."""
        ledger = self._session.ledger
        asked = estimate(asks, ledger, self._price, self._concurrency, batched=self._in_batches)
        line = estimate_line(asked, what)
        self._note(line)
        if asked.in_batches and not self._in_batches and ledger.is_writable:
            raise NotPossible(f"{line}: what is in batches is read by --batch alone, and nothing is sent twice")
        if not asked.calls or not self._provider.needs_consent or self._wishes.yes:
            return
        if not sys.stdin.isatty():
            raise NotPossible(f"{line}: not agreed to; --yes agrees, --max-cost USD sets a limit")
        while (answer := _answer(self._provider.host)) == _SHOW:
            click.echo(sanitise(sent_text(next(_every_ask(self._session)).request)), err=True)
        if answer != _YES:
            raise NotPossible("not agreed to: nothing was sent")

    async def _follow(self, asking: AsyncIterator[Progress]) -> None:
        """Tell how far asking has come; the first Ctrl-C lets calls in flight end."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._session.cancel)
        last: Progress | None = None
        try:
            async for last in asking:
                self._tell(last)
        finally:
            loop.remove_signal_handler(signal.SIGINT)
        if last is not None:
            self._note(_progress_line(last))
        stopped = self._session.stopped
        if self._in_batches and stopped is not None and stopped.kind == CANCELLED:
            self._note(stopped.reason)
            self._note(f"to take it up again: {self._wishes.resumed_by}")

    def _tell(self, progress: Progress) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r{sanitise_line(_progress_line(progress))}\x1b[K", nl=False, err=True)
        elif progress.waiting or self._is_news(progress.under_way):
            self._note(_progress_line(progress))

    def _is_news(self, out: UnderWay | None) -> bool:
        """Whether other batches are out than were told of last: that time has gone by is no line of its own."""
        told, self._told = self._told, out or self._told
        return out is not None and (told is None or (out.batches, out.ended) != (told.batches, told.ended))

    def _note(self, line: str) -> None:
        start = "\r\x1b[K" if sys.stderr.isatty() else ""
        click.echo(f"{start}{sanitise_line(line)}", err=True)

    @property
    def ending(self) -> Ending | None:
        """What an early end means for the exit status; None where all was asked."""
        stopped = self._session.stopped
        if stopped is None:
            return None
        if stopped.kind == CANCELLED:
            return click.exceptions.Abort()
        error = _ENDINGS.get(stopped.kind, ProviderFailed)
        kept = f"what was answered is kept in {self._session.ledger.path}, and the same command goes on"
        return error(f"{stopped.reason}; {kept}")


def _answer(host: str) -> str:
    """What the user says to an estimate."""
    said = click.prompt(
        f"send it to {host}? y yes, n no, s show what is sent", default=_NO, err=True, show_default=True
    )
    return str(said).strip().lower()[:1]


def _progress_line(progress: Progress) -> str:
    parts: Iterable[str] = (
        f"{progress.phase} {progress.done:,} of {progress.total:,} questions answered",
        f"{progress.from_ledger:,} from the ledger" if progress.from_ledger else "",
        f"{progress.unusable:,} without a verdict" if progress.unusable else "",
        under_way_words(progress.under_way) if progress.under_way else "",
        f"waiting: {progress.waiting}" if progress.waiting else "",
    )
    return ", ".join(part for part in parts if part)


def require_accepted(judgement: Judgement) -> None:
    """Raise `GateNotMet` for a judge that is not accepted."""
    if judgement.gate.state != ACCEPTED:
        raise GateNotMet(f"gate not met: the judge is {judgement.gate.state}: {'; '.join(judgement.gate.reasons)}")

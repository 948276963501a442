"""A judge that is asked now: what that would take, its validation, its verdicts. No terminal in it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping

from agent_tui.bundles import Bundle
from agent_tui.errors import NotPossible
from agent_tui.judge.asks import REVERSED, Ask
from agent_tui.judge.budget import PerToken
from agent_tui.judge.estimate import FREE, Estimate, estimate
from agent_tui.judge.judgement import Judgement, judgement_of
from agent_tui.judge.known import IN_A_BATCH, Again, known_outcome
from agent_tui.judge.labels import Labels
from agent_tui.judge.opening import Choices, in_batches, introduced, let_go, make_runner, open_ledger, open_session
from agent_tui.judge.permit import Permit
from agent_tui.judge.prompt import sent_text
from agent_tui.judge.rubric import Rubric
from agent_tui.judge.session import DONE, NO_LABELS, STALE, AnyRunner, JudgeSession, Progress
from agent_tui.judge.survey import Labelled, Survey, survey, survey_again
from agent_tui.providers.contract import UNCERTAIN, Failure, Outcome, Provider
from agent_tui.providers.ledger import Ledger
from agent_tui.providers.prices import Price, price_of
from agent_tui.reports.survey import survey_lines
from agent_tui.tui.judge.facts import JudgeFacts, facts_of


class AskedJudge:
    """A judge over the open bundle. Whoever uses it waits for one of its steps before the next."""

    def __init__(
        self, bundle: Bundle, provider: Provider, session: JudgeSession, choices: Choices, prices: Mapping[str, Price]
    ) -> None:
        self.bundle, self.provider, self.session, self.choices = bundle, provider, session, choices
        self.permit: Permit | None = None
        """What opened the verdicts."""
        self.survey_words: tuple[str, ...] = ()
        self.estimate: Estimate | None = None
        """What the next step would take; None where that was not reckoned since the last change."""
        self.unknown = 0
        """Asks of the next step that were begun and whose end nobody knows (a count)."""
        self._turn = asyncio.Lock()
        """Taken while the judge is asked."""
        self._price = price_of(session.asker.identity.model, prices) if provider.needs_consent else FREE
        self._concurrency = choices.concurrency or provider.concurrency

    @classmethod
    async def open(
        cls, bundle: Bundle, provider: Provider, rubric: Rubric, choices: Choices, prices: Mapping[str, Price]
    ) -> AskedJudge:
        """A judge with what its ledger knows already. Raises `NotPossible` or `ProviderFailed`; nothing is sent."""
        ledger = await _opened(bundle, provider, choices)
        try:
            identity = await introduced(provider)
            session = await asyncio.to_thread(open_session, bundle, identity, rubric, ledger, choices)
            judge = cls(bundle, provider, session, choices, prices)
            await asyncio.to_thread(session.restore)
            await judge.look_ahead()
        except BaseException:
            await let_go(provider, ledger)
            raise
        return judge

    async def close(self) -> None:
        """Let go of the service and of the ledger, once nothing writes into it any more."""
        async with self._turn:
            await let_go(self.provider, self.session.ledger)

    @property
    def name(self) -> str:
        """For people."""
        return self.provider.name

    @property
    def rubric(self) -> tuple[str, str]:
        """What it judges by: title and digest."""
        rubric = self.session.asker.rubric
        return rubric.title, rubric.digest

    @property
    def judgement(self) -> Judgement:
        """What it came to, with the verdicts that a permit opened."""
        return judgement_of(self.session, self.permit)

    @property
    def is_stale(self) -> bool:
        """Whether something changed that the last validation was about."""
        return self.session.state == STALE

    @property
    def is_shut(self) -> bool:
        """Whether there is too little to validate on."""
        return self.session.state == NO_LABELS

    @property
    def is_judged(self) -> bool:
        """Whether the runs without a label have been asked about."""
        return self.session.state == DONE

    def facts(self, *, hide: bool = False) -> JudgeFacts | None:
        """What the main screen shows; `hide` leaves out what the permit opened."""
        previous = self.session.previous
        if self.session.validation is None and previous is not None:
            return facts_of(Judgement(gate=previous.gate, validation=previous), stale=True)
        return facts_of(judgement_of(self.session) if hide else self.judgement)

    # What asking would take

    @property
    def in_batches(self) -> bool | None:
        """Whether calls are made in message batches; None: the service takes none."""
        return in_batches(self.provider, self.choices)

    async def look_ahead(self) -> None:
        """Reckon what the next step would take: the validation, and then the verdicts."""
        await asyncio.to_thread(self._look_ahead)

    def _look_ahead(self) -> None:
        ledger, asks = self.session.ledger, list(self._next_asks())
        self.survey_words = tuple(survey_lines(self.session.survey))
        self.estimate = estimate(asks, ledger, self._price, self._concurrency, batched=self.in_batches)
        self.unknown = len({ask.key for ask in asks if _has_no_known_end(known_outcome(ledger, ask.key, Again()))})

    def _next_asks(self) -> Iterator[Ask]:
        session = self.session
        return session.validation_asks() if session.validation is None else session.judgement_asks()

    async def sent_text(self) -> str:
        """The exact text of the first request of the next step. Raises `NotPossible` where there is nothing to ask."""
        first = await asyncio.to_thread(lambda: next(self._next_asks(), None))
        if first is None:
            raise NotPossible("there is nothing to ask")
        return sent_text(first.request)

    # Asking

    def _runner(self) -> AnyRunner:
        price = PerToken(self._price, batched=bool(self.in_batches))
        return make_runner(self.provider, self.session, price, self.choices)

    async def validate(self) -> AsyncGenerator[Progress]:
        """Ask what is not in the ledger about the labelled runs, and publish."""
        self.permit = self.estimate = None
        async with self._turn:
            async for progress in self.session.validate(self._runner):
                yield progress

    async def judge(self, permit: Permit) -> AsyncGenerator[Progress]:
        """Ask about the other runs, whose verdicts are open then."""
        self.permit, self.estimate = permit, None
        async with self._turn:
            async for progress in self.session.judge(permit, self._runner):
                yield progress

    async def open_verdicts(self, permit: Permit) -> bool:
        """Open what the ledger has of the other runs; False where part of it was never asked."""
        if not self.is_judged and not await asyncio.to_thread(self.session.restore_verdicts, permit):
            return False
        self.permit = permit
        return True

    def certificate(self) -> Permit | None:
        """What opens the verdicts of a judge that met every bound; None for any other."""
        return self.session.certificate()

    def override(self, reason: str) -> Permit:
        """What opens the verdicts of any other, for a reason that is kept. Raises `NotPermitted`."""
        return self.session.override(reason)

    @property
    def earlier_reason(self) -> str:
        """The reason for which somebody had them shown before; empty where nobody had."""
        before = self.session.recorded_override()
        return "" if before is None else before.reason

    # When something changed

    async def renew(self, bundle: Bundle, rows: Iterable[int] | None) -> None:
        """Take the bundle as it is now; `rows` are those that were changed or labelled, None where any may be.

        What no longer stands is stale; where everything that is asked now was asked before, it is published again.
        """
        session, rubric = self.session, self.session.asker.rubric
        labels = Labels.of(bundle, file=self.choices.labels)
        if rows is None:
            known = await asyncio.to_thread(survey, bundle, rubric, labels)
        else:
            known = survey_again(session.survey, bundle, rows, rubric, labels)
        self.bundle, self.estimate = bundle, None
        await asyncio.to_thread(self._renew, known)

    def _renew(self, known: Survey) -> None:
        session = self.session
        before = {run.item.digest for run in session.survey.labelled}
        session.stopped = None
        session.renew(known)
        new = [run for run in known.labelled if run.item.digest not in before]
        if session.validation is None and all(map(self._is_answered, new)):
            session.restore()
        if self.permit is not None and (session.validation is None or self.permit.key != session.validation.key):
            self.permit = None

    def _is_answered(self, run: Labelled) -> bool:
        """Whether the ledger has what a validation asks of a run: all of them are looked at only where it has."""
        asker, ledger = self.session.asker, self.session.ledger
        asks = [*asker.repeats(run.item, asker.labelled_asks), asker.ask(run.item, REVERSED)]
        return all(known_outcome(ledger, ask.key, Again()) is not None for ask in asks)


async def _opened(bundle: Bundle, provider: Provider, choices: Choices) -> Ledger:
    """The ledger; where nobody waits for it any more it is closed again, or nobody could write it."""
    opening = asyncio.ensure_future(asyncio.to_thread(open_ledger, bundle, provider, choices))
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        opening.add_done_callback(lambda done: None if done.exception() else done.result().close())
        raise


def _has_no_known_end(outcome: Outcome | None) -> bool:
    return isinstance(outcome, Failure) and outcome.kind in UNCERTAIN and outcome != IN_A_BATCH

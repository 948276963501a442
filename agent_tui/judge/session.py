"""A judge and a bundle: validated first, its verdicts sealed until a permit opens them. No screen, no printing.

    session = JudgeSession(bundle, survey, asker, ledger)
    async for progress in session.validate(asking):     # asks the labelled runs, then publishes
        ...
    permit = session.certificate() or session.override("a demo")
    async for progress in session.judge(permit, asking):
        ...
    session.verdicts(permit)

States: ready, no_labels, validating, published, judging, done, paused, stale. A certificate is never kept: `restore`
makes it again from the ledger.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Protocol

from msgspec import Struct

from agent_tui.errors import NotPermitted
from agent_tui.judge.asks import (
    Ask,
    Asker,
    Decided,
    Requests,
    judgement_asks,
    most_common,
    paired_asks,
    shorter,
    validation_asks,
)
from agent_tui.judge.attacks import Control, controls
from agent_tui.judge.events import CANCELLED, Event, Settled, Stopped, UnderWay, Waiting
from agent_tui.judge.gate import Gate, shut_without_labels
from agent_tui.judge.judges import judge_of
from agent_tui.judge.known import IN_A_BATCH, Again, known_outcome
from agent_tui.judge.material import Item
from agent_tui.judge.overrides import override, recorded_override
from agent_tui.judge.permit import Certificate, Override, Permit, Sealed, require_permit
from agent_tui.judge.published import Past, judged, label_set_digest, publish, validation_key
from agent_tui.judge.survey import Survey
from agent_tui.judge.validation import FAIL, PASS, JudgedRun, Validation
from agent_tui.judge.verdict import Decision, decide
from agent_tui.providers.contract import LABELS, Failure, Outcome, Reply, Request
from agent_tui.providers.ledger import Ledger
from agent_tui.providers.replay import NOT_RECORDED
from agent_tui.stats.confusion import Confusion, confusion_of

READY, NO_LABELS, VALIDATING, PUBLISHED = "ready", "no_labels", "validating", "published"
JUDGING, DONE, PAUSED, STALE = "judging", "done", "paused", "stale"
SLICE = 2_000
"""Asks that a runner gets at a time (a count): their text is written out then."""
_VALIDATED = "validated"


class AnyRunner(Protocol):
    """What asks for one run: `Runner` call by call, `BatchRunner` in batches."""

    def run(self, requests: Mapping[str, Request]) -> AsyncIterator[Event]:
        """Ask what has no outcome; one `Settled` for each key."""
        ...

    def cancel(self) -> None:
        """End the run early; nothing that was judged is lost."""


MakeRunner = Callable[[], AnyRunner]
"""A new runner over the provider, the ledger and the budget; one run needs one."""


class Progress(Struct, frozen=True, kw_only=True):
    """How far asking has come (counts)."""

    phase: str
    """validating or judging."""
    done: int
    total: int
    """What is known to be asked; a second look at flagged passes adds to it."""
    from_ledger: int = 0
    unusable: int = 0
    """Asks that came to no verdict."""
    waiting: str = ""
    """Why nothing is asked just now; empty where it is."""
    under_way: UnderWay | None = None
    """The batches that are out; None: this is about something else."""


class JudgeSession:
    """One judge, by one rubric, on one bundle as it is shown now."""

    def __init__(self, survey: Survey, asker: Asker, ledger: Ledger, *, slice: int = SLICE) -> None:
        """`slice` is how many asks a runner gets at a time."""
        self.survey = survey
        self.asker = asker
        self.ledger = ledger
        self.controls: tuple[Control, ...] = tuple(controls(asker.rubric))
        self.validation: Validation | None = None
        self.previous: Validation | None = None
        """The validation that a change made stale."""
        self.stopped: Stopped | None = None
        self.decisions: dict[str, Decided] = {}
        self.state = NO_LABELS if self.shut else READY
        self._slice = slice
        self._runner: AnyRunner | None = None
        self._sealed: Sealed[tuple[JudgedRun, ...]] | None = None
        self._answered = ""
        self._votes: tuple[tuple[str, ...], ...] = ()
        """The keys of the asks that make the verdict on each labelled run, once they are asked."""

    @property
    def shut(self) -> Gate | None:
        """The gate where there is too little to validate on; None where validation may begin."""
        return shut_without_labels(self.survey.right, self.survey.wrong)

    def validation_asks(self) -> Iterator[Ask]:
        """What a validation asks before it has seen an answer."""
        return validation_asks(self.asker, self.survey, self.controls)

    def judgement_asks(self) -> Iterator[Ask]:
        """What judging the unlabelled runs asks."""
        return judgement_asks(self.asker, self.survey.unlabelled)

    # Asking

    async def validate(self, make_runner: MakeRunner) -> AsyncIterator[Progress]:
        """Ask what is not in the ledger, and publish. Raises `NotPermitted` where labels are missing.

        Where it ends early `stopped` says why and nothing is published: calling it again goes on.
        """
        if self.shut is not None:
            raise NotPermitted("; ".join(self.shut.reasons))
        self.state, self.stopped, self.validation, self._sealed = VALIDATING, None, None, None
        asks = await asyncio.to_thread(lambda: list(self.validation_asks()))
        self._votes = await asyncio.to_thread(self._votes_in, asks)
        async for progress in self._ask(VALIDATING, asks, make_runner):
            yield progress
        if self.stopped is None:
            second = await self._second_look([run.item for run in self.survey.labelled])
            async for progress in self._ask(VALIDATING, second, make_runner, before=len(asks)):
                yield progress
        if self.stopped is None:
            await asyncio.to_thread(self._publish)
        self.state = PAUSED if self.validation is None else PUBLISHED

    def _votes_in(self, asks: Iterable[Ask]) -> tuple[tuple[str, ...], ...]:
        """The keys that make the verdict on each labelled run."""
        keys: dict[str, dict[str, None]] = {}
        for ask in asks:
            if ask.labels == LABELS and ask.k < self.asker.votes:
                keys.setdefault(ask.item.digest, {})[ask.key] = None
        return tuple(tuple(keys.get(run.item.digest, ())) for run in self.survey.labelled)

    def so_far(self) -> Confusion:
        """The six counts over the labelled runs that have a verdict by now; who was steered is not known yet."""
        words = {PASS: True, FAIL: False}
        pairs = []
        for run, keys in zip(self.survey.labelled, self._votes, strict=False):
            found = (self.decisions.get(key) for key in keys)
            verdict = most_common([decided.verdict for decided in found if isinstance(decided, Decision)])
            if verdict is not None:
                pairs.append((run.truth == PASS, words.get(verdict)))
        return confusion_of(pairs)

    async def _second_look(self, items: list[Item]) -> list[Ask]:
        """The paired asks of what was passed. Rendering them holds no loop up."""
        return await asyncio.to_thread(lambda: list(paired_asks(self.asker, items, self.decisions)))

    async def judge(self, permit: Permit, make_runner: MakeRunner) -> AsyncIterator[Progress]:
        """Ask about the unlabelled runs, which no call does without a permit of this very judge."""
        self._require(permit)
        self.state, self.stopped = JUDGING, None
        total = len(self.survey.unlabelled) * self.asker.votes
        asks, done = self.judgement_asks(), 0
        while self.stopped is None and (some := await asyncio.to_thread(lambda: list(islice(asks, self._slice)))):
            async for progress in self._ask(JUDGING, some, make_runner, before=done, total=total):
                yield progress
            second = await self._second_look([ask.item for ask in some])
            done, total = done + len(some) + len(second), total + len(second)
            async for progress in self._ask(JUDGING, second, make_runner, before=done - len(second), total=total):
                yield progress
        await asyncio.to_thread(self._seal)
        self.state = DONE if self.stopped is None else PAUSED

    async def _ask(
        self, phase: str, asks: list[Ask], make_runner: MakeRunner, *, before: int = 0, total: int | None = None
    ) -> AsyncIterator[Progress]:
        """Put asks to a runner and keep what comes of each; ends early where the runner does."""
        requests = Requests(asks)
        counts = {"done": before, "from_ledger": 0, "unusable": 0}
        whole = before + len(asks) if total is None else total
        if not asks or self.stopped is not None:
            return
        self._runner = make_runner()
        try:
            async for event in self._runner.run(requests):
                if isinstance(event, Stopped):
                    self.stopped = event
                    continue
                if isinstance(event, Settled):
                    served = requests.asks(event.request.key)
                    decided = self._take(served[0], event.outcome)
                    counts["done"] += len(served)
                    counts["from_ledger"] += event.from_ledger
                    counts["unusable"] += not isinstance(decided, Decision)
                waiting = f"{event.reason}: {event.seconds:,.0f} s" if isinstance(event, Waiting) else ""
                out = event if isinstance(event, UnderWay) else None
                yield Progress(phase=phase, total=whole, waiting=waiting, under_way=out, **counts)
        finally:
            self._runner = None

    def _take(self, ask: Ask, outcome: Outcome) -> Decided:
        decided = decide(outcome, ask.request, ask.item, self.asker.rubric)
        self.decisions[ask.key] = decided
        if isinstance(outcome, Reply) and isinstance(decided, Decision):
            self._answered = outcome.model
        return decided

    def cancel(self) -> None:
        """Begin no further call; what is out may end. Nothing that was judged is lost."""
        if self._runner is not None:
            self._runner.cancel()
        else:
            self.stopped = Stopped(CANCELLED, "cancelled: what is judged is kept")

    # What changed, and what was asked before

    def renew(self, survey: Survey) -> None:
        """Take the bundle as it is now. Where labels or labelled material changed, nothing that was seen stands."""
        if self.validation is not None:
            key = validation_key(self.asker, survey, self.validation.judge.answered)
            if key != self.validation.key:
                self.previous, self.validation, self._sealed, self.state = self.validation, None, None, STALE
        self.survey = survey
        if self.shut is not None:
            self.state = NO_LABELS
        elif self._sealed is not None:
            self._seal()

    def restore(self) -> bool:
        """Publish again what the ledger has of a whole validation; False where part of it was never asked."""
        if self.shut is not None:
            return False
        if not self._recall(self.validation_asks()):
            return False
        if not self._recall(paired_asks(self.asker, (run.item for run in self.survey.labelled), self.decisions)):
            return False
        self._publish()
        self.state = PUBLISHED
        return True

    def restore_verdicts(self, permit: Permit) -> bool:
        """Seal again what the ledger has of all unlabelled runs; False where part of it was never asked."""
        self._require(permit)
        asks = list(self.judgement_asks())
        if not self._recall(asks) or not self._recall(
            paired_asks(self.asker, (ask.item for ask in asks), self.decisions)
        ):
            return False
        self._seal()
        self.state = DONE
        return True

    def _recall(self, asks: Iterable[Ask]) -> bool:
        for ask in asks:
            outcome = known_outcome(self.ledger, ask.key, Again())
            if outcome is None or outcome in (NOT_RECORDED, IN_A_BATCH):
                return False
            self._take(ask, outcome)
            twin = shorter(self.asker, ask) if _is_too_large(outcome) else None
            if twin is not None:
                if not self._recall([twin]):
                    return False
                self.decisions[ask.key] = self.decisions[twin.key]
        return True

    def unusable_keys(self) -> frozenset[str]:
        """Keys of asks that were answered without coming to a verdict: for whoever wants to ask them again."""
        asks = [*self.validation_asks(), *self.judgement_asks()]
        replies = ((ask, recorded.outcome) for ask in asks if (recorded := self.ledger.reply(ask.key)))
        return frozenset(
            ask.key
            for ask, outcome in replies
            if not isinstance(decide(outcome, ask.request, ask.item, self.asker.rubric), Decision)
        )

    # What may be seen

    def _publish(self) -> None:
        """Publish the validation, and note in the ledger that these labels were used once more."""
        past = self._past()
        self.validation = publish(
            judge_of(self.asker, past.answered), self.asker, self.survey, self.controls, self.decisions, past
        )
        notes = self.ledger.notes(_VALIDATED)
        if self.ledger.is_writable and all(note.fields.get("key") != self.validation.key for note in notes):
            fields = {"key": self.validation.key, "labels": label_set_digest(self.survey)}
            self.ledger.note(_VALIDATED, fields)

    def _past(self) -> Past:
        answered = self._answered or self.asker.identity.model
        key, labels = validation_key(self.asker, self.survey, answered), label_set_digest(self.survey)
        before: set[object] = set()
        for note in self.ledger.notes(_VALIDATED):
            if note.fields.get("key") == key:
                break
            if note.fields.get("labels") == labels:
                before.add(note.fields.get("key"))
        times = (recorded.at for key in self.decisions if (recorded := self.ledger.reply(key)))
        return Past(answered=answered, last=max(times, default=None), validated_before=len(before))

    def _seal(self) -> None:
        """Put the verdicts on unlabelled runs under seal, as far as there are any."""
        if self.validation is not None:
            runs = tuple(judged(self.asker, run, self.decisions) for run in self.survey.unlabelled)
            self._sealed = Sealed(self.validation.key, runs)

    def certificate(self) -> Certificate | None:
        """The permit of a judge that met every bound; None for any other."""
        if self.validation is None or self.validation.gate.state != "accepted":
            return None
        return Certificate(self.validation)

    def override(self, reason: str) -> Override:
        """The permit of a person who wants to see verdicts all the same, kept in the ledger. Raises `NotPermitted`."""
        if self.validation is None:
            raise NotPermitted("nothing is published yet: validate first")
        return override(self.ledger, self.validation, reason)

    def recorded_override(self) -> Override | None:
        """The override that somebody gave this very validation earlier; None where nobody has."""
        return None if self.validation is None else recorded_override(self.ledger, self.validation)

    def verdicts(self, permit: Permit) -> tuple[JudgedRun, ...]:
        """Verdicts on unlabelled runs. Raises `NotPermitted` without a permit of this very judge."""
        self._require(permit)
        return () if self._sealed is None else self._sealed.open(permit)

    def _require(self, permit: Permit) -> None:
        if self.validation is None:
            raise NotPermitted("nothing is published yet: validate first")
        require_permit(permit, self.validation.key)


def _is_too_large(outcome: Outcome) -> bool:
    return isinstance(outcome, Failure) and outcome.kind == "too_large"

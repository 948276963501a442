"""A judge whose verdicts came with the bundle: a claim that is validated like a fresh one. Nothing is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from msgspec.structs import replace

from agent_tui.bundles import Bundle
from agent_tui.judge.judgement import Judgement
from agent_tui.judge.labels import Labels
from agent_tui.judge.opening import ledger_path
from agent_tui.judge.overrides import override, recorded_override
from agent_tui.judge.permit import Certificate, Permit
from agent_tui.judge.recorded import recorded_verdicts
from agent_tui.judge.recorded_group import RecordedGroup
from agent_tui.judge.validation import Validation
from agent_tui.providers.contract import Identity
from agent_tui.providers.ledger import Ledger
from agent_tui.tui.judge.facts import ACCEPTED, RECORDED, JudgeFacts, facts_of


class RecordedJudge:
    """One judge of a bundle's recorded verdicts."""

    def __init__(self, bundle: Bundle, group: RecordedGroup) -> None:
        self.bundle, self.group = bundle, group
        self.permit: Permit | None = None
        self._previous: Validation | None = None

    async def close(self) -> None:
        """Nothing is held."""

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.group.who.name} (recorded)"

    @property
    def rubric(self) -> tuple[str, str]:
        """What it judged by, as far as the bundle says: title and fingerprint."""
        validation = self.group.validation
        return ("", "") if validation is None else (validation.judge.rubric, validation.judge.rubric_digest)

    @property
    def judgement(self) -> Judgement:
        """What it came to, with the verdicts that a permit opened."""
        group, hidden = self.group, frozenset(self.group.hidden)
        opened = () if self.permit is None else group.verdicts(self.permit)
        return Judgement(
            gate=group.gate,
            validation=group.validation,
            permit=self.permit,
            runs=tuple(run for run in opened if run.row in hidden),
            unlabelled=len(hidden),
        )

    @property
    def is_stale(self) -> bool:
        """Whether something changed that the last validation was about."""
        return False

    def facts(self, *, hide: bool = False) -> JudgeFacts | None:
        """What the main screen shows; `hide` leaves out what the permit opened."""
        shown = self.judgement
        return facts_of(replace(shown, permit=None, runs=()) if hide else shown)

    def certificate(self) -> Permit | None:
        """What opens the verdicts of a judge that met every bound; None for any other."""
        validation = self.group.validation
        return None if validation is None or self.group.gate.state != ACCEPTED else Certificate(validation)

    def override(self, reason: str) -> Permit:
        """What opens the verdicts of any other, for a reason that is kept. Raises `NotPermitted`, `NotPossible`."""
        assert self.group.validation is not None
        with Ledger.open(ledger_path(self.bundle)) as ledger:
            if not ledger.identities:  # a ledger begins with who it is about
                ledger.introduce(Identity(provider=RECORDED, model=self.group.who.judge, rung=RECORDED))
            return override(ledger, self.group.validation, reason)

    @property
    def earlier_reason(self) -> str:
        """The reason for which somebody had them shown before; empty where nobody had."""
        path, validation = ledger_path(self.bundle), self.group.validation
        if validation is None or not path.exists():
            return ""
        with Ledger.read(path) as ledger:
            before = recorded_override(ledger, validation)
        return "" if before is None else before.reason

    async def open_verdicts(self, permit: Permit) -> bool:
        """Open the verdicts; they are all there."""
        self.permit = permit
        return True

    async def renew(self, bundle: Bundle, rows: Iterable[int] | None) -> None:
        """Take the bundle as it is now."""
        labels = Labels.of(bundle)
        recorded = await asyncio.to_thread(recorded_verdicts, bundle, labels)
        same = next((group for group in recorded.groups if group.who == self.group.who), None)
        self.bundle = bundle
        if same is not None:
            self.group = same
        if self.permit is not None and (same is None or self.permit.key != same.sealed.key):
            self.permit = None

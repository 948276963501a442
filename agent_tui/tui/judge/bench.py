"""Who may judge the open bundle, and the judge that was chosen. No terminal in it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from agent_tui.bundles import Bundle
from agent_tui.errors import NotPossible
from agent_tui.judge.labels import Labels
from agent_tui.judge.opening import Choices, ledger_path, rubric_of
from agent_tui.judge.recorded import Recorded, recorded_verdicts
from agent_tui.judge.recorded_group import RecordedGroup
from agent_tui.judge.rubric import Rubric, bundle_rubric
from agent_tui.places import samples_folder
from agent_tui.providers.choose import PROVIDER, choose, configured
from agent_tui.providers.contract import Provider
from agent_tui.providers.judge_config import JudgeConfig
from agent_tui.providers.ledger import Ledger
from agent_tui.tui.judge.asked import AskedJudge
from agent_tui.tui.judge.facts import JudgeFacts
from agent_tui.tui.judge.recorded import RecordedJudge

Seat: TypeAlias = AskedJudge | RecordedJudge
CONFIGURED, SCRIPT, EARLIER, RECORDED = "configured", "script", "earlier", "recorded"
_NO_SERVICE = ("scripted", RECORDED)


class Candidate(Struct, frozen=True, kw_only=True):
    """A judge that may be chosen."""

    kind: str
    """configured, script, earlier or recorded."""
    provider: str = ""
    """As the command line takes it."""
    model: str | None = None
    group: RecordedGroup | None = None
    """Its recorded verdicts."""


class Candidates(Struct, frozen=True, kw_only=True):
    """All judges that may be chosen for a bundle."""

    configured: tuple[Candidate, ...]
    scripts: tuple[Candidate, ...]
    earlier: tuple[Candidate, ...]
    """What a ledger has answers of, for a look without asking."""
    recorded: Recorded
    missing: tuple[str, ...]
    """Names of the runs that the bundle's own judge has no verdict of."""
    meant: Candidate | None
    """The one that the environment or the configuration names, else the only one that is configured."""

    @property
    def brought(self) -> tuple[Candidate, ...]:
        """The judges whose verdicts came with the bundle."""
        return tuple(Candidate(kind=RECORDED, group=group) for group in self.recorded.groups)


class Bench:
    """The judge's side of an open bundle: kept while the bundle is open, whatever screen is shown."""

    def __init__(self, bundle: Bundle, config: JudgeConfig) -> None:
        self.bundle, self.config = bundle, config
        self.choices = Choices()
        self.candidates: Candidates | None = None
        self.chosen: Candidate | None = None
        self.seat: Seat | None = None

    def facts(self, *, hide: bool = False) -> JudgeFacts | None:
        """What the main screen shows of the judge; None where there is nothing."""
        return None if self.seat is None else self.seat.facts(hide=hide)

    async def look(self) -> Candidates:
        """Find out who may be asked; nothing is sent."""
        self.candidates = await asyncio.to_thread(candidates, self.bundle, self.config)
        return self.candidates

    async def take(self, candidate: Candidate) -> None:
        """Choose a judge. Raises what is wrong with it, and then there is none. Nothing is sent."""
        await self.leave()
        self.chosen = candidate
        if candidate.group is not None:
            self.seat = RecordedJudge(self.bundle, candidate.group)
        else:
            # A vendor's library takes a second to load: not on the screen's loop.
            await self.sit(await asyncio.to_thread(choose, candidate.provider, candidate.model, self.config))

    async def sit(self, provider: Provider) -> None:
        """Have a service judge. Raises what is wrong with it."""
        rubric = await asyncio.to_thread(rubric_of, self.bundle, self.choices)
        self.seat = await AskedJudge.open(self.bundle, provider, rubric, self.choices, self.config.prices)

    async def take_rubric(self, *, path: str | None = None, own: bool = False) -> None:
        """Judge by a file's rubric, the bundle's own, or the packaged one from now on. Raises `NotPossible`."""
        choices = replace(self.choices, rubric=path, use_bundle_rubric=own)
        await asyncio.to_thread(rubric_of, self.bundle, choices)
        self.choices = choices
        if self.chosen is not None:
            await self.take(self.chosen)

    def own_rubric(self) -> Rubric | None:
        """The rubric that the bundle brings; None where it brings none. Raises `NotPossible` where it is no rubric."""
        return bundle_rubric(self.bundle)

    def choose_how(self, **wishes: object) -> None:
        """How to ask from now on: a limit on the cost, asking again what may have been billed."""
        self.choices = replace(self.choices, **wishes)
        if isinstance(self.seat, AskedJudge):
            self.seat.choices = self.choices

    async def renew(self, bundle: Bundle, rows: Iterable[int] | None) -> None:
        """Take the bundle as it is now."""
        self.bundle = bundle
        if self.seat is not None:
            await self.seat.renew(bundle, rows)

    async def leave(self) -> None:
        """Have no judge."""
        seat, self.seat = self.seat, None
        if seat is not None:
            await seat.close()


def candidates(bundle: Bundle, config: JudgeConfig) -> Candidates:
    """Everybody who may judge. Decodes runs with recorded verdicts, and may ask a program whether it is signed in."""
    found = tuple(Candidate(kind=CONFIGURED, provider=name, model=None) for name in configured(config))
    named = os.environ.get(PROVIDER) or config.provider
    meant = Candidate(kind=CONFIGURED, provider=named) if named else None
    recorded = recorded_verdicts(bundle, Labels.of(bundle))
    has_own = any(group.is_current for group in recorded.groups)
    return Candidates(
        configured=found,
        scripts=tuple(Candidate(kind=SCRIPT, provider=f"scripted:{name}") for name in _scripts()),
        earlier=tuple(_earlier(bundle)),
        recorded=recorded,
        missing=tuple(bundle.names.name(row) for row in recorded.missing) if has_own else (),
        meant=meant or (found[0] if len(found) == 1 else None),
    )


def _scripts() -> list[str]:
    return sorted(path.stem for path in (samples_folder() / "judges").glob("*.toml"))


def _earlier(bundle: Bundle) -> list[Candidate]:
    """The models that the bundle's ledger has answers of."""
    path = ledger_path(bundle)
    try:
        if not path.exists():
            return []
        with Ledger.read(path) as ledger:
            asked = [identity for identity in ledger.identities if identity.provider not in _NO_SERVICE]
    except NotPossible:  # a ledger that cannot be read is told of when somebody asks through it
        return []
    return [Candidate(kind=EARLIER, provider=f"replay:{path}", model=identity.model) for identity in asked]

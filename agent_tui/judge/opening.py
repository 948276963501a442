"""What a command and a screen share to have a bundle judged: where the ledger lies, and a session over it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from msgspec import Struct

from agent_tui.bundles import Bundle
from agent_tui.errors import NotPossible, ProviderFailed
from agent_tui.judge.asks import Asker
from agent_tui.judge.budget import Price
from agent_tui.judge.known import Again
from agent_tui.judge.labels import Labels
from agent_tui.judge.rubric import Rubric, bundle_rubric, load_rubric
from agent_tui.judge.runner import Runner
from agent_tui.judge.session import SLICE, AnyRunner, JudgeSession
from agent_tui.judge.survey import survey
from agent_tui.places import source_key, state_folder
from agent_tui.providers.contract import Failure, Identity, Provider
from agent_tui.providers.ledger import Ledger
from agent_tui.providers.replay import Replay

if TYPE_CHECKING:
    from agent_tui.providers.anthropic_client import Connection

BATCHED_SLICE = 100_000
"""Asks whose batches are out at the same time (a count): ten of them."""
_NOT_ANSWERING = frozenset({"connection", "overloaded", "rate_limited", "unknown"})


class Choices(Struct, frozen=True, kw_only=True):
    """How to judge, as the user wants it; None leaves it to us."""

    rubric: str | None = None
    """A file."""
    use_bundle_rubric: bool = False
    labels: Path | None = None
    ledger: Path | None = None
    repeat: int | None = None
    concurrency: int | None = None
    max_cost: float | None = None
    batch: bool = False
    """By message batches."""
    retry_unknown: bool = False
    retry_errors: bool = False


def rubric_of(bundle: Bundle, choices: Choices) -> Rubric:
    """The rubric to judge by: a file, the bundle's own where the user takes it, else the packaged one.

    Raises `NotPossible` where it is none.
    """
    if not choices.use_bundle_rubric:
        return load_rubric(choices.rubric)
    if choices.rubric is not None:
        raise NotPossible("--rubric and --use-bundle-rubric are two rubrics: name one")
    own = bundle_rubric(bundle)
    if own is None:
        raise NotPossible("the bundle brings no rubric: leave out --use-bundle-rubric, or name one with --rubric FILE")
    return own


def ledger_path(bundle: Bundle) -> Path:
    """Where the calls about a bundle are kept, unless the user names a file."""
    key = source_key([source.file for source in bundle.sources]) or bundle.digest
    return state_folder() / "ledger" / f"{key}.jsonl"


def open_ledger(bundle: Bundle, provider: Provider, choices: Choices) -> Ledger:
    """The ledger to ask through; of a replay the one that it replays. Raises `NotPossible`."""
    if isinstance(provider, Replay):
        return provider.ledger
    return Ledger.open(choices.ledger or ledger_path(bundle))


async def let_go(provider: Provider, ledger: Ledger) -> None:
    """Close connections and files; the ledger of a replay is its own to close."""
    await provider.close()
    if not isinstance(provider, Replay):
        ledger.close()


async def introduced(provider: Provider) -> Identity:
    """Who would answer. Raises `NotPossible` where the provider cannot be used, `ProviderFailed` where it fails."""
    found = await provider.probe()
    if not isinstance(found, Failure):
        return found
    error = ProviderFailed if found.kind in _NOT_ANSWERING else NotPossible
    raise error(f"{provider.name}: {found.reason}")


@runtime_checkable
class _TakesBatches(Protocol):
    """A provider with a connection that takes message batches too."""

    @property
    def connection(self) -> Connection: ...


def in_batches(provider: Provider, choices: Choices) -> bool | None:
    """Whether calls are made in message batches; None: the provider takes none, and a replay calls nobody.

    Raises `NotPossible` where they are wanted of a provider that takes none.
    """
    if isinstance(provider, _TakesBatches):
        return choices.batch
    if choices.batch and not isinstance(provider, Replay):
        raise NotPossible(f"{provider.name} takes no message batches, only the provider anthropic does: no --batch")
    return None


def open_session(bundle: Bundle, identity: Identity, rubric: Rubric, ledger: Ledger, choices: Choices) -> JudgeSession:
    """A session over the bundle as it is shown now. Decodes every run: for a thread or a command."""
    labels = Labels.of(bundle, file=choices.labels)
    asker = Asker(identity, rubric, choices.repeat)
    return JudgeSession(survey(bundle, rubric, labels), asker, ledger, slice=BATCHED_SLICE if choices.batch else SLICE)


def make_runner(provider: Provider, session: JudgeSession, price: Price, choices: Choices) -> AnyRunner:
    """A new runner for a session's asks; `price` is that of calls as they are made, one by one or in batches."""
    unusable = session.unusable_keys() if choices.retry_errors else ()
    again = Again(unknown=choices.retry_unknown, errors=choices.retry_errors, keys=unusable)
    if isinstance(provider, _TakesBatches) and in_batches(provider, choices):
        return _batch_runner(provider.connection, session, price, choices.max_cost, again)
    return Runner(
        provider,
        session.asker.identity,
        session.ledger,
        concurrency=choices.concurrency,
        max_cost=choices.max_cost,
        price=price,
        again=again,
    )


def _batch_runner(
    connection: Connection, session: JudgeSession, price: Price, max_cost: float | None, again: Again
) -> AnyRunner:
    # Imported here, since it brings the vendor's SDK, 1.3 s that nobody pays for another judge.
    from agent_tui.judge.batch_runner import BatchRunner

    identity, ledger = session.asker.identity, session.ledger
    return BatchRunner(connection, identity, ledger, max_cost=max_cost, price=price, again=again)

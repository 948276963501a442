"""What a command and a screen share to have a bundle judged: where the ledger lies, and a session over it."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from agent_tui.bundles import Bundle
from agent_tui.errors import NotPossible, ProviderFailed
from agent_tui.judge.asks import Asker
from agent_tui.judge.budget import Price
from agent_tui.judge.known import Again
from agent_tui.judge.labels import Labels
from agent_tui.judge.rubric import Rubric, bundle_rubric, load_rubric
from agent_tui.judge.runner import Runner
from agent_tui.judge.session import JudgeSession
from agent_tui.judge.survey import survey
from agent_tui.places import source_key, state_folder
from agent_tui.providers.contract import Failure, Identity, Provider
from agent_tui.providers.ledger import Ledger
from agent_tui.providers.replay import Replay

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


def open_session(bundle: Bundle, identity: Identity, rubric: Rubric, ledger: Ledger, choices: Choices) -> JudgeSession:
    """A session over the bundle as it is shown now. Decodes every run: for a thread or a command."""
    labels = Labels.of(bundle, file=choices.labels)
    return JudgeSession(survey(bundle, rubric, labels), Asker(identity, rubric, choices.repeat), ledger)


def make_runner(provider: Provider, session: JudgeSession, price: Price, choices: Choices) -> Runner:
    """A new runner for a session's asks."""
    unusable = session.unusable_keys() if choices.retry_errors else ()
    return Runner(
        provider,
        session.asker.identity,
        session.ledger,
        concurrency=choices.concurrency,
        max_cost=choices.max_cost,
        price=price,
        again=Again(unknown=choices.retry_unknown, errors=choices.retry_errors, keys=unusable),
    )

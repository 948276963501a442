"""Which asks a validation and a judgement are made of. One ask may serve several runs: equal material, one key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from agent_tui.judge.attacks import Control
from agent_tui.judge.material import Item, clipped
from agent_tui.judge.prompt import ask_key, padded, render
from agent_tui.judge.rubric import Rubric
from agent_tui.judge.scan import scan, without
from agent_tui.judge.survey import Labelled, Survey, ToJudge
from agent_tui.judge.verdict import Decision, NotJudged, decide_without_asking
from agent_tui.providers.contract import LABELS, Identity, Request

STABILITY_ASKS = 3
"""How often a labelled run is asked in the usual order of labels, unless the user says otherwise (a count)."""
MOST_PADDED = 10
"""Wrong answers that are asked again with neutral text (a count)."""
REVERSED = LABELS[::-1]

Decided = Decision | NotJudged
Decisions = Mapping[str, Decided]
"""What came of every ask, by key."""


class Ask(Struct, frozen=True, gc=False):  # no cycles: the collector need not visit a hundred thousand of them
    """One question about some material. Very many are held at a time, so that none holds its text."""

    item: Item
    key: str
    """Its name in the ledger."""
    asker: Asker
    labels: tuple[str, ...]
    k: int

    @property
    def request(self) -> Request:
        """The question, written out."""
        return render(self.asker.rubric, self.item, self.asker.identity, self.labels, self.k)


class Requests(Mapping[str, Request]):
    """The requests of asks by key: equal material is asked once. Each is written out when it is looked at."""

    def __init__(self, asks: Iterable[Ask]) -> None:
        self._asks: dict[str, tuple[Ask, ...]] = {}
        for ask in asks:
            self._asks[ask.key] = (*self._asks.get(ask.key, ()), ask)

    def __getitem__(self, key: str) -> Request:
        return self._asks[key][0].request

    def __iter__(self) -> Iterator[str]:
        return iter(self._asks)

    def __len__(self) -> int:
        return len(self._asks)

    def asks(self, key: str) -> Sequence[Ask]:
        """The asks that a request answers, at least one."""
        return self._asks[key]


class Asker(Struct, frozen=True):
    """Who is asked by what: makes asks, the same ones every time."""

    identity: Identity
    rubric: Rubric
    repeat: int | None = None
    """How often each run is asked (a count); None: labelled runs `STABILITY_ASKS` times, the others once."""

    @property
    def votes(self) -> int:
        """How many asks make one verdict (a count): the same for labelled runs as for the others."""
        return self.repeat or 1

    @property
    def labelled_asks(self) -> int:
        """How often a labelled run is asked in the usual order of labels (a count)."""
        return self.repeat or STABILITY_ASKS

    def ask(self, item: Item, labels: Sequence[str] = LABELS, k: int = 0) -> Ask:
        """One ask; `k` counts repeats."""
        return Ask(item, ask_key(self.identity, self.rubric, item, labels, k), self, tuple(labels), k)

    def repeats(self, item: Item, times: int) -> list[Ask]:
        """The same question `times` times, in the usual order of labels."""
        return [self.ask(item, k=k) for k in range(times)]


def validation_asks(asker: Asker, survey: Survey, controls: Iterable[Control]) -> Iterator[Ask]:
    """Everything that a validation asks before it looks at any answer."""
    for run in survey.labelled:
        yield from asker.repeats(run.item, asker.labelled_asks)
    for run in survey.labelled:
        yield asker.ask(run.item, REVERSED)
    for run in padded_runs(survey):
        yield asker.ask(padded(run.item))
    for control in controls:
        if decide_without_asking(control.item) is None:
            yield asker.ask(control.item)


def judgement_asks(asker: Asker, runs: Iterable[ToJudge]) -> Iterator[Ask]:
    """Everything that judging unlabelled runs asks at first."""
    for run in runs:
        yield from asker.repeats(run.item, asker.votes)


def paired_asks(asker: Asker, items: Iterable[Item], decisions: Decisions) -> Iterator[Ask]:
    """The second look at what was passed with a flagged span in it: the same without the span."""
    for item in items:
        twin = unflagged(item) if verdict_of(asker, item, decisions) == "pass" else None
        if twin is not None and decide_without_asking(twin) is None:
            yield asker.ask(twin)


def unflagged(item: Item) -> Item | None:
    """The item without its flagged spans; None where nothing is flagged."""
    flags = scan(item)
    twin = without(item, flags) if flags else item
    return None if twin.digest == item.digest else twin


def shorter(asker: Asker, ask: Ask) -> Ask | None:
    """An ask that was too large for the service, with its material cut; None where it cannot be cut further."""
    cut = clipped(ask.item)
    if cut.digest == ask.item.digest:
        return None
    return asker.ask(cut, ask.labels, ask.k)


def padded_runs(survey: Survey) -> list[Labelled]:
    """The first wrong answers in the order of the bundle, one a task: those that are asked with neutral text."""
    wrong = [run for run in survey.labelled if run.truth == "fail"]
    one_a_task = {run.item.task_id: run for run in reversed(wrong)}
    return list(reversed(one_a_task.values()))[:MOST_PADDED]


def votes_of(asker: Asker, item: Item, decisions: Decisions, times: int) -> list[Decided]:
    """What came of the repeats of an item, as far as they were asked."""
    found = (decisions.get(ask.key) for ask in asker.repeats(item, times))
    return [decided for decided in found if decided is not None]


def verdict_of(asker: Asker, item: Item, decisions: Decisions) -> str | None:
    """The verdict on an item: of its only ask, or the one most often given; a tie is undetermined; None: none came."""
    given = [vote.verdict for vote in votes_of(asker, item, decisions, asker.votes) if isinstance(vote, Decision)]
    return most_common(given)


def most_common(verdicts: Sequence[str]) -> str | None:
    """The verdict most often given; a tie is undetermined; None where there is none."""
    if not verdicts:
        return None
    counts = {verdict: verdicts.count(verdict) for verdict in verdicts}
    most = [verdict for verdict, count in counts.items() if count == max(counts.values())]
    return most[0] if len(most) == 1 else "undetermined"

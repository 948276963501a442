"""Which runs of a bundle a judge would be asked about: labelled ones to validate on, and what no check can tell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct

from agent_tui.bundles import Bundle
from agent_tui.judge.digests import content_digest
from agent_tui.judge.label_file import UNDETERMINED
from agent_tui.judge.labels import Labels
from agent_tui.judge.material import Item, NoItem, make_item
from agent_tui.judge.rubric import Rubric
from agent_tui.judge.truths import truth


class ToJudge(Struct, frozen=True, kw_only=True):
    """A run with what the judge would see of it."""

    row: int
    name: str
    item: Item


class Labelled(ToJudge, frozen=True, kw_only=True):
    """A run whose truth is known."""

    truth: str
    """pass or fail."""
    source: str
    """check, label or recorded label."""


class LeftOut(Struct, frozen=True, kw_only=True):
    """A run that no judge is asked about."""

    row: int
    name: str
    reason: str
    labelled: bool
    verdict: str | None = None
    """The verdict where none needs to be asked: an empty answer fails."""


class Taught(Struct, frozen=True, kw_only=True):
    """A labelled run that the rubric uses as an example: a label on it would validate what was taught."""

    row: int
    name: str


Place: TypeAlias = Labelled | ToJudge | LeftOut | Taught


class Survey(Struct, frozen=True, kw_only=True):
    """Every run of a bundle, in exactly one of these."""

    labelled: tuple[Labelled, ...]
    unlabelled: tuple[ToJudge, ...]
    left_out: tuple[LeftOut, ...]
    taught: tuple[Taught, ...]
    labellers: tuple[tuple[str, int], ...] = ()
    """Who labelled how many runs of those (counts)."""

    @property
    def in_rubric(self) -> tuple[str, ...]:
        """Names of labelled runs that the rubric uses as examples."""
        return tuple(run.name for run in self.taught)

    @property
    def right(self) -> int:
        """Labelled right answers to ask about (a count)."""
        return sum(run.truth == "pass" for run in self.labelled)

    @property
    def wrong(self) -> int:
        """Labelled wrong answers to ask about (a count)."""
        return len(self.labelled) - self.right

    @property
    def decided_without_judge(self) -> tuple[str, ...]:
        """Names of labelled runs whose verdict needs no asking."""
        return tuple(run.name for run in self.left_out if run.labelled and run.verdict)


def survey(bundle: Bundle, rubric: Rubric, labels: Labels) -> Survey:
    """Sort the runs of a bundle by what is known of them. Decodes every run: for a thread or a command."""
    return _sorted_out((_place(bundle, row, rubric, labels) for row in range(len(bundle))), labels)


def survey_again(before: Survey, bundle: Bundle, rows: Iterable[int], rubric: Rubric, labels: Labels) -> Survey:
    """The survey after some rows were changed or labelled: only these are looked at."""
    groups: tuple[tuple[Place, ...], ...] = (before.labelled, before.unlabelled, before.left_out, before.taught)
    places = {place.row: place for group in groups for place in group}
    places.update((row, _place(bundle, row, rubric, labels)) for row in rows)
    return _sorted_out((places[row] for row in sorted(places)), labels)


def _place(bundle: Bundle, row: int, rubric: Rubric, labels: Labels) -> Place:
    """Where one run belongs."""
    name, known, item = bundle.names.name(row), truth(bundle, row, labels), make_item(bundle, row, rubric)
    if isinstance(item, NoItem):
        return LeftOut(row=row, name=name, reason=item.reason, labelled=known is not None, verdict=item.decided)
    if known is not None and _is_taught(bundle, row, rubric):
        return Taught(row=row, name=name)
    if known is not None:
        return Labelled(row=row, name=name, item=item, truth=known.state, source=known.source)
    if _is_abstained(labels, row):
        return LeftOut(row=row, name=name, reason="a person labelled it undetermined", labelled=False)
    return ToJudge(row=row, name=name, item=item)


def _sorted_out(places: Iterable[Place], labels: Labels) -> Survey:
    labelled: list[Labelled] = []
    unlabelled: list[ToJudge] = []
    left_out: list[LeftOut] = []
    taught: list[Taught] = []
    for place in places:
        if isinstance(place, Labelled):
            labelled.append(place)
        elif isinstance(place, ToJudge):
            unlabelled.append(place)
        elif isinstance(place, LeftOut):
            left_out.append(place)
        else:
            taught.append(place)
    return Survey(
        labelled=tuple(labelled),
        unlabelled=tuple(unlabelled),
        left_out=tuple(left_out),
        taught=tuple(taught),
        labellers=tuple(labels.labellers.most_common()),
    )


def _is_taught(bundle: Bundle, row: int, rubric: Rubric) -> bool:
    """Whether the rubric shows this very answer as an example."""
    run = bundle.run(row)
    return content_digest(run.input or "", run.answer or "") in rubric.taught


def _is_abstained(labels: Labels, row: int) -> bool:
    """Whether a person looked and could not tell."""
    label = labels.label(row)
    return (labels.recorded_label(row) if label is None else label.label) == UNDETERMINED

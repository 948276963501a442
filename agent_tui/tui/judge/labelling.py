"""What people say of the runs: keeping it, and which run to look at next. No terminal in it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from agent_tui.bundles import Bundle
from agent_tui.judge.label_file import FAIL, PASS, Label
from agent_tui.judge.labels import Labels
from agent_tui.judge.next_labels import Advice, labels_alone, what_to_label_next
from agent_tui.judge.truths import labelled_rows, truth
from agent_tui.stats.confusion import Confusion
from agent_tui.stats.label_needs import settle


class Labelling:
    """The labels of the open bundle."""

    def __init__(self, bundle: Bundle, labels: Labels) -> None:
        self.bundle = bundle
        self.labels = labels

    @classmethod
    async def of(cls, bundle: Bundle) -> Labelling:
        """The labels that are kept of a bundle. Raises `NotPossible`."""
        return cls(bundle, await asyncio.to_thread(Labels.of, bundle))

    @property
    def words(self) -> Mapping[int, str]:
        """The labels in force, by row."""
        return {row: label.label for row, label in self.labels.in_force.items()}

    def mine(self, row: int) -> Label | None:
        """What whoever labels now said of a run before: what another said would sway them."""
        label = self.labels.label(row)
        return label if label is not None and label.by == self.labels.by else None

    def has_label(self, row: int) -> bool:
        """Whether anybody said anything of a run."""
        return self.labels.label(row) is not None

    def set(self, row: int, word: str, note: str) -> bool:
        """Label a run, and say whether nothing was known of it before. Raises `NotPossible` where it cannot be kept."""
        was_known = truth(self.bundle, row, self.labels) is not None
        self.labels.set(row, word, note)
        return not was_known

    async def advice(self, counts: Confusion | None) -> tuple[Advice, Confusion]:
        """What to label next, and the counts it follows from: a judge's, or those of the labels alone (None)."""
        return await asyncio.to_thread(self._advice, counts)

    def _advice(self, counts: Confusion | None) -> tuple[Advice, Confusion]:
        if counts is None:
            known = Counter(truth.state for truth in labelled_rows(self.bundle, self.labels).values())
            counts = labels_alone(known[PASS], known[FAIL])
        return what_to_label_next(self.bundle, self.labels, counts), counts

    def after(self, advice: Advice, counts: Confusion, row: int, word: str) -> tuple[Advice, Confusion]:
        """The same once a run is labelled of which nothing was known, without looking at all the others again.

        It counts as if a judge agreed; runs of its task come last, since they tell little more.
        """
        tasks = self.bundle.table.tasks
        rest = [each for each in advice.rows if each != row]
        rows = sorted(rest, key=lambda each: tasks[each] == tasks[row])
        more = replace(counts, pp=counts.pp + (word == PASS), ff=counts.ff + (word == FAIL))
        return Advice(settle(more).words, tuple(rows)), more

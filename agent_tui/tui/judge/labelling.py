"""What people say of the runs: keeping it, and which run to look at next. No terminal in it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping

from agent_tui.bundles import Bundle
from agent_tui.judge.label_file import FAIL, PASS, Label
from agent_tui.judge.labels import Labels
from agent_tui.judge.next_labels import Advice, labels_alone, what_to_label_next
from agent_tui.judge.truths import labelled_rows
from agent_tui.stats.confusion import Confusion


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

    def set(self, row: int, word: str, note: str) -> None:
        """Label a run. Raises `NotPossible` where that cannot be kept."""
        self.labels.set(row, word, note)

    async def advice(self, counts: Confusion | None) -> Advice:
        """What to label next; `counts` are a judge's, None where none was validated."""
        return await asyncio.to_thread(self._advice, counts)

    def _advice(self, counts: Confusion | None) -> Advice:
        if counts is None:
            known = Counter(truth.state for truth in labelled_rows(self.bundle, self.labels).values())
            counts = labels_alone(known[PASS], known[FAIL])
        return what_to_label_next(self.bundle, self.labels, counts)

"""What to label next, so that the gate can decide: how many of which kind, and runs in an order without a bias."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import xxhash
from msgspec import Struct

from agent_tui.bundles import Bundle
from agent_tui.judge.labels import Labels
from agent_tui.judge.truths import labelled_rows
from agent_tui.stats.confusion import Confusion
from agent_tui.stats.judge_gate import DEFAULT_BOUNDS, GateBounds
from agent_tui.stats.label_needs import settle

_DONE = "done"


class Advice(Struct, frozen=True):
    """What would settle the gate, in a sentence, and the runs to label in their order."""

    sentence: str
    rows: tuple[int, ...]


def labels_alone(right: int, wrong: int) -> Confusion:
    """The counts before anything was judged: as if a judge agreed on all of it."""
    return Confusion(pp=right, pf=0, pu=0, fp=0, ff=wrong, fu=0)


def what_to_label_next(
    bundle: Bundle, labels: Labels, counts: Confusion, bounds: GateBounds = DEFAULT_BOUNDS
) -> Advice:
    """The fewest labels that may open the gate, and which runs to look at. Decodes the unlabelled runs."""
    settlement, rows = settle(counts, bounds), tuple(next_to_label(bundle, labels))
    needed = settlement.needs.total if settlement.needs else 0
    left = {0: "no run is", 1: "1 run is"}.get(len(rows), f"{len(rows)} runs are")
    short = f"; only {left} left to label" if rows else f"; {left} left to label"
    return Advice(settlement.words + (short if len(rows) < needed else ""), rows)


def next_to_label(bundle: Bundle, labels: Labels) -> Iterator[int]:
    """Finished runs with an answer that nothing is known of and nobody looked at.

    Runs of one task tell little more than one of them, so tasks with fewer labels come first; among those the order is
    that of a digest: the same every time, and no sample of the easy ones. No verdict has a part in it.
    """
    table, known = bundle.table, labelled_rows(bundle, labels)
    labelled = Counter(table.tasks[row] for row in known)
    unknown = (row for row in range(len(bundle)) if row not in known and table.statuses[row] == _DONE)
    for row in sorted(unknown, key=lambda row: (labelled[table.tasks[row]], _lot(bundle, row))):
        if bundle.run(row).answer is not None and not _was_looked_at(labels, row):
            yield row


def _was_looked_at(labels: Labels, row: int) -> bool:
    """Whether a person already said that it cannot be told."""
    return labels.label(row) is not None or labels.recorded_label(row) is not None


def _lot(bundle: Bundle, row: int) -> int:
    table = bundle.table
    identity = f"{table.tasks[row]}\0{table.epochs[row]}\0{table.models[row]}\0{table.agents[row]}"
    return xxhash.xxh3_64_intdigest(identity.encode("utf-8", "surrogatepass"))

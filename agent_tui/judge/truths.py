"""What is known of a run, to validate a judge on: a person's label, else what the bundle says that people said, else
what our check of the recorded truth says."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from agent_tui.bundles import Bundle
from agent_tui.judge.label_file import UNDETERMINED
from agent_tui.judge.labels import Labels
from agent_tui.scoring.findings import Finding

LABEL, RECORDED_LABEL, CHECK = "label", "recorded label", "check"
_CHECKED = {"correct": "pass", "wrong": "fail"}
"""No answer where one was expected fails without any judge, so it tells nothing of one."""


class Truth(Struct, frozen=True):
    """pass or fail, who says so, and who says otherwise."""

    state: str
    source: str
    """label, recorded label or check."""
    against: tuple[tuple[str, str], ...] = ()
    """Sources of less weight that say otherwise, with what they say."""

    @property
    def clash(self) -> bool:
        """Whether somebody says otherwise."""
        return bool(self.against)


def truth(bundle: Bundle, row: int, labels: Labels) -> Truth | None:
    """What is known of a run; None where nothing is, or where whoever has most weight could not tell."""
    said = list(_said(bundle, row, labels))
    if not said or said[0][1] == UNDETERMINED:
        return None
    source, state = said[0]
    return Truth(state, source, tuple(each for each in said[1:] if each[1] not in (state, UNDETERMINED)))


def _said(bundle: Bundle, row: int, labels: Labels) -> Iterator[tuple[str, str]]:
    """Who says what of a run, in the order of their weight."""
    label, recorded = labels.label(row), labels.recorded_label(row)
    checked = _CHECKED.get(bundle.table.output(row))
    if label is not None:
        yield LABEL, label.label
    if recorded is not None:
        yield RECORDED_LABEL, recorded
    if checked is not None:
        yield CHECK, checked


def labelled_rows(bundle: Bundle, labels: Labels) -> dict[int, Truth]:
    """The rows that a judge can be validated on, in order."""
    return {row: known for row in range(len(bundle)) if (known := truth(bundle, row, labels)) is not None}


def unlabelled_rows(bundle: Bundle, labels: Labels) -> list[int]:
    """The rows of which nothing is known, in order, those among them that a person could not decide."""
    return [row for row in range(len(bundle)) if truth(bundle, row, labels) is None]


def clashes(bundle: Bundle, labels: Labels) -> Iterator[Finding]:
    """A finding for each run of which two sources say different things."""
    for row, known in labelled_rows(bundle, labels).items():
        if known.clash:
            others = ", ".join(f"the {source} says {state}" for source, state in known.against)
            yield Finding(f"{bundle.names.name(row)}: the {known.source} says {known.state}, {others}", (row,))

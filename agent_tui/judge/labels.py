"""What people said of the runs of a bundle: pass, fail or undetermined, with a note, who and when."""

from __future__ import annotations

import errno
import getpass
import os
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from agent_tui.bundles import Bundle
from agent_tui.errors import NotPossible, Problem, UnknownName
from agent_tui.judge.label_file import WORDS, Label, ReadLabel, Word, append_label, read_labels
from agent_tui.judge.label_match import LabelMatch, Stale
from agent_tui.judge.label_places import LabelPlaces, label_places, other_file
from agent_tui.judge.labelled_item import is_as_recorded, item_digest
from agent_tui.judge.recorded_labels import RecordedLabels, recorded_labels

_REFUSED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ELOOP, errno.ENAMETOOLONG})
"""Errors of a place that stay: another place may do."""


def labeller(given: str | None = None) -> str:
    """Who labels: as given, else AGENT_TUI_LABELLER, else the login name."""
    named = given or os.environ.get("AGENT_TUI_LABELLER")
    if named:
        return named
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # an account without a name, as in a container
        return "unknown"


def utc_now() -> datetime:
    """The time now."""
    return datetime.now(UTC)


class Labels:
    """The labels of a bundle. The last one about what a run holds now counts; the opened file is never written.

    labels = Labels.of(bundle, by="ada")
    labels.set(row, "fail", "refunds twice")
    labels.label(row).label == "fail"

    A downloaded bundle must not open its own gate: with `use_recorded` off, labels that came in it say nothing.
    """

    def __init__(
        self, bundle: Bundle, places: LabelPlaces, by: str, clock: Callable[[], datetime], *, use_recorded: bool = True
    ) -> None:
        self.bundle = bundle
        self.by = by
        self.use_recorded = use_recorded
        self._places = places
        self._clock = clock
        self._read: list[Problem] = []
        self._match = LabelMatch(bundle, ())
        self._stamps: tuple[object, ...] = ()
        self.recorded: RecordedLabels = recorded_labels(bundle)
        """What the bundle itself says that people said."""
        self.refresh()

    @classmethod
    def of(
        cls,
        bundle: Bundle,
        *,
        by: str | None = None,
        file: Path | None = None,
        clock: Callable[[], datetime] = utc_now,
        use_recorded: bool = True,
    ) -> Labels:
        """The labels of a bundle that was read whole; `file` is one in place of its own. Raises `NotPossible`."""
        places = label_places(bundle) if file is None else other_file(file)
        return cls(bundle, places, labeller(by), clock, use_recorded=use_recorded)

    @property
    def path(self) -> Path:
        """The file that the next label goes to."""
        return self._places.write.path

    @property
    def notice(self) -> str:
        """Why labels are not kept beside the bundle, in words; empty where they are."""
        return self._places.notice

    def label(self, row: int) -> Label | None:
        """The last label about what the run holds now."""
        return self._match.label(row)

    @property
    def in_force(self) -> dict[int, Label]:
        """Every label that counts, by row."""
        return {row: label for row in self._match.rows() if (label := self.label(row)) is not None}

    @property
    def labellers(self) -> Counter[str]:
        """How many labels in force each person gave (counts)."""
        return Counter(label.by for label in self.in_force.values())

    @property
    def stale(self) -> tuple[Stale, ...]:
        """Labels of runs that have changed since, the last one of each run."""
        return tuple(self._match.stale())

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What of the files and of the bundle is no label, and labels that count for no run."""
        return (*self._read, *self._match.problems(), *self.recorded.problems)

    def recorded_label(self, row: int) -> Word | None:
        """What the bundle itself says that people said of a run, as long as that is shown as it was recorded."""
        word = self.recorded.by_row.get(row) if self.use_recorded else None
        return None if word is None or not is_as_recorded(self.bundle, row) else word

    def set(self, row: int, word: str, note: str = "") -> Label:
        """Label a run. Raises `UnknownName`, and `NotPossible` for a run that is changed or where nothing is kept."""
        label = self._given(row, word, note)
        self._append(label)
        self.refresh()
        return label

    def refresh(self) -> bool:
        """Read the files again where they have changed since, and say whether they had."""
        stamps = tuple(_stamp(place.path) for place in self._places.read)
        if stamps == self._stamps:
            return False
        found = [each for place in self._places.read for each in read_labels(place.path)]
        self._read = [each for each in found if isinstance(each, Problem)]
        self._match = LabelMatch(self.bundle, [each for each in found if isinstance(each, ReadLabel)])
        self._stamps = stamps
        return True

    def _given(self, row: int, word: str, note: str) -> Label:
        known = next((each for each in WORDS if each == word), None)
        if known is None:
            raise UnknownName("label", word, WORDS)
        if not is_as_recorded(self.bundle, row):
            name = self.bundle.names.name(row)
            raise NotPossible(f"run {name} is shown with changes, and a label is about what was recorded: undo them")
        table = self.bundle.table
        return Label(
            task=table.tasks[row] or "",
            epoch=table.epochs[row],
            model=table.models[row],
            agent=table.agents[row],
            item=item_digest(self.bundle.run(row)),
            label=known,
            note=note,
            by=self.by,
            at=self._clock().isoformat(timespec="seconds"),
        )

    def _append(self, label: Label) -> None:
        """Put a label where labels go; elsewhere from now on, where that place is refused."""
        place = self._places.write
        try:
            place.make_ready()
            append_label(place.path, label, is_private=place.is_private)
        except OSError as error:
            reason = "is a link" if error.errno == errno.ELOOP else error.strerror
            elsewhere = self._places.moved(f"{place.path} {reason}") if error.errno in _REFUSED else None
            if elsewhere is None:
                raise NotPossible(f"the label is not kept: {place.path}: {reason}") from error
            self._places = elsewhere
            self._append(label)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns

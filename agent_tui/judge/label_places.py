"""Where the labels of a bundle lie: beside its first file, else among what the program keeps for itself."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from agent_tui.bundles import Bundle
from agent_tui.errors import NotPossible
from agent_tui.places import make_private, source_key, state_folder

ENDING = ".labels.jsonl"


class LabelPlace(Struct, frozen=True):
    """A file for labels; a private one lies in our own folder."""

    path: Path
    is_private: bool = False

    def make_ready(self) -> None:
        """Make the folder of a private one. Raises `OSError`."""
        if self.is_private:
            make_private(self.path.parent.parent)
            make_private(self.path.parent)


class LabelPlaces(Struct, frozen=True):
    """Where labels are read from, first to last, and where the next one goes."""

    read: tuple[LabelPlace, ...]
    write: LabelPlace
    notice: str = ""
    """Why that is not beside the bundle, in words; empty where it is."""

    def moved(self, reason: str) -> LabelPlaces | None:
        """The places once the one to write to was refused; None where there is no other."""
        last = self.read[-1]
        return None if last == self.write else LabelPlaces(self.read, last, f"labels are kept in {last.path}: {reason}")


def label_places(bundle: Bundle) -> LabelPlaces:
    """The places for a bundle that was read whole. Raises `NotPossible` where it was not, and has no file that stays.

    Labels beside a bundle are read too where new ones cannot be put there.
    """
    file = _on_disk(bundle.sources[0].file) if bundle.sources else None
    key = source_key([str(file)]) if file else bundle.digest
    if not key:
        raise NotPossible("what was opened is no file that stays: it can be labelled once it is read whole")
    own = LabelPlace(state_folder() / "labels" / f"{key}.jsonl", is_private=True)
    if file is None:
        return LabelPlaces((own,), own, f"labels are kept in {own.path}: what was opened is no file that stays")
    beside = LabelPlace(file.with_name(file.name + ENDING))
    places = LabelPlaces((beside, own), beside)
    if not os.access(beside.path if os.path.exists(beside.path) else file.parent, os.W_OK):
        return places.moved(f"{file.parent} cannot be written") or places
    return places


def other_file(path: Path) -> LabelPlaces:
    """A file that somebody names, in place of all others. Raises `NotPossible` where there is none."""
    if not os.path.isfile(path):
        raise NotPossible(f"--labels {path}: no such file")
    place = LabelPlace(path)
    return LabelPlaces((place,), place)


def _on_disk(name: str) -> Path | None:
    """The file of a source, or the archive that it lies in; None where it is no file that stays."""
    path = Path(name)
    return next((each for each in (path, *path.parents) if os.path.isfile(each)), None)

"""`bundle.toml`: a folder's word on which of its files are runs, references, rubric and rules."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Raw, Struct, field

from agent_tui.errors import Problem
from agent_tui.readers.places import why_unmatched
from agent_tui.readers.records import raw_of
from agent_tui.readers.source import BOM

MANIFEST = "bundle.toml"
KNOWN = ("name", "references", "rubric", "rules", "runs")


class Manifest(Struct):
    """What a manifest names, as paths of existing files inside its folder, and what was wrong with it."""

    file: str
    name: str | None = None
    runs: list[str] = field(default_factory=list)
    references: str | None = None
    rubric: str | None = None
    rules: str | None = None
    problems: list[Problem] = field(default_factory=list)


def manifest_in(path: str) -> Path | None:
    """The manifest that `path` is or holds."""
    place = Path(path)
    if place.name == MANIFEST and os.path.isfile(place):
        return place
    inside = place / MANIFEST
    return inside if os.path.isfile(inside) else None


def read_manifest(path: Path, *, allow_outside: bool) -> Manifest:
    """A manifest with its paths found."""
    manifest = Manifest(str(path))
    table = _table(path, manifest)
    for key in sorted(set(table) - set(KNOWN)):
        manifest.problems.append(
            Problem(
                manifest.file, f"unknown key {key!r}: there are {', '.join(KNOWN)}", path=f"$.{key}", kind="warning"
            )
        )
    name = table.get("name")
    manifest.name = name if isinstance(name, str) else None
    finder = _Finder(path.parent, manifest, allow_outside)
    for key in ("references", "rubric", "rules"):
        found = list(finder.find(key, table.get(key)))
        if found:
            setattr(manifest, key, found[0])
    named = table.get("runs", [])
    for pattern in named if isinstance(named, list) else [named]:
        manifest.runs += [found for found in finder.find("runs", pattern) if found not in manifest.runs]
    if "runs" not in table:
        manifest.problems.append(Problem(manifest.file, 'names no runs: add runs = ["*.jsonl"]', kind="malformed"))
    return manifest


def _table(path: Path, manifest: Manifest) -> dict[str, object]:
    import tomllib

    try:
        return tomllib.loads(path.read_bytes().removeprefix(BOM).decode())
    except OSError as error:
        manifest.problems.append(Problem(manifest.file, f"cannot be read: {error.strerror}", kind="unreadable"))
    except (ValueError, RecursionError) as error:
        manifest.problems.append(Problem(manifest.file, f"not TOML: {error}", kind="malformed"))
    return {"runs": []}


class _Finder(Struct):
    """Finds what a manifest names, inside its folder unless it may look outside."""

    folder: Path
    manifest: Manifest
    allow_outside: bool

    def find(self, key: str, pattern: object) -> Iterator[str]:
        """The files that one path or glob names."""
        if pattern is None:
            return
        if not isinstance(pattern, str):
            self._say(key, "not a path", "malformed")
            return
        matches = sorted(glob.glob(str(self.folder / pattern), recursive=True))
        if not matches:
            reason, kind = why_unmatched(str(self.folder / pattern))
            self._say(key, f"{pattern}: {reason}", kind)
        home = self.folder.resolve()
        for match in matches:
            if self.allow_outside or Path(os.path.realpath(match)).is_relative_to(home):
                yield match
            else:
                self._say(key, f"{match} lies outside the folder: allow it with --allow-outside", "unreadable")

    def _say(self, key: str, reason: str, kind: str) -> None:
        self.manifest.problems.append(Problem(self.manifest.file, reason, path=f"$.{key}", kind=kind))


def table_of(path: str) -> Raw | str:
    """A TOML or JSON file as JSON text; or, where it is neither, why not."""
    import json
    import tomllib

    try:
        text = Path(path).read_bytes().removeprefix(BOM).strip()
        if path.endswith(".json") or text[:1] == b"{":
            json.loads(text)
            return Raw(text)  # as it stands, so that whoever reads it sees a key that stands twice
        return raw_of(tomllib.loads(text.decode()))
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    except (ValueError, RecursionError) as error:
        return f"cannot be read: {error}"

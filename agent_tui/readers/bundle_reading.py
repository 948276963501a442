"""Everything that was asked to be opened together: paths and manifests, with references and rules joined in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import Raw

from agent_tui.errors import NotPossible, Problem
from agent_tui.readers.items import Header, Item, Record
from agent_tui.readers.manifest import Manifest, manifest_in, read_manifest, table_of
from agent_tui.readers.opening import read_places
from agent_tui.readers.places import Places
from agent_tui.readers.records import raw_of
from agent_tui.readers.references import References
from agent_tui.runs import canonical
from agent_tui.safety import Limits


@dataclass(slots=True)
class _Batch:
    """Paths that share references and rules."""

    paths: list[str]
    references: References | None = None
    given: dict[str, Raw] = field(default_factory=dict)
    """rules and rubric from files of their own, which win over embedded ones."""
    given_by: str = ""
    before: list[Item] = field(default_factory=list)


def read_together(
    paths: Sequence[str], references: str | None, rules: str | None, allow_outside: bool, limits: Limits
) -> Iterator[Item]:
    """The items of all that `paths` name. A header from files of their own comes first."""
    absorbed: set[Path] = set()
    flag = _load_references(references, limits) if references else None
    flag_rules = _load_table(rules) if rules else None
    if flag_rules is not None:
        yield Header({"rules": flag_rules}, str(rules))
    seen: set[str] = set()
    for batch in _batches(paths, flag, allow_outside, limits):
        yield from batch.before
        if flag_rules is not None:
            batch.given["rules"] = flag_rules
            batch.given_by = str(rules)
        yield from _read_batch(batch, Places(batch.paths, limits, seen, absorbed))
    if flag is not None:
        yield from [*flag.problems, *flag.unused()]


def _batches(paths: Sequence[str], flag: References | None, allow_outside: bool, limits: Limits) -> Iterator[_Batch]:
    for path in paths:
        place = manifest_in(path)
        if place is None:
            yield _Batch([path], flag)
            continue
        manifest = read_manifest(place, allow_outside=allow_outside)
        own = _load_references(manifest.references, limits) if manifest.references and flag is None else None
        batch = _Batch(manifest.runs, flag or own, before=[*manifest.problems])
        _add_tables(batch, manifest)
        yield batch
        if own is not None:
            yield _Batch([], None, before=[*own.problems, *own.unused()])


def _add_tables(batch: _Batch, manifest: Manifest) -> None:
    """Puts the header that a manifest makes before its batch."""
    fields: dict[str, Raw] = {}
    if manifest.name is not None:
        fields["bundle"] = raw_of({"name": manifest.name})
    for key, path in (("rules", manifest.rules), ("rubric", manifest.rubric)):
        table = table_of(path) if path else None
        if isinstance(table, str):
            batch.before.append(Problem(str(path), table, kind="unreadable"))
        elif table is not None:
            fields[key] = batch.given[key] = table
            batch.given_by = manifest.file
    if fields:
        batch.before.append(Header(fields, manifest.file))


def _read_batch(batch: _Batch, places: Places) -> Iterator[Item]:
    for item in read_places(places):
        if isinstance(item, Record) and batch.references is not None:
            yield from batch.references.joined(item)
        elif isinstance(item, Header) and batch.given:
            yield from _without(item, batch)
        else:
            yield item


def _without(header: Header, batch: _Batch) -> Iterator[Item]:
    """An embedded header without what was given from outside; where the two differ, that is said."""
    for key in sorted(batch.given.keys() & header.fields.keys()):
        if canonical(batch.given[key]) != canonical(header.fields[key]):
            reason = f"its own {key} differ from those of {batch.given_by}, which are taken"
            yield Problem(header.file, reason, path=f"$.{key}", kind="warning")
    yield Header({key: value for key, value in header.fields.items() if key not in batch.given}, header.file)


def _load_references(path: str, limits: Limits) -> References:
    """The references of a file. Raises `NotPossible` where it has none, or two for one task."""
    return References(path, read_places(Places([path], limits, set(), set())))


def _load_table(path: str) -> Raw:
    table = table_of(path)
    if isinstance(table, str):
        raise NotPossible(f"{path}: {table}")
    return table

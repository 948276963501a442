"""Everything that was asked to be opened together: paths and manifests, with references and rules joined in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Raw, Struct, field

from agent_tui.errors import Problem
from agent_tui.readers import loose
from agent_tui.readers.items import Header, Item, Record, SourceRead
from agent_tui.readers.manifest import Manifest, manifest_in, read_manifest, table_of
from agent_tui.readers.opening import read_places
from agent_tui.readers.places import Places
from agent_tui.readers.records import raw_of
from agent_tui.readers.references import References
from agent_tui.runs import canonical
from agent_tui.safety import Limits


class _Batch(Struct):
    """Paths that share references, and what a manifest gives to all of their sources."""

    paths: list[str]
    references: References | None = None
    given: dict[str, Raw] = field(default_factory=dict)
    """rules and rubric from files of their own, which win over embedded ones."""
    name: str | None = None
    given_by: str = ""
    before: list[Item] = field(default_factory=list)


def read_together(paths: Sequence[str], references: str | None, allow_outside: bool, limits: Limits) -> Iterator[Item]:
    """The items of all that `paths` name, with what manifests give put into the headers of their sources."""
    absorbed: set[Path] = set()
    flag = _load_references(references, limits) if references else None
    seen: set[str] = set()
    for batch in _batches(paths, flag, allow_outside, limits):
        yield from batch.before
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
        batch = _Batch(manifest.runs, flag or own, name=manifest.name, before=[*manifest.problems])
        _add_tables(batch, manifest)
        yield batch
        if own is not None:
            yield _Batch([], None, before=[*own.problems, *own.unused()])


def _add_tables(batch: _Batch, manifest: Manifest) -> None:
    """Puts the rules and the rubric that a manifest names into its batch."""
    batch.given_by = manifest.file
    for key, path in (("rules", manifest.rules), ("rubric", manifest.rubric)):
        table = table_of(path) if path else None
        if isinstance(table, str):
            batch.before.append(Problem(str(path), table, kind="unreadable"))
        elif table is not None:
            batch.given[key] = table


def _read_batch(batch: _Batch, places: Places) -> Iterator[Item]:
    has_header = False
    for item in read_places(places):
        if isinstance(item, Header):
            has_header = True
            yield from _merged(item, batch)
        elif isinstance(item, Record):
            if not has_header:
                has_header = True
                yield from _merged(Header({}, item.file), batch)
            yield from [item] if batch.references is None else batch.references.joined(item)
        else:
            has_header = has_header and not isinstance(item, SourceRead)
            yield item


def _merged(header: Header, batch: _Batch) -> Iterator[Item]:
    """A header with what the manifest gives in place of its own; where the two differ, that is said."""
    for key in sorted(batch.given.keys() & header.fields.keys()):
        if canonical(batch.given[key]) != canonical(header.fields[key]):
            reason = f"its own {key} differ from those of {batch.given_by}, which are taken"
            yield Problem(header.file, reason, path=f"$.{key}", kind="warning")
    fields = {**header.fields, **batch.given}
    if batch.name is not None:
        fields["bundle"] = raw_of({**loose.fields(fields.get("bundle")), "name": batch.name})
    yield Header(fields, header.file)


def _load_references(path: str, limits: Limits) -> References:
    """The references of a file. Raises `NotPossible` where it has none, or two for one task."""
    return References(path, read_places(Places([path], limits, set(), set())))

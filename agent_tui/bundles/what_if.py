"""Change values of runs as an overlay, and say what noticed."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from agent_tui.bundles.bundle import Bundle
from agent_tui.errors import BadEdit
from agent_tui.readers import Malformed
from agent_tui.runs.edits import Edit, replace_value
from agent_tui.runs.json_values import JsonValue, parse
from agent_tui.runs.paths import Path, parse_path, spell_path
from agent_tui.scoring.noticed import Noticed, surfaces_of, what_noticed


class Change(Struct, frozen=True):
    """A value to put at a path of a run, all as they were given."""

    run: str
    path: str
    value: str


class Flip(Struct, frozen=True):
    """Edits that were made, each with its run's name, and one entry a measure."""

    edits: tuple[tuple[str, Edit], ...]
    noticed: tuple[Noticed, ...]


def value_text(text: str) -> bytes:
    """The JSON text of a value given on a command line: JSON, or a string where it is not."""
    text = text.encode("utf-8", "replace").decode()
    try:
        parse(text)
    except ValueError:
        return msgspec.json.encode(text)
    return text.encode()


def flip(bundle: Bundle, changes: Iterable[Change]) -> Flip:
    """Apply changes to a bundle's overlay and say what noticed.

    All are applied or none: raises `UnknownName` for a run, `BadEdit` for a path or a value that leaves no run.
    """
    drafts: dict[int, bytes] = {}
    edits: list[tuple[str, Edit]] = []
    for change in changes:
        row = bundle.find(change.run)
        draft, edit = replace_value(drafts.get(row, bundle.record(row)), _path(change.path), value_text(change.value))
        drafts[row] = draft
        edits.append((bundle.names.name(row), edit))
    return Flip(tuple(edits), tuple(_apply(bundle, drafts, [edit.path for _, edit in edits])))


def _path(text: str) -> Path:
    try:
        return parse_path(text)
    except ValueError as error:
        raise BadEdit(f"{error}; write it as expected.calls[1].args.amount") from error


def _apply(bundle: Bundle, drafts: dict[int, bytes], paths: list[Path]) -> list[Noticed]:
    before = bundle.scorecard().tallies
    was = {row: bundle.score(row).states for row in drafts}
    originals = {row: bundle.record(row) for row in drafts}
    for row, draft in drafts.items():
        try:
            bundle.edit(row, draft)
        except Malformed as error:
            for undone, text in originals.items():
                bundle.edit(undone, text)
            raise BadEdit(
                f"{bundle.names.name(row)} would be no run any more: {error.reason} @ {error.path}"
            ) from error
    states = {bundle.names.name(row): (was[row], bundle.score(row).states) for row in drafts}
    surfaces = frozenset().union(*map(surfaces_of, paths))
    return what_noticed(before, bundle.scorecard().tallies, states, surfaces)


def edit_object(run: str, edit: Edit) -> dict[str, object]:
    """An edit for JSON: run, path, the value before (null where the key is new) and after."""
    return {
        "run": run,
        "path": spell_path(edit.path),
        "from": None if edit.before is None else _value(edit.before),
        "to": None if edit.after is None else _value(edit.after),
    }


def _value(text: bytes) -> JsonValue:
    """The value of a JSON text; one that no number can hold as it is written."""
    try:
        return parse(text)
    except ValueError:
        return text.decode("utf-8", "replace")

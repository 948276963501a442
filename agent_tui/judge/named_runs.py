"""Which run of a source its labels and verdicts mean by a name."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from agent_tui.bundles import Bundle, Source

_SHOWN = 12


class Meant(Struct, frozen=True):
    """The row that a name means; None, and why in words, where it means none or could mean several."""

    row: int | None
    why_none: str = ""
    could_be: tuple[int, ...] = ()


def sources_with_rows(bundle: Bundle) -> Iterator[tuple[Source, range]]:
    """Each source with the numbers of its runs."""
    first = 0
    for source in bundle.sources:
        yield source, range(first, first + source.runs)
        first += source.runs


def meant_runs(bundle: Bundle, rows: Sequence[int], names: Collection[str]) -> dict[str, Meant]:
    """What each name means: the run of that name, else the only one of the task of that name.

    `rows` are the runs of one source, which are named as if it were opened alone.
    """
    if not names:
        return {}
    by_id = _rows_by_id(bundle, rows, {start for name in names for start in _ids_in(name)})
    by_task = _rows_by_task(bundle, rows, names)
    named = {name: row for run_id, found in by_id.items() for row, name in _named(bundle, run_id, found)}
    return {
        name: Meant(named[name]) if name in named else _only(bundle, by_id.get(name) or by_task.get(name, []))
        for name in names
    }


def _only(bundle: Bundle, rows: list[int]) -> Meant:
    if len(rows) == 1:
        return Meant(rows[0])
    if not rows:
        return Meant(None, "no such run")
    more = f", … {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
    listed = ", ".join(map(bundle.names.name, rows[:_SHOWN])) + more
    return Meant(None, f"could be any of {listed}: use one of these names", tuple(rows))


def _named(bundle: Bundle, run_id: str, rows: list[int]) -> list[tuple[int, str]]:
    return [(rows[0], run_id)] if len(rows) == 1 else list(bundle.names.distinct(run_id, rows).items())


def _ids_in(name: str) -> Iterator[str]:
    """What the id may be in a name: all of it, or what stands before the epoch that tells equal ids apart."""
    yield name
    yield from (name[:place] for place, sign in enumerate(name) if sign == "#")


def _rows_by_id(bundle: Bundle, rows: Sequence[int], ids: Collection[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for row in rows:
        if (run_id := bundle.table.ids[row]) in ids:
            found.setdefault(run_id, []).append(row)
    return found


def _rows_by_task(bundle: Bundle, rows: Sequence[int], names: Collection[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for row in rows:
        if (task := bundle.table.tasks[row]) in names:
            found.setdefault(task or "", []).append(row)
    return found

"""What a run is called, and which run a name means."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from agent_tui.errors import NotPossible, UnknownName
from agent_tui.safety import sanitise_line
from agent_tui.scoring import ScoreTable


class Names:
    """Names of the runs of a table: the id; where ids repeat `id#epoch`, then `id#epoch@model`, then `…~2`."""

    def __init__(self, table: ScoreTable) -> None:
        self._table = table
        self._rows: dict[str, list[int]] = {}
        self._seen = 0
        self._names: dict[str, dict[int, str]] = {}

    def _catch_up(self) -> None:
        ids = self._table.ids
        if self._seen < len(ids):
            self._names.clear()
        for row in range(self._seen, len(ids)):
            self._rows.setdefault(ids[row], []).append(row)
        self._seen = len(ids)

    def name(self, row: int) -> str:
        """The name of a run."""
        self._catch_up()
        run_id = self._table.ids[row]
        rows = self._rows[run_id]
        if len(rows) == 1:
            return run_id
        if run_id not in self._names:
            self._names[run_id] = self.distinct(run_id, rows)
        return self._names[run_id][row]

    def distinct(self, run_id: str, rows: Sequence[int]) -> dict[int, str]:
        """The names of several runs that share an id, by row, as if there were no others of it."""
        self._catch_up()
        table = self._table
        names = {row: f"{run_id}#{table.epochs[row]}" for row in rows}
        names = _spread(names, lambda row: f"{names[row]}@{model}" if (model := table.models[row]) else names[row])
        met: Counter[str] = Counter()
        for row, name in names.items():
            met[name] += 1 if met[name] or name not in self._rows else 2
            if met[name] > 1:
                names[row] = f"{name}~{met[name]}"
        return names

    def find(self, text: str, among: Sequence[int] | None = None) -> int:
        """The row that `text` names: a name, an id of one run, a name as printed, `#N` (from 1), or a unique prefix.

        `among` are the rows of one file: `#N` counts in it. Raises `UnknownName` where none is meant, `NotPossible`
        where several are.
        """
        self._catch_up()
        rows = self._rows.get(text, [])
        if among is not None:
            rows = [row for row in among if self._table.ids[row] == text]
        if len(rows) == 1:
            return rows[0]
        if rows:
            raise NotPossible(f"run {text!r} could be any of {self._listed(rows)}: use one of these names")
        places = range(len(self._table)) if among is None else among
        if re.fullmatch(r"#[0-9]{1,18}", text) and 0 < int(text[1:]) <= len(places):
            return places[int(text[1:]) - 1]
        return self._find_by_name(text, places)

    def _find_by_name(self, text: str, places: Sequence[int]) -> int:
        every = [(self.name(row), row) for row in places]
        for rows in (
            [row for name, row in every if text in (name, sanitise_line(name))],
            [row for name, row in every if name.startswith(text) or sanitise_line(name).startswith(text)],
        ):
            if len(rows) == 1:
                return rows[0]
            if rows and text:
                raise NotPossible(f"run {text!r} could be any of {self._listed(rows)}: use one of these names")
        raise UnknownName("run", text, [name for name, _ in every])

    def _listed(self, rows: list[int]) -> str:
        more = f", … {len(rows) - 12} more" if len(rows) > 12 else ""
        return ", ".join(self.name(row) for row in rows[:12]) + more


def _spread(names: dict[int, str], longer: Callable[[int], str]) -> dict[int, str]:
    """`names` with the longer name wherever a name stands more than once."""
    counts = Counter(names.values())
    return {row: longer(row) if counts[name] > 1 else name for row, name in names.items()}

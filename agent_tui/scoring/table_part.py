"""Some rows of a table as bytes: what a worker sends, and what is put together to a whole table elsewhere."""

from __future__ import annotations

from msgspec import Struct

from agent_tui.scoring.columns import text_bytes
from agent_tui.scoring.table import ScoreTable


class TablePart(Struct, frozen=True):
    """The columns of some rows. Words are numbers into lists of its own; text is UTF-8, with surrogates in it."""

    rows: int
    ids: bytes
    id_ends: bytes
    fixed: dict[str, bytes]
    words: dict[str, list[bytes | None]]
    scores: dict[str, tuple[bytes, bytes]]
    """Values and reasons by the name of a recorded score."""
    modes: dict[str, bytes]


def part_of(table: ScoreTable) -> TablePart:
    """All rows of a table that lies in memory."""
    ids, ends = table.ids.parts()
    return TablePart(
        rows=len(table),
        ids=ids,
        id_ends=ends,
        fixed={name: bytes(column) for name, column in table.fixed.items()},
        words={
            name: [None if word is None else text_bytes(word) for word in column.words]
            for name, column in table.words.items()
        },
        scores={name: (values.tobytes(), bytes(table.unusable[name].codes)) for name, values in table.scores.items()},
        modes={mode: bytes(states) for mode, states in table.modes.items()},
    )

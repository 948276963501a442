"""Names that are too long are cut so that they can be told apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from agent_tui.tui.present.short_names import short_name
from tests.tui.opened import made_run, opened, write_bundle


def test_a_name_that_fits_is_whole() -> None:
    assert short_name("run-0001", 8, "…") == "run-0001"


def test_a_long_name_keeps_its_beginning_and_more_of_its_end() -> None:
    assert short_name("experiment-2024-11-29-run-0001", 14, "…") == "expe…-run-0001"


def test_names_that_are_alike_at_both_ends_are_shown_where_they_part() -> None:
    names = [f"experiment-2024-{model}-trajectory-run-0001" for model in ("haiku", "opus", "sonnet")]
    short = [short_name(name, 14, "…", names) for name in names]
    assert short == ["…4-haiku-traj…", "…4-opus-traje…", "…4-sonnet-tra…"]


@given(st.text(min_size=1), st.integers(4, 40), st.lists(st.text(), max_size=3))
def test_a_short_name_fits_its_room(name: str, room: int, others: list[str]) -> None:
    assert cell_len(short_name(name, room, "…", others)) <= room


@pytest.mark.parametrize("width", [80, 140])
async def test_rows_with_long_ids_can_be_told_apart(tmp_path: Path, width: int) -> None:
    runs = [made_run(f"experiment-2024-11-29-baseline-gpt-4o-mini-run-{n:06d}", [], []) for n in range(9)]
    async with opened(write_bundle(tmp_path, *runs), width=width) as explorer:
        shown = [line for line in explorer.lines if any(f"n-00000{n} " in line for n in range(9))]
        assert len(shown) >= 6
        assert all("exp" in line for line in shown)

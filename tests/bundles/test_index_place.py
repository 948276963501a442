"""How many indexes are kept, and how much of the disk they may take."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent_tui.bundles.index.place import forget_old

MIB = 1 << 20


@pytest.fixture
def indexes(tmp_path: Path) -> list[Path]:
    """Six indexes of a mebibyte each, the one that was opened last first."""
    folders = [tmp_path / f"index {number}" for number in range(6)]
    for number, folder in enumerate(folders):
        folder.mkdir()
        (folder / "copied").write_bytes(os.urandom(MIB))
        os.utime(folder, (1000 - number, 1000 - number))
    return folders


@pytest.mark.parametrize(
    ("most", "room", "left"), [(8, 1 << 40, 6), (4, 1 << 40, 4), (8, 3 * MIB + MIB // 2, 3), (8, 0, 1), (1, 1 << 40, 1)]
)
def test_those_that_were_longest_not_opened_go(indexes: list[Path], most: int, room: int, left: int) -> None:
    forget_old(indexes[0], most, room)
    assert [folder.exists() for folder in indexes] == [number < left for number in range(6)]


def test_the_one_that_is_opened_stays_however_old(indexes: list[Path]) -> None:
    forget_old(indexes[5], most=2)
    assert [number for number, folder in enumerate(indexes) if folder.exists()] == [0, 5]

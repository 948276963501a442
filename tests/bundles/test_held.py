"""A column in memory of our own: read where it is asked for, right or said to be damaged."""

from __future__ import annotations

import os
import resource
from array import array
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from xxhash import xxh3_64_intdigest

from agent_tui.bundles.index.held import Column, Damaged, Held, NoRoom

NUMBERS = array("Q", range(5000))


def held(folder: Path, ends: Iterator[int] | range) -> Held:
    """The numbers in a file, written in pieces that end so (rows)."""
    path, text = folder / "offsets", NUMBERS.tobytes()
    path.write_bytes(text)
    column = Held(path, Damaged)
    for low, high in pairwise([0, *ends]):
        column.add(8 * (high - low), xxh3_64_intdigest(text[8 * low : 8 * high]))
    column.see()
    return column


def column_of(found: Held) -> Column:
    return Column(found, "Q", found.size)


@pytest.mark.parametrize("has_memfd", [True, False])
def test_what_was_looked_at_stays_and_what_was_not_is_damaged(
    tmp_path: Path, has_memfd: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_memfd:
        monkeypatch.delattr(os, "memfd_create", raising=False)
    column = column_of(held(tmp_path, range(1000, 5001, 1000)))
    assert column[1500] == 1500
    os.truncate(tmp_path / "offsets", 0)
    assert list(column[1000:2000]) == list(range(1000, 2000))
    for look in (
        lambda: column[999],
        lambda: column[-1],
        column.whole,
        column.tobytes,
        lambda: column.find(b"x", 0, 9),
    ):
        with pytest.raises(Damaged):
            look()


def test_a_file_that_is_gone_is_read_on(tmp_path: Path) -> None:
    column = column_of(held(tmp_path, range(1000, 5001, 1000)))
    (tmp_path / "offsets").unlink()
    assert column.tobytes() == NUMBERS.tobytes()


def test_a_changed_number_hides_none_beside_it_that_is_read_later(tmp_path: Path) -> None:
    column = column_of(held(tmp_path, range(100, 5001, 100)))  # pieces that end within pages
    column[150] = 7
    wanted = [*range(150), 7, *range(151, 5000)]
    assert list(column) == wanted
    assert list(column_of(held(tmp_path, range(100, 5001, 100)))) == list(NUMBERS)


def test_very_many_small_pieces_are_put_together_and_say_the_same(tmp_path: Path) -> None:
    found = held(tmp_path, range(1, 5001))
    column = column_of(found)
    assert column[4321] == 4321
    found.settle()
    assert len(found._ends) == 1
    assert column_of(found).tobytes() == column.tobytes() == NUMBERS.tobytes()


def test_small_pieces_of_which_one_is_damaged_are_not_put_together(tmp_path: Path) -> None:
    found = held(tmp_path, range(1, 5001))
    with (tmp_path / "offsets").open("r+b") as file:
        file.seek(20_000)
        file.write(b"\xa5")
    with pytest.raises(Damaged, match="offsets"):
        found.settle()


def test_where_another_file_took_the_place_it_is_read_from_that(tmp_path: Path) -> None:
    column = column_of(held(tmp_path, range(1000, 5001, 1000)))
    (tmp_path / "new").write_bytes(NUMBERS.tobytes())
    os.truncate(tmp_path / "offsets", 8)
    (tmp_path / "new").replace(tmp_path / "offsets")
    assert column[4999] == 4999


@pytest.fixture
def no_memfd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)


@pytest.mark.usefixtures("no_memfd")
def test_a_place_for_it_that_is_none_is_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    column = column_of(held(tmp_path, range(1000, 5001, 1000)))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    with pytest.raises(NoRoom, match="no room for what is read of the index: No such file or directory; TMPDIR names"):
        column[0]
    monkeypatch.undo()
    assert column[0] == 0


@pytest.mark.usefixtures("no_memfd")
def test_room_that_is_too_small_is_no_damage(tmp_path: Path) -> None:
    column = column_of(held(tmp_path, range(1000, 5001, 1000)))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4000, limits[1]))
    try:
        with pytest.raises(NoRoom, match="File too large"):
            column[0]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert column.tobytes() == NUMBERS.tobytes()

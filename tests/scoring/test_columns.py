"""Columns: what is taken of many rows at once is what each row says."""

from __future__ import annotations

import pytest

from agent_tui.scoring.columns import every


@pytest.mark.parametrize("length", [0, 1, 5, 5 << 13, (5 << 13) + 1, (15 << 13) - 2])
@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_every_fifth_byte_is_taken_however_many_blocks_there_are(length: int, kind: type) -> None:
    column = bytes(number % 251 for number in range(length))
    assert every(kind(column), 3, 5) == column[3::5]

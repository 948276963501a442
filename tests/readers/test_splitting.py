"""A stream as numbered lines, however it is cut into chunks."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.readers.splitting import Line, split_lines

DENSE = st.lists(st.sampled_from([b"", b" ", b"\t \r", b"a", b" b ", b"\xff\x00", b"xy" * 40]), max_size=60)


def plainly(text: bytes, limit: int) -> list[tuple[int, bytes | None, bool]]:
    """The lines with a word, by the book; of a line in the middle without the white space before and after."""
    lines = text.split(b"\n")
    return [
        (number, line.strip() if len(line) <= limit else None, number < len(lines))
        for number, line in enumerate(lines, 1)
        if line.strip()
    ]


@given(lines=DENSE, cuts=st.lists(st.integers(0, 400), max_size=5), limit=st.sampled_from([0, 3, 10, 1000]))
def test_every_line_with_a_word_comes_with_its_number(lines: list[bytes], cuts: list[int], limit: int) -> None:
    text = b"\n".join(lines)
    chunks = [text[start:end] for start, end in pairwise(sorted({0, *cuts, len(text)}))]
    wanted = plainly(text, limit)
    numbers = {number for number, _, _ in wanted}
    found = [line for line in split_lines(chunks, limit) if line.number in numbers]
    assert [(line.number, line.text and line.text.strip(), line.ended) for line in found] == wanted


def test_blank_lines_in_numbers_are_passed_over() -> None:
    lines = list(split_lines([b"a\n" + b"\n" * 1000, b" \r\n" * 1000 + b"b", b"c\n"], 100))
    assert [(line.number, line.text) for line in lines if line.text and line.text.strip()] == [(1, b"a"), (2002, b"bc")]
    assert len(lines) < 5


def test_the_last_line_may_have_no_line_feed() -> None:
    assert list(split_lines([b"a\nb"], 100)) == [Line(1, b"a", 0), Line(2, b"b", 2, ended=False)]
    assert list(split_lines([b"a\n"], 100)) == [Line(1, b"a", 0)]
    assert list(split_lines([], 100)) == []

"""Lines of a long text, against cutting it up."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.tui.widgets.longtext import BLOCK, LongText

PIECES = st.lists(st.sampled_from(["\n", "a", "word ", "é", "日本", "x" * 1000, "x" * BLOCK, "\n" * 50]), max_size=40)


def raw_lines(text: LongText) -> list[str]:
    return [text.raw(number) for number in range(text.count)]


@given(PIECES)
def test_the_lines_are_the_text(pieces: list[str]) -> None:
    whole = "".join(pieces)
    text = LongText(whole)
    starts = [text.offset(number) for number in range(text.count)]
    assert starts == sorted(set(starts))
    assert "".join(raw_lines(text)) == whole.replace("\n", "")
    assert all(text.line_at(start) == number for number, start in enumerate(starts))
    assert max(map(len, raw_lines(text)), default=0) < 2 * BLOCK


@given(st.lists(st.text("ab \r", max_size=40), max_size=200))
def test_short_lines_are_cut_at_line_feeds_only(lines: list[str]) -> None:
    whole = "\n".join(lines)
    expected = [line.removesuffix("\r") for line in whole.removesuffix("\n").split("\n")]
    assert raw_lines(LongText(whole)) == expected


def test_a_text_without_line_feeds_is_cut() -> None:
    text = LongText("x" * (3 * BLOCK))
    assert text.count == 3
    assert text.line(2) == "x" * BLOCK


def test_finding_goes_forward_and_back_whatever_the_case() -> None:
    text = LongText("alpha\nBeta\n" * 5000 + "needle\nalpha\nNeedle")
    assert text.find("NEEDLE") == 10_000
    assert text.find("needle", 10_001) == 10_002
    assert text.find("needle", 10_002, backwards=True) == 10_000
    assert text.find("beta", 0, backwards=True) is None
    assert text.find("absent") is None
    assert text.find("alpha", 10_000, backwards=True) == 9_998


def test_bytes_are_read_as_utf8_and_shown_inert() -> None:
    text = LongText(b"caf\xc3\xa9\n\x1b[2Jgone\tend\xff")
    assert [text.line(0), text.line(1)] == ["café", "␛[2Jgone    end�"]


def test_an_empty_text_is_one_empty_line() -> None:
    assert (LongText("").count, LongText("").line(0)) == (1, "")

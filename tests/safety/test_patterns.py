"""Patterns that may take for ever: each is given up, all together are bounded, and what was told is told again."""

from __future__ import annotations

import pytest

from agent_tui.safety.patterns import Patterns, TooSlow

EVIL, LONG = "(a|aa)+$", "a" * 30_000 + "!"


def patterns(one_look: float = 0.02, one_pattern: float = 60, all_patterns: float = 60, slow: float = 0) -> Patterns:
    return Patterns(one_look, one_pattern, all_patterns, slow)


def why_not(tried: Patterns, pattern: str, text: str) -> str:
    with pytest.raises(TooSlow) as caught:
        tried.fits_whole(pattern, text)
    return str(caught.value)


def test_a_look_gives_what_fits() -> None:
    assert patterns().fits_whole("a+", "aaa")
    assert not patterns().fits_whole("a+", "aab")
    assert patterns().first_found("b.", "abba") == "bb"
    assert patterns().first_found("x", "abba") is None


def test_a_pattern_that_was_too_slow_once_is_not_tried_again() -> None:
    tried = patterns()
    with pytest.raises(TooSlow, match=r'cannot tell: the pattern "\(a\|aa\)\+\$" takes too long'):
        tried.fits_whole(EVIL, LONG)
    with pytest.raises(TooSlow):
        tried.fits_whole(EVIL, "aa")
    assert tried.fits_whole("a+", "aa")


def test_what_was_told_before_is_told_again() -> None:
    tried = patterns()
    assert tried.fits_whole(EVIL, "aa")
    assert tried.first_found(EVIL, "b") is None
    with pytest.raises(TooSlow):
        tried.fits_whole(EVIL, LONG)
    assert tried.fits_whole(EVIL, "aa")
    assert tried.first_found(EVIL, "b") is None


def test_slow_looks_of_one_pattern_add_up() -> None:
    tried = patterns(one_look=60, one_pattern=0)
    assert tried.fits_whole("a+", "a")
    with pytest.raises(TooSlow):
        tried.fits_whole("a+", "aa")
    assert tried.fits_whole("b+", "bb")


def test_past_the_limit_for_all_a_look_ends_where_it_begins_to_be_slow() -> None:
    tried = patterns(all_patterns=0.02, slow=0.001)
    assert tried.fits_whole("a+", "aaa")
    for number in range(3):
        with pytest.raises(TooSlow, match="takes too long"):
            tried.fits_whole(f"(a|aa)+${number}?", LONG)
    assert tried.fits_whole("b+", "bbb")


def test_past_twice_the_limit_for_all_nothing_new_is_tried() -> None:
    tried = patterns(all_patterns=0.02, slow=0.001)
    assert tried.fits_whole("a+", "aaa")
    reasons = [why_not(tried, f"(a|aa)+${number}?", LONG) for number in range(100)]
    assert reasons[0].startswith('cannot tell: the pattern "(a|aa)+$0?" takes too long')
    assert reasons[-1] == 'cannot tell: the patterns take too long together, so "(a|aa)+$99?" is not tried'
    assert tried.fits_whole("a+", "aaa")
    assert why_not(tried, "a+", "a") == 'cannot tell: the patterns take too long together, so "a+" is not tried'


def test_a_long_pattern_is_cut_in_the_message() -> None:
    tried = patterns(one_pattern=0)
    tried.fits_whole("x" * 200, "a")
    with pytest.raises(TooSlow, match=r'"x{59}…"'):
        tried.fits_whole("x" * 200, "b")

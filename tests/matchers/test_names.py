"""Names of matchers: ours, those of the field, and argument modes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.errors import UnknownName
from agent_tui.matchers import ARGS_MODES, MATCHERS, match_mode, resolve_matcher
from agent_tui.matchers.rules import captured
from tests.make_run import make_run


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("exact", "exact"),
        ("name-only", "name_only"),
        ("adk.EXACT", "exact"),
        ("agentevals.strict", "exact_groups"),
        ("unordered", "order_ignored"),
        ("IN_ORDER", "in_order"),
        ("superset", "any_order"),
        ("allow-list", "subset"),
        ("tool-used", "required_tools"),
        ("EXACT+ignore_args", "name_only"),
        ("exact+args_ignore", "name_only"),
        ("superset+args_superset", "any_order+args_superset"),
        ("name_only+args_rules", "name_only"),
    ],
)
def test_a_name_of_the_field_is_one_of_ours(name: str, ours: str) -> None:
    assert resolve_matcher(name) == ours


@pytest.mark.parametrize("matcher", MATCHERS)
@pytest.mark.parametrize("mode", ARGS_MODES)
def test_every_matcher_goes_with_every_argument_mode(matcher: str, mode: str) -> None:
    assert resolve_matcher(f"{matcher}+args_{mode}")
    match_mode(make_run(["a"], ["a"]), f"{matcher}+args_{mode}")


def test_an_unknown_name_is_told_with_those_that_exist() -> None:
    with pytest.raises(UnknownName, match="did you mean exact"):
        resolve_matcher("exakt")
    with pytest.raises(
        UnknownName, match="unknown argument mode 'some': there are exact, ignore, rules, subset, superset"
    ):
        resolve_matcher("exact+args_some")


def as_expression(glob: str) -> re.Pattern[str]:
    return re.compile("".join({"*": "(.*)", "?": "."}.get(sign, re.escape(sign)) for sign in glob), re.DOTALL)


@given(glob=st.text("ab*?.\n", max_size=7), name=st.text("ab.\n", max_size=8))
def test_the_stars_of_a_glob_hold_what_a_greedy_expression_finds(glob: str, name: str) -> None:
    found = as_expression(glob).fullmatch(name)
    assert captured(glob, name) == (None if found is None else found.groups())


def test_a_glob_of_many_stars_comes_to_an_end() -> None:
    assert captured("*a" * 40 + "*b", "a" * 4000) is None
    assert captured("*a" * 3 + "*b", "xaaayab") == ("xa", "", "y", "")

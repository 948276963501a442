"""The palette's search: the word that an action is called by anywhere finds that action first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agent_tui.tui.actions import ACTIONS, Action, action_named
from agent_tui.tui.present.found_actions import found_actions
from agent_tui.tui.screens.palette import offered

TOUR = re.search(r"## Five minutes(.*?)## What is measured", Path("README.md").read_text("utf-8"), re.DOTALL)
NAMES = [action.id for action in offered()]


def first(typed: str) -> Action:
    return found_actions(offered(), typed, {})[0]


@pytest.mark.parametrize("name", NAMES)
def test_the_word_of_the_footer_finds_an_action_of_that_word_first(name: str) -> None:
    label = action_named(name).label
    assert first(label).label == first(label.upper()).label == label


@pytest.mark.parametrize("name", NAMES)
def test_its_id_and_its_whole_sentence_find_it_first(name: str) -> None:
    action = action_named(name)
    assert first(action.id) == first(action.sentence) == action


@pytest.mark.parametrize("name", NAMES)
def test_while_its_word_is_typed_it_is_there(name: str) -> None:
    action = action_named(name)
    for end in range(1, len(action.label) + 1):
        assert action in found_actions(offered(), action.label[:end], {})


@pytest.mark.parametrize("word", sorted({word for action in ACTIONS for word in action.also.split()}))
def test_another_word_for_it_finds_it_first(word: str) -> None:
    assert word in (*first(word).also.split(), *first(word).label.split())


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("why", "provenance"),
        ("differ", "divergence.next"),
        ("save", "write"),
        ("export", "write"),
        ("open", "open"),
        ("label", "label"),
        ("toggle", "matcher.next"),
        ("failing", "failure.next"),
        ("move call", "call.up"),
        ("zoom", "pane.enlarge"),
        ("exit", "quit"),
        ("blind", "sweep"),
        ("changes", "ledger"),
        ("matcher next", "matcher.next"),
        ("previous matcher", "matcher.previous"),
        ("  WHY ", "provenance"),
    ],
)
def test_words_that_people_type(typed: str, name: str) -> None:
    assert first(typed).id == name


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("searches", "search"),
        ("filters", "filter"),
        ("sorts", "sort"),
        ("enlarges", "pane.enlarge"),
        ("quits", "quit"),
        ("writes", "write"),
        ("undo", "undo"),
        ("redo", "redo"),
        ("duplicate", "duplicate"),
        ("remove", "remove"),
        ("trajectory", "pane.3"),
        ("scorecard", "pane.1"),
        ("edit", "edit"),
    ],
)
def test_words_of_the_tour(word: str, name: str) -> None:
    assert TOUR is not None
    assert first(word).id == name
    assert word in TOUR[1] or word == "edit"


def test_what_is_not_there_yet_comes_after_what_is() -> None:
    found = found_actions(offered(), "export", {})
    assert [action.id for action in found][:2] == ["write", "evidence"]


def test_a_key_finds_what_it_does_also_where_it_is_remapped() -> None:
    assert "revert" in [action.id for action in found_actions(offered(), "ctrl+r", {})]
    assert [action.id for action in found_actions(offered(), "f11", {"sort": "f11"})] == ["sort"]


def test_nothing_typed_is_all_and_nonsense_is_nothing() -> None:
    assert found_actions(offered(), " ", {}) == offered()
    assert found_actions(offered(), "zzz", {}) == []

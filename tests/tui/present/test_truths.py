"""Recorded truths in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_tui.tui.present.trajectory import trajectory
from agent_tui.tui.present.truths import truth_words
from agent_tui.tui.theme import UNICODE
from tests.tui.opened import bundle_of


@pytest.mark.parametrize(
    ("truth", "words"),
    [
        ("refunded 140", '"refunded 140"'),
        (140, "140"),
        ({"contains": "429"}, 'contains "429"'),
        ({"number": {"value": 140, "abs": 0.01}}, "number 140 ± 0.01"),
        ({"number": {"value": "1.50", "rel": 0.02, "which": "last"}}, "number 1.50 ± 2 %, the last number"),
        ({"number": 7}, "number 7"),
        (["a", 2], 'any of: "a", 2'),
        ({"any": ["a", {"contains": "b"}]}, 'any of: "a", contains "b"'),
        ({"all": [{"any": ["a", "b"]}, {"not": {"refusal": True}}]}, 'all of: any of ("a", "b"), not a refusal'),
        ({"refusal": False}, "not a refusal"),
        ({"not": {"refusal": False}}, "a refusal"),
        ({"contains": "a", "words": "b"}, 'contains "a" and words "b"'),
        ({"words": "b", "allow_empty": True}, 'words "b", or an empty answer'),
        ({"regex": "^a$"}, 'matches "^a$"'),
        ({"list": {"items": ["a", "b"], "order": "set"}}, 'the list "a", "b" in any order'),
        ({"json": {"a": 1}}, 'the JSON value {"a": 1}'),
        ({"exact": "A"}, 'exactly "A"'),
        ({"speed": 3}, '{"speed": 3}'),
        ({"all": "a"}, '{"all": "a"}'),
        ({}, "{}"),
        (True, "true"),
    ],
)
def test_a_truth_reads_as_a_sentence(truth: object, words: str) -> None:
    assert truth_words(truth) == words  # type: ignore[arg-type]


def test_nested_without_end_stays_finite() -> None:
    truth: object = "a"
    for _ in range(200):
        truth = {"not": truth}
    assert truth_words(truth).endswith("}")  # type: ignore[arg-type]


def test_the_trajectory_says_it_in_words_and_enter_opens_the_json(tmp_path: Path) -> None:
    truth = {"number": {"value": 140, "abs": 0.01}}
    run = {"id": "t", "status": "done", "expected": {"answer": truth}, "actual": {"calls": []}, "answer": "140"}
    tree = trajectory(bundle_of(tmp_path, run), 0, 92, UNICODE)
    node = next(node for node in tree.every() if node.key == ("truth",))
    assert "number 140 ± 0.01  ✓ correct" in node.draw().plain
    assert json.loads(node.text or "") == truth

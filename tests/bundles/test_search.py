"""Search finds text literally, wherever it stands, and names the place."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.bundles import load
from agent_tui.bundles.search import Hit, search
from tests.writing import call, run_of, write_bundle

RUN = run_of(
    "find-me",
    [],
    [call("Look_Up", key='a [b] "c" é') | {"result": {"text": "tail\nNEEDLE.*"}, "error": "boom"}],
    answer="the (end)",
    input="where?",
    task="t-1",
    error={"type": "Odd", "message": "fell over"},
)


@pytest.mark.parametrize(
    ("needle", "part"),
    [
        ("FIND-ME", "id"),
        ("t-1", "task"),
        ("where?", "input"),
        ("look_up", "name"),
        ("a [b]", "args"),
        ("é", "args"),
        ("needle.*", "result"),
        ("boom", "error"),
        ("(END)", "answer"),
        ("fell over", "error"),
    ],
)
def test_a_needle_is_found_where_it_stands(tmp_path: Path, needle: str, part: str) -> None:
    bundle = load([write_bundle(tmp_path / "a.json", RUN, run_of("other"))])
    hits = list(search(bundle, needle))
    assert {hit.part for hit in hits} == {part}
    assert {hit.row for hit in hits} == {0}


@pytest.mark.parametrize("needle", ["", "N.*E", "absent", "a b"])
def test_a_needle_is_no_pattern(tmp_path: Path, needle: str) -> None:
    assert list(search(load([write_bundle(tmp_path / "a.json", RUN)]), needle)) == []


def test_a_nested_step_is_named_by_its_path(tmp_path: Path) -> None:
    inner = [{"type": "message", "text": "one"}, {"type": "message", "text": "deep"}]
    steps = [{"type": "message", "text": "top"}, {"type": "agent", "agent": "sub", "steps": inner}]
    bundle = load([write_bundle(tmp_path / "a.json", {"id": "a", "actual": {"steps": steps}})])
    assert list(search(bundle, "deep")) == [Hit(0, "text", (1, 1))]

"""Search finds text literally, wherever it stands, and names the place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_tui.bundles import load
from agent_tui.bundles.search import Hit, rows_that_may_hold, search
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


SPELT = [
    (r'{"id": "a", "input": "Caf\u00e9 ole"}', "é O"),
    (r'{"id": "a", "input": "\u0063afe"}', "CAFE"),
    (r'{"id": "a", "input": "a \"b\" c\/d"}', '"b" C/d'),
    (r'{"id": "a", "actual": {"calls": [{"name": "f", "args": {"x":[1,2],"y":"z"}}]}}', '[1, 2], "y": "z"'),
    (r'{"id": "a", "input": "one, two: three"}', "one, two: t"),
    (r'{"id": "a", "input": "tab\there"}', "tab\there"),
]


@pytest.mark.parametrize(("record", "needle"), SPELT)
def test_a_needle_is_found_however_the_record_spells_it(tmp_path: Path, record: str, needle: str) -> None:
    head = '{"schema": "agent-tui/1", "bundle": {"id": "x"}}\n'
    others = "".join(f'{{"id": "b{n}", "input": "nothing"}}\n' for n in range(5))
    path = tmp_path / "a.jsonl"
    path.write_text(head + others + record + "\n" + others.replace("b", "c"))
    bundle = load([str(path)])
    assert [hit.row for hit in search(bundle, needle)] == [5]
    likely = rows_that_may_hold(bundle, range(len(bundle)), needle)
    assert 5 in likely


def test_most_runs_without_the_needle_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    runs = [{"id": f"r{n}", "input": "needle" if n % 7 == 3 else "hay", "actual": {"calls": []}} for n in range(30)]
    path.write_text("".join(json.dumps(run) + "\n" for run in runs))
    assert rows_that_may_hold(load([str(path)]), range(2, 28), "Needle") == {3, 10, 17, 24}

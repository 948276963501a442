"""Files that a strict parser refuses or a quick look takes for something else."""

from __future__ import annotations

from pathlib import Path

from agent_tui.bundles.checking import check
from agent_tui.readers import decode_run
from tests.readers.reading import reading


def test_json_lines_whose_first_line_is_long_are_lines(tmp_path: Path) -> None:
    first = b'{"id": "a", "scores": {"q": 1}, "input": "%s"}' % (b"x" * 2_000_000)
    path = tmp_path / "fat.jsonl"
    path.write_bytes(first + b'\n{"id": "b", "scores": {"q": 0}}\n')
    assert [decode_run(record.text).id for record in reading(path).records] == ["a", "b"]


def test_a_lone_surrogate_in_a_document_costs_no_run(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_bytes(b'{"schema": "agent-tui/1", "runs": [{"id": "a", "input": "x \\ud800 y"}, {"id": "b"}]}')
    runs = [decode_run(record.text) for record in reading(path).records]
    assert ([(run.id, run.input) for run in runs] == [("a", "x \ud800 y"), ("b", None)]) is True


def test_a_number_that_no_float_holds_in_usage_is_not_usable() -> None:
    run = decode_run(b'{"id": "a", "usage": {"cost_usd": 1e400, "input_tokens": 3}}')
    assert run.usage is not None
    assert (run.usage.cost_usd, run.usage.input_tokens) == (None, 3)
    assert run.notes == ("usage.cost_usd is inf: not usable",)


def test_a_path_with_a_nul_is_a_missing_file() -> None:
    assert [problem.kind for problem in reading("runs\0.json").problems] == ["missing_file"]


def test_a_record_nested_too_deeply_is_a_problem_and_the_next_is_read(tmp_path: Path) -> None:
    path = tmp_path / "deep.jsonl"
    deep = '{"id": 3.5, "scores": {}, "metadata": {"parallel": 1, "x": ' + "[" * 2000 + "]" * 2000 + "}}"
    path.write_text('{"id": "a", "scores": {"q": 1}}\n' + deep + "\n")
    checked = check([str(path)])
    assert ([problem.line for problem in checked.problems], checked.runs) == ([2], 1)

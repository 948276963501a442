"""agent-tui/1: records are the source's own text, lines are counted, and only what is ours is taken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_tui.readers import Malformed, decode_run, problem_of
from tests.readers.reading import reading, write_json, write_lines

HEADER = {"schema": "agent-tui/1", "bundle": {"id": "ferry"}}


def test_a_document_gives_its_records_verbatim_with_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_text('{"schema":"agent-tui/1",\n "runs": [ {"id": "a", "scores":{"x":1.0e0}} ,\n\n{"id":"b"}\n]}')
    found = reading(path)
    assert [(record.line, record.text) for record in found.records] == [
        (2, b'{"id": "a", "scores":{"x":1.0e0}}'),
        (4, b'{"id":"b"}'),
    ]


def test_nan_in_a_document_does_not_move_its_records(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_text(
        '{"runs":[{"id":"NaN","scores":{"x":NaN}},{"id":"b","scores":{"x":-Infinity}}],"schema":"agent-tui/1"}'
    )
    assert [record.text for record in reading(path).records][1] == b'{"id":"b","scores":{"x":-Infinity}}'
    assert [run.scores for run in reading(path).runs] == [{"x": "NaN"}, {"x": "-inf"}]


def test_a_header_carries_all_but_the_runs(tmp_path: Path) -> None:
    document = HEADER | {"runs": [], "rules": {"tools": {}}, "ours": 1}
    (header,) = reading(write_json(tmp_path / "b.json", document)).headers
    assert sorted(header.fields) == ["bundle", "ours", "rules"]
    (header,) = reading(write_lines(tmp_path / "b.jsonl", HEADER | {"ours": 1}, {"id": "a"})).headers
    assert sorted(header.fields) == ["bundle", "ours"]


def test_a_line_is_ours_after_a_header_or_by_its_keys(tmp_path: Path) -> None:
    bare = {"id": "b"}
    assert len(reading(write_lines(tmp_path / "a.jsonl", HEADER, bare)).records) == 1
    found = reading(write_lines(tmp_path / "b.jsonl", {"id": "a", "scores": {}, "actual": {}}, bare))
    assert [run.id for run in found.runs] == ["a"]
    assert [(problem.line, problem.kind) for problem in found.problems] == [(2, "not_a_record")]


@pytest.mark.parametrize(
    "item", [{"id": "i", "status": "done", "type": "call"}, {"id": "i", "scores": [1], "input": {}}]
)
def test_items_of_others_with_an_id_are_not_runs(item: dict[str, object], tmp_path: Path) -> None:
    found = reading(write_json(tmp_path / "others.json", [item, item]))
    assert (found.records, found.kinds) == ([], ["unreadable"])


@pytest.mark.parametrize("value", [{"id": "a", "scores": {"x": 1}}, [{"id": "a", "scores": {"x": 1}}]])
def test_one_run_or_a_list_of_runs_needs_no_document_around_it(value: object, tmp_path: Path) -> None:
    assert [run.scores for run in reading(write_json(tmp_path / "run.json", value)).runs] == [{"x": 1.0}]


def test_bad_lines_are_problems_and_the_rest_is_read(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "b.jsonl", HEADER, {"id": "a"}, "", "[1]", '"text"', "{oops}", {"id": "b"})
    path.write_text(path.read_text() + '{"id": "cut')
    found = reading(path)
    assert [(problem.line, problem.kind) for problem in found.problems] == [
        (4, "not_a_record"),
        (5, "not_a_record"),
        (8, "incomplete"),
    ]
    assert "11 bytes" in found.problems[-1].reason
    assert [record.line for record in found.records] == [2, 6, 7]


def test_a_line_that_does_not_decode_is_told_by_its_record(tmp_path: Path) -> None:
    (record,) = reading(write_lines(tmp_path / "b.jsonl", HEADER, "{oops}")).records
    with pytest.raises(Malformed) as caught:
        decode_run(record.text)
    assert problem_of(record, caught.value).line == 2


def test_a_last_line_without_a_line_feed_is_a_run_if_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    path.write_text(json.dumps(HEADER) + '\n{"id":"a"}')
    assert [run.id for run in reading(path).runs] == ["a"]
    assert reading(path).problems == []


def test_files_put_one_after_the_other_have_several_headers(tmp_path: Path) -> None:
    found = reading(write_lines(tmp_path / "b.jsonl", HEADER, {"id": "a"}, HEADER, {"id": "b"}))
    assert ([run.id for run in found.runs], len(found.headers), found.problems) == (["a", "b"], 2, [])


def test_another_version_is_read_and_said(tmp_path: Path) -> None:
    found = reading(write_json(tmp_path / "b.json", {"schema": "agent-tui/9", "runs": [{"id": "a"}]}))
    assert (len(found.records), found.kinds) == (1, ["warning"])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
RUNS = st.lists(st.fixed_dictionaries({"id": st.text(), "ours": JSON, "scores": st.just({})}), min_size=1, max_size=4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(runs=RUNS, indent=st.sampled_from([None, 1, "\t"]), ascii_only=st.booleans())
def test_records_put_together_again_are_the_same_bytes(
    runs: list[dict[str, object]], indent: str | int | None, ascii_only: bool, tmp_path: Path
) -> None:
    texts = [json.dumps(run, indent=indent, ensure_ascii=ascii_only) for run in runs]
    try:
        written = ('{"schema": "agent-tui/1", "runs": [' + ",\n".join(texts) + "]}").encode()
    except UnicodeEncodeError:  # a lone surrogate has no UTF-8
        return
    path = tmp_path / "b.json"
    path.write_bytes(written)
    records = [record.text for record in reading(path).records]
    assert b'{"schema": "agent-tui/1", "runs": [' + b",\n".join(records) + b"]}" == written


@pytest.mark.parametrize("before", [b"\n\n", b" \t\n \n ", b"\xef\xbb\xbf\n\n"])
def test_a_document_may_begin_with_white_space_and_lines_count_it(tmp_path: Path, before: bytes) -> None:
    texts = {
        "bundle": (b'{"schema": "agent-tui/1", "runs": [{"id": "a"},\n7]}', [3], [4]),
        "run": (b'{"id": "a", "scores": {}}\n', [3], []),
        "array": (b'[{"id": "a", "scores": {}},\n7]', [3], [4]),
        "broken": (b'{"schema": "agent-tui/1",\n,}', [], []),
    }
    for name, (text, records, problems) in texts.items():
        path = tmp_path / f"{name}.json"
        path.write_bytes(before + text)
        found = reading(path)
        assert [record.line for record in found.records] == records
        assert [problem.line for problem in found.problems if problem.line] == problems
    assert "(line 4)" in found.problems[0].reason

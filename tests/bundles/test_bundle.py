"""The store behind screen and commands: reading, clashes, losses, edits, weak paths."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.search import search
from agent_tui.bundles.what_if import WhatIf, set_value
from agent_tui.errors import BadEdit, BadRules, NothingReadable
from agent_tui.reports.document import score_document
from tests.writing import DOCENT, call, run_of, write_bundle


def lines(path: Path, *records: str) -> str:
    path.write_text("".join(f"{record}\n" for record in records))
    return str(path)


OK = '{"id": "ok", "scores": {"success": 1}}'
HUGE = "1e99999999999999999999"


def acted(call: str, expected: str = "null") -> str:
    return f'{{"id": "a", "expected": {expected}, "actual": {{"calls": [{call}]}}}}'


ODD_RECORDS = {
    "an epoch past 64 bits": '{"id": "a", "epoch": 9223372036854775808, "scores": {}, "actual": {}}',
    "arguments past any number": acted(f'{{"name": "x", "args": {{"v": {HUGE}}}}}'),
    "an error past any number": acted(f'{{"name": "x", "error": {HUGE}}}'),
    "a result past any number": acted(f'{{"name": "x", "result": {{"error": {HUGE}}}}}'),
    "depth without end": acted('{"name": "x", "args": ' + "[" * 50_000 + "]" * 50_000 + "}"),
    "lone surrogates": '{"id": "a\\ud800", "expected": {"answer": "\\ud800"}, "actual": {"answer": "\\ud801"}}',
    "scores of every type": '{"id": "a", "scores": {"success": [1], "pass": {}, "q": "x", "z": 1e308, "n": null}}',
    "arguments that are no object": acted('{"name": "x", "args": null}', '{"calls": [{"name": "x", "args": 5}]}'),
    "both calls and any": acted("", '{"any": [], "calls": []}'),
    "a rule that is none": acted("", '{"calls": [{"name": "x", "rules": {"args": {"a": "odd"}}}]}'),
}


@pytest.mark.parametrize("record", ODD_RECORDS.values(), ids=ODD_RECORDS)
@pytest.mark.parametrize("kind", ["calls", "search"])
def test_no_record_ends_the_reading_of_the_others(tmp_path: Path, record: str, kind: str) -> None:
    levels = {"kind": kind, "tool": "x"}
    head = json.dumps({"schema": "agent-tui/1", "bundle": {"levels": levels}})
    bundle = load([lines(tmp_path / "a.jsonl", head, record, OK)])
    assert len(bundle) + len(bundle.losses) == 2
    document = score_document(bundle, bundle.scorecard())
    assert document["runs"][-1]["levels"]["success"] is True
    assert list(search(bundle, "nowhere")) == []


def test_nothing_to_read_names_the_first_problem_and_how_many_more(tmp_path: Path) -> None:
    with pytest.raises(NothingReadable, match=r"a\.json: no such file or folder; .* \(and 1 more\)$"):
        load([str(tmp_path / "a.json"), str(tmp_path / "b.json")])


def test_a_clash_is_reported_and_both_rows_stay(tmp_path: Path) -> None:
    twins = [run_of("a", scores={"success": n}) for n in (0, 1)]
    bundle = load([write_bundle(tmp_path / "a.json", *twins)])
    assert (len(bundle), [problem.kind for problem in bundle.problems], bundle.losses) == (2, ["clash"], [])


def test_models_of_two_headers_are_no_clash(tmp_path: Path) -> None:
    paths = [write_bundle(tmp_path / f"{m}.json", run_of("a"), bundle={"model": m}) for m in ("one", "two")]
    bundle = load(paths)
    assert bundle.problems == []
    assert [bundle.names.name(row) for row in range(2)] == ["a#1@one", "a#1@two"]


def test_planned_runs_of_one_source_and_of_several(tmp_path: Path) -> None:
    three = write_bundle(tmp_path / "three.json", run_of("a"), bundle={"planned": 3})
    none = write_bundle(tmp_path / "none.json", run_of("b"), run_of("c"))
    assert [load([path]).planned for path in (three, none)] == [3, None]
    assert load([three, none]).planned == 5
    assert load([none, write_bundle(tmp_path / "more.json", run_of("d"))]).planned is None


def test_the_digest_is_of_the_bytes_that_were_opened(tmp_path: Path) -> None:
    one, two = (write_bundle(tmp_path / f"{n}.json", run_of(n)) for n in ("one", "two"))
    assert load([one]).digest == load([one]).digest
    assert len({load([one]).digest, load([two]).digest, load([one, two]).digest}) == 3


def test_a_bundle_that_says_odd_things_of_itself_still_opens(tmp_path: Path) -> None:
    bundle = load([write_bundle(tmp_path / "a.json", run_of("a"), bundle={"planned": "many"})])
    (problem,) = bundle.problems
    assert (problem.kind, problem.path, len(bundle)) == ("bundle", "$.bundle.planned", 1)


@pytest.mark.parametrize("tools", [5, [5], [{"parameters": {}}], [{"name": "a", "parameters": {"type": "blob"}}]])
def test_tools_that_mean_nothing_are_refused(tmp_path: Path, tools: Any) -> None:
    with pytest.raises(BadRules, match=r"bundle\.tools"):
        load([write_bundle(tmp_path / "a.json", run_of("a"), bundle={"tools": tools})])


def test_arguments_that_do_not_fit_the_tools_schema_are_not_valid(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    tools = [{"name": "a", "parameters": schema}, {"type": "function", "function": {"name": "b", "parameters": {}}}]
    runs = [run_of(str(args), [call("a", **args)], [call("a", **args)]) for args in ({"n": 1}, {"n": "1"}, {})]
    bundle = load([write_bundle(tmp_path / "a.json", *runs, bundle={"tools": tools})])
    assert [bundle.table.fact(row, "valid") for row in range(3)] == [True, False, False]
    assert [bundle.table.state(row, "tool_call_correctness").word for row in range(3)] == ["pass", "fail", "fail"]


def test_a_write_between_makes_a_repeat_no_repeat(tmp_path: Path) -> None:
    made = [call("read"), call("save"), call("read")]
    for tools, repeats in (([], 1), ([{"name": "save", "writes": True}], 0)):
        bundle = load([write_bundle(tmp_path / "a.json", run_of("a", made[:2], made), bundle={"tools": tools})])
        row = score_document(bundle, bundle.scorecard())["runs"][0]
        assert (row["redundancy_detail"]["repeats"], row["levels"]["redundancy"]) == (repeats, repeats)


def edited(bundle: Bundle, row: int) -> tuple[int, int | None, float | None]:
    levels = bundle.score(row).levels
    quality = levels.query_quality
    return bundle.score(row).calls, levels.redundancy, None if quality is None else round(quality, 2)


def test_duplicating_the_first_search_gives_the_published_figures() -> None:
    bundle = load([DOCENT])
    row = bundle.find("oos-mongo")
    before, rates = edited(bundle, row), [tally.passed for tally in bundle.scorecard().tallies.values()]
    record = json.loads(bundle.record(row))
    record["actual"]["calls"].insert(0, record["actual"]["calls"][0])
    bundle.edit(row, json.dumps(record).encode())
    assert (before, edited(bundle, row)) == ((3, 0, 0.42), (4, 1, 0.48))
    assert bundle.score(row).levels.matches_reference is False
    assert [tally.passed for tally in bundle.scorecard().tallies.values()] == rates


def test_an_edit_that_leaves_no_run_changes_nothing(tmp_path: Path) -> None:
    bundle = load([write_bundle(tmp_path / "a.json", run_of("a", [call("x")], [call("x")]), run_of("b"))])
    edits = [(0, set_value("actual.calls[0].name", "y")), (1, set_value("actual.calls", '"none"'))]
    with pytest.raises(BadEdit, match="b would be no run any more"):
        WhatIf(bundle).change_all(edits)
    assert (bundle.edited, bundle.table.state(0, "exact").word) == (0, "pass")


def test_set_and_set_back_gives_the_recorded_verdicts(tmp_path: Path) -> None:
    bundle = load([write_bundle(tmp_path / "a.json", run_of("a", [call("x", n=1)], [call("x", n=1)]))])
    states, document = bytes(bundle.table.states), score_document(bundle, bundle.scorecard())
    what_if = WhatIf(bundle)
    what_if.change(0, set_value("actual.calls[0].args.n", "2"))
    assert bundle.table.state(0, "exact").word == "fail"
    what_if.change(0, set_value("actual.calls[0].args.n", "1"))
    assert bytes(bundle.table.states) == states
    assert score_document(bundle, bundle.scorecard())["runs"] == document["runs"]


def test_a_score_that_no_run_carries_any_more_is_gone(tmp_path: Path) -> None:
    bundle = load([write_bundle(tmp_path / "a.json", run_of("a", scores={"odd": 1}), run_of("b"))])
    bundle.edit(0, b'{"id": "a", "scores": {"new": 0}}')
    assert {name: score.n for name, score in bundle.scorecard().scores.items()} == {"new": 1}


def test_the_calls_expected_are_those_that_the_match_counts(tmp_path: Path) -> None:
    one, two = call("a"), call("b", n=1)
    runs = [
        run_of("plain", [one, two], [one]),
        run_of("optional", [one, {**two, "optional": True}], [one]),
        run_of("times", [{**one, "times": {"min": 0, "max": 3}}], [one, one]),
        run_of("group", [{**one, "group": 1}, {**two, "group": 1}], [two, one]),
        run_of("parallel", [{"parallel": [one, two]}], [two, one]),
        run_of("own rules", [{**one, "rules": {"extra_args": "allow"}}], [two]),
        run_of("failed", [one], [one], error="fell over"),
        run_of("running", [one], [one], status="running"),
        {"id": "any", "expected": {"any": [{"calls": [one]}, {"calls": [one, two]}]}, "actual": {"calls": [one, two]}},
        {"id": "nothing expected", "actual": {"calls": [one]}},
        {"id": "nothing recorded", "expected": {"calls": [one]}},
    ]
    bundle = load([write_bundle(tmp_path / "a.json", *runs)])
    ignoring = load([write_bundle(tmp_path / "b.json", *runs, rules={"ignore_tools": ["b"]})])
    for each in (bundle, ignoring):
        told = [each.expected_calls(row) for row in range(len(each))]
        assert told == [each.score(row).match.expected for row in range(len(each))]
        assert told[0] == (2 if each is bundle else 1)

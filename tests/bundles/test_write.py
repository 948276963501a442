"""The one writer of agent-tui/1: what nobody changed stays as it was, byte by byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_tui.bundles import load
from agent_tui.bundles.what_if import WhatIf, set_value
from agent_tui.bundles.write import write_bundle
from agent_tui.errors import NotPossible
from agent_tui.matchers import parse_rules
from agent_tui.reports.document import score_document
from tests.writing import CYBERTRAVELS, SAMPLES, run_of
from tests.writing import write_bundle as write_runs

NAMES = ["out.json", "out.jsonl", "out.ndjson", "out.json.gz", "out.jsonl.gz", "out.jsonl.zst", "out.json.zst"]
SAMPLE_FILES = ["cybertravels.json", "docent.json", "travel-chat.jsonl", "travel-inspect.eval"]
OF_ITS_FILE = {"bundle"}


def figures(path: Path) -> dict[str, Any]:
    bundle = load([str(path)])
    document = score_document(bundle, bundle.scorecard())
    return {key: value for key, value in document.items() if key not in OF_ITS_FILE}


@pytest.mark.parametrize("sample", SAMPLE_FILES)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_scores_as_what_was_read_and_is_written_again_the_same(
    sample: str, name: str, tmp_path: Path
) -> None:
    write_bundle(load([str(SAMPLES / sample)]), tmp_path / name)
    assert figures(tmp_path / name) == figures(SAMPLES / sample)
    write_bundle(load([str(tmp_path / name)]), tmp_path / f"again-{name}")
    assert (tmp_path / f"again-{name}").read_bytes() == (tmp_path / name).read_bytes()


def test_records_and_header_values_are_verbatim(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(
        '{"schema": "agent-tui/1", "bundle": {"id": "a",\n  "planned": 1}, "mine": {"x" : 1.50},\n'
        ' "runs": [ {"id":"r",\n   "expected" : {"calls": []}, "own": 1e2} ]}'
    )
    write_bundle(load([str(path)]), tmp_path / "out.json")
    written = (tmp_path / "out.json").read_text()
    assert '{"id": "a",\n  "planned": 1}' in written
    assert '"mine": {"x" : 1.50}' in written
    assert '{"id":"r",\n   "expected" : {"calls": []}, "own": 1e2}' in written


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
OWN = {"id", "task", "epoch", "status", "model", "agent", "input", "expected", "actual", "messages", "scores", "usage"}
OWN |= {"error", "limit", "answer", "notes", "schema", "runs", "bundle", "rules"}
UNKNOWN = st.dictionaries(TEXTS.filter(lambda key: key not in OWN), VALUES, max_size=3)


@settings(suppress_health_check=list(HealthCheck), max_examples=60)
@given(
    runs=st.lists(UNKNOWN, min_size=1, max_size=4),
    top=UNKNOWN,
    indent=st.sampled_from([None, 1]),
    ascii_only=st.booleans(),
    name=st.sampled_from(NAMES),
)
def test_write_read_write_gives_the_same_bytes(
    runs: list[dict[str, Any]], top: dict[str, Any], indent: int | None, ascii_only: bool, name: str, tmp_path: Path
) -> None:
    listed = [run | {"id": f"r{number}", "expected": {"calls": []}} for number, run in enumerate(runs)]
    document = {"schema": "agent-tui/1", "bundle": {"id": "b"}, **top, "runs": listed}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document, indent=indent, ensure_ascii=ascii_only), encoding="utf-8")
    write_bundle(load([str(path)]), tmp_path / name, replace=True)
    once = (tmp_path / name).read_bytes()
    again = load([str(tmp_path / name)])
    assert [json.loads(again.record(row)) for row in range(len(again))] == listed
    write_bundle(again, tmp_path / f"again-{name}", replace=True)
    assert (tmp_path / f"again-{name}").read_bytes() == once


@pytest.mark.parametrize("name", NAMES)
def test_undo_of_everything_gives_the_first_bytes_of_the_exported_bundle(name: str, tmp_path: Path) -> None:
    bundle = load([CYBERTRAVELS])
    what_if = WhatIf(bundle)
    write_bundle(bundle, tmp_path / name)
    first = (tmp_path / name).read_bytes()
    what_if.change(1, set_value("expected.calls[1].args.amount", "1400"))
    what_if.change(0, set_value("metadata", "{}"))
    write_bundle(bundle, tmp_path / name, replace=True)
    assert (tmp_path / name).read_bytes() != first
    what_if.revert_all()
    write_bundle(bundle, tmp_path / name, replace=True)
    assert (tmp_path / name).read_bytes() == first


def test_a_what_if_is_written_as_it_is_shown(tmp_path: Path) -> None:
    bundle = load([CYBERTRAVELS])
    WhatIf(bundle).change(1, set_value("expected.calls[1].args.amount", "1400"))
    write_bundle(bundle, tmp_path / "out.json")
    assert load([str(tmp_path / "out.json")]).scorecard().tallies["exact"].passed == 4


def test_strict_json_is_written_and_says_what_was_not_usable(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "NaN", "scores": {"q": NaN, "z": -Infinity}, "notes": ["mine"], "actual": {}}\n')
    write_bundle(load([str(path)]), tmp_path / "out.jsonl")
    (_, line) = (tmp_path / "out.jsonl").read_text().splitlines()
    record = json.loads(line, parse_constant=lambda word: pytest.fail(word))
    assert (record["id"], record["scores"]) == ("NaN", {"q": None, "z": None})
    assert record["notes"] == ["mine", "not_usable: NaN", "not_usable: -Infinity"]


def test_the_opened_file_is_never_written(tmp_path: Path) -> None:
    path = Path(write_runs(tmp_path / "a.json", run_of("a")))
    before = path.read_bytes()
    (tmp_path / "soft.json").symlink_to(path)
    (tmp_path / "hard.json").hardlink_to(path)
    for target in (path, tmp_path / "soft.json", tmp_path / "hard.json", tmp_path / "x" / ".." / "a.json"):
        with pytest.raises(NotPossible):
            write_bundle(load([str(path)]), target, replace=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "says"),
    [("out.txt", "as .json or .jsonl"), ("there.json", "is there already"), ("no/folder.json", "No such file")],
)
def test_what_cannot_be_written_says_why_and_leaves_nothing(name: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "there.json").write_text("mine")
    with pytest.raises(NotPossible, match=says):
        write_bundle(load([CYBERTRAVELS]), tmp_path / name)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("there.json", "mine")]


def test_sources_whose_headers_differ_are_no_one_document(tmp_path: Path) -> None:
    paths = [write_runs(tmp_path / f"{m}.json", run_of(m), bundle={"model": m}) for m in ("one", "two")]
    with pytest.raises(NotPossible, match=r"one\.json and .*two\.json differ in bundle: write \.jsonl"):
        write_bundle(load(paths), tmp_path / "out.json")
    alike = [write_runs(tmp_path / f"{m}-alike.json", run_of(m)) for m in ("one", "two")]
    write_bundle(load(alike), tmp_path / "out.json")
    assert len(load([str(tmp_path / "out.json")])) == 2


RULES = b'{"tools": {"refund": {"args": {"amount": {"number": {"abs": 2000}}}}}}'


@pytest.mark.parametrize("name", NAMES)
def test_rules_that_were_given_are_written(name: str, tmp_path: Path) -> None:
    given = load([CYBERTRAVELS], rules=parse_rules(RULES))
    write_bundle(given, tmp_path / name)
    again = load([str(tmp_path / name)])
    assert bytes(again.sources[0].fields["rules"]) == RULES
    assert again.scorecard().tallies["exact"] == given.scorecard().tallies["exact"]
    assert given.scorecard().tallies["exact"].passed > load([CYBERTRAVELS]).scorecard().tallies["exact"].passed


def test_rules_of_another_form_are_written_as_json(tmp_path: Path) -> None:
    given = load([CYBERTRAVELS], rules=parse_rules({"ignore_tools": ["read_policy"]}))
    write_bundle(given, tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text())["rules"] == {"ignore_tools": ["read_policy"]}


def test_rules_that_mean_the_same_are_equal_however_they_are_spelt() -> None:
    assert parse_rules(b'{"ignore_tools": ["a"]}') == parse_rules(b'{"ignore_tools":["a"] }')
    assert parse_rules(b'{"ignore_tools": ["a"]}') != parse_rules(b'{"ignore_tools": ["b"]}')


def test_sources_that_differ_are_written_as_lines_each_under_its_header(tmp_path: Path) -> None:
    one = write_runs(tmp_path / "one.json", run_of("a"), run_of("b"), bundle={"model": "m", "planned": 2})
    two = write_runs(tmp_path / "two.json", run_of("a"), bundle={"model": "n"}, rules={"ignore_tools": ["x"]})
    bundle = load([one, two])
    write_bundle(bundle, tmp_path / "out.jsonl.gz")
    again = load([str(tmp_path / "out.jsonl.gz")])
    assert [again.names.name(row) for row in range(3)] == [bundle.names.name(row) for row in range(3)]
    assert [source.header.model for source in again.sources] == ["m", "n"]
    assert [source.plan.rules.ignore_tools for source in again.sources] == [(), ("x",)]
    assert (again.planned, again.problems) == (bundle.planned, [])
    write_bundle(again, tmp_path / "again.jsonl.gz")
    assert (tmp_path / "again.jsonl.gz").read_bytes() == (tmp_path / "out.jsonl.gz").read_bytes()

"""Lone surrogates, which JSON can spell and no text can hold: nothing is lost by them, and no two are equal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent_tui.bundles import load
from agent_tui.readers import Malformed, decode_run, decode_steps
from tests.readers import fixtures
from tests.readers.reading import calls, reading, write_json, write_lines, write_zip
from tests.writing import call, run_of, write_bundle

HALF, OTHER = "\ud83d", "\ud83e"


def states(path: Path, run: dict[str, Any], **top: Any) -> tuple[str, str]:
    """What exact and the answer's check say of one run."""
    bundle = load([write_bundle(path / "b.json", run, **top)])
    return bundle.table.state(0, "exact").word, bundle.table.output(0)


def differing(one: str, other: str) -> dict[str, Any]:
    return run_of("a", [call("f", x=one)], [call("f", x=other)], truth=f"paid {one}7", answer=f"paid {other}7")


@pytest.mark.parametrize("other", [OTHER, "\ufffd", "\U0010fffd\U0010d83d", "", "?"])
def test_what_differs_in_a_lone_surrogate_is_not_equal(tmp_path: Path, other: str) -> None:
    assert states(tmp_path, differing(HALF, other))[0] == "fail"


def test_what_has_the_same_lone_surrogate_is_equal(tmp_path: Path) -> None:
    assert states(tmp_path, differing(HALF, HALF)) == ("pass", "correct")


def test_an_exact_answer_is_exact_to_the_surrogate(tmp_path: Path) -> None:
    run = run_of("a", truth={"exact": f"x{HALF}"}, answer=f"x{OTHER}")
    assert states(tmp_path, run)[1] == "wrong"
    assert states(tmp_path, run_of("a", truth={"exact": f"x{HALF}"}, answer=f"x{HALF}"))[1] == "correct"


def test_rules_of_a_document_mean_the_surrogate_that_they_spell(tmp_path: Path) -> None:
    rules = {"tools": {"f": {"args": {"x": {"one_of": [HALF]}}}}}
    for made, said in ((HALF, "pass"), (OTHER, "fail"), ("\ufffd", "fail")):
        assert states(tmp_path, run_of("a", [call("f", x="any")], [call("f", x=made)]), rules=rules)[0] == said


def test_steps_hold_what_was_written() -> None:
    steps = [{"type": "message", "role": "assistant", "text": HALF}, {"type": "call", "name": OTHER, "args": {HALF: 1}}]
    made = decode_steps(json.dumps({"id": "a", "actual": {"steps": steps}}).encode())
    assert (made[0].text == HALF) is True
    assert (made[1].name == OTHER) is True
    assert bytes(made[1].args) == b'{"\\ud83d":1}'  # type: ignore[arg-type]


def test_a_lone_surrogate_stands_beside_nan_and_groups() -> None:
    text = (
        '{"id": "\\ud83d", "scores": {"q": NaN}, "actual": {"calls": [{"parallel": [{"name": "b"}, {"name": "c"}]}]}}'
    )
    run = decode_run(text.encode())
    assert ([made.name for made in run.calls or ()], run.scores) == (["b", "c"], {"q": "NaN"})
    assert (run.id == HALF) is True


def test_bytes_of_a_surrogate_are_not_utf8() -> None:
    with pytest.raises(Malformed, match="not UTF-8 at byte 30"):
        decode_run(b'{"id":"a","actual":{"answer":"\xed\xa0\x80"}}')


def test_a_reference_joins_a_run_with_a_lone_surrogate(tmp_path: Path) -> None:
    golden = write_lines(tmp_path / "golden.jsonl", run_of("a", [call("f", x=HALF)]), run_of(OTHER, [call("g")]))
    runs = [run_of("a", None, [call("f", x=HALF)]), run_of(OTHER, None, [call("g")]), run_of(HALF, None, [call("g")])]
    bundle = load([str(write_lines(tmp_path / "runs.jsonl", *runs))], references=str(golden))
    assert [bundle.table.state(row, "exact").word for row in range(3)] == ["pass", "pass", "n/a"]


def test_a_reference_leaves_a_record_that_is_none_to_its_reader(tmp_path: Path) -> None:
    golden = write_lines(tmp_path / "golden.jsonl", run_of("a", [call("f")]))
    runs = write_lines(tmp_path / "runs.jsonl", '{"id": "a", "actual": {"calls": [{"name": "f", "args": {"x": NaN}}]}}')
    found = reading(runs, references=str(golden))
    assert [problem.kind for problem in found.problems] == []
    with pytest.raises(Malformed, match="NaN is not JSON here"):
        decode_run(found.records[0].text)


FORMATS: dict[str, Callable[[Path], Path]] = {
    "agent-tui": fixtures.native_bundle,
    "openai-chat": fixtures.chat_rows,
    "inspect": fixtures.inspect_log,
    "tau2": fixtures.tau2_results,
}


def with_surrogates(path: Path, text: str) -> None:
    """Spell a lone surrogate at the end of every text that says `text`."""
    both = f'{text}"', f'{text}\\ud83d"'
    if path.suffix != ".eval":
        path.write_text(path.read_text().replace(*both))
        return
    from backports.zstd import zipfile

    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name).decode().replace(*both) for name in archive.namelist()}
    path.unlink()
    write_zip(path, members)


SAID = {"agent-tui": "184.00", "openai-chat": "F-1 is cancelled.", "inspect": "It is 184.", "tau2": "F-1 is cancelled."}


@pytest.mark.parametrize("name", FORMATS)
def test_no_format_loses_a_run_by_a_lone_surrogate(tmp_path: Path, name: str) -> None:
    path = FORMATS[name](tmp_path)
    before = reading(path)
    with_surrogates(path, SAID[name])
    after = reading(path)
    assert [run.id for run in after.runs] == [run.id for run in before.runs]
    assert [calls(run) for run in after.runs] == [calls(run) for run in before.runs]
    assert after.kinds == before.kinds
    assert any((run.answer or "").endswith(f"{SAID[name][-3:]}{HALF}") for run in after.runs) is True


@pytest.mark.parametrize("indent", [None, 1])
def test_the_header_of_a_document_keeps_its_name(tmp_path: Path, indent: int | None) -> None:
    path = tmp_path / "b.json"
    document = {"schema": "agent-tui/1", "bundle": {"name": f"n{HALF}", "planned": 3}, "runs": [run_of("a")]}
    path.write_text(json.dumps(document, indent=indent))
    bundle = load([str(path)])
    assert (bundle.planned, bundle.problems) == (3, [])
    assert (bundle.name == f"n{HALF}") is True


def test_a_document_is_read_whose_first_line_is_not_json(tmp_path: Path) -> None:
    path = write_json(tmp_path / "b.json", {"schema": "agent-tui/1", "runs": [run_of("a", answer="x"), run_of("b")]})
    path.write_text(path.read_text().replace('"x"', '"\\ud800"'))
    assert len(reading(path).records) == 2

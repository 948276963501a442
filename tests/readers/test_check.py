"""`check` reports every problem of a record with line and path; its model and the decoder accept the same documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from agent_tui.readers import Malformed, decode_run, json_schema, validate
from agent_tui.readers.schema import run_model
from tests.readers.reading import write_lines

HEADER = {"schema": "agent-tui/1"}


def problems(path: Path) -> list[tuple[int | None, str | None, str]]:
    return [(problem.line, problem.path, problem.kind) for problem in validate([str(path)])]


def test_every_problem_of_a_record_is_told(tmp_path: Path) -> None:
    bad = {
        "id": 1.5,
        "actual": {"calls": [{"args": {}}, {"name": 3}, {"name": "fine"}]},
        "expected": {"calls": [{}], "required_tools": [{"name": "a", "most": 1}]},
    }
    assert problems(write_lines(tmp_path / "b.jsonl", HEADER, {"id": "a"}, bad)) == [
        (3, "$.id", "malformed"),
        (3, "$.expected.calls[0]", "malformed"),
        (3, "$.expected.required_tools[0]", "malformed"),
        (3, "$.expected.required_tools[0].most", "malformed"),
        (3, "$.actual.calls[0].name", "malformed"),
        (3, "$.actual.calls[1].name", "malformed"),
    ]


def test_a_record_without_a_name_is_told_at_the_name(tmp_path: Path) -> None:
    assert problems(write_lines(tmp_path / "b.jsonl", HEADER, {})) == [(2, "$.id", "malformed")]


def test_bytes_that_are_no_utf8_are_told(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    path.write_bytes(b'{"id": "a", "actual": {"calls": [{"name": "f", "args": {"x": "\xff"}}]}}\n')
    assert problems(path) == [(1, None, "warning"), (1, "$.actual.calls[0].args", "warning")]


def test_what_can_be_read_but_looks_wrong_is_a_warning(tmp_path: Path) -> None:
    twice = '{"id":"a","id":"a","actual":{"calls":[{"name":"x","args":"{\\"n\\":"}]}}'
    assert problems(write_lines(tmp_path / "b.jsonl", HEADER, twice)) == [
        (2, None, "warning"),
        (2, "$.actual.calls[0].args", "warning"),
    ]


def test_calls_beside_any_and_equal_identities_are_told(tmp_path: Path) -> None:
    both = {"id": "a", "expected": {"calls": [], "any": [{"calls": []}]}}
    found = problems(write_lines(tmp_path / "b.jsonl", HEADER, both, {"id": "other", "task": "a"}))
    assert found == [(2, "$.expected", "malformed"), (3, None, "clash")]


def test_a_good_bundle_has_no_problems() -> None:
    samples = Path(__file__).parents[2] / "sample_runs"
    assert list(validate([str(samples / "cybertravels.json"), str(samples / "docent.json")])) == []


def test_the_schema_names_every_part_of_a_run() -> None:
    schema = json_schema()
    assert {"runs", "bundle", "rules", "rubric"} <= schema["properties"].keys()
    assert {"id", "expected", "actual", "messages", "scores"} <= schema["$defs"]["Run"]["properties"].keys()


WRONG = st.sampled_from([None, True, 3, 2.5, "word", [], {}, [3], {"x": 1}, ["a"]])
GROUP = st.sampled_from([None, 1, "g", 2.5])


def objects(**parts: Any) -> Any:
    """Objects with some of `parts`, each right or wrong."""
    return st.fixed_dictionaries({}, optional={name: part | WRONG for name, part in parts.items()})


TIMES = objects(min=st.integers(0, 3), max=st.integers(0, 3))
EXPECTED_CALL = objects(
    name=st.just("a"), args=st.just({"n": 1}), rules=st.just({}), optional=st.booleans(), times=TIMES, group=GROUP
)
EXPECTED_GROUP = st.fixed_dictionaries({"parallel": st.lists(EXPECTED_CALL, max_size=2)})
EXPECTED_CALLS = st.lists(EXPECTED_CALL | EXPECTED_GROUP | WRONG, max_size=3)
NAMED = st.fixed_dictionaries({"name": st.just("a") | WRONG}, optional={"min": WRONG, "max": WRONG, "args": WRONG})
EXPECTED = objects(
    calls=EXPECTED_CALLS,
    any=st.lists(objects(calls=EXPECTED_CALLS, name=st.just("r")), max_size=2),
    required_tools=st.lists(NAMED | st.just("a") | WRONG, max_size=2),
    forbidden_tools=st.lists(NAMED | st.just("a*") | WRONG, max_size=2),
    answer=WRONG,
    documents=st.just(["d"]),
)
CALL = st.fixed_dictionaries({"name": st.just("a")}, optional={"args": WRONG, "id": WRONG, "group": GROUP})
CALLS = st.lists(CALL | st.fixed_dictionaries({"parallel": st.lists(CALL, max_size=2) | WRONG}) | WRONG, max_size=3)
STEP = objects(type=st.just("call"), name=st.just("a"), text=st.just("x"), seconds=st.just(1), line=st.just(2))
STEPS = st.lists(STEP | st.fixed_dictionaries({"parallel": st.lists(STEP, max_size=2)}) | WRONG, max_size=3)
RUN = objects(
    id=st.just("t") | st.integers(0, 9),
    task=st.just("t"),
    epoch=st.integers(1, 3),
    status=st.just("done"),
    model=st.just("m"),
    input=st.just("ask"),
    expected=EXPECTED,
    actual=objects(calls=CALLS, answer=st.just("x"), steps=STEPS),
    messages=st.lists(WRONG, max_size=2),
    scores=st.dictionaries(st.just("s"), WRONG, max_size=1),
    usage=objects(input_tokens=st.just(1), cost_usd=st.just(0.5), seconds=st.just(1)),
    error=st.just("no") | objects(type=st.just("E"), message=st.just("no")),
    limit=st.just("turns"),
    notes=st.just(["n"]),
)


@settings(max_examples=1500)
@given(run=RUN)
def test_the_model_and_the_decoder_accept_the_same_runs(run: dict[str, Any]) -> None:
    try:
        run_model.validate_python(run)
        fits = True
    except ValidationError:
        fits = False
    try:
        decode_run(json.dumps(run).encode())
        decodes = True
    except Malformed:
        decodes = False
    assert fits == decodes

"""Rubrics: the packaged one, those that people write, those that a bundle brings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.bundles import load
from agent_tui.errors import NotPossible
from agent_tui.judge.digests import content_digest
from agent_tui.judge.rubric import PACKAGED, bundle_rubric, load_rubric
from tests.writing import run_of, write_bundle

EXAMPLES = [{"verdict": word, "task": "t", "answer": word, "why": "so"} for word in ("pass", "fail", "undetermined")]
SMALL: dict[str, Any] = {
    "id": "small",
    "version": 1,
    "sees": ["task", "answer"],
    "criteria": [{"id": "c1", "words": "It is polite."}],
    "examples": EXAMPLES,
}


def written(path: Path, **fields: Any) -> str:
    path.write_text(json.dumps(SMALL | fields), encoding="utf-8")
    return str(path)


def refusal(path: str) -> str:
    with pytest.raises(NotPossible) as error:
        load_rubric(path)
    return str(error.value)


def test_the_packaged_rubric_shows_every_verdict_and_sees_the_trace() -> None:
    rubric = load_rubric()
    assert rubric.sees == ("task", "answer", "trace")
    assert {example.verdict for example in rubric.examples} == {"pass", "fail", "undetermined"}
    assert [criterion.id for criterion in rubric.criteria] == ["answers_the_ask", "supported", "nothing_invented"]


def test_a_digest_names_the_content_not_the_file(tmp_path: Path) -> None:
    copy = tmp_path / "copy.toml"
    copy.write_text("\n# another comment\n" + PACKAGED.read_text(encoding="utf-8"), encoding="utf-8")
    assert load_rubric(str(copy)).digest == load_rubric().digest
    other = load_rubric(written(tmp_path / "a.json"))
    assert other.digest != load_rubric(written(tmp_path / "b.json", version=2)).digest


def test_examples_are_known_by_content_so_that_their_labels_can_be_left_out() -> None:
    rubric = load_rubric()
    assert content_digest(rubric.examples[0].task, rubric.examples[0].answer) in rubric.taught
    assert content_digest(rubric.examples[0].task, rubric.examples[1].answer) not in rubric.taught


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"examples": EXAMPLES[:2]}, "@ $.examples: none of verdict undetermined"),
        ({"examples": []}, "none of verdict pass or fail or undetermined"),
        ({"examples": [*EXAMPLES, EXAMPLES[0] | {"verdict": "maybe"}]}, "@ $.examples[3].verdict: unknown 'maybe'"),
        ({"criteria": []}, "@ $.criteria: none"),
        ({"criteria": SMALL["criteria"] * 2}, "@ $.criteria[1].id: 'c1' is used twice"),
        ({"criteria": [{"id": "c1", "words": " "}]}, "@ $.criteria[0]: id and words must say something"),
        ({"criteria": [{"id": "c1"}]}, "@ $.criteria[0]: missing required field `words`"),
        ({"criteria": [{"id": "c1", "words": "w", "weight": 2}]}, "@ $.criteria[0]: contains unknown field `weight`"),
        ({"sees": ["task", "answer", "truth"]}, "@ $.sees: unknown 'truth': there are task, answer, trace"),
        ({"sees": ["task"]}, "@ $.sees: the answer is what is judged"),
        ({"id": " "}, "@ $.id: a rubric needs a name"),
        ({"truth": "42"}, "contains unknown field `truth`"),
    ],
)
def test_a_rubric_that_is_none_says_where(fields: dict[str, Any], told: str, tmp_path: Path) -> None:
    path = written(tmp_path / "rubric.json", **fields)
    assert refusal(path).startswith(path)
    assert told in refusal(path)
    assert "\n" not in refusal(path)


def test_a_file_that_is_no_table_says_why(tmp_path: Path) -> None:
    broken = tmp_path / "rubric.toml"
    broken.write_text('id = "unterminated', encoding="utf-8")
    assert "rubric.toml: the rubric cannot be read" in refusal(str(broken))
    assert "nowhere.toml: the rubric cannot be read" in refusal(str(tmp_path / "nowhere.toml"))


def test_a_bundles_own_rubric_is_given_only_to_whoever_asks_for_it(tmp_path: Path) -> None:
    bundle = load([write_bundle(tmp_path / "b.json", run_of("t1", answer="x"), rubric=SMALL)])
    own = bundle_rubric(bundle)
    assert own is not None
    assert own.title == "small 1"
    assert load_rubric().id == "general"
    assert bundle_rubric(load([write_bundle(tmp_path / "c.json", run_of("t1"))])) is None


def test_a_manifests_rubric_is_the_bundles_own(tmp_path: Path) -> None:
    write_bundle(tmp_path / "runs.json", run_of("t1", answer="x"))
    written(tmp_path / "rubric.json", id="ours")
    (tmp_path / "bundle.toml").write_text('runs = ["runs.json"]\nrubric = "rubric.json"\n', encoding="utf-8")
    own = bundle_rubric(load([str(tmp_path)]))
    assert own is not None
    assert own.id == "ours"


def test_files_with_different_rubrics_leave_the_choice_to_the_user(tmp_path: Path) -> None:
    first = write_bundle(tmp_path / "a.json", run_of("t1"), rubric=SMALL)
    same = write_bundle(tmp_path / "b.json", run_of("t2"), rubric=SMALL)
    other = write_bundle(tmp_path / "c.json", run_of("t3"), rubric=SMALL | {"version": 2})
    assert bundle_rubric(load([first, same])) is not None
    with pytest.raises(NotPossible, match="different rubrics: choose one with --rubric"):
        bundle_rubric(load([first, other]))


def test_a_bad_rubric_in_a_bundle_names_file_and_path(tmp_path: Path) -> None:
    bundle = load([write_bundle(tmp_path / "b.json", run_of("t1"), rubric=SMALL | {"examples": []})])
    with pytest.raises(NotPossible, match=r"b\.json @ \$\.rubric @ \$\.examples: none of verdict"):
        bundle_rubric(bundle)

"""Verdicts that came with a bundle: whose they are, which of them count, and that none is seen too early."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.what_if import WhatIf, set_value
from agent_tui.errors import NotPermitted
from agent_tui.judge.permit import Certificate
from agent_tui.judge.recorded import Recorded, recorded_problems, recorded_verdicts
from tests.judge.labelling import answered, labels_of
from tests.writing import ROOT, write_bundle


def bundle_of(folder: Path, verdicts: Any, *ids: str, **top: Any) -> Bundle:
    runs = map(answered, ids or ("a", "b", "c"))
    return load([write_bundle(folder / "runs.json", *runs, verdicts=verdicts, **top)])


def recorded(bundle: Bundle) -> Recorded:
    return recorded_verdicts(bundle, labels_of(bundle))


def judges(bundle: Bundle) -> list[tuple[str, str, int]]:
    """Name, standing and number of verdicts of each judge."""
    return [(group.who.name, group.standing, len(group.rows)) for group in recorded(bundle).groups]


def passed(*names: str, **fields: Any) -> list[dict[str, Any]]:
    return [{"task": name, "pass": True, **fields} for name in names]


def many(right: int, wrong: int, unlabelled: int) -> tuple[list[str], dict[str, str], list[dict[str, Any]]]:
    """Runs with labels and the verdicts of a judge that is always right."""
    names = [f"t{number}" for number in range(right + wrong + unlabelled)]
    labels = {name: "pass" if number < right else "fail" for number, name in enumerate(names[: right + wrong])}
    return names, labels, [{"task": name, "verdict": labels.get(name, "fail")} for name in names]


def test_a_bundle_without_verdicts_has_no_judge_and_misses_nothing(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, None, judge={"id": "judge-a"})
    assert recorded(bundle) == Recorded((), (), ())


@pytest.mark.parametrize(
    ("judge", "signed", "expected"),
    [
        ({"id": "j"}, {}, [("j", "current", 1)]),
        (None, {}, [("unknown judge", "unknown judge", 1)]),
        (None, {"judge": "j"}, [("j", "other judge", 1)]),
        ({"id": "j"}, {"judge": "j"}, [("j", "current", 1)]),
        ({"id": "j"}, {"judge": "k"}, [("k", "other judge", 1)]),
        ({"id": "j"}, {"judge": "j", "fingerprint": "1"}, [("j (1)", "current", 1)]),
        ({"id": "j", "fingerprint": "1"}, {"fingerprint": "1"}, [("j (1)", "current", 1)]),
        ({"id": "j", "fingerprint": "1"}, {"judge": "j", "fingerprint": "2"}, [("j (2)", "other judge", 1)]),
        ({"id": "j", "fingerprint": "1"}, {"judge": "k", "fingerprint": "1"}, [("k (1)", "other judge", 1)]),
        ({"id": "j", "fingerprint": "1"}, {"judge": "j"}, [("j", "other judge", 1)]),
    ],
)
def test_a_verdict_is_of_the_judge_that_it_names_else_of_the_bundles(
    judge: Any, signed: dict[str, Any], expected: list[tuple[str, str, int]], tmp_path: Path
) -> None:
    assert judges(bundle_of(tmp_path, passed("a", **signed), judge=judge)) == expected


def test_once_one_verdict_is_signed_those_that_are_not_are_of_nobody_known(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, [*passed("a", "b"), *passed("c", judge="k")], judge={"id": "j"})
    assert judges(bundle) == [("unknown judge", "unknown judge", 2), ("k", "other judge", 1)]
    assert recorded(bundle).missing == (0, 1, 2)


def test_two_files_whose_judges_differ_in_their_rubric_have_two_judges(tmp_path: Path) -> None:
    paths = [
        write_bundle(tmp_path / f"{name}.json", answered("a"), judge={"id": "j", "rubric": name}, verdicts=passed("a"))
        for name in ("r1", "r2")
    ]
    two = recorded(load(paths))
    assert [group.rows for group in two.groups] == [(0,), (1,)]
    assert len({group.sealed.key for group in two.groups}) == two.judges == 2
    assert two.missing == ()


def test_one_judge_of_two_files_is_one(tmp_path: Path) -> None:
    judge = {"id": "j", "fingerprint": "1"}
    paths = [
        write_bundle(tmp_path / f"{name}.json", answered(name), judge=judge, verdicts=passed(name)) for name in "ab"
    ]
    assert judges(load(paths)) == [("j (1)", "current", 2)]


def test_verdicts_in_the_header_line_of_json_lines_are_read(tmp_path: Path) -> None:
    header = {"schema": "agent-tui/1", "judge": {"id": "j"}, "human_labels": {"a": "fail"}, "verdicts": passed("a")}
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in (header, answered("a"))))
    (group,) = recorded(load([str(tmp_path / "a.jsonl")])).groups
    assert [(run.name, run.truth, run.verdict) for run in group.labelled] == [("a", "fail", "pass")]


def test_one_verdict_recorded_twice_is_one_and_two_that_differ_are_none(tmp_path: Path) -> None:
    verdicts = [*passed("a", "a", "b"), {"task": "b", "pass": False}, {"task": "c", "raw": ""}, *passed("c")]
    (group,) = recorded(bundle_of(tmp_path, verdicts, human_labels={"a": "pass", "b": "pass", "c": "pass"})).groups
    assert [(run.name, run.verdict) for run in group.labelled] == [("a", "pass"), ("b", None), ("c", "pass")]
    assert [run.why for run in group.not_judged] == ["contradiction: it is recorded 2 times, with verdicts that differ"]


def test_a_verdict_on_a_run_that_is_shown_otherwise_is_none(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, passed("a", "b"))
    WhatIf(bundle).change(0, set_value("actual.answer", '"what if"'))
    (group,) = recorded(bundle).groups
    assert [(run.name, run.why.split(":")[0]) for run in group.not_judged] == [("a", "changed")]
    assert group.hidden == (1,)


def test_a_judge_that_meets_every_bound_opens_its_verdicts_and_no_others(tmp_path: Path) -> None:
    names, labels, verdicts = many(right=20, wrong=20, unlabelled=2)
    signed = [each | {"fingerprint": mark} for mark in ("1", "2") for each in verdicts]
    one, two = recorded(bundle_of(tmp_path, signed, *names, human_labels=labels)).groups
    assert one.validation is not None
    permit = Certificate(one.validation)
    assert [run.verdict for run in one.verdicts(permit)] == ["pass"] * 20 + ["fail"] * 22
    with pytest.raises(NotPermitted, match="another judge"):
        two.verdicts(permit)


def test_one_more_label_closes_what_a_permit_opened(tmp_path: Path) -> None:
    names, labels, verdicts = many(right=20, wrong=20, unlabelled=2)
    bundle = bundle_of(tmp_path, verdicts, *names, human_labels=labels)
    own = labels_of(bundle)
    (before,) = recorded_verdicts(bundle, own).groups
    assert before.validation is not None
    permit = Certificate(before.validation)
    own.set(41, "pass")
    (after,) = recorded_verdicts(bundle, own).groups
    with pytest.raises(NotPermitted, match="validate again"):
        after.verdicts(permit)


def test_labels_that_came_with_the_verdicts_validate_nothing_until_they_are_taken(tmp_path: Path) -> None:
    names, labels, verdicts = many(right=20, wrong=20, unlabelled=2)
    bundle = bundle_of(tmp_path, verdicts, *names, human_labels=labels)
    (group,) = recorded_verdicts(bundle, labels_of(bundle, use_recorded=False)).groups
    assert (group.validation, group.gate.state, len(group.hidden)) == (None, "no_labels", 42)


@pytest.mark.parametrize("wrong", [{"pass": True}, True, "open"])
def test_what_is_no_permit_opens_nothing(wrong: Any, tmp_path: Path) -> None:
    (group,) = recorded(bundle_of(tmp_path, passed("a"))).groups
    with pytest.raises(NotPermitted):
        group.verdicts(wrong)


def test_no_look_at_a_group_tells_a_verdict_on_an_unlabelled_run(tmp_path: Path) -> None:
    """Two bundles that differ in such a verdict alone look the same, but for the key."""
    seen = []
    for verdict in ("pass", "fail"):
        verdicts = [*passed("a"), {"task": "b", "verdict": verdict, "why": f"it is a {verdict}"}]
        (group,) = recorded(bundle_of(tmp_path, verdicts, human_labels={"a": "pass", "c": "fail"})).groups
        fields = {name: getattr(group, name) for name in group.__struct_fields__ if name != "sealed"}
        seen.append(str(fields))
        with pytest.raises(TypeError):
            msgspec.json.encode(group)
        assert f"it is a {verdict}" not in repr(group)
    assert seen[0] == seen[1]


def test_only_the_modules_that_seal_verdicts_read_them() -> None:
    """Whoever else wants a verdict goes through `recorded_verdicts`, and there through a permit."""
    own = {"recorded", "recorded_claims", "recorded_entry", "recorded_group", "recorded_judge"}
    closed = {f"agent_tui.judge.{name}" for name in own - {"recorded", "recorded_group"}}
    for path in (ROOT / "agent_tui").rglob("*.py"):
        imported = {name for name in closed if re.search(rf"{re.escape(name)}\b", path.read_text(encoding="utf-8"))}
        assert path.stem in own or not imported, path


@pytest.mark.parametrize(
    ("top", "path", "kind"),
    [
        ({"verdicts": {"a": "pass"}}, "$.verdicts", "bundle"),
        ({"verdicts": passed("none")}, "$.verdicts", "warning"),
        ({"verdicts": passed("t")}, "$.verdicts", "bundle"),
        ({"verdicts": ["a"]}, "$.verdicts[0]", "bundle"),
        ({"verdicts": [], "judge": "judge-a"}, "$.judge", "bundle"),
        ({"verdicts": [], "judge": {"id": "j", "threshold": "high"}}, "$.judge.threshold", "bundle"),
    ],
)
def test_what_cannot_be_used_is_told_with_its_place(top: dict[str, Any], path: str, kind: str, tmp_path: Path) -> None:
    runs = [answered("t", epoch=1), answered("t", epoch=2)]
    bundle = load([write_bundle(tmp_path / "runs.json", *runs, **top)])
    (problem,) = recorded_problems(bundle)
    assert (problem.file, problem.path, problem.kind) == (bundle.sources[0].file, path, kind)

"""The label file: append-only, outlives whatever ends a program in the middle of a line, and two writers at once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.errors import Problem
from agent_tui.judge.label_file import WORDS, Label, ReadLabel, append_label, read_labels
from tests.judge.labelling import labels_of, small_bundle, words
from tests.writing import ROOT

GOOD = {"schema": "agent-tui/label-1", "task": "a", "label": "pass", "item": "x"}


def written(path: Path) -> list[str]:
    """What a file says, label by label; a problem as line and kind."""
    return [
        each.label.label if isinstance(each, ReadLabel) else f"{each.line}: {each.kind}" for each in read_labels(path)
    ]


def test_a_file_that_is_not_there_has_no_labels(tmp_path: Path) -> None:
    assert written(tmp_path / "none") == []


@pytest.mark.parametrize(
    ("line", "path", "reason"),
    [
        (GOOD | {"label": "passed"}, "$.label", "Invalid enum value 'passed'"),
        (GOOD | {"epoch": "one"}, "$.epoch", "Expected `int`, got `str`"),
        ({"label": "pass"}, None, "Object missing required field `task`"),
        (GOOD | {"schema": "agent-tui/label-2"}, "$.schema", "schema is agent-tui/label-2, not agent-tui/label-1"),
    ],
)
def test_a_line_that_is_no_label_is_told_with_its_place_and_the_rest_counts(
    line: dict[str, object], path: str | None, reason: str, tmp_path: Path
) -> None:
    file = tmp_path / "x.labels.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in (GOOD, line, GOOD | {"label": "fail"})))
    first, problem, last = read_labels(file)
    assert isinstance(first, ReadLabel)
    assert isinstance(last, ReadLabel)
    assert isinstance(problem, Problem)
    assert (problem.file, problem.line, problem.path, problem.kind) == (str(file), 2, path, "malformed")
    assert reason in problem.reason


def test_lines_that_are_no_json_and_bytes_that_are_no_text_are_told(tmp_path: Path) -> None:
    file = tmp_path / "x.labels.jsonl"
    good = json.dumps(GOOD).encode()
    file.write_bytes(good + b"\n\n[1]\n{]\n\xff\xfe\n" + good.replace(b'"x"', b'"\xff"') + b"\n" + good + b"\n")
    assert written(file) == ["pass", "3: not_a_record", "4: malformed", "5: malformed", "6: malformed", "pass"]


def test_a_line_without_end_is_not_read_into_memory_for_ever(tmp_path: Path) -> None:
    file = tmp_path / "x.labels.jsonl"
    file.write_bytes(b'{"task": "' + b"a" * (1 << 20) + b'"}\n' + json.dumps(GOOD).encode() + b"\n")
    assert written(file) == ["1: malformed", "pass"]


def test_a_file_cut_off_at_any_byte_loses_the_last_label_only_and_says_so(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path)
    labels = labels_of(bundle)
    labels.set(0, "pass")
    labels.set(1, "fail", "Über\n\u2028")
    file = labels.path
    whole = file.read_bytes()
    second = whole.index(b"\n") + 1
    for length in range(second, len(whole)):
        file.write_bytes(whole[:length])
        cut = labels_of(bundle)
        is_there = length == len(whole) - 1  # only the line feed is missing
        assert words(cut) == ({"a": "pass", "b": "fail"} if is_there else {"a": "pass"})
        assert [problem.kind for problem in cut.problems] == ([] if is_there or length == second else ["incomplete"])
        cut.set(2, "pass")
        assert (
            words(labels_of(bundle)) == words(cut) == {"a": "pass", "c": "pass"} | ({"b": "fail"} if is_there else {})
        )


def test_text_that_no_utf_8_holds_is_kept(tmp_path: Path) -> None:
    label = Label(task="half \ud800", label="fail", model=None, note='\u2028 "line"\nnext \x1b[2J')
    append_label(tmp_path / "x", label, is_private=False)
    (found,) = read_labels(tmp_path / "x")
    assert isinstance(found, ReadLabel)
    assert (found.label.task, found.label.note) == (label.task, label.note)
    assert (tmp_path / "x").read_bytes().count(b"\n") == 1


_LABEL_MANY = """
import sys
from agent_tui.bundles import load
from agent_tui.judge.labels import Labels
bundle = load([sys.argv[1]])
labels = Labels.of(bundle, by=sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
for count in range(int(sys.argv[3])):
    labels.set(count % len(bundle), ("pass", "fail")[count % 2], sys.argv[2] * 3000)
"""


def test_labels_that_two_programs_give_at_once_are_all_there(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path)
    command = [sys.executable, "-c", _LABEL_MANY, bundle.sources[0].file]
    programs = [
        subprocess.Popen([*command, by, "60"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        for by in ("ada", "bob")
    ]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
    assert [program.communicate()[1] for program in programs] == [None, None]
    found = [each for each in read_labels(labels_of(bundle).path) if isinstance(each, ReadLabel)]
    assert [program.returncode for program in programs] == [0, 0]
    assert labels_of(bundle).problems == ()
    for by in ("ada", "bob"):
        own = [each.label.label for each in found if each.label.by == by]
        assert own == ["pass", "fail"] * 30


acts = st.lists(st.tuples(st.sampled_from(["ada", "bob"]), st.integers(0, 2), st.sampled_from(WORDS), st.text()))


@settings(max_examples=60)
@given(acts)
def test_whatever_two_people_say_in_turn_the_last_word_on_each_run_counts(
    acts: list[tuple[str, int, str, str]],
) -> None:
    with TemporaryDirectory() as folder:
        bundle = small_bundle(Path(folder))
        people = {by: labels_of(bundle, by) for by in ("ada", "bob")}
        last: dict[int, tuple[str, str, str]] = {}
        for by, row, word, note in acts:
            people[by].set(row, word, note)
            last[row] = (word, note, by)
        read = labels_of(bundle)
        assert {row: (label.label, label.note, label.by) for row, label in read.in_force.items()} == last
        assert (read.problems, read.stale) == ((), ())

"""What a judge gets to see of a run, and that it is nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from agent_tui.bundles import load
from agent_tui.judge.clipping import SIZES, TIGHT
from agent_tui.judge.material import Item, NoItem, clipped, make_item
from agent_tui.judge.prompt import ask_key, sent_text
from agent_tui.judge.rubric import Rubric
from agent_tui.readers import decode_run
from tests.judge.judging import GENERAL, IDENTITY, made, made_item, request_of
from tests.writing import CYBERTRAVELS, call, run_of, write_bundle

ANSWER_ONLY = msgspec.structs.replace(GENERAL, sees=("answer",))
NO_TRACE = msgspec.structs.replace(GENERAL, sees=("task", "answer"))

# Every field of a run and of its bundle that is not the ask, the answer or what was done, with a word of its own in it.
SECRET_RUN: dict[str, Any] = {
    "id": "secret-id",
    "task": "secret-task-id",
    "model": "secret-model-9",
    "agent": "secret-agent",
    "input": "Which shelf?",
    "expected": {
        "calls": [{"name": "secret_expected_tool", "args": {"shelf": "secret-expected-argument"}}],
        "required_tools": ["secret_required_tool"],
        "forbidden_tools": ["secret_forbidden_tool"],
        "answer": {"contains": "secret-truth"},
        "documents": ["secret-document"],
    },
    "actual": {
        "steps": [
            {"type": "message", "role": "system", "content": "You are secret-model-9, at a desk."},
            {"type": "call", "name": "look", "args": {"place": "desk"}, "result": "seen", "note": "secret-step-note"},
            {"type": "event", "text": "secret-event: scored 1, target secret-truth"},
            {"type": "score", "text": "secret-score-step"},
            {"type": "message", "role": "assistant", "content": "I am secret-model-9. Shelf C."},
        ]
    },
    "scores": {"secret_score": 0.4242, "success": 1},
    "usage": {"input_tokens": 424242, "seconds": 1.5},
    "limit": "secret-limit",
    "notes": ["secret-note"],
    "metadata": {"target": "secret-metadata"},
    "secret_unknown_key": "secret-unknown",
}
SECRET_TOP: dict[str, Any] = {
    "human_labels": {"secret-id": "fail", "secret-label": "pass"},
    "judge": {"id": "secret-judge"},
    "verdicts": [{"task": "secret-id", "verdict": "fail", "why": "secret-why"}],
    "rubric": {"id": "secret-rubric"},
}


def test_nothing_of_a_run_but_ask_answer_and_trace_is_sent(tmp_path: Path) -> None:
    header = {"id": "secret-bundle", "model": "secret-model-of-all", "notes": "secret-notes"}
    bundle = load([write_bundle(tmp_path / "b.json", SECRET_RUN, bundle=header, **SECRET_TOP)])
    item = make_item(bundle, 0, GENERAL)
    assert isinstance(item, Item)
    sent = sent_text(request_of(item)).casefold()
    assert "secret" not in sent
    assert "4242" not in sent
    assert "shelf c." in sent
    assert "2 call look" in sent


def test_every_field_of_a_run_is_covered_by_that_test() -> None:
    run = decode_run(json.dumps(SECRET_RUN).encode())
    shown = {"input", "calls", "answer", "status", "epoch", "error"}
    unset = {name for name in type(run).__struct_fields__ if not getattr(run, name)} - shown
    assert unset == set()


def test_an_items_digest_and_key_depend_on_what_is_sent_alone(tmp_path: Path) -> None:
    run = {"actual": {"answer": "Shelf C"}, "input": "Which shelf?"}
    plain = made_item(tmp_path, **run)
    known = made_item(
        tmp_path, **run, task="other", expected={"answer": "shelf"}, scores={"success": 0}, metadata={"target": 1}
    )
    assert plain.digest == known.digest
    assert ask_key(IDENTITY, GENERAL, plain) == ask_key(IDENTITY, GENERAL, known)
    assert made_item(tmp_path, input="Which shelf?", answer="Shelf D").digest != plain.digest


@pytest.mark.parametrize(
    ("run", "reason", "decided"),
    [
        ({"answer": "x", "status": "running"}, "not_finished", None),
        ({"answer": "x", "status": "on hold"}, "not_finished", None),
        ({"answer": "x", "status": "error", "error": "timeout"}, "run_error", None),
        ({"actual": {"calls": [call("look")]}}, "no_answer", None),
        ({"answer": ""}, "no_content", "fail"),
        ({"answer": " \n\u200b"}, "no_content", "fail"),
        ({"answer": "..."}, "no_content", "fail"),
        ({"answer": "Thought process:"}, "no_content", "fail"),
        ({"answer": "Sure! Here is the answer:"}, "no_content", "fail"),
    ],
)
def test_a_run_that_no_judge_is_needed_for_says_why(
    run: dict[str, Any], reason: str, decided: str | None, tmp_path: Path
) -> None:
    assert made(tmp_path, **run) == NoItem(reason, decided)


@pytest.mark.parametrize("answer", ["OK", "42", "No", "👍", "Solution", "Answer: 42", "Result", "Sure"])
def test_a_short_answer_goes_to_the_judge(answer: str, tmp_path: Path) -> None:
    assert made_item(tmp_path, answer=answer).answer == answer


@pytest.mark.parametrize(
    ("rubric", "sent"),
    [(GENERAL, ["task", "answer", "trace"]), (NO_TRACE, ["task", "answer"]), (ANSWER_ONLY, ["answer"])],
)
def test_a_judge_sees_what_its_rubric_says(rubric: Rubric, sent: list[str], tmp_path: Path) -> None:
    item = made_item(tmp_path, rubric, input="Which shelf?", actual={"answer": "Shelf C", "calls": [call("look")]})
    request = request_of(item, rubric)
    material = json.loads(request.user.splitlines()[1])
    assert list(material) == ["item", *sent]
    assert material["answer"] == "Shelf C"
    assert ("Which shelf?" in sent_text(request)) == ("task" in sent)
    assert ("call look" in request.user) == ("trace" in sent)


def test_an_item_knows_whose_it_is_and_tells_no_judge() -> None:
    item = make_item(load([CYBERTRAVELS]), 1, GENERAL)
    assert isinstance(item, Item)
    assert (item.name, item.task_id, item.author_model) == ("R2", "double-charge", "model-a")
    assert "model-a" not in sent_text(request_of(item))


def test_what_is_too_long_is_cut_and_told(tmp_path: Path) -> None:
    actual = {"answer": "a" * 50_000, "calls": [{"name": "look", "result": "r" * 5_000}] * 30}
    item = made_item(tmp_path, input="t" * 9_000, actual=actual)
    assert item.cut == ("task", "answer", "trace")
    assert len(item.answer) <= SIZES.answer
    assert sum(map(len, item.trace)) <= SIZES.trace
    assert "characters cut" in item.answer
    assert any("steps cut" in step for step in item.trace)


def test_an_item_can_be_made_smaller_for_a_service_that_says_too_large(tmp_path: Path) -> None:
    item = made_item(tmp_path, answer="a" * 15_000)
    smaller = clipped(item)
    assert item.cut == ()
    assert smaller.cut == ("answer",)
    assert len(smaller.answer) <= TIGHT.answer
    assert smaller.digest != item.digest
    assert clipped(smaller) == smaller


def test_an_edited_run_is_shown_as_edited(tmp_path: Path) -> None:
    bundle = load([write_bundle(tmp_path / "b.json", run_of("t1", answer="Shelf C"))])
    bundle.edit(0, bundle.record(0).replace(b"Shelf C", b"Shelf D"))
    item = make_item(bundle, 0, GENERAL)
    assert isinstance(item, Item)
    assert item.answer == "Shelf D"


def test_halves_of_a_character_that_meet_are_that_character(tmp_path: Path) -> None:
    path = write_bundle(tmp_path / "b.json", run_of("t1", answer="HALVES"))
    Path(path).write_text(Path(path).read_text().replace("HALVES", "\\ud83d\\udc4d \\ud83d"), encoding="utf-8")
    item = make_item(load([path]), 0, GENERAL)
    assert isinstance(item, Item)
    assert item.answer == "👍 \ud83d"
    assert json.loads(request_of(item).user.splitlines()[1])["answer"] == item.answer

"""What to label next, kept up without looking at every run again after each label."""

from __future__ import annotations

from pathlib import Path

from agent_tui.bundles import load
from agent_tui.tui.judge.labelling import Labelling
from tests.tui.judging import copied
from tests.tui.opened import made_run, write_bundle


async def test_after_a_label_the_advice_is_what_looking_again_would_give(tmp_path: Path) -> None:
    labelling = await Labelling.of(load([copied(tmp_path)]))
    advice, counts = await labelling.advice(None)
    for word in ("pass", "fail", "undetermined", "fail"):
        row = advice.rows[0]
        assert labelling.set(row, word, "")
        advice, counts = labelling.after(advice, counts, row, word)
        again, counted = await labelling.advice(None)
        assert (advice.sentence, set(advice.rows)) == (again.sentence, set(again.rows))
        assert counts == counted


async def test_other_runs_of_a_task_that_was_labelled_come_last(tmp_path: Path) -> None:
    runs = [made_run(f"{task}{epoch}", task=task, epoch=epoch, input=task) for task in "ab" for epoch in (1, 2, 3)]
    for run in runs:
        run["actual"] = {"answer": f"answer of {run['id']}"}
    labelling = await Labelling.of(load([write_bundle(tmp_path, *runs)]))
    advice, counts = await labelling.advice(None)
    first = advice.rows[0]
    labelling.set(first, "pass", "")
    advice, _ = labelling.after(advice, counts, first, "pass")
    tasks = labelling.bundle.table.tasks
    assert [tasks[row] == tasks[first] for row in advice.rows] == [False] * 3 + [True] * 2


async def test_a_label_over_what_was_known_is_no_news_of_a_kind(tmp_path: Path) -> None:
    labelling = await Labelling.of(load([copied(tmp_path)]))
    checked = labelling.bundle.find("D01")
    assert not labelling.set(checked, "fail", "")
    assert labelling.words[checked] == "fail"

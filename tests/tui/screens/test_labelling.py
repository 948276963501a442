"""Labelling by keys: blind, one run after another, beside the bundle and never in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tui.judging import REFUND_DESK, copied, judged, nobody_configured, validated
from tests.tui.opened import Explorer, call, made_run, opened, write_bundle


@pytest.fixture(autouse=True)
def _nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nobody_configured(monkeypatch, tmp_path)


def kept(path: str) -> list[tuple[str, str, str, str]]:
    """The labels beside a bundle: task, label, note, who."""
    lines = Path(f"{path}.labels.jsonl").read_text().splitlines()
    return [(each["task"], each["label"], each["note"], each["by"]) for each in map(json.loads, lines)]


async def at_labels(explorer: Explorer) -> None:
    await explorer.press("l")
    await explorer.until(lambda: "blind: no verdict, no check, no score" in explorer.text)
    await explorer.until(lambda: "the gate needs" in explorer.text)


async def test_a_label_with_its_note_is_kept_beside_the_bundle_and_the_next_run_comes(tmp_path: Path) -> None:
    path = copied(tmp_path)
    before = Path(path).read_bytes()
    async with opened(path) as explorer:
        await explorer.press("G")
        await at_labels(explorer)
        assert "Label U24" in explorer.text
        await explorer.press("f")
        await explorer.type("it answers something else")
        await explorer.until(lambda: "Label U24" not in explorer.text)
        assert kept(path) == [("U24", "fail", "it answers something else", "ada")]
        assert "23 runs without a label" in explorer.text
        await explorer.press("p", "enter")
        await explorer.until(lambda: "22 runs without a label" in explorer.text)
        await explorer.press("escape")
        assert "2 runs labelled, kept in refund-desk.json.labels.jsonl" in explorer.status
        assert "label" in next(line for line in explorer.lines if "asks" in line)
        assert any("U24" in line and "fail" in line for line in explorer.lines)
    assert Path(path).read_bytes() == before


async def test_nothing_on_the_screen_tells_what_judge_check_or_score_say(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with validated("lenient", monkeypatch, path=copied(tmp_path)) as explorer:
        await judged(explorer, "a demo")
        await explorer.press("escape", "escape")
        for key in ("g", "G"):
            await explorer.press(key)
            await at_labels(explorer)
            shown = "\n".join(explorer.lines[:-2])  # below stands what the gate needs
            for told in ("The script says", "✓", "✗", "wrong", "correct", "truth", "expected", "lenient", "score."):
                assert told not in shown.replace("no score", ""), told
            await explorer.press("escape")


async def test_a_recorded_score_is_not_told_either(tmp_path: Path) -> None:
    path = write_bundle(
        tmp_path,
        made_run("a", input="Say it.", actual=None, scores={"quality": 0.9375}, steps=[
            {"type": "event", "text": "score 0.9375"}, {"type": "message", "role": "assistant", "text": "It is said."},
        ], answer="It is said."),
    )  # fmt: skip
    async with opened(path) as explorer:
        await explorer.press("l")
        await explorer.until(lambda: "blind" in explorer.text)
        assert "It is said." in explorer.text
        assert "0.9375" not in explorer.text


async def test_a_run_can_be_passed_over_and_escape_in_the_note_labels_nothing(tmp_path: Path) -> None:
    path = copied(tmp_path)
    async with opened(path) as explorer:
        await explorer.press("G")
        await at_labels(explorer)
        await explorer.press("n")
        assert "Label U24" not in explorer.text
        await explorer.press("u", "escape")
        assert not Path(f"{path}.labels.jsonl").exists()
        await explorer.press("escape")
        assert explorer.app.screen is explorer.app.main


async def test_a_run_shown_with_changes_is_not_labelled_and_the_prompt_says_why(tmp_path: Path) -> None:
    async with opened(copied(tmp_path)) as explorer:
        main = explorer.app.main
        await explorer.press("3", "end")
        while main.reader.key() != ("answer",):
            await explorer.press("up")
        await explorer.press("e", "end", "left")
        await explorer.type(" More.")
        await at_labels(explorer)
        await explorer.press("p", "enter")
        assert "is shown with changes" in explorer.text


async def test_a_label_hides_verdicts_and_makes_the_validation_out_of_date(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with validated("honest", monkeypatch, path=copied(tmp_path)) as explorer:
        await judged(explorer)
        await explorer.press("escape", "escape", "G")
        main, row = explorer.app.main, explorer.app.bundle.find("U23")
        assert main.session.judge is not None
        assert row in main.session.judge.said
        await at_labels(explorer)
        await explorer.press("f", "enter")
        await explorer.press("escape")
        await explorer.until(lambda: "out of date" in explorer.text)
        assert main.session.judge is not None
        assert not main.session.judge.said
        await explorer.press("J")
        await explorer.until(lambda: "The validation is out of date" in explorer.text)
        await explorer.press("enter")
        await explorer.until(lambda: "before any verdict" in explorer.text)
        await explorer.press("escape")
        assert main.session.judge is not None
        assert main.session.judge.state == "accepted"
        assert row not in main.session.judge.said


async def test_labels_go_on_from_the_judge_and_open_a_gate_that_had_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    runs = [made_run(name, None, [call("look")], input=f"ask {name}", answer=f"answer {name}") for name in "abc"]
    for run in runs:
        run["actual"]["answer"] = run.pop("answer")
    monkeypatch.setenv("AGENT_TUI_JUDGE_PROVIDER", "scripted:honest")
    async with opened(write_bundle(tmp_path, *runs), 80, 24) as explorer:
        await explorer.press("J")
        await explorer.until(lambda: "no validation yet" in explorer.text)
        await explorer.press("l")
        await explorer.until(lambda: "3 runs without a label" in explorer.text)
        await explorer.press("p", "enter")
        await explorer.until(lambda: "2 runs without a label" in explorer.text)
        await explorer.press("f", "enter")
        await explorer.until(lambda: "1 run without a label" in explorer.text)
        await explorer.press("escape")
        await explorer.until(lambda: "read the exact text" in explorer.text)
        assert "2 labelled (1 right, 1 wrong; 2 by label), 1 to judge" in explorer.text


async def test_at_80x24_the_words_the_needs_and_the_keys_are_all_there() -> None:
    async with opened(REFUND_DESK, 80, 24) as explorer:
        await explorer.press("G")
        await at_labels(explorer)
        assert all(word in explorer.text for word in ("p  pass", "f  fail", "u  undetermined", "the gate needs"))
        assert all(len(line) <= 80 for line in explorer.lines)


async def test_at_80_columns_the_title_says_how_many_are_left_beside_the_end_of_a_long_name(tmp_path: Path) -> None:
    runs = [made_run(f"experiment-2024-11-29-baseline-{n:06d}", [], [call("a")], answer="yes") for n in range(3)]
    async with opened(write_bundle(tmp_path, *runs), width=80, height=24) as explorer:
        await at_labels(explorer)
        await explorer.until(lambda: "3 without a label" in explorer.lines[0])
        assert "000000" in explorer.lines[0]

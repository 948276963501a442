"""Verdicts that came with a bundle, on the judge's screen: a claim, validated, hidden until then, never mixed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_tui.judge.opening import ledger_path
from agent_tui.providers.ledger import Ledger
from tests.tui.judging import copied, nobody_configured, words
from tests.tui.opened import Explorer, opened

CASES = Path("tests/cases")


@pytest.fixture(autouse=True)
def _nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nobody_configured(monkeypatch, tmp_path)


def case(number: str, folder: Path) -> str:
    (found,) = CASES.glob(f"{number}-*/run.json")
    return copied(folder, str(found))


async def choose(explorer: Explorer, name: str) -> None:
    """J, and the recorded judge of a name."""
    await explorer.press("J")
    await explorer.until(lambda: "recorded in the bundle" in explorer.text)
    while not any(line.startswith("│▸") and name in line for line in explorer.lines):
        await explorer.press("down")
    await explorer.press("enter")
    await explorer.until(lambda: f"{name} (recorded)" in explorer.lines[1])


async def test_unusable_answers_are_a_count_of_their_own_and_keep_the_gate_shut(tmp_path: Path) -> None:
    async with opened(case("15", tmp_path)) as explorer:
        await choose(explorer, "judge-a")
        shown = words(explorer)
        assert "agreement, of decided 3/5" in shown
        assert "1 false pass" in shown
        assert "1 false fail" in shown
        assert "not judged 3/8 .375: t6 (cut off" in shown
        assert "3 labels unused" in shown
        assert "3 of 8 labelled runs got no usable verdict" in shown
        await explorer.press("o")
        assert "verdicts stay locked" in explorer.text


async def test_verdicts_at_odds_with_their_score_are_a_list_to_read_first(tmp_path: Path) -> None:
    async with opened(case("16", tmp_path)) as explorer:
        await choose(explorer, "judge-a")
        assert "2 of 5 entries have a verdict at odds with its own score" in words(explorer)
        assert "2 runs to read first" in explorer.text
        await explorer.press("tab", "down", "enter")
        assert explorer.run == "t4"
        assert len(explorer.app.main.session) == 2
        assert "·" in next(line for line in explorer.lines if "▸t4" in line)


async def test_two_judges_stand_side_by_side_and_what_is_missing_is_said(tmp_path: Path) -> None:
    async with opened(case("17", tmp_path)) as explorer:
        await explorer.press("J")
        await explorer.until(lambda: "recorded in the bundle: 3 judges" in explorer.text)
        assert "never mixed" in explorer.text
        rows = {name: next(line for line in explorer.lines if name in line) for name in ("b3-71", "a2-40")}
        assert "2/2 judged" in rows["b3-71"]
        assert "current" in rows["b3-71"]
        assert "3/3 judged" in rows["a2-40"]
        assert "other judge" in rows["a2-40"]
        assert "4 runs have no verdict of the current judge: t1, t2, t3, t6" in explorer.text


async def test_a_judge_that_always_passes_is_seen_through_before_any_verdict(tmp_path: Path) -> None:
    async with opened(case("18", tmp_path)) as explorer:
        await choose(explorer, "judge-a")
        assert any("false passes" in line and "2/2" in line for line in explorer.lines)
        assert "kappa .00" in explorer.text
        assert "Verdicts on 4 runs stay locked" in words(explorer)
        judge = explorer.app.main.session.judge
        assert judge is None
        await explorer.press("tab", "down", "enter")
        assert explorer.run == "t15"
        bundle = explorer.app.bundle
        assert explorer.app.main.session.judge is not None
        hidden = {bundle.find(name) for name in ("t21", "t22", "t23", "t24")}
        assert not hidden & set(explorer.app.main.session.judge.said)


async def test_an_override_of_a_recorded_judge_is_kept_in_the_ledger_and_marked(tmp_path: Path) -> None:
    async with opened(case("18", tmp_path)) as explorer:
        await choose(explorer, "judge-a")
        await explorer.press("o")
        await explorer.type("to see them")
        await explorer.until(lambda: "4 runs without a label" in explorer.text)
        assert "shown all the same, in no rate: to see them" in explorer.text
        assert all("pass?" in line for line in explorer.lines if line.startswith(("│▸ t2", "│  t2")))
        with Ledger.read(ledger_path(explorer.app.bundle)) as ledger:
            assert [note.fields["reason"] for note in ledger.notes("override")] == ["to see them"]


async def test_what_a_judge_wrote_cannot_act_on_the_terminal(tmp_path: Path) -> None:
    path = Path(case("18", tmp_path))
    bundle = json.loads(path.read_text())
    for verdict in bundle["verdicts"]:
        verdict["why"] = "[b]ok[/b]\x1b]0;owned\x07\x1b[2J[/]\u202e"
    path.write_text(json.dumps(bundle))
    async with opened(str(path)) as explorer:
        await choose(explorer, "judge-a")
        await explorer.press("tab")
        assert "[b]ok[/b]␛" in explorer.text
        await explorer.press("enter")
        await explorer.until(lambda: "[b]ok[/b]␛]0;owned␇␛[2J[/]<U+202E>" in explorer.text)
        assert not {"\x1b", "\x07", "\u202e"} & set(explorer.text)

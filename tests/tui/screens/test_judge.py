"""The judge's screen by keys: nothing is sent unseen, the validation before any verdict, verdicts by permit alone."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from agent_tui.judge.rubric import PACKAGED
from agent_tui.providers.choose import NO_JUDGE, PROVIDER
from agent_tui.providers.ledger import Ledger
from agent_tui.reports import figures
from agent_tui.reports.validation import panel
from agent_tui.safety import sanitise
from agent_tui.tui.present.judge_course import Do
from agent_tui.tui.screens.judge import JudgeScreen
from agent_tui.tui.terminal import Terminal
from tests.tui.judging import (
    REFUND_DESK,
    Held,
    asked_of,
    at_estimate,
    calls_made,
    copied,
    judged,
    nobody_configured,
    seated,
    validated,
    words,
)
from tests.tui.opened import CYBERTRAVELS, loaded, opened


@pytest.fixture(autouse=True)
def _nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nobody_configured(monkeypatch, tmp_path)


# Who judges


async def test_with_nobody_configured_it_says_exactly_what_to_set() -> None:
    async with opened(REFUND_DESK) as explorer:
        await explorer.press("J")
        await explorer.until(lambda: "scripts, no model" in explorer.text)
        assert f"{NO_JUDGE}." in words(explorer)
        assert all(name in explorer.text for name in ("gullible", "honest", "label-order", "length-biased", "lenient"))


async def test_of_several_none_is_picked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("AGENT_TUI_JUDGE_MODEL", "small")
    async with opened(REFUND_DESK) as explorer:
        await explorer.press("J")
        await explorer.until(lambda: "configured: 2" in explorer.text)
        bench = explorer.app.main.judging.bench
        assert bench is not None
        assert bench.seat is None
        assert "no judge is chosen" in explorer.text


async def test_a_judge_is_chosen_by_keys_and_another_one_later() -> None:
    async with opened(REFUND_DESK) as explorer:
        await explorer.press("J")
        await explorer.until(lambda: "scripts, no model" in explorer.text)
        await explorer.press("down", "enter")
        await explorer.until(lambda: "read the exact text" in explorer.text)
        assert "scripted: honest (no model)" in explorer.text
        await explorer.press("c")
        await explorer.until(lambda: "scripts, no model" in explorer.text)
        await explorer.press("enter")
        await explorer.until(lambda: "scripted: gullible (no model)" in explorer.text)


async def test_a_judge_that_cannot_be_used_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PROVIDER, "scripted:nosuch")
    async with opened(REFUND_DESK) as explorer:
        await explorer.press("J")
        await explorer.until(lambda: "unknown scripted judge" in explorer.text)
        await explorer.press("c")
        await explorer.until(lambda: "scripts, no model" in explorer.text)


# The estimate


async def test_the_estimate_and_the_exact_text_come_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_estimate("honest", monkeypatch) as explorer:
        asked = asked_of(explorer)
        assert asked.estimate is not None
        assert f"validation: {asked.estimate.calls} calls, no cost" in explorer.text
        assert "66 labelled (36 right, 30 wrong; 66 by check), 24 to judge" in explorer.text
        sent = (await asked.sent_text()).splitlines()
        await explorer.press("s")
        shown = explorer.text
        assert "The first request, whole" in shown
        assert all(sanitise(line)[:60] in shown for line in sent[:3])
        await explorer.press("escape")
        await explorer.until(lambda: "read the exact text" in explorer.text)
        await explorer.press("escape")
        assert explorer.app.screen is explorer.app.main
        assert calls_made(explorer) == 0


async def test_a_limit_on_the_cost_is_kept_and_a_word_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")

    class Paid(Held):
        needs_consent = True
        host = "judge.example:443"

    async with opened(REFUND_DESK) as explorer:
        await seated(explorer, Paid(0))
        assert "The text goes to judge.example:443." in explorer.text
        assert "no limit on the cost" in explorer.text
        await explorer.press("m")
        await explorer.type("much")
        assert "much is no amount of dollars" in explorer.text
        await explorer.press(*["backspace"] * 4)
        await explorer.type("0.5")
        assert "at most 0.5 USD in all" in explorer.text
        assert asked_of(explorer).choices.max_cost == 0.5


# Asking


async def test_rates_so_far_are_shown_and_esc_stops_what_can_be_gone_on_with() -> None:
    async with opened(REFUND_DESK) as explorer:
        provider = Held(20)
        await seated(explorer, provider)
        await explorer.press("enter")
        await explorer.until(lambda: "20 of " in explorer.text)
        assert "so far" in explorer.text
        assert "Esc stops: what was answered is kept" in explorer.text
        await explorer.press("escape")
        assert "stopping: calls that are out may end" in explorer.text
        provider.let.set()
        await explorer.until(lambda: "what is judged is kept" in explorer.text)
        asked = asked_of(explorer)
        assert asked.session.validation is None
        before = provider.asked
        await explorer.press("enter")
        await explorer.until(lambda: "before any verdict" in explorer.text)
        assert asked.session.validation is not None
        assert provider.asked > before
        assert provider.asked == asked.session.ledger.calls


async def test_esc_twice_leaves_at_once_and_what_was_cut_off_is_told_the_next_time() -> None:
    async with opened(REFUND_DESK) as explorer:
        provider = Held(20)
        await seated(explorer, provider)
        await explorer.press("enter")
        await explorer.until(lambda: "20 of " in explorer.text)
        await explorer.press("escape", "escape")
        assert explorer.app.screen is explorer.app.main
        provider.let.set()
        await explorer.press("J")
        await explorer.until(lambda: "no known end: billed perhaps, and not asked again" in explorer.text)
        assert "calls without a known end: ask them again, which may be billed twice" in explorer.text
        await explorer.press("u")
        assert "calls without a known end: leave them" in explorer.text
        await explorer.press("enter")
        await explorer.until(lambda: "before any verdict" in explorer.text)
        validation = asked_of(explorer).session.validation
        assert validation is not None
        assert validation.not_judged == ()


# The panel


LARGE, SMALL = (140, 50), (80, 24)


@pytest.mark.parametrize(
    ("judge", "size"),
    [
        ("honest", LARGE),
        ("lenient", SMALL),
        ("length-biased", LARGE),
        ("gullible", SMALL),
        ("label-order", LARGE),
    ],
)
async def test_the_panel_has_the_figures_of_the_command(
    judge: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with validated(judge, monkeypatch, *size) as explorer:
        validation = asked_of(explorer).session.validation
        assert validation is not None
        for line in panel(validation):
            row = next(row for row in explorer.lines if f"{line.name}, {line.of}" in row)
            assert f"{line.rate.k}/{line.rate.n}" in row
            assert figures.rate(line.rate.rate) in row
            assert figures.span(line.rate.low, line.rate.high) in row
            assert line.met is None or ("not met" in row) is not line.met
        assert validation.gate.state in explorer.text
        assert all(len(row) <= size[0] for row in explorer.lines)


async def test_at_80x24_every_list_is_a_tab_away_and_the_rest_scrolls(monkeypatch: pytest.MonkeyPatch) -> None:
    async with validated("lenient", monkeypatch, 80, 24) as explorer:
        assert "2c46c27e" in explorer.text or "sha" in explorer.text
        for words_shown in ("D02", "none: no right answer", "truth fail", "length"):
            await explorer.press("tab")
            assert words_shown in explorer.text
        await explorer.press("tab", "end", "down")
        assert "1 steered, so in no rate: D41" in explorer.text


async def test_tabs_typed_ahead_go_as_far(monkeypatch: pytest.MonkeyPatch) -> None:
    async with validated("lenient", monkeypatch, 80, 24) as explorer:
        screen = explorer.app.screen
        assert isinstance(screen, JudgeScreen)
        for _ in range(3):  # three keys before anything is drawn
            screen.action_next_pane(1)
        await explorer.settle()
        assert "truth fail" in explorer.text
        assert screen.focused is not None
        assert screen.focused.id == "confusion"


async def test_an_estimate_that_was_not_painted_yet_cannot_be_agreed_to(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_estimate("honest", monkeypatch) as explorer:
        screen = explorer.app.screen
        assert isinstance(screen, JudgeScreen)
        screen.show_seat()
        screen.do(Do.SEND)
        await explorer.settle()
        assert calls_made(explorer) == 0
        screen.do(Do.SEND)
        await explorer.until(lambda: "before any verdict" in explorer.text)


async def test_a_rejected_judge_keeps_its_verdicts_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    async with validated("lenient", monkeypatch) as explorer:
        assert "rejected" in explorer.text
        assert "4 verdicts locked" in explorer.text
        await explorer.press("v")
        assert "verdicts stay locked, the judge is rejected" in explorer.text
        await explorer.press("escape")
        judge = explorer.app.main.session.judge
        unlabelled = explorer.app.bundle.find("U01")
        assert judge is not None
        assert unlabelled not in judge.said
        await explorer.press("G")
        row = next(line for line in explorer.lines if "▸U24" in line)
        assert "✓" not in row
        assert "·" in row


async def test_an_override_needs_a_reason_which_is_kept_and_marks_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    async with validated("lenient", monkeypatch) as explorer:
        await explorer.press("o", "enter")
        assert "needs a reason" in explorer.text
        await explorer.type("for the workshop")
        await explorer.until(lambda: "go on" in explorer.text)
        await explorer.press("enter")
        await explorer.until(lambda: "24 runs without a label" in explorer.text)
        assert "judge not validated  shown all the same, in no rate: for the workshop" in words(explorer).replace(
            "validated shown", "validated  shown"
        )
        assert "4 verdicts, not validated" in explorer.text
        assert all("?" in line for line in explorer.lines if "The script says" in line)
        await explorer.press("enter")
        assert "judge not validated" in explorer.text
        row = next(line for line in explorer.lines if "▸U01" in line)
        assert "✓?" in row
        with Ledger.read(asked_of(explorer).session.ledger.path) as ledger:
            assert [note.fields["reason"] for note in ledger.notes("override")] == ["for the workshop"]


async def test_an_accepted_judge_shows_its_verdicts_after_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    async with validated("honest", monkeypatch) as explorer:
        assert "accepted" in explorer.text
        await explorer.press("v")
        await explorer.until(lambda: "judging 24 unlabelled runs: 24 calls" in explorer.text)
        before = calls_made(explorer)
        await explorer.press("enter")
        await explorer.until(lambda: "24 runs without a label" in explorer.text)
        assert calls_made(explorer) == before + 24
        assert "16 pass + 8 fail + 0 undetermined = 24 unlabelled runs" in explorer.text
        await explorer.press("escape")
        assert "before any verdict" in explorer.text
        await explorer.press("v")
        await explorer.until(lambda: "24 runs without a label" in explorer.text)


@pytest.mark.parametrize("size", [(140, 50), (80, 24)])
async def test_wherever_a_verdict_is_stand_judge_rubric_figures_and_age(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with validated("honest", monkeypatch, *size) as explorer:
        await judged(explorer)
        for lead_on in (["enter"], ["3", "+", "end"], ["enter"], []):
            shown = words(explorer)
            for each in ("honest (no model)", "2c46c27e", "agreement ≥ .943", "false passes 0/30", "just now"):
                assert each in shown
            await explorer.press(*lead_on)
            while "end" in lead_on and explorer.app.main.reader.key() != ("judge",):
                await explorer.press("up")
        assert "What the judge said" in explorer.text


# From a figure to its runs, and back


async def test_a_false_pass_opens_its_run_with_the_reason_and_j_leads_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async with validated("lenient", monkeypatch) as explorer:
        calls = calls_made(explorer)
        await explorer.press("tab", "down", "enter")
        assert explorer.app.screen is explorer.app.main
        assert explorer.run == "D10"
        assert "13 false passes: Esc shows all, J back" in explorer.status
        await explorer.until(lambda: "pass?  The script says pass.  judge not validated" in explorer.text)
        await explorer.press("j")
        assert explorer.run == "D21"
        await explorer.press("J")
        await explorer.until(lambda: "before any verdict" in explorer.text)
        assert calls_made(explorer) == calls
        await explorer.press("escape", "escape")
        assert len(explorer.app.main.session) == 90


async def test_a_cell_of_the_confusion_opens_its_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    async with validated("lenient", monkeypatch) as explorer:
        await explorer.press("shift+tab", "shift+tab", "right", "enter")
        assert "no run is in this cell" in explorer.text
        await explorer.press("down", "enter")
        assert explorer.app.screen is explorer.app.main
        assert len(explorer.app.main.session) == 16
        assert "truth fail, judge fail" in explorer.status


async def test_p_tells_where_a_figure_comes_from_here_and_on_the_scorecard(monkeypatch: pytest.MonkeyPatch) -> None:
    async with validated("lenient", monkeypatch) as explorer:
        await explorer.press("down", "p")
        told = words(explorer)
        assert "the judge's false passes" in told
        assert "13 / 29 = .448" in told
        assert "the judge passes it, of all labelled runs whose truth is fail" in told
        assert "numerator (13)" in told
        await explorer.press("escape", "escape", "1", "end")
        pane = explorer.app.main.card
        await explorer.until(lambda: pane.pane.has_focus)
        while pane.about is None or pane.about.name != "false passes":
            await explorer.press("up")
        await explorer.press("p")
        assert "13 / 29 = .448" in explorer.text


# What makes it stale


async def test_a_change_of_a_labelled_run_hides_verdicts_and_undoing_it_brings_the_validation_back(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with validated("honest", monkeypatch, path=copied(tmp_path)) as explorer:
        await judged(explorer)
        await explorer.press("escape", "escape", "g", "3", "end")
        main = explorer.app.main
        while main.reader.key() != ("answer",):
            await explorer.press("up")
        await explorer.press("e", "end", "left")
        await explorer.type(" More.")
        await explorer.until(lambda: main.session.judge is not None and main.session.judge.state == "out of date")
        assert main.session.judge is not None
        assert not main.session.judge.said
        assert "out of date" in explorer.text
        await explorer.press("u")
        await explorer.until(lambda: main.session.judge is not None and main.session.judge.state == "accepted")


async def test_v_hides_and_shows_what_was_opened_and_says_what_is_in_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(REFUND_DESK) as explorer:
        await explorer.press("v")
        assert "no verdict before a validation: J asks a judge" in explorer.status
    async with validated("honest", monkeypatch) as explorer:
        await judged(explorer)
        main, row = explorer.app.main, explorer.app.bundle.find("U03")
        await explorer.press("escape", "escape", "v")
        assert "verdicts hidden: v shows them" in explorer.status
        assert main.session.judge is not None
        assert row not in main.session.judge.said
        await explorer.press("v")
        assert main.session.judge.said[row].word == "fail"


async def test_another_bundle_has_no_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    async with validated("honest", monkeypatch) as explorer:
        await explorer.press("escape")
        explorer.app.open_path(CYBERTRAVELS)
        await loaded(explorer.app)
        await explorer.settle()
        assert explorer.app.main.session.judge is None
        assert explorer.app.main.judging.bench is None
        assert "judge   not validated" in explorer.text


async def test_another_bundle_gives_back_the_lines_of_the_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(CYBERTRAVELS) as explorer:
        top = next(number for number, line in enumerate(explorer.lines) if "Scorecard" in line)
    async with validated("honest", monkeypatch) as explorer:
        await judged(explorer)
        await explorer.press("escape", "escape")
        assert "Scorecard" not in explorer.lines[top]
        explorer.app.open_path(CYBERTRAVELS)
        await loaded(explorer.app)
        await explorer.until(lambda: "Scorecard" in explorer.lines[top])


async def test_what_the_ledger_has_is_published_again_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async with validated("honest", monkeypatch) as explorer:
        calls = calls_made(explorer)
    async with opened(REFUND_DESK) as explorer:
        await explorer.press("J")
        await explorer.until(lambda: "before any verdict" in explorer.text)
        assert calls_made(explorer) == calls


async def test_too_few_labels_say_what_to_label(monkeypatch: pytest.MonkeyPatch) -> None:
    path = "tests/cases/23-finished-is-not-passed/run.json"
    monkeypatch.setenv(PROVIDER, "scripted:honest")
    async with opened(path) as explorer:
        await explorer.press("J")
        await explorer.until(lambda: "no validation yet" in explorer.text)
        assert "what would open it: label a" in explorer.text
        await explorer.press("v")
        assert "no verdict before a validation" in explorer.text


# On any terminal


async def test_an_ascii_terminal_gets_ascii_only(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Terminal(utf8=False, colours="16", remote=False, dumb=False, erases=True)
    async with validated("lenient", monkeypatch, terminal=plain) as explorer:
        await explorer.until(lambda: explorer.app.knows_utf8 is False)
        assert "rejected" in explorer.text
        glyphs = explorer.app.terminal.glyphs
        assert glyphs.frame == "++++-|"
        assert not any(mark in explorer.text for mark in "✓✗▸●├┤╭╮")


async def test_without_colour_everything_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with validated("lenient", monkeypatch) as explorer:
        for said in ("not met", "met", "rejected", "verdicts locked", "13 false passes"):
            assert said in explorer.text


# Rubrics


async def test_a_bundles_own_rubric_is_read_before_it_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = Path(copied(tmp_path))
    bundle = json.loads(path.read_text())
    bundle["rubric"] = tomllib.loads(PACKAGED.read_text()) | {"id": "of the bundle"}
    path.write_text(json.dumps(bundle))
    async with at_estimate("honest", monkeypatch, path=str(path)) as explorer:
        assert "rubric general 1" in explorer.text
        await explorer.press("b", "down")
        assert "the bundle's own: of the bundle 1" in explorer.text
        await explorer.press("enter")
        assert "a claim: Enter judges by it" in explorer.text
        assert "criteria" in explorer.text
        await explorer.press("escape")
        assert "rubric general 1" in explorer.text
        await explorer.press("b", "down", "enter", "enter")
        await explorer.until(lambda: "rubric of the bundle 1" in explorer.text)


async def test_a_rubric_that_is_none_is_refused_with_its_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text('id = "x"\nversion = 1\n')
    async with at_estimate("honest", monkeypatch) as explorer:
        await explorer.press("b", "end", "enter")
        await explorer.type(str(broken))
        await explorer.until(lambda: "a rubric has id, version" in words(explorer))
        assert "rubric general 1" in explorer.text

"""No byte that a recording brings along acts on the terminal, whatever the command, the format and the stream."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.cli.conftest import Runs
from tests.cli.test_every_command import OPENING, Opening
from tests.writing import call, case_files, run_of, write_bundle

NASTY = "\x1b]0;owned\x07\x1b[2J\x00\r\x7f\x9b31m\u202eevil\u2066\u200b\ufeff\u2028\ud800"
ACTING = {chr(code) for code in [*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)]} - {
    "\n"
}
SPELT = NASTY.encode("unicode_escape").decode()


def nasty_bundle(folder: Path) -> str:
    """A bundle with the worst of text wherever text can stand."""
    asked = call(NASTY, **{NASTY: NASTY})
    run = run_of(NASTY, [asked, call("b")], [asked | {"result": NASTY, "error": NASTY}], truth=NASTY, answer=NASTY)
    more = {"task": NASTY, "model": NASTY, "agent": NASTY, "input": NASTY, "scores": {NASTY: NASTY}, "limit": NASTY}
    error = {"id": "e", "expected": {"calls": []}, "error": {"type": NASTY, "message": NASTY}, "epoch": 2}
    odd = {"id": "odd", "status": NASTY, "actual": {"steps": [{"type": NASTY, "text": NASTY, "name": NASTY}]}}
    head = {"id": NASTY, "name": NASTY, "agent": NASTY, "model": NASTY, "stored": {NASTY: 0.5}}
    return write_bundle(folder / "nasty.json", run | more, run | {"id": NASTY}, error, odd, bundle=head)


@pytest.mark.parametrize("arguments", OPENING.values(), ids=OPENING)
@pytest.mark.parametrize("source", ["13", "14", "made"])
def test_nothing_acts_on_the_terminal(agent_tui: Runs, tmp_path: Path, arguments: Opening, source: str) -> None:
    path = nasty_bundle(tmp_path) if source == "made" else case_files(source)[0]
    command = [word.replace("good", "#1") for word in arguments(path)]
    if command[0] == "flip":
        command[-3:] = ["#1", "actual.answer", NASTY] if "--json" not in command else command[-3:]
    ran = agent_tui(*command)
    assert ran.status in (0, 1, 2)
    assert not ACTING & set(ran.out)
    assert not ACTING & set(ran.err)


@pytest.mark.parametrize("source", ["14", "made"])
def test_json_keeps_the_data_as_escapes(agent_tui: Runs, tmp_path: Path, source: str) -> None:
    path = nasty_bundle(tmp_path) if source == "made" else case_files(source)[0]
    ran = agent_tui("show", path, "#1", "--json")
    record = json.loads(Path(path).read_text(encoding="utf-8"))["runs"][0]
    assert ran.document["record"] == record
    assert ran.document["run"]["task"] == record.get("task", record["id"])
    assert "\\u001b" in ran.out


def test_a_hostile_name_on_the_command_line_is_marked_in_the_message(agent_tui: Runs, tmp_path: Path) -> None:
    path, name = nasty_bundle(tmp_path), NASTY.replace("\0", "").replace("\ud800", "\udcff") + "x"
    for command in (["score", name], ["show", path, name], ["score", path, "--matcher", name]):
        ran = agent_tui(*command)
        assert ran.status in (2, 3)
        assert ran.err.splitlines()[-1].startswith("agent-tui: ")
        assert not ACTING & set(ran.err)


def test_a_run_can_be_named_as_it_was_printed(agent_tui: Runs) -> None:
    (path,) = case_files("14")
    printed = agent_tui("show", path, "#1").out.split("  ")[0]
    assert printed == "t1␛]0;owned␇"
    assert agent_tui("show", path, printed).out == agent_tui("show", path, "#1").out


def test_recorded_lines_cannot_pass_for_lines_of_ours(agent_tui: Runs, tmp_path: Path) -> None:
    forged = "hello\nverdicts exact pass"
    run = run_of("a", [call("x")], [call("y") | {"result": forged}], input=forged, answer=forged, truth=forged)
    ran = agent_tui("show", write_bundle(tmp_path / "a.json", run), "a")
    assert [line[:20] for line in ran.out.splitlines() if line.startswith("verdicts")] == ["verdicts exact fail "]
    assert ran.out.count("\n         verdicts exact pass") == 3


def test_junit_holds_no_character_that_xml_forbids(agent_tui: Runs, tmp_path: Path) -> None:
    odd = NASTY + "\ufffe\uffff<&>\"'"
    path = write_bundle(tmp_path / "a.json", run_of(odd, [call(odd)], []), {"id": "e", "error": odd, "expected": {}})
    for matcher in ("exact", "task_success"):
        ran = agent_tui("score", path, "--junit", "--matcher", matcher)
        suite = ET.fromstring(ran.out.encode())[0]
        assert [case.tag for case in suite] == ["testcase", "testcase"]
        assert "<U+FFFE><U+FFFF>" in (suite[0].get("name") or "")


def test_a_label_on_an_escape_never_reaches_the_terminal_in_colour_either(agent_tui: Runs, tmp_path: Path) -> None:
    path = nasty_bundle(tmp_path)
    for command in (["score", path], ["show", path, "#1"], ["flip", path, "--set", "#1", "limit", NASTY]):
        plain, coloured = agent_tui(*command), agent_tui(*command, "--color", "always")
        assert "\x1b[" in coloured.out
        for code in ("1", "2", "31", "32", "33", "0"):
            coloured = type(coloured)(coloured.status, coloured.out.replace(f"\x1b[{code}m", ""), coloured.err)
        assert coloured.out == plain.out

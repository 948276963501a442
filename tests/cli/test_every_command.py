"""What every command owes its user: help, one line for a mistake, the right exit status."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_tui.cli.commands import COMMANDS
from tests.cli.conftest import Runs
from tests.writing import CYBERTRAVELS, call, run_of, write_bundle

GOOD = run_of("good", [call("a")], [call("a")], scores={"success": 1})
SET = ("--set", "good", "actual.calls[0].name", "b")
OPENING: dict[str, Callable[[str], list[str]]] = {
    "score": lambda path: ["score", path],
    "score --json": lambda path: ["score", path, "--json"],
    "score --md": lambda path: ["score", path, "--md"],
    "score --csv": lambda path: ["score", path, "--csv"],
    "score --junit": lambda path: ["score", path, "--junit"],
    "show": lambda path: ["show", path, "good"],
    "show --json": lambda path: ["show", path, "good", "--json"],
    "flip": lambda path: ["flip", path, *SET],
    "flip --json": lambda path: ["flip", path, *SET, "--json"],
    "check": lambda path: ["check", path],
    "judge": lambda path: ["judge", path, "--judge-provider", "scripted:honest"],
    "judge --json": lambda path: ["judge", path, "--judge-provider", "scripted:honest", "--json"],
    "open": lambda path: ["open", "--plain", path],
    "a path": lambda path: [path],
}
"""Ways to open a path, each with nothing else asked for."""
every_opening = pytest.mark.parametrize("arguments", OPENING.values(), ids=OPENING)
Opening = Callable[[str], list[str]]


def missing(folder: Path) -> Path:
    return folder / "nowhere.json"


def empty(folder: Path) -> Path:
    path = folder / "empty.json"
    path.write_bytes(b"")
    return path


def no_logs(folder: Path) -> Path:
    (folder / "notes").mkdir()
    (folder / "notes" / "readme.txt").write_text("nothing to see\n")
    return folder / "notes"


def broken_zip(folder: Path) -> Path:
    path = folder / "log.eval"
    path.write_bytes(b"PK\x03\x04" + b"\x00" * 40)
    return path


def cut_document(folder: Path) -> Path:
    path = folder / "cut.json"
    path.write_text('{"schema": "agent-tui/1", "runs": [{"id": "a", "actu')
    return path


def not_a_run(folder: Path) -> Path:
    return Path(write_bundle(folder / "wrong.json", {"id": "a", "actual": {"calls": "none"}}))


def no_members(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "hollow.eval", "w"):
        pass
    return folder / "hollow.eval"


UNREADABLE = [missing, empty, no_logs, broken_zip, cut_document, not_a_run, no_members]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(agent_tui: Runs, name: str) -> None:
    ran = agent_tui(name, "--help")
    assert (ran.status, ran.err) == (0, "")
    sentence = ran.out.splitlines()[2].strip()
    assert sentence[0].isupper()
    assert len(sentence.split()) > 3
    assert f"Usage: agent-tui {name}" in ran.out


def test_the_help_lists_every_command_and_every_exit_status(agent_tui: Runs) -> None:
    ran = agent_tui("--help")
    assert all(re.search(rf"^  {name} +[A-Z]", ran.out, re.MULTILINE) for name in COMMANDS)
    said = " ".join(ran.out.split())
    assert all(
        status in said for status in ("0 done", "1 a gate", "2 not possible", "3 nothing", "70 an error", "130 inter")
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_has_the_whole_sentence_of_a_command_at_80_columns(
    agent_tui: Runs, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    sentences = " ".join(agent_tui("--help").out.split())
    own = " ".join(agent_tui(name, "--help").out.partition("\n\n")[2].partition("Options:")[0].split())
    assert f" {name} {own.partition('. ')[0].rstrip('.')}. " in sentences
    assert "..." not in sentences.replace("[ARGS]...", "")


@every_opening
@pytest.mark.parametrize("make", UNREADABLE, ids=lambda make: make.__name__)
def test_nothing_readable_is_one_line_with_its_place_and_status_3(
    agent_tui: Runs, tmp_path: Path, arguments: Opening, make: Callable[[Path], Path]
) -> None:
    path = make(tmp_path)
    ran = agent_tui(*arguments(str(path)))
    assert ran.status == 3
    assert len(ran.err.splitlines()) == 1
    assert ran.err.startswith(f"agent-tui: {path}")
    assert "Traceback" not in ran.err
    assert ran.out == "" or arguments("x")[0] == "check"


@pytest.mark.parametrize("make", [empty, no_logs, broken_zip, cut_document, not_a_run, no_members])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_check_tells_a_reason_once_and_then_that_nothing_was_read(
    agent_tui: Runs, tmp_path: Path, make: Callable[[Path], Path], form: tuple[str, ...]
) -> None:
    path = str(make(tmp_path))
    ran = agent_tui("check", path, *form)
    assert (ran.status, ran.err) == (3, f"agent-tui: {path}: no run could be read\n")
    reasons = [each["reason"] for each in agent_tui("check", path, "--json").document["problems"]]
    assert all(ran.out.count(reason) == 1 for reason in reasons)


def cut_line(folder: Path) -> str:
    path = folder / "runs.jsonl"
    path.write_text(json.dumps(GOOD) + "\n" + json.dumps({**GOOD, "id": "second"})[:40])
    return str(path)


def bad_line(folder: Path) -> str:
    path = folder / "runs.jsonl"
    path.write_text("[1]\n".join(json.dumps({**GOOD, "id": name}) + "\n" for name in ("good", "more")))
    return str(path)


def bad_run(folder: Path) -> str:
    return write_bundle(folder / "runs.json", GOOD, {"id": "odd", "epoch": "three", "actual": {}})


@every_opening
@pytest.mark.parametrize(("make", "line"), [(cut_line, 2), (bad_line, 2), (bad_run, 1)])
def test_the_rest_of_a_bundle_opens_and_what_was_skipped_is_told(
    agent_tui: Runs, tmp_path: Path, arguments: Opening, make: Callable[[Path], str], line: int
) -> None:
    path = make(tmp_path)
    ran = agent_tui(*arguments(path))
    told = ran.out if arguments("x")[0] == "check" else ran.err
    assert ran.status == (1 if arguments("x")[0] == "check" else 0)
    assert f"{path}:{line}" in told
    assert ran.out != ""


@pytest.mark.parametrize("make", [cut_line, bad_line, bad_run])
def test_the_json_holds_what_was_skipped_and_strict_makes_it_1(
    agent_tui: Runs, tmp_path: Path, make: Callable[[Path], str]
) -> None:
    path = make(tmp_path)
    (skipped,) = agent_tui("score", path, "--json").document["bundle"]["skipped"]
    assert (skipped["file"], bool(skipped["line"]), bool(skipped["reason"])) == (path, True, True)
    strict = agent_tui("score", path, "--strict")
    assert strict.status == 1
    assert "--strict: 1 " in strict.err.splitlines()[-1]


def test_several_skipped_things_are_counted_on_one_line(agent_tui: Runs, tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text(json.dumps(GOOD) + "\n" + "[1]\nnot json\n" * 30)
    ran = agent_tui("score", str(path), "--json")
    assert len(ran.document["bundle"]["skipped"]) == 60
    assert len(ran.err.splitlines()) == 22
    assert ran.err.splitlines()[-1] == "in all 30 lines that are no records, 30 malformed records"


def test_one_path_of_two_may_be_missing(agent_tui: Runs, tmp_path: Path) -> None:
    ran = agent_tui("score", CYBERTRAVELS, str(tmp_path / "gone.json"), "--json")
    assert (ran.status, ran.document["bundle"]["runs"]) == (0, 6)
    (skipped,) = ran.document["bundle"]["skipped"]
    assert (skipped["kind"], skipped["file"]) == ("missing_file", str(tmp_path / "gone.json"))
    assert agent_tui("score", CYBERTRAVELS, str(tmp_path / "gone.json"), "--strict").status == 1


def test_all_paths_missing_is_3_and_says_how_many(agent_tui: Runs, tmp_path: Path) -> None:
    ran = agent_tui("score", *(str(tmp_path / name) for name in ("a", "b", "c")))
    assert (ran.status, ran.err.count("\n")) == (3, 1)
    assert "(and 2 more)" in ran.err


UNKNOWN = [
    (["score", CYBERTRAVELS, "--matcher", "exakt"], "did you mean exact?"),
    (["open", "--plain", CYBERTRAVELS, "--matcher", "exakt"], "did you mean exact?"),
    (["score", CYBERTRAVELS, "--fail-under", "exakt=0.5"], "did you mean exact?"),
    (["score", CYBERTRAVELS, "--fail-under", "exact"], "as in exact=0.9"),
    (["score", CYBERTRAVELS, "--fail-under", "exact=nan"], "as in exact=0.9"),
    (["score", CYBERTRAVELS, "--fail-under", "exact=90"], "as in exact=0.9"),
    (["score", CYBERTRAVELS, "--min-n", "0"], "--min-n"),
    (["score", CYBERTRAVELS, "--weights", "success=.5"], "must sum to 1"),
    (["score", CYBERTRAVELS, "--weights", "luck=1"], "there are"),
    (["score", CYBERTRAVELS, "--rules", "gone.toml"], "gone.toml"),
    (["score", CYBERTRAVELS, "--references", "gone.json"], "gone.json"),
    (["score"], "agent-tui score --help"),
    (["show", CYBERTRAVELS], "PATH and RUN"),
    (["show", CYBERTRAVELS, "R9"], "there are R1, R2"),
    (["show", CYBERTRAVELS, "R"], "R1, R2, R3"),
    (["show", CYBERTRAVELS, "#7"], "there are R1"),
    (["flip", CYBERTRAVELS], "--set"),
    (["flip", CYBERTRAVELS, "--set", "R9", "task", "x"], "there are R1, R2"),
    (["flip", CYBERTRAVELS, "--set", "R2", "expected.cals[1]", "x"], "there are answer, calls"),
    (["flip", CYBERTRAVELS, "--set", "R2", "expected.calls[9].name", "x"], "there are 2 items"),
    (["flip", CYBERTRAVELS, "--set", "R2", "expected..calls", "x"], "does not parse"),
    (["flip", CYBERTRAVELS, "--set", "R2", "epoch", "three"], "no run any more"),
    (["completion"], "completion: SHELL is missing: there are bash, zsh, fish; see agent-tui completion --help"),
    (["completion", "tcsh"], "completion: SHELL needs one of bash, zsh, fish, not 'tcsh'; see"),
    (["show"], "show: PATH... RUN is missing; see agent-tui show --help"),
    (["score", "--jsn"], "score: there is no option --jsn, did you mean --json"),
    (["score", "--json=3"], "score: --json takes no value; see"),
    (["score", "--color"], "score: --color needs one of auto, always, never; see"),
    (["score", "--min-n"], "score: --min-n needs a whole number of at least 1; see"),
    (["score", "--min-n", "x"], "score: --min-n needs a whole number of at least 1, not 'x'; see"),
    (["score", "--min-n", "0"], "score: --min-n needs a whole number of at least 1, not 0; see"),
    (["judge", "--repeat", "100"], "judge: --repeat needs a whole number from 1 to 99, not 100; see"),
    (["mutate", "--seed", "x"], "mutate: --seed needs a whole number, not 'x'; see"),
    (["flip", "--set", "R2"], "flip: --set needs RUN PATH VALUE; see"),
    (["formats", "x", "y"], "formats: x y: nothing may stand there; see agent-tui formats --help"),
    (["--nope"], "agent-tui: there is no option --nope"),
    (["score", CYBERTRAVELS, "--colour"], "--color"),
]


@pytest.mark.parametrize(("arguments", "remedy"), UNKNOWN, ids=lambda value: " ".join(value[-2:]) if value else "")
def test_what_is_not_possible_is_2_with_a_remedy_in_one_line(
    agent_tui: Runs, arguments: list[str], remedy: str
) -> None:
    ran = agent_tui(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 1
    assert ran.err.startswith("agent-tui: ")
    assert remedy in ran.err


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_tells_an_unknown_option_in_our_words(agent_tui: Runs, name: str) -> None:
    ran = agent_tui(name, "--zzz")
    told = f"agent-tui: {name}: there is no option --zzz; see agent-tui {name} --help\n"
    assert (ran.status, ran.out, ran.err) == (2, "", told)


def test_a_first_word_that_is_a_command_is_the_command(
    agent_tui: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_bundle(tmp_path / "score", GOOD)
    monkeypatch.chdir(tmp_path)
    assert agent_tui("score").status == 2
    assert agent_tui("./score").out.startswith("score  1 run\n")
    assert agent_tui("score", "score").out == agent_tui("./score").out
    assert agent_tui("--filter", "score", "score").status == 0


def test_without_a_path_the_packaged_bundle_opens(agent_tui: Runs) -> None:
    ran = agent_tui()
    assert (ran.status, ran.out) == (0, agent_tui("score", CYBERTRAVELS).out)


def test_the_lists_of_formats_samples_and_the_schema_stand(agent_tui: Runs) -> None:
    formats = agent_tui("formats", "--json").document["formats"]
    lines = agent_tui("formats").out.splitlines()
    assert [each["name"] for each in formats] == [line.split()[0] for line in lines[::2]]
    assert [each["examples"] for each in formats] == [line.strip() for line in lines[1::2]]
    assert all(len(line) <= 80 and line[14] == " " != line[15] for line in lines)
    samples = agent_tui("samples").out.splitlines()
    assert CYBERTRAVELS in samples
    assert all(agent_tui("check", path).status == 0 for path in samples)
    assert agent_tui("schema").document["$schema"].startswith("https://json-schema.org/")


@pytest.mark.parametrize("word", ["compare", "convert", "report"])
def test_a_command_that_is_still_to_come_is_no_path(agent_tui: Runs, word: str) -> None:
    ran = agent_tui(word, CYBERTRAVELS)
    assert (ran.status, ran.out) == (2, "")
    assert f"{word} is not there yet" in ran.err


def test_two_forms_at_once_are_refused(agent_tui: Runs) -> None:
    ran = agent_tui("score", CYBERTRAVELS, "--md", "--json")
    assert (ran.status, ran.out, ran.err) == (2, "", "agent-tui: one form at a time: --md or --json\n")

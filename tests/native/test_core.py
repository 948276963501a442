"""The compiled core says what Python says, or leaves it to Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from array import array
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw, structs

from agent_tui.answers.quick import only_plain_number, plain_number
from agent_tui.matchers import Match, decide
from agent_tui.matchers.explain import explain
from agent_tui.matchers.match import NO_WRITES, judge
from agent_tui.matchers.rules import NO_RULES
from agent_tui.matchers.single import match_single
from agent_tui.native import core
from agent_tui.runs import Expected, Run, ToolCall
from agent_tui.scoring.levels import names_suffice
from agent_tui.scoring.totals import _add_at
from tests.make_run import make_run
from tests.matchers.test_equality import TEXTS

NAMES = st.sampled_from(["look", "book", "größer"])
SPELLINGS = (
    *TEXTS,
    b'{"a":-0}', b'{"a":0}', b'{"a":-0.0e5}', b'{"a":-1}', b'{"a":120}', b'{"a":12e1}', b'{"a":1.2E+2}', b'{"a":012}',
    b'{"a":1e999999999}', b'{"a":1e-400}', b'{"a":10e-401}', b'{"a":"\\/"}', b'{"a":"/"}', b'{"a":"\\ud83d\\ude00"}',
    '{"a":"😀"}'.encode(), b'{"a":"\xff"}', b'{"a":"\xed\xa0\x80"}', b'{"a":"\xc0\x80"}', b'{"a":"tab\t"}',
    b'{"a":"tab\\t"}', b'{"a":"\\x"}', b'{"a":1}x', b'{"a":1,}', b"{", b"", b" ", b"nul", b"[1,[2]]", b"[[1],2]",
    b"[" * 70 + b"]" * 70, b'{"a":[1,2]}', b'{"a":[2,1]}', b'{"b":{"c":1,"d":2},"a":1}', b'{"a":1,"b":{"d":2,"c":1}}',
    b'{"' + b'","'.join(b'%d":"' % number for number in range(70)) + b'"}', b'"\\"a\\""', b'"\\"\\\\u0061\\""', b'"a',
    b'{"same eight":"12345678"}', b'{"same eight":"12345678\\n"}',
    b'{"long text without escapes":"twelve bytes or more"}',
)  # fmt: skip
CALL = st.tuples(NAMES, st.sampled_from([Raw(text) for text in SPELLINGS]))
CALLS: st.SearchStrategy[list[Any]] = st.lists(CALL, max_size=6)
HAS_CORE = pytest.mark.skipif(core is None, reason="there is no core")


def asked_of_python(run: Run, writes: frozenset[str] = NO_WRITES) -> Match:
    return match_single(run, writes) or judge(run, NO_RULES, writes, "rules")


def assert_same(run: Run, writes: frozenset[str] = NO_WRITES) -> bool:
    """Whether the core decided; what it says is what Python says."""
    decided = decide(run, writes)
    if decided is not None:
        found = asked_of_python(run, writes)
        assert decided.match == found
        assert decided.names_suffice == names_suffice(run, found, run.calls or (), NO_RULES)
    return decided is not None


def test_the_core_is_there_where_it_could_be_built() -> None:
    could_be = shutil.which(os.environ.get("CC", "cc")) and Path(sysconfig.get_path("include"), "Python.h").exists()
    assert (core is not None) == (bool(could_be) and not os.environ.get("AGENT_TUI_PURE"))


@settings(max_examples=500)
@given(CALLS, CALLS, st.randoms(use_true_random=False), st.sampled_from([NO_WRITES, frozenset({"book"})]))
def test_whatever_the_core_decides_python_decides_too(
    expected: list[Any], made: list[Any], random: Any, writes: frozenset[str]
) -> None:
    shuffled = random.sample(expected, len(expected))
    for calls in (made, shuffled, expected, expected + made[:1], expected[:1] + expected, expected[1:], made + made):
        assert_same(make_run(expected, calls), writes)
        assert_same(make_run(None, calls), writes)


@HAS_CORE
@pytest.mark.parametrize("other", SPELLINGS, ids=repr)
def test_one_call_against_one_is_judged_alike_in_any_spelling(other: bytes) -> None:
    for one in SPELLINGS:
        assert_same(make_run([("look", Raw(one))], [("look", Raw(other))]))


@settings(max_examples=300)
@given(st.lists(st.binary(max_size=12), min_size=1, max_size=3), st.data())
def test_bytes_that_are_no_json_are_left_to_python(parts: Sequence[bytes], data: st.DataObject) -> None:
    seed = data.draw(st.sampled_from(SPELLINGS))
    place = data.draw(st.integers(0, len(seed)))
    spoilt = seed[:place] + parts[0] + seed[place:]
    assert_same(make_run([("look", Raw(seed))], [("look", Raw(spoilt)), ("look", Raw(seed))]))


@HAS_CORE
def test_the_core_decides_usual_runs_itself() -> None:
    expected = [("look", Raw(b'{"a":1}')), ("book", Raw(b'{"b":[1.50,"x"]}'))]
    respelt = [("look", Raw(b'{ "a": 1.0 }')), ("book", Raw(b'{"b":[15e-1,"\\u0078"]}'))]
    for made in (expected, respelt, expected[::-1], expected[:1], [*expected, *expected], [*expected, expected[1]]):
        assert assert_same(make_run(expected, made))
    assert assert_same(make_run(None, [*expected, *respelt]))


@HAS_CORE
def test_a_run_that_is_not_plain_is_left_to_python() -> None:
    call = ("look", Raw(b'{"a":1}'))
    plain = make_run([call], [call])
    assert plain.expected is not None
    other_expectations = (
        structs.replace(plain.expected, required_tools=["look"]),
        structs.replace(plain.expected, any=[]),
    )
    for run in (
        structs.replace(plain, status="error"),
        structs.replace(plain, status="running"),
        structs.replace(plain, calls=[]),
        structs.replace(plain, calls=None),
        *(structs.replace(plain, expected=expected) for expected in other_expectations),
        make_run([call] * 257, [call]),
        make_run([call], [call] * 257),
    ):
        assert decide(run, NO_WRITES) is None
    assert decide(structs.replace(plain, expected=Expected(calls=[])), NO_WRITES) is not None


@HAS_CORE
def test_a_call_that_may_have_failed_before_it_was_made_again_is_left_to_python() -> None:
    one = ToolCall(name="look", args=Raw(b"{}"), result=Raw(b'{"error":"busy"}'))
    run = structs.replace(make_run([("book", {})], []), calls=[one, one])
    assert decide(run, NO_WRITES) is None
    assert (explain(run).repeats, explain(run).retries) == (0, 1)


@settings(max_examples=500)
@given(
    st.lists(
        st.sampled_from(
            [
                "140",
                "1.5",
                "0",
                " ",
                "  ",
                ".",
                "-",
                "%",
                "is",
                "not",
                "Not",
                "the",
                "EUR",
                "😀",
                "✈️",
                "٣",
                "３",
                "é",
                ",",
                ")",
            ]
        )
        | st.text(max_size=3),
        max_size=8,
    ).map("".join)
)
def test_the_number_that_the_core_sees_is_the_one_that_python_sees(text: str) -> None:
    token = plain_number(text)
    assert token is None or token == only_plain_number(text, token) == only_plain_number(text, "x")


@HAS_CORE
def test_the_core_keeps_nothing_of_what_it_read() -> None:
    resource = pytest.importorskip("resource")
    big = Raw(b'{"a":[' + b",".join(b'"\\u00e9%d"' % number for number in range(2000)) + b"]}")
    run = make_run([("look", big), ("look", Raw(b"[1]"))], [("look", Raw(b"[1]")), ("look", big)])
    for _ in range(50):
        decide(run, NO_WRITES)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(1000):
        decide(run, NO_WRITES)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # KiB; of each: 50 KiB


@HAS_CORE
def test_a_core_of_another_source_is_not_used(tmp_path: Path) -> None:
    import agent_tui.native as package

    copy = tmp_path / "agent_tui" / "native"
    shutil.copytree(Path(package.__file__).parent, copy)
    (tmp_path / "agent_tui" / "__init__.py").touch()
    assert why_none(tmp_path) == ""
    with (copy / "core.c").open("a") as source:
        source.write("/* changed */\n")
    assert why_none(tmp_path).startswith("it was built from another version of its source")


@HAS_CORE
def test_why_there_is_no_core_is_said(tmp_path: Path) -> None:
    import agent_tui.native as package

    copy = tmp_path / "agent_tui" / "native"
    shutil.copytree(Path(package.__file__).parent, copy)
    (tmp_path / "agent_tui" / "__init__.py").touch()
    assert why_none(tmp_path, AGENT_TUI_PURE="1") == "AGENT_TUI_PURE is set"
    built = next(copy.glob("_core.*.so"))
    built.write_bytes(b"not for this machine")
    assert why_none(tmp_path).startswith("it cannot be loaded: ")
    built.unlink()
    assert why_none(tmp_path).startswith("none was built when agent-tui was installed")


def why_none(path: Path, **environment: str) -> str:
    """Why a copy of the package has no core; empty where it has one."""
    code = "import agent_tui.native as n; assert (n.core is None) == bool(n.why_none); print(n.why_none)"
    given = {**os.environ, "PYTHONPATH": str(path), **environment}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=given, cwd=path, capture_output=True, text=True, check=True).stdout.strip()


def test_the_report_is_the_same_without_the_core(tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "sample_runs" / "cybertravels.json"
    reports = []
    for pure in ("", "1"):
        command = [sys.executable, "-m", "agent_tui", "score", str(sample), "--json"]
        environment = {**os.environ, "AGENT_TUI_PURE": pure, "AGENT_TUI_CACHE_DIR": str(tmp_path / pure)}
        reports.append(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert reports[0] == reports[1]
    assert '"runs"' in reports[0]


COUNTS = st.lists(st.integers(0, 2**40), min_size=1, max_size=12)


@HAS_CORE
@given(COUNTS, COUNTS, st.randoms(use_true_random=False))
def test_counts_are_added_at_the_places_that_python_adds_them_at(ours: list[int], more: list[int], by: Random) -> None:
    assert core is not None
    places = [by.randrange(len(ours)) for _ in range(by.randrange(len(more) + 2))]
    compiled, plain = array("Q", ours), array("Q", ours)
    core.add_at(compiled, places, array("Q", more))
    _add_at(plain, places, array("Q", more))
    assert compiled == plain


@HAS_CORE
@pytest.mark.parametrize(
    ("counts", "places", "more", "error"),
    [
        (array("Q", [1]), [1], array("Q", [1]), IndexError),
        (array("Q", [1]), [-1], array("Q", [1]), IndexError),
        (array("Q", [1]), [2**70], array("Q", [1]), OverflowError),
        (array("Q", [1]), ["0"], array("Q", [1]), TypeError),
        (array("I", [1]), [0], array("Q", [1]), TypeError),
        (array("Q", [1]), [0], array("I", [1]), TypeError),
        (array("Q", [1]), (0,), array("Q", [1]), TypeError),
        (b"12345678", [0], array("Q", [1]), BufferError),
    ],
)
def test_what_cannot_be_added_is_refused(counts: Any, places: Any, more: Any, error: type[Exception]) -> None:
    assert core is not None
    with pytest.raises(error):
        core.add_at(counts, places, more)

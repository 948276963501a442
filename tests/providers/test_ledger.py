"""The ledger: what was called and how it ended outlives every end of the program, and opens no door."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.errors import NotPossible
from agent_tui.places import state_folder
from agent_tui.providers.contract import Failure, Identity, Reply, Usage
from agent_tui.providers.ledger import Ledger, Recorded

CLAUDE = Identity(provider="anthropic", endpoint="0123456789abcdef", host_class="vendor", model="claude-haiku-5-5")
GPT = Identity(provider="openai", host_class="other", model="gpt-x")
REPLY = Reply(text='{"verdict": "pass"}', model="claude-haiku-5-5", usage=Usage(output_tokens=3), request_id="req_1")
LOST = Failure(kind="unknown", reason="timed out")
AT = "2026-11-30T12:00:00Z"


def noon() -> datetime:
    return datetime(2026, 11, 30, 13, tzinfo=timezone(timedelta(hours=1)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "ledger" / "l.jsonl"


def opened(path: Path) -> Ledger:
    ledger = Ledger.open(path, clock=noon)
    ledger.introduce(CLAUDE)
    return ledger


def test_a_reply_is_known_with_its_time_its_attempts_its_cost_and_who_gave_it(path: Path) -> None:
    with opened(path) as ledger:
        assert ledger.reply("k") is None
        assert ledger.intend("k", 0.25) == 1
        ledger.fail("k", Failure(kind="connection", reason="no route"), 0.0)
        assert ledger.intend("k", 0.25) == 2
        ledger.settle("k", REPLY, 0.125)
        expected = Recorded("k", REPLY, AT, 2, 0.125, CLAUDE)
        assert ledger.reply("k") == expected
    again = Ledger.read(path)
    assert (again.reply("k"), list(again.recorded()), again.last) == (expected, [expected], AT)
    assert (again.calls, again.spent.usd, again.spent.at_most, again.intents_open()) == (2, 0.125, 0.125, frozenset())


def test_a_call_without_an_end_is_open_and_may_have_cost_the_worst(path: Path) -> None:
    with opened(path) as ledger:
        ledger.intend("k", 0.25)
    with opened(path) as ledger:
        assert (ledger.intents_open(), ledger.is_open("k"), ledger.reply("k")) == ({"k"}, True, None)
        assert (ledger.spent.usd, ledger.spent.uncertain_usd) == (0.0, 0.25)
        ledger.intend("k", 0.25)
        ledger.settle("k", REPLY, 0.125)
        assert (ledger.intents_open(), ledger.spent.usd, ledger.spent.uncertain_usd) == (frozenset(), 0.125, 0.25)


@pytest.mark.parametrize(
    ("worst", "end", "usd", "expected"),
    [
        (0.25, REPLY, 0.125, (0.125, 0.0, 0)),
        (0.25, REPLY, None, (0.0, 0.25, 0)),
        (0.25, LOST, None, (0.0, 0.25, 0)),
        (0.25, Failure(kind="auth", reason="no"), 0.0, (0.0, 0.0, 0)),
        (None, REPLY, None, (0.0, 0.0, 1)),
        (None, REPLY, 0.125, (0.125, 0.0, 0)),
    ],
)
def test_what_is_not_known_of_a_cost_stays_the_worst(
    worst: float | None, end: Reply | Failure, usd: float | None, expected: tuple[float, float, int], path: Path
) -> None:
    with opened(path) as ledger:
        ledger.intend("k", worst)
        if isinstance(end, Reply):
            ledger.settle("k", end, usd)
        else:
            ledger.fail("k", end, usd)
    spent = Ledger.read(path).spent
    assert (spent.usd, spent.uncertain_usd, spent.unpriced) == expected


def test_totals_do_not_depend_on_the_order_of_the_calls(tmp_path: Path) -> None:
    totals = set()
    costs = [0.1, 0.2, 0.3, 1e-7, 0.7]
    for name, order in (("a", costs), ("b", costs[::-1]), ("c", sorted(costs))):
        with opened(tmp_path / name) as ledger:
            for usd in order:
                ledger.intend(str(usd), 1.0)
                ledger.settle(str(usd), REPLY, usd)
            totals.add(ledger.spent)
    assert len(totals) == 1


def test_what_has_ended_stays_as_it_was(path: Path) -> None:
    with opened(path) as ledger:
        ledger.intend("k", 0.25)
        ledger.settle("k", REPLY, 0.125)
        ledger.settle("k", Reply(text="another", model="m"), 9.0)
        ledger.fail("k", LOST, None)
        assert ledger.reply("k") == Recorded("k", REPLY, AT, 1, 0.125, CLAUDE)
        assert ledger.spent.at_most == 0.125


def test_who_is_asked_is_written_once_and_the_last_one_stands_last(path: Path) -> None:
    with opened(path) as ledger:
        ledger.introduce(GPT)
        ledger.intend("g", None)
        ledger.introduce(CLAUDE)
        ledger.intend("c", None)
        ledger.settle("c", REPLY, None)
        assert ledger.identities == (GPT, CLAUDE)
    again = Ledger.read(path)
    assert (again.identities, path.read_bytes().count(b'"event":"opened"')) == ((GPT, CLAUDE), 2)
    recorded = again.reply("c")
    assert recorded is not None
    assert recorded.identity == CLAUDE


def test_notes_are_kept_by_kind_with_their_time(path: Path) -> None:
    with opened(path) as ledger:
        assert ledger.note("override", {"reason": "a demo", "errors": 2, "rate": None}) == AT
        ledger.note("published", {"key": "v"})
    (note,) = Ledger.read(path).notes("override")
    assert (note.at, note.fields) == (AT, {"reason": "a demo", "errors": 2, "rate": None})


def test_a_batch_is_open_until_every_ask_of_it_has_ended(path: Path) -> None:
    with opened(path) as ledger:
        ledger.intend_batch("chunk", ["a", "b"], 0.5)
    with opened(path) as ledger:
        (batch,) = ledger.batches()
        assert (batch.chunk, batch.id, batch.at, batch.keys) == ("chunk", "", AT, ("a", "b"))
        assert (ledger.is_in_batch("a"), ledger.intents_open(), ledger.spent.uncertain_usd) == (True, frozenset(), 1.0)
        ledger.batch_sent("chunk", "msgbatch_1")
        ledger.settle("a", REPLY, 0.25)
    with opened(path) as ledger:
        (batch,) = ledger.batches()
        assert (batch.id, batch.keys, ledger.spent.usd) == ("msgbatch_1", ("b",), 0.25)
        ledger.settle("b", REPLY, 0.25)
        assert (ledger.batches(), ledger.spent.at_most) == ((), 0.5)


def test_what_has_not_ended_of_a_batch_that_is_given_up_is_unknown(path: Path) -> None:
    with opened(path) as ledger:
        ledger.intend_batch("chunk", ["a", "b"], None)
        ledger.settle("a", REPLY, None)
        ledger.give_up_batch("chunk", "the service does not know it")
    ledger = Ledger.read(path)
    assert (ledger.intents_open(), ledger.batches(), ledger.is_in_batch("b")) == ({"b"}, (), False)


def test_a_second_writer_is_told_who_the_first_one_is(path: Path) -> None:
    held = f"the ledger is being written by process {os.getpid()} on .*: end that, or name another file: {path}"
    with opened(path) as ledger:
        with pytest.raises(NotPossible, match=held):
            Ledger.open(path)
        ledger.intend("k", None)
        assert Ledger.read(path).is_open("k")
    Ledger.open(path).close()


def test_a_writer_in_another_program_is_told_too_and_its_end_lets_others_write(path: Path) -> None:
    program = "import sys; from pathlib import Path; from agent_tui.providers.ledger import Ledger\n"
    program += "ledger = Ledger.open(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(NotPossible, match=f"process {other.pid} on"):
            Ledger.open(path)
        other.kill()
    opened(path).close()


def test_closing_again_closes_nothing_else(path: Path) -> None:
    ledger = opened(path)
    ledger.close()
    other = [os.open(os.devnull, os.O_RDONLY) for _ in range(2)]
    ledger.close()
    for descriptor in other:
        os.close(descriptor)


def test_folders_that_are_made_and_the_file_are_private(path: Path) -> None:
    opened(path).close()
    modes = [stat.S_IMODE(each.stat().st_mode) for each in (path.parent.parent, path.parent, path)]
    assert modes == [0o700, 0o700, 0o600]
    assert stat.S_IMODE(path.with_suffix(".lock").stat().st_mode) == 0o600


@pytest.mark.skipif(os.getuid() != 0, reason="giving a folder to somebody else takes root")
def test_a_folder_of_ours_that_is_somebody_elses_is_refused() -> None:
    folder = state_folder() / "ledger"
    folder.mkdir(parents=True)
    os.chown(folder, 12345, 12345)
    with pytest.raises(NotPossible, match="the ledger cannot be written: belongs to somebody else"):
        Ledger.open(folder / "l.jsonl")


@pytest.mark.parametrize("content", [b"notes of mine\n", b'{"event": "note"}\n', b"[1, 2]", b"\x00\xff", b'{"a":1}'])
def test_a_file_that_is_no_ledger_is_refused_and_left_as_it_is(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_bytes(content)
    for way in (Ledger.open, Ledger.read):
        with pytest.raises(NotPossible, match="is no ledger: its first line is not one of agent-tui/ledger-1"):
            way(path)
    assert path.read_bytes() == content


def test_a_ledger_of_another_version_is_refused(path: Path) -> None:
    opened(path).close()
    path.write_bytes(path.read_bytes().replace(b"ledger-1", b"ledger-2"))
    with pytest.raises(NotPossible, match=r"a ledger of another version, 'agent-tui/ledger-2'"):
        Ledger.open(path)
    with pytest.raises(NotPossible, match="another version"):
        Ledger.open(path)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        for way in (Ledger.open, Ledger.read):
            with pytest.raises(NotPossible, match="it is no file"):
                way(path)
    with pytest.raises(NotPossible, match="no such ledger"):
        Ledger.read(tmp_path / "none.jsonl")


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotPossible, match=r"the ledger cannot be written: (Not a directory|File exists)"):
        Ledger.open(tmp_path / "file" / "sub" / "l.jsonl")


def test_a_ledger_to_read_takes_nothing(path: Path) -> None:
    opened(path).close()
    ledger = Ledger.read(path)
    assert not ledger.is_writable
    with pytest.raises(NotPossible, match="opened for reading only"):
        ledger.note("override", {})


def test_a_line_that_was_cut_off_is_left_out_and_the_next_one_stands_alone(path: Path) -> None:
    with opened(path) as ledger:
        ledger.intend("k", 0.25)
    with path.open("ab") as torn:
        torn.write(b'{"event":"result","at":"2026-')
    with opened(path) as ledger:
        assert (ledger.damaged, ledger.intents_open()) == (1, {"k"})
        ledger.intend("k", 0.25)
        ledger.settle("k", REPLY, 0.125)
    again = Ledger.read(path)
    assert again.reply("k") == Recorded("k", REPLY, AT, 2, 0.125, CLAUDE)
    assert (again.damaged, again.calls) == (1, 2)


def test_a_reply_whose_intent_was_damaged_counts(path: Path) -> None:
    with opened(path) as ledger:
        ledger.intend("k", None)
        ledger.settle("k", REPLY, 0.125)
    path.write_bytes(path.read_bytes().replace(b'{"event":"intent"', b'{"event":"int'))
    ledger = Ledger.read(path)
    assert (ledger.damaged, ledger.calls, ledger.spent.usd, ledger.spent.unpriced) == (1, 0, 0.125, 0)
    assert ledger.reply("k") == Recorded("k", REPLY, AT, 1, 0.125, CLAUDE)


def test_lines_of_a_later_version_nested_too_deeply_or_of_wrong_types_are_left_out(path: Path) -> None:
    with opened(path) as ledger:
        ledger.intend("k", None)
        ledger.settle("k", REPLY, None)
    with path.open("ab") as more:
        more.write(b'{"event":"later","at":"x"}\n{"event":"intent","at":1}\n\xff\n' + b"[" * 100_000 + b"\n\n")
    ledger = Ledger.read(path)
    assert (ledger.damaged, len(list(ledger.recorded()))) == (5, 1)


def test_a_ledger_cut_at_any_byte_has_what_its_whole_lines_have(path: Path, tmp_path: Path) -> None:
    with opened(path) as ledger:
        ledger.intend("a", 0.5)
        ledger.settle("a", REPLY, 0.25)
        ledger.intend("b", 0.5)
        ledger.fail("b", LOST, None)
    whole = path.read_bytes()
    seen = []
    for size in range(len(whole) + 1):
        cut = tmp_path / "cut.jsonl"
        cut.write_bytes(whole[:size])
        with Ledger.open(cut, sync=lambda _descriptor: None) as ledger:
            lines = whole[:size].count(b"\n") + (whole[size : size + 1] == b"\n")
            facts = (ledger.calls, ledger.reply("a") is not None, ledger.intents_open(), ledger.spent.at_most)
            seen.append((lines, facts))
    expected = {
        0: (0, False, frozenset(), 0.0), 1: (0, False, frozenset(), 0.0), 2: (1, False, frozenset("a"), 0.5),
        3: (1, True, frozenset(), 0.25), 4: (2, True, frozenset("b"), 0.75), 5: (2, True, frozenset(), 0.75),
    }  # fmt: skip
    assert [facts for _, facts in seen] == [expected[lines] for lines, _ in seen]


def test_a_reply_with_lone_surrogates_is_kept_as_it_came(path: Path) -> None:
    reply = Reply(text="a \ud800 b", model="m")
    with opened(path) as ledger:
        ledger.intend("k", None)
        ledger.settle("k", reply, None)
        recorded = ledger.reply("k")
    assert recorded is not None
    assert recorded.outcome == reply


def test_a_file_that_is_changed_while_it_is_open_is_told(path: Path) -> None:
    with opened(path) as ledger:
        ledger.intend("k", None)
        ledger.settle("k", REPLY, None)
        path.write_bytes(path.read_bytes().replace(b'"k"', b'"j"'))
        with pytest.raises(NotPossible, match="was changed while it was open"):
            ledger.reply("k")


@pytest.mark.parametrize(
    "leak",
    [
        "invalid x-api-key: sk-ant-CANARY-0123456789",
        "Authorization: Bearer CANARY-0123456789",
        "cannot reach https://user:CANARY@gateway.example/v1/messages?key=CANARY",
    ],
)
def test_no_key_header_or_address_is_written_whatever_a_provider_says(leak: str, path: Path) -> None:
    with opened(path) as ledger:
        ledger.intend("k", None)
        ledger.fail("k", Failure(kind="auth", reason=leak), 0.0)
        ledger.intend_batch("chunk", ["b"], None)
        ledger.give_up_batch("chunk", leak)
    written = path.read_bytes()
    assert written.count(b"\n") == 5
    assert b"CANARY" not in written
    assert b"://" not in written


Step = Callable[[Ledger, str], object]
STEPS: list[Step] = [
    lambda ledger, key: ledger.intend(key, 0.3),
    lambda ledger, key: ledger.intend(key, None),
    lambda ledger, key: ledger.settle(key, REPLY, 0.1),
    lambda ledger, key: ledger.settle(key, REPLY, None),
    lambda ledger, key: ledger.fail(key, LOST, None),
    lambda ledger, key: ledger.fail(key, Failure(kind="overloaded", reason="busy"), 0.0),
    lambda ledger, key: ledger.intend_batch(f"chunk {key}", [key, key * 2], 0.2),
    lambda ledger, key: ledger.batch_sent(f"chunk {key}", "msgbatch"),
    lambda ledger, key: ledger.give_up_batch(f"chunk {key}", "lost"),
    lambda ledger, key: ledger.note("kept", {"key": key}),
    lambda ledger, key: ledger.introduce(GPT),
]


def facts_of(ledger: Ledger) -> tuple[object, ...]:
    in_batch = [ledger.is_in_batch(key) for key in ("a", "b", "aa", "bb")]
    told = (list(ledger.recorded()), ledger.notes("kept"), ledger.last, ledger.spent, ledger.calls)
    return (*told, ledger.intents_open(), ledger.batches(), in_batch)


@settings(max_examples=60)
@given(steps=st.lists(st.tuples(st.sampled_from(STEPS), st.sampled_from("ab")), max_size=20))
def test_a_ledger_that_is_read_again_knows_what_its_writer_knew(
    steps: list[tuple[Step, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("l") / "l.jsonl"
    with Ledger.open(path, clock=lambda: datetime(2026, 11, 30, tzinfo=UTC), sync=lambda _descriptor: None) as ledger:
        ledger.introduce(CLAUDE)
        for step, key in steps:
            step(ledger, key)
        known = facts_of(ledger)
        assert ledger.spent.uncertain_usd >= 0
    again = Ledger.read(path)
    assert facts_of(again) == known
    again.close()

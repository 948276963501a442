"""The runner with the vendor's SDK against a real server: faults are waited for, told or left, and no key is kept."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import pytest

from agent_tui.judge.events import Event, Waiting
from agent_tui.judge.known import Again
from agent_tui.providers.contract import Outcome, Reply
from agent_tui.providers.ledger import Ledger
from tests.judge.counting import Waits, settled, stop
from tests.judge.judging_over_http import ANSWERS, every_request, judge
from tests.providers.asking import KEY, forget_credentials
from tests.providers.behaviour import (
    Behaviour,
    changed,
    empty,
    error,
    half_closed,
    hung_up,
    overloaded,
    page,
    rate_limited,
    stalled,
)
from tests.providers.loopback import MESSAGES, Loopback
from tests.providers.verdicts import by_answer
from tests.writing import ROOT

ALL = len(every_request())


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Loopback]:
    forget_credentials(monkeypatch, tmp_path)
    async with Loopback(by_answer(ANSWERS), key=KEY) as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        yield server


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "l.jsonl"


def verdicts(events: Iterable[Event]) -> Counter[str]:
    """How often each verdict was given; a failure counts by its kind."""
    return Counter(map(_said, settled(events).values()))


def _said(outcome: Outcome) -> str:
    if not isinstance(outcome, Reply):
        return outcome.kind
    return str(json.loads(outcome.text)["verdict"]) if outcome.stop_reason == "end" else outcome.stop_reason


EXPECTED = Counter(ANSWERS.values()) + Counter(ANSWERS.values()) + Counter(ANSWERS.values())


def items_asked(server: Loopback) -> Counter[str]:
    """How often each item was asked about, by its nonce."""
    texts = (str(request.json()["messages"][0]["content"]) for request in server.requests())
    return Counter(text[text.index('"item') :][:30] for text in texts)


@pytest.mark.parametrize(("before", "out"), [(0, 1), (4, 3)])
async def test_a_program_killed_between_a_call_and_its_reply_calls_nobody_twice(
    before: int, out: int, server: Loopback, path: Path
) -> None:
    server.script(*[Behaviour()] * before, *[stalled()] * out)
    command = (sys.executable, "-m", "tests.judge.judging_over_http", str(path))
    child = await asyncio.create_subprocess_exec(*command, cwd=ROOT)
    await server.arrived(before + out, MESSAGES)
    child.kill()
    await child.wait()
    assert len(Ledger.read(path).intents_open()) == out

    resumed = await judge(path)
    assert (verdicts(resumed)["unknown"], max(items_asked(server).values())) == (out, 1)
    final = await judge(path, Again(unknown=True))
    assert verdicts(final) == EXPECTED
    assert Counter(items_asked(server).values()) == {1: ALL - out, 2: out}
    assert verdicts(await judge(path)) == EXPECTED
    assert server.asked() == ALL + out


@pytest.mark.parametrize(
    "fault",
    [
        error(401, "authentication_error", message=f"invalid x-api-key: {KEY}"),
        error(402, "billing_error"),
        error(403, "permission_error", message=f"Bearer {KEY} at https://gateway.example/v1?key={KEY}"),
        error(429, "rate_limit_error", code="enforced_spend_limit_reached"),
    ],
    ids=["401", "402", "403", "spend limit"],
)
async def test_what_no_call_can_overcome_stops_after_one_call(fault: Behaviour, server: Loopback, path: Path) -> None:
    server.always(fault)
    events = await judge(path)
    assert (settled(events), server.asked(), stop(events) is not None) == ({}, 1, True)
    server.always(None)
    assert verdicts(await judge(path)) == EXPECTED


async def test_a_short_wait_is_waited_and_a_long_one_stops_the_run(server: Loopback, path: Path) -> None:
    server.script(rate_limited("1"))
    waits = Waits()
    events = await judge(path, sleep=waits)
    assert (verdicts(events), waits.seconds) == (EXPECTED, [1])
    assert [event.seconds for event in events if isinstance(event, Waiting)] == [1]
    server.always(rate_limited("86400"))
    events = await judge(path.with_name("other.jsonl"), sleep=waits)
    assert (getattr(stop(events), "kind", ""), waits.seconds, server.asked()) == ("rate_limited", [1], ALL + 2)


async def test_a_service_that_always_asks_to_wait_is_left_after_a_while(server: Loopback, path: Path) -> None:
    server.always(rate_limited("7"))
    waits = Waits()
    events = await judge(path, sleep=waits)
    assert getattr(stop(events), "kind", "") == "rate_limited"
    assert set(waits.seconds) <= {7.0, 8.0}
    assert len(waits.seconds) < 25


async def test_a_burst_of_overload_passes(server: Loopback, path: Path) -> None:
    server.script(*[overloaded()] * 20)
    assert verdicts(await judge(path, sleep=Waits())) == EXPECTED
    assert server.asked() == ALL + 20


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (page(), "unknown"), (empty(), "unknown"), (half_closed(), "unknown"), (hung_up(), "unknown"),
        (changed(stop_reason="max_tokens"), "max_tokens"), (changed(stop_reason="refusal"), "refusal"),
        (error(400, "invalid_request_error"), "bad_request"), (error(413, "request_too_large"), "too_large"),
    ],
    ids=["page", "empty", "half-closed", "hung up", "max_tokens", "refusal", "400", "413"],
)  # fmt: skip
async def test_one_fault_is_one_error_and_the_budget_keeps_the_worst_of_what_nobody_knows(
    fault: Behaviour, kind: str, server: Loopback, path: Path
) -> None:
    server.script(fault)
    events = await judge(path)
    found = verdicts(events)
    assert (sum(found.values()), server.asked(), stop(events)) == (ALL, ALL, None)
    assert ALL - sum(found[verdict] for verdict in ("pass", "fail", "undetermined")) == 1
    spent = Ledger.read(path).spent
    assert (spent.uncertain_usd > 0) == (kind == "unknown")
    assert found[kind] == 1 or kind in ("max_tokens", "refusal")


async def test_neither_key_nor_header_nor_address_is_in_the_ledger_whatever_went_wrong(
    server: Loopback, path: Path
) -> None:
    echo = f"x-api-key: {KEY}, Authorization: Bearer {KEY}, POST {server.url}/v1/messages"
    faults = [error(status, "invalid_request_error", message=echo) for status in (400, 404, 413, 422, 500, 529)]
    server.script(*faults, page(f"<p>{echo}</p>"), half_closed(), error(401, "authentication_error", message=echo))
    await judge(path, sleep=Waits())
    await judge(path, Again(unknown=True, errors=True), Waits())
    written = path.read_bytes() + path.with_suffix(".lock").read_bytes()
    for secret in (KEY, KEY[7:], "Bearer", server.url, f"127.0.0.1:{server.port}"):
        assert secret.encode() not in written, secret
    assert written.count(b'"event":"error"') >= 5

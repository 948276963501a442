"""The runner: no call is made twice, none in vain, none beyond the budget, and nothing is lost on the way."""

from __future__ import annotations

import asyncio
import errno
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.judge.events import Settled, Stopped, Waiting
from agent_tui.judge.known import Again
from agent_tui.judge.runner import GRACE, Runner
from agent_tui.providers.contract import FATAL, Failure, Outcome, Reply, Request
from agent_tui.providers.ledger import Ledger
from tests.judge.counting import (
    IDENTITY,
    ByToken,
    Counting,
    Held,
    Waits,
    by_key,
    collected,
    fails,
    reply_to,
    requests,
    settled,
    stop,
    unsynced,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger" / "l.jsonl"


def fails_at(*failures: Failure) -> Counting:
    """A provider whose first calls fail so; every later one is answered."""
    script = dict(enumerate(failures, 1))
    return Counting(lambda request, number: script.get(number) or reply_to(request))


async def test_each_request_is_asked_once_and_then_known(path: Path) -> None:
    provider = Counting()
    with unsynced(path) as ledger:
        first = await collected(Runner(provider, IDENTITY, ledger), requests(9))
        second = await collected(Runner(provider, IDENTITY, ledger), requests(10))
    assert settled(first) == {request.key: reply_to(request) for request in requests(9)}
    assert [event.from_ledger for event in second if isinstance(event, Settled)] == [True] * 9 + [False]
    assert Counter(provider.asked) == {request.key: 1 for request in requests(10)}
    assert settled(second).items() >= settled(first).items()


async def test_the_first_call_goes_alone_and_then_as_many_as_may(path: Path) -> None:
    provider = Counting()
    first = provider.gate = asyncio.Event()
    with unsynced(path) as ledger:
        run = asyncio.create_task(collected(Runner(provider, IDENTITY, ledger, concurrency=3), requests(9)))
        await provider.arrived(1)
        alone = provider.out
        second = provider.gate = asyncio.Event()
        first.set()
        await provider.arrived(4)
        second.set()
        await run
    assert (alone, provider.most_out) == (1, 3)


@pytest.mark.parametrize("kind", sorted(FATAL))
async def test_what_no_call_can_overcome_stops_after_one_call(kind: str, path: Path) -> None:
    provider = Counting(lambda _request, _number: fails(kind))
    with unsynced(path) as ledger:
        events = await collected(Runner(provider, IDENTITY, ledger, concurrency=8), requests(20))
        spent = ledger.spent
    assert events == [Stopped(kind, f"scripted {kind}")]
    assert (len(provider.asked), spent.at_most) == (1, 0.0)


async def test_a_stop_keeps_what_was_answered_and_the_next_run_asks_the_rest(path: Path) -> None:
    provider = Counting(lambda request, number: fails("quota") if number == 6 else reply_to(request))
    with unsynced(path) as ledger:
        first = await collected(Runner(provider, IDENTITY, ledger, concurrency=1), requests(9))
        second = await collected(Runner(provider, IDENTITY, ledger, concurrency=1), requests(9))
    assert (len(settled(first)), stop(first)) == (5, Stopped("quota", "scripted quota"))
    assert (len(settled(second)), stop(second), len(provider.asked)) == (9, None, 10)


@pytest.mark.parametrize("kind", ["rate_limited", "overloaded", "connection"])
async def test_what_was_not_done_is_asked_again_with_longer_and_longer_waits(kind: str, path: Path) -> None:
    provider, waits = fails_at(*[fails(kind)] * 4), Waits()
    with unsynced(path) as ledger:
        events = await collected(Runner(provider, IDENTITY, ledger, sleep=waits), requests(1))
        spent, calls = ledger.spent, ledger.calls
    assert waits.seconds == [0.5, 1, 2, 4]
    assert events[-1] == Settled(requests(1)[0], reply_to(requests(1)[0]), from_ledger=False, attempts=5)
    assert (calls, spent.uncertain_usd, stop(events)) == (5, 0.0, None)


async def test_a_service_that_answers_nobody_stops_the_run_and_loses_nothing(path: Path) -> None:
    away = Counting(lambda _request, _number: fails("overloaded"))
    with unsynced(path) as ledger:
        events = await collected(Runner(away, IDENTITY, ledger, sleep=Waits()), requests(2))
        later = await collected(Runner(Counting(), IDENTITY, ledger), requests(2))
    assert (settled(events), len(away.asked)) == ({}, 9)
    ending = stop(events)
    assert ending is not None
    assert (ending.kind, ending.reason) == ("overloaded", "no answer after 9 tries in a row: scripted overloaded")
    assert len(settled(later)) == 2


async def test_one_request_that_never_gets_through_fails_alone_and_is_asked_by_the_next_run(path: Path) -> None:
    bad = requests(8)[3].key
    provider = Counting(lambda request, _: fails("connection") if request.key == bad else reply_to(request), 1)
    with unsynced(path) as ledger:
        events = await collected(Runner(provider, IDENTITY, ledger, sleep=Waits()), [*requests(8)])
        more = await collected(Runner(provider, IDENTITY, ledger, sleep=Waits()), requests(8))
    assert settled(events).pop(bad) == fails("connection")
    assert {type(outcome) for key, outcome in settled(events).items() if key != bad} == {Reply}
    assert (stop(events), provider.asked.count(bad)) == (None, 10)
    assert getattr(stop(more), "kind", "") == "connection"


async def test_a_burst_of_overload_passes_and_every_request_is_judged(path: Path) -> None:
    provider = fails_at(*[fails("overloaded")] * 20)
    with unsynced(path) as ledger:
        events = await collected(Runner(provider, IDENTITY, ledger, sleep=Waits()), requests(10))
    assert stop(events) is None
    assert {type(outcome) for outcome in settled(events).values()} == {Reply}
    assert (len(settled(events)), len(provider.asked)) == (10, 30)


async def test_everybody_waits_as_long_as_the_service_asks(path: Path) -> None:
    provider, waits = fails_at(fails("rate_limited", 7)), Held()
    with unsynced(path) as ledger:
        runner = Runner(provider, IDENTITY, ledger, sleep=waits)
        events = aiter(runner.run(by_key(requests(5))))
        assert await anext(events) == Waiting(7, "scripted rate_limited")
        rest = asyncio.ensure_future(anext(events))
        for _ in range(50):
            await asyncio.sleep(0)
        asked_meanwhile = len(provider.asked)
        waits.over.set()
        await rest
        assert len([event async for event in events]) == 4
    assert (asked_meanwhile, waits.seconds) == (1, [7])


@pytest.mark.parametrize(("seconds", "waited"), [(120, [120, 120, 120, 120]), (120.5, []), (86_400, [])])
async def test_a_wait_of_more_than_two_minutes_stops_the_run(seconds: float, waited: list[float], path: Path) -> None:
    provider, waits = Counting(lambda _request, _number: fails("rate_limited", seconds)), Waits()
    with unsynced(path) as ledger:
        events = await collected(Runner(provider, IDENTITY, ledger, sleep=waits), requests(1))
    ending = stop(events)
    assert ending is not None
    assert (ending.kind, waits.seconds, settled(events)) == ("rate_limited", waited, {})


async def test_a_call_that_may_have_been_billed_is_asked_again_only_on_request(path: Path) -> None:
    provider = fails_at(fails("unknown"))
    with unsynced(path) as ledger:
        first = await collected(Runner(provider, IDENTITY, ledger), requests(3))
        second = await collected(Runner(provider, IDENTITY, ledger), requests(3))
        asked_before = len(provider.asked)
        third = await collected(Runner(provider, IDENTITY, ledger, again=Again(unknown=True)), requests(3))
    key = requests(1)[0].key
    assert settled(first)[key] == settled(second)[key] == fails("unknown")
    assert (asked_before, len(provider.asked)) == (3, 4)
    assert settled(third)[key] == reply_to(requests(1)[0])


async def test_five_calls_in_a_row_without_an_end_stop_the_run(path: Path) -> None:
    provider = Counting(lambda _request, _number: fails("unknown"))
    with unsynced(path) as ledger:
        events = await collected(Runner(provider, IDENTITY, ledger), requests(9))
    assert (len(provider.asked), len(settled(events))) == (5, 5)
    ending = stop(events)
    assert ending is not None
    assert ending.kind == "unknown"


@pytest.mark.parametrize("kind", ["refused", "truncated", "malformed"])
async def test_what_was_billed_without_a_reply_is_asked_again_only_on_request(kind: str, path: Path) -> None:
    provider = fails_at(fails(kind))
    with unsynced(path) as ledger:
        for _ in range(2):
            events = await collected(Runner(provider, IDENTITY, ledger), requests(2))
        assert (len(provider.asked), settled(events)[requests(1)[0].key]) == (2, fails(kind))
        again = await collected(Runner(provider, IDENTITY, ledger, again=Again(errors=True)), requests(2))
    assert (len(provider.asked), settled(again)[requests(1)[0].key]) == (3, reply_to(requests(1)[0]))


@pytest.mark.parametrize("kind", ["bad_request", "not_found", "too_large"])
async def test_what_was_declined_unbilled_stands_and_is_asked_again_by_the_next_run(kind: str, path: Path) -> None:
    provider = fails_at(fails(kind))
    with unsynced(path) as ledger:
        first = await collected(Runner(provider, IDENTITY, ledger), requests(2))
        second = await collected(Runner(provider, IDENTITY, ledger), requests(2))
    assert (settled(first)[requests(1)[0].key], stop(first)) == (fails(kind), None)
    assert {type(outcome) for outcome in settled(second).values()} == {Reply}
    assert len(provider.asked) == 3


async def test_a_reply_that_was_no_verdict_is_asked_again_only_by_its_key(path: Path) -> None:
    provider = Counting(lambda request, number: Reply(text=f"reply {number}", model=request.model), 1)
    with unsynced(path) as ledger:
        await collected(Runner(provider, IDENTITY, ledger), requests(2))
        keys = [requests(2)[1].key]
        events = await collected(Runner(provider, IDENTITY, ledger, again=Again(keys=keys)), requests(2))
    texts = [outcome.text for outcome in settled(events).values() if isinstance(outcome, Reply)]
    assert texts == ["reply 1", "reply 3"]


async def test_calls_that_are_out_and_the_next_one_fit_into_the_budget(path: Path) -> None:
    provider = Counting(lambda request, _number: reply_to(request, tokens=100))
    with unsynced(path) as ledger:
        runner = Runner(provider, IDENTITY, ledger, concurrency=4, max_cost=1.0, price=ByToken(most=0.4))
        events = await collected(runner, requests(20))
        spent = ledger.spent
    ending = stop(events)
    assert ending is not None
    assert (ending.kind, spent.usd, len(settled(events))) == ("budget", 0.7, 7)
    assert provider.most_out <= 2
    assert ending.reason == "0.7000 of 1 USD are spent at most, and the next call may cost 0.4000"


async def test_a_later_run_counts_what_the_earlier_ones_cost(path: Path) -> None:
    provider = Counting(lambda request, _number: reply_to(request, tokens=100))
    for expected in (4, 0, 0):
        before = len(provider.asked)
        with unsynced(path) as ledger:
            runner = Runner(provider, IDENTITY, ledger, concurrency=1, max_cost=0.4, price=ByToken(most=0.1))
            events = await collected(runner, requests(9))
        assert len(provider.asked) - before == expected
        assert (len(settled(events)), getattr(stop(events), "kind", "")) == (4, "budget")


async def test_a_call_that_does_not_say_what_it_cost_counts_as_the_worst(path: Path) -> None:
    provider = Counting(lambda request, _number: reply_to(request, tokens=None))
    with unsynced(path) as ledger:
        runner = Runner(provider, IDENTITY, ledger, max_cost=1.0, price=ByToken(most=0.4))
        events = await collected(runner, requests(9))
        spent = ledger.spent
    assert (len(settled(events)), spent.usd, spent.uncertain_usd) == (2, 0.0, 0.8)


async def test_without_a_known_price_a_budget_cannot_be_kept_and_nothing_is_asked(path: Path) -> None:
    provider = Counting()
    with unsynced(path) as ledger:
        events = await collected(Runner(provider, IDENTITY, ledger, max_cost=1.0), requests(3))
        unlimited = await collected(Runner(provider, IDENTITY, ledger), requests(3))
        spent = ledger.spent
    ending = stop(events)
    assert ending is not None
    assert (ending.kind, settled(events)) == ("budget", {})
    assert "the price of claude-haiku-5-5 is not known" in ending.reason
    assert (len(settled(unlimited)), spent.unpriced) == (3, 3)


@settings(max_examples=40)
@given(
    most=st.floats(0.05, 0.5),
    limit=st.floats(0.1, 3.0),
    calls=st.lists(st.integers(0, 50) | st.sampled_from([None, "unknown", "refused", "connection"]), max_size=25),
)
def test_no_order_of_costs_and_failures_spends_more_than_the_budget(
    most: float, limit: float, calls: list[int | str | None], tmp_path_factory: pytest.TempPathFactory
) -> None:
    def says(request: Request, number: int) -> Outcome:
        said = calls[number - 1] if number <= len(calls) else 10
        return fails(said) if isinstance(said, str) else reply_to(request, said)

    async def ask() -> float:
        with unsynced(tmp_path_factory.mktemp("l") / "l.jsonl") as ledger:
            runner = Runner(Counting(says), IDENTITY, ledger, max_cost=limit, price=ByToken(most), sleep=Waits())
            await collected(runner, requests(25))
            return ledger.spent.at_most

    assert asyncio.run(ask()) <= limit + 1e-6


async def test_a_cancelled_run_lets_calls_end_that_are_out(path: Path) -> None:
    provider, grace = Counting(), Held()
    with unsynced(path) as ledger:
        runner = Runner(provider, IDENTITY, ledger, concurrency=3, sleep=grace)
        run = asyncio.create_task(collected(runner, requests(9)))
        await provider.arrived(1)
        provider.gate = asyncio.Event()
        await provider.arrived(4)
        runner.cancel()
        runner.cancel()
        provider.gate.set()
        events = await run
        unknown = ledger.intents_open()
    assert (len(settled(events)), len(provider.asked), unknown) == (4, 4, frozenset())
    assert stop(events) == Stopped("cancelled", "cancelled: what is judged is kept")


async def test_a_cancelled_run_cuts_calls_that_do_not_end(path: Path) -> None:
    provider, grace = Counting(), Held()
    provider.gate = asyncio.Event()
    with unsynced(path) as ledger:
        runner = Runner(provider, IDENTITY, ledger, sleep=grace)
        run = asyncio.create_task(collected(runner, requests(3)))
        await provider.arrived(1)
        runner.cancel()
        grace.over.set()
        events = await run
        recorded = ledger.reply(requests(1)[0].key)
    assert grace.seconds == [GRACE]
    assert recorded is not None
    assert isinstance(recorded.outcome, Failure)
    assert (recorded.outcome.kind, settled(events)) == ("unknown", {requests(1)[0].key: recorded.outcome})


async def test_a_wait_ends_when_the_run_is_cancelled(path: Path) -> None:
    provider, wait = fails_at(fails("rate_limited", 60)), Held()
    with unsynced(path) as ledger:
        runner = Runner(provider, IDENTITY, ledger, sleep=wait)
        events = aiter(runner.run(by_key(requests(3))))
        assert await anext(events) == Waiting(60, "scripted rate_limited")
        runner.cancel()
        assert [type(event) for event in [event async for event in events]] == [Stopped]


async def test_a_run_that_nobody_listens_to_any_more_leaves_no_call_and_no_task(path: Path) -> None:
    provider = Counting()
    with unsynced(path) as ledger:
        events = Runner(provider, IDENTITY, ledger, concurrency=3).run(by_key(requests(9)))
        await anext(aiter(events))
        provider.gate = asyncio.Event()
        following = asyncio.ensure_future(anext(aiter(events)))
        await provider.arrived(4)
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
        kinds = Counter(getattr(recorded.outcome, "kind", "reply") for recorded in ledger.recorded())
    assert (provider.out, len(asyncio.all_tasks())) == (0, 1)
    assert kinds == {"reply": 1, "unknown": 3}


async def test_an_error_of_ours_in_a_provider_ends_the_run_and_the_call_stays_unknown(path: Path) -> None:
    def broken(_request: Request, _number: int) -> Outcome:
        raise ZeroDivisionError

    with unsynced(path) as ledger:
        with pytest.raises(ZeroDivisionError):
            await collected(Runner(Counting(broken), IDENTITY, ledger), requests(3))
        assert ledger.intents_open() == {requests(1)[0].key}


async def test_a_ledger_that_is_only_read_answers_and_nobody_is_asked(path: Path) -> None:
    provider = Counting(lambda request, number: fails("bad_request") if number == 2 else reply_to(request))
    with unsynced(path) as ledger:
        first = await collected(Runner(provider, IDENTITY, ledger, concurrency=1), requests(3))
    before = path.read_bytes()
    ledger = Ledger.read(path)
    again = await collected(Runner(provider, IDENTITY, ledger, again=Again(unknown=True, errors=True)), requests(4))
    assert {key: outcome for key, outcome in settled(again).items() if key in settled(first)} == settled(first)
    assert settled(again)[requests(4)[3].key] == Failure(kind="not_found", reason="the ledger has no answer to this")
    assert (len(provider.asked), path.read_bytes()) == (3, before)


async def test_what_waits_in_a_batch_is_not_asked_live_whatever_is_asked_again(path: Path) -> None:
    provider = Counting()
    keys = [request.key for request in requests(2)]
    with unsynced(path) as ledger:
        ledger.introduce(IDENTITY)
        ledger.intend_batch("chunk", keys, 0.1)
        events = await collected(Runner(provider, IDENTITY, ledger, again=Again(unknown=True)), requests(3))
        ledger.give_up_batch("chunk", "it was never created")
        later = await collected(Runner(provider, IDENTITY, ledger), requests(3))
        last = await collected(Runner(provider, IDENTITY, ledger, again=Again(unknown=True)), requests(3))
    kinds = [[getattr(found[key], "kind", "reply") for key in keys] for found in map(settled, (events, later, last))]
    assert kinds == [["unknown"] * 2, ["unknown"] * 2, ["reply"] * 2]
    assert len(provider.asked) == 3


async def test_a_disk_that_takes_no_intent_stops_the_run_before_the_call(path: Path) -> None:
    room = iter([True])

    def sync(descriptor: int) -> None:
        if not next(room, False):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    provider = Counting()
    with Ledger.open(path, sync=sync) as ledger:
        events = await collected(Runner(provider, IDENTITY, ledger), requests(3))
    assert events == [Stopped("ledger", f"the ledger cannot be written: No space left on device: {path}")]
    assert provider.asked == []


async def test_a_disk_that_takes_no_reply_stops_the_run_and_still_tells_the_reply(path: Path) -> None:
    room = iter([True, True])

    def sync(descriptor: int) -> None:
        if not next(room, False):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    provider = Counting()
    with Ledger.open(path, sync=sync) as ledger:
        events = await collected(Runner(provider, IDENTITY, ledger), requests(3))
    assert (len(settled(events)), len(provider.asked), getattr(stop(events), "kind", "")) == (1, 1, "ledger")

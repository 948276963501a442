"""A judge by message batches against a real server: every request once, whatever is lost, and nothing sent twice."""

from __future__ import annotations

import asyncio
import errno
import os
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.judge.budget import PerToken
from agent_tui.judge.events import BUDGET, CANCELLED, LEDGER, Event, Settled, UnderWay, Waiting
from agent_tui.judge.known import Again
from agent_tui.judge.runner import GRACE
from agent_tui.providers.batch_chunks import chunks, custom_id
from agent_tui.providers.contract import Reply
from agent_tui.providers.ledger import Ledger
from tests.judge.batching import CREATE, LIST, PRICE, RESULTS, SHOW, Batching, asks, batches_of, said, sent
from tests.judge.counting import Held, settled, stop
from tests.providers.asking import KEY, forget_credentials
from tests.providers.batch_sender import JUDGE, MIDNIGHT
from tests.providers.behaviour import Behaviour, error, hung_up, overloaded, rate_limited, stalled
from tests.providers.loopback import Loopback
from tests.providers.verdicts import by_answer

ALL = asks(8)
KEYS = {request.key for request in ALL}
WORST = max(PRICE.worst(request) or 0.0 for request in ALL)
NAMES = [custom_id(request) for request in ALL]
RETRY_UNKNOWN = Again(unknown=True)


@pytest.fixture
async def batching(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Batching]:
    forget_credentials(monkeypatch, tmp_path)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    verdicts = {f"answer {place}": ("pass", "fail")[place % 2] for place in range(len(ALL))}
    async with Loopback(by_answer(verdicts), key=KEY) as server:
        yield Batching(server, tmp_path / "l.jsonl")


async def test_every_request_is_settled_once_and_only_what_was_lost_is_sent_again(batching: Batching) -> None:
    server = batching.server
    server.looks = 3
    server.script(error(404, "not_found_error"), error(404, "not_found_error"), at=SHOW)
    lost = {1: "errored:overloaded_error", 2: "expired", 3: "missing", 4: "canceled"}
    server.fates.append({**lost, 5: "errored:invalid_request_error", 6: "twice"})
    events = await batching.run(ALL)
    told = [event.request.key for event in events if isinstance(event, Settled)]
    assert (Counter(told), stop(events)) == (Counter(KEYS), None)
    assert said(settled(events)) == {"pass": 4, "fail": 3, "bad_request": 1}
    assert batches_of(server) == [NAMES, [NAMES[place] for place in (4, 2, 1, 3)]]
    attempts = {event.request.key: event.attempts for event in events if isinstance(event, Settled)}
    assert [attempts[request.key] for request in ALL] == [1, 2, 2, 2, 2, 1, 1, 1]
    assert batching.waits.seconds == [1.0, 2.0, 5.0, 10.0, 20.0, 5.0, 10.0, 20.0]


async def test_a_second_run_sends_nothing_and_says_the_same(batching: Batching) -> None:
    first = await batching.outcomes(ALL)
    events = await batching.run(ALL)
    assert settled(events) == first
    assert all(event.from_ledger for event in events if isinstance(event, Settled))
    assert batching.server.asked(CREATE) == 1


async def test_a_request_that_is_lost_again_and_again_fails_in_the_end_and_is_free_for_later(
    batching: Batching,
) -> None:
    batching.server.fates += [{0: "expired"}, {0: "expired"}, {0: "missing"}]
    outcomes = await batching.outcomes(ALL)
    assert said(outcomes) == {"pass": 3, "fail": 4, "overloaded": 1}
    assert sent(batching.server)[NAMES[0]] == 3
    assert Ledger.read(batching.path).spent.uncertain_usd == 0.0
    assert said(await batching.outcomes(ALL)) == {"pass": 4, "fail": 4}
    assert sent(batching.server) == {NAMES[0]: 4} | dict.fromkeys(NAMES[1:], 1)


async def test_what_is_out_is_told_by_batches_and_time_and_never_as_a_share(batching: Batching) -> None:
    batching.server.looks = 2
    events = await batching.run(ALL)
    assert [event for event in events if isinstance(event, UnderWay)] == [
        UnderWay(batches=1, searched=0, ended=0, seconds=3600.0)
    ] * 3
    assert all(isinstance(event, Settled) for event in events[3:])


FATES = ("errored:overloaded_error", "errored:invalid_request_error", "expired", "canceled", "missing", "twice")


@settings(max_examples=40)
@given(st.lists(st.dictionaries(st.integers(0, 4), st.sampled_from(FATES)), max_size=5))
def test_whatever_is_lost_each_request_is_settled_once_and_none_is_paid_for_twice(fates: list[dict[int, str]]) -> None:
    asked = asks(5)

    async def check(folder: Path) -> None:
        async with Loopback(by_answer({}, "pass"), key=KEY) as server:
            server.fates += fates
            batching = Batching(server, folder / "l.jsonl")
            events = await batching.run(asked)
            told = Counter(event.request.key for event in events if isinstance(event, Settled))
            assert (told, stop(events)) == (Counter(request.key for request in asked), None)
            assert max(sent(server).values()) <= 3
            paid = sum(isinstance(outcome, Reply) for outcome in settled(events).values())
            made = sum(batch.kinds[place] == "succeeded" and batch.fates.get(place) != "missing"
                       for batch in server.batches.values() for place in range(len(batch.requests)))  # fmt: skip
            assert paid == made
            spent = Ledger.read(batching.path).spent
            assert (spent.unpriced, spent.uncertain_usd, spent.usd > 0) == (0, 0.0, paid > 0)

    with pytest.MonkeyPatch.context() as monkeypatch, TemporaryDirectory() as name:
        forget_credentials(monkeypatch, Path(name))
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        asyncio.run(check(Path(name)))


# Taken up again


async def cancelled(batching: Batching) -> None:
    """A run that is cancelled while it waits for its batch, which does not end by itself."""
    batching.server.looks = 1_000
    held = Held()
    run = asyncio.create_task(batching.run(ALL, sleep=held))
    await batching.server.arrived(1, SHOW)
    while not held.seconds:
        await asyncio.sleep(0)
    batching.runner.cancel()
    await run


def end_all(server: Loopback) -> None:
    """Have every batch end when it is looked at next, later ones too."""
    server.looks = 0
    for batch in server.batches.values():
        batch.looks_left = 0


async def test_a_cancelled_run_leaves_its_batch_at_the_service_and_names_it(batching: Batching) -> None:
    await cancelled(batching)
    ended = stop(batching.events)
    assert ended is not None
    assert ended.kind == CANCELLED
    assert ended.reason.endswith("at the service, to be read later: msgbatch_000001")
    assert batching.server.batches["msgbatch_000001"].status == "in_progress"
    assert settled(batching.events) == {}


async def test_a_run_taken_up_again_reads_the_batch_and_sends_nothing(batching: Batching) -> None:
    await cancelled(batching)
    end_all(batching.server)
    events = await batching.run(ALL)
    told = [(event.request.key, event.from_ledger) for event in events if isinstance(event, Settled)]
    assert Counter(told) == Counter((key, False) for key in KEYS)
    assert (said(settled(events)), batching.server.asked(CREATE)) == ({"pass": 4, "fail": 4}, 1)


async def test_a_run_that_is_cancelled_while_it_reads_keeps_what_it_has_and_reads_the_rest_later(
    batching: Batching,
) -> None:
    def cancel_at_the_first(event: Event) -> None:
        if isinstance(event, Settled):
            batching.runner.cancel()

    events = await batching.run(ALL, told=cancel_at_the_first)
    assert (len(settled(events)), getattr(stop(events), "kind", "")) == (1, CANCELLED)
    assert said(await batching.outcomes(ALL)) == {"pass": 4, "fail": 4}
    assert batching.server.asked(CREATE) == 1


async def test_what_is_asked_beside_an_open_batch_goes_into_another_once_that_was_read(batching: Batching) -> None:
    await cancelled(batching)
    end_all(batching.server)
    more = asks(11)
    assert len(await batching.outcomes(more)) == 11
    assert batches_of(batching.server) == [NAMES, [custom_id(request) for request in more[8:]]]
    came = batching.server.log
    assert came.index(batching.server.requests(RESULTS)[0]) < came.index(batching.server.requests(CREATE)[1])


async def test_an_open_batch_of_other_asks_is_left_alone(batching: Batching) -> None:
    await cancelled(batching)
    batching.server.looks = 0
    others = asks(11)[8:]
    assert len(await batching.outcomes(others)) == 3
    assert [batch.id for batch in Ledger.read(batching.path).batches()] == ["msgbatch_000001"]


async def test_asks_of_an_open_batch_that_nobody_asks_any_more_are_kept_all_the_same(batching: Batching) -> None:
    batching.server.fates.append({5: "expired"})
    await cancelled(batching)
    end_all(batching.server)
    assert len(await batching.outcomes(ALL[:2])) == 2
    outcomes = [recorded.outcome for recorded in Ledger.read(batching.path).recorded()]
    assert (len(outcomes), sum(isinstance(outcome, Reply) for outcome in outcomes)) == (8, 7)
    assert batches_of(batching.server) == [NAMES]


async def test_a_batch_that_is_being_sent_when_the_run_is_cancelled_still_gets_its_id(batching: Batching) -> None:
    batching.server.script(stalled(), at=CREATE)
    run = asyncio.create_task(batching.run(ALL, sleep=Held()))
    await batching.server.arrived(1, CREATE)
    batching.runner.cancel()
    batching.server.release()
    ended = stop(await run)
    assert ended is not None
    assert ended.reason.endswith("msgbatch_000001")
    assert batching.server.asked(SHOW) == 0


async def test_a_batch_whose_id_does_not_come_in_time_is_cut_off_and_found_later(batching: Batching) -> None:
    batching.server.script(stalled(), at=CREATE)
    held = Held()
    run = asyncio.create_task(batching.run(ALL, sleep=held))
    await batching.server.arrived(1, CREATE)
    batching.runner.cancel()
    held.over.set()
    ended = stop(await run)
    assert ended is not None
    assert ended.reason.endswith("one whose id never came")
    assert held.seconds == [GRACE]
    batching.server.batches["msgbatch_000001"].end(batching.server)
    assert said(await batching.outcomes(ALL)) == {"pass": 4, "fail": 4}
    assert batching.server.asked(CREATE) == 1


# Batches whose id never came


async def test_a_batch_that_may_have_been_made_is_looked_for_and_not_sent_again(batching: Batching) -> None:
    batching.server.script(hung_up(), at=CREATE)

    async def end_soon(seconds: float) -> None:
        if batching.server.asked(LIST) == 2:
            batching.server.batches["msgbatch_000001"].end(batching.server)

    events = await batching.run(ALL, sleep=end_soon)
    assert said(settled(events)) == {"pass": 4, "fail": 4}
    assert (batching.server.asked(CREATE), batching.server.asked(LIST)) == (1, 3)
    assert UnderWay(batches=1, searched=1, ended=0, seconds=3600.0) in events


def intend(batching: Batching) -> None:
    """What a ledger holds when the program ends before the batch leaves."""
    with Ledger.open(batching.path, clock=lambda: MIDNIGHT) as ledger:
        ledger.introduce(JUDGE)
        (chunk,) = chunks(ALL)
        ledger.intend_batch(chunk.name, [request.key for request in ALL], WORST)


async def test_a_batch_that_never_reached_the_service_is_sent_after_all(batching: Batching) -> None:
    intend(batching)
    assert said(await batching.outcomes(ALL)) == {"pass": 4, "fail": 4}
    assert batches_of(batching.server) == [NAMES]


async def test_a_batch_that_cannot_be_looked_for_keeps_its_asks(batching: Batching) -> None:
    intend(batching)
    batching.server.always(error(404, "not_found_error"), at=LIST)
    ended = stop(await batching.run(ALL, again=RETRY_UNKNOWN))
    assert ended is not None
    assert (ended.kind, batching.server.asked(CREATE)) == ("not_found", 0)
    assert len(Ledger.read(batching.path).batches()) == 1


# Trouble


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404])
async def test_a_batch_that_is_refused_ends_the_run_and_costs_nothing(batching: Batching, status: int) -> None:
    batching.server.always(error(status), at=CREATE)
    events = await batching.run(ALL)
    assert (settled(events), batching.server.asked(CREATE)) == ({}, 1)
    assert stop(events) is not None
    assert Ledger.read(batching.path).spent.at_most == 0.0
    batching.server.always(None, at=CREATE)
    assert said(await batching.outcomes(ALL)) == {"pass": 4, "fail": 4}


async def test_a_service_that_is_busy_gets_its_batch_later(batching: Batching) -> None:
    batching.server.script(rate_limited("7"), overloaded(), at=CREATE)
    events = await batching.run(ALL)
    assert [event.seconds for event in events if isinstance(event, Waiting)] == [7.0, 1.0]
    assert batching.waits.seconds == [7.0, 10.0]
    assert said(settled(events)) == {"pass": 4, "fail": 4}
    assert max(sent(batching.server).values()) == 3


async def test_a_service_that_takes_no_batch_is_left_after_a_while(batching: Batching) -> None:
    batching.server.always(overloaded(), at=CREATE)
    ended = stop(await batching.run(ALL))
    assert ended is not None
    assert (ended.kind, batching.server.asked(CREATE)) == ("overloaded", 5)


async def test_a_wait_that_is_too_long_ends_the_run(batching: Batching) -> None:
    batching.server.script(rate_limited("86400"), at=CREATE)
    ended = stop(await batching.run(ALL))
    assert ended is not None
    assert "asks to wait 86,400 s" in ended.reason
    assert batching.waits.seconds == []


async def test_a_batch_that_is_too_large_goes_in_halves(batching: Batching) -> None:
    batching.server.script(error(413, "request_too_large"), at=CREATE)
    assert said(await batching.outcomes(ALL)) == {"pass": 4, "fail": 4}
    assert batches_of(batching.server) == [NAMES, NAMES[:4], NAMES[4:]]


async def test_a_single_request_that_is_too_large_fails_alone(batching: Batching) -> None:
    batching.server.script(*[error(413, "request_too_large")] * 2, at=CREATE)
    assert said(await batching.outcomes(ALL[:2])) == {"too_large": 1, "fail": 1}


async def test_a_service_that_is_away_for_a_while_is_waited_for(batching: Batching) -> None:
    batching.server.script(*[overloaded()] * 12, at=SHOW)
    events = await batching.run(ALL)
    assert said(settled(events)) == {"pass": 4, "fail": 4}
    assert [event.seconds for event in events if isinstance(event, Waiting)] == [30.0]
    assert batching.server.asked(CREATE) == 1


async def test_a_service_that_stays_away_ends_the_run_and_keeps_the_batch(batching: Batching) -> None:
    batching.server.always(overloaded(), at=SHOW)
    ended = stop(await batching.run(ALL))
    assert ended is not None
    assert "no answer after 25 tries in a row" in ended.reason
    assert ended.reason.endswith("msgbatch_000001")
    assert [batch.id for batch in Ledger.read(batching.path).batches()] == ["msgbatch_000001"]
    batching.server.always(None, at=SHOW)
    assert said(await batching.outcomes(ALL)) == {"pass": 4, "fail": 4}
    assert batching.server.asked(CREATE) == 1


async def test_a_batch_that_is_gone_is_given_up_with_consent_alone(batching: Batching) -> None:
    batching.server.always(error(404, "not_found_error"), at=SHOW)
    ended = stop(await batching.run(ALL))
    assert ended is not None
    assert "msgbatch_000001: HTTP 404" in ended.reason
    assert "--retry-unknown gives it up" in ended.reason
    del batching.server.batches["msgbatch_000001"]
    batching.server.always(None, at=SHOW)
    assert said(await batching.outcomes(ALL, RETRY_UNKNOWN)) == {"pass": 4, "fail": 4}
    assert batches_of(batching.server) == [NAMES, NAMES]
    assert Ledger.read(batching.path).spent.uncertain_usd == pytest.approx(8 * WORST)


async def test_results_that_break_off_are_read_again_and_told_once(batching: Batching) -> None:
    batching.server.script(Behaviour(drop_after=1_500), *[overloaded()] * 12, at=RESULTS)
    events = await batching.run(ALL)
    assert Counter(event.request.key for event in events if isinstance(event, Settled)) == Counter(KEYS)
    assert batching.server.asked(CREATE) == 1


async def test_a_credential_that_ends_within_a_batch_ends_the_run_after_it_was_read(batching: Batching) -> None:
    batching.server.fates.append({2: "errored:billing_error"})
    events = await batching.run(ALL)
    ended = stop(events)
    assert ended is not None
    assert (ended.kind, len(settled(events))) == ("payment", 7)
    assert said(await batching.outcomes(ALL)) == {"pass": 4, "fail": 4}
    assert sent(batching.server)[NAMES[2]] == 2


async def test_a_ledger_that_cannot_be_written_ends_the_run_and_nothing_is_sent_twice(batching: Batching) -> None:
    lines = 0

    def full(_descriptor: int) -> None:
        nonlocal lines
        lines += 1
        if lines == 6:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    ended = stop(await batching.run(ALL, sync=full))
    assert ended is not None
    assert (ended.kind, "No space left on device" in ended.reason) == (LEDGER, True)
    assert said(await batching.outcomes(ALL)) == {"pass": 4, "fail": 4}
    assert batching.server.asked(CREATE) == 1


# Money


async def test_nothing_is_sent_that_cannot_be_paid_at_its_worst(batching: Batching) -> None:
    ended = stop(await batching.run(ALL, max_cost=WORST / 2))
    assert ended is not None
    assert (ended.kind, batching.server.asked(CREATE)) == (BUDGET, 0)


async def test_as_much_is_sent_as_can_be_paid_and_more_when_it_cost_less(batching: Batching) -> None:
    events = await batching.run(ALL, max_cost=3 * WORST)
    assert said(settled(events)) == {"pass": 4, "fail": 4}
    assert [len(batch) for batch in batches_of(batching.server)] == [3, 2, 2, 1]
    spent = Ledger.read(batching.path).spent
    assert 0 < spent.usd < 3 * WORST
    assert spent.uncertain_usd == 0.0


async def test_a_batch_costs_half_of_the_same_calls(batching: Batching) -> None:
    outcomes = await batching.outcomes(ALL)
    usages = [outcome.usage for outcome in outcomes.values() if isinstance(outcome, Reply)]
    alone = [PerToken(PRICE.prices).cost(usage) for usage in usages if usage is not None]
    spent = Ledger.read(batching.path).spent
    assert spent.usd == pytest.approx(sum(usd or 0.0 for usd in alone) / 2, rel=1e-3)
    assert spent.usd > 0


async def test_the_worst_of_an_open_batch_is_kept_from_what_may_be_spent(batching: Batching) -> None:
    await cancelled(batching)
    more = asks(9)
    batching.server.looks = 1_000
    held = Held()
    run = asyncio.create_task(batching.run(more, max_cost=8.5 * WORST, sleep=held))
    await batching.server.arrived(2, SHOW)
    batching.runner.cancel()
    await run
    assert batching.server.asked(CREATE) == 1
    end_all(batching.server)
    assert len(settled(await batching.run(more, max_cost=8.5 * WORST))) == 9
    assert [len(batch) for batch in batches_of(batching.server)] == [8, 1]

"""Message batches against a real server: every ask once, whatever is lost on the way, and nothing sent twice."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import sys
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from anthropic.types.messages.batch_create_params import Request as Entry
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from agent_tui.providers.anthropic_client import Connection, connect
from agent_tui.providers.batch_chunks import MOST_REQUESTS, Chunk, batch_body, chunks, custom_id
from agent_tui.providers.batch_replies import BatchState, Ending, Lost, Settled
from agent_tui.providers.batch_search import Found, NeverSent, Search, Undecided, find
from agent_tui.providers.batches import Batches
from agent_tui.providers.contract import Failure, Reply
from agent_tui.providers.ledger import Ledger
from tests.providers.asking import KEY, ask_about, forget_credentials
from tests.providers.batch_sender import JUDGE, MIDNIGHT
from tests.providers.behaviour import Behaviour, changed, error, half_closed, hung_up, overloaded, page, stalled
from tests.providers.loopback import Loopback
from tests.providers.verdicts import by_answer

CREATE = "POST /v1/messages/batches"
SHOW = "GET /v1/messages/batches/{id}"
RESULTS = "GET /v1/messages/batches/{id}/results"
ANSWERS = [f"answer {number}" for number in range(8)]


class Bench:
    """A server, a connection to it, a ledger and batches that wait without waiting."""

    def __init__(self, server: Loopback, connection: Connection, path: Path) -> None:
        self.server = server
        self.connection = connection
        self.path = path
        self.slept: list[float] = []
        self.open()

    def open(self) -> None:
        """Take the ledger up, as the program does when it starts again."""
        self.ledger = Ledger.open(self.path, clock=lambda: MIDNIGHT)
        self.batches = Batches(self.connection, JUDGE, self.ledger, sleep=self._sleep)

    def reopen(self) -> None:
        self.ledger.close()
        self.open()

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    async def send(self, *answers: str) -> str:
        made = await self.batches.send(chunk_of(*answers), 0.01)
        assert isinstance(made, str)
        return made

    def intend(self, *answers: str) -> None:
        """What stands in the ledger before a batch is sent."""
        self.ledger.introduce(JUDGE)
        self.ledger.intend_batch(chunk_of(*answers).name, keys_of(*answers), 0.01)

    async def watched(self, made: str) -> list[BatchState | Failure]:
        """What a batch shows at each look until it has ended; a failure is the last."""
        states = [await self.batches.look(made)]
        while isinstance(states[-1], BatchState) and not states[-1].is_ended:
            states.append(await self.batches.look(made))
        return states

    async def endings(self, made: str, *answers: str) -> list[Ending | Failure]:
        return [ending async for ending in self.batches.results(made, keys_of(*answers))]

    async def search(self, after: timedelta = timedelta(hours=1)) -> Search:
        (orphan,) = self.ledger.batches()
        return await find(orphan, self.connection, self.batches, self.ledger, now=lambda: MIDNIGHT + after)


@pytest.fixture
async def bench(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Bench]:
    forget_credentials(monkeypatch, tmp_path)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    async with Loopback(by_answer(dict.fromkeys(ANSWERS, "pass")), key=KEY) as server:
        connection = connect(server.url)
        assert isinstance(connection, Connection)
        bench = Bench(server, connection, tmp_path / "ledger.jsonl")
        yield bench
        bench.ledger.close()
        await connection.client.close()


def chunk_of(*answers: str) -> Chunk:
    (chunk,) = chunks([ask_about(answer) for answer in answers])
    return chunk


def keys_of(*answers: str) -> list[str]:
    return [ask_about(answer).key for answer in answers]


class TestChunks:
    """How requests are put together and named."""

    @given(st.lists(st.integers(0, 30), max_size=40), st.integers(1, 7), st.integers(1, 20_000))
    def test_chunks_hold_every_ask_once_in_order_and_within_their_limits(
        self, numbers: list[int], most: int, size: int
    ) -> None:
        asked = [ask_about(str(number)) for number in numbers]
        made = list(chunks(asked, most_requests=most, most_bytes=size))
        assert [request for chunk in made for request in chunk.requests] == list(dict.fromkeys(asked))
        assert all(len(chunk.requests) <= most for chunk in made)
        assert all(
            len(chunk.requests) == 1 or len(batch_body(chunk)) <= size + len('{"requests":[]}') for chunk in made
        )

    def test_a_name_within_a_batch_is_the_key_and_the_repeat(self) -> None:
        request = ask_about("Paris", k=2)
        assert custom_id(request) == f"{request.key[:32]}-k2"
        assert re.fullmatch("[a-zA-Z0-9_-]{1,64}", custom_id(request))

    def test_a_chunk_is_named_by_what_is_in_it(self) -> None:
        assert chunk_of("a", "b").name == chunk_of("a", "b").name
        assert len({chunk_of("a", "b").name, chunk_of("b", "a").name, chunk_of("a").name}) == 3

    def test_a_chunk_holds_ten_thousand_at_most(self) -> None:
        request = ask_about("Paris")
        many = [structs.replace(request, key=f"{number:064x}") for number in range(MOST_REQUESTS + 1)]
        assert [len(chunk.requests) for chunk in chunks(many)] == [MOST_REQUESTS, 1]


async def test_every_ask_ends_once_and_only_what_was_lost_is_asked_again(bench: Bench) -> None:
    lost = {1: "errored:overloaded_error", 2: "expired", 3: "missing", 4: "canceled"}
    bench.server.fates.append({**lost, 5: "errored:invalid_request_error", 6: "twice"})
    bench.server.looks = 3
    bench.server.script(error(404, "not_found_error"), error(404, "not_found_error"), at=SHOW)
    made = await bench.send(*ANSWERS)
    states = await bench.watched(made)
    assert [isinstance(state, BatchState) and state.is_ended for state in states] == [False, False, False, True]

    endings = await bench.endings(made, *ANSWERS)
    assert sorted(ending.key for ending in endings if not isinstance(ending, Failure)) == sorted(keys_of(*ANSWERS))
    again = [ending.key for ending in endings if isinstance(ending, Lost)]
    assert set(again) == set(keys_of(*(ANSWERS[place] for place in lost)))
    settled = {ending.key: ending.outcome for ending in endings if isinstance(ending, Settled)}
    failed = {key: outcome.kind for key, outcome in settled.items() if isinstance(outcome, Failure)}
    assert failed == dict.fromkeys(keys_of(ANSWERS[5]), "bad_request")

    second = await bench.send(*(ANSWERS[place] for place in lost))
    rest = [ending async for ending in bench.batches.results(second, again)]
    assert all(isinstance(ending, Failure) for ending in rest), "it has not ended yet"
    assert await bench.watched(second)
    rest = [ending async for ending in bench.batches.results(second, again)]
    assert {ending.key for ending in rest if isinstance(ending, Settled)} == set(again)
    sent = [item["custom_id"] for request in bench.server.requests(CREATE) for item in request.json()["requests"]]
    assert len(sent) == len(ANSWERS) + len(lost)


async def test_a_batch_sends_the_same_message_as_a_single_call_but_for_the_cache(bench: Bench) -> None:
    await bench.send("Paris")
    (asked,) = bench.server.requests(CREATE)[0].json()["requests"]
    params = asked["params"]
    assert params.keys() == {"model", "max_tokens", "system", "messages", "output_config"}
    assert params["system"][-1]["cache_control"] == {"type": "ephemeral", "ttl": "1h"}
    assert params["messages"] == [{"role": "user", "content": ask_about("Paris").user}]


async def test_a_reply_from_a_batch_is_read_as_any_other(bench: Bench) -> None:
    made = await bench.send(ANSWERS[0])
    (ending,) = await bench.endings(made, ANSWERS[0])
    assert isinstance(ending, Settled)
    assert isinstance(ending.outcome, Reply)
    assert json.loads(ending.outcome.text)["verdict"] == "pass"
    assert ending.outcome.usage is not None
    assert ending.outcome.stop_reason == "end"


async def test_the_intent_is_on_the_disk_before_the_batch_is_sent(bench: Bench) -> None:
    bench.server.script(stalled(), at=CREATE)
    sending = asyncio.create_task(bench.send("Paris", "Lyon"))
    await bench.server.arrived(1)
    (intended,) = Ledger.read(bench.path).batches()
    assert (intended.id, set(intended.keys)) == ("", set(keys_of("Paris", "Lyon")))
    bench.server.release()
    made = await sending
    assert [batch.id for batch in Ledger.read(bench.path).batches()] == [made]


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (error(429, "rate_limit_error", retry_after="7"), "rate_limited"),
        (error(400, "invalid_request_error"), "bad_request"),
        (error(401, "authentication_error"), "auth"),
        (error(413), "too_large"),
    ],
)
async def test_asks_of_a_batch_that_was_refused_have_ended_and_cost_nothing(
    bench: Bench, behaviour: Behaviour, kind: str
) -> None:
    bench.server.script(behaviour, at=CREATE)
    outcome = await bench.batches.send(chunk_of("Paris", "Lyon"), 0.01)
    assert isinstance(outcome, Failure)
    assert outcome.kind == kind
    assert bench.ledger.batches() == ()
    assert bench.ledger.intents_open() == frozenset()
    assert bench.ledger.spent.at_most == 0.0
    for key in keys_of("Paris", "Lyon"):
        recorded = bench.ledger.reply(key)
        assert recorded is not None
        assert isinstance(recorded.outcome, Failure)
        assert recorded.outcome.kind == kind


@pytest.mark.parametrize("behaviour", [hung_up(), half_closed(), page(), Behaviour(status=200, body={"id": 7})])
async def test_a_batch_that_may_have_been_made_stays_open_until_it_is_found(bench: Bench, behaviour: Behaviour) -> None:
    bench.server.script(behaviour, at=CREATE)
    outcome = await bench.batches.send(chunk_of("Paris", "Lyon"), 0.01)
    assert isinstance(outcome, Failure)
    assert outcome.kind == "unknown"
    assert [batch.id for batch in bench.ledger.batches()] == [""]
    assert bench.ledger.spent.at_most == pytest.approx(0.02)


async def test_results_that_break_off_come_again_and_count_once(bench: Bench) -> None:
    made = await bench.send(*ANSWERS)
    bench.server.script(half_closed(1_500), hung_up(), overloaded(), page(), at=RESULTS)
    endings = await bench.endings(made, *ANSWERS)
    assert [ending.key for ending in endings if isinstance(ending, Settled)] == list(reversed(keys_of(*ANSWERS)))
    assert len(endings) == len(ANSWERS)
    assert bench.server.asked(RESULTS) == 5
    assert bench.slept == [1.0, 2.0, 4.0, 8.0]


async def test_results_that_never_come_leave_every_ask_open(bench: Bench) -> None:
    made = await bench.send(*ANSWERS)
    bench.server.always(error(404, "not_found_error"), at=RESULTS)
    (failure,) = await bench.endings(made, *ANSWERS)
    assert isinstance(failure, Failure)
    assert failure.kind == "not_found"
    assert sum(bench.slept) == 120.0


async def test_a_new_batch_may_be_unknown_for_two_minutes_and_no_longer(bench: Bench) -> None:
    bench.server.always(error(404, "not_found_error"), at=SHOW)
    outcome = await bench.batches.look("msgbatch_1")
    assert isinstance(outcome, Failure)
    assert outcome.kind == "not_found"
    assert sum(bench.slept) == 120.0


async def test_a_wait_that_is_asked_for_is_kept_unless_it_is_too_long(bench: Bench) -> None:
    bench.server.script(error(429, "rate_limit_error", retry_after="7"), at=SHOW)
    made = await bench.send("Paris")
    assert isinstance(await bench.batches.look(made), BatchState)
    bench.server.script(error(429, "rate_limit_error", retry_after="86400"), at=SHOW)
    outcome = await bench.batches.look(made)
    assert isinstance(outcome, Failure)
    assert (outcome.retry_after, bench.slept) == (86400.0, [7.0])


async def test_a_wrong_key_ends_the_watch_at_once(bench: Bench) -> None:
    made = await bench.send("Paris")
    bench.server.always(error(401, "authentication_error"), at=SHOW)
    (outcome,) = await bench.watched(made)
    assert isinstance(outcome, Failure)
    assert (outcome.kind, bench.slept) == ("auth", [])


async def test_counts_say_nothing_before_the_end(bench: Bench) -> None:
    bench.server.looks = 1
    made = await bench.send("Paris", "Lyon")
    running, ended = await bench.watched(made)
    assert isinstance(running, BatchState)
    assert isinstance(ended, BatchState)
    assert (running.request_counts.succeeded, running.request_counts.total) == (0, 2)
    assert (ended.request_counts.succeeded, ended.request_counts.total) == (2, 2)


async def test_to_stop_watching_is_not_to_cancel(bench: Bench) -> None:
    bench.server.looks = 9
    made = await bench.send("Paris")
    bench.server.script(stalled(), at=SHOW)

    watching = asyncio.create_task(bench.batches.look(made))
    await bench.server.arrived(1, SHOW)
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    assert bench.server.batches[made].status == "in_progress"
    assert [batch.id for batch in bench.ledger.batches()] == [made]


async def test_what_a_cancelled_batch_did_not_do_may_be_asked_again(bench: Bench) -> None:
    bench.server.looks = 9
    made = await bench.send("Paris", "Lyon")
    assert isinstance(await bench.batches.cancel(made), BatchState)
    endings = await bench.endings(made, "Paris", "Lyon")
    assert {ending.key for ending in endings if isinstance(ending, Lost)} == set(keys_of("Paris", "Lyon"))


async def test_the_key_is_not_taken_to_results_at_another_address(bench: Bench) -> None:
    async with Loopback() as elsewhere:
        made = await bench.send("Paris")
        bench.server.always(changed(results_url=f"{elsewhere.url}/v1/messages/batches/{made}/results"), at=SHOW)
        (failure,) = await bench.endings(made, "Paris")
        assert elsewhere.log == []
    assert isinstance(failure, Failure)
    assert "another address" in failure.reason


@pytest.mark.parametrize("url", [None, 7, "nowhere"])
async def test_results_without_an_address_are_a_failure(bench: Bench, url: object) -> None:
    made = await bench.send("Paris")
    bench.server.always(changed(results_url=url), at=SHOW)
    (failure,) = await bench.endings(made, "Paris")
    assert isinstance(failure, Failure)


@pytest.mark.parametrize(
    "line",
    [
        '{"custom_id": 7}',
        '{"custom_id": "NAME", "result": {"type": "a new one"}}',
        '{"custom_id": "NAME", "result": {"type": "errored", "error": "text"}}',
        '{"custom_id": "NAME", "result": {"type": "errored", "error": {"error": {"type": 7}}}}',
        '{"custom_id": "NAME", "result": {"type": "succeeded", "message": {"content": 7}}}',
        '{"custom_id": "NAME", "result": null}',
        "[1]",
        "not JSON",
    ],
)
async def test_a_strange_row_is_no_reply_and_no_error_of_ours(bench: Bench, line: str) -> None:
    made = await bench.send("Paris")
    row = line.replace("NAME", custom_id(ask_about("Paris")))
    bench.server.always(Behaviour(status=200, body=row + "\n", content_type="application/x-jsonl"), at=RESULTS)
    bench.server.looks = 0
    await bench.batches.look(made)
    (ending,) = await bench.endings(made, "Paris")
    assert isinstance(ending, Failure) or (isinstance(ending, Settled) and isinstance(ending.outcome, Failure))


async def test_no_key_reaches_the_ledger(bench: Bench) -> None:
    echo = error(400, "invalid_request_error", message=f"bad header Bearer {KEY} at {bench.server.url}")
    bench.server.script(echo, at=CREATE)
    await bench.batches.send(chunk_of("Paris"), 0.01)
    assert KEY.encode() not in bench.path.read_bytes()
    assert bench.server.url.encode() not in bench.path.read_bytes()


class TestOrphans:
    """A batch whose id never came back."""

    async def test_it_is_found_by_the_names_in_its_results(self, bench: Bench) -> None:
        await self._others(bench)
        made = await self._orphan(bench)
        assert await bench.search() == Found(made)
        assert [batch.id for batch in bench.ledger.batches()] == [made]
        endings = await bench.endings(made, "Paris", "Lyon")
        assert {ending.key for ending in endings if isinstance(ending, Settled)} == set(keys_of("Paris", "Lyon"))

    async def test_until_it_has_ended_nothing_is_decided(self, bench: Bench) -> None:
        bench.server.looks = 5
        made = await self._orphan(bench)
        assert isinstance(await bench.search(), Undecided)
        assert [batch.id for batch in bench.ledger.batches()] == [""]
        assert await bench.watched(made)
        assert await bench.search() == Found(made)

    async def test_a_batch_of_others_is_not_taken_for_it(self, bench: Bench) -> None:
        await self._others(bench)
        bench.intend("Paris", "Lyon")
        assert await bench.search() == NeverSent()
        assert bench.server.asked(RESULTS) == 1

    async def test_an_earlier_batch_of_some_of_its_asks_is_not_taken_for_it(self, bench: Bench) -> None:
        earlier = await bench.send("Paris", "Rome")
        assert await bench.watched(earlier)
        for key in keys_of("Paris", "Rome"):
            bench.ledger.fail(key, Failure(kind="overloaded", reason="lost"), 0.0)
        bench.intend("Paris", "Lyon")
        assert await bench.search() == NeverSent()

    async def test_an_earlier_batch_of_the_very_same_asks_is_not_taken_for_it(self, bench: Bench) -> None:
        bench.server.fates.append({0: "expired", 1: "errored:overloaded_error"})
        earlier = await bench.send("Paris", "Lyon")
        assert await bench.watched(earlier)
        for key in keys_of("Paris", "Lyon"):
            bench.ledger.fail(key, Failure(kind="overloaded", reason="lost"), 0.0)
        bench.intend("Paris", "Lyon")
        bench.reopen()
        assert await bench.search() == NeverSent()

    async def test_one_that_never_left_is_free_again_after_two_minutes(self, bench: Bench) -> None:
        bench.intend("Paris")
        bench.reopen()
        assert isinstance(await bench.search(timedelta(seconds=119)), Undecided)
        assert bench.ledger.is_in_batch(*keys_of("Paris"))
        assert await bench.search(timedelta(seconds=120)) == NeverSent()
        assert not bench.ledger.is_in_batch(*keys_of("Paris"))
        assert bench.ledger.spent.at_most == 0.0
        recorded = bench.ledger.reply(*keys_of("Paris"))
        assert recorded is not None
        assert isinstance(recorded.outcome, Failure)
        assert recorded.outcome.kind == "connection"

    async def test_a_batch_that_is_known_by_its_id_is_not_waited_for(self, bench: Bench) -> None:
        bench.server.looks = 9
        known = await bench.send("Rome", "Oslo")
        bench.intend("Paris", "Lyon")
        other, orphan = bench.ledger.batches()
        assert (other.id, orphan.id) == (known, "")
        later = MIDNIGHT + timedelta(hours=1)
        assert await find(orphan, bench.connection, bench.batches, bench.ledger, now=lambda: later) == NeverSent()

    async def test_a_batch_without_any_result_is_nobodys(self, bench: Bench) -> None:
        bench.server.fates.append({0: "missing", 1: "missing"})
        await self._others(bench)
        bench.intend("Paris", "Lyon")
        assert await bench.search() == NeverSent()

    async def test_one_from_long_before_is_not_looked_at(self, bench: Bench) -> None:
        made = await bench.send("Paris", "Lyon")
        assert await bench.watched(made)
        later = MIDNIGHT + timedelta(hours=2)
        bench.ledger.close()
        bench.ledger = Ledger.open(bench.path.with_name("other.jsonl"), clock=lambda: later)
        bench.batches = Batches(bench.connection, JUDGE, bench.ledger)
        bench.intend("Paris", "Lyon")
        assert await bench.search(timedelta(hours=4)) == NeverSent()
        assert bench.server.asked(RESULTS) == 0

    async def test_it_is_found_among_more_batches_than_a_page_shows(self, bench: Bench) -> None:
        made = await self._orphan(bench)
        for number in range(101):
            await bench.connection.client.messages.batches.create(requests=_alien(f"later {number}"))
        assert await bench.search() == Found(made)
        assert bench.server.asked("GET /v1/messages/batches") == 2

    async def test_a_service_that_cannot_be_asked_decides_nothing(self, bench: Bench) -> None:
        await self._orphan(bench)
        bench.server.script(overloaded(), at="GET /v1/messages/batches")
        assert isinstance(await bench.search(), Failure)
        assert [batch.id for batch in bench.ledger.batches()] == [""]

    async def test_kill_between_the_sending_and_the_id_sends_nothing_twice(self, bench: Bench) -> None:
        bench.ledger.close()
        bench.server.script(stalled(), at=CREATE)
        command = ["-m", "tests.providers.batch_sender", bench.server.url, str(bench.path), "Paris", "Lyon"]
        process = await asyncio.create_subprocess_exec(sys.executable, *command)
        await bench.server.arrived(1, CREATE)
        process.send_signal(signal.SIGKILL)
        assert await process.wait() == -signal.SIGKILL
        bench.open()
        assert [batch.id for batch in bench.ledger.batches()] == [""]
        (made,) = bench.server.batches
        assert await bench.watched(made)
        assert await bench.search() == Found(made)
        for ending in await bench.endings(made, "Paris", "Lyon"):
            assert isinstance(ending, Settled)
            assert isinstance(ending.outcome, Reply)
            bench.ledger.settle(ending.key, ending.outcome, 0.001)
        bench.reopen()
        assert (bench.ledger.batches(), bench.ledger.intents_open()) == ((), frozenset())
        assert bench.ledger.spent.at_most == pytest.approx(0.002)
        assert bench.server.asked(CREATE) == 1

    async def _orphan(self, bench: Bench) -> str:
        """A batch that the service has, and the ledger without its id; the program is started again."""
        bench.server.script(hung_up(), at=CREATE)
        outcome = await bench.batches.send(chunk_of("Paris", "Lyon"), 0.01)
        assert isinstance(outcome, Failure)
        bench.reopen()
        made = list(bench.server.batches)[-1]
        if bench.server.looks == 0:
            bench.server.batches[made].end(bench.server)
        return made

    async def _others(self, bench: Bench) -> None:
        """Batches of somebody else with the same key: as large and ended, and larger."""
        for names in (["x", "y"], ["x", "y", "z"]):
            made = await bench.connection.client.messages.batches.create(requests=_alien(*names))
            bench.server.batches[made.id].end(bench.server)


def _alien(*names: str) -> list[Entry]:
    return [
        {
            "custom_id": name.replace(" ", "-"),
            "params": {
                "model": "claude-haiku-5-5",
                "max_tokens": 5,
                "messages": [{"role": "user", "content": "hello"}],
            },
        }
        for name in names
    ]


async def test_a_large_chunk_goes_and_comes_whole(bench: Bench) -> None:
    answers = [f"answer {number}" for number in range(2_000)]
    made = await bench.send(*answers)
    assert await bench.watched(made)
    endings = await bench.endings(made, *answers)
    assert len({ending.key for ending in endings if isinstance(ending, Settled)}) == 2_000

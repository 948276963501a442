"""`judge --batch`: the same verdicts for half the price, left at the service when it is interrupted, and taken up."""

from __future__ import annotations

import asyncio
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agent_tui.providers.ledger import Ledger
from agent_tui.providers.ledger_index import Spent
from tests.cli.conftest import KEY, Ran, Runs, right_alone
from tests.judge.batching import CREATE, RESULTS, SHOW, batches_of, sent
from tests.providers.behaviour import Behaviour, error, half_closed, stalled
from tests.providers.loopback import Loopback
from tests.providers.serving import serving
from tests.writing import CYBERTRAVELS, ROOT

pytestmark = pytest.mark.usefixtures("unconfigured")
ASKED = ("judge", CYBERTRAVELS, "--batch", "--yes", "--show-anyway", "a demo", "--json")


def in_batches(server: Loopback) -> int:
    """How many requests went out in batches (a count)."""
    return sum(map(len, batches_of(server)))


# Estimate and consent


def test_the_price_in_batches_is_told_beside_the_other(agent_tui: Runs, service: Loopback) -> None:
    ran = agent_tui("judge", CYBERTRAVELS)
    assert ran.status == 2
    assert " by --batch, up to a day" in ran.err


def test_in_batches_their_price_is_the_price_and_nothing_is_sent_before_it_is_agreed_to(
    agent_tui: Runs, service: Loopback
) -> None:
    alone, batched = (agent_tui("judge", CYBERTRAVELS, *more).err for more in ((), ("--batch",)))
    price = alone.split(", or ")[1].split(" by --batch")[0]
    assert "calls in batches, about " in batched
    assert f"{price}, up to a day" in batched
    assert service.asked(CREATE) == service.asked() == 0


@pytest.mark.parametrize("provider", ["scripted:honest", "openai"])
def test_a_provider_without_batches_says_so(
    agent_tui: Runs, monkeypatch: pytest.MonkeyPatch, provider: str, service: Loopback
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", f"{service.url}/v1")
    ran = agent_tui(
        "judge", CYBERTRAVELS, "--batch", "--judge-provider", provider, "--judge-model", "m"[: provider == "openai"]
    )
    assert ran.status == 2
    assert "takes no message batches, only the provider anthropic does" in ran.err.splitlines()[-1]


def test_there_is_nothing_to_resume_in_an_empty_ledger(agent_tui: Runs, service: Loopback) -> None:
    ran = agent_tui(*ASKED, "--resume")
    assert (ran.status, service.asked(CREATE)) == (2, 0)
    assert "nothing to resume" in ran.err


# Judging


def test_batches_come_to_the_same_as_calls_one_by_one_and_cost_half(
    agent_tui: Runs, service: Loopback, tmp_path: Path
) -> None:
    paths = [tmp_path / name for name in ("alone.jsonl", "batched.jsonl")]
    alone = agent_tui(*(word for word in ASKED if word != "--batch"), "--ledger", str(paths[0]))
    batched = agent_tui(*ASKED, "--ledger", str(paths[1]))
    assert (alone.status, batched.status) == (0, 0), batched.err
    assert timeless(batched.out) == timeless(alone.out)
    assert in_batches(service) == service.asked() > 50
    spent = [Ledger.read(path).spent for path in paths]
    assert [each.uncertain_usd for each in spent] == [0, 0]
    assert 0 < spent[1].usd < spent[0].usd


def timeless(text: str) -> str:
    """What was printed, without what only says when, and without digests, in which the service's address is."""
    return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|\b[0-9a-f]{64}\b", "-", text)


def test_a_second_run_sends_nothing_and_prints_the_same(agent_tui: Runs, service: Loopback) -> None:
    first = agent_tui(*ASKED)
    made = service.asked(CREATE)
    assert agent_tui(*ASKED, "--resume").out == first.out
    assert service.asked(CREATE) == made


def test_a_replay_needs_no_batches(agent_tui: Runs, service: Loopback, tmp_path: Path) -> None:
    ledger = str(tmp_path / "l.jsonl")
    live = agent_tui(*ASKED, "--ledger", ledger)
    asked = len(service.log)
    replayed = agent_tui(*ASKED, "--judge-provider", f"replay:{ledger}")
    assert (replayed.out, len(service.log)) == (live.out, asked)


def test_what_waits_in_a_batch_is_not_asked_without_batches(agent_tui: Runs, service: Loopback) -> None:
    service.script(error(401, "authentication_error"), at=SHOW)
    assert agent_tui(*ASKED).status == 5
    ran = agent_tui(*(word for word in ASKED if word != "--batch"))
    assert (ran.status, service.asked()) == (2, 0)
    assert "what is in batches is read by --batch alone" in ran.err.splitlines()[-1]
    assert agent_tui(*ASKED, "--resume").status == 0
    assert max(sent(service).values()) == 1


def test_a_budget_that_pays_for_no_batch_ends_with_4(agent_tui: Runs, service: Loopback) -> None:
    ran = agent_tui(*ASKED, "--max-cost", "0.0001")
    assert (ran.status, service.asked(CREATE)) == (4, 0)


# Interrupted and killed


class Program:
    """The command line as a process of its own, over one ledger."""

    def __init__(self, server: Loopback, folder: Path) -> None:
        self.server, self.ledger = server, folder / "l.jsonl"
        self.env = {"HOME": str(folder), "ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": server.url}

    def command(self, *more: str) -> list[str]:
        return [sys.executable, "-m", "agent_tui", *ASKED, "--ledger", str(self.ledger), *more]

    async def start(self, *more: str) -> asyncio.subprocess.Process:
        return await self._started(self.command(*more))

    async def _started(self, command: list[str]) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        return await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=self.env, stdout=pipe, stderr=pipe)

    async def kill_when(self, number: int, route: str) -> None:
        """Start, and end without a warning once so many requests of a route have come."""
        child = await self.start()
        await self.server.arrived(number, route)
        child.send_signal(signal.SIGKILL)
        assert await child.wait() == -signal.SIGKILL

    async def resumed(self) -> Ran:
        return await ended(await self.start("--resume"))

    async def called(self, line: str) -> Ran:
        """What comes of a line as a person would paste it."""
        name, *words = shlex.split(line)
        assert name == "agent-tui"
        return await ended(await self._started([sys.executable, "-m", "agent_tui", *words]))


async def ended(child: asyncio.subprocess.Process) -> Ran:
    out, err = await child.communicate()
    assert child.returncode is not None
    return Ran(child.returncode, out.decode(), err.decode())


@pytest.fixture
async def program(tmp_path: Path) -> AsyncIterator[Program]:
    async with Loopback(right_alone, key=KEY) as server:
        server.midnight = datetime.now(UTC)
        yield Program(server, tmp_path)


def end_all(server: Loopback) -> None:
    """Have every batch done."""
    server.looks = 0
    for batch in server.batches.values():
        batch.end(server)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Spent, int]:
    """What a run comes to that nothing interrupts: what it prints, its money, and its batches."""
    folder = tmp_path_factory.mktemp("whole")
    with serving(Loopback(right_alone, key=KEY)) as server:
        program = Program(server, folder)
        ran = subprocess.run(program.command(), cwd=ROOT, env=program.env, capture_output=True, check=True, text=True)
        return timeless(ran.stdout), Ledger.read(program.ledger).spent, server.asked(CREATE)


async def came_to(program: Program, ran: Ran) -> tuple[str, Spent, int]:
    """The same of a program that was taken up again."""
    assert ran.status == 0, ran.err
    assert max(sent(program.server).values()) == 1
    ledger = Ledger.read(program.ledger)
    assert (ledger.intents_open(), ledger.batches()) == (frozenset(), ())
    return timeless(ran.out), ledger.spent, program.server.asked(CREATE)


@pytest.mark.parametrize(
    ("route", "number", "behaviours", "keeps_some"),
    [
        (CREATE, 1, [stalled()], False),
        (SHOW, 1, [stalled()], False),
        (RESULTS, 1, [stalled()], False),
        (RESULTS, 2, [half_closed(9_000), stalled()], True),
    ],
    ids=["before the id", "after the id", "before the results", "in the midst of the results"],
)
async def test_a_killed_program_sends_no_batch_twice_and_comes_to_the_same(
    program: Program,
    whole: tuple[str, Spent, int],
    route: str,
    number: int,
    behaviours: list[Behaviour],
    keeps_some: bool,
) -> None:
    program.server.script(*behaviours, at=route)
    await program.kill_when(number, route)
    (left,) = Ledger.read(program.ledger).batches()
    assert (left.id == "", len(left.keys) < in_batches(program.server)) == (route == CREATE, keeps_some)
    end_all(program.server)
    assert await came_to(program, await program.resumed()) == whole


async def test_an_interruption_leaves_the_batch_running_and_says_how_to_take_it_up(
    program: Program, whole: tuple[str, Spent, int]
) -> None:
    program.server.looks = 1_000
    child = await program.start()
    await program.server.arrived(1, SHOW)
    assert child.stderr is not None
    told = b""
    while b" out for " not in told:
        told += await child.stderr.readline()
    child.send_signal(signal.SIGINT)
    ran = await ended(child)
    assert (ran.status, ran.out.strip() != "") == (130, True)
    (made,) = program.server.batches
    *_, left, resume, last = ran.err.splitlines()
    assert left.endswith(f"at the service, to be read later: {made}")
    assert resume.startswith("to take it up again: agent-tui judge --batch --resume ")
    assert last == "agent-tui: interrupted"
    assert program.server.batches[made].status == "in_progress"

    end_all(program.server)
    line = resume.removeprefix("to take it up again: ")
    assert await came_to(program, await program.called(line)) == whole


async def test_neither_key_nor_address_is_left_behind(program: Program) -> None:
    program.server.script(
        error(400, "invalid_request_error", message=f"Bearer {KEY} at {program.server.url}"), at=CREATE
    )
    told = [await ended(await program.start()) for _ in range(2)]
    assert [ran.status for ran in told] == [5, 0]
    assert not any(KEY in ran.out + ran.err for ran in told)
    files = [path.read_bytes() for path in program.ledger.parent.rglob("*") if path.is_file()]
    assert files
    assert not any(secret.encode() in text for text in files for secret in (KEY, program.server.url))

"""Workers of a Dask cluster do the tasks: whoever started them, on whatever hosts, for as long as one is there."""

from __future__ import annotations

import asyncio
import logging
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from msgspec import Struct

from agent_tui.errors import NotPossible
from agent_tui.readers.addresses import addresses
from agent_tui.workers.dask_task import Answer, answer
from agent_tui.workers.tasks import Given, How, Lost, Task
from agent_tui.workers.versions import Versions, versions_here

CONNECT_SECONDS = 10.0
"""How long a scheduler is waited for where it says nothing."""
PATIENCE_SECONDS = 60.0
"""How long it is waited for another worker where there is none left."""
_LOOK = 0.1
"""Seconds after which it is looked whether anybody still wants what is done."""
_LOOK_AT_WORKERS = 2.0
_A_WORKER = 2
"""Tasks that a worker is given at a time: one to do, and the next."""
_PROGRAM, _DECODER = "agent_tui", "msgspec"


async def _greet(address: str, security: Any, seconds: float) -> None:
    """Shake hands, and part: a client waits for ever for a server that takes its greeting and is none of Dask's.

    Raises `OSError` (`TimeoutError` is one).
    """
    from distributed.comm import connect

    arguments = security.get_connection_args("client")
    comm = await asyncio.wait_for(connect(address, timeout=seconds, **arguments), seconds)
    await comm.close()


class DaskEngine:
    """A Dask cluster that is there already. See `Engine`."""

    def __init__(self, name: str, address: str, seconds: float = CONNECT_SECONDS) -> None:
        """`seconds` are how long a scheduler is waited for, and then its first worker.

        Raises `NotPossible` where it cannot be reached, has no worker, or has one with other versions than ours.
        """
        try:
            from distributed import Client, Security
        except ImportError as error:
            raise NotPossible(f"--engine {name} needs Dask: pip install 'agent-tui[dask]'") from error
        _hush()
        self._name = name
        security = Security()
        if address.startswith("tls://") and security.get_connection_args("client").get("ssl_context") is None:
            missing = "no certificates are set: distributed.comm.tls in Dask's configuration"
            raise NotPossible(f"--engine {name}: {missing}")  # a client without them would not end
        try:
            asyncio.run(_greet(address, security, seconds))
            with warnings.catch_warnings(action="ignore"):
                self._client: Any = Client(address, timeout=seconds, security=security, set_as_default=False)
        except (OSError, TypeError, ValueError, RuntimeError) as error:
            raise NotPossible(f"--engine {name}: no scheduler of Dask answers there: {_in_words(error)}") from error
        try:
            self._wait_for_a_worker(seconds)
            self._workers = self._require_our_versions()
        except BaseException:
            self.close()
            raise
        self._looked = time.monotonic()
        self._seen = self._looked

    def _wait_for_a_worker(self, seconds: float) -> None:
        try:
            self._client.wait_for_workers(1, timeout=seconds)
        except (OSError, TimeoutError) as error:
            said = f"no worker came within {seconds:g} seconds: start dask worker"
            raise NotPossible(f"--engine {self._name}: {said}") from error

    def _require_our_versions(self) -> int:
        """How many workers there are; each has what we have."""
        try:
            found = self._client.get_versions(packages=[_PROGRAM, _DECODER])["workers"]
        except (OSError, TimeoutError) as error:
            raise NotPossible(f"--engine {self._name}: its workers do not answer: {_in_words(error)}") from error
        for worker, said in sorted(found.items()):
            packages = said["packages"]
            python = ".".join(said["host"]["python"].split(".")[:2])
            self._require(worker, Versions(packages.get(_PROGRAM) or "", python, packages.get(_DECODER) or ""))
        return len(found)

    def _require(self, worker: str, found: Versions) -> None:
        ours = versions_here()
        if found != ours:
            raise NotPossible(f"--engine {self._name}: worker {worker} has {found}, here is {ours}: install the same")

    @property
    def ahead(self) -> int:
        """See `Engine`."""
        return 2 + _A_WORKER * self._workers

    def close(self) -> None:
        """Leave the cluster; what it still does for us is forgotten there."""
        with suppress(OSError, TimeoutError):
            self._client.close(timeout=CONNECT_SECONDS)

    def map(
        self, how: How, next_task: Callable[[], Task | None], is_cancelled: Callable[[], bool]
    ) -> Iterator[tuple[Task, int, Given | None]]:
        """See `Engine`."""
        under_way = _UnderWay(self._client, self._name, how)
        try:
            while not is_cancelled():
                while len(under_way) < _A_WORKER * self._workers and (task := next_task()) is not None:
                    under_way.ask(task, 0)
                if not len(under_way):
                    return
                yield from under_way.answers(self._require)
                self._look_at_workers()
        finally:
            under_way.cancel()

    def _look_at_workers(self) -> None:
        """Count them now and then. Raises `NotPossible` where there is none for too long, or no scheduler."""
        now = time.monotonic()
        if now - self._looked < _LOOK_AT_WORKERS:
            return
        self._looked = now
        workers = self._count_workers()
        if workers:
            self._seen, self._workers = now, workers
        elif now - self._seen > PATIENCE_SECONDS:
            said = f"no worker is left for {PATIENCE_SECONDS:g} seconds: what was read is kept, try again"
            raise NotPossible(f"--engine {self._name}: {said}")

    def _count_workers(self) -> int:
        """How many workers there are; 0 too where the scheduler does not say."""
        try:
            asked = self._client.scheduler.identity
            return len(self._client.sync(asked, callback_timeout=CONNECT_SECONDS)["workers"])
        except (OSError, TimeoutError, CancelledError, ValueError):
            return 0


class _Asked(Struct, frozen=True):
    """What is asked of the cluster: the thing with a number that a task gives."""

    task: Task
    number: int
    future: Any


class _UnderWay:
    """All that is asked of a cluster, and what came back."""

    def __init__(self, client: Any, name: str, how: How) -> None:
        self._name = name
        self._client, self._how, self._versions = client, how, versions_here()
        self._asked: dict[str, _Asked] = {}
        self._came: SimpleQueue[str] = SimpleQueue()

    def __len__(self) -> int:
        return len(self._asked)

    def ask(self, task: Task, number: int, worker: str | None = None) -> None:
        """Ask for a thing; best of the worker that gave the one before."""
        at = {} if worker is None else {"workers": [worker], "allow_other_workers": True}
        future = self._client.submit(answer, task, self._how, number, self._versions, addresses(), pure=False, **at)
        self._asked[future.key] = _Asked(task, number, future)
        future.add_done_callback(lambda done: self._came.put(done.key))

    def answers(self, require: Callable[[str, Versions], None]) -> Iterator[tuple[Task, int, Given | None]]:
        """What has come, after a short wait for it. Raises `NotPossible` for a worker with other versions."""
        try:
            key = self._came.get(timeout=_LOOK)
        except Empty:
            return
        asked = self._asked.pop(key)
        found = self._answer_of(asked.future)
        if isinstance(found, Lost):
            yield asked.task, asked.number, found
            yield asked.task, asked.number + 1, None
            return
        if found.other is not None:
            require(found.worker, found.other)
        yield asked.task, asked.number, found.given
        if not found.is_last:
            self.ask(asked.task, asked.number + 1, found.worker)
        elif found.given is not None:
            yield asked.task, asked.number + 1, None

    def _answer_of(self, future: Any) -> Answer | Lost:
        """What came of a question. Raises `NotPossible` where the cluster has gone."""
        from distributed.scheduler import KilledWorker

        while self._client.status == "connecting":  # it gives up by itself
            time.sleep(_LOOK)
        try:
            found: Answer = future.result(timeout=PATIENCE_SECONDS)
        except KilledWorker as error:
            return Lost(
                f"{error.allowed_failures + 1} workers died of it, the last one was {error.last_worker.address}"
            )
        except (CancelledError, TimeoutError, OSError) as error:
            gone = "its scheduler has gone, or gives no answers any more: what was read is kept, try again"
            raise NotPossible(f"--engine {self._name}: {gone}") from error
        except Exception as error:  # the border to a worker: whatever went wrong there comes back as its own error
            return Lost(f"a worker of the cluster failed: {_in_words(error)}")
        return found

    def cancel(self) -> None:
        """Want nothing any more; of a scheduler that has gone there is nothing to want."""
        from distributed.client import ClosedClientError

        with suppress(OSError, TimeoutError, ClosedClientError):
            self._client.cancel([asked.future for asked in self._asked.values()])
        self._asked.clear()


def _hush() -> None:
    """Keep Dask from writing to standard error: what matters is said in a line of ours."""
    for name in ["distributed", *logging.root.manager.loggerDict]:
        if name.partition(".")[0] == "distributed":  # each has a level of its own
            logging.getLogger(name).setLevel(logging.CRITICAL)


def _in_words(error: BaseException) -> str:
    """An error by its kind and the first line of what it says."""
    said = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {said[:120]}" if said else type(error).__name__

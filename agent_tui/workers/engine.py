"""Who does the tasks: processes of this machine, and the contract for anybody else."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Protocol

from msgspec import Struct

from agent_tui.readers.addresses import addresses
from agent_tui.workers.process import COMMAND, receive, send
from agent_tui.workers.tasks import Given, How, Lost, Task

_TRIES = 3
"""How many workers a task may cost before it is given up (a count)."""


_LOOK = 0.1
"""Seconds after which it is looked whether anybody still wants what is done."""


class Engine(Protocol):
    """Does tasks somewhere.

    `next_task` is asked whenever there is room for one more; None says that there is none at the moment. Each thing
    that a task gives is yielded with the task and its number (from 0), in its order, and None when it is done. The
    iteration ends when there is no task to be had and none on its way, or soon after it was cancelled.
    """

    @property
    def ahead(self) -> int:
        """How many ranges of a file it may be given before what the first one gives has come (a count)."""
        ...

    def map(
        self, how: How, next_task: Callable[[], Task | None], is_cancelled: Callable[[], bool]
    ) -> Iterator[tuple[Task, int, Given | None]]: ...

    def close(self) -> None:
        """Leave whoever does the tasks; nothing is asked for any more."""
        ...


def all_cores() -> int:
    """How many cores this program may use (a count)."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def beside_a_screen() -> int:
    """How many workers leave the screen a core (a count)."""
    return max(1, all_cores() - 1)


def _with_something_to_give(busy: list[_Worker]) -> list[_Worker]:
    """Those that have something to give by now, after a short wait for it."""
    with selectors.DefaultSelector() as looking:  # select() takes no descriptor from 1,024 on
        for worker in busy:
            looking.register(worker.output, selectors.EVENT_READ, worker)
        return [key.data for key, _ in looking.select(_LOOK)]


class Pool:
    """Worker processes of this machine: started when they are needed, replaced when they die, gone with this one."""

    def __init__(self, workers: int) -> None:
        self._room = workers
        self._workers: list[_Worker] = []

    @property
    def ahead(self) -> int:
        """See `Engine`."""
        return self._room + 2

    def map(
        self, how: How, next_task: Callable[[], Task | None], is_cancelled: Callable[[], bool]
    ) -> Iterator[tuple[Task, int, Given | None]]:
        """See `Engine`."""
        again: deque[_Due] = deque()
        try:
            while not is_cancelled():
                self._hand_out(how, again, next_task)
                busy = [worker for worker in self._workers if worker.due is not None]
                if not busy:
                    return
                for worker in _with_something_to_give(busy):
                    yield from self._take(worker, again)
        finally:
            self.close()

    @property
    def processes(self) -> list[int]:
        """The workers that there are now, by their process numbers."""
        return [worker.process for worker in self._workers]

    def _hand_out(self, how: How, again: deque[_Due], next_task: Callable[[], Task | None]) -> None:
        while any(worker.due is None for worker in self._workers) or len(self._workers) < self._room:
            task = None if again else next_task()
            if not again and task is None:
                return
            due = again.popleft() if task is None else _Due(task)
            worker = next((each for each in self._workers if each.due is None), None)
            if worker is None:
                worker = _Worker(how)
                self._workers.append(worker)
            worker.give(due)

    def _take(self, worker: _Worker, again: deque[_Due]) -> Iterator[tuple[Task, int, Given | None]]:
        """What a worker has to give; a dead one's task is given to another, from its start."""
        due = worker.due
        assert due is not None
        try:
            given: Given | None = receive(worker.output)
        except (EOFError, OSError):
            worker.close()
            self._workers.remove(worker)
            due.tries, due.given = due.tries + 1, 0
            if due.tries < _TRIES:
                again.append(due)
            else:
                yield due.task, due.told, Lost(f"{_TRIES} workers died of it")
                yield due.task, due.told + 1, None
            return
        if given is None:
            worker.due = None
            due.given = max(due.given, due.told)  # a file that has become shorter gives less when it is read again
        if due.given >= due.told:
            due.told = due.given + 1
            yield due.task, due.given, given
        due.given += 1

    def close(self) -> None:
        """End all workers, at once."""
        for worker in self._workers:
            worker.close()
        self._workers.clear()


class _Due(Struct):
    """A task that was handed out: how much of it came from its worker, and how much was given on."""

    task: Task
    tries: int = 0
    given: int = 0
    told: int = 0


class _Worker:
    """One process."""

    def __init__(self, how: How) -> None:
        places = os.pathsep.join(os.path.abspath(place) for place in sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", COMMAND, places],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        self.output = self._output.fileno()
        self.process = self._process.pid
        self.due: _Due | None = None
        self._say((how, addresses()))

    def give(self, due: _Due) -> None:
        """Hand a task to it."""
        self.due = due
        self._say(due.task)

    def _say(self, message: object) -> None:
        with suppress(OSError):  # where it is dead, that is seen when it gives nothing
            send(self._input.fileno(), message)

    def close(self) -> None:
        """End it, and wait until it is gone."""
        self._process.kill()
        self._input.close()
        self._output.close()
        self._process.wait()

"""Engines that do tasks in this very process: as they come, or out of order and some of them twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from msgspec.structs import replace

from agent_tui.workers.scoring import parts_of
from agent_tui.workers.tasks import Given, How, ReadFile, Task

Done = tuple[Task, int, Given | None]


def done(task: Task, how: How) -> Iterator[Done]:
    """All that a task gives."""
    number = -1
    for number, given in enumerate(parts_of(task, how)):
        yield task, number, given
    yield task, number + 1, None


class InOrder:
    """Does each task when it is handed out."""

    ahead = 4

    def close(self) -> None:
        """Nothing is held."""

    def map(self, how: How, next_task: Callable[[], Task | None], is_cancelled: Callable[[], bool]) -> Iterator[Done]:
        while (task := next_task()) is not None:
            yield from done(task, how)


class Muddled:
    """Takes several tasks, does any of them, and some twice."""

    ahead = 4

    def close(self) -> None:
        """Nothing is held."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def map(self, how: How, next_task: Callable[[], Task | None], is_cancelled: Callable[[], bool]) -> Iterator[Done]:
        waiting: list[Task] = []
        while True:
            while len(waiting) < 4 and (task := next_task()) is not None:
                waiting += [task] * self._random.choice([1, 1, 2])
            if not waiting:
                return
            task = waiting.pop(self._random.randrange(len(waiting)))
            yield from done(task, how)


class Doubled:
    """Gives all that some tasks give twice, the tasks in any order."""

    ahead = 4

    def __init__(self, random: Random) -> None:
        self._random = random

    def close(self) -> None:
        """Nothing is held."""

    def map(self, how: How, next_task: Callable[[], Task | None], is_cancelled: Callable[[], bool]) -> Iterator[Done]:
        while True:
            given = []
            while len(given) < 4 and (task := next_task()) is not None:
                given.append(list(done(task, how)))
            if not given:
                return
            given = [list(each) for each in given * 2]
            while given:
                one = self._random.choice(given)
                yield one.pop(0)
                given = [each for each in given if each]


class Elsewhere(InOrder):
    """Does tasks where another file has the name of each."""

    def map(self, how: How, next_task: Callable[[], Task | None], is_cancelled: Callable[[], bool]) -> Iterator[Done]:
        while (task := next_task()) is not None:
            stamp = task.stamp if isinstance(task, ReadFile) else replace(task.stamp, inode=0)
            for _, number, given in done(replace(task, stamp=stamp), how):
                yield task, number, given

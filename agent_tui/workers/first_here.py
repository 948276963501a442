"""An engine that does the very first of the work in this process, and has the rest done by another one.

Starting a worker takes longer than reading what fills the first screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from agent_tui.readers.source import Source
from agent_tui.workers.engine import Engine
from agent_tui.workers.scoring import can_be_cut, parts_of
from agent_tui.workers.tasks import CanBeCut, Given, How, ReadFile, ReadRange, Task

_LONGEST = 1 << 20
"""Bytes of a range that are read here at most."""


def _is_plainly_lines(task: ReadFile) -> bool:
    """Whether a file can be cut, as far as that can be seen without reading much: a document may be of any size."""
    try:
        with open(task.file, "rb", buffering=0) as file:
            line, end, _ = file.read(_LONGEST).partition(b"\n")
        if not end or not line.rstrip().endswith(b"}"):
            return False
        return can_be_cut(Source.of(Path(task.file), folder=task.folder))
    except OSError:
        return False


class FirstHere:
    """Sees here whether the first file can be cut, and reads its first range here if it is short."""

    def __init__(self, rest: Engine) -> None:
        self._rest = rest

    @property
    def ahead(self) -> int:
        """See `Engine`."""
        return self._rest.ahead

    def map(
        self, how: How, next_task: Callable[[], Task | None], is_cancelled: Callable[[], bool]
    ) -> Iterator[tuple[Task, int, Given | None]]:
        """See `Engine`."""
        task = next_task()
        if isinstance(task, ReadFile) and task.may_be_cut and _is_plainly_lines(task):
            yield task, 0, CanBeCut()
            yield task, 1, None
            task = next_task()
        if isinstance(task, ReadRange) and task.high - task.low <= _LONGEST:
            number = -1
            for number, given in enumerate(parts_of(task, how)):
                yield task, number, given
            yield task, number + 1, None
            task = None
        waiting = [] if task is None else [task]
        yield from self._rest.map(how, lambda: waiting.pop() if waiting else next_task(), is_cancelled)

    def close(self) -> None:
        """See `Engine`."""
        self._rest.close()

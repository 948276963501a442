"""Which label is about which run: the same task, epoch, model and agent, and the ask and answer that were labelled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import UNSET, Struct

from agent_tui.bundles import Bundle
from agent_tui.errors import Problem
from agent_tui.judge.label_file import Label, ReadLabel
from agent_tui.judge.labelled_item import item_digest

_SHOWN = 12


class Stale(Struct, frozen=True):
    """A label that was given to another ask or answer than the run has now, and the run's row."""

    row: int
    given: ReadLabel


class LabelMatch:
    """Labels in the order in which they were given, and the runs of a bundle, which may still grow or be edited."""

    def __init__(self, bundle: Bundle, labels: Iterable[ReadLabel]) -> None:
        self._bundle = bundle
        self._of_task: dict[str, list[ReadLabel]] = {}
        for given in labels:
            self._of_task.setdefault(given.label.task, []).append(given)
        self._rows: tuple[int, dict[str, list[int]]] | None = None

    def label(self, row: int) -> Label | None:
        """The last label about what the run holds now."""
        given = self._in_force(row)
        return None if given is None else given.label

    def rows(self) -> list[int]:
        """The rows of the tasks that have labels, in order."""
        return sorted(row for rows in self._rows_by_task().values() for row in rows)

    def stale(self) -> list[Stale]:
        """The last label of each run that has changed since."""
        in_force = {row: given for row in self.rows() if (given := self._in_force(row)) is not None}
        used = {id(given) for given in in_force.values()}
        found = []
        for row in (row for row in self.rows() if row not in in_force):
            about = [given for given in self._given(row) if given.label.item and id(given) not in used]
            found += [Stale(row, given) for given in about[-1:]]
        return found

    def problems(self) -> Iterator[Problem]:
        """Labels that are in force for no run, with the reason."""
        name = self._bundle.names.name
        for given in (given for labels in self._of_task.values() for given in labels):
            fitting = self._fitting(given)
            if not fitting:
                yield _problem(given, "no such run in this bundle")
            elif not given.label.item and len(fitting) > 1:
                more = f", … {len(fitting) - _SHOWN} more" if len(fitting) > _SHOWN else ""
                names = ", ".join(map(name, fitting[:_SHOWN])) + more
                yield _problem(given, f"could be any of {names}: say which by model, agent or item", "malformed")
        for each in self.stale():
            yield _problem(
                each.given, f"the ask or the answer of run {name(each.row)} has changed since: label it again"
            )

    def _in_force(self, row: int) -> ReadLabel | None:
        given = self._given(row)
        digest = item_digest(self._bundle.run(row)) if given else ""
        return next((each for each in reversed(given) if self._is_about(each, digest)), None)

    def _is_about(self, given: ReadLabel, digest: str) -> bool:
        """Whether a label is about what a run holds; one without a digest is where it fits that run alone."""
        return given.label.item == digest or (not given.label.item and len(self._fitting(given)) == 1)

    def _given(self, row: int) -> list[ReadLabel]:
        """The labels that a run ever got, first to last."""
        labels = self._of_task.get(self._bundle.table.tasks[row] or "", ())
        return [given for given in labels if self._fits(given.label, row)]

    def _fitting(self, given: ReadLabel) -> list[int]:
        return [row for row in self._rows_by_task().get(given.label.task, ()) if self._fits(given.label, row)]

    def _fits(self, label: Label, row: int) -> bool:
        table = self._bundle.table
        return (
            label.epoch == table.epochs[row]
            and label.model in (UNSET, table.models[row])
            and label.agent in (UNSET, table.agents[row])
        )

    def _rows_by_task(self) -> dict[str, list[int]]:
        """The rows of each task that has labels."""
        if self._rows is None or self._rows[0] != len(self._bundle):
            tasks = self._bundle.table.tasks
            task_of = {tasks.code_of[task]: task for task in self._of_task if task in tasks.code_of}
            found: dict[str, list[int]] = {task: [] for task in task_of.values()}
            for row, code in enumerate(tasks.codes() if task_of else ()):
                if code in task_of:
                    found[task_of[code]].append(row)
            self._rows = (len(self._bundle), found)
        return self._rows[1]


def _problem(given: ReadLabel, reason: str, kind: str = "warning") -> Problem:
    label = given.label
    return Problem(given.file, f"label of task {label.task!r}, epoch {label.epoch}: {reason}", given.line, kind=kind)

"""The one store behind screen and commands: how many runs, their verdict columns, and any run by its number."""

from __future__ import annotations

import re
import struct
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

import xxhash
from msgspec import Raw, Struct, field

from agent_tui.bundles import masks
from agent_tui.bundles.failed_calls import FailedCalls
from agent_tui.bundles.lookup import Lookup
from agent_tui.bundles.names import Names
from agent_tui.bundles.problem_list import ProblemList
from agent_tui.bundles.records import Changed, Records
from agent_tui.bundles.stored import stored_figures
from agent_tui.errors import LOSSES, Problem
from agent_tui.matchers import match_mode
from agent_tui.matchers.reference import is_plain
from agent_tui.readers import Record, decode_run, decode_steps
from agent_tui.runs import BundleHeader, Run, Step, surrogates
from agent_tui.scoring import Plan, RunScore, Scorecard, ScoreTable, make_scorecard, score_run
from agent_tui.scoring.columns import Numbers
from agent_tui.scoring.run_score import count_failed
from agent_tui.scoring.task_pairs import Rows, others_of
from agent_tui.scoring.totals import Totals, facts_of
from agent_tui.scoring.weak_paths import weak_reasons

if TYPE_CHECKING:
    from agent_tui.bundles.orders import Orders
    from agent_tui.matchers import Explanation

_RUNS_KEPT = 64
_pack_identity = struct.Struct("<IqII").pack


def identity(table: ScoreTable, row: int) -> tuple[int, int, int, int]:
    """What tells a run from all others: its task, epoch, model and agent, in numbers of the table."""
    return table.tasks.codes()[row], table.epochs[row], table.models.codes()[row], table.agents.codes()[row]


def identity_hash(table: ScoreTable, row: int) -> int:
    """The hash under which an identity is looked up."""
    return xxhash.xxh3_64_intdigest(_pack_identity(*identity(table, row)))


class Source(Struct):
    """One opened file, with what it says about its runs and the plan that follows from it."""

    file: str
    header: BundleHeader
    plan: Plan
    fields: Mapping[str, Raw] = field(default_factory=dict)
    format: str = ""
    digest: str = ""
    runs: int = 0
    """How many runs came from it (a count)."""


class ScoredRun(Struct, frozen=True):
    """A run as it was read, decoded and scored."""

    record: Record
    run: Run
    score: RunScore


class Stand(Struct, frozen=True):
    """Runs whose columns lie in files."""

    table: ScoreTable
    names: Names
    records: Records
    of_source: Numbers
    totals: Totals


class Bundle:
    """Runs by row number, in the order of the files. Fed by `bundles.load`; nothing above it holds lists of runs."""

    def __init__(self, modes: Iterable[str] = ()) -> None:
        self.sources: list[Source] = []
        self.parts: dict[str, str] = {}
        """Digests of files that were read along with another one, by name."""
        self._problems = ProblemList()
        self._at_end: Sequence[Problem] = ()
        self.table = ScoreTable()
        self.table.modes = {mode: bytearray() for mode in modes}
        self.names = Names(self.table)
        self.shows_changed = False
        """Whether a run whose file was written over is shown as one that says so, and is no error."""
        self.is_complete = False
        """Whether everything that was named has been read."""
        self.digest = ""
        """xxh3_128 of the opened bytes, as hex; of the files' digests where there are several."""
        self.records = Records()
        self._of_source: Numbers = array("I")
        self._identities = Lookup()
        self._edited: dict[int, bytes] = {}
        self._scored: tuple[int, bytes | None, RunScore] | None = None
        self._explained: tuple[int, bytes | None, Explanation] | None = None
        self._failed = FailedCalls()
        self._runs: OrderedDict[int, Run] = OrderedDict()
        self._cards: dict[tuple[object, ...], Scorecard] = {}
        self._totals = Totals()

    def __len__(self) -> int:
        return len(self.table)

    @cached_property
    def orders(self) -> Orders:
        """The orders of its texts that were found so far."""
        from agent_tui.bundles.orders import Orders  # here, since what only scores puts nothing in order

        return Orders()

    # Filling: `bundles.loading` does it

    def append(self, scored: ScoredRun) -> int:
        """Add a run of the last source; gives its row number. One that looks like another is reported."""
        run, header, table = scored.run, self.sources[-1].header, self.table
        row = table.append(run, scored.score, model=run.model or header.model, agent=run.agent or header.agent)
        if row < _RUNS_KEPT:
            self._runs[row] = run  # the first screen shows them
        for mode, states in table.modes.items():
            states.append(match_mode(run, mode, self.sources[-1].plan.rules))
        self.records.append(scored.record)
        self._of_source.append(len(self.sources) - 1)
        self.sources[-1].runs += 1
        if self._identities.add([identity_hash(table, row)]):
            self._report_clash(row)
        return row

    def _report_clash(self, row: int) -> None:
        """Say that a run looks like an earlier one, where it does: two identities may share a hash."""
        first = self._identities.first(row)
        if identity(self.table, first) == identity(self.table, row):
            same = f"has task, epoch, model and agent of row {first + 1}; both rows are kept"
            reason = f"run {self.table.ids[row]!r} {same}"
            self.report(Problem(self.records.file(row), reason, self.records.lines[row] or None, kind="clash"))

    def stand_on(self, stand: Stand) -> None:
        """Show runs whose columns lie in files; those that were there before are the first of them, as edited."""
        was, totals = self.table, self._totals
        self.table, self.names, self.records = stand.table, stand.names, stand.records
        self._of_source, self._totals = stand.of_source, stand.totals
        self._totals.pairs = None
        for row in self._edited:
            if totals is self._totals:  # they hold the edits already
                totals.move(facts_of(was, row), facts_of(self.table, row), list)
            self._show_edited(row, self.run(row))
        self._cards.clear()

    def start_over(self) -> None:
        """Forget what was read, but not what was edited: the same runs come again, from somewhere else."""
        self.sources, self.parts, self._problems, self._at_end = [], {}, ProblemList(), ()

    def report(self, problem: Problem) -> None:
        """Add something that was skipped or looks odd."""
        self._problems.add(problem)

    def report_at_end(self, problems: Sequence[Problem]) -> None:
        """Say what is odd as long as nothing more comes; it takes the place of what was said so before."""
        self._at_end = problems

    def close_source(self, file: str, format: str, digest: str) -> None:
        """Say that a file was read to its end; one that is a part of another source is kept for its digest."""
        source = next((source for source in reversed(self.sources) if source.file == file), None)
        if source is None:
            self.parts[file] = digest
        else:
            source.format, source.digest = format, digest

    def complete(self) -> None:
        """Say that everything that was named has been read."""
        digests = [source.digest for source in self.sources if source.digest] + list(self.parts.values())
        if digests:
            several = len(digests) > 1
            self.digest = xxhash.xxh3_128_hexdigest("".join(digests).encode()) if several else digests[0]
        self.is_complete = True
        self._totals.memory.pop("findings", None)  # names are settled now
        self._cards.clear()

    # Reading

    @property
    def header(self) -> BundleHeader:
        """What the first source says of itself."""
        return self.sources[0].header if self.sources else BundleHeader()

    @property
    def name(self) -> str:
        """The bundle's name, else its id, else the first file's name."""
        header = self.header
        first = self.sources[0].file.rstrip("/").rsplit("/", 1)[-1] if self.sources else ""
        return header.name or header.id or first

    @property
    def planned(self) -> int | None:
        """How many runs were planned over all sources; None: nobody says.

        Of several sources each counts for the runs that it has at least, so that none makes up for what another lacks.
        """
        if len(self.sources) == 1:
            return self.header.planned
        if all(source.header.planned is None for source in self.sources):
            return None
        return sum(max(source.header.planned or 0, source.runs) for source in self.sources)

    @property
    def problems(self) -> list[Problem]:
        """What was skipped or looks odd, as it was met."""
        return [*self._problems.all(), *self._at_end]

    @property
    def losses(self) -> list[Problem]:
        """What of the input is not among the runs."""
        return [problem for problem in self.problems if problem.kind in LOSSES]

    @property
    def edited(self) -> int:
        """How many runs are shown otherwise than they were recorded (a count)."""
        return len(self._edited)

    def is_edited(self, row: int) -> bool:
        """Whether a run is shown otherwise than it was recorded."""
        return row in self._edited

    def source(self, row: int) -> Source:
        """The source that a run came from."""
        return self.sources[self._of_source[row]]

    def number_of_source(self, row: int) -> int:
        """The number of the source that a run came from."""
        return self._of_source[row]

    def place(self, row: int) -> Record:
        """The run's record as it was read, with file and line."""
        file, line, member = self.records.place(row)
        return Record(self._recorded(row), file, line, member)

    def record(self, row: int) -> bytes:
        """The run as agent-tui/1 JSON text, with its edits."""
        edited = self._edited.get(row)
        return self._recorded(row) if edited is None else edited

    def version(self, row: int) -> bytes | None:
        """What tells the versions of a run apart, without reading it: its text where it is edited, else None."""
        return self._edited.get(row)

    def _recorded(self, row: int) -> bytes:
        """The text of a run as it was recorded. Raises `Changed` where it was written over, unless that is shown."""
        try:
            return self.records.text(row)
        except Changed as error:
            if not self.shows_changed:
                raise
            return surrogates.encode({"id": self.table.ids[row], "task": self.table.tasks[row], "notes": [str(error)]})

    def run(self, row: int) -> Run:
        """A run by its number."""
        run = self._runs.get(row)
        if run is None:
            run = self._runs[row] = decode_run(self.record(row))
            if len(self._runs) > _RUNS_KEPT:
                self._runs.popitem(last=False)
        return run

    def kept_run(self, row: int) -> Run | None:
        """A run by its number, where it need not be read."""
        return self._runs.get(row)

    def errors(self, row: int) -> int:
        """How many calls of a run failed (a count); read from its results when it is asked for, then kept."""
        found = self._failed.of(row)
        if found is None:
            text = self.record(row)
            found = count_failed(self.kept_run(row) or decode_run(text)) if b'"error"' in text else 0
            self._failed.put(row, found)
        return found

    @property
    def errors_of_all(self) -> Numbers | None:
        """How many calls of each run failed; None as long as some runs are not counted."""
        return self._failed.of_all(len(self))

    @property
    def errors_missing(self) -> int:
        """Of how many runs the failed calls are not counted (a count)."""
        return self._failed.missing(len(self))

    def count_errors(self) -> Iterator[int]:
        """Count the failed calls of the runs where they are not, and give each row; of many it is a thread's work."""
        for row in self._failed.missing_rows(len(self)):
            self.errors(row)
            yield row

    def steps(self, row: int) -> list[Step]:
        """The whole trajectory of a run, for reading."""
        return decode_steps(self.record(row))

    def score(self, row: int) -> RunScore:
        """Everything that judges a run, by the one scoring path. The last one is kept, as in `explain`."""
        version = self.version(row)
        if self._scored is None or self._scored[:2] != (row, version):
            self._scored = (row, version, score_run(self.run(row), self.source(row).plan))
        return self._scored[2]

    def expected_calls(self, row: int) -> int | None:
        """How many calls are expected of a run, optional ones only where they are paired; None: nothing to compare.

        Of most runs that is told without matching them.
        """
        run = self.run(row)
        wanted = run.expected.calls if run.expected is not None and run.expected.any is None else None
        is_told = wanted is not None and run.status == "done" and run.calls is not None
        if is_told and wanted is not None and self.source(row).plan.rules.is_plain and is_plain(wanted):
            return len(wanted)
        return self.score(row).match.expected

    def explain(self, row: int) -> Explanation:
        """How a run's calls meet the expected ones, for reading. The last one is kept: a long run takes seconds."""
        from agent_tui.matchers.explain import explain  # here, since scoring a bundle explains no run

        version, plan = self.version(row), self.source(row).plan
        if self._explained is None or self._explained[:2] != (row, version):
            self._explained = (row, version, explain(self.run(row), plan.rules, plan.tools.writes))
        return self._explained[2]

    def weak_reasons(self, row: int) -> tuple[str, ...]:
        """Why a run is a weak path; () where it is not."""
        return weak_reasons(self.table, row)

    def edit(self, row: int, text: bytes, run: Run | None = None) -> None:
        """Show another version of a run; the source stays as it is. Raises `Malformed` where it is no run.

        `run` is the decoded text, from whoever has it.
        """
        run = decode_run(text) if run is None else run
        if text == self.records.text(row):
            self._edited.pop(row, None)
        else:
            self._edited[row] = text
        self._runs[row] = run
        if self._failed.of(row) is not None:
            self._failed.put(row, count_failed(run))
        self._show_edited(row, run)
        self._cards.clear()

    def _show_edited(self, row: int, run: Run) -> None:
        """Put a version of a run in its row, and count it so."""
        plan, totals, was = self.source(row).plan, self.totals, facts_of(self.table, row)
        self.table.replace(row, run, score_run(run, plan))
        totals.move(was, facts_of(self.table, row), partial(others_of, self.table, row))
        for mode, states in self.table.modes.items():
            states[row] = match_mode(run, mode, plan.rules)

    @property
    def totals(self) -> Totals:
        """The counts behind the scorecard, as of now."""
        if self._totals.rows < len(self):
            self._totals.add_rows(self.table, self._totals.rows, len(self))
        return self._totals

    def scorecard(self, measure: str | None = None, weights: Mapping[str, float] | None = None) -> Scorecard:
        """The scorecard as of now; the same value until a run is added or edited."""
        if self.is_complete:
            self.totals.count_alike(partial(Rows.of, self.table), masks.pairs_of)
        key = (len(self), measure, tuple(sorted(weights.items())) if weights else None)
        card = self._cards.get(key)
        if card is None:
            card = self._cards[key] = make_scorecard(
                self.table,
                self.names.name,
                planned=self.planned,
                measure=measure,
                weights=weights,
                stored=self._stored(),
                totals=self.totals,
                is_whole=self.is_complete,
            )
        return card

    def _stored(self) -> dict[str, float]:
        return stored_figures(source.fields for source in self.sources)

    def find(self, text: str) -> int:
        """The row that RUN or FILE:RUN means; FILE is a path or its end. Raises `UnknownName` or `NotPossible`."""
        for colon in (found.start() for found in re.finditer(":", text)):
            file, run = text[:colon], text[colon + 1 :]
            named = {source.file for source in self.sources if file and f"/{source.file}".endswith(f"/{file}")}
            if named and run:
                return self.names.find(run, [row for row in range(len(self)) if self.records.file(row) in named])
        return self.names.find(text)

    def rows(self, keep: Callable[[int], bool]) -> list[int]:
        """Numbers of the rows that `keep` keeps, in order."""
        return [row for row in range(len(self)) if keep(row)]

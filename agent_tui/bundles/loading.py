"""Read and score what was named, and put it into a bundle: two halves, so that a thread can do the first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from agent_tui.bundles.bundle import Bundle, ScoredRun, Source
from agent_tui.bundles.rule_names import NamesMet
from agent_tui.errors import NothingReadable, Problem, how_many
from agent_tui.matchers import NO_RULES, Rules, parse_rules
from agent_tui.readers import Header, Item, Malformed, Record, SourceRead, decode_run, problem_of, read
from agent_tui.runs import BundleHeader, surrogates
from agent_tui.scoring import plan_for, score_run

_EPOCHS = 2**63
"""Epochs are kept in 64 bits."""
_decode_header = msgspec.json.Decoder(BundleHeader).decode
_decode_facts = msgspec.json.Decoder(dict[str, Raw]).decode


class SourceDone(Struct, frozen=True):
    """A file was read to its end."""

    file: str
    format: str
    digest: str


class AllRead(Struct, frozen=True):
    """Everything that was named has been read."""


Fact: TypeAlias = Source | ScoredRun | Problem | SourceDone | AllRead


def load(
    paths: Sequence[str],
    *,
    rules: Rules | None = None,
    references: str | None = None,
    allow_outside: bool = False,
    modes: Iterable[str] = (),
) -> Bundle:
    """The bundle at `paths`, read whole. Raises `NothingReadable` where no run could be read."""
    bundle = Bundle(modes)
    for fact in scored(read(paths, references=references, allow_outside=allow_outside), rules):
        add(bundle, fact)
    require_runs(bundle, paths)
    return bundle


def require_runs(bundle: Bundle, paths: Sequence[str]) -> None:
    """Raise `NothingReadable`, naming the first problem, where a bundle has no run."""
    if len(bundle) == 0:
        nothing = f"{', '.join(paths)}: no runs in it; agent-tui check says what was met"
        problems = bundle.problems
        more = how_many(problems[1:])
        first = str(problems[0]) if problems else nothing
        raise NothingReadable(f"{first} (and {more:,} more)" if more else first)


def add(bundle: Bundle, fact: Fact) -> None:
    """Put one fact into a bundle."""
    if isinstance(fact, ScoredRun):
        bundle.append(fact)
    elif isinstance(fact, Problem):
        bundle.report(fact)
    elif isinstance(fact, Source):
        bundle.sources.append(fact)
    elif isinstance(fact, SourceDone):
        bundle.close_source(fact.file, fact.format, fact.digest)
    else:
        bundle.complete()


def scored(items: Iterable[Item], rules: Rules | None = None) -> Iterator[Fact]:
    """What is read, decoded and scored, in order. `rules` win over those in a source.

    Raises `BadRules` where rules make no sense or, at the end, name a tool or an argument that nothing has.
    """
    loader = Loader(rules)
    for item in items:
        yield from loader.take(item)
    loader.check_names()
    yield AllRead()


class Loader:
    """The state of one loading: the source that is being read, and the names met where there are rules."""

    def __init__(self, rules: Rules | None) -> None:
        self.met = NamesMet()
        self._rules = rules
        self._sources: list[Source] = []
        self._open: str | None = None

    @property
    def source(self) -> Source:
        """The source that is being read."""
        return self._sources[-1]

    def go_on(self, file: str, fields: Mapping[str, Raw]) -> None:
        """Begin in the middle of a source, whose header was read elsewhere."""
        for _ in self._open_source(file, fields):
            pass

    def take(self, item: Item) -> Iterable[Fact]:
        """What follows from an item. Raises `BadRules`."""
        if isinstance(item, Record) and self._open is not None:
            return (self._score(item),)
        return self._take_others(item)

    def _take_others(self, item: Item) -> Iterator[Fact]:
        if isinstance(item, Record):
            yield from self._open_source(item.file, {})
            yield self._score(item)
        elif isinstance(item, Header):
            yield from self._open_source(item.file, item.fields)
        elif isinstance(item, SourceRead):
            self._open = None if item.file == self._open else self._open
            yield SourceDone(item.file, item.format, item.digest)
        else:
            yield item

    def _score(self, record: Record) -> Fact:
        try:
            run = decode_run(record.text)
        except Malformed as error:
            return problem_of(record, error)
        if not -_EPOCHS <= run.epoch < _EPOCHS:
            return Problem(record.file, f"epoch {run.epoch} is out of range", record.line, "$.epoch")
        source = self._sources[-1]
        if source.plan.rules is not NO_RULES:
            self.met.meet(run, source)
        return ScoredRun(record, run, score_run(run, source.plan))

    def _open_source(self, file: str, fields: Mapping[str, Raw]) -> Iterator[Fact]:
        self._open = file
        described = BundleHeader()
        if "bundle" in fields:
            described, problems = _described(fields["bundle"], file)
            yield from problems
            if described.planned is not None and described.planned < 0:
                reason = f"planned is {described.planned}, but is a number of runs: not used"
                yield Problem(file, reason, path="$.bundle.planned", kind="bundle")
                described = replace(described, planned=None)
        embedded = parse_rules(fields["rules"], f"{file} @ $.rules") if "rules" in fields else NO_RULES
        if self._rules is not None and "rules" in fields and embedded != self._rules:
            yield Problem(
                file, "its own rules differ from those given, which are taken", path="$.rules", kind="warning"
            )
        rules = embedded if self._rules is None else self._rules
        source = Source(file, described, plan_for(described, rules), fields)
        self._sources.append(source)
        yield source

    def check_names(self) -> None:
        """Raise `BadRules` for a tool or an argument that rules name and nothing has."""
        for source in self._sources:
            self.met.check(source)


def _described(text: Raw, file: str) -> tuple[BundleHeader, list[Problem]]:
    """The facts of a bundle's own; those that are not of their type are left out, each with a problem."""
    try:
        return surrogates.decode(_decode_header, text), []
    except msgspec.DecodeError as error:
        whole = _bad_fact(error, file)
    try:
        facts = surrogates.decode(_decode_facts, text)
    except msgspec.DecodeError:
        return BundleHeader(), [whole]
    problems = []
    for name, value in list(facts.items()):
        try:
            surrogates.decode(_decode_header, surrogates.encode({name: value}))
        except msgspec.DecodeError as error:
            problems.append(_bad_fact(error, file))
            del facts[name]
    return surrogates.decode(_decode_header, surrogates.encode(facts)), problems


def _bad_fact(error: msgspec.DecodeError, file: str) -> Problem:
    reason, _, path = str(error).partition(" - at `")
    return Problem(file, f"{reason}: not used", path="$.bundle" + path.rstrip("`").removeprefix("$"), kind="bundle")

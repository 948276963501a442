"""A rubric: what an answer is judged by, in words, with an example of each verdict."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Raw, Struct

from agent_tui.bundles import Bundle
from agent_tui.errors import NotPossible
from agent_tui.judge.digests import content_digest, digest_of
from agent_tui.providers.contract import LABELS
from agent_tui.readers.manifest import table_of

PACKAGED = Path(__file__).parent / "rubrics" / "general.toml"
SOURCES = ("task", "answer", "trace")
"""What a rubric may see of a run."""


class Criterion(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that must hold, under the name by which evidence refers to it."""

    id: str
    words: str


class Example(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer with the verdict it deserves, and why."""

    verdict: str
    task: str
    answer: str
    why: str
    trace: tuple[str, ...] = ()


class Rubric(Struct, frozen=True, forbid_unknown_fields=True):
    """A rubric as a person wrote it; its digest names it wherever a verdict is."""

    id: str
    version: str | int
    criteria: tuple[Criterion, ...]
    examples: tuple[Example, ...]
    sees: tuple[str, ...] = SOURCES

    @property
    def digest(self) -> str:
        """SHA-256 of everything in it."""
        return digest_of(msgspec.to_builtins(self))

    @property
    def title(self) -> str:
        """For people: `general 1`."""
        return f"{self.id} {self.version}"

    @property
    def taught(self) -> frozenset[str]:
        """Content digests of its examples: a label on one of these would validate what was taught."""
        return frozenset(content_digest(example.task, example.answer) for example in self.examples)


_decode = msgspec.json.Decoder(Rubric).decode


def load_rubric(path: str | None = None) -> Rubric:
    """The rubric of a TOML or JSON file; None: the packaged one. Raises `NotPossible` with the place."""
    place = str(PACKAGED) if path is None else path
    table = table_of(place)
    if isinstance(table, str):
        raise NotPossible(f"{place}: the rubric {table}")
    return read_rubric(table, place)


def bundle_rubric(bundle: Bundle) -> Rubric | None:
    """The rubric that a bundle brings, which is a claim: nobody may use it before the user took it.

    None: it brings none. Raises `NotPossible` where it is no rubric, or where its files bring different ones.
    """
    found = {source.file: source.fields["rubric"] for source in bundle.sources if "rubric" in source.fields}
    read = {file: read_rubric(text, f"{file} @ $.rubric") for file, text in found.items()}
    if len(set(read.values())) > 1:
        raise NotPossible(f"{', '.join(read)} bring different rubrics: choose one with --rubric FILE")
    return next(iter(read.values()), None)


def read_rubric(text: Raw | bytes, place: str) -> Rubric:
    """The rubric of a JSON text. Raises `NotPossible` with `place` and the path of what is wrong."""
    try:
        rubric = _decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        reason, _, path = str(error).replace("Object ", "").partition(" - at ")
        at = f" @ {path.strip('`')}" if path else ""
        raise NotPossible(f"{place}{at}: {reason}: a rubric has id, version, sees, criteria and examples") from error
    problem = next(_problems(rubric), None)
    if problem is not None:
        raise NotPossible(f"{place} @ {problem}")
    return rubric


def _problems(rubric: Rubric) -> Iterator[str]:
    """What is wrong with a rubric of the right shape, each with its path."""
    if not rubric.id.strip():
        yield "$.id: a rubric needs a name"
    yield from _wrong_sources(rubric)
    if not rubric.criteria:
        yield '$.criteria: none: add [[criteria]] with id = ".." and words = ".."'
    ids = [criterion.id for criterion in rubric.criteria]
    for index, criterion in enumerate(rubric.criteria):
        if not criterion.id.strip() or not criterion.words.strip():
            yield f"$.criteria[{index}]: id and words must say something"
        if criterion.id in ids[:index]:
            yield f"$.criteria[{index}].id: {criterion.id!r} is used twice"
    yield from _wrong_examples(rubric)


def _wrong_sources(rubric: Rubric) -> Iterator[str]:
    unknown = [source for source in rubric.sees if source not in SOURCES]
    if unknown:
        yield f"$.sees: unknown {unknown[0]!r}: there are {', '.join(SOURCES)}"
    if "answer" not in rubric.sees:
        yield "$.sees: the answer is what is judged: add it"


def _wrong_examples(rubric: Rubric) -> Iterator[str]:
    for index, example in enumerate(rubric.examples):
        if example.verdict not in LABELS:
            yield f"$.examples[{index}].verdict: unknown {example.verdict!r}: there are {', '.join(LABELS)}"
    missing = [label for label in LABELS if label not in {example.verdict for example in rubric.examples}]
    if missing:
        yield f"$.examples: none of verdict {' or '.join(missing)}: a rubric shows each"

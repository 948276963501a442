"""Labels that came with a bundle: `human_labels`, an object of run names and words."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from agent_tui.bundles import Bundle, Source
from agent_tui.errors import Problem
from agent_tui.judge.label_file import WORDS, Word
from agent_tui.judge.named_runs import Meant, meant_runs, sources_with_rows
from agent_tui.readers import loose
from agent_tui.runs.paths import spell_path

KEY = "human_labels"


class RecordedLabels(Struct, frozen=True):
    """The words by row, and what could not be used."""

    by_row: dict[int, Word]
    problems: tuple[Problem, ...]


def recorded_labels(bundle: Bundle) -> RecordedLabels:
    """The labels that the sources of a bundle brought."""
    by_row: dict[int, Word] = {}
    problems: list[Problem] = []
    for source, rows in sources_with_rows(bundle):
        words: dict[str, Word] = {}
        for found in _words(source):
            if isinstance(found, Problem):
                problems.append(found)
            else:
                words.update([found])
        meant = meant_runs(bundle, rows, words)
        problems += [_not_one(source, name, each) for name, each in meant.items() if each.row is None]
        problems += _put(by_row, source, {name: each.row for name, each in meant.items()}, words)
    return RecordedLabels(by_row, tuple(problems))


def _words(source: Source) -> Iterator[tuple[str, Word] | Problem]:
    text = source.fields.get(KEY)
    if not loose.present(text):
        return
    if text is None or loose.kind(text) != "{":
        yield _problem(source, "is not an object of run names and labels: not used")
        return
    for name, value in loose.fields(text).items():
        word = next((word for word in WORDS if word == loose.text(value)), None)
        yield _problem(source, f"is none of {', '.join(WORDS)}: not used", name) if word is None else (name, word)


def _put(
    by_row: dict[int, Word], source: Source, meant: dict[str, int | None], words: dict[str, Word]
) -> Iterator[Problem]:
    """Add labels by row; where two names of a run say different things, neither counts."""
    said: dict[int, set[Word]] = {}
    for name, row in meant.items():
        if row is not None:
            said.setdefault(row, set()).add(words[name])
    for row, each in said.items():
        if len(each) == 1:
            by_row[row] = each.pop()
        else:
            names = " and ".join(name for name, other in meant.items() if other == row)
            yield _problem(source, f"{names} are one run and say different things: neither is used")


def _not_one(source: Source, name: str, meant: Meant) -> Problem:
    return _problem(source, f"{meant.why_none}: not used", name, "bundle" if meant.could_be else "warning")


def _problem(source: Source, reason: str, name: str | None = None, kind: str = "bundle") -> Problem:
    path = spell_path((KEY,) if name is None else (KEY, name))
    return Problem(source.file, reason, path=f"$.{path}", kind=kind)

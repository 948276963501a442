"""The recorded verdicts of a bundle as claims: which judge said what of which run. None may be shown as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from agent_tui.bundles import Bundle, Source
from agent_tui.errors import Problem
from agent_tui.judge.labelled_item import is_as_recorded
from agent_tui.judge.named_runs import Meant, meant_runs, sources_with_rows
from agent_tui.judge.recorded_entry import CONTRADICTION, Entry, Spoken, read_entry
from agent_tui.judge.recorded_judge import Signed, SourceJudge, Who, attributed, judge_of
from agent_tui.readers import loose
from agent_tui.runs.paths import spell_path

KEY = "verdicts"
CHANGED = "changed"
_CHANGED = Spoken(None, "the run is shown with another ask or answer than was judged", CHANGED)


class Claim(Struct, frozen=True, gc=False):
    """What a judge is said to have said of a run."""

    row: int
    who: Who
    standing: str
    """current, other judge or unknown judge."""
    rubric: str
    said: Spoken
    flags: tuple[str, ...] = ()


def claims_of(bundle: Bundle) -> Iterator[Claim | Problem]:
    """The claims of all sources, one a run and judge, and what could not be used."""
    for source, rows in sources_with_rows(bundle):
        judge = judge_of(source)
        yield from judge.problems
        found = list(_entries(source, judge))
        entries = [each for each in found if isinstance(each, Entry)]
        yield from (each for each in found if isinstance(each, Problem))
        meant = meant_runs(bundle, rows, {entry.name for entry in entries})
        yield from (_not_one(source, name, each) for name, each in meant.items() if each.row is None)
        for (row, who), said in _by_run_and_judge(attributed(entries, judge), meant).items():
            rubric = judge.rubric if who == judge.who else ""
            yield _claim(bundle, row, who, rubric, said)


def _entries(source: Source, judge: SourceJudge) -> Iterator[Entry | Problem]:
    text = source.fields.get(KEY)
    if text is None or not loose.present(text):
        return
    if loose.kind(text) != "[":
        yield Problem(source.file, "is not a list of verdicts: not used", path=f"$.{KEY}", kind="bundle")
        return
    for index, entry in enumerate(loose.items(text)):
        yield from read_entry(entry, judge.threshold, source.file, f"$.{spell_path((KEY, index))}")


def _by_run_and_judge(signed: Sequence[Signed], meant: dict[str, Meant]) -> dict[tuple[int, Who], list[Signed]]:
    found: dict[tuple[int, Who], list[Signed]] = {}
    for each in signed:
        row = meant[each.entry.name].row
        if row is not None:
            found.setdefault((row, each.who), []).append(each)
    return found


def _claim(bundle: Bundle, row: int, who: Who, rubric: str, signed: Sequence[Signed]) -> Claim:
    """One claim of what a judge said of a run, once or several times."""
    flags = tuple(dict.fromkeys(flag for each in signed for flag in each.entry.flags))
    said = _said([each.entry.said for each in signed]) if is_as_recorded(bundle, row) else _CHANGED
    return Claim(row, who, signed[0].standing, rubric, said, flags)


def _said(several: Sequence[Spoken]) -> Spoken:
    given = [said for said in several if said.verdict is not None]
    if len({said.verdict for said in given}) > 1:
        return Spoken(None, f"it is recorded {len(given)} times, with verdicts that differ", CONTRADICTION)
    return given[0] if given else several[0]


def _not_one(source: Source, name: str, meant: Meant) -> Problem:
    reason = f"verdict on {name!r}: {meant.why_none}: not used"
    return Problem(source.file, reason, path=f"$.{KEY}", kind="bundle" if meant.could_be else "warning")

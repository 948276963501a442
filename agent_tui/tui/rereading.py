"""Read a bundle again while the old one stays on the screen: what differs, what noticed, whether it is whole yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from textual.message import Message

from agent_tui.bundles import Bundle
from agent_tui.bundles.journal import Journal
from agent_tui.bundles.ledger import Change
from agent_tui.bundles.patch import Written, checked, written
from agent_tui.bundles.what_if import WhatIf
from agent_tui.errors import AgentTuiError
from agent_tui.readers import decode_run
from agent_tui.runs import canonical
from agent_tui.scoring.counts import Counts, Seen, seen
from agent_tui.scoring.noticed import Effect, Shown, effect_of
from agent_tui.tui.loader import Opening
from agent_tui.workers.loading import load

_COMPARED = 20_000
"""Runs up to which a bundle is compared run by run (a count)."""
Changes = tuple[tuple[Written, ...], ...]


@dataclass
class Reread(Message):
    """A bundle was read again, whole."""

    old: Bundle
    changes: Changes
    """The changes that were shown when reading began."""
    what_if: WhatIf
    """The new bundle, with those changes that still fit."""
    effect: Effect
    was: Mapping[int, bytes]
    """What was said of rows that are judged otherwise now: a `State` code for each of COUNTED."""
    altered: tuple[str, ...]
    """Runs that stand there otherwise than before, by name."""
    new: tuple[str, ...]
    gone: tuple[str, ...]
    dropped: tuple[str, ...]
    """Changes that do not fit any more, each with the reason."""
    forced: bool


@dataclass
class NotReread(Message):
    """A bundle was read again, but is not shown: it is the same (no reason), or not whole."""

    old: Bundle
    reason: str
    forced: bool


def shown_changes(bundle: Bundle, changes: Sequence[Change]) -> Changes:
    """Changes of a bundle as they are written."""
    return tuple(tuple(written(bundle, made) for made in change.edits) for change in changes)


def reread(
    opening: Opening, old: Bundle, changes: Changes, *, forced: bool, is_another: bool = False
) -> Reread | NotReread:
    """Read what `opening` names again. Unless `forced`, a bundle that lost more than the old one is not whole yet;
    `forced`, an index is held to every byte of its files first.

    `is_another`: the file is another one, even if it holds the same.
    """
    try:
        bundle = load(
            opening.paths,
            rules=opening.rules,
            references=opening.references,
            allow_outside=opening.allow_outside,
            verifies=forced or opening.verifies,
        )
    except AgentTuiError as error:
        return NotReread(old, str(error), forced)
    if bundle.digest == old.digest and not is_another:
        return NotReread(old, "", forced)
    lost = _losses(bundle) - _losses(old)
    if lost and not forced:
        reason = str(next(each for each in bundle.losses if (each.file, each.kind) in lost))
        return NotReread(old, reason, forced)
    what_if = WhatIf(bundle, Journal(bundle))
    dropped = tuple(_make_again(what_if, changes))
    return _compared(old, what_if, changes, dropped, forced)


def _losses(bundle: Bundle) -> Counter[tuple[str, str]]:
    lost: Counter[tuple[str, str]] = Counter()
    for problem in bundle.losses:
        lost[problem.file, problem.kind] += problem.count
    return lost


def _make_again(what_if: WhatIf, changes: Changes) -> Iterator[str]:
    """Make the changes that still fit; gives the reasons for the others."""
    for edits in changes:
        try:
            what_if.change_all(list(checked(what_if.bundle, edits)))
        except AgentTuiError as error:
            yield str(error)


def _say_the_same(text: bytes, other: bytes) -> bool:
    """Whether two records are equal as JSON, however they are spaced."""
    try:
        return canonical(text) == canonical(other)
    except ValueError:
        return False


def _compared(old: Bundle, what_if: WhatIf, changes: Changes, dropped: tuple[str, ...], forced: bool) -> Reread:
    bundle = what_if.bundle
    bundle.shows_changed = True
    tallies = Counts(old.totals).tallies, Counts(bundle.totals).tallies
    if max(len(old), len(bundle)) > _COMPARED:
        return Reread(old, changes, what_if, effect_of(*tallies, []), {}, (), (), (), dropped, forced)
    before = {old.names.name(row): row for row in range(len(old))}
    shown: list[Shown] = []
    was: dict[int, bytes] = {}
    altered: list[str] = []
    new: list[str] = []
    for row in range(len(bundle)):
        name = bundle.names.name(row)
        at = before.pop(name, None)
        if at is None:
            new.append(name)
            continue
        text, now = old.record(at), bundle.record(row)
        said: tuple[Seen, Seen] = seen(old.table, at), seen(bundle.table, row)
        is_altered = text != now and not _say_the_same(text, now)
        if is_altered:
            altered.append(name)
        if is_altered or said[0] != said[1]:
            shown.append(Shown(name, decode_run(text), decode_run(now), *said))
            was[row] = said[0].states
    effect = effect_of(*tallies, shown)
    return Reread(old, changes, what_if, effect, was, tuple(altered), tuple(new), tuple(before), dropped, forced)

"""What noticed a change: what was changed, then a line a measure in a fixed order, then the figures that moved."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from rich.text import Text

from agent_tui.bundles.ledger import Made
from agent_tui.matchers.parting import left_out, without_front
from agent_tui.reports import figures
from agent_tui.runs import parse
from agent_tui.runs.edits import Insert, Move, Remove
from agent_tui.runs.paths import spell_path
from agent_tui.scoring.counts import REDUNDANCY
from agent_tui.scoring.noticed import Effect, FigureMoved, Noticed
from agent_tui.scoring.rounding import in_places
from agent_tui.scoring.run_score import LEVELS
from agent_tui.tui.present.words import joined, safe, safe_name, shown_measure, text_of_json
from agent_tui.tui.session import CYCLE
from agent_tui.tui.theme import Glyphs

ORDER = (*CYCLE, "output", *LEVELS, REDUNDANCY)
"""The measures in the order in which they are told."""
_NAME, _COUNT = 16, 15
HANG = _NAME + _COUNT + 5
"""The cell at which the words of a measure begin, and go on where they wrap."""
_VALUE = 60
_NAMED = 4
_COUNTS = ("calls", REDUNDANCY)


class NoticedLines(Struct, frozen=True):
    """The lines, and for each the run that it is about, by name."""

    lines: Sequence[Text]
    runs: Sequence[str | None]
    first: int
    """The first line of a measure that noticed; where none did, the first of all."""


def noticed_lines(heads: Sequence[Text], run: str | None, effect: Effect, glyphs: Glyphs) -> NoticedLines:
    """All lines of the pane; `heads` say what was changed, in `run` where it is one."""
    by_name = {each.measure: each for each in effect.noticed}
    lines: list[tuple[Text, str | None]] = [(head, run) for head in heads]
    for measure in ORDER:
        noticed = by_name[measure]
        if _knows(noticed):
            lines.append((measure_line(noticed, glyphs), noticed.moved[0] if noticed.moved else run))
    lines += [(figure_line(moved, glyphs), moved.run) for moved in effect.figures if moved.figure != REDUNDANCY]
    moved = [measure for measure in ORDER if _knows(by_name[measure])]
    first = next((at for at, measure in enumerate(moved, len(heads)) if by_name[measure].moved), 0)
    return NoticedLines([line for line, _ in lines], [name for _, name in lines], first)


def _knows(noticed: Noticed) -> bool:
    """Whether a measure says something of some run, before or after."""
    return any(tally.scored or tally.errors for tally in (noticed.before, noticed.after))


def measure_line(noticed: Noticed, glyphs: Glyphs) -> Text:
    """`exact  3/6 → 4/6  ▲ R2 passes now`."""
    before, after = noticed.before, noticed.after
    counts = f"{before.passed:,}/{before.scored:,} {glyphs.arrow} {after.passed:,}/{after.scored:,}"
    line = Text(f" {shown_measure(noticed.measure):<{_NAME}} ", "text" if noticed.moved else "label")
    line.append(f"{counts:<{_COUNT}} ", "number" if noticed.moved else "label")
    if not noticed.moved:
        return line.append(f"{glyphs.nothing} {safe(noticed.why, 300)}", "label")
    up, down = after.passed > before.passed, after.passed < before.passed
    sign, style = (glyphs.up, "pass") if up else (glyphs.down, "fail") if down else (glyphs.changed, "notice")
    line.append(f"{sign} ", style).append(moved_words(noticed), "text")
    return (
        line if noticed.measure in ("exact", REDUNDANCY) else line.append(f": it compares {noticed.compares}", "label")
    )


def moved_words(noticed: Noticed) -> str:
    """Which runs moved and how: `R2 passes now`, `R1, R4 fail now`, `oos-mongo: 0 → 1`."""
    groups: dict[str, list[str]] = {}
    for run, how in noticed.moves:
        groups.setdefault(how, []).append(safe_name(run))
    return "; ".join(_moved_so(how, runs) for how, runs in groups.items())


def _moved_so(how: str, runs: Sequence[str]) -> str:
    names = ", ".join(runs[:_NAMED])
    more = len(runs) - _NAMED
    if more > 0:
        names += f" and {more:,} more"
    verb = {"pass": "pass", "fail": "fail"}.get(how.rpartition(" → ")[2])
    if verb is None:
        return f"{names}: {how}"
    return f"{names} {verb if len(runs) > 1 else verb + ('es' if verb == 'pass' else 's')} now"


def figure_line(moved: FigureMoved, glyphs: Glyphs) -> Text:
    """`query quality  .42 → .48  oos-mongo`."""
    values = f"{_figure(moved.figure, moved.before)} {glyphs.arrow} {_figure(moved.figure, moved.after)}"
    line = Text(f" {moved.figure.replace('_', ' '):<{_NAME}} ", "text")
    return line.append(f"{values:<{_COUNT}} ", "number").append(f"  {safe_name(moved.run)}", "label")


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return figures.NOT_AVAILABLE
    if name in _COUNTS:
        return f"{value:g}"
    return f"{in_places(value, 2):.2f}".removeprefix("0") if name == "query_quality" else figures.rate(value)


# What was changed


def change_lines(edits: Sequence[Made], glyphs: Glyphs, *, undone: bool = False) -> list[Text]:
    """A line an edit: `R2 expected.calls[1].args.amount  140 → 1400`."""
    return [Text(" ").append_text(edit_line(made, glyphs, undone=undone)) for made in edits]


def edit_line(made: Made, glyphs: Glyphs, *, undone: bool = False) -> Text:
    """One edit in a line; undone, with its values the other way round."""
    edit, before, after = made.done.edit, made.done.before, made.done.after
    line = Text("undone  " if undone else "", "notice")
    line.append(f"{safe_name(made.run)} ", "title").append(safe(spell_path(edit.path), 120), "title")
    if isinstance(edit, Move):
        said = f"moved by {-edit.by if undone else edit.by:+d}"
    elif isinstance(edit, Insert):
        said = f"{'taken out' if undone else 'put in'} {_item(after)}"
    elif isinstance(edit, Remove):
        said = f"{'put in' if undone else 'taken out'} {_item(before)}"
    else:
        one, other = (after, before) if undone else (before, after)
        said = _changed(one, other, glyphs)
    return line.append(f"  {said}", "notice")


def _item(text: bytes | None) -> str:
    """A call by its tool, anything else by its value."""
    try:
        value = parse(text or b"null")
    except ValueError:
        return _value(text)
    body = value.get("function", value) if isinstance(value, dict) else None
    name = body.get("name") if isinstance(body, dict) else body
    return safe(name, _VALUE) if isinstance(name, str) else _value(text)


def _changed(one: bytes | None, other: bytes | None, glyphs: Glyphs) -> str:
    """A value and what it became; where they are long, from where they part."""
    before, after = _whole(one), _whole(other)
    skipped = left_out(before, after, _VALUE)
    before, after = (safe(without_front(text, skipped), _VALUE) for text in (before, after))
    return f"{before} {glyphs.arrow} {after}"


def _value(text: bytes | None) -> str:
    return safe(_whole(text), _VALUE)


def _whole(text: bytes | None) -> str:
    if text is None:
        return "nothing"
    try:
        return text_of_json(parse(text))
    except ValueError:
        return text.decode("utf-8", "replace")


def reread_lines(name: str, altered: Sequence[str], new: Sequence[str], gone: Sequence[str]) -> list[Text]:
    """What is otherwise since a bundle was read again: `mine.json was read again  1 run changed: R2`."""
    said = [_some(altered, "changed"), _some(new, "new"), _some(gone, "gone")]
    words = joined(*(Text(each, "notice") for each in said if each)) or Text("no run changed", "label")
    return [Text(f" {safe(name, 60)} was read again  ", "title").append_text(words)]


def dropped_lines(dropped: Sequence[str]) -> list[Text]:
    """The changes that did not fit any more."""
    return [Text(" dropped, it does not fit any more: ", "notice").append(safe(each, 200), "label") for each in dropped]


def _some(names: Sequence[str], what: str) -> str:
    if not names:
        return ""
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"{figures.count(len(names), 'run')} {what}: {', '.join(map(safe_name, names[:_NAMED]))}{more}"


def noticed_briefly(effect: Effect) -> str:
    """The measures that noticed, in a line."""
    moved = {each.measure for each in effect.noticed if each.moved and _knows(each)}
    names = [shown_measure(name) for name in ORDER if name in moved]
    if not names and any(each.before.total != each.after.total for each in effect.noticed):
        return "the counts moved with the runs"
    if not names:
        return "nothing noticed"
    return f"noticed by {', '.join(names) if len(names) <= _NAMED else f'{len(names)} measures'}"


def announcement(head: Text, effect: Effect, width: int) -> Text:
    """A change in the status line: what it was and which measures noticed; these first where not both fit."""
    told = Text(noticed_briefly(effect), "label")
    line = joined(head, told)
    return line if line.cell_len <= width else joined(Text(" ").append_text(told), Text(head.plain.lstrip(), "notice"))

"""A run as whoever labels it reads it: the ask, every step, the answer. No verdict, no check, no recorded score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace
from rich.cells import cell_len
from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.judge.label_file import FAIL, PASS, UNDETERMINED, Label
from agent_tui.reports import figures
from agent_tui.runs import Step
from agent_tui.tui.present.judge_line import LABEL_STYLES
from agent_tui.tui.present.nodes import Node, Tree
from agent_tui.tui.present.short_names import short_name
from agent_tui.tui.present.steps import StepTree
from agent_tui.tui.present.texts import labelled_text
from agent_tui.tui.present.words import joined, safe, safe_name
from agent_tui.tui.theme import Glyphs

WORDS = {"p": PASS, "f": FAIL, "u": UNDETERMINED}
"""Labels by their key."""
_LABEL = 12
_TITLE = "Label "
_LEAST_NAME, _JOINTS = 8, 5
"""Cells of a run's name in the title at least, and of what stands around its parts."""


def to_label(bundle: Bundle, row: int, width: int, glyphs: Glyphs) -> Tree:
    """What is read before a label is given."""
    return Tree(list(_nodes(bundle, row, width)), glyphs)


def _nodes(bundle: Bundle, row: int, width: int) -> Iterator[Node]:
    run, steps = bundle.run(row), _without_events(bundle.steps(row))
    asks = any(step.role == "user" and step.text == run.input for step in steps)
    if run.input and not asks:
        yield labelled_text(("input",), 0, Text(f"{'ask':<{_LABEL}}", "label"), run.input, width, "text")
    yield from StepTree(width).nodes(steps)
    says = run.answer is not None and any(step.role == "assistant" and step.text == run.answer for step in steps[-1:])
    if run.answer is None:
        yield Node(("answer",), 0, lambda: Text(f"{'answer':<{_LABEL}}none was recorded", "label"))
    elif not says:
        label = Text(f"{'answer':<{_LABEL}}", "label")
        yield labelled_text(("answer",), 0, label, run.answer, width, "text", open=True)


def _without_events(steps: Sequence[Step]) -> list[Step]:
    """Steps without what a log notes beside the run, where a score could stand."""
    kept = (step for step in steps if step.type != "event")
    return [replace(step, steps=_without_events(step.steps)) if step.steps else step for step in kept]


def title(bundle: Bundle, row: int, left: int, room: int, glyphs: Glyphs) -> list[Text]:
    """The run, and how many are left without a label, in so many cells."""
    name, without = bundle.names.name(row), f"{figures.count(left, 'run')} without a label"
    room -= len(_TITLE) + _JOINTS
    if cell_len(safe_name(name)) + len(without) > room:
        without = f"{left:,} without a label"
    short = short_name(name, max(_LEAST_NAME, room - len(without)), glyphs.ellipsis)
    return [Text(_TITLE, "label").append(short, "title"), Text(without, "label")]


def words_line(mine: Label | None, *, labelled: bool, kept_in: str) -> Text:
    """The three labels to give, and what was said before, or else where they are kept."""
    line = Text(" ")
    for key, word in WORDS.items():
        given = mine is not None and mine.label == word
        line.append(f" {key}  {word} ", "button" if given else "quiet_button").append("  ")
    if mine is not None:
        note = f": {safe(mine.note, 120)}" if mine.note else ""
        return line.append(f"you said {mine.label}{note}", LABEL_STYLES[mine.label])
    if labelled:
        return line.append("somebody labelled it: yours takes its place", "notice")
    return line.append(f"kept in {safe(kept_in, 120)}", "label")


def needs_line(sentence: str, notice: str) -> Text:
    """What the gate still needs, and why labels are not kept beside the bundle, where they are not."""
    where = Text(safe(notice, 200), "notice") if notice else None
    needs = Text("the gate needs: ", "label").append(safe(sentence, 300), "text") if sentence else None
    return Text(" ").append_text(joined(needs, where, gap="   "))

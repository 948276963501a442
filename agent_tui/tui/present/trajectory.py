"""One run to read: the ask, expected beside made, the answer beside the truth, the first difference, every step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, UnsetType
from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.bundles.search import Hit, text_of
from agent_tui.matchers import Explanation
from agent_tui.reports.figures import count
from agent_tui.reports.run_rows import notes
from agent_tui.runs import Run, Step, parse
from agent_tui.scoring import RunScore
from agent_tui.scoring.rounding import in_places
from agent_tui.tui.editing import SIDES, EditedLines
from agent_tui.tui.judge.facts import Said
from agent_tui.tui.present.aligned import Aligned
from agent_tui.tui.present.changed import Changed, Was, changed, remark, was_text
from agent_tui.tui.present.judge_line import NOT_VALIDATED, verdict_mark
from agent_tui.tui.present.nodes import Key, Node, Tree
from agent_tui.tui.present.problems import file_counts
from agent_tui.tui.present.runs import OUTPUT_STATES
from agent_tui.tui.present.short_names import short_name
from agent_tui.tui.present.steps import StepTree, controls
from agent_tui.tui.present.texts import labelled_text
from agent_tui.tui.present.truths import truth_words
from agent_tui.tui.present.words import joined, mark, safe
from agent_tui.tui.theme import Glyphs

_LABEL = 12
JUDGE: Key = ("judge",)
"""The line with a judge's verdict."""
_LEAST_NAME, _BESIDE_NAME = 20, 32
"""Cells of a run's name in the title at least, and of what stands beside it."""
_NOTES = 3
"""Notes that are shown one by one; more are folded."""


class _Maker(Struct, frozen=True):
    """What all sections of a trajectory are made from."""

    bundle: Bundle
    row: int
    width: int
    glyphs: Glyphs
    changed: Changed


def trajectory(bundle: Bundle, row: int, width: int, glyphs: Glyphs, said: Said | None = None) -> Tree:
    """The lines of a run for a pane of `width` cells; `said` is what a judge said of it, where that may be seen."""
    run, score, steps = bundle.run(row), bundle.score(row), bundle.steps(row)
    explanation = bundle.explain(row)
    maker = _Maker(bundle, row, width, glyphs, changed(bundle, row, explanation.reference))
    aligned = Aligned(bundle, row, width, glyphs, explanation, maker.changed)
    pairs = aligned.nodes()
    told = bool(pairs) and not _tells_more(steps)
    roots = [
        *_ask(maker, run, steps),
        *_error(maker, run),
        *(_heading_of(aligned) if pairs else ()),
        *pairs,
        *_steps(maker, steps, folded=told),
        *_blank(("gap", "answer")),
        *_answer(maker, run, score),
        *_judge(maker, said),
        *_facts(maker, score, explanation),
    ]
    return Tree(roots, glyphs)


def _blank(key: Key) -> list[Node]:
    return [Node(key, 0, Text)]


def _label(label: str) -> Text:
    return Text(f"{label:<{_LABEL}}", "label")


def _labelled(label: str, value: Text) -> Text:
    return _label(label).append_text(value)


def _text_section(maker: _Maker, key: Key, label: str, text: str, style: str, before: str | None = None) -> Node:
    """A text beside its label, with the number of control sequences in it, and what it was before it was changed."""
    tail = joined(controls(text), _was(maker, before, text))
    return _wrapped(maker, key, _label(label), text, style, tail=tail or None)


def _was(maker: _Maker, before: str | None, now: str = "") -> Text | None:
    """What a text was when the run was recorded."""
    return None if before is None else remark(was_text(before, now), maker.glyphs.changed)


def _wrapped(maker: _Maker, key: Key, label: Text, text: str, style: str, tail: Text | None = None) -> Node:
    return labelled_text(key, 0, label, text, maker.width, style, tail=tail)


def _ask(maker: _Maker, run: Run, steps: Sequence[Step]) -> Iterator[Node]:
    opens = next((step for step in steps if step.type == "message" and step.role == "user"), None)
    if run.input and not (opens is not None and opens.text == run.input and _tells_more(steps)):
        yield _text_section(maker, ("input",), "ask", run.input, "text", maker.changed.ask)


def _error(maker: _Maker, run: Run) -> Iterator[Node]:
    if run.error is not None:
        said = run.error.text or "the run ended in an error"
        yield _text_section(maker, ("error",), "error", said, "error")
    if run.limit is not None:
        yield Node(("limit",), 0, lambda: _labelled("limit", Text(safe(run.limit or ""), "notice")))


def _heading_of(aligned: Aligned) -> list[Node]:
    if not aligned.is_wide:
        return []
    line = Text("  expected".ljust(aligned.left + 2), "label").append(f"{aligned.glyphs.divider} ", "faint")
    line.append("made", "label")
    return [Node(("sides",), 0, lambda: line)]


def _tells_more(steps: Sequence[Step]) -> bool:
    """Whether the steps hold more than the calls that the alignment shows."""
    return any(step.type != "call" for step in steps)


def _steps(maker: _Maker, steps: Sequence[Step], *, folded: bool) -> Iterator[Node]:
    if not steps:
        return
    tree = StepTree(maker.width, 1, _changed_steps(maker))
    line = joined(Text("steps", "title"), Text(f"{len(steps):,}", "label"))
    yield Node(("steps",), 0, lambda: line, lambda: tree.nodes(steps), open=not folded)


def _changed_steps(maker: _Maker) -> dict[Key, Was]:
    """The calls that changed, by the keys of their steps."""
    if not maker.changed.made:
        return {}
    lines = EditedLines(maker.bundle, maker.row)
    return {lines.step_of(number): was for number, was in maker.changed.made.items()}


def _answer(maker: _Maker, run: Run, score: RunScore) -> Iterator[Node]:
    answer = score.answer
    if run.answer is None:
        was = _was(maker, maker.changed.answer)
        yield Node(
            ("answer",),
            0,
            lambda: _labelled("answer", joined(Text("none was recorded" if was is None else "none", "label"), was)),
        )
    else:
        yield _text_section(maker, ("answer",), "answer", run.answer, "text", maker.changed.answer)
    verdict = joined(mark(OUTPUT_STATES[answer.state], maker.glyphs, answer.state.replace("_", " ")))
    why = Text(safe(answer.why, 300), "label")
    expected = run.expected
    if expected is None or isinstance(expected.answer, UnsetType):
        yield Node(("truth",), 0, lambda: _labelled("truth", joined(Text("none recorded", "label"), verdict, why)))
        return
    truth = parse(expected.answer)
    said = truth if isinstance(truth, str) else truth_words(truth)
    tail = joined(verdict, _was(maker, maker.changed.truth, said))
    node = _wrapped(maker, ("truth",), _label("truth"), said, "pass", tail=tail)
    node.whole = lambda: text_of(truth)
    yield node
    if answer.why:
        yield _wrapped(maker, ("why",), _label(""), answer.why, "label")


def _judge(maker: _Maker, said: Said | None) -> Iterator[Node]:
    if said is None:
        return
    label = _label("judge").append_text(verdict_mark(said, maker.glyphs, in_words=True)).append("  ")
    tail = None if said.is_validated else Text(NOT_VALIDATED, "notice")
    node = _wrapped(maker, JUDGE, label, said.why or "no reason given", "label", tail=tail)
    yield node


def _facts(maker: _Maker, score: RunScore, explanation: Explanation) -> Iterator[Node]:
    if explanation.first_difference:
        yield from _blank(("gap", "difference"))
        yield _wrapped(
            maker, ("difference",), Text("first difference  ", "label"), explanation.first_difference, "text"
        )
    weak = maker.bundle.weak_reasons(maker.row)
    if weak:
        line = _labelled("weak path", Text(", ".join(weak), "notice"))
        yield Node(("weak",), 0, lambda: line)
    if explanation.repeats or explanation.retries:
        said = Text(
            f"{count(explanation.repeats, 'repeat')}, {count(explanation.retries, 'retry', 'retries')}",
            "notice",
        )
        yield Node(("redundancy",), 0, lambda: _labelled("redundancy", said))
    yield from _search_figures(score)
    yield from _notes(maker, notes(maker.bundle, maker.row, score, explanation.notes))


def _notes(maker: _Maker, said: Sequence[str]) -> Iterator[Node]:
    def nodes() -> list[Node]:
        return [_note(maker, number, note) for number, note in enumerate(said)]

    if len(said) <= _NOTES:
        yield from nodes()
        return
    first = Text(f"{len(said):,}", "text").append(f"  first: {safe(said[0], 200)}", "label")
    head = _labelled("notes", first)
    yield Node(("notes",), 0, lambda: head, nodes)


def _note(maker: _Maker, number: int, note: str) -> Node:
    return _wrapped(maker, ("note", number), _label("note"), note, "label")


def _search_figures(score: RunScore) -> Iterator[Node]:
    levels = score.levels
    if levels.query_quality is None:
        return
    words = [f"query quality {in_places(levels.query_quality, 2):.2f}", f"redundancy {levels.redundancy}"]
    if levels.document_surfaced is not None:
        words.append(f"relevant document surfaced: {'yes' if levels.document_surfaced else 'no'}")
    line = _labelled("search", Text(", ".join(words), "text"))
    yield Node(("search",), 0, lambda: line)


def title(bundle: Bundle, row: int, side: str, room: int, glyphs: Glyphs) -> list[Text]:
    """The pane's title: the run's name, its task where that is another, where it stands; the side that e acts on."""
    run = bundle.run(row)
    name = short_name(bundle.names.name(row), max(_LEAST_NAME, room - _BESIDE_NAME), glyphs.ellipsis)
    parts = [Text(name, "title")]
    if run.task != run.id:
        parts.append(Text(safe(run.task, 60), "label"))
    if run.status != "done":
        parts.append(Text(safe(run.status, 20), "error" if run.status == "error" else "notice"))
    counts = file_counts(bundle, row)
    if counts:
        parts.append(Text(counts, "notice"))
    if not side:
        return [joined(*parts)]
    sides = joined(*(Text(f" {each} ", "button") if each == side else Text(each, "label") for each in SIDES), gap=" ")
    return [joined(*parts), sides]


def key_of(hit: Hit) -> Key:
    """The key of the node that a hit of the search is in."""
    if hit.step:
        return ("step", hit.step, hit.part) if hit.part in ("result", "error", "args", "text") else ("step", hit.step)
    return ("input",) if hit.part in ("id", "task") else (hit.part,)

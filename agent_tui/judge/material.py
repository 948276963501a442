"""What a judge gets to see of a run: the ask, the answer and, if the rubric wants it, the trace. Never the truth."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from agent_tui.bundles import Bundle
from agent_tui.judge.characters import has_content, whole_pairs
from agent_tui.judge.clipping import SIZES, TIGHT, Sizes, clip, clip_steps
from agent_tui.judge.digests import digest_of
from agent_tui.judge.openers import is_only_openers
from agent_tui.judge.rubric import Rubric
from agent_tui.judge.self_naming import blank_self_naming
from agent_tui.judge.trace import render
from agent_tui.runs import Run

NOT_FINISHED, RUN_ERROR, NO_ANSWER, NO_CONTENT = "not_finished", "run_error", "no_answer", "no_content"


class Item(Struct, frozen=True, kw_only=True, gc=False):
    """One run as a judge sees it, and who it is. It holds no truth, no expectation, no score and no verdict."""

    name: str
    """The run's name."""
    task: str
    """What was asked; empty where the rubric does not see it, or nobody recorded it."""
    answer: str
    trace: tuple[str, ...] = ()
    """The steps as text; () where the rubric does not see them."""
    task_id: str = ""
    """Runs of one task are one observation."""
    author_model: str | None = None
    """For the family test alone: it is neither sent nor part of the digest."""
    cut: tuple[str, ...] = ()
    """Sources that are longer than what is sent: task, answer, trace."""

    @property
    def digest(self) -> str:
        """SHA-256 of what is sent: task, answer, trace."""
        return digest_of({"task": self.task, "answer": self.answer, "trace": list(self.trace)})


class NoItem(Struct, frozen=True):
    """Why a run is not for a judge, and the verdict where none is needed."""

    reason: str
    """not_finished, run_error, no_answer or no_content."""
    decided: str | None = None
    """`fail` where the answer has no content; None: not judged at all."""


def make_item(bundle: Bundle, row: int, rubric: Rubric) -> Item | NoItem:
    """The material of a run, or why there is none."""
    run = bundle.run(row)
    reason = _no_item(run)
    if reason is not None:
        return NoItem(reason, "fail" if reason == NO_CONTENT else None)
    steps = render(bundle.steps(row), run.answer) if "trace" in rubric.sees else []
    return item_of(
        name=bundle.names.name(row),
        task=(run.input or "") if "task" in rubric.sees else "",
        answer=run.answer or "",
        steps=steps,
        task_id=run.task,
        author_model=bundle.table.models[row],
    )


def _no_item(run: Run) -> str | None:
    if not run.is_finished:
        return NOT_FINISHED
    if run.status == "error":
        return RUN_ERROR
    if run.answer is None:
        return NO_ANSWER
    return None if says_something(run.answer) else NO_CONTENT


def says_something(answer: str) -> bool:
    """Whether an answer has anything to judge: one that is empty, punctuation or an opener alone has not."""
    return has_content(answer) and not is_only_openers(answer)


def item_of(
    *,
    name: str,
    task: str,
    answer: str,
    steps: list[str],
    task_id: str = "",
    author_model: str | None = None,
    sizes: Sizes = SIZES,
) -> Item:
    """An item of texts as they were recorded: self-naming blanked, too long ones clipped and told."""
    whole = Item(
        name=name,
        task=whole_pairs(task),
        answer=whole_pairs(answer),
        trace=tuple(map(whole_pairs, steps)),
        task_id=task_id,
        author_model=author_model,
    )
    short = clipped(whole, sizes)
    answer, *trace = (blank_self_naming(text, author_model, short.task) for text in (short.answer, *short.trace))
    return replace(short, answer=answer, trace=tuple(trace))


def clipped(item: Item, sizes: Sizes = TIGHT) -> Item:
    """The item within `sizes`; `cut` names what was shortened."""
    task, answer, trace = clip(item.task, sizes.task), clip(item.answer, sizes.answer), clip_steps(item.trace, sizes)
    pairs = (("task", task, item.task), ("answer", answer, item.answer), ("trace", trace, item.trace))
    cut = tuple(source for source, after, before in pairs if after != before or source in item.cut)
    return replace(item, task=task, answer=answer, trace=trace, cut=cut)

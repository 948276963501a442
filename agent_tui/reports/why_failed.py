"""Why a run does not pass one measure, in a sentence of that measure's own."""

from __future__ import annotations

from collections.abc import Iterator

from agent_tui.bundles import Bundle
from agent_tui.matchers import Explanation
from agent_tui.matchers.explain import EXTRA, MISSING, UNLIKE, Row
from agent_tui.matchers.tool_lists import forbidden_objections, required_objections
from agent_tui.scoring.levels import expected_names
from agent_tui.scoring.success import RECORDED

_MARKS = {"name_only": (EXTRA, MISSING), "in_order": (UNLIKE, MISSING)}
_OF_LISTS = {"required_tools": required_objections, "forbidden_tools": forbidden_objections}
_LEAST = 2


def why_failed(bundle: Bundle, measure: str, row: int) -> str:
    """Why a run fails a measure."""
    return next((why for why in _reasons(bundle, measure, row) if why), measure)


def why_untold(bundle: Bundle, measure: str, row: int) -> str:
    """Why a measure cannot tell of a run: what is wrong with the check."""
    if measure in ("output", "task_success"):
        return bundle.score(row).answer.why
    return "; ".join(bundle.explain(row).notes)


def _reasons(bundle: Bundle, measure: str, row: int) -> Iterator[str]:
    """The reasons that there may be, the closest first; some are empty."""
    if measure == "output":
        yield bundle.score(row).answer.why
    elif measure == "task_success":
        score = bundle.score(row)
        yield "the recorded score says so" if score.success.source == RECORDED else score.answer.why
    elif measure in _OF_LISTS:
        yield "; ".join(_OF_LISTS[measure](bundle.run(row), bundle.source(row).plan.rules))
    elif measure == "tool_call_correctness":
        yield "; ".join(_about_tools(bundle, row))
    else:
        explanation = bundle.explain(row)
        yield _of_rows(explanation.rows, _MARKS.get(measure, ()))
        yield _of_pairs(explanation, measure)
        yield explanation.first_difference or ""
        yield ", ".join(bundle.weak_reasons(row))


def _of_rows(rows: list[Row], marks: tuple[str, ...]) -> str:
    return next((_said(row) for row in rows if row.mark in marks), "")


def _of_pairs(explanation: Explanation, measure: str) -> str:
    """The first expected call that no call agrees with, wherever it stands; or the first call that agrees with none."""
    told = zip(explanation.pairs, explanation.differences, strict=True)
    equal = [pair for pair, differences in told if not differences]
    wanted, made = {None, *(i for i, _ in equal)}, {None, *(j for _, j in equal)}
    if measure == "any_order":
        return next((_said(row) for row in explanation.rows if row.expected_index not in wanted), "")
    if measure == "subset":
        return next((_said(row) for row in explanation.rows if row.actual_index not in made), "")
    return ""


def _said(row: Row) -> str:
    """A line of the aligned view in words."""
    if row.mark == MISSING:
        return f"call {(row.expected_index or 0) + 1} {_name(row.expected)}: missing"
    place = f"call {(row.actual_index or 0) + 1} {_name(row.actual)}"
    return f"{place}: {row.differences[0]}" if row.differences else f"{place}: not expected"


def _name(call: str | None) -> str:
    return (call or "").partition(" ")[0]


def _about_tools(bundle: Bundle, row: int) -> Iterator[str]:
    """What is wrong with the tools that were called."""
    run, score, plan = bundle.run(row), bundle.score(row), bundle.source(row).plan
    if score.levels.called is False:
        yield "no call was made" if plan.levels.kind == "calls" else f"{plan.levels.tool} was not called"
    if plan.levels.kind != "calls":
        if score.levels.valid is False:
            yield f"a call of {plan.levels.tool} has no {plan.levels.argument}"
        elif score.levels.query_quality == 0:
            yield "no word of the question is in the queries"
        return
    for number, call in enumerate(run.calls or (), 1):
        misfit = plan.tools.misfit(call)
        if misfit is not None and not score.levels.valid:
            yield f"call {number} {call.name}: {misfit}"
    made = [plan.rules.name_of(call.name) for call in run.calls or () if not plan.rules.leaves_out(call.name)]
    for name, times in expected_names(run, score.match, plan.rules).items():
        count = made.count(name)
        if count < times:
            yield f"{name}: called {count} of {times} times" if times >= _LEAST else f"{name}: not called"

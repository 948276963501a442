"""One run as text: what was asked, what was done beside what was expected, what was answered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, Raw, UnsetType

from agent_tui.bundles import Bundle
from agent_tui.errors import NotPossible
from agent_tui.matchers import MATCHERS
from agent_tui.reports import figures
from agent_tui.reports.json_text import TOO_DEEP
from agent_tui.reports.run_rows import notes, run_row
from agent_tui.reports.strict_values import strict_record, strict_value
from agent_tui.runs import Step
from agent_tui.safety import count_controls, sanitise_line
from agent_tui.scoring import RunScore


def show_document(bundle: Bundle, row: int) -> dict[str, Any]:
    """What `show --json` prints: record, verdicts and steps. Raises `NotPossible` for endless depth."""
    try:
        return {
            "schema": "agent-tui/show-1",
            "run": run_row(bundle, row),
            "edited": bundle.is_edited(row),
            "record": strict_record(bundle.record(row)),
            "steps": [step_object(step) for step in bundle.steps(row)],
        }
    except RecursionError as error:
        raise NotPossible(TOO_DEEP) from error


def step_object(step: Step) -> dict[str, Any]:
    """A step for JSON: its fields that are known, nested steps as objects, arguments and results as values."""
    known = {name: value for name in Step.__struct_fields__ if (value := getattr(step, name)) not in (None, UNSET)}
    return {name: _value(value) for name, value in known.items()}


def _value(value: Any) -> Any:
    if isinstance(value, Raw):
        return strict_value(bytes(value))
    return [step_object(step) for step in value] if isinstance(value, list) and _holds_steps(value) else value


def _holds_steps(values: list[Any]) -> bool:
    return all(isinstance(value, Step) for value in values)


def show_text(bundle: Bundle, row: int) -> str:
    """What `show` prints: every text whole, made safe line by line."""
    score = bundle.score(row)
    lines = [*_head(bundle, row, score), "", *_aligned(bundle, row), "", *_steps(bundle.steps(row), 0), ""]
    lines += [*_answer(bundle, row, score), *_verdicts(bundle, row, score)]
    return "\n".join(sanitise_line(line).rstrip() for line in lines) + "\n"


def _head(bundle: Bundle, row: int, score: RunScore) -> Iterator[str]:
    run = bundle.run(row)
    what_if = "what-if: not as it was recorded" if bundle.is_edited(row) else None
    facts = [f"epoch {run.epoch}", run.status, bundle.table.models[row], run.limit and f"limit: {run.limit}", what_if]
    yield f"{bundle.names.name(row)}  {run.task}  " + "  ".join(fact for fact in facts if fact)
    if run.input:
        yield from _block("ask      ", run.input)
    if run.error is not None:
        yield from _block("error    ", run.error.text)
    yield f"calls    {figures.count(score.calls, 'call')}, {bundle.errors(row)} failed"


def _block(label: str, text: str) -> Iterator[str]:
    """A text of any number of lines, the later ones under the first: no line of it can pass for one of ours."""
    first, *rest = text.replace("\r\n", "\n").split("\n")
    yield label + first
    yield from (" " * len(label) + line for line in rest)


def _aligned(bundle: Bundle, row: int) -> Iterator[str]:
    """Expected beside actual, call by call."""
    explanation = bundle.explain(row)
    if not explanation.rows:
        return
    yield "expected ∥ actual"
    for line in explanation.rows:
        yield f"  {line.mark} {_one_line(line.expected or ''):<44} ∥ {_one_line(line.actual or '')}".rstrip()
        for difference in line.differences:
            yield f"      {difference}"
    if explanation.first_difference:
        yield f"first difference: {explanation.first_difference}"


def _one_line(text: str) -> str:
    """JSON text without the line breaks of its source."""
    return re.sub(r"\s*\n\s*", " ", text)


def _steps(steps: list[Step], depth: int) -> Iterator[str]:
    for step in steps:
        yield from _step(step, "  " * depth)
        yield from _steps(step.steps or [], depth + 1)


def _step(step: Step, pad: str) -> Iterator[str]:
    label = " ".join(part for part in (step.type, step.role, step.agent or step.name) if part)
    note = f"  [{step.note}]" if step.note else ""
    args = "" if isinstance(step.args, UnsetType) else bytes(step.args).decode("utf-8", "replace")
    yield f"{pad}▸ {label} {_one_line(args)}".rstrip() + note
    for name, text in (("", step.text), ("result ", _raw(step.result)), ("error ", _raw(step.error))):
        if text:
            controls = count_controls(text)
            yield from _block(f"{pad}    {name}", text)
            if controls:
                yield f"{pad}    ({figures.count(controls, 'control sequence')})"


def _raw(value: Raw | UnsetType) -> str:
    """The JSON text of a value; a string is shown as its text, null and false as nothing."""
    if isinstance(value, UnsetType):
        return ""
    text = bytes(value).decode("utf-8", "replace")
    if text.startswith('"'):
        return str(strict_value(bytes(value)))
    return "" if text in ("null", "false") else text


def _answer(bundle: Bundle, row: int, score: RunScore) -> Iterator[str]:
    run = bundle.run(row)
    yield from _block("answer   ", run.answer if run.answer is not None else "(no answer)")
    expected = run.expected
    if expected is not None and not isinstance(expected.answer, UnsetType):
        yield from _block("truth    ", _raw(expected.answer))
    yield f"output   {score.answer.state}: {score.answer.why}".rstrip(": ")


def _verdicts(bundle: Bundle, row: int, score: RunScore) -> Iterator[str]:
    yield "verdicts " + "  ".join(f"{name} {score.state(name).word}" for name in MATCHERS)
    if score.match.cause:
        yield f"cause    {score.match.cause}; strictest matcher passed: {score.match.strictest or 'none'}"
    for note in notes(bundle, row, score, bundle.explain(row).notes):
        yield f"note     {note}"

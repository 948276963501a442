"""One run as text: what was asked, what was done beside what was expected, what was answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UnsetType

from agent_tui.bundles import Bundle
from agent_tui.matchers import MATCHERS
from agent_tui.reports import figures
from agent_tui.reports.run_rows import notes, run_row
from agent_tui.runs import Step
from agent_tui.safety import count_controls, sanitise
from agent_tui.scoring import RunScore


def show_document(bundle: Bundle, row: int) -> dict[str, Any]:
    """What `show --json` prints: the run's record, its verdicts and its steps."""
    record = bundle.record(row)
    return {
        "schema": "agent-tui/show-1",
        "run": run_row(bundle, row),
        "record": msgspec.json.decode(record),
        "steps": [msgspec.to_builtins(step) for step in bundle.steps(row)],
    }


def show_text(bundle: Bundle, row: int) -> str:
    """What `show` prints: every text whole, made safe line by line."""
    score = bundle.score(row)
    lines = [*_head(bundle, row, score), "", *_aligned(bundle, row), "", *_steps(bundle.steps(row), 0), ""]
    lines += [*_answer(bundle, row, score), *_verdicts(bundle, row, score)]
    return "\n".join(sanitise(line).rstrip() for line in lines) + "\n"


def _head(bundle: Bundle, row: int, score: RunScore) -> Iterator[str]:
    run = bundle.run(row)
    facts = [f"epoch {run.epoch}", run.status, bundle.table.models[row], run.limit and f"limit: {run.limit}"]
    yield f"{bundle.names.name(row)}  {run.task}  " + "  ".join(fact for fact in facts if fact)
    if run.input:
        yield f"ask      {run.input}"
    if run.error is not None:
        yield f"error    {run.error.type or ''} {run.error.message}".rstrip()
    yield f"calls    {figures.count(score.calls, 'call')}, {bundle.errors(row)} failed"


def _aligned(bundle: Bundle, row: int) -> Iterator[str]:
    """Expected beside actual, call by call."""
    explanation = bundle.explain(row)
    if not explanation.rows:
        return
    yield "expected ∥ actual"
    for line in explanation.rows:
        yield f"  {line.mark} {line.expected or '':<44} ∥ {line.actual or ''}".rstrip()
        for difference in line.differences:
            yield f"      {difference}"
    if explanation.first_difference:
        yield f"first difference: {explanation.first_difference}"


def _steps(steps: list[Step], depth: int) -> Iterator[str]:
    for step in steps:
        yield from _step(step, "  " * depth)
        yield from _steps(step.steps or [], depth + 1)


def _step(step: Step, pad: str) -> Iterator[str]:
    label = " ".join(part for part in (step.type, step.role, step.agent or step.name) if part)
    note = f"  [{step.note}]" if step.note else ""
    args = "" if isinstance(step.args, UnsetType) else bytes(step.args).decode("utf-8", "replace")
    yield f"{pad}▸ {label} {args}".rstrip() + note
    for name, text in (("", step.text), ("result ", _raw(step.result)), ("error ", _raw(step.error))):
        if text:
            controls = count_controls(text)
            yield from (f"{pad}    {name}{line}" for line in text.splitlines() or [""])
            if controls:
                yield f"{pad}    ({figures.count(controls, 'control sequence')})"


def _raw(value: msgspec.Raw | UnsetType) -> str:
    """The JSON text of a value; a string is shown as its text, null and false as nothing."""
    if isinstance(value, UnsetType):
        return ""
    text = bytes(value).decode("utf-8", "replace")
    if text.startswith('"'):
        return str(msgspec.json.decode(value))
    return "" if text in ("null", "false") else text


def _answer(bundle: Bundle, row: int, score: RunScore) -> Iterator[str]:
    run = bundle.run(row)
    yield f"answer   {run.answer if run.answer is not None else '(no answer)'}"
    expected = run.expected
    if expected is not None and not isinstance(expected.answer, UnsetType):
        yield f"truth    {_raw(expected.answer)}"
    yield f"output   {score.answer.state}: {score.answer.why}".rstrip(": ")


def _verdicts(bundle: Bundle, row: int, score: RunScore) -> Iterator[str]:
    yield "verdicts " + "  ".join(f"{name} {score.state(name).word}" for name in MATCHERS)
    if score.match.cause:
        yield f"cause    {score.match.cause}; strictest matcher passed: {score.match.strictest or 'none'}"
    for note in notes(bundle, row, score, bundle.explain(row).notes):
        yield f"note     {note}"

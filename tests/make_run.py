"""`make_run(...)` builds a run in a line, for tests."""

from __future__ import annotations

import json
from typing import Any

from msgspec import UNSET, Raw

from agent_tui.runs import Expected, ExpectedCall, Run, RunError, ToolCall

Call = str | tuple[str, Any] | dict[str, Any]


def _raw(value: Any) -> Raw:
    """A value as JSON text; what is JSON text already stays as it is spelt."""
    return value if isinstance(value, Raw) else Raw(json.dumps(value).encode())


def make_call(call: Call) -> ToolCall:
    """`"name"`, `("name", args)` or `{"name", "args", "result", "error", ..}` as an actual call."""
    if isinstance(call, str):
        return ToolCall(name=call)
    if isinstance(call, tuple):
        return ToolCall(name=call[0], args=_raw(call[1]))
    fields = {key: _raw(value) if key in {"args", "result", "error"} else value for key, value in call.items()}
    return ToolCall(**fields)


def make_expected_call(call: Call) -> ExpectedCall:
    """The same for an expected call; `parallel` and `rules` may stand in the dict."""
    if isinstance(call, str):
        return ExpectedCall(name=call)
    if isinstance(call, tuple):
        return ExpectedCall(name=call[0], args=_raw(call[1]))
    fields = {key: _raw(value) if key in {"args", "rules"} else value for key, value in call.items()}
    if "parallel" in fields:
        fields["parallel"] = [make_expected_call(inner) for inner in fields["parallel"]]
    return ExpectedCall(**fields)


def make_run(
    expected: list[Call] | None = None,
    actual: list[Call] | None = None,
    *,
    id: str = "t1",
    truth: Any = None,
    answer: str | None = None,
    error: str | None = None,
    status: str = "done",
    documents: list[str] | None = None,
    **fields: Any,
) -> Run:
    """A run that should have made `expected` calls and made `actual` ones; `truth` is the recorded truth as a value."""
    return Run(
        id=id,
        task=fields.pop("task", id),
        status="error" if error else status,
        error=RunError(message=error) if error else None,
        expected=Expected(
            calls=None if expected is None else [make_expected_call(call) for call in expected],
            answer=UNSET if truth is None else _raw(truth),
            documents=documents,
        ),
        calls=None if actual is None else [make_call(call) for call in actual],
        answer=answer,
        **fields,
    )

"""The shape of one agent-tui/1 record on the wire, and a run made of it.

Only what scoring needs is decoded, unknown keys are skipped in C, arguments and results stay text.
"""

from __future__ import annotations

import re
from typing import TypeVar

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from xxhash import xxh3_64_intdigest

from agent_tui.readers import loose, unusual
from agent_tui.readers.steps import (
    answer_of,
    calls_of,
    first_ask,
    first_ask_of,
    flat_calls,
    steps_of_messages,
    steps_of_steps,
)
from agent_tui.runs import Expected, ExpectedCall, Run, RunError, Step, ToolCall, Usage, surrogates


class Malformed(ValueError):
    """A record that does not say what a run is: the reason, and the JSON path in the record."""

    def __init__(self, reason: str, path: str | None = None) -> None:
        super().__init__(f"{path}: {reason}" if path else reason)
        self.reason = reason
        self.path = path


class WireError(Struct, frozen=True, gc=False):
    """An error as an object."""

    type: str | None = None
    message: str | None = None


class WireActual(Struct, frozen=True, gc=False):
    """What the agent did: calls in short, or every step."""

    calls: list[ToolCall] | None = None
    answer: str | UnsetType | None = UNSET
    """Null says that there was none; absent leaves it to the steps or messages."""
    steps: Raw | UnsetType = UNSET


Score = float | bool | str | list[Raw] | dict[str, Raw] | None


class WireRun(Struct, frozen=True, gc=False):
    """One element of `runs`."""

    id: str | int | None = None
    task: str | int | None = None
    epoch: int | None = None
    status: str | None = None
    model: str | None = None
    agent: str | None = None
    input: str | list[Raw] | None = None
    expected: Expected | None = None
    actual: WireActual | None = None
    messages: Raw | UnsetType = UNSET
    scores: dict[str, Score] | None = None
    usage: Usage | None = None
    error: str | WireError | None = None
    limit: str | None = None
    answer: str | None = None
    notes: tuple[str, ...] | None = None


T = TypeVar("T")
_decode = msgspec.json.Decoder(WireRun).decode
_validate = msgspec.json.Decoder(Raw).decode


def decode_run(text: bytes) -> Run:
    """The run of one record. Raises `Malformed`."""
    try:
        wire = _decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        wire, notes = _decode_slowly(text, error)
        return _written(_run_of(wire, notes), notes)
    return _run_of(wire, (), text)


_BIG = 1_000_000
"""Bytes of a record from which its steps are kept, as long as no other such record is read: they are asked for next."""
_kept: tuple[int, int, list[Step]] = (0, 0, [])
"""Length and hash of the last big record, and its steps."""


def _kept_steps(text: bytes) -> list[Step] | None:
    length, digest, steps = _kept
    return list(steps) if len(text) == length and length and xxh3_64_intdigest(text) == digest else None


def _keep(text: bytes, steps: list[Step]) -> None:
    global _kept
    _kept = (len(text), xxh3_64_intdigest(text), steps)


def _run_of(wire: WireRun, notes: tuple[str, ...], text: bytes = b"") -> Run:
    run_id = wire.id if wire.id is not None else wire.task
    if run_id is None:
        raise Malformed("a run needs an id", "$.id")
    expected = wire.expected
    if expected is not None and expected.calls:
        _check_expected(expected.calls, "$.expected.calls")
    if expected is not None and expected.any:
        for index, reference in enumerate(expected.any):
            _check_expected(reference.calls, f"$.expected.any[{index}].calls")
    actual = wire.actual
    answer = wire.answer
    asked = first_ask_of(wire.input) if isinstance(wire.input, list) else wire.input
    calls: list[ToolCall] | None = None
    if actual is not None:
        calls = actual.calls
        if isinstance(actual.answer, str):
            answer = actual.answer
    if not (wire.messages is UNSET and (actual is None or actual.steps is UNSET)):
        steps = _steps_of(wire)
        if steps is not None:
            if len(text) >= _BIG:
                _keep(text, steps)
            calls = calls_of(steps) if calls is None else calls
            if answer is None and (actual is None or actual.answer is UNSET):
                answer = answer_of(steps)
            asked = first_ask(steps) if asked is None else asked
    task = wire.task
    error = wire.error
    scores = wire.scores
    return Run(
        id=run_id if type(run_id) is str else str(run_id),
        task=str(run_id if task is None else task),
        epoch=1 if wire.epoch is None else wire.epoch,
        status=wire.status or ("done" if error is None else "error"),
        model=wire.model,
        agent=wire.agent,
        input=asked,
        expected=expected,
        calls=calls,
        answer=answer,
        scores=_scores_of(scores) if scores else {},
        usage=wire.usage,
        error=None if error is None else _error_of(error),
        limit=wire.limit,
        notes=notes if wire.notes is None else wire.notes + notes,
    )


def _decode_slowly(text: bytes, error: Exception) -> tuple[WireRun, tuple[str, ...]]:
    """A second look at what the fast decoder refused: parallel groups of actual calls, NaN in scores and usage.

    Where the notes say that there are lone surrogates, stand-ins are decoded in their place: see `_written`.
    """
    notes: tuple[str, ...] = ()
    is_ours = isinstance(error, msgspec.ValidationError) and "out of range" not in str(error)
    if not is_ours or not _is_strict(text):
        try:
            text, notes = unusual.strict(text)
        except unusual.StillNotJson as second:
            raise Malformed(second.reason, second.path) from error
    if b'"parallel"' in text:
        text = unusual.flatten_parallel(text) or text
    try:
        return _decode(text), notes
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as second_error:
        raise malformed(second_error) from second_error


def _is_strict(text: bytes) -> bool:
    """Whether a text is strict JSON: what is wrong with a record may have been seen before its end."""
    try:
        _validate(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return True


def _written(value: T, notes: tuple[str, ...]) -> T:
    """What was made of a strict record, with the lone surrogates that were written."""
    return surrogates.restored(value) if unusual.LONE_SURROGATES in notes else value


_PLACE = re.compile(r" - at `(?:key in )?(\$[^`]*)`$")


def malformed(error: Exception) -> Malformed:
    """A decoder's error in our words, its path apart."""
    if isinstance(error, RecursionError):
        return Malformed("nested too deeply")
    if isinstance(error, UnicodeDecodeError):
        return Malformed(f"not UTF-8 at byte {error.start}")
    message = str(error)
    place = _PLACE.search(message)
    if place is None:
        return Malformed(message.replace("JSON is malformed: ", "not JSON: "))
    return Malformed(message[: place.start()].replace("`", ""), place[1])


def _check_expected(calls: list[ExpectedCall], path: str) -> None:
    """Every expected call has a name or is a group."""
    for call in calls:
        if call.parallel is not None or not call.name:
            _check_each_expected(calls, path)
            return


def _check_each_expected(calls: list[ExpectedCall], path: str) -> None:
    for index, call in enumerate(calls):
        if call.parallel is not None:
            _check_expected(call.parallel, f"{path}[{index}].parallel")
        elif not call.name:
            raise Malformed("an expected call needs a name, or parallel", f"{path}[{index}]")


def _scores_of(wire: dict[str, Score]) -> dict[str, float | str | None]:
    for value in wire.values():
        if type(value) is not float:
            return {name: _score_of(value) for name, value in wire.items()}
    return wire  # type: ignore[return-value]  # the loop saw floats only


def _score_of(value: Score) -> float | str | None:
    if isinstance(value, bool):
        return 1.0 if value else 0.0
    if isinstance(value, list | dict):
        return msgspec.json.encode(value).decode("utf-8", "replace")
    return value


def _error_of(error: str | WireError) -> RunError:
    if isinstance(error, str):
        return RunError(message=error)
    return RunError(type=error.type, message=error.message or "")


def _steps_of(wire: WireRun) -> list[Step] | None:
    """The recorded steps or messages of a run; None where it has neither. Raises `Malformed`."""
    messages = None if isinstance(wire.messages, UnsetType) or not loose.present(wire.messages) else wire.messages
    if messages is not None and loose.kind(messages) != "[":
        raise Malformed("messages should be a list", "$.messages")
    try:
        steps = UNSET if wire.actual is None else wire.actual.steps
        if not isinstance(steps, UnsetType) and loose.present(steps):
            return steps_of_steps(steps)
        if messages is not None:
            return steps_of_messages(messages)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise _below(malformed(error), "$.actual.steps") from error
    return None


def _below(error: Malformed, path: str) -> Malformed:
    """An error of a part, with its path in the record."""
    return Malformed(error.reason, path + (error.path or "$")[1:])


def decode_steps(text: bytes) -> list[Step]:
    """The whole trajectory of one record: its steps, its messages, or its calls. Raises `Malformed`."""
    notes: tuple[str, ...] = ()
    if (kept := _kept_steps(text)) is not None:
        return kept
    try:
        wire = _decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        wire, notes = _decode_slowly(text, error)
    steps = _steps_of(wire)
    if steps is None:
        calls = None if wire.actual is None else wire.actual.calls
        steps = flat_calls(calls or ())
    return _written(steps, notes)

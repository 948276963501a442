"""Trajectories as steps: recorded steps, chat messages or plain calls, with every result beside its call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from agent_tui.readers import loose
from agent_tui.readers.content import read_content
from agent_tui.readers.pairing import pair
from agent_tui.readers.plain_messages import plain_steps
from agent_tui.runs import Step, ToolCall
from agent_tui.runs.call import NO_ARGS


class WireStep(Struct, frozen=True, kw_only=True):
    """One recorded step; a parallel group may be written as `{"parallel": [..]}`."""

    type: str | None = None
    text: str | None = None
    content: str | None = None
    role: str | None = None
    name: str | None = None
    args: Raw | UnsetType = UNSET
    id: str | int | None = None
    call_id: str | int | None = None
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET
    documents: list[str] | None = None
    group: int | str | None = None
    agent: str | None = None
    steps: list[WireStep] | None = None
    parallel: list[WireStep] | None = None
    seconds: float | None = None
    note: str | None = None
    line: int | None = None


_decode_steps = msgspec.json.Decoder(list[WireStep]).decode


def steps_of_steps(text: Raw | bytes) -> list[Step]:
    """The steps of `actual.steps`."""
    return pair([_step_of(wire) for wire in _decode_steps(text)])


def _step_of(wire: WireStep) -> Step:
    nested = wire.parallel if wire.parallel is not None else wire.steps
    kind = "parallel" if wire.parallel is not None else wire.type or "event"
    return Step(
        type=kind,
        text=wire.text if wire.text is not None else wire.content,
        role=wire.role or ("assistant" if kind == "message" else None),
        name=wire.name,
        args=wire.args,
        id=wire.id,
        call_id=wire.call_id,
        result=wire.result,
        error=wire.error,
        documents=wire.documents,
        group=wire.group,
        agent=wire.agent,
        steps=None if nested is None else [_step_of(inner) for inner in nested],
        seconds=wire.seconds,
        note=wire.note,
        line=wire.line,
    )


def flat_calls(calls: Iterable[ToolCall]) -> list[Step]:
    """Plain calls as steps."""
    return [
        Step(
            type="call",
            name=call.name,
            args=call.args,
            id=call.id,
            result=call.result,
            error=call.error,
            documents=call.documents,
            group=call.group,
        )
        for call in calls
    ]


def steps_of_messages(text: Raw | bytes) -> list[Step]:
    """The steps of a list of chat messages in OpenAI's shape."""
    return pair(unpaired_steps(text), say_missing=True)


def unpaired_steps(text: Raw | bytes) -> Iterator[Step]:
    """The steps of a list of chat messages, each result where it stands; `line` of a message goes to its steps."""
    for index, raw in enumerate(loose.items(text)):
        plain = plain_steps(raw, index)
        if plain is not None:
            yield from plain
            continue
        message = loose.fields(raw)
        if not message:
            yield Step(type="event", text=bytes(raw).decode("utf-8", "replace"), note="not a message")
            continue
        line = loose.integer(message.get("line"))
        for step in steps_of_message(message, index):
            yield step if line is None else msgspec.structs.replace(step, line=line)


def steps_of_message(message: loose.Fields, index: int) -> Iterator[Step]:
    """The steps of one chat message, unpaired: reasoning, words, calls; or a result."""
    role = loose.text(message.get("role")) or loose.text(message.get("type")) or "message"
    if role in {"tool", "function"}:
        yield _result_of(message)
        return
    content = read_content(message.get("content"))
    for key in ("reasoning_content", "reasoning"):
        thought = loose.text(message.get(key))
        if thought:
            yield Step(type="reasoning", text=thought, role=role)
            break
    for thought in content.reasoning:
        yield Step(type="reasoning", text=thought, role=role)
    calls = [*_calls_of(message), *content.calls]
    refusal = loose.text(message.get("refusal"))
    words = content.text if content.text or not refusal else refusal
    if words or not calls:
        note = "refusal" if refusal and not content.text else None
        yield Step(type="message", role=role, text=words, note=note)
    if len(calls) > 1:
        yield Step(type="parallel", group=index, steps=[msgspec.structs.replace(c, group=index) for c in calls])
    else:
        yield from calls


def _calls_of(message: loose.Fields) -> Iterator[Step]:
    for call in loose.objects(message.get("tool_calls")):
        body = loose.fields(call.get("function")) or loose.fields(call.get("custom")) or call
        yield _call_of(body, call.get("id"), loose.text(call.get("function")))
    legacy = loose.fields(message.get("function_call"))
    if legacy:
        yield _call_of(legacy, None, None)


def _call_of(body: loose.Fields, call_id: Raw | None, name: str | None) -> Step:
    """A call; its arguments stand under `arguments`, `args` or `input`, as an object or as text."""
    args = next((body[key] for key in ("arguments", "args", "input") if loose.present(body.get(key))), NO_ARGS)
    return Step(type="call", name=name or loose.name(body.get("name")) or "", args=args, id=loose.name(call_id))


def _result_of(message: loose.Fields) -> Step:
    content = message.get("content")
    error = message.get("error", message.get("is_error", UNSET))
    call_id = loose.name(message.get("tool_call_id")) or loose.name(message.get("id"))
    return Step(
        type="result",
        role="tool",
        name=loose.text(message.get("name")),
        call_id=call_id,
        text=read_content(content).text,
        result=UNSET if content is None else content,
        error=error,
    )


def calls_of(steps: Iterable[Step]) -> list[ToolCall]:
    """The top-level calls in order, those of parallel groups included, those of sub-agents not."""
    calls: list[ToolCall] = []
    for index, step in enumerate(steps):
        if step.type == "call":
            calls.append(_tool_call(step, step.group))
        elif step.type == "parallel":
            group = step.group if step.group is not None else f"parallel-{index}"
            calls += [_tool_call(inner, group) for inner in step.steps or () if inner.type == "call"]
    return calls


def _tool_call(step: Step, group: int | str | None) -> ToolCall:
    return ToolCall(
        name=step.name or "",
        args=NO_ARGS if isinstance(step.args, UnsetType) else step.args,
        id=step.id,
        result=step.result,
        error=step.error,
        documents=step.documents,
        group=group,
    )


def answer_of(steps: Iterable[Step]) -> str | None:
    """The last words of the assistant, if no call came after them."""
    answer: str | None = None
    for step in steps:
        if step.type in {"call", "parallel", "agent"}:
            answer = None
        elif step.type == "message" and step.role in {"assistant", "ai"} and step.text:
            answer = step.text
    return answer


def first_ask(steps: Iterable[Step]) -> str | None:
    """The first words of the user."""
    return next((step.text for step in steps if step.type == "message" and step.role in {"user", "human"}), None)


def first_ask_of(messages: Iterable[Raw]) -> str | None:
    """The first words of the user in messages that are the input of a run."""
    return first_ask(step for index, raw in enumerate(messages) for step in steps_of_message(loose.fields(raw), index))

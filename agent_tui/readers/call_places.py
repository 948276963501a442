"""Where in a record the calls, the answer and the truth stand, so that each can be edited.

The places of the actual calls are in the order of `Run.calls`, those of the expected ones in the order in which a
reference is compared (groups opened). All work on the record's text: `actual.calls`, `actual.steps` or `messages`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Raw, Struct

from agent_tui.readers import loose
from agent_tui.readers.loose import Fields
from agent_tui.readers.unusual import placeholders
from agent_tui.readers.wire import decode_run
from agent_tui.runs.edits import value_at
from agent_tui.runs.paths import Path

ACTUAL_CALLS: Path = ("actual", "calls")
ACTUAL_STEPS: Path = ("actual", "steps")
MESSAGES: Path = ("messages",)
EXPECTED_CALLS: Path = ("expected", "calls")
ANSWER: Path = ("actual", "answer")
TRUTH: Path = ("expected", "answer")
_DEEPEST = 40
"""Parts of the longest path into a check: whoever nests deeper is not writing one."""
_ARGUMENTS = ("arguments", "args", "input")


class CallPlace(Struct, frozen=True, gc=False):
    """Where one call stands. Paths of `name` and `args` may not exist yet: then setting them adds the key."""

    call: Path
    """The whole call."""
    name: Path
    args: Path
    holder: Path
    """The list that is edited to duplicate or move it: of calls, of steps, of messages (legacy `function_call`)."""
    index: int
    """Its position in that list."""

    @property
    def item(self) -> Path:
        """What stands in the list: the call, or the message that holds it."""
        return (*self.holder, self.index)


def actual_places(record: bytes) -> list[CallPlace]:
    """Where each call of `Run.calls` stands."""
    base, items = _trajectory(record)
    if base == MESSAGES:
        return [place for index, raw in enumerate(items) for place in _in_message(loose.fields(raw), index)]
    return list(_in_steps(base, items) if base == ACTUAL_STEPS else _in_calls(base, items))


def expected_places(record: bytes, reference: int = 0) -> list[CallPlace]:
    """Where each expected call stands; of several acceptable references in the one of that number."""
    base = expected_base(record, reference)
    return list(_opened(base, loose.items(value_at(record, base))))


def expected_base(record: bytes, reference: int = 0) -> Path:
    """The list of the expected calls; where there is none, the one to make."""
    expected = loose.fields(value_at(record, ("expected",)))
    has_any = loose.items(expected.get("any")) and not loose.present(expected.get("calls"))
    return ("expected", "any", reference, "calls") if has_any else EXPECTED_CALLS


def answer_place(record: bytes) -> Path:
    """What to set to change the answer: the text that it is read from, or `actual.answer`, which wins over all others.

    The latter may have to be made: see `runs.edits.creating`.
    """
    fields = _fields(record)
    actual = loose.fields(fields.get("actual"))
    if "answer" in actual:
        return ("answer",) if not loose.present(actual["answer"]) and loose.present(fields.get("answer")) else ANSWER
    place = ("answer",) if loose.present(fields.get("answer")) else _last_words(fields, actual)
    return place if place and loose.text(value_at(record, place)) == decode_run(record).answer else ANSWER


def truth_places(record: bytes) -> list[Path]:
    """The recorded truth and every check in it, outermost first: `expected.answer`, `expected.answer.number`, …"""
    return [path for path in _below(TRUTH, value_at(record, TRUTH)) if value_at(record, path) is not None]


def actual_base(record: bytes) -> Path:
    """The list that holds the trajectory: `actual.calls`, `actual.steps` or `messages`."""
    return _trajectory(record)[0]


def _fields(record: bytes) -> Fields:
    """The members of a record, also of one with NaN in its scores."""
    return loose.fields(record) or loose.fields(placeholders(record))


def _trajectory(record: bytes) -> tuple[Path, list[Raw]]:
    """The list that `Run.calls` comes from, and its items."""
    fields = _fields(record)
    actual = loose.fields(fields.get("actual"))
    if loose.present(actual.get("calls")):
        return ACTUAL_CALLS, loose.items(actual["calls"])
    if loose.present(actual.get("steps")):
        return ACTUAL_STEPS, loose.items(actual["steps"])
    if loose.present(fields.get("messages")):
        return MESSAGES, loose.items(fields["messages"])
    return ACTUAL_CALLS, []


def _plain(holder: Path, index: int) -> CallPlace:
    path = (*holder, index)
    return CallPlace(path, (*path, "name"), (*path, "args"), holder, index)


def _in_calls(base: Path, items: Iterable[Raw]) -> Iterator[CallPlace]:
    for index, raw in enumerate(items):
        fields = loose.fields(raw) if b'"parallel"' in bytes(raw) else {}
        if "parallel" in fields and "name" not in fields:
            group = (*base, index, "parallel")
            yield from (_plain(group, inner) for inner in range(len(loose.items(fields["parallel"]))))
        else:
            yield _plain(base, index)


def _in_steps(base: Path, items: Iterable[Raw]) -> Iterator[CallPlace]:
    for index, raw in enumerate(items):
        fields = loose.fields(raw)
        kind = _kind(fields)
        if kind == "call":
            yield _plain(base, index)
        elif kind == "parallel":
            key = "parallel" if loose.present(fields.get("parallel")) else "steps"
            group = (*base, index, key)
            inners = enumerate(loose.items(fields.get(key)))
            yield from (_plain(group, inner) for inner, step in inners if _kind(loose.fields(step)) == "call")


def _kind(fields: Fields) -> str:
    return "parallel" if loose.present(fields.get("parallel")) else loose.text(fields.get("type")) or "event"


def _in_message(message: Fields, index: int) -> Iterator[CallPlace]:
    """The calls of a chat message, as they are read from it: tool calls, a legacy call, blocks of the content."""
    role = loose.text(message.get("role")) or loose.text(message.get("type"))
    if role in {"tool", "function"}:
        return
    here: Path = (*MESSAGES, index)
    for number, raw in enumerate(loose.items(message.get("tool_calls"))):
        if loose.kind(raw) == "{":
            yield _in_tool_call(loose.fields(raw), (*here, "tool_calls"), number)
    legacy = loose.fields(message.get("function_call"))
    if legacy:
        call = (*here, "function_call")
        yield CallPlace(call, (*call, "name"), (*call, _args_key(legacy)), MESSAGES, index)
    for number, raw in enumerate(loose.items(message.get("content"))):
        block = loose.fields(raw)
        if loose.text(block.get("type")) == "tool_use":
            yield _in_block(block, (*here, "content"), number)


def _in_tool_call(call: Fields, holder: Path, index: int) -> CallPlace:
    path = (*holder, index)
    key = next((key for key in ("function", "custom") if loose.fields(call.get(key))), None)
    body = path if key is None else (*path, key)
    name = (*path, "function") if loose.text(call.get("function")) else (*body, "name")
    return CallPlace(path, name, (*body, _args_key(loose.fields(call[key]) if key else call)), holder, index)


def _in_block(block: Fields, holder: Path, index: int) -> CallPlace:
    path = (*holder, index)
    name = "name" if loose.text(block.get("name")) or not loose.text(block.get("tool_type")) else "tool_type"
    args = next((key for key in ("arguments", "input") if loose.present(block.get(key))), "input")
    return CallPlace(path, (*path, name), (*path, args), holder, index)


def _args_key(body: Fields) -> str:
    return next((key for key in _ARGUMENTS if loose.present(body.get(key))), "arguments")


def _opened(base: Path, items: Iterable[Raw]) -> Iterator[CallPlace]:
    for index, raw in enumerate(items):
        fields = loose.fields(raw) if b'"parallel"' in bytes(raw) else {}
        if loose.present(fields.get("parallel")):
            yield from _opened((*base, index, "parallel"), loose.items(fields["parallel"]))
        else:
            yield _plain(base, index)


def _last_words(fields: Fields, actual: Fields) -> Path | None:
    """The last message of the assistant, where it is one text."""
    has_steps = loose.present(actual.get("steps"))
    base, items = (ACTUAL_STEPS, actual.get("steps")) if has_steps else (MESSAGES, fields.get("messages"))
    for index, raw in reversed(list(enumerate(loose.items(items)))):
        said = loose.fields(raw)
        if (loose.text(said.get("role")) or "assistant") in {"assistant", "ai"}:
            key = next((key for key in ("text", "content") if loose.text(said.get(key))), None)
            found = [(key,)] if key else list(_text_blocks(said))
            if found:
                return (*base, index, *found[0])
    return None


def _text_blocks(message: Fields) -> Iterator[Path]:
    for number, raw in enumerate(loose.items(message.get("content"))):
        block = loose.fields(raw)
        yield from (("content", number, key) for key in ("text", "content") if loose.text(block.get(key)))


def _below(path: Path, text: bytes | None) -> Iterator[Path]:
    """A value and what stands in it, outermost first."""
    yield path
    if text is None or len(path) > _DEEPEST:
        return
    for key, inner in loose.fields(text).items():
        yield from _below((*path, key), bytes(inner))
    for index, item in enumerate(loose.items(text)):
        yield from _below((*path, index), bytes(item))

"""What of a run is shown otherwise than it was recorded, call by call: the trajectory marks it and says what it was."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from msgspec import Struct, UnsetType, field
from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.matchers.parting import left_out, without_front
from agent_tui.readers import decode_run
from agent_tui.runs import ExpectedCall, Run, ToolCall, canonical, parse
from agent_tui.runs.json_values import JsonValue, args_value
from agent_tui.runs.paths import Path
from agent_tui.tui.present.words import safe, text_of_json

Call = ExpectedCall | ToolCall
_SHOWN = 40


class Was(Struct, frozen=True):
    """How a call was recorded that is shown otherwise; `how` says what it is now where it was not there at all."""

    name: str = ""
    args: JsonValue = None
    how: str = ""


class Changed(Struct, frozen=True):
    """The calls that changed, by their numbers on each side, and the words that changed."""

    expected: dict[int, Was] = field(default_factory=dict)
    made: dict[int, Was] = field(default_factory=dict)
    answer: str | None = None
    """The recorded answer, where another is shown."""
    truth: str | None = None
    ask: str | None = None


UNCHANGED = Changed()
_ABSENT = object()


def changed(bundle: Bundle, row: int, reference: int = 0) -> Changed:
    """What of a run is shown otherwise than it was recorded."""
    recorded = bundle.place(row).text
    if bundle.record(row) == recorded:
        return UNCHANGED
    was, now = decode_run(recorded), bundle.run(row)
    return Changed(
        _calls_changed(calls_expected(was, reference), calls_expected(now, reference)),
        _calls_changed(was.calls or (), now.calls or ()),
        None if was.answer == now.answer else was.answer or "nothing",
        None if _truth(was) == _truth(now) else _truth(was) or "nothing",
        None if was.input == now.input else was.input or "nothing",
    )


def calls_expected(run: Run, reference: int = 0) -> list[ExpectedCall]:
    """The calls of a run's reference, groups opened, in order."""
    if run.expected is None:
        return []
    calls = run.expected.calls
    if calls is None and run.expected.any:
        calls = run.expected.any[min(reference, len(run.expected.any) - 1)].calls
    return [inner for call in calls or () for inner in (call.parallel if call.parallel is not None else [call])]


def _calls_changed(was: Sequence[Call], now: Sequence[Call]) -> dict[int, Was]:
    """Which calls of `now` are not those of `was`: changed in place, moved, or added."""
    before, after = [_spelt(call) for call in was], [_spelt(call) for call in now]
    if before == after:
        return {}
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    gone = {before[at] for tag, start, end, _, _ in blocks if tag != "equal" for at in range(start, end)}
    found: dict[int, Was] = {}
    for tag, start, end, first, last in blocks:
        if tag == "equal":
            continue
        while tag == "insert" and last < len(after) and after[first] == after[last]:
            first, last = first + 1, last + 1  # of equal calls the last one is new: a call that was duplicated
        for number in range(first, last):
            at = start + number - first
            if after[number] in gone:
                found[number] = Was(how="moved")
            elif at < end:
                found[number] = Was(was[at].name, args_value(was[at].args))
            else:
                found[number] = Was(how="added")
    return found


def _spelt(call: Call) -> tuple[str, bytes]:
    args = bytes(call.args)
    try:
        return call.name, canonical(args)
    except ValueError:
        return call.name, args


def _truth(run: Run) -> str | None:
    answer = run.expected.answer if run.expected is not None else None
    return None if answer is None or isinstance(answer, UnsetType) else text_of_json(parse(answer))


# In words


def was_call(was: Was | None, name: str) -> str:
    """What is said of a call in its line: `was refund`, `added`, `moved`; empty where only arguments changed."""
    if was is None:
        return ""
    return was.how or (f"was {safe(was.name, _SHOWN)}" if was.name != name else "")


def was_argument(was: Was | None, path: Path, value: object) -> str:
    """What is said of an argument: `was 140`; empty where it is as it was recorded."""
    if was is None or was.how:
        return ""
    before = value_in(was.args, path)
    if before is _ABSENT:
        return "was absent"
    if before == value:
        return ""
    return was_text(text_of_json(before), text_of_json(value))  # type: ignore[arg-type]


def was_text(before: str, now: str) -> str:
    """`was 140`; where both are long, from where they part."""
    return f"was {safe(without_front(before, left_out(before, now, _SHOWN)), _SHOWN)}"


def remark(said: str, sign: str = "") -> Text | None:
    """The words behind a value, after its sign; None where there are none."""
    return Text(f"{sign} " if sign else "", "notice").append(said, "label") if said else None


def value_in(value: JsonValue, path: Path) -> object:
    """What stands at a path of a value; an object of its own where nothing does."""
    inner: object = value
    for part in path:
        has_key = isinstance(inner, dict) and part in inner
        has_item = isinstance(inner, list) and isinstance(part, int) and part < len(inner)
        if not has_key and not has_item:
            return _ABSENT
        inner = inner[part]  # type: ignore[index]
    return inner

"""A tool call as it was made, and as it should have been made."""

from __future__ import annotations

from msgspec import UNSET, Raw, Struct, UnsetType

from agent_tui.runs.json_values import parse

NO_ARGS = Raw(b"{}")


class ToolCall(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One call of the actual trajectory. Arguments and result are kept as their JSON text until they are needed."""

    name: str
    args: Raw = NO_ARGS
    """Arguments as recorded: an object, or a string that holds JSON text, or a string that does not."""
    id: str | int | None = None
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET
    documents: list[str] | None = None
    """Ids of what a search returned."""
    group: int | str | None = None
    """Neighbours with one group were issued in one message."""

    def failed(self) -> bool | None:
        """Whether the call failed: `error` is truthy, or absent and `result` is an object with a non-null `error`.

        None: the record does not say. An explicit falsy `error` says that it did not fail.
        """
        if not isinstance(self.error, UnsetType):
            return _is_truthy(self.error)
        if isinstance(self.result, UnsetType):
            return None
        text = bytes(self.result)
        if b'"error"' not in text or not text.lstrip().startswith(b"{"):
            return None
        try:
            value = parse(text)
        except ValueError:
            return None
        return True if isinstance(value, dict) and value.get("error") is not None else None


def _is_truthy(raw: Raw) -> bool:
    """Whether a value is truthy; a number that nothing can hold is."""
    try:
        return bool(parse(raw))
    except ValueError:
        return True


class Times(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """How often an expected call may stand: at least `min`, at most `max` times (None: no bound)."""

    min: int = 1
    max: int | None = None


class ExpectedCall(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One call of a reference trajectory, or, where `parallel` is set, a group whose inner order is free."""

    name: str = ""
    args: Raw = NO_ARGS
    rules: Raw | UnsetType = UNSET
    """Argument rules for this call alone: the entry of a tool in the rules tree."""
    optional: bool = False
    times: Times | None = None
    group: int | str | None = None
    parallel: list[ExpectedCall] | None = None


class Reference(Struct, frozen=True, gc=False):
    """One of several acceptable reference trajectories."""

    calls: list[ExpectedCall]
    name: str | None = None


class RequiredTool(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A tool that must be called between `min` and `max` times (None: no upper bound)."""

    name: str
    min: int = 1
    max: int | None = None


class ForbiddenTool(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Calls that must not be made: a name pattern (globs), and argument rules that a call must fit to be banned."""

    name: str
    args: Raw | UnsetType = UNSET

"""A run: one recorded attempt at a task, and what is known about what it should have done."""

from __future__ import annotations

from msgspec import UNSET, Raw, Struct, UnsetType

from agent_tui.runs.call import ExpectedCall, ForbiddenTool, Reference, RequiredTool, ToolCall

FINISHED = frozenset({"done", "error"})
NOT_FINISHED = frozenset({"running", "queued", "skipped"})


class Expected(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What is known about what a run should have done. Absent parts are not known, which is not the same as empty."""

    calls: list[ExpectedCall] | None = None
    any: list[Reference] | None = None
    required_tools: list[str | RequiredTool] | None = None
    forbidden_tools: list[str | ForbiddenTool] | None = None
    answer: Raw | UnsetType = UNSET
    """The recorded truth as JSON text: a string, or an object that names checks."""
    documents: list[str] | None = None
    """Ids of the documents that hold the answer; [] is out of scope, None is not known."""


class RunError(Struct, frozen=True, omit_defaults=True, gc=False):
    """Why a run ended in an error."""

    type: str | None = None
    message: str = ""

    @property
    def text(self) -> str:
        """Type and message; where the message begins with its type, that once."""
        kind = self.type or ""
        return self.message if self.message.startswith(kind) else f"{kind} {self.message}".rstrip()


class Usage(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What a run cost, as recorded: tokens, dollars, wall seconds."""

    input_tokens: int | float | None = None
    output_tokens: int | float | None = None
    cost_usd: float | None = None
    seconds: float | None = None


class Run(Struct, frozen=True, kw_only=True, gc=False):
    """One attempt at a task. Identity is (task, epoch, model, agent); `id` is the name people use."""

    id: str
    task: str
    epoch: int = 1
    status: str = "done"
    """done, error, running, skipped, queued, or any other word, which is an unknown state."""
    model: str | None = None
    agent: str | None = None
    input: str | None = None
    expected: Expected | None = None
    calls: list[ToolCall] | None = None
    """Top-level calls of the actual trajectory in order; None: no trajectory was recorded."""
    answer: str | None = None
    scores: dict[str, float | str | None] = {}
    """What the bundle's own scorer said: a finite number, None for null, or the text of what is not a usable number."""
    usage: Usage | None = None
    error: RunError | None = None
    limit: str | None = None
    """The limit that ended the run (tokens, turns, time): done, marked, scored."""
    notes: tuple[str, ...] = ()
    """Findings of the reader, in words."""

    @property
    def is_finished(self) -> bool:
        """Whether the run came to an end that counts: done or error."""
        return self.status in FINISHED

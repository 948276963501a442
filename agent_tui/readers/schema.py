"""agent-tui/1 as models that report every problem at once, and as JSON Schema. For `check` and `schema` only."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    JsonValue,
    Tag,
    TypeAdapter,
    model_validator,
)


class _Part(BaseModel):
    """A part of a document: types are taken as they are, unknown keys are kept."""

    model_config = ConfigDict(strict=True, extra="allow")


class _Closed(BaseModel):
    """A part that has no other keys: a word that is not known would change what is asked for."""

    model_config = ConfigDict(strict=True, extra="forbid")


Name = str | int
Group = int | str | None


class Times(_Closed):
    """How often an expected call may stand."""

    min: int = 1
    max: int | None = None


class ExpectedCall(_Part):
    """A call that should be made, or a group whose inner order is free."""

    name: str = ""
    args: Any = Field(default=None, description="an object, or JSON text; absent is {}")
    rules: Any = Field(default=None, description="argument rules for this call")
    optional: bool = False
    times: Times | None = None
    group: Group = None
    parallel: list[ExpectedCall] | None = None

    @model_validator(mode="after")
    def _is_call_or_group(self) -> ExpectedCall:
        if not self.name and self.parallel is None:
            raise ValueError("an expected call needs a name, or parallel")
        return self


class Reference(_Part):
    """One of several acceptable trajectories."""

    calls: list[ExpectedCall]
    name: str | None = None


class RequiredTool(_Closed):
    """A tool that must be called."""

    name: str
    min: int = 1
    max: int | None = None


class ForbiddenTool(_Closed):
    """Calls that must not be made: a name with globs, and argument rules."""

    name: str
    args: Any = None


class Expected(_Part):
    """What a run should have done; what is absent is not known."""

    calls: list[ExpectedCall] | None = None
    any: list[Reference] | None = None
    required_tools: list[str | RequiredTool] | None = None
    forbidden_tools: list[str | ForbiddenTool] | None = None
    answer: Any = Field(default=None, description="the truth: text, or an object that names checks")
    documents: list[str] | None = None


class SingleCall(_Part):
    """A call as it was made."""

    name: str
    args: Any = None
    id: Name | None = None
    result: Any = None
    error: Any = None
    documents: list[str] | None = None
    group: Group = None


class CallGroup(_Part):
    """Calls that were made in one message."""

    parallel: list[SingleCall]


def _is_group(call: object) -> str:
    return "group" if isinstance(call, dict) and "parallel" in call and "name" not in call else "call"


ActualCall = Annotated[
    Annotated[SingleCall, Tag("call")] | Annotated[CallGroup, Tag("group")], Discriminator(_is_group)
]


class Step(_Part):
    """One step of the whole trajectory."""

    type: str | None = None
    text: str | None = None
    content: str | None = None
    role: str | None = None
    name: str | None = None
    args: Any = None
    id: Name | None = None
    call_id: Name | None = None
    result: Any = None
    error: Any = None
    documents: list[str] | None = None
    group: Group = None
    agent: str | None = None
    steps: list[Step] | None = None
    parallel: list[Step] | None = None
    seconds: float | None = None
    note: str | None = None
    line: int | None = None


class Actual(_Part):
    """What the agent did."""

    calls: list[ActualCall] | None = None
    answer: str | None = None
    steps: list[Step] | None = None


class RunError(_Part):
    """Why a run ended in an error."""

    type: str | None = None
    message: str | None = None


class Usage(_Part):
    """What a run cost."""

    input_tokens: int | float | None = None
    output_tokens: int | float | None = None
    cost_usd: float | None = None
    seconds: float | None = None


class Run(_Part):
    """One recorded attempt at a task."""

    id: Name | None = Field(default=None, description="the name people use; the task where it is absent")
    task: Name | None = None
    epoch: int | None = None
    status: str | None = Field(default=None, description="done, error, running, skipped, queued, or another word")
    model: str | None = None
    agent: str | None = None
    input: str | list[Any] | None = None
    expected: Expected | None = None
    actual: Actual | None = None
    messages: list[Any] | None = Field(default=None, description="OpenAI chat messages, in place of actual")
    scores: dict[str, float | bool | str | list[Any] | dict[str, Any] | None] | None = None
    usage: Usage | None = None
    error: str | RunError | None = None
    limit: str | None = Field(default=None, description="the limit that ended the run: tokens, turns, time")
    answer: str | None = None
    notes: list[str] | None = None

    @model_validator(mode="after")
    def _has_a_name(self) -> Run:
        if self.id is None and self.task is None:
            raise ValueError("a run needs an id")
        return self


LabelWord = Literal["pass", "fail", "undetermined"]


class RecordedJudge(_Part):
    """Who judged, where no verdict says it."""

    id: Name | None = None
    rubric: str | None = None
    fingerprint: Name | None = Field(default=None, description="judge model, rubric, prompt and settings, in a word")
    threshold: float | None = Field(default=None, description="the score from which pass would be expected; 0.5")


class RecordedVerdict(_Part):
    """What a judge said of a run: by word, else by pass, else by its reply. A score makes no verdict."""

    task: Name = Field(description="the name of a run, else a task that only one run has")
    verdict: LabelWord | None = None
    passed: bool | None = Field(default=None, alias="pass")
    raw: str | None = Field(default=None, description="the judge's reply: one JSON object with verdict and why")
    score: float | None = None
    why: str | None = None
    judge: Name | None = None
    fingerprint: Name | None = None


class Bundle(_Part):
    """A document of agent-tui/1."""

    schema_: Annotated[str, Field(alias="schema", pattern="^agent-tui/")] = "agent-tui/1"
    bundle: dict[str, JsonValue] = Field(default_factory=dict)
    rubric: dict[str, JsonValue] | None = None
    rules: dict[str, JsonValue] | None = None
    runs: list[Run]
    human_labels: dict[str, LabelWord] | None = Field(default=None, description="what people said, by run name")
    judge: RecordedJudge | None = None
    verdicts: list[RecordedVerdict] | None = None


run_model: TypeAdapter[Run] = TypeAdapter(Run)


def document_schema() -> dict[str, Any]:
    """The JSON Schema of a document."""
    schema = Bundle.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "agent-tui/1"}

"""One Inspect sample as a record: its messages, or steps with its sub-agents; scores, target, error, limit, usage."""

from __future__ import annotations

from typing import Any

from msgspec import Raw, Struct

from agent_tui.readers import loose
from agent_tui.readers.formats.chat_usage import usage_of
from agent_tui.readers.formats.inspect_agents import with_agents
from agent_tui.readers.formats.inspect_attachments import resolved
from agent_tui.readers.formats.inspect_scores import primary_score, scores_of_sample, stored_figures, truth_of
from agent_tui.readers.loose import Fields
from agent_tui.readers.records import raw_of

_NOTE = "Inspect's letters are read as numbers: C 1, P 0.5, I and N 0"


class Log(Struct, frozen=True):
    """What the head of a log says about all of its samples."""

    fields: Fields
    eval: Fields
    has_header: bool = True

    @classmethod
    def of(cls, fields: Fields, *, has_header: bool = True) -> Log:
        return cls(fields, loose.fields(fields.get("eval")), has_header)

    @property
    def status(self) -> str:
        """success, error, cancelled, started."""
        return loose.text(self.fields.get("status")) or "started"

    @property
    def model(self) -> str | None:
        return loose.text(self.eval.get("model"))

    @property
    def agent(self) -> str | None:
        """What was tried: the solver, else the task with its name."""
        return loose.text(self.eval.get("solver")) or loose.text(self.eval.get("task"))

    def bundle(self) -> dict[str, Any]:
        """The `bundle` object."""
        planned = self._planned()
        error = loose.text(loose.fields(self.fields.get("error")).get("message"))
        notes = [_NOTE, f"log status: {self.status}"] + ([f"log error: {error}"] if error else [])
        bundle = {
            "id": loose.text(self.eval.get("run_id")) or loose.text(self.eval.get("eval_id")),
            "name": loose.text(self.eval.get("task")),
            "agent": self.agent,
            "model": self.model,
            "started": loose.text(self.eval.get("created")),
            "planned": planned,
            "notes": notes,
            "primary_score": primary_score(self.fields.get("results"), self.eval),
            "stored": stored_figures(self.fields.get("results")),
        }
        return {key: value for key, value in bundle.items() if value is not None}

    def _planned(self) -> int | None:
        dataset = loose.fields(self.eval.get("dataset"))
        ids = loose.items(dataset.get("sample_ids"))
        samples = len(ids) or loose.integer(dataset.get("samples"))
        epochs = loose.integer(loose.fields(self.eval.get("config")).get("epochs")) or 1
        return samples * epochs if samples else None


def sample_record(sample: Fields, log: Log) -> dict[str, Any]:
    """A sample as the fields of a record."""
    messages = resolved(sample.get("messages", Raw(b"[]")), sample)
    steps = with_agents(messages, sample)
    error = loose.fields(sample.get("error"))
    scores = scores_of_sample(sample)
    name = loose.name(sample.get("id")) or ""
    record: dict[str, Any] = {
        "id": name,
        "task": name,
        "epoch": loose.integer(sample.get("epoch")),
        "status": "error" if error else "done",
        "model": log.model,
        "agent": log.agent,
        "input": loose.text(resolved(sample.get("input", Raw(b"null")), sample)),
        "expected": _expected(sample, log, scores),
        "actual": {"steps": steps, "answer": _answer(sample)} if steps else {"answer": _answer(sample)},
        "messages": None if steps else messages,
        "scores": scores,
        "usage": _usage(sample),
        "error": {"type": _error_type(error), "message": loose.text(error.get("message")) or ""} if error else None,
        "limit": loose.text(loose.fields(sample.get("limit")).get("type")),
        "metadata": _metadata(sample),
    }
    return record


def _answer(sample: Fields) -> str | None:
    """The words of the final output; None where there were none."""
    from agent_tui.readers.content import read_content

    choices = loose.objects(loose.fields(sample.get("output")).get("choices"))
    if not choices:
        return None
    content = resolved(loose.fields(choices[0].get("message")).get("content", Raw(b"null")), sample)
    return read_content(content).text or None


def _error_type(error: Fields) -> str | None:
    """The class of an error: Inspect keeps only `Class('message')`."""
    message = loose.text(error.get("message")) or ""
    name = message.partition("(")[0]
    return name if name.isidentifier() and "(" in message else None


def _expected(sample: Fields, log: Log, scores: dict[str, Any]) -> dict[str, Any] | None:
    """What the task says should happen: its target where a scorer compares text, a trajectory kept in the metadata."""
    metadata = loose.fields(sample.get("metadata"))
    kept = loose.fields(metadata.get("expected"))
    expected: dict[str, Any] = {
        key: kept[key]
        for key in ("calls", "any", "required_tools", "forbidden_tools", "documents", "answer")
        if key in kept
    }
    calls = loose.objects(metadata.get("expected_calls"))
    if calls and "calls" not in expected and all("name" in call for call in calls):
        expected["calls"] = calls
    truth = truth_of(sample, loose.objects(log.eval.get("scorers")), scores)
    if truth is not None and "answer" not in expected:
        expected["answer"] = truth
    return expected or None


def _usage(sample: Fields) -> dict[str, Any] | None:
    total: dict[str, int | float] = {}
    for usage in loose.fields(sample.get("model_usage")).values():
        for key, value in usage_of(loose.fields(usage)).items():
            total[key] = total.get(key, 0) + value
    seconds = loose.number(sample.get("total_time"))
    if seconds is not None:
        total["seconds"] = seconds
    return total or None


def _metadata(sample: Fields) -> dict[str, Any] | None:
    """What stays readable beside the run: the task's metadata, the scores as recorded, what a limit said."""
    kept = {key: sample[key] for key in ("scores", "score", "target", "choices", "limit", "uuid") if key in sample}
    metadata: dict[str, Raw] = {key: value for key, value in kept.items() if loose.truthy(value)}
    if loose.truthy(sample.get("metadata")):
        metadata["metadata"] = sample["metadata"]
    return {"inspect": raw_of(metadata)} if metadata else None

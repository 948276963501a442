"""What the service says of a batch and of each request in it, checked, since the SDK checks nothing."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TypeAlias

import msgspec
from anthropic.types.messages import (
    MessageBatch,
    MessageBatchCanceledResult,
    MessageBatchErroredResult,
    MessageBatchExpiredResult,
    MessageBatchIndividualResponse,
    MessageBatchSucceededResult,
)
from msgspec import Struct

from agent_tui.providers.anthropic_messages import read_message
from agent_tui.providers.batch_chunks import named_request
from agent_tui.providers.contract import RETRYABLE, Failure, Outcome
from agent_tui.providers.http_errors import failed_in_batch, not_a_reply


class Counts(Struct, frozen=True):
    """Requests by how they ended; all are processing until the whole batch has ended."""

    processing: int = 0
    succeeded: int = 0
    errored: int = 0
    canceled: int = 0
    expired: int = 0

    @property
    def total(self) -> int:
        """All requests of the batch (a count)."""
        return self.processing + self.succeeded + self.errored + self.canceled + self.expired


class BatchState(Struct, frozen=True):
    """A batch as the service shows it."""

    id: str
    processing_status: str
    """in_progress, canceling or ended."""
    request_counts: Counts
    created_at: datetime
    results_url: str | None = None

    @property
    def is_ended(self) -> bool:
        """Whether its results can be read."""
        return self.processing_status == "ended"


class _Fault(Struct, frozen=True):
    type: str = "error"
    message: str = ""


class _Error(Struct, frozen=True):
    error: _Fault = _Fault()


class _Errored(Struct, frozen=True):
    error: _Error = _Error()


class Settled(Struct, frozen=True):
    """A request that has its end."""

    key: str
    outcome: Outcome


class Lost(Struct, frozen=True):
    """A request that was not done and not billed: it may be asked again."""

    key: str
    reason: str


Ending: TypeAlias = Settled | Lost


def read_state(answered: object) -> BatchState | Failure:
    """What the SDK returned for a batch."""
    if isinstance(answered, MessageBatch):
        try:
            return msgspec.convert(answered.model_dump(warnings=False, exclude_none=True), BatchState)
        except (msgspec.ValidationError, ValueError):
            pass
    return not_a_reply("something else than a batch")


def read_row(row: object) -> tuple[str, MessageBatchIndividualResponse] | Failure:
    """Which request a row of the results is of, by what its name begins with, and the row."""
    if isinstance(row, MessageBatchIndividualResponse) and isinstance(row.custom_id, str):
        return named_request(row.custom_id), row
    return not_a_reply("something else than a result")


def read_ending(key: str, row: MessageBatchIndividualResponse, secrets: Iterable[str] = ()) -> Ending:
    """How a request of a batch ended."""
    result: object = row.result
    if isinstance(result, MessageBatchSucceededResult):
        return Settled(key, read_message(result.message, secrets))
    if isinstance(result, MessageBatchErroredResult):
        return _errored(key, result, secrets)
    if isinstance(result, MessageBatchExpiredResult):
        return Lost(key, "the batch expired before it was done")
    if isinstance(result, MessageBatchCanceledResult):
        return Lost(key, "the batch was cancelled before it was done")
    return Settled(key, not_a_reply("a result of no known kind"))


def _errored(key: str, result: MessageBatchErroredResult, secrets: Iterable[str]) -> Ending:
    try:
        fault = msgspec.convert(result.model_dump(warnings=False, exclude_none=True), _Errored).error.error
    except (msgspec.ValidationError, ValueError):
        fault = _Fault()
    failure = failed_in_batch(fault.type, fault.message, secrets)
    return Lost(key, failure.reason) if failure.kind in RETRYABLE else Settled(key, failure)

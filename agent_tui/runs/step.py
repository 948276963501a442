"""One step of a trajectory, for reading: what matchers compare is `Run.calls`."""

from __future__ import annotations

from msgspec import UNSET, Raw, Struct, UnsetType


class Step(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A message, a piece of reasoning, a call, a result, a sub-agent or an event, in the order of the record.

    `type` is one of message, reasoning, call, result, agent, event, parallel; any other word is shown as it stands.
    A call carries `name`, `args`, `id` and, where its result was paired with it, `result` and `error`; a `result` step
    is one that no call claimed. An agent and a parallel group carry nested `steps`.
    """

    type: str
    text: str | None = None
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
    steps: list[Step] | None = None
    seconds: float | None = None
    note: str | None = None
    """A finding of the reader in fixed words: `no result`, `result without a call`, `id used twice`, …"""
    line: int | None = None
    """Line of the source file, from 1, where the source has lines."""

"""Requests cut into chunks, each sent as one message batch: small enough to lose, each request named by its key.

Nothing can be attached to a batch, and the rubric is repeated in every request: 20,000 requests make 50 MB.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import msgspec
from anthropic.types.messages import batch_create_params
from msgspec import Struct

from agent_tui.providers.anthropic_messages import message_params
from agent_tui.providers.contract import Request

MOST_REQUESTS, MOST_BYTES = 10_000, 100_000_000
"""Of a chunk; the service takes 100,000 and 256 MB."""
_FRAME = 90
"""Bytes around the parameters of a request."""
_NAME_LENGTH = 32


class Chunk(Struct, frozen=True):
    """What is sent as one batch."""

    name: str
    """Ours, known before the service has given it one: 32 hex digits of the SHA-256 of the names of its requests."""
    requests: tuple[Request, ...]


def custom_id(request: Request) -> str:
    """The name of a request within its batch."""
    return f"{request_name(request.key)}-k{request.k}"


def request_name(key: str) -> str:
    """What of a key stands in the name of its request: its first 32 hex digits."""
    return key[:_NAME_LENGTH]


def named_request(custom_id: str) -> str:
    """The same, read out of the name."""
    return custom_id.partition("-")[0]


def chunks(
    requests: Iterable[Request], *, most_requests: int = MOST_REQUESTS, most_bytes: int = MOST_BYTES
) -> Iterator[Chunk]:
    """The requests in order, as many together as a chunk may hold; a key that comes again is left out."""
    held: list[Request] = []
    size, seen = 0, set[str]()
    for request in requests:
        if request.key in seen:
            continue
        seen.add(request.key)
        added = _size(request)
        if held and (len(held) == most_requests or size + added > most_bytes):
            yield _chunk(held)
            held, size = [], 0
        held.append(request)
        size += added
    if held:
        yield _chunk(held)


def batch_params(chunk: Chunk) -> list[batch_create_params.Request]:
    """The requests of a chunk as the interface takes them; the rubric is kept for an hour, since a batch takes long."""
    return [{"custom_id": custom_id(request), "params": message_params(request, "1h")} for request in chunk.requests]


def _chunk(requests: list[Request]) -> Chunk:
    names = "\n".join(custom_id(request) for request in requests)
    return Chunk(hashlib.sha256(names.encode()).hexdigest()[:_NAME_LENGTH], tuple(requests))


def _size(request: Request) -> int:
    return len(msgspec.json.encode(message_params(request, "1h"))) + _FRAME

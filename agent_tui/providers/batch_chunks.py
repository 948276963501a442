"""Requests cut into chunks, each sent as one message batch: small enough to lose, each request named by its key.

Nothing can be attached to a batch, and the rubric is repeated in every request: 20,000 requests make 50 MB.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator

from msgspec import Struct

from agent_tui.providers.anthropic_messages import message_params
from agent_tui.providers.contract import Request

MOST_REQUESTS, MOST_BYTES = 10_000, 100_000_000
"""Of a chunk; the service takes 100,000 and 256 MB."""
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
        added = len(_entry(request)) + 1
        if held and (len(held) == most_requests or size + added > most_bytes):
            yield _chunk(held)
            held, size = [], 0
        held.append(request)
        size += added
    if held:
        yield _chunk(held)


def batch_body(chunk: Chunk) -> bytes:
    """The body that creates the batch of a chunk. Made request by request, so that other threads go on meanwhile."""
    return b'{"requests":[' + b",".join(_entry(request) for request in chunk.requests) + b"]}"


def _chunk(requests: list[Request]) -> Chunk:
    names = "\n".join(custom_id(request) for request in requests)
    return Chunk(hashlib.sha256(names.encode()).hexdigest()[:_NAME_LENGTH], tuple(requests))


def _entry(request: Request) -> bytes:
    """A request as the interface takes it; the rubric is kept for an hour, since a batch takes long."""
    entry = {"custom_id": custom_id(request), "params": message_params(request, "1h")}
    return json.dumps(entry, separators=(",", ":")).encode()

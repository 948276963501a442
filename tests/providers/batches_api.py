"""Message batches at the fake server: they end after so many looks, and results come in reversed order."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tests.providers.messages_api import message, unwelcome, vendor_error
from tests.providers.messages_rules import refusal
from tests.providers.wire import HttpRequest, HttpResponse

if TYPE_CHECKING:
    from tests.providers.loopback import Loopback

_CUSTOM_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_ENDS = {"errored": "errored", "expired": "expired", "canceled": "canceled"}
_COUNTS = ("processing", "succeeded", "errored", "canceled", "expired")


@dataclass
class Batch:
    id: str
    number: int
    requests: list[dict[str, Any]]
    fates: Mapping[int, str]
    """By place in the batch: `errored:TYPE`, `expired`, `canceled`, `missing`, `twice`; all others succeed."""
    looks_left: int
    status: str = "in_progress"
    results: list[dict[str, Any]] | None = None
    kinds: list[str] = field(default_factory=list)
    """How each request ended, also those whose result is missing."""

    def __post_init__(self) -> None:
        self.kinds = ["processing"] * len(self.requests)

    def shown(self, server: Loopback) -> dict[str, Any]:
        counts = {name: self.kinds.count(name) for name in _COUNTS}
        created = server.midnight + timedelta(seconds=self.number)
        stamp, expires = (f"{time:%Y-%m-%dT%H:%M:%SZ}" for time in (created, created + timedelta(days=1)))
        return {
            "id": self.id,
            "type": "message_batch",
            "processing_status": self.status,
            "request_counts": counts,
            "created_at": stamp,
            "expires_at": expires,
            "ended_at": stamp if self.status == "ended" else None,
            "cancel_initiated_at": None,
            "archived_at": None,
            "results_url": f"{server.url}/v1/messages/batches/{self.id}/results" if self.status == "ended" else None,
        }

    def end(self, server: Loopback, *, cancelled: bool = False) -> None:
        """Give every request its result, in reversed order."""
        self.status, self.results = "ended", []
        fates = ["canceled" if cancelled else self.fates.get(place, "succeeded") for place in range(len(self.requests))]
        self.kinds = [_ENDS.get(fate.partition(":")[0], "succeeded") for fate in fates]
        for fate, request in reversed(list(zip(fates, self.requests, strict=True))):
            if fate == "missing":
                continue
            row = {"custom_id": request["custom_id"], "result": _result(server, fate, request["params"])}
            self.results += [row] * (2 if fate == "twice" else 1)


def _result(server: Loopback, fate: str, params: dict[str, Any]) -> dict[str, Any]:
    kind, _, reason = fate.partition(":")
    if kind == "errored":
        failure = {"type": "error", "error": {"type": reason, "message": "scripted"}, "request_id": "req_scripted"}
        return {"type": "errored", "error": failure}
    if kind in {"expired", "canceled"}:
        return {"type": kind}
    return {"type": "succeeded", "message": message(server, params)}


async def create(server: Loopback, request: HttpRequest) -> HttpResponse:
    if wrong := unwelcome(server, request):
        return wrong
    body = request.json()
    if fault := _refused(body):
        return vendor_error(400, "invalid_request_error", fault)
    number = server.next_number()
    fates = server.fates.pop(0) if server.fates else {}
    batch = Batch(f"msgbatch_{number:06d}", number, body["requests"], fates, server.looks)
    server.batches[batch.id] = batch
    return HttpResponse.of(batch.shown(server))


def _refused(body: dict[str, Any]) -> str | None:
    if body.keys() != {"requests"} or not body["requests"]:
        return "requests: a batch is its requests and nothing else"
    ids = [request.get("custom_id", "") for request in body["requests"]]
    if len(set(ids)) != len(ids):
        return "requests: custom_id must be unique"
    for place, request in enumerate(body["requests"]):
        if request.keys() != {"custom_id", "params"} or not _CUSTOM_ID.fullmatch(request["custom_id"]):
            return f"requests.{place}: custom_id and params are required"
        if fault := refusal(request["params"], batched=True):
            return f"requests.{place}.params.{fault}"
    return None


async def show(server: Loopback, request: HttpRequest) -> HttpResponse:
    batch = _found(server, request)
    if isinstance(batch, HttpResponse):
        return batch
    if batch.status == "in_progress" and batch.looks_left == 0:
        batch.end(server)
    batch.looks_left = max(0, batch.looks_left - 1)
    return HttpResponse.of(batch.shown(server))


async def cancel(server: Loopback, request: HttpRequest) -> HttpResponse:
    batch = _found(server, request)
    if isinstance(batch, HttpResponse):
        return batch
    if batch.status == "in_progress":
        batch.end(server, cancelled=True)
    return HttpResponse.of({**batch.shown(server), "processing_status": "canceling"})


async def results(server: Loopback, request: HttpRequest) -> HttpResponse:
    batch = _found(server, request)
    if isinstance(batch, HttpResponse):
        return batch
    if batch.results is None:
        return vendor_error(404, "not_found_error", "no results yet")
    lines = "".join(json.dumps(result) + "\n" for result in batch.results)
    return HttpResponse(body=lines.encode(), content_type="application/x-jsonl")


async def list_all(server: Loopback, request: HttpRequest) -> HttpResponse:
    """The newest first, a page of `limit` after `after_id`."""
    if wrong := unwelcome(server, request):
        return wrong
    ids = list(reversed(server.batches))
    start = ids.index(request.query["after_id"]) + 1 if "after_id" in request.query else 0
    end = start + int(request.query.get("limit", "20"))
    data = [server.batches[name].shown(server) for name in ids[start:end]]
    first, last = (data[0]["id"], data[-1]["id"]) if data else (None, None)
    return HttpResponse.of({"data": data, "has_more": end < len(ids), "first_id": first, "last_id": last})


def _found(server: Loopback, request: HttpRequest) -> Batch | HttpResponse:
    if wrong := unwelcome(server, request):
        return wrong
    name = request.place["id"]
    return server.batches.get(name) or vendor_error(404, "not_found_error", f"batch {name} not found")


ROUTES = {
    "POST /v1/messages/batches": create,
    "GET /v1/messages/batches": list_all,
    "GET /v1/messages/batches/{id}": show,
    "POST /v1/messages/batches/{id}/cancel": cancel,
    "GET /v1/messages/batches/{id}/results": results,
}

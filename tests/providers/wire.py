"""HTTP/1.1 over asyncio streams, as much of it as a fake model service needs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

_REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests"}


@dataclass(frozen=True)
class HttpRequest:
    """One request as it arrived; names of headers in small letters."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes
    connection: int
    """Which connection of the server it came by, counted from 1."""
    at: float
    """When it arrived, in seconds of the loop's clock."""
    place: dict[str, str] = field(default_factory=dict)
    """What stands in the path where the route has `{name}`."""

    def json(self) -> Any:
        return json.loads(self.body)

    def logged(self) -> dict[str, Any]:
        """The request as the log shows it."""
        try:
            body = self.json() if self.body else None
        except ValueError:
            body = self.body.decode("utf-8", "replace")
        fields = ("method", "path", "query", "headers", "connection", "at")
        return {name: getattr(self, name) for name in fields} | {"body": body}


@dataclass(frozen=True)
class HttpResponse:
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"

    @classmethod
    def of(cls, value: Any, status: int = 200, **headers: str) -> HttpResponse:
        return cls(status, json.dumps(value).encode(), headers)

    def written(self) -> bytes:
        head = [f"HTTP/1.1 {self.status} {_REASONS.get(self.status, 'Status')}"]
        fields = {"content-type": self.content_type, "content-length": str(len(self.body)), **self.headers}
        head += [f"{name}: {value}" for name, value in fields.items()]
        return "\r\n".join([*head, "", ""]).encode() + self.body


async def read_request(reader: asyncio.StreamReader, connection: int) -> HttpRequest | None:
    """The next request of a connection; None where the other side has hung up."""
    try:
        start = await reader.readuntil(b"\r\n\r\n")
        line, *fields = start.decode("latin-1").split("\r\n")[:-2]
        method, target, _version = line.split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (item.partition(":") for item in fields)}
        body = await _read_body(reader, headers)
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    url = urlsplit(target)
    at = asyncio.get_running_loop().time()
    return HttpRequest(method, url.path, dict(parse_qsl(url.query)), headers, body, connection, at)


async def _read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if headers.get("transfer-encoding") != "chunked":
        return await reader.readexactly(int(headers.get("content-length", "0")))
    parts = []
    while size := int(await reader.readline(), 16):
        parts.append(await reader.readexactly(size))
        await reader.readline()
    await reader.readline()
    return b"".join(parts)

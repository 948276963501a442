"""What a scripted request meets at the fake server in place of an ordinary reply."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tests.providers.wire import HttpResponse

ABSENT = "(absent)"
"""As a changed value: take the field out."""


@dataclass(frozen=True, kw_only=True)
class Behaviour:
    """One request's fate; what is left alone stays as in an ordinary reply."""

    status: int | None = None
    """Answer with this status and `body`, without doing what was asked."""
    body: Any = None
    """Text is sent as it stands, anything else as JSON."""
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the ordinary reply by dotted place (`content.0.text`) and their new values."""
    stalled: bool = False
    """Do what was asked, but answer only when the server is told to `release()`."""
    drip: float = 0.0
    """Seconds between the bytes of the response."""
    drop_after: int | None = None
    """Close the connection after so many bytes of the response (0: without a word)."""

    def applied(self, ordinary: HttpResponse) -> HttpResponse:
        """The response that this behaviour makes of an ordinary one."""
        if self.status is not None:
            body = self.body if isinstance(self.body, str) else json.dumps(self.body)
            return HttpResponse(self.status, body.encode(), dict(self.headers), self.content_type)
        response = replace(ordinary, headers={**ordinary.headers, **self.headers})
        return replace(response, body=_changed(ordinary.body, self.changes)) if self.changes else response


def _changed(body: bytes, changes: Mapping[str, Any]) -> bytes:
    document = json.loads(body)
    for place, value in changes.items():
        *path, last = [int(part) if part.isdigit() else part for part in place.split(".")]
        holder = document
        for part in path:
            holder = holder[part]
        if value == ABSENT:
            del holder[last]
        else:
            holder[last] = value
    return json.dumps(document).encode()


def error(
    status: int, type: str = "api_error", *, code: str | None = None, message: str = "scripted", **headers: str
) -> Behaviour:
    """An error in the vendor's form; `retry_after="7"` and the like become headers."""
    details = {"details": {"error_code": code}} if code else {}
    body = {"type": "error", "error": {"type": type, "message": message, **details}, "request_id": "req_scripted"}
    return Behaviour(
        status=status, body=body, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )


def rate_limited(retry_after: str | None = None) -> Behaviour:
    headers = {} if retry_after is None else {"retry_after": retry_after}
    return error(429, "rate_limit_error", **headers)


def overloaded() -> Behaviour:
    return error(529, "overloaded_error")


def page(html: str = "<html><body>Sign in to the network</body></html>") -> Behaviour:
    """A proxy's page with status 200."""
    return Behaviour(status=200, body=html, content_type="text/html")


def empty() -> Behaviour:
    return Behaviour(status=200, body="")


def hung_up() -> Behaviour:
    """The request is done, but the connection closes without a word."""
    return Behaviour(drop_after=0)


def half_closed(after: int = 150) -> Behaviour:
    """The request is done, and the connection closes in the midst of the response."""
    return Behaviour(drop_after=after)


def stalled() -> Behaviour:
    return Behaviour(stalled=True)


def dripping() -> Behaviour:
    """A response that comes a byte at a time, so that every single read is quick."""
    return Behaviour(drip=0.02)


def changed(**changes: Any) -> Behaviour:
    """An ordinary reply with other fields; `content__0__text` stands for `content.0.text`."""
    return Behaviour(changes={name.replace("__", "."): value for name, value in changes.items()})


def says(text: str) -> Behaviour:
    """An ordinary reply of the messages interface with this text in it."""
    return changed(content__0__text=text)

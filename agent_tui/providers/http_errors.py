"""Why a call over HTTP gave no reply: status, type and code of an error, or a broken connection, as a `Failure`.

The service's code decides, then its type, then the status; its words never do, they are only shown. What may have been
answered and billed without our seeing it is `unknown`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from email.utils import parsedate_to_datetime

import httpx2

from agent_tui.providers.contract import RETRYABLE, Failure
from agent_tui.providers.redaction import in_words

_BY_CODE = {
    "billing_hard_limit_reached": "quota",
    "claude_code_key_creator_not_member": "auth",
    "context_length_exceeded": "too_large",
    "contract_spend_limit_reached": "quota",
    "enforced_spend_limit_reached": "quota",
    "insufficient_quota": "quota",
    "invalid_api_key": "auth",
    "linked_organization_billing_unavailable": "payment",
    "linked_organization_spend_limit_reached": "quota",
    "model_not_found": "not_found",
    "organization_on_hold": "forbidden",
    "rate_limit_exceeded": "rate_limited",
}
_BY_TYPE = {
    "authentication_error": "auth",
    "billing_error": "payment",
    "insufficient_quota": "quota",
    "overloaded_error": "overloaded",
    "permission_error": "forbidden",
    "rate_limit_error": "rate_limited",
    "timeout_error": "unknown",
}
_BY_TYPE_IN_BATCH = {
    "api_error": "overloaded", "timeout_error": "overloaded",  # its end is known: nothing was billed
    "not_found_error": "not_found", "request_too_large": "too_large",
}  # fmt: skip
_BY_STATUS = {
    401: "auth", 402: "payment", 403: "forbidden", 404: "not_found", 407: "forbidden", 408: "connection",
    409: "overloaded", 413: "too_large", 425: "overloaded", 429: "rate_limited", 501: "bad_request",
    # from something between: what stands behind it may have done the work
    499: "unknown", 502: "unknown", 504: "unknown", 520: "unknown", 524: "unknown",
}  # fmt: skip
_WORDS = {
    "auth": "the service does not accept the credential",
    "bad_request": "the service refuses the request",
    "connection": "the service did not take the request in time",
    "forbidden": "the credential may not do this",
    "not_found": "the service knows no such model or address",
    "overloaded": "the service is overloaded",
    "payment": "the service asks for payment",
    "quota": "the spending limit or the quota is used up",
    "rate_limited": "too many requests",
    "too_large": "the request is too large",
    "unknown": "the service or something before it gave up waiting; the call may have been billed",
}
_NOT_SENT = (
    httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError, httpx2.WriteError,
    httpx2.WriteTimeout, httpx2.UnsupportedProtocol,
)  # fmt: skip


def refused(
    status: int,
    headers: Mapping[str, str],
    *,
    type: str | None = None,
    code: str | None = None,
    message: str | None = None,
    secrets: Iterable[str] = (),
    now: Callable[[], float] = time.time,
) -> Failure:
    """The failure of a response whose status says no; names of `headers` in small letters."""
    kind = _kind(status, type, code)
    said = code or type
    reason = f"HTTP {status}{f' {in_words(said, secrets)}' if said else ''}: {_sentence(kind, status)}"
    again = headers.get("x-should-retry")
    if again == "false" and kind in RETRYABLE:
        return Failure(kind="bad_request", reason=f"{reason}; it asks not to be asked again")
    if again == "true" and kind in {"bad_request", "unknown"}:
        kind, reason = "overloaded", f"{reason}; it asks to be asked again"
    if message and kind not in RETRYABLE:
        reason = f"{reason}: {in_words(message, secrets)}"
    return Failure(kind=kind, reason=reason, retry_after=wait_asked_for(headers, now))


def failed_in_batch(type: str, message: str, secrets: Iterable[str] = ()) -> Failure:
    """The failure of one request of a batch, which has no status of its own."""
    kind = _BY_TYPE_IN_BATCH.get(type) or _BY_TYPE.get(type, "bad_request")
    return Failure(kind=kind, reason=f"{in_words(type, secrets)}: {in_words(message, secrets) or _WORDS[kind]}")


def broken(cause: BaseException | None) -> Failure:
    """The failure of a call that ended without a whole response, by the error of the transport."""
    if isinstance(cause, _NOT_SENT):
        return Failure(kind="connection", reason="no connection to the service")
    if isinstance(cause, httpx2.TimeoutException | TimeoutError):
        return Failure(kind="unknown", reason="no reply in time; the call may have been answered and billed")
    return Failure(kind="unknown", reason="the connection broke off; the call may have been answered and billed")


def not_a_reply(what: str) -> Failure:
    """The failure of a response with status 200 that is none of the service's."""
    return Failure(kind="unknown", reason=f"{what} in place of a reply; the call may have been answered and billed")


def wait_asked_for(headers: Mapping[str, str], now: Callable[[], float] = time.time) -> float | None:
    """Seconds that a response asks us to wait: `retry-after-ms`, else `retry-after` in seconds or as a date."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = headers.get("retry-after")
    seconds = _number(asked)
    return seconds if seconds is not None or asked is None else _until(asked, headers.get("date"), now)


def _kind(status: int, type: str | None, code: str | None) -> str:
    by_name = _BY_CODE.get(code or "") or _BY_TYPE.get(type or "")
    by_status = _BY_STATUS.get(status) or ("overloaded" if status >= 500 else "bad_request")
    return by_name or by_status


def _sentence(kind: str, status: int) -> str:
    if 300 <= status < 400:
        return "the address leads elsewhere, and redirects are not followed"
    return _WORDS[kind]


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return max(0.0, value) if math.isfinite(value) else None


def _until(asked: str, sent: str | None, now: Callable[[], float]) -> float | None:
    """Seconds until a date, by the service's own clock where it tells its time."""
    try:
        then = parsedate_to_datetime(asked).timestamp()
        start = parsedate_to_datetime(sent).timestamp() if sent else now()
    except ValueError:
        return None
    return max(0.0, then - start)

"""What services write into a response that says no: mostly `{"error": {...}}`, whatever their status."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct

from agent_tui.providers.contract import Failure
from agent_tui.providers.http_errors import refused

_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_SECONDS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}


class _Error(Struct):
    message: str | None = None
    type: str | None = None
    code: str | int | None = None


class _Refusal(Struct):
    error: _Error | str | None = None
    message: str | None = None
    code: str | int | None = None


def refused_in_chat(status: int, headers: Mapping[str, str], body: bytes, secrets: Iterable[str] = ()) -> Failure:
    """The failure of a response whose status says no."""
    failure = _refused(status, headers, _error(body) or _Error(), secrets)
    if failure.kind == "rate_limited" and failure.retry_after is None:
        return msgspec.structs.replace(failure, retry_after=_reset(headers))
    return failure


def refused_with_success(body: bytes, secrets: Iterable[str] = ()) -> Failure | None:
    """The failure that some gateways put into a response with status 200; None where there is none."""
    error = _error(body)
    if error is None:
        return None
    return _refused(error.code if isinstance(error.code, int) else 400, {}, error, secrets)


def _refused(status: int, headers: Mapping[str, str], error: _Error, secrets: Iterable[str]) -> Failure:
    code = error.code if isinstance(error.code, str) else None
    return refused(status, headers, type=error.type, code=code, message=error.message, secrets=secrets)


def _error(body: bytes) -> _Error | None:
    try:
        refusal = msgspec.json.decode(body, type=_Refusal)
    except (msgspec.DecodeError, RecursionError):
        return None
    if isinstance(refusal.error, str):
        return _Error(message=refusal.error)
    if refusal.error is None and refusal.message is not None:
        return _Error(message=refusal.message, code=refusal.code)
    return refusal.error


def _reset(headers: Mapping[str, str]) -> float | None:
    """Seconds until the limit that is used up is filled again, by the x-ratelimit headers."""
    waits = [
        _duration(headers.get(f"x-ratelimit-reset-{kind}", ""))
        for kind in ("requests", "tokens")
        if headers.get(f"x-ratelimit-remaining-{kind}", "0") == "0"
    ]
    return max((wait for wait in waits if wait is not None), default=None)


def _duration(text: str) -> float | None:
    """Seconds of `6m0s`, `20ms` or `1.5`."""
    if text.replace(".", "", 1).isdecimal():
        return float(text)
    parts = _PART.findall(text)
    if not parts or "".join(f"{number}{unit}" for number, unit in parts) != text:
        return None
    return sum(float(number) * _SECONDS[unit] for number, unit in parts)

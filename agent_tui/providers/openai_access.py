"""What the environment says of an OpenAI-compatible service: where it is, and with which key.

OPENAI_BASE_URL ends as the service documents it, mostly in `/v1`; a query after it, as Azure's `?api-version=…`, is
kept. Read without an HTTP library, so that looking for a provider costs nothing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from urllib.parse import parse_qs

from msgspec import Struct

from agent_tui.errors import NotPossible
from agent_tui.providers.endpoint import Endpoint, read_endpoint

BASE_URL, KEY = "OPENAI_BASE_URL", "OPENAI_API_KEY"
_VENDOR = "https://api.openai.com/v1"


class Access(Struct, frozen=True):
    """A service that may be asked."""

    endpoint: Endpoint
    query: str
    """What stood behind the base URL, without its question mark."""
    key: str
    """Empty where the service wants none."""

    @property
    def url(self) -> str:
        """Where a completion is asked for."""
        return f"{self.endpoint.url}/chat/completions{f'?{self.query}' if self.query else ''}"

    @property
    def api_version(self) -> str:
        """The version of the interface, where the address names one; else empty."""
        return parse_qs(self.query).get("api-version", [""])[0]

    @property
    def headers(self) -> dict[str, str]:
        """What carries the key: Azure, which is known by the version in its address, has a header of its own."""
        if not self.key:
            return {}
        return {"api-key": self.key} if self.api_version else {"authorization": f"Bearer {self.key}"}


def is_named(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether the environment names a service, or has a key for the vendor's."""
    return bool(environ.get(BASE_URL) or environ.get(KEY))


def read_access(environ: Mapping[str, str] = os.environ, *, insecure: bool = False) -> Access:
    """The service that the environment names; `insecure` lets a key travel over plain http.

    Raises `NotPossible` where nothing is named, or something unusable.
    """
    if not is_named(environ):
        raise NotPossible(f"no service: set {BASE_URL}, or {KEY} for {_VENDOR}")
    base, _, query = (environ.get(BASE_URL) or _VENDOR).partition("?")
    access = Access(read_endpoint(base, BASE_URL), query, environ.get(KEY, "").strip())
    if not (access.key.isascii() and access.key.isprintable()):
        raise NotPossible(f"{KEY}: it holds characters that no key has")
    if access.key and not access.endpoint.may_carry_key(insecure):
        raise NotPossible(f"{BASE_URL}: the key would travel unencrypted; use https, or allow it explicitly")
    return access

"""Where a service is: its base URL, what may be shown of it, and whether a key may be sent there."""

from __future__ import annotations

import hashlib
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from agent_tui.errors import NotPossible

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
UNPROXIED = ("all://localhost", "all://127.0.0.1", "all://[::1]")
"""Patterns of addresses that no proxy may see, or a key for this machine would leave it."""
_VENDORS = frozenset({"api.anthropic.com", "api.openai.com"})
_PORTS = {"http": 80, "https": 443}


class Endpoint(Struct, frozen=True):
    """A base URL that is in order."""

    url: str
    """Scheme, host and path, without a slash at the end."""
    host: str
    """Host and port, for the consent."""
    host_class: str
    """vendor, loopback or other."""
    encrypted: bool

    @property
    def digest(self) -> str:
        """First 16 hex digits of the SHA-256 of the URL."""
        return hashlib.sha256(self.url.encode()).hexdigest()[:16]

    def may_carry_key(self, insecure: bool) -> bool:
        """Whether a key sent there cannot be read on its way, or the user does not mind."""
        return self.encrypted or self.host_class == "loopback" or insecure


def read_endpoint(url: str, named_by: str) -> Endpoint:
    """The endpoint that a base URL names; `named_by` says in an error where it was set."""
    parts = _split(url, named_by)
    if parts.username is not None or parts.password is not None:
        raise NotPossible(f"{named_by}: a base URL must not hold a user name or a password; set the key by itself")
    if parts.query or parts.fragment:
        raise NotPossible(f"{named_by}: a base URL must not have a query; leave out what follows the path")
    host, port = str(parts.hostname), parts.port or _PORTS[parts.scheme]
    shown = f"[{host}]" if ":" in host else host
    usual = "" if port == _PORTS[parts.scheme] else f":{port}"
    return Endpoint(
        url=f"{parts.scheme}://{shown}{usual}{parts.path.rstrip('/')}",
        host=f"{shown}:{port}",
        host_class="loopback" if host in LOOPBACK else "vendor" if host in _VENDORS else "other",
        encrypted=parts.scheme == "https",
    )


def _split(url: str, named_by: str) -> SplitResult:
    try:
        parts = urlsplit(url.strip())
        usable = parts.scheme in _PORTS and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise NotPossible(f"{named_by}: not a base URL; it looks like https://api.example.com")
    return parts

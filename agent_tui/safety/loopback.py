"""Whether a host is this very machine: what is sent there passes no wire."""

from __future__ import annotations


def is_loopback(host: str) -> bool:
    """Whether a name or an address can only be this machine."""
    from ipaddress import ip_address  # here, since few commands are given an address

    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False

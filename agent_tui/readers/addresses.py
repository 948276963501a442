"""URLs of runs in object stores: which are read, and how they are called without what must not be seen.

They come from the command line alone. What stands behind a question mark may be a key: it is kept here, for this
process and its workers, and is part of no name, so of no report, index or message.
"""

from __future__ import annotations

from collections.abc import Mapping

from agent_tui.errors import NotPossible
from agent_tui.safety import sanitise_line
from agent_tui.safety.loopback import is_loopback

SCHEMES = ("s3", "gs", "az", "https")
_KNOWN = "read are s3://, gs://, az:// and https://, http:// from this machine"
_SCHEME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.:")
_whole: dict[str, str] = {}
"""Addresses by name, where the name is not all of it."""


def is_address(path: str) -> bool:
    """Whether a path is a URL and names no file of this machine, be it one that is read or not."""
    scheme, mark, _ = path.partition("://")
    return bool(mark and scheme) and _SCHEME_CHARACTERS.issuperset(scheme)


def name_of(address: str) -> str:
    """The name of an address that is read. Raises `NotPossible` for any other, and says nothing of what it hides."""
    scheme, _, rest = address.partition("://")
    if scheme not in (*SCHEMES, "http"):
        chain = "addresses are not chained with ::" if "::" in scheme else f"no files are read from {scheme}://"
        raise NotPossible(sanitise_line(f"{chain}: {_KNOWN}"))
    host = rest.partition("/")[0].partition("?")[0]
    if "::" in address.partition("?")[0] and not host.startswith("["):
        raise NotPossible(f"addresses are not chained with ::: {_KNOWN}")
    if "@" in host:
        raise NotPossible(f"{scheme}://… holds a name or a password: leave it out, the store's own settings have those")
    if not host or not rest.partition("/")[2]:
        raise NotPossible(sanitise_line(f"{scheme}://{host} names no file: {_example(scheme)}"))
    if scheme == "http" and not is_loopback(_without_port(host)):
        raise NotPossible(
            sanitise_line(
                f"http://{host}/… is not encrypted, so anybody on the way can read and change it: use https://"
            )
        )
    name = address.partition("?")[0].partition("#")[0]
    if name != address:
        _whole[name] = address
    else:
        _whole.pop(name, None)
    return name


def _example(scheme: str) -> str:
    return f"{scheme}://" + ("HOST" if scheme.startswith("http") else "BUCKET") + "/FILE"


def _without_port(host: str) -> str:
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def whole(name: str) -> str:
    """The address with a name."""
    return _whole.get(name, name)


def addresses() -> dict[str, str]:
    """What a worker has to know to read what is named."""
    return dict(_whole)


def learn(known: Mapping[str, str]) -> None:
    """Take over what whoever gives tasks knows."""
    _whole.update(known)

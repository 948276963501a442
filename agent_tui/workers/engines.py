"""Which engine does the tasks, by what `--engine` names: processes of this machine where it names nothing."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from agent_tui.errors import NotPossible
from agent_tui.safety.loopback import is_loopback
from agent_tui.workers.engine import Engine, Pool, all_cores

_TRANSPORTS = {"dask": "tcp", "tls": "tls"}
"""How a scheduler of Dask is spoken to, by the scheme."""
KNOWN = "dask://HOST:PORT, tls://HOST:PORT; without --engine worker processes of this machine"


def engine_of(name: str | None, workers: int | None = None) -> Engine:
    """The engine with a name, ready to work. Raises `NotPossible` where there is no such engine, or it is not ready."""
    if name is None:
        return Pool(workers or all_cores())
    parts = _split(name)
    from agent_tui.workers.dask_engine import DaskEngine  # here, since the pool needs nothing of it

    return DaskEngine(name, f"{_TRANSPORTS[parts.scheme]}://{parts.netloc}")


def warning_of(name: str) -> str | None:
    """What the user of an engine should know before. Raises `NotPossible` where there is no such engine."""
    parts = _split(name)
    if parts.scheme == "tls" or is_loopback(parts.hostname or ""):
        return None
    return f"{name} is plain TCP: who is on the way can read the runs and have code run, here too; use tls://"


def _split(name: str) -> SplitResult:
    try:
        parts = urlsplit(name)
        is_whole = parts.hostname and parts.port and not (parts.path or parts.query or parts.fragment or "@" in name)
    except ValueError:
        raise NotPossible(f"--engine: not an address; there are {KNOWN}") from None
    if parts.scheme not in _TRANSPORTS:
        raise NotPossible(
            f"--engine: no engine is called {parts.scheme or name.partition(':')[0]!r}; there are {KNOWN}"
        )
    if not is_whole:
        raise NotPossible(f"--engine: {parts.scheme}:// is followed by HOST:PORT and nothing else")
    return parts

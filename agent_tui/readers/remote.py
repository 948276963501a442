"""A file in an object store: what the store says of it, and any bytes of it by one request."""

from __future__ import annotations

import logging
import time
from functools import lru_cache
from typing import Any

import xxhash

from agent_tui.errors import NotPossible
from agent_tui.readers.addresses import whole
from agent_tui.readers.ranges import Stamp

_TRIES = 3
"""How often an https server is asked where it does not answer; drivers of stores try again by themselves."""
_CONNECT_SECONDS, _SILENT_SECONDS = 20.0, 60.0
"""How long a server may take to be reached, and may then say nothing."""
_DRIVERS = ("adlfs", "azure", "botocore", "aiobotocore", "fsspec", "gcsfs", "google", "s3fs")
_LOOK_SECONDS, _READ_SECONDS = 20.0, 600.0
"""How long a store may take to say what a file is, and to give a range of it."""
_ETAGS = ("ETag", "etag")
_TIMES = ("LastModified", "Last-Modified", "updated", "last_modified", "mtime")


class StoreError(OSError):
    """A store does not give what is asked for; the reason holds nothing that the store said."""


def remote(name: str) -> Remote:
    """The file with a name. Raises `StoreError` where there is no driver for its store."""
    return _remote(name, whole(name))


@lru_cache(maxsize=1024)
def _remote(name: str, address: str) -> Remote:
    return Remote(name, address)


def require_driver(name: str) -> None:
    """Raise `NotPossible` where there is no driver for the store of a file."""
    try:
        remote(name)
    except StoreError as error:
        raise NotPossible(str(error)) from error


class Remote:
    """One object, or one file of a web server."""

    def __init__(self, name: str, address: str) -> None:
        self._scheme = name.partition("://")[0]
        self._is_web = self._scheme.startswith("http")
        self._files, self._path = self._found(address)
        self._has_mark = True

    def _found(self, address: str) -> tuple[Any, str]:
        try:
            from fsspec.core import url_to_fs

            for driver in _DRIVERS:  # what matters is said here, and they may say an address
                logging.getLogger(driver).setLevel(logging.CRITICAL)
            options = {"encoded": "%" in address, **_web_options()} if self._is_web else {}
            files, path = url_to_fs(address, use_listings_cache=False, **options)
        except ImportError as error:
            needs = f"{self._scheme}:// needs a driver that is not installed: pip install 'agent-tui[cloud]'"
            raise StoreError(needs) from error
        except Exception as error:  # the border to a driver: what is wrong with its settings is an error of its own
            found = f"finds no settings in the environment that it can use ({type(error).__name__})"
            raise StoreError(f"the driver of {self._scheme}:// {found}") from error
        return files, str(path)

    def stamp(self) -> Stamp:
        """What tells that it is still what it was, as of now. Raises `StoreError`."""
        info = self._asked("_info", _LOOK_SECONDS)
        if info.get("type", "file") != "file":
            raise StoreError("it is a folder of the store: name each file")
        if info.get("size") is None:
            raise StoreError("the server does not say how long it is: download it first")
        size, etag, modified = int(info["size"]), _first(info, _ETAGS), _first(info, _TIMES)
        self._has_mark = bool(etag or modified)
        mark = xxhash.xxh3_64_intdigest(f"{size}\0{etag or modified}".encode())
        return Stamp(size, xxhash.xxh3_64_intdigest(modified.encode()) >> 1, mark)

    def digest(self, stamp: Stamp) -> str | None:
        """A digest of what the store says of it: to hash the bytes would be to read all of them once more.

        None where the store says nothing but its size.
        """
        return f"{stamp.inode:016x}-store" if self._has_mark else None

    def read(self, low: int, high: int) -> bytes:
        """The bytes from `low` up to `high`, by one request. Raises `StoreError`."""
        found: bytes = self._asked("_cat_file", _READ_SECONDS, start=low, end=high)
        if len(found) != high - low:
            raise StoreError(
                f"the store gave {len(found):,} bytes for {high - low:,}: it has changed, or gives no ranges"
            )
        return found

    def _asked(self, method: str, seconds: float, **options: int) -> Any:
        """What a driver gives within so many seconds; by itself some try for minutes."""
        from fsspec.asyn import sync

        for left in reversed(range(_TRIES if self._is_web else 1)):
            try:
                return sync(self._files.loop, getattr(self._files, method), self._path, timeout=seconds, **options)
            except Exception as error:  # the border to a driver, each with errors of its own
                reason, may_pass = _in_words(error)
                if not left or not may_pass:
                    raise StoreError(reason) from None  # what drivers say may hold the whole address
            time.sleep(0.2 * (_TRIES - left))
        raise AssertionError


def _first(info: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((str(info[name]) for name in names if info.get(name)), "")


def _in_words(error: BaseException) -> tuple[str, bool]:
    """Why a store did not give something, in our words, and whether that may pass."""
    causes = [error, error.__cause__, error.__context__]
    said = [getattr(each, "status", None) for each in causes]
    status = next((each for each in said if isinstance(each, int)), None)
    if any(isinstance(each, StoreError) for each in causes):
        return next(str(each) for each in causes if isinstance(each, StoreError)), False
    if isinstance(error, PermissionError) or status in (401, 403):
        return "the store refuses: credentials are missing, or may not read it", False
    if status is not None and status != 404:
        return f"the server answers with status {status}", status >= 500
    if isinstance(error, FileNotFoundError) and (status == 404 or error.__cause__ is None):
        return "the store has no such file", False
    kind = type(error.__cause__ if isinstance(error, FileNotFoundError) and error.__cause__ else error).__name__
    if kind == "FSTimeoutError":
        return "the store does not answer", False
    if "Credential" in kind:
        return f"the store refuses: credentials are missing ({kind})", False
    return f"the store does not give it ({kind})", True


@lru_cache(maxsize=1)
def _web_options() -> dict[str, Any]:
    """How web servers are asked: for the bytes as they are, in ranges, and never past https."""
    import aiohttp

    trace = aiohttp.TraceConfig()
    trace.on_request_redirect.append(_require_encryption)
    trace.on_request_end.append(_require_range)
    patience = aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS, sock_read=_SILENT_SECONDS)
    return {
        "headers": {"Accept-Encoding": "identity"},
        "client_kwargs": {"trace_configs": [trace], "timeout": patience},
    }


async def _require_encryption(_session: Any, _context: Any, asked: Any) -> None:
    """Raise `StoreError` where a server sends on to one that is spoken to in the open, and did not do so itself."""
    target = asked.response.headers.get("Location", "")
    if asked.url.scheme == "https" and target.lower().startswith("http:"):
        asked.response.close()
        raise StoreError("the server sends on to http://, which is not encrypted: not read")


async def _require_range(_session: Any, _context: Any, asked: Any) -> None:
    """Raise `StoreError`, before it comes, where the whole file would be the answer to the question for a part."""
    if "Range" in asked.headers and asked.response.status == 200:
        asked.response.close()
        raise StoreError("the server gives no parts of files: download it first")

"""A small web server of this machine: gives files in ranges, and counts what it was asked for."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from msgspec import Struct, field


class Asked(Struct, frozen=True):
    """One question: how, for what, with which range."""

    method: str
    path: str
    range: str | None


class Site(Struct):
    """What a server has, and how it behaves."""

    files: dict[str, bytes] = field(default_factory=dict)
    """By path, without what follows a question mark."""
    statuses: dict[str, int] = field(default_factory=dict)
    """Errors that a path answers with."""
    has_ranges: bool = True
    has_etags: bool = True
    asked: list[Asked] = field(default_factory=list)
    address: str = ""

    def gets(self, path: str) -> list[str | None]:
        """The ranges of a path that were asked for."""
        return [each.range for each in self.asked if each.method == "GET" and each.path == path]


@contextmanager
def web_server() -> Iterator[Site]:
    """A site that is served as long as this lasts."""
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._answer(has_body=False)

        def do_GET(self) -> None:
            self._answer(has_body=True)

        def _answer(self, *, has_body: bool) -> None:
            site.asked.append(Asked(self.command, self.path, self.headers.get("Range")))
            path = self.path.partition("?")[0]
            whole = site.files.get(path)
            status = site.statuses.get(path, 404 if whole is None else 200)
            text = whole or b""
            asked = self.headers.get("Range") if site.has_ranges and status == 200 else None
            if asked is not None:
                first, _, last = asked.removeprefix("bytes=").partition("-")
                text, status = text[int(first) : int(last) + 1], 206
            self.send_response(status)
            self.send_header("Content-Length", str(len(text)))
            if whole is not None and site.has_etags:
                self.send_header("ETag", f'"{hashlib.md5(whole).hexdigest()}"')
            self.end_headers()
            if has_body:
                self.wfile.write(text)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()

"""A model service on this machine: real HTTP on a loopback port, verdicts known in advance, faults by script.

    async with Loopback(by_answer({"Paris": "pass"}), latency=0.2) as server:
        server.script(rate_limited("1"), page())         # what the next two messages meet; then ordinary replies
        ... AsyncAnthropic(base_url=server.url) ...
        assert server.asked("POST /v1/messages") == 3

As a process of its own: `python -m tests.providers.loopback --port-file F`; then `GET /_log` (`?wait=N` answers once N
requests have come) and `POST /_script` with the fields of `Loopback.told`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.providers import batches_api, loopback_chat, messages_api
from tests.providers.batches_api import Batch
from tests.providers.behaviour import Behaviour
from tests.providers.verdicts import Judge, always, by_answer
from tests.providers.wire import HttpRequest, HttpResponse, read_request

Handler = Callable[["Loopback", HttpRequest], Awaitable[HttpResponse]]
MESSAGES = "POST /v1/messages"


class Loopback:
    """The server; `url` is known once it is entered."""

    def __init__(
        self,
        judge: Judge | None = None,
        *,
        latency: float = 0.0,
        key: str | None = None,
        models: Iterable[str] = messages_api.MODELS,
        routes: Mapping[str, Handler] | None = None,
    ) -> None:
        self.judge = judge or always("pass")
        self.latency = latency
        """Seconds that every reply takes."""
        self.key = key
        """The only credential that is let in; None: any."""
        self.models = tuple(models)
        self.log: list[HttpRequest] = []
        self.batches: dict[str, Batch] = {}
        self.fates: list[Mapping[int, str]] = []
        """What becomes of the requests of the next batches; see `Batch.fates`."""
        self.looks = 0
        """How often a batch is seen in progress before it ends."""
        self.midnight = datetime(2026, 11, 29, tzinfo=UTC)
        """From when its clock goes on by a second for each batch and message."""
        self.prefixes: set[str] = set()
        self.headers: dict[str, str] = {}
        """Put on every reply."""
        self._routes: dict[str, Handler] = {
            **messages_api.ROUTES, **batches_api.ROUTES, **loopback_chat.ROUTES, **(routes or {}),
            "GET /_log": _show_log, "POST /_script": _take_script,
        }  # fmt: skip
        self._scripts: dict[str, list[Behaviour]] = {}
        self._standing: dict[str, Behaviour] = {}
        self._released = asyncio.Event()
        self._arrival = asyncio.Condition()
        self._numbers = self._connections = 0
        self._open: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Loopback:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        await self._server.wait_closed()

    def script(self, *behaviours: Behaviour, at: str = MESSAGES) -> None:
        """What the next requests of a route meet, one behaviour each, in this order."""
        self._scripts.setdefault(at, []).extend(behaviours)

    def always(self, behaviour: Behaviour | None, at: str = MESSAGES) -> None:
        """What every request of a route meets once its script is used up; None: an ordinary reply again."""
        self._standing.pop(at, None)
        if behaviour is not None:
            self._standing[at] = behaviour

    def release(self) -> None:
        """Let the replies go that are stalled now."""
        self._released.set()
        self._released = asyncio.Event()

    def requests(self, route: str = MESSAGES) -> list[HttpRequest]:
        return [request for request in self.log if self._named(request)[0] == route]

    def asked(self, route: str = MESSAGES) -> int:
        """How many requests of a route have come (a count)."""
        return len(self.requests(route))

    async def arrived(self, number: int, route: str | None = None) -> None:
        """Wait until so many requests have come."""
        async with self._arrival:
            await self._arrival.wait_for(lambda: (self.asked(route) if route else len(self.log)) >= number)

    def next_number(self) -> int:
        self._numbers += 1
        return self._numbers

    def told(self, orders: Mapping[str, Any]) -> None:
        """Orders that came as JSON: behaviours, always, at, verdicts, latency, looks, fates, release."""
        at = orders.get("at", MESSAGES)
        for fields in orders.get("behaviours", []):
            self.script(Behaviour(**fields), at=at)
        if "always" in orders:
            self.always(Behaviour(**orders["always"]) if orders["always"] else None, at=at)
        if "verdicts" in orders:
            self.judge = by_answer(orders["verdicts"], orders.get("otherwise", "undetermined"))
        self.latency = orders.get("latency", self.latency)
        self.looks = orders.get("looks", self.looks)
        self.fates += [{int(place): fate for place, fate in fates.items()} for fates in orders.get("fates", [])]
        if orders.get("release"):
            self.release()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        self._connections += 1
        connection = self._connections
        try:
            while request := await read_request(reader, connection):
                if not await self._handle(request, writer):
                    break
        except (ConnectionError, asyncio.CancelledError):
            pass  # the other side has gone, or the server is closing
        finally:
            self._open.discard(task)
            writer.close()
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _handle(self, request: HttpRequest, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; whether the connection stays open."""
        route, place = self._named(request)
        behaviour = self._behaviour(route)
        handler = self._routes.get(route, _unknown)
        ordinary = HttpResponse() if behaviour.status else await handler(self, replace(request, place=place))
        released = self._released
        if not request.path.startswith("/_"):
            await self._note(request)
            await asyncio.sleep(self.latency)
        if behaviour.stalled:
            await released.wait()
        response = behaviour.applied(ordinary)
        named = {"request-id": f"req_{len(self.log):06d}", **self.headers, **response.headers}
        written = replace(response, headers=named).written()
        await _write(writer, written[: behaviour.drop_after], behaviour.drip)
        return behaviour.drop_after is None and request.headers.get("connection", "").lower() != "close"

    async def _note(self, request: HttpRequest) -> None:
        async with self._arrival:
            self.log.append(request)
            self._arrival.notify_all()

    def _behaviour(self, route: str) -> Behaviour:
        if script := self._scripts.get(route):
            return script.pop(0)
        return self._standing.get(route, Behaviour())

    def _named(self, request: HttpRequest) -> tuple[str, dict[str, str]]:
        """The route that a request takes, and what stands at its `{places}`."""
        asked = f"{request.method} {request.path}"
        if asked in self._routes:
            return asked, {}
        for route in self._routes:
            if found := re.fullmatch(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", route), asked):
                return route, found.groupdict()
        return asked, {}


async def _write(writer: asyncio.StreamWriter, written: bytes, drip: float) -> None:
    """Bytes on their way, all at once or one every `drip` seconds."""
    if not drip:
        writer.write(written)
    for byte in written if drip else b"":
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(drip)
    await writer.drain()


async def _unknown(server: Loopback, request: HttpRequest) -> HttpResponse:
    return messages_api.vendor_error(404, "not_found_error", f"no such route: {request.method} {request.path}")


async def _show_log(server: Loopback, request: HttpRequest) -> HttpResponse:
    await server.arrived(int(request.query.get("wait", "0")))
    return HttpResponse.of([seen.logged() for seen in server.log])


async def _take_script(server: Loopback, request: HttpRequest) -> HttpResponse:
    server.told(request.json())
    return HttpResponse.of({"told": True})


async def _run(port_file: Path, orders: Mapping[str, Any]) -> None:
    async with Loopback() as server:
        server.told(orders)
        written = port_file.with_suffix(".part")
        written.write_text(str(server.port))
        os.replace(written, port_file)
        sys.stdout.write(f"{server.port}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port-file", type=Path, required=True, help="where the port is written once it listens")
    parser.add_argument("--script", type=Path, help="JSON orders to start with, as POST /_script takes them")
    options = parser.parse_args()
    orders = json.loads(options.script.read_text()) if options.script else {}
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_run(options.port_file, orders))


if __name__ == "__main__":
    main()

"""A judge that is a service, from the screen: the vendor's own library against a server on this machine."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.providers.behaviour import Behaviour
from tests.providers.loopback import Loopback
from tests.providers.verdicts import always
from tests.tui.judging import asked_of, nobody_configured, words
from tests.tui.opened import CYBERTRAVELS, Explorer, opened

KEY = "canary-key-77ab01"


@pytest.fixture(autouse=True)
def _nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nobody_configured(monkeypatch, tmp_path)


@asynccontextmanager
async def at_the_service(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Explorer, Loopback]]:
    """The estimate of a service that is the only one configured."""
    async with Loopback(always("pass")) as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        async with opened(CYBERTRAVELS) as explorer:
            await explorer.press("J")
            await explorer.until(lambda: "read the exact text" in explorer.text)
            yield explorer, server


async def test_nothing_of_a_run_is_sent_before_the_estimate_is_agreed_to(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_the_service(monkeypatch) as (explorer, server):
        shown = words(explorer)
        assert f"The text goes to 127.0.0.1:{server.port}." in shown
        assert "USD" in shown
        assert "no limit on the cost" in shown
        await explorer.press("s", "escape")
        assert server.asked() == 0
        assert not any(b"Rome" in request.body for request in server.log)
        await explorer.press("home", "enter")
        await explorer.until(lambda: "before any verdict" in explorer.text)
        assert server.asked() == asked_of(explorer).session.ledger.calls > 0
        assert "insufficient" in explorer.text


async def test_a_limit_stops_before_it_is_passed_and_what_was_answered_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_the_service(monkeypatch) as (explorer, server):
        await explorer.press("m")
        await explorer.type("0.01")
        assert "at most 0.01 USD in all" in explorer.text
        await explorer.press("home", "enter")
        await explorer.until(lambda: "What was answered is kept in" in explorer.text)
        asked, estimate = server.asked(), asked_of(explorer).estimate
        assert estimate is not None
        assert asked > 0
        assert estimate.calls > 0
        await explorer.press("m")
        await explorer.type("")
        await explorer.press("home", "enter")
        await explorer.until(lambda: "What was answered is kept in" in explorer.text)
        assert server.asked() == asked


async def test_a_service_that_refuses_says_so_and_is_gone_on_with_later(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_the_service(monkeypatch) as (explorer, server):
        server.script(Behaviour(status=401))
        await explorer.press("enter")
        await explorer.until(lambda: "What was answered is kept in" in explorer.text)
        assert asked_of(explorer).session.validation is None
        await explorer.press("home", "enter")
        await explorer.until(lambda: "before any verdict" in explorer.text)


async def test_the_key_is_on_no_screen_and_in_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_the_service(monkeypatch) as (explorer, server):
        screens = [explorer.app.export_screenshot()]
        server.script(Behaviour(status=401, body={"error": {"message": KEY}}))
        for keys in (("s",), ("escape",), ("home", "enter")):
            await explorer.press(*keys)
            screens.append(explorer.app.export_screenshot())
        await explorer.until(lambda: "What was answered is kept in" in explorer.text)
        screens.append(explorer.app.export_screenshot())
        await explorer.press("home", "enter")
        await explorer.until(lambda: "before any verdict" in explorer.text)
        screens.append(explorer.app.export_screenshot())
        assert any(KEY in value for request in server.log for value in request.headers.values())
    assert not any(KEY in screen for screen in screens)
    kept = [path for path in Path(os.environ["AGENT_TUI_STATE_DIR"]).rglob("*") if path.is_file()]
    assert any(path.suffix == ".jsonl" for path in kept)
    assert not any(KEY.encode() in path.read_bytes() for path in kept)

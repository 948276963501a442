"""Whatever JSON a service sends, a call ends as a reply or a failure: the SDK itself checks none of it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_tui.providers.anthropic import AnthropicProvider
from agent_tui.providers.anthropic_client import Connection, connect
from agent_tui.providers.contract import Failure, Identity, Limits, Reply
from tests.providers.asking import KEY, ask_about, forget_credentials
from tests.providers.behaviour import Behaviour
from tests.providers.loopback import MESSAGES, Loopback

_PLACES = [
    "content", "content.0", "content.0.text", "content.0.type", "model", "stop_reason", "usage", "usage.input_tokens",
    "id", "type", "role", "stop_details", "container",
]  # fmt: skip
_NAMES = st.sampled_from(["type", "text", "id", "error", "message", "details", "supported", "effort", "data"])
_LEAVES = (
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | st.sampled_from(["", "text", "message", "error"])
)
_VALUES = st.recursive(_LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=4))
_STATUSES = st.sampled_from([200, 400, 404, 429, 500])
_WHOLE = st.builds(lambda status, body: Behaviour(status=status, body=body), _STATUSES, _VALUES)
_PARTS = st.dictionaries(st.sampled_from(_PLACES), _VALUES, min_size=1, max_size=1)
_CHANGED = _PARTS.map(lambda changes: Behaviour(changes=changes))
_MODEL_PARTS = st.dictionaries(st.sampled_from(["id", "capabilities", "lifecycle", "retires_at"]), _VALUES, max_size=2)


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    forget_credentials(monkeypatch, tmp_path)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)


def in_turn(route: str, behaviours: list[Behaviour], call: Any) -> list[Any]:
    """What a provider makes of each behaviour of a route."""

    async def run() -> list[Any]:
        async with Loopback() as server:
            connection = connect(server.url)
            assert isinstance(connection, Connection)
            outcomes = []
            for behaviour in behaviours:
                server.script(behaviour, at=route)
                outcomes.append(await call(AnthropicProvider(connection, "claude-haiku-5-5")))
            await connection.client.close()
            return outcomes

    return asyncio.run(run())


few = settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])


@few
@given(st.lists(_WHOLE | _CHANGED, min_size=10, max_size=30))
def test_asking_ends_as_a_reply_or_a_failure(behaviours: list[Behaviour]) -> None:
    outcomes = in_turn(MESSAGES, behaviours, lambda provider: provider.ask(ask_about(), Limits()))
    assert all(isinstance(outcome, Reply | Failure) for outcome in outcomes)
    assert all(isinstance(outcome.text, str) for outcome in outcomes if isinstance(outcome, Reply))


@few
@given(st.lists(_WHOLE | _MODEL_PARTS.map(lambda parts: Behaviour(changes=parts)), min_size=10, max_size=30))
def test_probing_ends_as_an_identity_or_a_failure(behaviours: list[Behaviour]) -> None:
    outcomes = in_turn("GET /v1/models/{model}", behaviours, lambda provider: provider.probe())
    assert all(isinstance(outcome, Identity | Failure) for outcome in outcomes)


@few
@given(st.lists(_WHOLE, min_size=10, max_size=30))
def test_listing_and_counting_end_as_values(behaviours: list[Behaviour]) -> None:
    listed = in_turn("GET /v1/models", behaviours, lambda provider: provider.models())
    assert all(isinstance(outcome, list | Failure) for outcome in listed)
    counted = in_turn("POST /v1/messages/count_tokens", behaviours, lambda provider: provider.count_tokens(ask_about()))
    assert all(outcome is None or isinstance(outcome, int) for outcome in counted)

"""The vendor's SDK against a real server: what is sent, what comes back, and every fault as a value."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from agent_tui.providers.anthropic import AnthropicProvider, open_anthropic
from agent_tui.providers.contract import FATAL, RETRYABLE, UNCERTAIN, Failure, Identity, Limits, Reply, Usage
from tests.providers.asking import KEY, ask_about, forget_credentials, reply_schema
from tests.providers.behaviour import (
    ABSENT,
    Behaviour,
    changed,
    dripping,
    empty,
    error,
    half_closed,
    hung_up,
    overloaded,
    page,
    rate_limited,
    says,
    stalled,
)
from tests.providers.loopback import Loopback
from tests.providers.verdicts import by_answer

HAIKU = "claude-haiku-5-5"


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Loopback]:
    forget_credentials(monkeypatch, tmp_path)
    async with Loopback(by_answer({"Paris": "pass", "Lyon": "fail"}), key=KEY) as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        yield server


@pytest.fixture
async def provider(server: Loopback) -> AsyncIterator[AnthropicProvider]:
    opened = open_ready()
    yield opened
    await opened.close()


def open_ready(model: str = HAIKU, **options: Any) -> AnthropicProvider:
    opened = open_anthropic(model, **options)
    assert isinstance(opened, AnthropicProvider)
    return opened


async def ask_once(server: Loopback, provider: AnthropicProvider, behaviour: Behaviour) -> Reply | Failure:
    """What the provider makes of one behaviour; it makes exactly one call of it."""
    server.script(behaviour)
    outcome = await provider.ask(ask_about(), Limits(timeout=30))
    assert server.asked() == 1
    return outcome


async def test_a_reply_is_handed_on_whole(provider: AnthropicProvider) -> None:
    outcome = await provider.ask(ask_about("Lyon"), Limits())
    assert isinstance(outcome, Reply)
    assert json.loads(outcome.text)["verdict"] == "fail"
    assert (outcome.model, outcome.stop_reason, outcome.request_id) == (HAIKU, "end", "req_000001")
    assert outcome.usage is not None
    assert outcome.usage.output_tokens


async def test_a_request_is_sent_as_the_interface_wants_it(server: Loopback, provider: AnthropicProvider) -> None:
    await provider.ask(ask_about(max_tokens=512), Limits())
    (seen,) = server.requests()
    sent = seen.json()
    assert sent.keys() == {"model", "max_tokens", "system", "messages", "output_config"}
    assert sent["output_config"]["effort"] == "low"
    assert list(sent["output_config"]["format"]["schema"]["properties"])[-1] == "verdict"
    assert sent["system"][-1]["cache_control"] == {"type": "ephemeral", "ttl": "5m"}
    assert (sent["max_tokens"], len(sent["messages"])) == (512, 1)
    assert (seen.headers["authorization"], seen.headers["anthropic-version"]) == (f"Bearer {KEY}", "2026-10-21")


async def test_the_order_of_the_labels_reaches_the_service(server: Loopback, provider: AnthropicProvider) -> None:
    turned = ("undetermined", "fail", "pass")
    await provider.ask(ask_about(schema=reply_schema(turned), labels=turned), Limits())
    schema = server.requests()[0].json()["output_config"]["format"]["schema"]
    assert tuple(schema["properties"]["verdict"]["enum"]) == turned


async def test_no_effort_is_named_where_the_model_knows_none(server: Loopback, provider: AnthropicProvider) -> None:
    await provider.ask(ask_about(effort=""), Limits())
    assert "effort" not in server.requests()[0].json()["output_config"]


async def test_a_long_rubric_is_read_from_the_cache_the_second_time(provider: AnthropicProvider) -> None:
    rubric = "A criterion in words. " * 400
    outcomes = [await provider.ask(ask_about(answer, system=rubric), Limits()) for answer in ("Paris", "Lyon")]
    first, second = (outcome.usage or Usage() for outcome in outcomes)
    assert (first.cache_read_tokens, second.cache_write_tokens) == (0, 0)
    assert first.cache_write_tokens == second.cache_read_tokens == 2200


@pytest.mark.parametrize("wait", ["1", "7", "86400"])
async def test_a_rate_limit_hands_on_the_wait_and_is_not_retried_here(
    server: Loopback, provider: AnthropicProvider, wait: str
) -> None:
    outcome = await ask_once(server, provider, rate_limited(wait))
    assert isinstance(outcome, Failure)
    assert (outcome.kind, outcome.retry_after) == ("rate_limited", float(wait))


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (overloaded(), "overloaded"),
        (error(500), "overloaded"),
        (error(503), "overloaded"),
        (error(409, "conflict_error"), "overloaded"),
        (error(529, "overloaded_error", x_should_retry="false"), "bad_request"),
        (error(401, "authentication_error"), "auth"),
        (error(402, "billing_error"), "payment"),
        (error(403, "permission_error"), "forbidden"),
        (error(429, "rate_limit_error", code="enforced_spend_limit_reached"), "quota"),
        (error(429, "rate_limit_error", code="contract_spend_limit_reached"), "quota"),
        (error(400, "invalid_request_error"), "bad_request"),
        (error(404, "not_found_error"), "not_found"),
        (error(413, "invalid_request_error"), "too_large"),
        (error(504, "timeout_error"), "unknown"),
        (page(), "unknown"),
        (empty(), "unknown"),
        (hung_up(), "unknown"),
        (half_closed(), "unknown"),
        (Behaviour(status=200, body="{"), "unknown"),
        (Behaviour(status=200, body={}), "unknown"),
        (Behaviour(status=200, body=[1]), "unknown"),
        (Behaviour(status=200, body={"type": "error", "error": {"type": "api_error"}}), "unknown"),
        (Behaviour(status=503, body="<html>down</html>", content_type="text/html"), "overloaded"),
        (Behaviour(status=400, body={"error": "a string"}), "bad_request"),
        (changed(content=ABSENT), "malformed"),
        (changed(model=ABSENT), "malformed"),
    ],
)
async def test_every_fault_is_a_failure_of_its_kind_after_one_call(
    server: Loopback, provider: AnthropicProvider, behaviour: Behaviour, kind: str
) -> None:
    outcome = await ask_once(server, provider, behaviour)
    assert isinstance(outcome, Failure)
    assert outcome.kind == kind


async def test_what_a_rate_limit_says_without_a_wait_is_only_its_kind(
    server: Loopback, provider: AnthropicProvider
) -> None:
    outcome = await ask_once(server, provider, rate_limited())
    assert isinstance(outcome, Failure)
    assert (outcome.kind in RETRYABLE, outcome.retry_after) == (True, None)


async def test_a_stalled_call_ends_in_time_and_may_have_been_billed(
    server: Loopback, provider: AnthropicProvider
) -> None:
    server.script(stalled())
    outcome = await provider.ask(ask_about(), Limits(timeout=0.2))
    assert isinstance(outcome, Failure)
    assert outcome.kind in UNCERTAIN
    assert "in time" in outcome.reason


async def test_a_reply_that_comes_a_byte_at_a_time_ends_in_time_too(
    server: Loopback, provider: AnthropicProvider
) -> None:
    server.script(dripping())
    outcome = await provider.ask(ask_about(), Limits(timeout=0.3))
    assert isinstance(outcome, Failure)
    assert outcome.kind in UNCERTAIN


async def test_a_cancelled_call_is_cut(server: Loopback, provider: AnthropicProvider) -> None:
    server.script(stalled())
    asking = asyncio.create_task(provider.ask(ask_about(), Limits()))
    await server.arrived(1)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert isinstance(await provider.ask(ask_about(), Limits()), Reply)
    assert len({request.connection for request in server.requests()}) == 2


@pytest.mark.parametrize(
    "reason", ["max_tokens", "refusal", "pause_turn", "stop_sequence", "tool_use", "model_context_window_exceeded"]
)
async def test_an_early_stop_keeps_its_reason_and_its_usage(
    server: Loopback, provider: AnthropicProvider, reason: str
) -> None:
    outcome = await ask_once(server, provider, changed(stop_reason=reason, stop_details={"type": "refusal"}))
    assert isinstance(outcome, Reply)
    assert outcome.stop_reason == reason
    assert outcome.usage is not None


@pytest.mark.parametrize("text", ["", "Sure! {}", '{"verdict": "pass"}{"verdict": "fail"}', '{"verdict": "pa'])
async def test_text_of_any_form_is_handed_on_as_it_came(
    server: Loopback, provider: AnthropicProvider, text: str
) -> None:
    outcome = await ask_once(server, provider, says(text))
    assert isinstance(outcome, Reply)
    assert outcome.text == text


async def test_thinking_is_no_part_of_the_text(server: Loopback, provider: AnthropicProvider) -> None:
    content = [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "{}"}]
    outcome = await ask_once(server, provider, changed(content=content))
    assert isinstance(outcome, Reply)
    assert outcome.text == "{}"


async def test_the_model_that_answered_is_named(server: Loopback, provider: AnthropicProvider) -> None:
    outcome = await ask_once(server, provider, changed(model="claude-other"))
    assert isinstance(outcome, Reply)
    assert outcome.model == "claude-other"


@pytest.mark.parametrize(
    ("behaviour", "usage"),
    [
        (changed(usage=ABSENT), None),
        (changed(usage={"input_tokens": "12", "output_tokens": -1}), Usage()),
        (changed(usage={"input_tokens": True, "output_tokens": 3}), Usage(output_tokens=3)),
    ],
)
async def test_tokens_that_were_not_counted_are_not_zero(
    server: Loopback, provider: AnthropicProvider, behaviour: Behaviour, usage: Usage | None
) -> None:
    outcome = await ask_once(server, provider, behaviour)
    assert isinstance(outcome, Reply)
    assert outcome.usage == usage


async def test_a_redirect_is_not_followed(server: Loopback, provider: AnthropicProvider) -> None:
    async with Loopback() as elsewhere:
        away = {"location": f"{elsewhere.url}/v1/messages"}
        outcome = await ask_once(server, provider, Behaviour(status=307, body="", headers=away))
        assert elsewhere.log == []
    assert isinstance(outcome, Failure)
    assert "redirect" in outcome.reason


async def test_a_refused_connection_may_be_tried_again(server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Loopback() as gone:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", gone.url)
    provider = open_ready()
    outcome = await provider.ask(ask_about(), Limits())
    assert isinstance(outcome, Failure)
    assert outcome.kind in RETRYABLE
    await provider.close()


async def test_half_a_character_is_refused_before_it_is_sent(server: Loopback, provider: AnthropicProvider) -> None:
    outcome = await provider.ask(ask_about(system="\ud800"), Limits())
    assert isinstance(outcome, Failure)
    assert (outcome.kind, server.log) == ("bad_request", [])


async def test_calls_go_side_by_side(server: Loopback, provider: AnthropicProvider) -> None:
    server.script(*[stalled()] * 8)
    asking = [asyncio.create_task(provider.ask(ask_about(str(number)), Limits())) for number in range(8)]
    await server.arrived(8)
    server.release()
    assert all(isinstance(outcome, Reply) for outcome in await asyncio.gather(*asking))


class TestCredentials:
    """Which one is used, and that none is seen."""

    async def test_without_one_nothing_is_opened(self, server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        outcome = open_anthropic(HAIKU)
        assert isinstance(outcome, Failure)
        assert outcome.kind == "not_configured"
        assert outcome.kind in FATAL
        assert "ANTHROPIC_API_KEY" in outcome.reason

    async def test_a_token_is_taken_where_there_is_no_key(
        self, server: Loopback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", KEY)
        provider = open_ready()
        assert isinstance(await provider.ask(ask_about(), Limits()), Reply)
        assert provider.notices == []
        await provider.close()

    async def test_the_key_wins_over_the_token_and_that_is_said(
        self, server: Loopback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "another-secret-token")
        provider = open_ready()
        assert isinstance(await provider.ask(ask_about(), Limits()), Reply)
        assert any("ANTHROPIC_API_KEY is used" in notice for notice in provider.notices)
        await provider.close()

    async def test_a_profile_of_the_vendors_tool_brings_its_own_base_url(
        self, server: Loopback, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        _write_profile(tmp_path, f"{server.url}/v1")
        for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
            monkeypatch.delenv(name)
        provider = open_ready()
        assert isinstance(await provider.ask(ask_about(), Limits()), Reply)
        assert provider.host == server.url.removeprefix("http://")
        await provider.close()

    async def test_a_profile_that_is_not_there_is_said(self, server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        monkeypatch.setenv("ANTHROPIC_PROFILE", "work")
        outcome = open_anthropic(HAIKU)
        assert isinstance(outcome, Failure)
        assert outcome.kind == "not_configured"
        assert "work" in outcome.reason

    async def test_a_key_goes_over_http_only_to_this_machine(
        self, server: Loopback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://gateway.example.com")
        refused = open_anthropic(HAIKU)
        assert isinstance(refused, Failure)
        assert refused.kind == "not_configured"
        assert "ANTHROPIC_BASE_URL: the key would travel unencrypted" in refused.reason
        allowed = open_ready(insecure=True)
        assert allowed.host == "gateway.example.com:80"
        await allowed.close()

    async def test_no_proxy_sees_what_stays_on_this_machine(
        self, server: Loopback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with Loopback() as proxy:
            for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
                monkeypatch.setenv(name, proxy.url)
            provider = open_ready()
            assert isinstance(await provider.ask(ask_about(), Limits()), Reply)
            assert proxy.log == []
            await provider.close()

    @pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 429, 500])
    async def test_a_service_that_repeats_the_key_does_not_show_it(
        self, server: Loopback, provider: AnthropicProvider, status: int
    ) -> None:
        echo = f"you sent Bearer {KEY} to {server.url}"
        outcome = await ask_once(server, provider, error(status, KEY, code=KEY, message=echo))
        assert KEY not in repr(outcome)
        assert server.url not in repr(outcome)

    async def test_a_reply_that_repeats_the_key_does_not_keep_it(
        self, server: Loopback, provider: AnthropicProvider
    ) -> None:
        outcome = await ask_once(server, provider, says(f"your key is {KEY}"))
        assert isinstance(outcome, Reply)
        assert outcome.text == "your key is [hidden]"

    async def test_a_secret_among_the_users_own_headers_is_hidden_too(
        self, server: Loopback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-gateway: open-sesame-77\nx-team: red")
        provider = open_ready()
        outcome = await ask_once(server, provider, error(400, message="bad x-gateway open-sesame-77"))
        assert server.requests()[0].headers["x-gateway"] == "open-sesame-77"
        assert "open-sesame-77" not in repr(outcome)
        await provider.close()

    async def test_nothing_of_a_provider_prints_the_key(self, provider: AnthropicProvider) -> None:
        assert KEY not in repr(provider.connection) + repr(vars(provider)) + repr(await provider.probe())


def _write_profile(home: Path, base_url: str) -> None:
    folder = home / ".config" / "anthropic"
    parts: dict[str, dict[str, object]] = {
        "configs": {"authentication": {"type": "user_oauth"}, "base_url": base_url},
        "credentials": {"access_token": KEY, "type": "oauth_token"},
    }
    for part, fields in parts.items():
        (folder / part).mkdir(parents=True)
        file = folder / part / "default.json"
        file.write_text(json.dumps({"version": "1.0", **fields}))
        os.chmod(file, 0o600)


class TestProbe:
    """Who would answer, for nothing."""

    async def test_it_tells_the_judge_without_asking_a_model(
        self, server: Loopback, provider: AnthropicProvider
    ) -> None:
        identity = await provider.probe()
        assert isinstance(identity, Identity)
        assert (identity.provider, identity.model, identity.host_class) == ("anthropic", HAIKU, "loopback")
        assert (identity.rung, identity.effort, len(identity.endpoint)) == ("json_schema", "low", 16)
        assert identity.version.endswith("API 2026-10-21")
        assert server.asked() == 0
        assert (provider.name, provider.family) == (f"anthropic {HAIKU}", "claude")

    async def test_a_base_url_with_a_version_is_cut_and_that_is_said(
        self, server: Loopback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        plain = open_ready()
        monkeypatch.setenv("ANTHROPIC_BASE_URL", f"{server.url}/v1/")
        cut = open_ready()
        assert isinstance(await cut.ask(ask_about(), Limits()), Reply)
        assert [notice for notice in cut.notices if "/v1" in notice]
        assert await cut.probe() == await plain.probe()
        await plain.close()
        await cut.close()

    async def test_an_explicit_base_url_wins_over_the_environment(self, server: Loopback) -> None:
        async with Loopback() as other:
            provider = open_ready(base_url=other.url)
            assert isinstance(await provider.ask(ask_about(), Limits()), Reply)
            await provider.close()
        assert server.log == []

    async def test_a_model_that_is_not_there_is_refused_with_those_that_are(self, server: Loopback) -> None:
        provider = open_ready("claude-haiku-9")
        outcome = await provider.probe()
        assert isinstance(outcome, Failure)
        assert outcome.kind == "not_found"
        assert HAIKU in outcome.reason
        await provider.close()

    async def test_a_gateway_that_lists_no_models_is_taken_at_its_word(
        self, server: Loopback, provider: AnthropicProvider
    ) -> None:
        for route in ("GET /v1/models", "GET /v1/models/{model}"):
            server.always(error(404, "not_found_error"), at=route)
        assert isinstance(await provider.probe(), Identity)
        assert [notice for notice in provider.notices if "lists no models" in notice]

    async def test_an_alias_is_asked_for_by_the_name_that_will_answer(
        self, server: Loopback, provider: AnthropicProvider
    ) -> None:
        dated = f"{HAIKU}-20261001"
        server.script(changed(id=dated), at="GET /v1/models/{model}")
        identity = await provider.probe()
        assert isinstance(identity, Identity)
        assert (identity.model, provider.name) == (dated, f"anthropic {dated}")
        assert provider.notices == [f"{HAIKU} stands for {dated}"]

    async def test_a_deprecated_model_is_said_to_be_one(
        self, server: Loopback, recwarn: pytest.WarningsRecorder
    ) -> None:
        provider = open_ready("claude-opus-4-5")
        assert isinstance(await provider.probe(), Identity)
        assert provider.notices == ["claude-opus-4-5 is deprecated: its end is January 22nd, 2027"]
        assert isinstance(await provider.ask(ask_about(model="claude-opus-4-5"), Limits()), Reply)
        assert [warning for warning in recwarn if "deprecated" in str(warning.message)] == []
        await provider.close()

    async def test_the_services_own_word_on_a_models_end_is_passed_on(
        self, server: Loopback, provider: AnthropicProvider
    ) -> None:
        server.script(changed(lifecycle="deprecated", retires_at="2027-03-01T00:00:00Z"), at="GET /v1/models/{model}")
        await provider.probe()
        assert provider.notices == [f"{HAIKU} is deprecated: its end is 01 March 2027"]

    async def test_what_a_model_cannot_do_is_not_asked_of_it(
        self, server: Loopback, provider: AnthropicProvider
    ) -> None:
        server.script(changed(capabilities={"effort": {"supported": False}}), at="GET /v1/models/{model}")
        identity = await provider.probe()
        assert isinstance(identity, Identity)
        assert identity.effort == ""
        server.script(changed(capabilities={"structured_outputs": {"supported": False}}), at="GET /v1/models/{model}")
        outcome = await provider.probe()
        assert isinstance(outcome, Failure)
        assert "no JSON schema" in outcome.reason

    @pytest.mark.parametrize(
        ("behaviour", "kind"),
        [(error(401, "authentication_error"), "auth"), (page(), "malformed"), (overloaded(), "overloaded")],
    )
    async def test_a_fault_of_the_service_is_its_failure(
        self, server: Loopback, provider: AnthropicProvider, behaviour: Behaviour, kind: str
    ) -> None:
        server.script(behaviour, at="GET /v1/models/{model}")
        outcome = await provider.probe()
        assert isinstance(outcome, Failure)
        assert outcome.kind == kind


async def test_tokens_are_counted_by_the_service_as_they_will_be_billed(
    server: Loopback, provider: AnthropicProvider
) -> None:
    counted = await provider.count_tokens(ask_about())
    outcome = await provider.ask(ask_about(), Limits())
    assert isinstance(outcome, Reply)
    assert outcome.usage is not None
    assert counted == outcome.usage.input_tokens


async def test_a_service_that_does_not_count_gives_none(server: Loopback, provider: AnthropicProvider) -> None:
    server.script(error(404), page(), changed(input_tokens="many"), at="POST /v1/messages/count_tokens")
    assert [await provider.count_tokens(ask_about()) for _ in range(3)] == [None, None, None]


async def test_the_models_can_be_listed(provider: AnthropicProvider) -> None:
    listed = await provider.models()
    assert isinstance(listed, list)
    assert HAIKU in listed


async def test_no_log_of_any_library_shows_the_key(
    server: Loopback, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "another-secret-token")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-gateway: open-sesame-77")
    with caplog.at_level(logging.DEBUG):
        provider = open_ready()
        server.script(error(400, message=f"Bearer {KEY}"), hung_up())
        for _ in range(3):
            await provider.ask(ask_about(), Limits())
        await provider.close()
    assert len(caplog.records) > 3
    for secret in (KEY, "another-secret-token", "open-sesame-77"):
        assert secret not in caplog.text

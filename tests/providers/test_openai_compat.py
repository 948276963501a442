"""Services that speak chat completions as a provider, on the real loopback server."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import Any

import pytest

from agent_tui.places import state_folder
from agent_tui.providers.contract import FATAL, RETRYABLE, UNCERTAIN, Failure, Identity, Limits, Reply
from agent_tui.providers.openai_compat import OpenAICompat, open_openai
from tests.providers.behaviour import Behaviour, changed, empty, half_closed, hung_up, page, stalled
from tests.providers.loopback import Loopback
from tests.providers.loopback_chat import CHAT, ChatService, chat_fault, rung_of
from tests.providers.make_request import make_request

MODEL = "qwen3-32b"
KEY = "sk-canary-0123456789"


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def opened(server: Loopback, monkeypatch: pytest.MonkeyPatch, model: str = MODEL, key: str = KEY) -> OpenAICompat:
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", key)
    provider = open_openai(model)
    assert isinstance(provider, OpenAICompat)
    return provider


def serving(**habits: Any) -> Loopback:
    return Loopback(routes={CHAT: ChatService(**habits)}, key=KEY)


async def asked_of(provider: OpenAICompat, **fields: Any) -> Reply:
    reply = await provider.ask(make_request(model=provider.model, **fields), Limits())
    assert isinstance(reply, Reply), reply
    return reply


async def test_a_probe_says_who_would_answer_and_how(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as server:
        provider = opened(server, monkeypatch)
        identity = await provider.probe()
        await provider.close()
    assert isinstance(identity, Identity)
    assert (identity.provider, identity.model, identity.rung) == ("openai", MODEL, "json_schema")
    assert (identity.host_class, provider.host) == ("loopback", f"127.0.0.1:{server.port}")
    assert identity.endpoint == hashlib.sha256(f"{server.url}/v1".encode()).hexdigest()[:16]
    assert (provider.name, provider.family, provider.concurrency) == (f"openai {MODEL}", "qwen", 1)


@pytest.mark.parametrize(
    ("habits", "rung"),
    [
        ({}, "json_schema"),
        ({"takes": {"json_object", "tools", "text"}}, "json_object"),
        ({"takes": {"tools", "text"}}, "tools"),
        ({"takes": {"text"}}, "text"),
        ({"obeys": {"json_object", "tools", "text"}}, "json_object"),
        ({"obeys": {"tools", "text"}}, "tools"),
        ({"obeys": {"text"}}, "text"),
        ({"takes": {"json_schema", "text"}, "obeys": {"text"}}, "text"),
        ({"thinks": True}, "json_schema"),
        ({"reasons": True, "counts": False}, "json_schema"),
        ({"fences": True, "takes": {"text"}}, "text"),
    ],
)
async def test_the_ladder_steps_down_to_what_a_service_takes_and_obeys(
    monkeypatch: pytest.MonkeyPatch, habits: dict[str, Any], rung: str
) -> None:
    async with serving(**habits) as server:
        provider = opened(server, monkeypatch)
        identity = await provider.probe()
        reply = await asked_of(provider)
        await provider.close()
    assert isinstance(identity, Identity)
    assert identity.rung == rung == rung_of(server.log[-1].json())
    said = json.loads(reply.text.removeprefix("```json").removesuffix("```"))
    assert (said["item"], said["verdict"], reply.stop_reason, reply.model) == ("n1", "pass", "end", MODEL)


@pytest.mark.parametrize("rung", ["json_object", "text"])
async def test_a_service_without_schemas_is_told_the_form_in_words(monkeypatch: pytest.MonkeyPatch, rung: str) -> None:
    async with serving(takes={rung}) as server:
        provider = opened(server, monkeypatch)
        await provider.probe()
        await asked_of(provider, system="You judge.")
        await provider.close()
    system = server.log[-1].json()["messages"][0]["content"]
    assert system.startswith("You judge.\n\nThe reply is one JSON object")
    assert make_request().schema.decode() in system


async def test_a_service_that_obeys_nothing_cannot_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(obeys=()) as server:
        provider = opened(server, monkeypatch)
        failure = await provider.probe()
        await provider.close()
    assert failure == Failure(
        kind="malformed", reason="the model gives no reply in the form asked for, not even asked in words"
    )


async def test_a_gateway_that_says_404_to_tools_is_asked_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    no_tools = chat_fault(404, message="No endpoints found that support tool use")
    async with serving(takes={"text"}) as server:
        refusals = [chat_fault(400)] * 4  # a schema and an object, each with either bound
        server.script(*refusals, no_tools, at=CHAT)
        provider = opened(server, monkeypatch)
        identity = await provider.probe()
        await provider.close()
    assert isinstance(identity, Identity)
    assert identity.rung == "text"


async def test_a_model_that_is_not_there_ends_the_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as server:
        server.script(chat_fault(404, "model_not_found"), at=CHAT)
        provider = opened(server, monkeypatch)
        failure = await provider.probe()
        await provider.close()
    assert isinstance(failure, Failure)
    assert (failure.kind, server.asked(CHAT)) == ("not_found", 1)


async def test_nothing_of_an_item_is_sent_by_a_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as server:
        provider = opened(server, monkeypatch)
        await provider.probe()
        await provider.close()
    (request,) = server.log
    assert "Name the capital of France." in request.json()["messages"][1]["content"]


async def test_what_was_found_is_remembered_by_service_and_model(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(takes={"tools", "text"}, bounds=["max_completion_tokens"]) as server:
        for model in (MODEL, MODEL, "phi-4"):
            provider = opened(server, monkeypatch, model)
            first = await provider.probe()
            assert await provider.probe() == first
            await provider.close()
            assert isinstance(first, Identity)
            assert first.rung == "tools"
    asked = [request.json()["model"] for request in server.log]
    assert asked == [MODEL] * (len(asked) // 2) + ["phi-4"] * (len(asked) // 2)
    kept = (state_folder() / "rungs.json").read_text()
    assert "127.0.0.1" not in kept
    assert KEY not in kept


async def test_a_service_that_changed_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as server:
        provider = opened(server, monkeypatch)
        await provider.probe()
        server.script(chat_fault(400, "invalid_value"), at=CHAT)
        await provider.ask(make_request(model=MODEL), Limits())
        await provider.close()
        again = opened(server, monkeypatch)
        await again.probe()
        await again.close()
    assert server.asked(CHAT) == 3


async def test_a_damaged_memory_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    state_folder().mkdir(parents=True)
    (state_folder() / "rungs.json").write_text('{"x": ')
    async with serving() as server:
        provider = opened(server, monkeypatch)
        assert isinstance(await provider.probe(), Identity)
        await provider.close()


@pytest.mark.parametrize("bound", ["max_tokens", "max_completion_tokens"])
async def test_a_reply_is_bounded_by_the_field_that_the_service_takes(
    monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    async with serving(bounds=[bound]) as server:
        provider = opened(server, monkeypatch)
        await provider.probe()
        await asked_of(provider, max_tokens=1234)
        await provider.close()
    assert server.log[-1].json()[bound] == 1234


async def test_no_sampling_parameter_is_ever_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as server:
        provider = opened(server, monkeypatch)
        await provider.probe()
        await asked_of(provider)
        await provider.close()
    for request in server.log:
        assert request.json().keys() == {"model", "messages", "max_tokens", "response_format"}


async def test_the_schema_travels_with_its_order(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as server:
        provider = opened(server, monkeypatch)
        await asked_of(provider)
        await provider.close()
    assert make_request().schema in server.log[0].body


async def test_an_alias_is_asked_by_the_name_that_it_answers_under(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(aliases=(("gpt-5-mini", "gpt-5-mini-2025-08-07"),)) as server:
        provider = opened(server, monkeypatch, "gpt-5-mini")
        identity = await provider.probe()
        reply = await asked_of(provider)
        await provider.close()
    assert isinstance(identity, Identity)
    assert identity.model == reply.model == "gpt-5-mini-2025-08-07"
    assert provider.notices == ["gpt-5-mini stands for gpt-5-mini-2025-08-07"]


async def test_a_name_that_cannot_be_asked_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(aliases=(("mine", "a"), ("a", "b"))) as server:
        provider = opened(server, monkeypatch, "mine")
        identity = await provider.probe()
        reply = await asked_of(provider)
        await provider.close()
    assert isinstance(identity, Identity)
    assert (identity.model, reply.model) == ("mine", "a")


async def test_one_block_of_thinking_is_taken_off_and_reasoning_beside_is_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serving(thinks=True, reasons=True) as server:
        provider = opened(server, monkeypatch)
        reply = await asked_of(provider)
        await provider.close()
    assert reply.text.startswith('{"item"')
    assert "Let me see" not in reply.text


@pytest.mark.parametrize(
    "text",
    ["<think>a</think><think>b</think>{}", "<think>never ends {}", "first <think>a</think>{}"],
)
async def test_any_other_thinking_stays_in_the_text(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    async with serving() as server:
        provider = opened(server, monkeypatch)
        server.script(changed(choices__0__message__content=text), at=CHAT)
        assert (await asked_of(provider)).text == text
        await provider.close()


async def test_tokens_are_counted_and_what_is_not_told_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(cached=10) as server:
        provider = opened(server, monkeypatch)
        told = await asked_of(provider)
        server.script(changed(usage=None), changed(usage="many"), at=CHAT)
        untold = [await asked_of(provider), await asked_of(provider)]
        await provider.close()
    assert told.usage is not None
    assert told.usage.output_tokens is not None
    assert (told.usage.cache_read_tokens, told.usage.output_tokens > 0) == (10, True)
    assert [reply.usage for reply in untold] == [None, None]


@pytest.mark.parametrize(
    ("behaviour", "stop_reason"),
    [
        (changed(choices__0__finish_reason="length"), "length"),
        (changed(choices__0__finish_reason="content_filter"), "content_filter"),
        (changed(choices__0__finish_reason=None), "unknown"),
        (changed(choices__0__message__refusal="I will not."), "refusal"),
    ],
)
async def test_a_reply_that_is_not_whole_says_why(
    monkeypatch: pytest.MonkeyPatch, behaviour: Behaviour, stop_reason: str
) -> None:
    async with serving() as server:
        provider = opened(server, monkeypatch)
        server.script(behaviour, at=CHAT)
        reply = await asked_of(provider)
        await provider.close()
    assert (reply.stop_reason, reply.usage is None) == (stop_reason, False)


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (chat_fault(429, "rate_limit_exceeded"), "rate_limited"),
        (chat_fault(429, "insufficient_quota", "insufficient_quota"), "quota"),
        (chat_fault(429, None, "insufficient_quota"), "quota"),
        (chat_fault(401, "invalid_api_key"), "auth"),
        (chat_fault(402), "payment"),
        (chat_fault(403), "forbidden"),
        (chat_fault(400, "invalid_value"), "bad_request"),
        (chat_fault(400, "context_length_exceeded"), "too_large"),
        (chat_fault(404, "model_not_found"), "not_found"),
        (chat_fault(413), "too_large"),
        (chat_fault(503), "overloaded"),
        (Behaviour(status=307, body="", headers={"location": "http://127.0.0.1:9/v1"}), "bad_request"),
        (Behaviour(status=500, body="oh"), "overloaded"),
        (Behaviour(status=429, body={"error": "slow down"}), "rate_limited"),
        (Behaviour(status=429, body={"object": "error", "message": "slow down", "code": 429}), "rate_limited"),
        (Behaviour(status=200, body={"error": {"code": 429, "message": "slow down"}}), "rate_limited"),
        (Behaviour(status=200, body={"error": {"code": "insufficient_quota"}}), "quota"),
        (page(), "unknown"),
        (empty(), "unknown"),
        (Behaviour(status=200, body={"choices": "none"}), "unknown"),
        (Behaviour(status=200, body="[" * 100_000), "unknown"),
        (Behaviour(status=200, body={"choices": []}), "malformed"),
        (Behaviour(status=200, body=" " * (17 << 20)), "malformed"),
        (hung_up(), "unknown"),
        (half_closed(), "unknown"),
    ],
)
async def test_every_other_response_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, behaviour: Behaviour, kind: str
) -> None:
    async with serving() as server:
        provider = opened(server, monkeypatch)
        server.script(behaviour, at=CHAT)
        failure = await provider.ask(make_request(model=MODEL), Limits())
        await provider.close()
    assert isinstance(failure, Failure)
    assert failure.kind == kind
    assert KEY not in failure.reason
    assert server.asked(CHAT) == 1


def test_the_kinds_of_failure_say_what_may_be_asked_again() -> None:
    assert {"quota", "auth", "payment", "forbidden"} <= FATAL
    assert {"rate_limited", "overloaded", "connection"} <= RETRYABLE
    assert {"unknown"} <= UNCERTAIN


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "7"}, 7),
        ({"retry_after_ms": "250", "retry_after": "7"}, 0.25),
        ({"x_ratelimit_reset_requests": "6m0.5s"}, 360.5),
        ({"x_ratelimit_reset_requests": "20ms", "x_ratelimit_reset_tokens": "1h2m"}, 3720),
        (
            {
                "x_ratelimit_reset_requests": "1d",
                "x_ratelimit_remaining_requests": "9",
                "x_ratelimit_reset_tokens": "3s",
                "x_ratelimit_remaining_tokens": "0",
            },
            3,
        ),
        ({"x_ratelimit_reset_requests": "4.5"}, 4.5),
        ({"x_ratelimit_reset_requests": "soon"}, None),
        ({}, None),
    ],
)
async def test_a_service_says_how_long_to_wait(
    monkeypatch: pytest.MonkeyPatch, headers: dict[str, str], seconds: float | None
) -> None:
    async with serving() as server:
        provider = opened(server, monkeypatch)
        server.script(chat_fault(429, "rate_limit_exceeded", **headers), at=CHAT)
        failure = await provider.ask(make_request(model=MODEL), Limits())
        await provider.close()
    assert isinstance(failure, Failure)
    assert failure.retry_after == seconds


async def test_a_stalled_reply_ends_at_the_limit_and_may_have_been_billed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as server:
        provider = opened(server, monkeypatch)
        server.script(stalled(), at=CHAT)
        failure = await provider.ask(make_request(model=MODEL), Limits(timeout=0.1))
        await provider.close()
    assert isinstance(failure, Failure)
    assert failure.kind == "unknown"


async def test_a_call_that_is_cancelled_lets_go_of_its_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as server:
        provider = opened(server, monkeypatch)
        server.script(stalled(), at=CHAT)
        ask = asyncio.create_task(provider.ask(make_request(model=MODEL), Limits()))
        await server.arrived(1)
        ask.cancel()
        with pytest.raises(asyncio.CancelledError):
            await ask
        assert isinstance(await provider.ask(make_request(model=MODEL), Limits()), Reply)
        await provider.close()
    assert server.log[0].connection != server.log[1].connection


async def test_nobody_at_the_address_is_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as server:
        provider = opened(server, monkeypatch)
    failure = await provider.probe()
    await provider.close()
    assert isinstance(failure, Failure)
    assert failure.kind == "connection"


async def test_a_wrong_key_ends_a_probe_after_one_call_and_is_never_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as server:
        provider = opened(server, monkeypatch, key="sk-wrong-9876543210")
        failure = await provider.probe()
        await provider.close()
    assert isinstance(failure, Failure)
    assert (failure.kind, server.asked(CHAT)) == ("auth", 1)
    assert "sk-wrong-9876543210" not in failure.reason


async def test_half_a_character_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as server:
        provider = opened(server, monkeypatch)
        failure = await provider.ask(make_request("Judge \ud800"), Limits())
        await provider.close()
    assert isinstance(failure, Failure)
    assert (failure.kind, server.asked(CHAT)) == ("bad_request", 0)


async def test_a_key_that_comes_back_is_taken_out(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as server:
        provider = opened(server, monkeypatch)
        server.script(changed(choices__0__message__content=f'{{"reason": "{KEY}"}}'), at=CHAT)
        reply = await asked_of(provider)
        await provider.close()
    assert KEY not in reply.text


async def test_azure_keeps_its_query_and_has_its_own_header(monkeypatch: pytest.MonkeyPatch) -> None:
    route = "POST /openai/deployments/judge/chat/completions"
    async with Loopback(routes={route: ChatService(key_header="api-key")}, key=KEY) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/openai/deployments/judge?api-version=2026-09-01")
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        provider = open_openai("gpt-5-mini")
        assert isinstance(provider, OpenAICompat)
        identity = await provider.probe()
        await provider.close()
    assert isinstance(identity, Identity)
    assert "2026-09-01" in identity.version
    assert server.log[0].query == {"api-version": "2026-09-01"}
    assert "authorization" not in server.log[0].headers


async def test_a_local_service_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Loopback(routes={CHAT: ChatService()}) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1/")
        provider = open_openai(MODEL)
        assert isinstance(provider, OpenAICompat)
        assert isinstance(await provider.probe(), Identity)
        await provider.close()
    assert {"authorization", "api-key"}.isdisjoint(server.log[0].headers)


async def test_no_proxy_sees_what_goes_to_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with serving() as server:
        provider = opened(server, monkeypatch)
        assert isinstance(await provider.probe(), Identity)
        await provider.close()

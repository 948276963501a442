"""The fake server is as strict as the real one, and does what its script says."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.providers.behaviour import changed, half_closed, page, rate_limited, stalled
from tests.providers.loopback import Loopback
from tests.providers.verdicts import by_answer

SCHEMA = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["fail", "pass", "undetermined"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}
HEADERS = {"x-api-key": "k", "anthropic-version": "2026-10-21"}


def body(**fields: Any) -> dict[str, Any]:
    ask = 'Judge this. {"item": "n1", "task": "capital of France", "answer": "Paris"}'
    ordinary = {"model": "claude-haiku-5-5", "max_tokens": 50, "messages": [{"role": "user", "content": ask}]}
    config = {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}, "effort": "low"}}
    return ordinary | config | fields


async def post(server: Loopback, path: str, value: Any, headers: dict[str, str] = HEADERS) -> httpx2.Response:
    async with httpx2.AsyncClient(base_url=server.url, trust_env=False) as client:
        return await client.post(path, json=value, headers=headers)


async def test_a_verdict_comes_from_the_table_by_the_answer() -> None:
    async with Loopback(by_answer({"Paris": "fail"})) as server:
        reply = (await post(server, "/v1/messages", body())).json()
    said = json.loads(reply["content"][0]["text"])
    assert (said["item"], said["verdict"], said["evidence"][0]["quote"]) == ("n1", "fail", "Paris")


@pytest.mark.parametrize(
    "fields",
    [
        {"temperature": 0},
        {"top_p": 1},
        {"top_k": 1},
        {"surprise": 1},
        {"model": "claude-opus-5-5", "tool_choice": {"type": "tool", "name": "t"}},
        {"model": "claude-fable-5-1", "tool_choice": {"type": "any"}},
        {"messages": []},
        {"messages": [{"role": "assistant", "content": "{"}]},
        {"system": [{"type": "text", "text": "s", "colour": "red"}]},
        {"output_config": {"effort": "none"}},
        {"output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}}},
    ],
)
async def test_it_refuses_what_the_interface_refuses(fields: dict[str, Any]) -> None:
    async with Loopback() as server:
        assert (await post(server, "/v1/messages", body(**fields))).status_code == 400


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"authorization": "Bearer k", "anthropic-version": "2026-10-21"}, 200),
        ({"anthropic-version": "2026-10-21"}, 401),
        ({"x-api-key": "k"}, 400),
        ({"x-api-key": "other", "anthropic-version": "2026-10-21"}, 401),
    ],
)
async def test_it_asks_for_a_credential_and_a_version(headers: dict[str, str], status: int) -> None:
    async with Loopback(key="k") as server:
        assert (await post(server, "/v1/messages", body(), headers)).status_code == status


@pytest.mark.parametrize(
    "requests",
    [
        [{"custom_id": "a", "params": body()}, {"custom_id": "a", "params": body()}],
        [{"custom_id": "a", "params": body(extra_body={})}],
        [{"custom_id": "a b", "params": body()}],
        [{"custom_id": "a", "params": body(), "note": 1}],
        [],
    ],
)
async def test_it_refuses_a_batch_that_is_not_in_order(requests: list[dict[str, Any]]) -> None:
    async with Loopback() as server:
        assert (await post(server, "/v1/messages/batches", {"requests": requests})).status_code == 400


async def test_a_script_is_used_up_request_by_request() -> None:
    async with Loopback() as server:
        server.script(rate_limited("7"), page(), changed(model="other", content__0__text="hi"))
        replies = [await post(server, "/v1/messages", body()) for _ in range(4)]
    assert [reply.status_code for reply in replies] == [429, 200, 200, 200]
    assert replies[0].headers["retry-after"] == "7"
    assert replies[1].text.startswith("<html>")
    assert (replies[2].json()["model"], replies[2].json()["content"][0]["text"]) == ("other", "hi")


async def test_a_stalled_reply_waits_until_it_is_released() -> None:
    async with Loopback() as server:
        server.script(stalled())
        reply = asyncio.create_task(post(server, "/v1/messages", body()))
        await server.arrived(1)
        assert not reply.done()
        server.release()
        assert (await reply).status_code == 200


async def test_a_connection_can_break_in_the_midst_of_a_response() -> None:
    async with Loopback() as server:
        server.script(half_closed())
        with pytest.raises(httpx2.RemoteProtocolError):
            await post(server, "/v1/messages", body())


async def test_connections_are_kept_alive() -> None:
    async with Loopback() as server, httpx2.AsyncClient(base_url=server.url, trust_env=False) as client:
        for _ in range(3):
            await client.post("/v1/messages", json=body(), headers=HEADERS)
        assert {request.connection for request in server.log} == {1}


async def test_chat_completions_answer_in_their_own_form() -> None:
    ask = {"model": "m", "messages": body()["messages"], "response_format": {"type": "json_object"}}
    async with Loopback() as server:
        reply = (await post(server, "/v1/chat/completions", ask, {"authorization": "Bearer k"})).json()
    assert json.loads(reply["choices"][0]["message"]["content"])["verdict"] == "pass"


async def test_it_runs_as_a_process_of_its_own(tmp_path: Path) -> None:
    port_file = tmp_path / "port"
    command = [sys.executable, "-m", "tests.providers.loopback", "--port-file", str(port_file)]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    try:
        assert process.stdout is not None
        port = int(await process.stdout.readline())
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
            await client.post(
                "/_script", json={"behaviours": [{"status": 503, "body": {}}], "verdicts": {"Paris": "fail"}}
            )
            statuses = [(await client.post("/v1/messages", json=body(), headers=HEADERS)).status_code for _ in range(2)]
            log = (await client.get("/_log", params={"wait": 2})).json()
        assert (statuses, len(log), int(port_file.read_text())) == ([503, 200], 2, port)
    finally:
        process.kill()
        await process.wait()

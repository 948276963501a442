"""The first call of the SDK, in a thread and to nowhere: it builds its models then, 0.2 s that no screen can wait."""

from __future__ import annotations

import asyncio
import gc
from functools import cache

import anthropic
import httpx2

from agent_tui.providers.anthropic_messages import message_params
from agent_tui.providers.contract import Request

_REQUEST = Request(key="", item="", digest="", system="warm", user="warm", schema=b'{"type":"object"}', model="none")
_MESSAGE = {
    "id": "msg_warm",
    "type": "message",
    "role": "assistant",
    "model": "none",
    "content": [{"type": "text", "text": "{}"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}


@cache
def warm() -> None:
    """Have the SDK build what it needs, once a process. Nothing leaves it: the transport answers by itself.

    What it built stays to the end, so the collector need not look at it: each look took 0.2 s of a screen's time.
    """
    asyncio.run(_call())
    gc.freeze()


async def _call() -> None:
    transport = httpx2.MockTransport(lambda _request: httpx2.Response(200, json=_MESSAGE))
    async with httpx2.AsyncClient(transport=transport) as http:
        client = anthropic.AsyncAnthropic(api_key="none", base_url="http://127.0.0.1", max_retries=0, http_client=http)
        await client.messages.create(**message_params(_REQUEST))

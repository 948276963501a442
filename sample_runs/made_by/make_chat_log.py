"""Record `travel-chat.jsonl` with the real OpenAI client against a scripted server on the loopback address.

Made with Python 3.11 and openai 3.57.0; no network is used and no key is needed. In an environment of its own:

    python -m venv v && v/bin/pip install openai==3.57.0
    v/bin/python sample_runs/made_by/make_chat_log.py sample_runs/travel-chat.jsonl

One line a conversation: `{"id", "messages", "tools"}`, the messages as the client sent and received them.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

from openai import OpenAI

MODEL = "scripted-model"
BOOKINGS = {"BK-3301": (210, "9A"), "BK-3302": (150, "21F"), "BK-3303": (88, "2D")}
"""Fare in EUR and seat."""

Turn = str | list[tuple[str, str]]
"""What the model does in one turn: it answers, or it calls tools, each with its arguments as JSON text."""

CONVERSATIONS: dict[str, tuple[str, list[Turn]]] = {
    "swap-seats": (
        "Please put BK-3301 and BK-3302 next to each other.",
        [
            [
                ("lookup_booking", '{"booking_id": "BK-3301"}'),
                ("lookup_booking", '{"booking_id": "BK-3302"}'),
            ],
            [("release_seat", '{"booking_id": "BK-3302", "seat": "21F"}')],
            [("book_seat", '{"booking_id": "BK-3302", "seat": "9B"}')],
            "BK-3302 has moved to 9B, next to 9A.",
        ],
    ),
    "too-much": (
        "I want 300 EUR back for BK-3301.",
        [
            [("refund", '{"booking_id": "BK-3301", "amount": 300}')],
            [("lookup_booking", '{"booking_id": "BK-3301"}')],
            [("refund", '{"booking_id": "BK-3301", "amount": 210.0}')],
            "The fare was 210 EUR, so that is what I paid back.",
        ],
    ),
    "cut-off": (
        "Give back the seat of BK-3303.",
        [
            [("lookup_booking", '{"booking_id": "BK-3303"}')],
            [("release_seat", '{"booking_id": "BK-3303", "seat": ')],
            [("release_seat", '{"seat": "2D", "booking_id": "BK-3303"}')],
            "Seat 2D of BK-3303 is free again.",
        ],
    ),
    "small-talk": ("Which airline has the nicest livery?", ["I only handle bookings, seats and refunds."]),
}


def described(name: str, words: str, **parameters: str) -> dict[str, Any]:
    """A tool as the chat API takes it."""
    properties = {parameter: {"type": kind} for parameter, kind in parameters.items()}
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "description": words, "parameters": schema}}


TOOLS = [
    described("lookup_booking", "Show a booking.", booking_id="string"),
    described("release_seat", "Give a seat back.", booking_id="string", seat="string"),
    described("book_seat", "Take a seat.", booking_id="string", seat="string"),
    described("refund", "Pay money back, up to the fare.", booking_id="string", amount="number"),
]


def run_tool(name: str, arguments: str) -> str:
    """What the travel desk answers to a call."""
    try:
        given = json.loads(arguments)
    except ValueError as error:
        return f"error: the arguments are not JSON ({error})"
    booking = given["booking_id"]
    fare, seat = BOOKINGS[booking]
    if name == "lookup_booking":
        return json.dumps({"booking_id": booking, "fare": fare, "currency": "EUR", "seat": seat})
    if name == "refund" and given["amount"] > fare:
        return f"error: {booking} cost only {fare} EUR"
    return f"ok: {name} {booking} {given.get('seat') or given['amount']}"


def completion(turn: Turn, number: int) -> dict[str, Any]:
    """One turn as the chat API returns it."""
    message: dict[str, Any] = {"role": "assistant", "content": turn if isinstance(turn, str) else None}
    if not isinstance(turn, str):
        message["tool_calls"] = [
            {
                "id": f"call_{number}_{n}",
                "type": "function",
                "function": {"name": name, "arguments": arguments},
            }
            for n, (name, arguments) in enumerate(turn, 1)
        ]
    choice = {"index": 0, "message": message, "finish_reason": "stop" if isinstance(turn, str) else "tool_calls"}
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 1_770_000_000 + number,
        "model": MODEL,
        "choices": [choice],
        "usage": {"prompt_tokens": 120, "completion_tokens": 18, "total_tokens": 138},
    }


def server(turns: Iterator[dict[str, Any]]) -> HTTPServer:
    """A server on a free loopback port that answers each request with the next turn."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            body = json.dumps(next(turns)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing: the recording is the output."""

    return HTTPServer(("127.0.0.1", 0), Handler)


def converse(client: OpenAI, asked: str) -> list[dict[str, Any]]:
    """The whole conversation: the tool loop until the model answers in words."""
    messages: list[Any] = [
        {"role": "system", "content": "You work at a travel desk. Use the tools."},
        {"role": "user", "content": asked},
    ]
    while True:
        reply = client.chat.completions.create(model=MODEL, messages=messages, tools=TOOLS).choices[0].message
        messages.append(reply.to_dict(exclude_none=True))
        if not reply.tool_calls:
            return messages
        for call in reply.tool_calls:
            result = run_tool(call.function.name, call.function.arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


def main(target: Path) -> None:
    turns = [turn for _, script in CONVERSATIONS.values() for turn in script]
    desk = server(completion(turn, number) for number, turn in enumerate(turns, 1))
    threading.Thread(target=desk.serve_forever, daemon=True).start()
    client = OpenAI(base_url=f"http://127.0.0.1:{desk.server_port}/v1", api_key="none")
    with target.open("w", encoding="utf-8") as lines:
        for name, (asked, _) in CONVERSATIONS.items():
            line = {"id": name, "messages": converse(client, asked), "tools": TOOLS}
            lines.write(json.dumps(line, ensure_ascii=False) + "\n")
    desk.shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

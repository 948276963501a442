"""Record `travel-inspect.eval` with the real Inspect and a scripted model.

Made with Python 3.11, inspect-ai 0.3.285 and its mockllm/model; no network is used. In an environment of its own:

    python -m venv v && v/bin/pip install inspect-ai==0.3.285
    v/bin/python sample_runs/made_by/make_inspect_log.py sample_runs/travel-inspect.eval

Ids and times differ at each recording. Only this machine's folders are taken out of the tracebacks.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import sysconfig
import tempfile
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import inspect_ai
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    ContentReasoning,
    ContentText,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.scorer import includes
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver, system_message, use_tools
from inspect_ai.tool import Tool, ToolCall, ToolError, tool

FARES = {"BK-2201": 180.0, "BK-2202": 95.0, "BK-2303": 320.0, "BK-2404": 60.0}
SEATS = {"BK-2201": "7A", "BK-2202": "7B", "BK-2303": "3F", "BK-2404": "21C"}
MESSAGE_LIMIT = 12

Turn = str | list[tuple[str, dict[str, Any]]]


@tool
def lookup_booking() -> Tool:
    async def execute(booking_id: str) -> str:
        """Show a booking: its fare and its seat.

        Args:
            booking_id: The booking.
        """
        if booking_id not in FARES:
            raise ToolError(f"there is no booking {booking_id}")
        return f"{booking_id}: fare {FARES[booking_id]:.2f} EUR, seat {SEATS[booking_id]}"

    return execute


@tool
def release_seat() -> Tool:
    async def execute(booking_id: str, seat: str) -> str:
        """Give a seat of a booking back.

        Args:
            booking_id: The booking.
            seat: The seat.
        """
        return f"seat {seat} of {booking_id} is free again"

    return execute


@tool
def book_seat() -> Tool:
    async def execute(booking_id: str, seat: str) -> str:
        """Take a seat for a booking.

        Args:
            booking_id: The booking.
            seat: The seat.
        """
        return f"{booking_id} now has seat {seat}"

    return execute


@tool
def refund() -> Tool:
    async def execute(booking_id: str, amount: float) -> str:
        """Pay money back, up to the fare of the booking.

        Args:
            booking_id: The booking.
            amount: How much, in EUR.
        """
        if amount > FARES[booking_id]:
            raise ToolError(f"{amount:.2f} EUR is more than the fare of {FARES[booking_id]:.2f} EUR")
        return f"{amount:.2f} EUR paid back for {booking_id}"

    return execute


SAMPLES = [
    Sample(id="sit-together", input="Seat BK-2201 and BK-2202 together in row 14.", target="14C and 14D"),
    Sample(id="refund-fare", input="Refund the whole fare of BK-2303, I paid 400.", target=["320", "320.00"]),
    Sample(id="seat-fee", input="What does it cost to change a seat?", target="15"),
    Sample(id="aisle-seat", input="Move BK-2404 to the aisle, 20D please.", target="20D"),
    Sample(id="lost-booking", input="Find my booking, I think it is BK-2999.", target="BK-2404"),
    Sample(id="desk-closed", input="Refund 10 EUR of BK-2404, the desk is closed.", target="10"),
]

TOGETHER: list[Turn] = [
    [("lookup_booking", {"booking_id": "BK-2201"}), ("lookup_booking", {"booking_id": "BK-2202"})],
    [
        ("release_seat", {"booking_id": "BK-2201", "seat": "7A"}),
        ("release_seat", {"booking_id": "BK-2202", "seat": "7B"}),
    ],
    [
        ("book_seat", {"booking_id": "BK-2201", "seat": "14C"}),
        ("book_seat", {"booking_id": "BK-2202", "seat": "14D"}),
    ],
    "You sit together now, in 14C and 14D.",
]
REFUND: list[Turn] = [
    [("lookup_booking", {"booking_id": "BK-2303"})],
    [("refund", {"booking_id": "BK-2303", "amount": 400})],
    [("refund", {"booking_id": "BK-2303", "amount": 320})],
    "I paid back 320.00 EUR, which is the fare on record.",
]
AISLE: list[Turn] = [
    [("release_seat", {"booking_id": "BK-2404", "seat": "21C"})],
    [("book_seat", {"booking_id": "BK-2404", "seat": "20C"})],
    "You are on the aisle now.",
]
SCRIPTS: dict[str, tuple[list[Turn], list[Turn]]] = {
    "sit-together": (TOGETHER, TOGETHER),
    "refund-fare": (REFUND, [*REFUND[:2], "I could not pay back 400 EUR, please call us."]),
    "seat-fee": (["A change of seat costs 15 EUR."], ["Changing a seat is free."]),
    "aisle-seat": (AISLE, AISLE),
    "lost-booking": ([], []),
    "desk-closed": ([], []),
}
"""What the model does, turn by turn, in epoch 1 and in epoch 2."""
REASONS = {"sit-together": "Two bookings, so two look-ups at once."}
LOST: Turn = [("lookup_booking", {"booking_id": "BK-2999"})]


class ScriptedModel:
    """Answers each sample from its script; the second time a sample starts is its second epoch."""

    def __init__(self) -> None:
        self._started: Counter[str] = Counter()

    def __call__(self, messages: list[Any], *_: object) -> ModelOutput:
        asked = next(message.text for message in messages if message.role == "user")
        sample = next(str(one.id) for one in SAMPLES if one.input == asked)
        turn = sum(message.role == "assistant" for message in messages)
        self._started[sample] += turn == 0
        script = SCRIPTS[sample][self._started[sample] - 1]
        step = script[turn] if turn < len(script) else LOST
        return output(step, f"{sample}-{turn}", REASONS.get(sample) if turn == 0 else None)


def output(step: Turn, call_id: str, reason: str | None) -> ModelOutput:
    """One turn of the model as Inspect takes it."""
    text = step if isinstance(step, str) else ""
    calls = [] if isinstance(step, str) else step
    content = [ContentReasoning(reasoning=reason), ContentText(text="I look both up.")] if reason else text
    message = ChatMessageAssistant(
        content=content,
        model="mockllm/model",
        source="generate",
        tool_calls=[
            ToolCall(id=f"{call_id}-{n}", function=name, arguments=arguments)
            for n, (name, arguments) in enumerate(calls)
        ]
        or None,
    )
    stop = "tool_calls" if calls else "stop"
    return ModelOutput(
        model="mockllm/model",
        choices=[ChatCompletionChoice(message=message, stop_reason=stop)],
        usage=ModelUsage(input_tokens=210, output_tokens=24, total_tokens=234),
    )


@solver
def closed_desk() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if state.sample_id == "desk-closed":
            raise RuntimeError("the booking desk did not answer")
        return state

    return solve


def travel_desk() -> Task:
    return Task(
        name="travel_desk",
        dataset=SAMPLES,
        solver=[
            closed_desk(),
            system_message("You work at a travel desk."),
            use_tools(lookup_booking(), release_seat(), book_seat(), refund()),
            generate(),
        ],
        scorer=includes(),
    )


def without_folders(data: bytes) -> bytes:
    """The text with this machine's folders cut off the paths in it."""
    folders = {sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), str(Path(__file__).resolve().parent)}
    for folder in sorted(folders | {os.path.realpath(folder) for folder in folders}, key=len, reverse=True):
        data = data.replace(f"{folder}/".encode(), b"")
    return re.sub(rb"<(\w+[\w. ]* object) at 0x[0-9a-f]+>", rb"<\1>", data)


def write_log(source: Path, target: Path) -> None:
    """The log with every member scrubbed, in the same compression."""
    with zipfile.ZipFile(source) as log, zipfile.ZipFile(target, "w") as written:
        for member in log.infolist():
            written.writestr(member.filename, without_folders(log.read(member)), compress_type=member.compress_type)


def main(target: Path) -> None:
    target = target.resolve()
    folder = tempfile.mkdtemp()
    os.chdir(folder)  # outside a work tree, so that no repository is recorded
    model = get_model("mockllm/model", custom_outputs=ScriptedModel(), memoize=False)
    [log] = inspect_ai.eval(
        travel_desk(),
        model=model,
        epochs=2,
        message_limit=MESSAGE_LIMIT,
        fail_on_error=False,
        max_samples=1,
        display="none",
        log_dir="logs",
        log_format="eval",
    )
    write_log(Path(log.location), target)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

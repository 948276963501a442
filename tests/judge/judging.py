"""What tests of the judge are made of: an item, its request, and a reply to it, each in a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from agent_tui.bundles import load
from agent_tui.judge.material import Item, NoItem, make_item
from agent_tui.judge.prompt import render
from agent_tui.judge.rubric import Rubric, load_rubric
from agent_tui.providers.contract import Identity, Reply, Request
from tests.writing import write_bundle

GENERAL = load_rubric()
IDENTITY = Identity(provider="anthropic", model="claude-haiku-5-5", host_class="vendor")
ITEM = Item(
    name="R1",
    task="Which shelf holds the umbrellas?",
    answer="Shelf C, beside   the\tcounter.",
    trace=("1 call look {}\nresult: umbrellas are on shelf C",),
    task_id="umbrellas",
)


def request_of(item: Item = ITEM, rubric: Rubric = GENERAL, **fields: Any) -> Request:
    return render(rubric, item, IDENTITY, **fields)


def entry(
    criterion: str = "supported", met: str = "yes", quote: str = "Shelf C", source: str = "answer"
) -> dict[str, Any]:
    return {"criterion": criterion, "met": met, "quote": quote, "source": source}


def reply_object(request: Request, verdict: str = "pass", **fields: Any) -> dict[str, Any]:
    """A reply in good order; `fields` replace members of it, and those that are None are left out."""
    ordinary: dict[str, Any] = {
        "item": request.item,
        "evidence": [entry()],
        "instructions_seen": False,
        "reason": "It stands in the trace.",
        "verdict": verdict,
    }
    return {name: value for name, value in (ordinary | fields).items() if value is not None}


def reply_to(request: Request, verdict: str = "pass", **fields: Any) -> Reply:
    return Reply(text=json.dumps(reply_object(request, verdict, **fields)), model=request.model)


def says(text: str, request: Request) -> Reply:
    return Reply(text=text, model=request.model)


def made(tmp_path: Path, rubric: Rubric = GENERAL, **run: Any) -> Item | NoItem:
    """What a judge gets to see of one run, written as its fields."""
    bundle = load([write_bundle(tmp_path / "bundle.json", {"id": "t1"} | run)])
    return make_item(bundle, 0, rubric)


def made_item(tmp_path: Path, rubric: Rubric = GENERAL, **run: Any) -> Item:
    item = made(tmp_path, rubric, **run)
    assert isinstance(item, Item), item
    return item

"""Replay: a ledger answers as the judge did, and nobody is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.errors import NotPossible
from agent_tui.providers.contract import Failure, Identity, Limits, Reply
from agent_tui.providers.ledger import Ledger
from agent_tui.providers.replay import Replay
from tests.providers.make_request import make_request

FIRST = Identity(provider="anthropic", host_class="vendor", model="claude-haiku-5-5", version="2.14.0")
SECOND = Identity(provider="openai", host_class="other", model="gpt-x")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "l.jsonl"
    with Ledger.open(path) as ledger:
        for identity in (FIRST, SECOND):
            ledger.introduce(identity)
            ledger.intend(identity.model, None)
            ledger.settle(identity.model, Reply(text="{}", model=identity.model), None)
        ledger.intend("refused", None)
        ledger.fail("refused", Failure(kind="refused", reason="it would not"), None)
    return path


async def test_what_was_answered_is_answered_again(path: Path) -> None:
    replay = Replay(path)
    asked = [await replay.ask(make_request(key=key), Limits()) for key in (FIRST.model, "refused", "never asked")]
    assert asked == [
        Reply(text="{}", model=FIRST.model),
        Failure(kind="refused", reason="it would not"),
        Failure(kind="not_found", reason="the ledger has no answer to this"),
    ]


async def test_it_is_the_judge_that_was_asked_last_or_the_one_that_is_named(path: Path) -> None:
    assert await Replay(path).probe() == SECOND
    named = Replay(path, FIRST.model)
    assert (await named.probe(), named.name, named.needs_consent) == (
        FIRST,
        "replay: anthropic claude-haiku-5-5",
        False,
    )


def test_a_model_that_was_never_asked_is_told_with_those_that_were(path: Path) -> None:
    with pytest.raises(NotPossible, match=r"holds no answers of grok: there are claude-haiku-5-5, gpt-x"):
        Replay(path, "grok")
    with pytest.raises(NotPossible, match="no such ledger"):
        Replay(path.with_name("none"))


def test_an_empty_ledger_replays_nobody(tmp_path: Path) -> None:
    Ledger.open(tmp_path / "l.jsonl").close()
    with pytest.raises(NotPossible, match="holds no answers of anyone: there are none"):
        Replay(tmp_path / "l.jsonl")

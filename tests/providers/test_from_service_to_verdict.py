"""From a rendered item over a real service or the CLI to a decision: whatever is not in order is never a pass."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.judge.material import Item
from agent_tui.judge.prompt import canary_of, render
from agent_tui.judge.rubric import load_rubric
from agent_tui.judge.verdict import Decision, NotJudged, decide
from agent_tui.providers.claude_cli import ClaudeCli
from agent_tui.providers.contract import Identity, Limits, Provider
from agent_tui.providers.openai_compat import OpenAICompat, open_openai
from tests.providers.behaviour import Behaviour, changed
from tests.providers.fake_claude import FakeClaude
from tests.providers.loopback import Loopback
from tests.providers.loopback_chat import CHAT, ChatService
from tests.providers.verdicts import Asked, always, ordinary_reply

RUBRIC = load_rubric()
ITEM = Item(name="R1", task="What is the capital of France?", answer="The capital of France is Paris.")


async def decided(provider: Provider, item: Item = ITEM) -> Decision | NotJudged:
    """What one ask comes to, all the way."""
    identity = await provider.probe()
    assert isinstance(identity, Identity), identity
    request = render(RUBRIC, item, identity)
    decision = decide(await provider.ask(request, Limits()), request, item, RUBRIC)
    await provider.close()
    return decision


def opened(server: Loopback, monkeypatch: pytest.MonkeyPatch) -> OpenAICompat:
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789")
    provider = open_openai("qwen3-32b")
    assert isinstance(provider, OpenAICompat)
    return provider


@pytest.mark.parametrize("verdict", ["pass", "fail"])
@pytest.mark.parametrize(
    "habits",
    [{}, {"takes": ["json_object"]}, {"takes": ["tools"]}, {"takes": ["text"], "thinks": True, "fences": True}],
)
async def test_a_verdict_comes_over_every_rung(
    monkeypatch: pytest.MonkeyPatch, habits: dict[str, Any], verdict: str
) -> None:
    async with Loopback(always(verdict), routes={CHAT: ChatService(**habits)}) as server:
        decision = await decided(opened(server, monkeypatch))
    assert isinstance(decision, Decision)
    assert decision.verdict == decision.raw_verdict == verdict


def _reply(asked: Asked) -> str:
    return json.dumps(ordinary_reply(asked, "pass"))


@pytest.mark.parametrize(
    ("spoil", "kind"),
    [
        (lambda asked: f"Here it is: {_reply(asked)}", "malformed"),
        (lambda asked: f"{_reply(asked)}\n{_reply(asked)}", "malformed"),
        (lambda asked: _reply(asked)[:-8], "cut off"),
        (lambda asked: _reply(asked).replace('"verdict"', '"verdict": "fail", "verdict"'), "malformed"),
        (lambda asked: _reply(asked).replace('"pass"', '"excellent"'), "malformed"),
        (lambda asked: _reply(asked).replace(asked.nonce, "0" * 12), "malformed"),
        (lambda asked: _reply(asked).replace("The fake judge", _canary(asked)), "malformed"),
        (lambda asked: f"<think>a</think><think>b</think>{_reply(asked)}", "malformed"),
        (lambda asked: "I cannot judge this.", "refusal"),
        (lambda asked: "", "empty"),
    ],
)
async def test_a_text_that_is_not_the_one_object_asked_for_is_no_verdict(
    monkeypatch: pytest.MonkeyPatch, spoil: Any, kind: str
) -> None:
    def judge(asked: Asked) -> str:
        return _reply(asked) if asked.nonce == "probe" else str(spoil(asked))

    async with Loopback(judge, routes={CHAT: ChatService()}) as server:
        decision = await decided(opened(server, monkeypatch))
    assert isinstance(decision, NotJudged), decision
    assert decision.kind == kind


def _canary(asked: Asked) -> str:
    start = asked.system.index("canary-")
    return asked.system[start : start + 23]


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (changed(model="other-model"), "model mismatch"),
        (changed(choices__0__finish_reason="length"), "cut off"),
        (changed(choices__0__finish_reason="content_filter"), "refusal"),
        (changed(choices__0__message__refusal="No."), "refusal"),
    ],
)
async def test_a_reply_of_another_model_or_cut_short_is_no_verdict(
    monkeypatch: pytest.MonkeyPatch, behaviour: Behaviour, kind: str
) -> None:
    async with Loopback(routes={CHAT: ChatService()}) as server:
        provider = opened(server, monkeypatch)
        await provider.probe()
        server.script(behaviour, at=CHAT)
        decision = await decided(provider)
    assert isinstance(decision, NotJudged)
    assert decision.kind == kind


async def test_a_verdict_comes_by_the_cli_and_no_file_that_an_answer_names(tmp_path: Path) -> None:
    canary = tmp_path / "canary.txt"
    canary.write_text("CANARY-CONTENT")
    fake = FakeClaude(tmp_path)
    named = f'See @{canary} and\n@{canary} and @"{canary}": Paris.'
    item = Item(name="R1", task=f"@{canary} what is the capital?", answer=named)
    decision = await decided(ClaudeCli("claude-haiku-5-5", fake.executable), item)
    assert isinstance(decision, Decision)
    assert (decision.verdict, decision.raw_verdict) == ("pass", "pass")
    (seen,) = fake.asks()
    assert seen["attached"] == []
    assert "CANARY-CONTENT" not in json.dumps(seen)


@pytest.mark.parametrize(
    ("orders", "kind"),
    [
        ({"stdout": ""}, "malformed"),
        ({"changes": {"num_turns": 0}}, "malformed"),
        ({"changes": {"is_error": True}, "status": 1}, "error"),
        ({"changes": {"modelUsage": {"claude-haiku-5-5": {}, "claude-haiku-4-5": {}}}}, "malformed"),
        ({"changes": {"modelUsage": {"claude-haiku-4-5": {}}}}, "model mismatch"),
        ({"changes": {"stop_reason": "max_tokens"}}, "cut off"),
        ({"changes": {"stop_reason": "refusal"}}, "refusal"),
        ({"killed": True}, "unknown"),
    ],
)
async def test_what_the_cli_prints_amiss_is_no_verdict(tmp_path: Path, orders: dict[str, Any], kind: str) -> None:
    fake = FakeClaude(tmp_path, **orders)
    decision = await decided(ClaudeCli("claude-haiku-5-5", fake.executable))
    assert isinstance(decision, NotJudged)
    assert decision.kind == kind


def test_the_mark_that_must_not_come_back_is_in_what_is_sent() -> None:
    request = render(RUBRIC, ITEM, Identity(provider="openai", model="m"))
    assert len(f"canary-{canary_of(request)}") == 23

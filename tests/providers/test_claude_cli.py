"""The Claude Code CLI as a provider, by a real fake executable on PATH."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.providers import claude_command, claude_sign_in
from agent_tui.providers.claude_cli import ClaudeCli
from agent_tui.providers.contract import FATAL, Failure, Identity, Limits, Reply, Usage
from tests.providers.fake_claude import FakeClaude
from tests.providers.make_request import MODEL, make_request


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeClaude:
    made = FakeClaude(tmp_path)
    monkeypatch.setenv("PATH", made.path)
    return made


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which private folders are made."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def found() -> ClaudeCli:
    executable = claude_sign_in.find()
    assert executable is not None
    return ClaudeCli(MODEL, executable)


async def test_a_reply_is_the_structured_output_as_it_came(fake: FakeClaude) -> None:
    reply = await found().ask(make_request(), Limits())
    assert isinstance(reply, Reply)
    said = json.loads(reply.text)
    assert (said["item"], said["verdict"], reply.model, reply.stop_reason) == ("n1", "pass", MODEL, "end")
    assert reply.usage == Usage(
        input_tokens=100, output_tokens=17, cache_read_tokens=30, cache_write_tokens=7, notional_usd=0.000925
    )


async def test_the_command_line_leaves_no_tool_no_setting_and_no_session(fake: FakeClaude) -> None:
    request = make_request()
    await found().ask(request, Limits())
    (seen,) = fake.asks()
    system_file = seen["argv"][seen["argv"].index("--system-prompt-file") + 1]
    assert seen["argv"] == [
        "-p", "--output-format", "json", "--model", MODEL, "--system-prompt-file", system_file,
        "--json-schema", request.schema.decode(), "--tools=", "--safe-mode", "--strict-mcp-config",
        "--disable-slash-commands", "--no-session-persistence",
    ]  # fmt: skip
    assert (seen["system"], seen["stdin"]) == (request.system, request.user)


async def test_it_runs_in_a_fresh_empty_folder_of_which_nothing_stays(fake: FakeClaude, temporary: Path) -> None:
    await found().ask(make_request(), Limits())
    (seen,) = fake.asks()
    assert seen["found_there"] == []
    assert Path(seen["cwd"]).is_relative_to(temporary)
    assert seen["modes"] == [0o600, 0o700]
    assert list(temporary.iterdir()) == []


async def test_no_key_and_no_address_reaches_it(fake: FakeClaude, monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "AWS_SECRET")
    for name in secrets:
        monkeypatch.setenv(name, "sk-canary-0123456789")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    await found().ask(make_request(), Limits())
    (seen,) = fake.asks()
    assert "sk-canary" not in json.dumps(seen)
    assert {name: seen["env"][name] for name in ("HOME", "PATH", "HTTPS_PROXY")} == {
        name: os.environ[name] for name in ("HOME", "PATH", "HTTPS_PROXY")
    }


@pytest.mark.parametrize(("model", "thinking"), [(MODEL, "0"), ("claude-opus-5-5", None), ("claude-fable-5-1", None)])
async def test_tries_tokens_and_thinking_are_bounded(fake: FakeClaude, model: str, thinking: str | None) -> None:
    await ClaudeCli(model, fake.executable).ask(make_request(model=model, max_tokens=1234), Limits())
    env = fake.asks()[0]["env"]
    assert env["CLAUDE_CODE_MAX_RETRIES"] == "1"
    assert env["CLAUDE_CODE_MAX_OUTPUT_TOKENS"] == "1234"
    assert env["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"] == env["DISABLE_AUTOUPDATER"] == "1"
    assert env.get("MAX_THINKING_TOKENS") == thinking


@pytest.mark.parametrize("before", ["", "see ", "\n", 'Judge.\n{"answer": "', '{"answer": "see '])
@pytest.mark.parametrize("quoted", ["@{}", '@"{}"'])
async def test_a_file_named_in_a_prompt_never_reaches_the_model(
    fake: FakeClaude, tmp_path: Path, before: str, quoted: str
) -> None:
    canary = tmp_path / "canary.txt"
    canary.write_text("CANARY-CONTENT")
    named = before + quoted.format(canary)
    await found().ask(make_request(named, system=named), Limits())
    (seen,) = fake.asks()
    assert seen["attached"] == []
    assert "@" not in seen["stdin"] + seen["system"]
    assert "CANARY-CONTENT" not in json.dumps(seen)


async def test_the_fake_would_show_a_file_that_got_through(fake: FakeClaude, tmp_path: Path) -> None:
    """Without this the test above could not fail."""
    (tmp_path / "system.txt").write_text("s")
    canary = tmp_path / "canary.txt"
    canary.write_text("CANARY-CONTENT")
    command = claude_command.arguments(fake.executable, make_request(), tmp_path / "system.txt")
    process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE, stdout=-3)
    await process.communicate(f"Judge @{canary}".encode())
    assert fake.asks()[0]["attached"] == ["CANARY-CONTENT"]


@given(st.text(), st.sampled_from("/!#&@ \n\t\"'{-"))
def test_a_prompt_starts_with_a_letter_and_holds_no_at(rest: str, start: str) -> None:
    prompt = claude_command.prompt(make_request(start + rest)).decode()
    assert prompt[0].isalpha()
    assert "@" not in prompt
    assert prompt.endswith(claude_command.without_at(rest))


@pytest.mark.parametrize(
    ("orders", "kind", "reason"),
    [
        ({"stdout": ""}, "malformed", "claude printed nothing"),
        ({"stdout": "Sorry, no."}, "malformed", "something else than one JSON object"),
        ({"stdout": '{"is_error": false}{"is_error": false}'}, "malformed", "something else than one JSON object"),
        ({"stdout": "[" * 100_000}, "malformed", "something else than one JSON object"),
        ({"stdout": "", "stderr": "warning: busy", "status": 1}, "bad_request", "claude ended with 1: warning: busy"),
        ({"early_end": 3}, "bad_request", "claude ended with 3: without a word"),
        ({"changes": {"num_turns": 0}}, "malformed", "took the prompt for a command"),
        ({"status": 1}, "malformed", "claude ended with 1"),
        ({"changes": {"usage": {"output_tokens": 0}}}, "malformed", "no output tokens"),
        ({"left_out": ["usage"]}, "malformed", "no output tokens"),
        ({"changes": {"permission_denials": [{"tool_name": "Read"}]}}, "malformed", "asked for a tool"),
        ({"left_out": ["permission_denials"]}, "malformed", "asked for a tool"),
        ({"changes": {"modelUsage": {MODEL: {}, "claude-haiku-4-5": {}}}}, "malformed", "2 models answered"),
        ({"changes": {"modelUsage": {}}}, "malformed", "0 models answered"),
        ({"changes": {"stop_reason": "max_tokens"}}, "truncated", "cut off"),
        ({"changes": {"stop_reason": "refusal"}}, "refused", "refused"),
        ({"changes": {"stop_reason": "pause_turn"}}, "malformed", "stopped early: pause_turn"),
        ({"left_out": ["structured_output"]}, "malformed", "no structured output"),
        ({"changes": {"structured_output": None}}, "malformed", "not of the form"),
        ({"changes": {"structured_output": {"verdict": "pass"}}}, "malformed", "not of the form"),
        ({"changes": {"num_turns": "two"}}, "malformed", "something else than one JSON object"),
        ({"left_out": ["is_error"]}, "bad_request", "an error that it did not explain"),
        ({"changes": {"is_error": True}}, "bad_request", "an error that it did not explain"),
        ({"changes": {"is_error": True, "api_error_status": 400}, "status": 1}, "bad_request", "HTTP 400"),
        ({"changes": {"is_error": True, "api_error_status": 401}, "status": 1}, "auth", "HTTP 401"),
        ({"changes": {"is_error": True, "api_error_status": 404}, "status": 1}, "not_found", "HTTP 404"),
        ({"changes": {"is_error": True, "api_error_status": 429}, "status": 1}, "rate_limited", "HTTP 429"),
        ({"changes": {"is_error": True, "api_error_status": 529}, "status": 1}, "overloaded", "HTTP 529"),
        ({"killed": True}, "unknown", "signal 9"),
    ],
)
async def test_whatever_speaks_against_a_reply_makes_it_a_failure(
    fake: FakeClaude, orders: dict[str, object], kind: str, reason: str
) -> None:
    fake.orders(**orders)
    failure = await found().ask(make_request(), Limits())
    assert isinstance(failure, Failure)
    assert failure.kind == kind
    assert reason in failure.reason


async def test_what_it_prints_beside_the_reply_does_no_harm(fake: FakeClaude) -> None:
    fake.orders(stderr="a warning\n" * 50_000)
    assert isinstance(await found().ask(make_request(), Limits()), Reply)


async def test_another_model_is_named_in_the_reply(fake: FakeClaude) -> None:
    """Whoever compares it with the model asked for finds it, as with every other provider."""
    fake.orders(changes={"modelUsage": {"claude-haiku-4-5": {}}})
    reply = await found().ask(make_request(), Limits())
    assert isinstance(reply, Reply)
    assert reply.model == "claude-haiku-4-5"


async def test_tokens_of_a_reply_that_is_refused_are_counted(fake: FakeClaude) -> None:
    fake.orders(changes={"stop_reason": "max_tokens"})
    failure = await found().ask(make_request(), Limits())
    assert isinstance(failure, Failure)
    assert failure.usage is not None
    assert (failure.usage.output_tokens, failure.usage.notional_usd) == (17, 0.000925)


async def test_an_ask_when_nobody_is_signed_in_ends_all_asking(fake: FakeClaude) -> None:
    fake.orders(signed_in=False)
    failure = await found().ask(make_request(), Limits())
    assert isinstance(failure, Failure)
    assert (failure.kind in FATAL, failure.reason) == (True, "claude is not signed in: run `claude auth login`")


async def test_a_prompt_that_is_too_long_is_not_sent(fake: FakeClaude) -> None:
    failure = await found().ask(make_request("a" * 10_000_001), Limits())
    assert isinstance(failure, Failure)
    assert failure.kind == "too_large"
    assert fake.asks() == []


async def test_an_executable_that_is_gone_ends_all_asking(fake: FakeClaude) -> None:
    provider = found()
    os.unlink(fake.executable)
    failure = await provider.ask(make_request(), Limits())
    assert failure == Failure(kind="not_configured", reason="claude cannot be started: No such file or directory")


async def test_a_slow_one_is_ended_and_may_have_been_billed(fake: FakeClaude, tmp_path: Path, temporary: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    holder = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)  # so that the fake can open its end at any time
    fake.orders(blocks_on=str(pipe))
    failure = await found().ask(make_request(), Limits(timeout=0.3))
    os.close(holder)
    assert failure == Failure(kind="unknown", reason="no reply within 0.3 s; claude was ended")
    assert list(temporary.iterdir()) == []


async def test_cancelling_ends_the_process_and_what_it_started(
    fake: FakeClaude, tmp_path: Path, temporary: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    fake.orders(blocks_on=str(pipe))
    ask = asyncio.create_task(found().ask(make_request(), Limits()))
    with await asyncio.to_thread(pipe.open) as told:
        assert await asyncio.to_thread(told.readline) == "started\n"
        ask.cancel()
        with pytest.raises(asyncio.CancelledError):
            await ask
        assert await asyncio.to_thread(told.read) == ""  # its end comes once both have let go
    assert list(temporary.iterdir()) == []


async def test_a_probe_names_the_judge_and_says_how_it_is_signed_in(fake: FakeClaude) -> None:
    provider = found()
    assert await provider.probe() == Identity(
        provider="claude-cli", host_class="vendor", model=MODEL, rung="cli", effort="default", version="2.1.197"
    )
    assert provider.host == "claude (api.anthropic.com:443 unless its settings say otherwise), signed in by claude.ai"
    assert fake.asks() == []


async def test_a_key_in_the_environment_is_not_taken_for_a_sign_in(
    fake: FakeClaude, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.orders(signed_in=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-canary-0123456789")
    failure = await found().probe()
    assert failure == Failure(kind="auth", reason="claude is not signed in: run `claude auth login`")


@pytest.mark.parametrize("flag", ["--safe-mode", "--json-schema"])
async def test_an_old_version_is_refused_by_the_flag_that_it_lacks(fake: FakeClaude, flag: str) -> None:
    fake.orders(version="1.0.9", unknown_flags=[flag])
    failure = await found().probe()
    assert failure == Failure(kind="not_configured", reason=f"claude 1.0.9 does not know {flag}: run `claude update`")


async def test_an_executable_that_is_something_else_is_refused(fake: FakeClaude) -> None:
    Path(fake.executable).write_text("#!/bin/sh\necho 'command not understood'\n")
    failure = await found().probe()
    assert isinstance(failure, Failure)
    assert failure.kind == "not_configured"


def test_without_it_on_the_path_nothing_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert claude_sign_in.find() is None

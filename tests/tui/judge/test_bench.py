"""Who may judge a bundle, and the judge that was chosen: nothing is sent, nothing is held longer than it is used."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.bundles import Bundle, load
from agent_tui.errors import NotPossible, UnknownName
from agent_tui.judge.opening import ledger_path
from agent_tui.providers.judge_config import JudgeConfig
from agent_tui.providers.ledger import Ledger
from agent_tui.tui.judge.asked import AskedJudge
from agent_tui.tui.judge.bench import Bench, Candidate, candidates
from tests.tui.judging import REFUND_DESK, nobody_configured


@pytest.fixture(autouse=True)
def _nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nobody_configured(monkeypatch, tmp_path)


@pytest.fixture
def bundle() -> Bundle:
    return load([REFUND_DESK])


def scripted(name: str) -> Candidate:
    return Candidate(kind="script", provider=f"scripted:{name}")


def test_with_nobody_configured_there_are_the_scripts_and_nobody_is_meant(bundle: Bundle) -> None:
    found = candidates(bundle, JudgeConfig())
    assert found.configured == ()
    assert [each.provider for each in found.scripts] == [
        f"scripted:{name}" for name in ("gullible", "honest", "label-order", "length-biased", "lenient")
    ]
    assert found.meant is None


def test_the_only_one_that_is_configured_is_meant_and_of_two_none(
    bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    found = candidates(bundle, JudgeConfig())
    assert found.meant is not None
    assert found.meant.provider == "anthropic"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert candidates(bundle, JudgeConfig()).meant is None


def test_the_environment_wins_over_the_configuration(bundle: Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    config = JudgeConfig(provider="openai")
    found = candidates(bundle, config).meant
    assert found is not None
    assert found.provider == "openai"
    monkeypatch.setenv("AGENT_TUI_JUDGE_PROVIDER", "scripted:honest")
    found = candidates(bundle, config).meant
    assert found is not None
    assert found.provider == "scripted:honest"


async def test_another_judge_lets_go_of_the_ledger_of_the_first(bundle: Bundle) -> None:
    bench = Bench(bundle, JudgeConfig())
    await bench.take(scripted("honest"))
    with pytest.raises(NotPossible, match="is being written"):
        Ledger.open(ledger_path(bundle))
    await bench.take(scripted("lenient"))
    await bench.leave()
    Ledger.open(ledger_path(bundle)).close()


async def test_a_judge_that_cannot_be_had_leaves_none(bundle: Bundle) -> None:
    bench = Bench(bundle, JudgeConfig())
    with pytest.raises(UnknownName, match="there are"):
        await bench.take(Candidate(kind="configured", provider="nobody"))
    assert bench.seat is None
    assert bench.facts() is None


async def test_another_rubric_is_taken_for_the_judge_that_is_there(bundle: Bundle, tmp_path: Path) -> None:
    packaged = Path("agent_tui/judge/rubrics/general.toml").read_text()
    path = tmp_path / "mine.toml"
    path.write_text(packaged.replace('id = "general"', 'id = "mine"'))
    bench = Bench(bundle, JudgeConfig())
    await bench.take(scripted("honest"))
    assert isinstance(bench.seat, AskedJudge)
    first = bench.seat.rubric
    await bench.take_rubric(path=str(path))
    assert isinstance(bench.seat, AskedJudge)
    assert bench.seat.rubric[0] == "mine 1"
    assert bench.seat.rubric[1] != first[1]
    with pytest.raises(NotPossible, match="nosuch"):
        await bench.take_rubric(path="nosuch.toml")
    assert bench.choices.rubric == str(path)
    await bench.leave()


async def test_what_was_answered_earlier_can_be_looked_at_without_a_service(bundle: Bundle) -> None:
    from tests.judge.counting import IDENTITY

    with Ledger.open(ledger_path(bundle)) as ledger:
        ledger.introduce(IDENTITY)
    (earlier,) = candidates(bundle, JudgeConfig()).earlier
    assert (earlier.kind, earlier.model) == ("earlier", IDENTITY.model)
    bench = Bench(bundle, JudgeConfig())
    await bench.take(earlier)
    assert isinstance(bench.seat, AskedJudge)
    assert not bench.seat.provider.needs_consent
    await bench.leave()

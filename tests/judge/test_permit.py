"""No verdict on an unlabelled run without a permit, whatever way one tries."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.errors import NotPermitted
from agent_tui.judge.judgement import judgement_of
from agent_tui.judge.permit import Certificate, Override, Permit, Sealed
from agent_tui.providers.contract import Failure, Limits, Outcome, Request
from agent_tui.providers.scripted import Script, Scripted
from tests.judge.judged import CYBERTRAVELS, REFUND_DESK, Judged, always, judged


async def validated(path: Path, provider: Scripted, folder: Path) -> Judged:
    made = await judged(path, provider, folder / "l.jsonl")
    await made.validate()
    return made


async def test_nothing_is_judged_before_a_validation_is_published(tmp_path: Path) -> None:
    made = await judged(CYBERTRAVELS, always("pass"), tmp_path / "l.jsonl")
    other = await validated(CYBERTRAVELS, always("pass"), tmp_path / "other")
    permit = other.session.override("curious")
    with pytest.raises(NotPermitted, match="validate first"):
        await anext(made.session.judge(permit, made.make))
    with pytest.raises(NotPermitted, match="validate first"):
        made.session.verdicts(permit)
    assert made.session.ledger.calls == 0


async def test_a_judge_under_the_bar_gets_no_certificate(tmp_path: Path) -> None:
    made = await validated(REFUND_DESK, Scripted.named("lenient"), tmp_path)
    assert made.session.validation is not None
    assert made.session.certificate() is None
    with pytest.raises(NotPermitted, match="rejected"):
        Certificate(made.session.validation)


@pytest.mark.parametrize("reason", ["", "  ", "\n\t"])
async def test_an_override_needs_a_reason(tmp_path: Path, reason: str) -> None:
    made = await validated(CYBERTRAVELS, always("pass"), tmp_path)
    with pytest.raises(NotPermitted, match="reason"):
        made.session.override(reason)


@pytest.mark.parametrize("forged", [None, True, "accepted", object()])
async def test_only_a_permit_opens_verdicts(tmp_path: Path, forged: Permit) -> None:
    made = await validated(CYBERTRAVELS, always("pass"), tmp_path)
    asked = made.session.ledger.calls
    with pytest.raises(NotPermitted):
        await anext(made.session.judge(forged, made.make))
    with pytest.raises(NotPermitted):
        made.session.verdicts(forged)
    assert made.session.ledger.calls == asked


async def test_a_permit_opens_the_verdicts_of_its_own_judge_alone(tmp_path: Path) -> None:
    lenient = await validated(CYBERTRAVELS, always("pass"), tmp_path / "a")
    strict = await validated(CYBERTRAVELS, always("fail"), tmp_path / "b")
    permit = lenient.session.override("curious")
    with pytest.raises(NotPermitted, match="another judge"):
        await anext(strict.session.judge(permit, strict.make))


async def test_too_many_errors_cannot_be_overridden(tmp_path: Path) -> None:
    class Silent(Scripted):
        async def ask(self, request: Request, limits: Limits) -> Outcome:
            return Failure(kind="malformed", reason="it says nothing")

    made = await validated(CYBERTRAVELS, Silent(Script(name="silent")), tmp_path)
    assert made.session.validation is not None
    assert made.session.validation.gate.state == "rejected"
    with pytest.raises(NotPermitted, match="no usable verdict"):
        made.session.override("I want to see them")


async def test_a_judgement_without_a_permit_holds_no_verdict(tmp_path: Path) -> None:
    made = await validated(REFUND_DESK, Scripted.named("honest"), tmp_path)
    permit = made.session.certificate()
    assert permit is not None
    async for _ in made.session.judge(permit, made.make):
        pass
    assert judgement_of(made.session).runs == ()
    assert len(judgement_of(made.session, permit).runs) == 24


async def test_an_override_is_kept_in_the_ledger_with_its_reason(tmp_path: Path) -> None:
    made = await validated(CYBERTRAVELS, always("pass"), tmp_path)
    given = made.session.override("for the workshop")
    assert isinstance(given, Override)
    assert given.at
    assert made.session.override("for the workshop") == given == made.session.recorded_override()
    assert [note.fields["reason"] for note in made.session.ledger.notes("override")] == ["for the workshop"]


def test_a_seal_tells_nothing_of_its_content() -> None:
    sealed = Sealed("key", "the verdicts")
    assert "verdicts" not in repr(sealed)
    assert not hasattr(sealed, "content")

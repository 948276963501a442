"""From labels to verdicts: what is asked, what is published, what a ledger brings back, what makes it stale."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import ClassVar

import msgspec
import pytest

from agent_tui.errors import NotPermitted
from agent_tui.judge.events import Event
from agent_tui.judge.judgement import judgement_of
from agent_tui.judge.labels import Labels
from agent_tui.judge.opening import Choices
from agent_tui.judge.runner import Runner
from agent_tui.judge.session import DONE, NO_LABELS, PAUSED, PUBLISHED, READY, STALE, JudgeSession
from agent_tui.judge.survey import survey, survey_again
from agent_tui.providers.contract import Failure, Limits, Outcome, Request
from agent_tui.providers.replay import Replay
from agent_tui.providers.scripted import Script, Scripted
from agent_tui.providers.scripted_flaws import Flaw
from tests.judge.judged import CYBERTRAVELS, REFUND_DESK, always, judged


async def test_cybertravels_is_five_labelled_runs_and_never_enough(tmp_path: Path) -> None:
    made = await judged(CYBERTRAVELS, Scripted.named("honest"), tmp_path / "l.jsonl")
    assert made.session.state == READY
    await made.validate()
    validation = made.session.validation
    assert validation is not None
    assert (validation.confusion.labelled, validation.confusion.fp, validation.confusion.pf) == (5, 0, 0)
    agreement = validation.confusion.agreement_decided
    assert (agreement.k, agreement.n) == (5, 5)
    assert agreement.low == pytest.approx(0.5655, abs=1e-4)
    assert validation.gate.state == "insufficient"
    assert made.session.certificate() is None


async def test_the_unlabelled_run_is_shown_on_the_override_alone_and_marked(tmp_path: Path) -> None:
    made = await judged(CYBERTRAVELS, Scripted.named("honest"), tmp_path / "l.jsonl")
    await made.validate()
    permit = made.session.override("for the workshop")
    async for _ in made.session.judge(permit, made.make):
        pass
    judgement = judgement_of(made.session, permit)
    assert [(run.name, run.verdict) for run in judgement.runs] == [("R5", "pass")]
    assert not judgement.is_validated
    assert made.session.state == DONE


async def test_a_run_without_both_kinds_of_labels_is_never_asked_about(tmp_path: Path) -> None:
    runs = [{"id": f"r{n}", "actual": {"answer": "Oslo"}, "expected": {"answer": "Oslo"}} for n in range(3)]
    path = tmp_path / "right.json"
    path.write_bytes(msgspec.json.encode({"schema": "agent-tui/1", "bundle": {"id": "b"}, "runs": runs}))
    made = await judged(path, always("pass"), tmp_path / "l.jsonl")
    assert made.session.state == NO_LABELS
    assert made.session.shut is not None
    assert made.session.shut.settles == "label a wrong answer"
    with pytest.raises(NotPermitted):
        await made.validate()
    assert made.session.ledger.calls == 0


async def test_a_second_validation_asks_nothing_and_says_the_same(tmp_path: Path) -> None:
    made = await judged(REFUND_DESK, Scripted.named("gullible"), tmp_path / "l.jsonl")
    await made.validate()
    calls = made.session.ledger.calls
    again = await judged(REFUND_DESK, Scripted.named("gullible"), made.session.ledger)
    await again.validate()
    assert again.session.ledger.calls == calls
    assert again.session.validation == made.session.validation


async def test_a_certificate_is_built_again_from_the_ledger(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    made = await judged(REFUND_DESK, Scripted.named("honest"), path)
    assert not made.session.restore()
    await made.validate()
    permit = made.session.certificate()
    assert permit is not None
    async for _ in made.session.judge(permit, made.make):
        pass
    made.session.ledger.close()
    replay = Replay(path)
    again = await judged(REFUND_DESK, replay, replay.ledger)
    assert again.session.restore()
    assert again.session.state == PUBLISHED
    assert again.session.validation == made.session.validation
    rebuilt = again.session.certificate()
    assert rebuilt == permit
    assert again.session.restore_verdicts(permit)
    assert again.session.verdicts(permit) == made.session.verdicts(permit)


async def test_a_cancelled_validation_publishes_nothing_and_goes_on_later(tmp_path: Path) -> None:
    class Counted(Scripted):
        asked = 0

        async def ask(self, request: Request, limits: Limits) -> Outcome:
            self.asked += 1
            if self.asked == 20:
                made.session.cancel()
            return await super().ask(request, limits)

    provider = Counted(Script(name="counted"))
    made = await judged(REFUND_DESK, provider, tmp_path / "l.jsonl")
    total = (await made.validate())[-1].total
    assert made.session.state == PAUSED
    assert made.session.validation is None
    await made.validate()
    assert made.session.state == PUBLISHED
    assert provider.asked == total


async def test_cancelled_before_the_first_call_it_asks_nothing(tmp_path: Path) -> None:
    made = await judged(REFUND_DESK, Scripted.named("honest"), tmp_path / "l.jsonl")
    asking = asyncio.create_task(made.validate())
    await asyncio.sleep(0)  # asks are being rendered in a thread
    made.session.cancel()
    assert await asking == []
    assert (made.session.state, made.session.ledger.calls) == (PAUSED, 0)
    await made.validate()
    assert made.session.state == PUBLISHED


async def test_what_was_seen_so_far_grows_into_what_is_published(tmp_path: Path) -> None:
    made = await judged(REFUND_DESK, Scripted.named("label-order"), tmp_path / "l.jsonl")
    counts = [made.session.so_far().labelled async for _ in made.session.validate(made.make)]
    assert counts[0] == 1
    assert counts == sorted(counts)
    assert made.session.validation is not None
    assert made.session.so_far() == made.session.validation.confusion


async def test_looking_again_at_what_changed_is_looking_at_all_again(tmp_path: Path) -> None:
    bundle = tmp_path / "desk.json"
    bundle.write_bytes(REFUND_DESK.read_bytes())
    made = await judged(bundle, Scripted.named("honest"), tmp_path / "l.jsonl")
    labels, rubric = Labels.of(made.bundle, by="ada"), made.session.asker.rubric
    rows = [made.bundle.find(name) for name in ("U01", "D02", "U09")]
    for row, word in zip(rows, ("fail", "pass", "undetermined"), strict=True):
        labels.set(row, word)
    again = survey_again(made.session.survey, made.bundle, rows, rubric, labels)
    assert again == survey(made.bundle, rubric, labels)
    assert again != made.session.survey


async def test_a_new_label_makes_the_validation_stale(tmp_path: Path) -> None:
    bundle = tmp_path / "desk.json"
    bundle.write_bytes(REFUND_DESK.read_bytes())
    made = await judged(bundle, Scripted.named("honest"), tmp_path / "l.jsonl")
    await made.validate()
    before, permit = made.session.validation, made.session.certificate()
    assert permit is not None
    labels = Labels.of(made.bundle, by="ada")
    labels.set(made.bundle.find("U01"), "fail", "not what was asked")
    made.session.renew(survey(made.bundle, made.session.asker.rubric, labels))
    assert made.session.state == STALE
    assert made.session.previous == before
    with pytest.raises(NotPermitted):
        made.session.verdicts(permit)


async def test_what_labels_were_used_for_before_is_counted(tmp_path: Path) -> None:
    first = await judged(REFUND_DESK, Scripted.named("honest"), tmp_path / "l.jsonl")
    await first.validate()
    second = await judged(REFUND_DESK, Scripted.named("lenient"), first.session.ledger)
    await second.validate()
    third = await judged(REFUND_DESK, Scripted.named("honest"), first.session.ledger)
    await third.validate()
    used = [made.session.validation.validated_before for made in (first, second, third) if made.session.validation]
    assert used == [0, 1, 0]


async def test_every_run_is_asked_as_often_as_wanted_and_the_most_frequent_verdict_counts(tmp_path: Path) -> None:
    class Fickle(Scripted):
        """Says pass at the first, fail at every later ask of the same."""

        seen: ClassVar[set[str]] = set()

        async def ask(self, request: Request, limits: Limits) -> Outcome:
            says = "fail" if request.digest in self.seen else "pass"
            self.seen.add(request.digest)
            return await always(says).ask(request, limits)

    choices = Choices(repeat=3, concurrency=1)
    made = await judged(CYBERTRAVELS, Fickle(Script(name="fickle")), tmp_path / "l.jsonl", choices)
    await made.validate()
    assert made.session.validation is not None
    assert {run.verdict for run in made.session.validation.runs} == {"fail"}
    assert made.session.validation.biases.stability.flips.k == 5


async def test_material_that_two_runs_share_is_asked_about_once(tmp_path: Path) -> None:
    same = {"input": "Capital of Norway?", "actual": {"answer": "Oslo it is"}, "expected": {"answer": "Oslo"}}
    wrong = {"id": "w", "input": "Capital of Italy?", "actual": {"answer": "Paris"}, "expected": {"answer": "Rome"}}
    runs = [same | {"id": "a"}, same | {"id": "b"}, wrong]
    path = tmp_path / "twins.json"
    path.write_bytes(msgspec.json.encode({"schema": "agent-tui/1", "bundle": {"id": "b"}, "runs": runs}))
    made = await judged(path, always("pass"), tmp_path / "l.jsonl")
    await made.validate()
    keys = {ask.key for ask in made.session.validation_asks()}
    assert made.session.ledger.calls == len(keys)
    assert made.session.validation is not None
    assert [run.verdict for run in made.session.validation.runs] == ["pass"] * 3


async def test_what_is_too_large_for_the_service_is_asked_again_cut_and_says_so(tmp_path: Path) -> None:
    class Small(Scripted):
        async def ask(self, request: Request, limits: Limits) -> Outcome:
            if len(request.user) > 40_000:
                return Failure(kind="too_large", reason="413")
            return await super().ask(request, limits)

    long = {"id": "long", "input": "Tell all.", "actual": {"answer": "Oslo " * 12_000}, "expected": {"answer": "Oslo"}}
    wrong = {"id": "w", "input": "Capital of Italy?", "actual": {"answer": "Paris"}, "expected": {"answer": "Rome"}}
    path = tmp_path / "long.json"
    path.write_bytes(msgspec.json.encode({"schema": "agent-tui/1", "bundle": {"id": "b"}, "runs": [long, wrong]}))
    says_pass = Script(name="small", flaws=(Flaw(when="always", say="pass"),))
    made = await judged(path, Small(says_pass), tmp_path / "l.jsonl")
    await made.validate()
    again = await judged(path, Small(says_pass), made.session.ledger)
    assert again.session.restore()
    assert made.session.validation is not None
    run = next(run for run in made.session.validation.runs if run.name == "long")
    assert run.verdict == "pass"
    assert "oversize" in run.flags
    assert again.session.validation == made.session.validation


async def test_attacks_without_content_are_held_without_asking(tmp_path: Path) -> None:
    made = await judged(CYBERTRAVELS, always("pass"), tmp_path / "l.jsonl")
    await made.validate()
    assert made.session.validation is not None
    attacks = {attack.id: attack for attack in made.session.validation.biases.attacks}
    asked = {ask.item.name for ask in made.session.validation_asks()}
    assert all(attacks[name].held and name not in asked for name in ("a20", "a21", "a22"))
    assert len(attacks) == 36


@pytest.mark.parametrize(("slice", "expected"), [(10, [10, 10, 4]), (100, [24])])
async def test_a_runner_gets_so_many_asks_at_a_time_as_the_session_says(
    tmp_path: Path, slice: int, expected: list[int]
) -> None:
    sizes: list[int] = []

    class Sized(Runner):
        def run(self, requests: Mapping[str, Request]) -> AsyncIterator[Event]:
            sizes.append(len(requests))
            return super().run(requests)

    made = await judged(REFUND_DESK, Scripted.named("honest"), tmp_path / "l.jsonl")
    await made.validate()
    asker, ledger = made.session.asker, made.session.ledger
    session = JudgeSession(made.session.survey, asker, ledger, slice=slice)
    assert session.restore()
    permit = session.certificate()
    assert permit is not None
    async for _ in session.judge(permit, lambda: Sized(Scripted.named("honest"), asker.identity, ledger)):
        pass
    first_looks = [size for size in sizes if size >= min(expected)]
    assert (first_looks, len(session.verdicts(permit))) == (expected, 24)

"""The scripted judges that ship: the validation exposes each one's flaw, and the script that made them makes them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agent_tui.judge.validation import Validation
from agent_tui.providers.scripted import Scripted
from agent_tui.reports.validation import bias_lines
from tests.judge.judged import CYBERTRAVELS, REFUND_DESK, SAMPLES, judged

NAMES = ("honest", "lenient", "length-biased", "gullible", "label-order")


async def validation(name: str, folder: Path) -> Validation:
    made = await judged(REFUND_DESK, Scripted.named(name), folder / "l.jsonl")
    await made.validate()
    assert made.session.validation is not None
    return made.session.validation


def pointed_out(found: Validation) -> set[str]:
    return {name for name, _, points in bias_lines(found.biases, found.judge.family) if points}


async def test_the_honest_judge_is_accepted_and_nothing_is_pointed_out(tmp_path: Path) -> None:
    found = await validation("honest", tmp_path)
    assert found.gate.state == "accepted"
    assert found.confusion.labelled >= 60
    assert pointed_out(found) == set()
    assert (found.biases.held.k, found.biases.held.n) == (36, 36)


async def test_the_lenient_judge_agrees_often_and_is_rejected_for_its_false_passes(tmp_path: Path) -> None:
    found = await validation("lenient", tmp_path)
    assert found.gate.state == "rejected"
    assert "false_pass_high_bound" in found.gate.codes
    assert found.confusion.agreement_decided.rate is not None
    assert found.confusion.agreement_decided.rate > 0.75
    assert len(found.false_passes) == found.confusion.fp > 8


async def test_the_length_biased_judge_is_seen_by_length_and_by_padding(tmp_path: Path) -> None:
    found = await validation("length-biased", tmp_path)
    assert {"length", "padding"} <= pointed_out(found)
    assert all(run.length > 400 for run in found.false_passes)


async def test_the_gullible_judge_is_steered_by_attacks_and_by_runs(tmp_path: Path) -> None:
    found = await validation("gullible", tmp_path)
    assert "attacks" in pointed_out(found)
    assert len(found.steered) == 3
    assert not any(run.counts for run in found.steered)


async def test_the_label_order_judge_changes_with_the_order(tmp_path: Path) -> None:
    found = await validation("label-order", tmp_path)
    assert pointed_out(found) == {"order"}
    assert found.biases.order_flips.k > 60


@pytest.mark.parametrize("name", NAMES)
def test_a_scripted_judge_is_named_as_no_model(name: str) -> None:
    assert Scripted.named(name).name == f"scripted: {name} (no model)"
    assert "no model" in (SAMPLES / "judges" / f"{name}.toml").read_text("utf-8").splitlines()[0]


def test_the_script_makes_what_ships(tmp_path: Path) -> None:
    (tmp_path / CYBERTRAVELS.name).write_bytes(CYBERTRAVELS.read_bytes())
    script = SAMPLES / "made_by" / "make_refund_desk.py"
    subprocess.run([sys.executable, script, tmp_path], check=True, cwd=SAMPLES.parent)
    made = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert made == {path: (SAMPLES / path).read_bytes() for path in made}
    assert len(made) == 2 + len(NAMES)

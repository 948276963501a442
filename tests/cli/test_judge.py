"""`judge`: the half without a model first, the validation before any verdict, and the right way to end."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from agent_tui.providers import choose
from agent_tui.reports.judgement import Unvalidated, require_validation
from tests.cli.conftest import KEY, Ran, Runs
from tests.judge.judged import REFUND_DESK, SAMPLES
from tests.providers.behaviour import Behaviour, error
from tests.providers.loopback import Loopback
from tests.writing import CYBERTRAVELS

HONEST = ("--judge-provider", "scripted:honest")
CONTRACT = ("tool_call_accuracy", "output_accuracy", "judge", "judge_validation", "headline", "not_measured")


pytestmark = pytest.mark.usefixtures("unconfigured")


def keyed_files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


# Without a judge


def test_without_a_judge_the_half_without_a_model_is_printed_and_the_end_is_2(agent_tui: Runs) -> None:
    ran = agent_tui("judge", CYBERTRAVELS)
    assert ran.status == 2
    assert ran.out.startswith(agent_tui("score", CYBERTRAVELS).out)
    assert "for a judge  5 labelled (2 right, 3 wrong; 5 by recorded label), 1 to judge" in ran.out
    assert ran.err.splitlines()[-1] == f"agent-tui: {choose.NO_JUDGE}"


def test_without_a_judge_the_document_still_holds_the_contract(agent_tui: Runs) -> None:
    ran = agent_tui("judge", CYBERTRAVELS, "--json")
    assert ran.status == 2
    assert [key for key in CONTRACT if key not in ran.document] == []
    assert ran.document["judge"] == []
    assert ran.document["judge_validation"]["agreement"] is None


# Validation before verdicts


def test_cybertravels_is_validated_on_five_runs_and_its_verdict_stays_locked(agent_tui: Runs) -> None:
    ran = agent_tui("judge", CYBERTRAVELS, *HONEST, "--json")
    validation, gate = ran.document["judge_validation"], ran.document["gate"]
    assert ran.status == 0
    assert (validation["labelled_n"], validation["agreement"]) == (5, 1.0)
    assert (validation["false_pass"], validation["false_fail"]) == (0, 0)
    assert validation["rates"]["agreement_decided"]["low"] == pytest.approx(0.5655, abs=1e-4)
    assert (gate["state"], gate["model"], gate["override"]) == ("insufficient", "honest", None)
    assert len(gate["rubric_digest"]) == len(gate["key"]) == 64
    assert ran.document["judge"] == []


def test_the_panel_is_printed_before_any_verdict(agent_tui: Runs) -> None:
    lines = agent_tui("judge", CYBERTRAVELS, *HONEST, "--show-anyway", "a demo").out.splitlines()
    at = {word: next(i for i, line in enumerate(lines) if line.lstrip().startswith(word)) for word in
          ("output", "Neither number needed a model", "judge scripted: honest (no model)", "agreement",
           "false passes", "false fails", "gate insufficient", "verdicts on", "R5 ")}  # fmt: skip
    assert list(at.values()) == sorted(at.values())
    assert "judge not validated" in lines[at["R5 "]]
    assert lines[at["verdicts on"] + 1] == "  shown all the same: a demo"


def test_an_override_shows_marks_and_counts_nothing(agent_tui: Runs) -> None:
    document = agent_tui("judge", CYBERTRAVELS, *HONEST, "--show-anyway", "a demo", "--json").document
    (verdict,) = document["judge"]
    assert (verdict["run"], verdict["verdict"], verdict["validated"]) == ("R5", "pass", False)
    assert document["gate"]["override"]["reason"] == "a demo"
    assert document["judged"]["pass_low"] is None
    assert "is insufficient: its verdicts are in no number" in document["headline"]


def test_an_accepted_judge_shows_its_verdicts_with_bounds(agent_tui: Runs) -> None:
    document = agent_tui("judge", str(REFUND_DESK), *HONEST, "--json").document
    assert document["gate"]["state"] == "accepted"
    assert len(document["judge"]) == 24
    assert all(verdict["validated"] for verdict in document["judge"])
    judged = document["judged"]
    assert judged["pass_low"] <= judged["corrected"] <= 1
    assert judged["corrected_by"] == "Rogan-Gladen"


def test_requiring_acceptance_is_a_gate(agent_tui: Runs) -> None:
    refused = agent_tui("judge", CYBERTRAVELS, *HONEST, "--require-accepted")
    assert refused.status == 1
    assert "gate not met: the judge is insufficient" in refused.err
    assert agent_tui("judge", str(REFUND_DESK), *HONEST, "--require-accepted").status == 0


def test_a_document_with_verdicts_and_no_validation_is_refused() -> None:
    verdict = {"run": "R5", "verdict": "pass", "why": ""}
    for validation in (None, {}, {"labelled_n": 0, "agreement": None, "false_pass": 0, "false_fail": 0}):
        with pytest.raises(Unvalidated):
            require_validation({"judge": [verdict], "judge_validation": validation})
    require_validation({"judge": [], "judge_validation": None})


@pytest.mark.parametrize("options", [("--show-anyway", " "), ("--rubric", "nowhere.toml"), ("--use-bundle-rubric",),
                                     ("--labels", "nowhere.jsonl"), ("--resume",), ("--repeat", "0")])  # fmt: skip
def test_what_cannot_be_is_said_in_a_line(agent_tui: Runs, options: tuple[str, ...]) -> None:
    ran = agent_tui("judge", CYBERTRAVELS, *HONEST, *options)
    assert ran.status == 2
    assert ran.err.splitlines()[-1].startswith("agent-tui: ")
    assert "Traceback" not in ran.err


# The vendor's interface


def test_nothing_is_sent_before_it_is_agreed_to(agent_tui: Runs, service: Loopback) -> None:
    ran = agent_tui("judge", CYBERTRAVELS)
    assert ran.status == 2
    assert "validation: 56 calls" in ran.err
    assert "--yes agrees" in ran.err
    assert service.asked() == 0


def test_the_text_that_would_be_sent_can_be_read(agent_tui: Runs, service: Loopback) -> None:
    ran = agent_tui("judge", CYBERTRAVELS, "--show-prompt")
    assert "Please cancel my Rome flight BK-8812" in ran.out
    assert service.asked() == 0


def test_the_vendors_interface_validates_and_judges(agent_tui: Runs, service: Loopback, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.jsonl"
    ran = agent_tui("judge", CYBERTRAVELS, "--yes", "--ledger", str(ledger), "--show-anyway", "a demo", "--json")
    assert ran.status == 0, ran.err
    assert ran.document["gate"]["name"] == "anthropic claude-haiku-5-5"
    assert ran.document["judge_validation"]["labelled_n"] == 5
    assert [verdict["run"] for verdict in ran.document["judge"]] == ["R5"]
    assert service.asked() == 57
    again = agent_tui("judge", CYBERTRAVELS, "--yes", "--ledger", str(ledger), "--show-anyway", "a demo", "--json")
    assert service.asked() == 57
    assert again.out == ran.out


def test_a_replay_prints_the_same_bytes_without_a_service(
    agent_tui: Runs, service: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = tmp_path / "ledger.jsonl"
    asked = ("judge", CYBERTRAVELS, "--yes", "--show-anyway", "a demo")
    live = [agent_tui(*asked, "--ledger", str(ledger), *form).out for form in ((), ("--json",))]
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    replay = ("--judge-provider", f"replay:{ledger}")
    assert [agent_tui(*asked, *replay, *form).out for form in ((), ("--json",))] == live


def test_the_key_is_nowhere(
    agent_tui: Runs, service: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_TUI_LOG", str(tmp_path / "bug.log"))
    monkeypatch.setenv("AGENT_TUI_STATE_DIR", str(tmp_path / "state"))
    outs: list[Ran] = []
    service.script(error(401, "authentication_error"))
    for form in ((), ("--json",)):
        outs.append(agent_tui("judge", CYBERTRAVELS, "--yes", "--show-anyway", "a demo", *form))
    assert [ran.status for ran in outs] == [5, 0]
    assert not any(KEY in ran.out + ran.err for ran in outs)
    assert list((tmp_path / "state").rglob("*.jsonl"))
    assert keyed_files(tmp_path) == []


@pytest.mark.parametrize(
    ("behaviour", "status"),
    [
        (error(401, "authentication_error"), 5),
        (error(402, "billing_error"), 5),
        (error(403, "permission_error"), 5),
    ],
)
def test_a_service_that_refuses_ends_with_5_after_one_call(
    agent_tui: Runs, service: Loopback, behaviour: Behaviour, status: int
) -> None:
    service.always(behaviour)
    ran = agent_tui("judge", CYBERTRAVELS, "--yes", "--concurrency", "1")
    assert ran.status == status
    assert service.asked() == 1
    assert "the same command goes on" in ran.err.splitlines()[-1]


def test_a_budget_ends_with_4_and_keeps_what_was_judged(agent_tui: Runs, service: Loopback, tmp_path: Path) -> None:
    asked = ("judge", CYBERTRAVELS, "--yes", "--ledger", str(tmp_path / "l.jsonl"), "--concurrency", "1", "--json")
    ran = agent_tui(*asked, "--max-cost", "0.01")
    assert ran.status == 4
    made = service.asked()
    assert 0 < made < 56
    assert ran.document["judge_validation"]["labelled_n"] == 0
    assert agent_tui(*asked).status == 0
    assert service.asked() == 56


def test_a_budget_of_a_model_without_a_price_stops_before_the_first_call(agent_tui: Runs, service: Loopback) -> None:
    ran = agent_tui("judge", CYBERTRAVELS, "--yes", "--judge-model", "claude-opus-4-8", "--max-cost", "5")
    assert ran.status == 4
    assert "price of claude-opus-4-8 is not known" in ran.err
    assert service.asked() == 0


def test_labels_of_another_file_are_taken(agent_tui: Runs, tmp_path: Path) -> None:
    bundle = tmp_path / "one.json"
    runs = [{"id": "a", "input": "q", "actual": {"answer": "Oslo"}, "expected": {"answer": "Oslo"}},
            {"id": "b", "input": "q", "actual": {"answer": "Rome it is"}}]  # fmt: skip
    bundle.write_bytes(msgspec.json.encode({"schema": "agent-tui/1", "bundle": {"id": "x"}, "runs": runs}))
    shut = agent_tui("judge", str(bundle), *HONEST, "--json")
    assert shut.document["gate"]["state"] == "no_labels"
    assert shut.document["gate"]["settles"] == "label a wrong answer"


def test_the_rubric_of_a_bundle_is_used_only_when_it_is_asked_for(agent_tui: Runs, tmp_path: Path) -> None:
    document = json.loads((SAMPLES / "cybertravels.json").read_text("utf-8"))
    example = {"task": "t", "answer": "a", "why": "w"}
    document["rubric"] = {
        "id": "pass-all",
        "version": 1,
        "criteria": [{"id": "any", "words": "There is an answer."}],
        "examples": [example | {"verdict": verdict} for verdict in ("pass", "fail", "undetermined")],
    }
    bundle = tmp_path / "own.json"
    bundle.write_text(json.dumps(document))
    used = [agent_tui("judge", str(bundle), *HONEST, "--json", *more).document["gate"]["rubric"]
            for more in ((), ("--use-bundle-rubric",))]  # fmt: skip
    assert used == ["general 1", "pass-all 1"]


# Verdicts that came with the bundle


def recorded_of(agent_tui: Runs, case: str, *more: str) -> list[dict[str, object]]:
    (path,) = Path(__file__).parent.parent.glob(f"cases/{case}-*/run.json")
    ran = agent_tui("judge", str(path), *HONEST, "--json", *more)
    groups: list[dict[str, object]] = ran.document["recorded_judges"]
    return groups


def test_a_judge_that_always_says_pass_is_shown_by_its_false_passes_and_hides_the_rest(agent_tui: Runs) -> None:
    (group,) = recorded_of(agent_tui, "18")
    validation = group["judge_validation"]
    assert isinstance(validation, dict)
    assert (validation["labelled_n"], validation["agreement"], validation["kappa"]) == (20, 0.9, 0.0)
    assert validation["false_pass_runs"] == ["t07", "t15"]
    assert (group["hidden"], group["verdicts"]) == (["t21", "t22", "t23", "t24"], [])


def test_recorded_verdicts_are_shown_for_a_reason_and_marked(agent_tui: Runs) -> None:
    (group,) = recorded_of(agent_tui, "18", "--show-anyway", "curious")
    verdicts = group["verdicts"]
    assert isinstance(verdicts, list)
    assert len(verdicts) == 24
    assert all(verdict["recorded"] and not verdict["validated"] for verdict in verdicts)


def test_what_was_not_judged_is_named_and_never_a_fail(agent_tui: Runs) -> None:
    (group,) = recorded_of(agent_tui, "15")
    assert group["not_judged"] == {
        "t6": "cut off: the reply ends in the middle of its JSON",
        "t7": "empty: the reply is empty",
        "t8": "refusal: the reply is a refusal in words",
    }


def test_verdicts_of_several_judges_stand_side_by_side(agent_tui: Runs) -> None:
    groups = recorded_of(agent_tui, "17")
    assert [(group["standing"], group["judged"]) for group in groups] == [
        ("current", 2), ("other judge", 3), ("unknown judge", 1),
    ]  # fmt: skip


def test_text_of_runs_cannot_act_on_the_terminal(agent_tui: Runs, tmp_path: Path) -> None:
    evil = "\x1b[2J\x1b]0;passed\x07 \u202egnorw"
    runs = [{"id": f"r{n}{evil}", "input": evil, "actual": {"answer": f"Paris {evil}"}, "expected": {"answer": truth}}
            for n, truth in enumerate(("Paris", "Rome"))]  # fmt: skip
    runs.append({"id": "open", "input": evil, "actual": {"answer": f"Oslo {evil}"}})  # type: ignore[dict-item]
    bundle, judge = tmp_path / "evil.json", tmp_path / "judge.toml"
    bundle.write_bytes(msgspec.json.encode({"schema": "agent-tui/1", "bundle": {"id": evil}, "runs": runs}))
    judge.write_text('name = "all"\nflaws = [{when = "always", say = "pass"}]\n')
    ran = agent_tui("judge", str(bundle), "--judge-provider", f"scripted:{judge}", "--show-anyway", f"why {evil}")
    assert ran.status == 0
    assert "1 false pass" in ran.out
    assert not {"\x1b", "\x07", "\u202e"} & set(ran.out + ran.err)

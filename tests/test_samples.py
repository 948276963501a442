"""The bundles that ship hold the published runs and give the published figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.bundles import load
from agent_tui.reports.document import score_document
from agent_tui.scoring import LEVELS

SAMPLES = Path(__file__).parent.parent / "sample_runs"
BK_8812, BK_9001, BK_3120 = {"id": "BK-8812"}, {"id": "BK-9001"}, {"id": "BK-3120"}

CYBERTRAVELS = {
    "R1": (
        [("lookup_booking", BK_8812), ("refund", BK_8812 | {"amount": 240})],
        [("lookup_booking", BK_8812), ("refund", BK_8812 | {"amount": 240})],
        "refunded 240",
    ),
    "R2": (
        [("lookup_booking", BK_9001), ("refund", BK_9001 | {"amount": 1400})],
        [("lookup_booking", BK_9001), ("refund", BK_9001 | {"amount": 140})],
        "refunded 140",
    ),
    "R3": ([("read_policy", {"topic": "refund"})], [("read_policy", {"topic": "refund"})], "500"),
    "R4": (
        [("book", {"city": "BER"}), ("release", {"id": "BK-7400"})],
        [("release", {"id": "BK-7400"}), ("book", {"city": "BER"})],
        "one active booking",
    ),
    "R5": ([("read_invoice", {"id": "INV-55"})], [("read_invoice", {"id": "INV-55"})], None),
    "R6": (
        [("lookup_booking", BK_3120), ("refund", BK_3120 | {"amount": 5200})],
        [("lookup_booking", BK_3120), ("request_approval", {"amount": 5200})],
        "approval required",
    ),
}
"""Run: what it did, what it should have done, the recorded truth."""

DOCENT = {
    "rate-429": (1.0, 1, 0, True),
    "pro-rpm": (0.67, 1, 0, True),
    "pro-cost": (0.8, 1, 0, True),
    "region": (0.47, 2, 0, False),
    "scale-bkup": (0.5, 1, 0, True),
    "sdk-env": (1.0, 1, 0, True),
    "free-cap": (1.0, 1, 0, True),
    "oos-mongo": (0.42, 3, 0, False),
}
"""Task: published query quality, calls, redundant calls, whether it matches the reference path."""

# fmt: off
STOP_WORDS = {
    "a", "an", "and", "are", "can", "do", "does", "for", "how", "in", "is", "it", "of", "on", "per",
    "that", "the", "to", "what", "when", "which", "you",
}
# fmt: on


def bundle(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((SAMPLES / name).read_text(encoding="utf-8"))
    return document


def runs(name: str) -> dict[str, dict[str, Any]]:
    return {run["id"]: run for run in bundle(name)["runs"]}


def pairs(calls: list[dict[str, Any]]) -> list[tuple[str, Any]]:
    return [(call["name"], call["args"]) for call in calls]


def search(documents: list[dict[str, str]], query: str) -> list[str]:
    """The two documents that share most words with the query; ties keep the order of the documents."""

    def shared(document: dict[str, str]) -> int:
        return len(set(query.lower().split()) & set(f"{document['title']} {document['text']}".lower().split()))

    return [document["id"] for document in sorted(documents, key=shared, reverse=True)[:2]]


def content_words(text: str) -> set[str]:
    return set(text.lower().split()) - STOP_WORDS


@pytest.mark.parametrize("name", CYBERTRAVELS)
def test_cybertravels_holds_the_published_run(name: str) -> None:
    did, should, truth = CYBERTRAVELS[name]
    run = runs("cybertravels.json")[name]
    assert pairs(run["actual"]["calls"]) == did
    assert pairs(run["expected"]["calls"]) == should
    assert run["expected"].get("answer") == truth


def test_cybertravels_holds_six_runs_and_no_recorded_verdict() -> None:
    document = bundle("cybertravels.json")
    assert [run["id"] for run in document["runs"]] == list(CYBERTRAVELS)
    assert "verdicts" not in document
    assert set(document["human_labels"]) == set(CYBERTRAVELS) - {"R5"}


@pytest.mark.parametrize("name", DOCENT)
def test_docent_recorded_what_the_retriever_returns(name: str) -> None:
    documents = bundle("docent.json")["bundle"]["metadata"]["documents"]
    calls = runs("docent.json")[name]["actual"]["calls"]
    assert [call["documents"] for call in calls] == [search(documents, c["args"]["query"]) for c in calls]


@pytest.mark.parametrize("name", DOCENT)
def test_docent_gives_the_published_row(name: str) -> None:
    run = runs("docent.json")[name]
    calls, reference = run["actual"]["calls"], run["expected"]["documents"]
    asked = content_words(run["input"].replace("?", "").replace("'", ""))
    queries = [content_words(call["args"]["query"]) for call in calls]
    quality = sum(len(words & asked) / len(words) for words in queries) / len(queries)
    redundant = len(calls) - len({call["args"]["query"].strip().lower() for call in calls})
    found = not reference or bool(set(reference) & set(calls[0]["documents"]))
    assert (round(quality, 2), len(calls), redundant, len(calls) == 1 and found) == DOCENT[name]


def test_docent_says_which_trajectories_are_published() -> None:
    said = bundle("docent.json")["bundle"]["metadata"]["trajectories"]
    assert said["published"] == ["rate-429", "free-cap", "oos-mongo"]
    assert set(said["published"] + said["reconstructed"]) == set(DOCENT)


def document(name: str) -> dict[str, Any]:
    opened = load([str(SAMPLES / name)])
    return score_document(opened, opened.scorecard())


def test_cybertravels_scores_as_published() -> None:
    scored = document("cybertravels.json")
    accuracy = {"exact": 0.5, "name_only": 0.667, "order_ignored": 0.667, "n": 6}
    assert scored["tool_call_accuracy"] == accuracy
    output = {"correct": 2, "incorrect": 3, "unscoreable": 1, "accuracy": 0.4}
    assert scored["output_accuracy"] | output == scored["output_accuracy"]


def test_the_two_extra_passes_of_cybertravels_are_different_runs() -> None:
    passing = {
        matcher: {run["id"] for run in document("cybertravels.json")["runs"] if run["matchers"][matcher] == "pass"}
        for matcher in ("exact", "name_only", "order_ignored")
    }
    assert passing["exact"] == {"R1", "R3", "R5"}
    assert passing["name_only"] == passing["exact"] | {"R2"}
    assert passing["order_ignored"] == passing["exact"] | {"R4"}


def test_the_flip_of_r2_is_noticed_by_exact_and_order_ignored_alone() -> None:
    opened = load([str(SAMPLES / "cybertravels.json")])
    before, r2 = opened.scorecard(), json.loads(opened.record(1))
    r2["expected"]["calls"][1]["args"]["amount"] = 1400
    opened.edit(1, json.dumps(r2).encode())
    passed = {name: tally.passed for name, tally in opened.scorecard().tallies.items()}
    assert (passed["exact"], passed["name_only"], passed["order_ignored"]) == (4, 4, 5)
    assert passed["output"] == before.tallies["output"].passed == 2


def test_docent_scores_as_published() -> None:
    scored = document("docent.json")
    assert {name: level["rate"] for name, level in scored["levels"].items()} == {
        "task_success": 1.0,
        "tool_call_correctness": 1.0,
        "trajectory_quality": 0.75,
    }
    weak = [(path["run"], path["calls"], path["document_surfaced"]) for path in scored["weak_paths"]]
    assert weak == [("region", 2, True), ("oos-mongo", 3, False)]


@pytest.mark.parametrize("name", DOCENT)
def test_docent_rows_are_the_published_ones(name: str) -> None:
    [row] = [run for run in document("docent.json")["runs"] if run["id"] == name]
    quality, calls, redundant, matches = DOCENT[name]
    assert row["calls"] == calls
    assert row["levels"] == row["levels"] | {
        "success": True,
        "called": True,
        "valid": True,
        "query_quality": quality,
        "redundancy": redundant,
        "matches_reference": matches,
    }


def test_the_inspect_log_opens_with_both_epochs_and_its_crashed_sample() -> None:
    scored = document("travel-inspect.eval")
    assert (scored["bundle"]["runs"], scored["bundle"]["skipped"]) == (12, [])
    assert sorted({run["epoch"] for run in scored["runs"]}) == [1, 2]
    assert {run["task"] for run in scored["runs"] if run["status"] == "error"} == {"desk-closed"}
    success = scored["levels"]["task_success"]
    assert (success["passed"], success["scored"], success["errors"]) == (4, 10, 2)


def test_the_chat_log_opens_with_every_call() -> None:
    scored = document("travel-chat.jsonl")
    assert {run["id"]: run["calls"] for run in scored["runs"]} == {
        "swap-seats": 4,
        "too-much": 3,
        "cut-off": 3,
        "small-talk": 0,
    }


def test_a_repeated_search_moves_redundancy_and_quality_and_no_level() -> None:
    opened = load([str(SAMPLES / "docent.json")])
    levels = {name: opened.scorecard().tallies[name].passed for name in LEVELS}
    run = json.loads(opened.record(7))
    run["actual"]["calls"].insert(1, run["actual"]["calls"][0])
    opened.edit(7, json.dumps(run).encode())
    edited = opened.score(7)
    assert (edited.calls, edited.levels.redundancy) == (4, 1)
    assert edited.levels.query_quality == pytest.approx(0.48, abs=0.005)
    assert {name: opened.scorecard().tallies[name].passed for name in LEVELS} == levels

"""What other matchers say of the same pairs, and where ours differ on purpose (design: matchers, section 9)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.matchers import MATCHERS, match, match_mode
from agent_tui.runs import State
from tests.make_run import make_run

PAIRS = json.loads((Path(__file__).parents[1] / "conformance" / "trajectory-pairs.json").read_text())["pairs"]
BOOLEANS = {"t045": State.FAIL, "t046": State.FAIL}
TEXT_ARGUMENTS = {"t091": State.PASS}
NOTHING_EXPECTED = {"t023": State.VACUOUS, "t024": State.VACUOUS}
COLUMNS = {
    "exact": ("adk.exact", BOOLEANS | TEXT_ARGUMENTS),
    "name_only": ("pydantic_evals.trajectory_match_exact+names_only", {}),
    "order_ignored": ("agentevals.unordered", BOOLEANS),
    "in_order": ("adk.in_order", BOOLEANS | TEXT_ARGUMENTS | NOTHING_EXPECTED),
    "any_order": ("adk.any_order", BOOLEANS | TEXT_ARGUMENTS | NOTHING_EXPECTED),
    "subset": ("agentevals.subset", BOOLEANS),
    "exact_groups": ("agentevals.strict", BOOLEANS | {"t037": State.PASS, "t038": State.PASS}),
}


@pytest.mark.parametrize("matcher", COLUMNS)
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["id"])
def test_a_pair_gets_the_verdict_of_the_peer_or_ours_on_purpose(pair: dict[str, Any], matcher: str) -> None:
    column, ours = COLUMNS[matcher]
    peer = State.PASS if pair["peers"][column] in (True, 1.0) else State.FAIL
    found = match(make_run(pair["expected"], pair["actual"]))
    assert found.states[MATCHERS.index(matcher)] == ours.get(pair["id"], peer)


def test_superset_arguments_do_not_depend_on_the_listing_order() -> None:
    pair = next(pair for pair in PAIRS if pair["id"] == "t101")
    turned = pair | {"expected": pair["expected"][::-1]}
    for one in (pair, turned):
        run = make_run(one["expected"], one["actual"])
        assert match_mode(run, "superset+args_superset") is State.PASS

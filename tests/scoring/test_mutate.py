"""The sweep: its counters by hand for two samples, and the laws that they obey."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.bundles import load
from agent_tui.bundles.sweeping import sweep_rows
from agent_tui.matchers import MATCHERS
from agent_tui.runs import Run
from agent_tui.scoring import Plan
from agent_tui.scoring.mutate import Subject, sweeping
from agent_tui.scoring.mutations import ANSWER_MUTATIONS, MUTATIONS, TRAJECTORY_MUTATIONS
from agent_tui.scoring.sweep import (
    FAILING,
    MISSED,
    NOTICED,
    READ_BY,
    SWEPT,
    Cell,
    Sweep,
    blind_spots,
    merge,
    sharp_matchers,
)
from tests.make_run import make_run
from tests.matchers.strategies import CALLS
from tests.writing import CYBERTRAVELS, DOCENT

Counts = tuple[int, int, int]


def swept(path: str, seed: int = 0) -> Sweep:
    sweep = Sweep(seed)
    for _ in sweep_rows(load([path]), sweep):
        pass
    return sweep


def sweep_of(*runs: Run, first: int = 0, seed: int = 0, plan: Plan | None = None) -> Sweep:
    sweep, shared = Sweep(seed), plan or Plan()
    for _ in sweeping([Subject(first + at, run.id, run, shared) for at, run in enumerate(runs)], sweep):
        pass
    return sweep


def counts(sweep: Sweep, measure: str) -> list[Counts | None]:
    """applied, noticed, already failing under each mutation."""
    cells = [sweep.cell(mutation, measure) for mutation in MUTATIONS]
    return [None if cell is None else (cell.applied, cell.noticed, cell.already_failing) for cell in cells]


# CyberTravels by hand, from the reference page. The runs made 2 2 1 2 1 2 calls (R1 to R6) with 3 3 1 2 1 3 arguments.
# Mutants: 3+3+1+2+1+3 = 13 wrong arguments; 2+2+1+2+1+2 = 10 calls dropped, doubled, retried, of a wrong tool; an extra
# call in each of 6 runs; one pair of neighbours in each of the 4 runs with two calls.
# Answers: R5 has no truth, so nothing can notice there. One number each in R1 (240.00), R2 (1400.00), R3 (500) and R6
# (5200.00), none in R4: 4. Denied: R1 R2 R3 R4 R6: 5.
CYBER_MADE = [13, 10, 10, 6, 4, 10, 10, 4, 5]
# exact passes R1 R3 R5: 3+1+1 = 5 arguments, 2+1+1 = 4 calls, 3 runs, 1 pair (R1). It failed the rest: 8 6 6 3 3 6 6.
EXACT: list[Counts | None] = [
    (5, 5, 8), (4, 4, 6), (4, 4, 6), (3, 3, 3), (1, 1, 3), (4, 4, 6), (4, 4, 6), None, None,
]  # fmt: skip
# name_only passes R1 R2 R3 R5: 3+3+1+1 = 8 arguments, none of which it reads; 2+2+1+1 = 6 calls, 4 runs, 2 pairs.
NAME_ONLY: list[Counts | None] = [
    (8, 0, 5), (6, 6, 4), (6, 6, 4), (4, 4, 2), (2, 2, 2), (6, 6, 4), (6, 6, 4), None, None,
]  # fmt: skip
# order_ignored passes R1 R3 R4 R5: 3+1+2+1 = 7 arguments, 2+1+2+1 = 6 calls, 4 runs, the pairs of R1 and R4, unnoticed.
ORDER_IGNORED: list[Counts | None] = [
    (7, 7, 6), (6, 6, 4), (6, 6, 4), (4, 4, 2), (2, 0, 2), (6, 6, 4), (6, 6, 4), None, None,
]  # fmt: skip
# in_order passes what exact passes and forgives whatever is made beside: a doubled, extra or failed call.
IN_ORDER: list[Counts | None] = [
    (5, 5, 8), (4, 4, 6), (4, 0, 6), (3, 0, 3), (1, 1, 3), (4, 4, 6), (4, 0, 6), None, None,
]  # fmt: skip
# any_order passes what order_ignored passes, forgives the same as in_order, and the order.
ANY_ORDER: list[Counts | None] = [
    (7, 7, 6), (6, 6, 4), (6, 0, 4), (4, 0, 2), (2, 0, 2), (6, 6, 4), (6, 0, 4), None, None,
]  # fmt: skip
# subset passes the same runs and forgives what is missing, and the order.
SUBSET: list[Counts | None] = [
    (7, 7, 6), (6, 0, 4), (6, 6, 4), (4, 4, 2), (2, 0, 2), (6, 6, 4), (6, 6, 4), None, None,
]  # fmt: skip
# The calls of all runs but R6 were right: 13-3 = 10 arguments, 10-2 = 8 calls, 5 runs, 3 pairs. It asks whether each
# expected tool was called with arguments that its schema allows: it sees a missing and a wrong tool, nothing else.
TOOL_CALLS: list[Counts | None] = [
    (10, 0, 3), (8, 8, 2), (8, 0, 2), (5, 0, 1), (3, 0, 1), (8, 8, 2), (8, 0, 2), None, None,
]  # fmt: skip
# Repeats rise where a call is doubled; a retry is no repeat. A count can rise in any run, so none fails before.
REPEATS: list[Counts | None] = [
    (13, 0, 0), (10, 0, 0), (10, 10, 0), (6, 0, 0), (4, 0, 0), (10, 0, 0), (10, 0, 0), None, None,
]  # fmt: skip
# Output passes R1 and R3: their numbers 240.00 and 500, and "not refunded 240.00", "Up to not 500".
OUTPUT: list[Counts | None] = [None] * 7 + [(2, 2, 2), (2, 2, 3)]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("exact", EXACT), ("exact_groups", EXACT), ("name_only", NAME_ONLY), ("order_ignored", ORDER_IGNORED),
        ("in_order", IN_ORDER), ("any_order", ANY_ORDER), ("subset", SUBSET), ("required_tools", [None] * 9),
        ("forbidden_tools", [None] * 9), ("output", OUTPUT), ("task_success", OUTPUT),
        ("tool_call_correctness", TOOL_CALLS), ("trajectory_quality", EXACT), ("redundancy", REPEATS),
    ],
)  # fmt: skip
@pytest.mark.parametrize("seed", [0, 7])
def test_cybertravels_by_hand(measure: str, expected: list[Counts | None], seed: int) -> None:
    sweep = swept(CYBERTRAVELS, seed)
    assert [sweep.made(mutation) for mutation in MUTATIONS] == CYBER_MADE
    assert counts(sweep, measure) == expected


def test_the_blind_spots_of_cybertravels() -> None:
    sweep = swept(CYBERTRAVELS)
    found = {(spot.measure, spot.mutation, spot.applied) for spot in blind_spots(sweep)}
    assert {("name_only", "wrong_argument", 8), ("order_ignored", "swapped_calls", 2)} <= found
    assert {measure for measure, _, _ in found}.isdisjoint({"exact", "exact_groups", "output", "redundancy"})
    assert sharp_matchers(sweep) == ("exact", "exact_groups")


# The Docent by hand, from the reference page: 6 tasks with 1 call, region with 2, oos-mongo with 3 = 11 calls, each
# with one argument; 8 runs; 1+2 = 3 pairs. No trajectory is expected, so the matchers know nothing.
# Answers: a number stands in those of rate-429, pro-rpm, pro-cost, scale-bkup and free-cap: 5. All 8 are denied.
DOCENT_MADE = [11, 11, 11, 8, 3, 11, 11, 5, 8]
# All calls were right. Without its only search a run called nothing (6 tasks), and so with another tool; region and
# oos-mongo keep a search whose words the question holds. A wrong query still has words of the question.
DOCENT_CALLS: list[Counts | None] = [
    (11, 0, 0), (11, 6, 0), (11, 0, 0), (8, 0, 0), (3, 0, 0), (11, 6, 0), (11, 0, 0), None, None,
]  # fmt: skip
# The 6 tasks with 1 call match the reference: one call that returned the document. It sees how many searches there are.
DOCENT_PATH: list[Counts | None] = [
    (6, 0, 5), (6, 6, 5), (6, 6, 5), (6, 0, 2), (0, 0, 3), (6, 6, 5), (6, 6, 5), None, None,
]  # fmt: skip
# Redundancy is calls less distinct queries: a failed search with the same query counts.
DOCENT_REPEATS: list[Counts | None] = [
    (11, 0, 0), (11, 0, 0), (11, 11, 0), (8, 0, 0), (3, 0, 0), (11, 0, 0), (11, 11, 0), None, None,
]  # fmt: skip
# All 8 answers are right. region ("no") and oos-mongo (a refusal) are right by words that deny, and stay so when the
# whole is denied: 6 of 8.
DOCENT_OUTPUT: list[Counts | None] = [None] * 7 + [(5, 5, 0), (8, 6, 0)]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        *((matcher, [None] * 9) for matcher in MATCHERS), ("output", DOCENT_OUTPUT), ("task_success", DOCENT_OUTPUT),
        ("tool_call_correctness", DOCENT_CALLS), ("trajectory_quality", DOCENT_PATH), ("redundancy", DOCENT_REPEATS),
    ],
)  # fmt: skip
def test_docent_by_hand(measure: str, expected: list[Counts | None]) -> None:
    sweep = swept(DOCENT)
    assert [sweep.made(mutation) for mutation in MUTATIONS] == DOCENT_MADE
    assert counts(sweep, measure) == expected


def test_a_cell_opens_its_runs_the_missed_ones_first() -> None:
    sweep = swept(CYBERTRAVELS)
    assert sweep.rows_behind("wrong_argument", "name_only") == (0, 1, 2, 4)
    assert sweep.rows_behind("swapped_calls", "order_ignored") == (0, 3)
    assert sweep.rows_behind("negated_answer", "output") == (0, 2)
    assert sweep.rows_behind("negated_answer", "exact") == ()
    docent = swept(DOCENT)
    assert docent.rows_behind("negated_answer", "output")[:2] == (3, 7)
    assert docent.rows_behind("swapped_calls", "trajectory_quality") == (3, 7)


def test_behind_a_cell_stand_row_and_place() -> None:
    sweep = swept(CYBERTRAVELS)
    noticed = list(sweep.behind("wrong_argument", "exact", NOTICED))
    assert [(each.row, each.place) for each in noticed[:2]] == [(0, "calls[0].args.id"), (0, "calls[1].args.id")]
    assert len(noticed) == 5
    assert list(sweep.behind("wrong_argument", "exact", MISSED)) == []
    assert len(list(sweep.behind("wrong_argument", "exact", FAILING))) == 8
    assert list(sweep.behind("wrong_argument", "output", FAILING)) == []


@pytest.mark.parametrize(
    "run",
    [
        make_run(["a"], ["a"], truth="x", answer="x", error="crashed"),
        make_run(["a"], ["a"], truth="x", answer="x", status="running"),
        make_run(["a"], None, truth="x"),
        make_run(None, ["a"], answer="x 1"),
        make_run(["a"], None, truth="x", answer="  "),
        make_run(None, [], truth={"unknown": 1}, answer="x 1"),
    ],
    ids=["errored", "running", "no trajectory", "nothing expected", "blank answer", "broken check"],
)
def test_a_run_where_nothing_can_be_noticed_gives_no_mutant(run: Run) -> None:
    sweep = sweep_of(run)
    assert (sweep.runs, sum(map(sweep.made, MUTATIONS))) == (1, 0)


def test_what_a_measure_does_not_know_is_counted_beside() -> None:
    sweep = sweep_of(make_run([], ["a"], id="nothing expected"), make_run(["a"], ["a"], id="one call"))
    assert sweep.cell("dropped_call", "in_order") == Cell(applied=1, noticed=1, already_failing=0, not_judged=1)
    assert sweep.cell("dropped_call", "exact") == Cell(applied=1, noticed=1, already_failing=1, not_judged=0)
    assert sweep.cell("dropped_call", "required_tools") is None
    assert sweep.cell("dropped_call", "output") is None
    assert sweep.cell("changed_number", "output") == Cell(0, 0, 0, 0)


def test_a_sweep_can_be_left_and_gone_on_with() -> None:
    bundle, sweep = load([CYBERTRAVELS]), Sweep()
    for done in sweep_rows(bundle, sweep):
        if done == 2:
            break
    assert sweep.runs == 2
    for _ in sweep_rows(bundle, sweep):
        pass
    assert sweep == swept(CYBERTRAVELS)


def test_it_tells_after_each_mutant_how_far_it_is() -> None:
    told = list(sweep_rows(load([CYBERTRAVELS]), Sweep()))
    assert (told[0], told[-1], len(told)) == (0, 6, sum(CYBER_MADE) + 6)
    assert told == sorted(told)


def test_runs_with_more_places_than_are_used_are_counted() -> None:
    calls = [("a", {"n": at}) for at in range(300)]
    sweep = sweep_of(make_run(["a"], calls))  # type: ignore[arg-type]
    assert sweep.thinned == 6
    assert {mutation: sweep.made(mutation) for mutation in TRAJECTORY_MUTATIONS} == {
        **dict.fromkeys(TRAJECTORY_MUTATIONS, 256),
        "extra_call": 1,
    }


def test_sweeps_with_other_seeds_do_not_add_up() -> None:
    with pytest.raises(ValueError, match="seeds 0 and 1"):
        merge(Sweep(0), Sweep(1))


@st.composite
def runs(draw: st.DrawFn) -> list[Run]:
    expected = st.none() | st.lists(CALLS, max_size=3)
    answers = st.sampled_from([None, "", "a 1", "no b"])
    truths = st.sampled_from([None, "a 1", {"refusal": True}, "b"])

    def run(at: int) -> Run:
        calls: list[Any] | None = draw(st.none() | st.lists(CALLS, max_size=4))
        status = draw(st.sampled_from(["done", "done", "done", "error", "running"]))
        wanted: list[Any] | None = draw(expected)
        return make_run(wanted, calls, id=f"r{at}", truth=draw(truths), answer=draw(answers), status=status)

    return [run(at) for at in range(draw(st.integers(0, 5)))]


@given(runs(), st.integers(0, 5), st.integers(0, 2))
def test_the_sweep_of_both_is_the_sum_of_the_sweeps(all_runs: list[Run], cut: int, seed: int) -> None:
    one = sweep_of(*all_runs[:cut], seed=seed)
    other = sweep_of(*all_runs[cut:], first=len(all_runs[:cut]), seed=seed)
    whole = sweep_of(*all_runs, seed=seed)
    assert merge(one, other) == merge(other, one) == whole
    assert merge(whole, Sweep(seed)) == whole


@given(runs())
def test_the_same_runs_and_seed_give_the_same_sweep_in_any_order(all_runs: list[Run]) -> None:
    forwards = [Subject(at, run.id, run, Plan()) for at, run in enumerate(all_runs)]
    one, other = Sweep(), Sweep()
    assert list(sweeping(forwards, one)) is not None
    assert list(sweeping(reversed(forwards), other)) is not None
    assert one == merge(other, Sweep())


@given(runs())
def test_applied_already_failing_and_not_judged_are_what_was_made(all_runs: list[Run]) -> None:
    sweep = sweep_of(*all_runs)
    for mutation in MUTATIONS:
        for measure in SWEPT:
            cell = sweep.cell(mutation, measure)
            if cell is not None:
                assert measure in READ_BY[mutation]
                assert (cell.made, 0 <= cell.noticed <= cell.applied) == (sweep.made(mutation), True)
                stand = [len(list(sweep.behind(mutation, measure, outcome))) for outcome in range(4)]
                assert stand == [
                    cell.already_failing,
                    cell.applied - cell.noticed,
                    cell.noticed,
                    cell.not_judged,
                ]


@given(runs())
def test_where_calls_are_expected_the_matchers_judge_every_mutant(all_runs: list[Run]) -> None:
    sweep = sweep_of(*(run for run in all_runs if run.expected is not None and run.expected.calls))
    for mutation in TRAJECTORY_MUTATIONS:
        for matcher in ("exact", "name_only", "order_ignored", "in_order", "any_order", "subset"):
            cell = sweep.cell(mutation, matcher)
            assert cell is not None
            assert cell.applied + cell.already_failing == sweep.made(mutation)
        exact = sweep.cell(mutation, "exact")
        assert exact is not None
        assert exact.noticed == exact.applied
    for mutation in ANSWER_MUTATIONS:
        output = sweep.cell(mutation, "output")
        assert output is not None
        assert output.applied + output.already_failing == sweep.made(mutation)

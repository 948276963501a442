"""Laws that hold between the matchers for any run (design: matchers, section 6)."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec import convert, structs

from agent_tui.matchers import MATCHERS, Match, match, match_mode, parse_rules
from agent_tui.matchers.comparison import Comparison
from agent_tui.matchers.explain import explain
from agent_tui.matchers.general import general_figures
from agent_tui.matchers.match import NO_WRITES, judge, trajectory_of
from agent_tui.matchers.plain import plain_figures
from agent_tui.matchers.reference import open_groups
from agent_tui.matchers.rules import NO_RULES
from agent_tui.matchers.single import match_single
from agent_tui.matchers.slots import slots_of
from agent_tui.runs import ExpectedCall, Run, State, Times, ToolCall, canonical_args
from tests.make_run import make_run
from tests.matchers.strategies import CALLS, RULES, flexible_calls

EXPECTED = st.lists(flexible_calls(), max_size=4)
PLAIN = st.lists(CALLS, max_size=5)
MADE = st.lists(CALLS, max_size=5)


def run_of(expected: list[dict[str, Any]], made: list[dict[str, Any]]) -> Run:
    calls = [call | {"times": convert(call["times"], Times)} if "times" in call else call for call in expected]
    return make_run(calls, made)


def verdicts(found: Match) -> dict[str, bool | None]:
    """True, false, or None for what is vacuous, where either side of a law holds."""
    return {
        name: None if state == State.VACUOUS else state == State.PASS
        for name, state in zip(MATCHERS, found.states, strict=True)
    }


@given(EXPECTED, MADE, RULES)
def test_a_stricter_matcher_implies_the_weaker_ones(
    expected: list[dict[str, Any]], made: list[dict[str, Any]], rules: Any
) -> None:
    holds = verdicts(match(run_of(expected, made), parse_rules(rules)))
    for strict, weak in (
        ("exact", "exact_groups"),
        ("exact_groups", "order_ignored"),
        ("order_ignored", "any_order"),
        ("order_ignored", "subset"),
        ("exact", "in_order"),
        ("in_order", "any_order"),
        ("exact", "name_only"),
    ):
        assert holds[strict] in (False, None) or holds[weak] in (True, None), (strict, weak)


@given(EXPECTED, MADE, RULES)
def test_order_ignored_is_both_halves_and_a_full_f1(
    expected: list[dict[str, Any]], made: list[dict[str, Any]], rules: Any
) -> None:
    found = match(run_of(expected, made), parse_rules(rules))
    holds = verdicts(found)
    assert holds["order_ignored"] == (found.f1 == 1.0)
    if holds["any_order"] is not None:
        assert holds["order_ignored"] == (holds["any_order"] and holds["subset"])


@given(EXPECTED, MADE, RULES)
def test_every_measure_lies_between_0_and_1_and_exact_has_full_alignment(
    expected: list[dict[str, Any]], made: list[dict[str, Any]], rules: Any
) -> None:
    found = match(run_of(expected, made), parse_rules(rules))
    for figure in (found.precision, found.recall, found.f1, found.alignment):
        assert figure is None or 0 <= figure <= 1
    assert (found.alignment == 1.0) == (found.states[0] == State.PASS)
    assert (found.cause is None) == (found.states[0] == State.PASS)


@given(PLAIN, MADE, st.lists(st.sampled_from([None, 1, 2]), min_size=5, max_size=5))
def test_the_plain_way_gives_the_figures_of_the_general_one(
    expected: list[dict[str, Any]], made: list[dict[str, Any]], groups: list[int | None]
) -> None:
    calls = [call | ({"group": group} if group else {}) for call, group in zip(expected, groups, strict=False)]
    run = run_of(calls, made)
    assert run.expected is not None
    assert run.expected.calls is not None
    trajectory = trajectory_of(run, NO_RULES)
    opened = open_groups(run.expected.calls)
    plain = plain_figures([call for call, _ in opened], trajectory, [group for _, group in opened])
    slots = slots_of(run.expected.calls, NO_RULES)
    general = general_figures(Comparison(slots, trajectory.calls, trajectory.names), trajectory)
    assert plain == structs.replace(general, alignment=plain.alignment, may_repeat=plain.may_repeat)
    assert abs(plain.alignment - general.alignment) < 1e-9


@given(PLAIN, MADE)
def test_redundancy_is_each_repeat_beyond_those_of_the_reference(
    expected: list[dict[str, Any]], made: list[dict[str, Any]]
) -> None:
    run = run_of(expected, made)
    assert run.expected is not None
    wanted, done = ([call_key(call) for call in side or ()] for side in (run.expected.calls, run.calls))
    unasked = sum(max(0, done.count(key) - 1 - max(0, wanted.count(key) - 1)) for key in set(done))
    assert match(run).redundancy == unasked
    assert unasked <= explain(run).repeats <= len(done) - len(set(done))


def call_key(call: ToolCall | ExpectedCall) -> tuple[str, bytes]:
    return call.name, canonical_args(call.args)[0]


@given(st.data(), PLAIN, MADE, RULES)
def test_the_listing_order_never_changes_a_multiset_verdict(
    data: st.DataObject, expected: list[dict[str, Any]], made: list[dict[str, Any]], rules: Any
) -> None:
    compiled = parse_rules(rules)
    one = match(run_of(expected, made), compiled)
    other = match(run_of(data.draw(st.permutations(expected)), data.draw(st.permutations(made))), compiled)
    for name in ("order_ignored", "any_order", "subset"):
        assert verdicts(one)[name] == verdicts(other)[name]
    assert (one.precision, one.recall, one.f1) == (other.precision, other.recall, other.f1)


@given(PLAIN, MADE)
def test_key_order_never_changes_a_match(expected: list[dict[str, Any]], made: list[dict[str, Any]]) -> None:
    turned = [
        call | {"args": dict(reversed(call["args"].items()))} if isinstance(call["args"], dict) else call
        for call in made
    ]
    assert match(run_of(expected, made)) == match(run_of(expected, turned))


@given(PLAIN, MADE, st.sampled_from([NO_WRITES, frozenset({"book"})]))
def test_the_fast_path_gives_the_match_of_the_order_of_decision(
    expected: list[dict[str, Any]], made: list[dict[str, Any]], writes: frozenset[str]
) -> None:
    run = run_of(expected, made)
    fast = match_single(run, writes)
    assert fast is None or fast == judge(run, NO_RULES, writes, "rules")


@given(EXPECTED, MADE)
def test_name_only_is_exact_with_arguments_ignored(expected: list[dict[str, Any]], made: list[dict[str, Any]]) -> None:
    run = run_of(expected, made)
    without = run_of([call | {"args": {}} for call in expected], [call | {"args": {}} for call in made])
    assert match_mode(run, "exact+args_ignore") == match_mode(without, "exact") == match_mode(run, "name_only")


@given(PLAIN, MADE)
def test_what_passes_with_equal_arguments_passes_in_every_weaker_mode(
    expected: list[dict[str, Any]], made: list[dict[str, Any]]
) -> None:
    run = run_of(expected, made)
    for name in ("exact", "exact_groups", "order_ignored", "in_order", "any_order", "subset"):
        if match_mode(run, f"{name}+args_exact") == State.PASS:
            for mode in ("ignore", "subset", "superset", "rules"):
                assert match_mode(run, f"{name}+args_{mode}") == State.PASS


@given(MADE)
def test_a_run_always_matches_itself(made: list[dict[str, Any]]) -> None:
    found = match(run_of(made, made), writes=NO_WRITES)
    assert set(found.states[:7]) <= {State.PASS, State.VACUOUS}
    assert (found.precision, found.recall, found.alignment, found.redundancy) == (1.0, 1.0, 1.0, 0)

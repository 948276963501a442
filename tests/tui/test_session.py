"""What is open and how it is looked at, without a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.bundles import Bundle, add, load, scored
from agent_tui.errors import BadExpression, UnknownName
from agent_tui.readers import read
from agent_tui.tui.present.header import status_line
from agent_tui.tui.session import Session
from tests.tui.opened import CYBERTRAVELS, bundle_of, call, made_run


@pytest.fixture
def session() -> Session:
    return Session(load([CYBERTRAVELS]))


def shown(session: Session) -> list[str]:
    return [session.bundle.names.name(session.row_at(position)) for position in range(len(session))]


def test_a_toggle_tells_both_tallies_and_what_moved(session: Session) -> None:
    toggle = session.toggle()
    assert (toggle.before.measure, toggle.before.passed) == ("exact", 3)
    assert (toggle.after.measure, toggle.after.passed) == ("name_only", 4)
    assert [session.bundle.names.name(row) for row in toggle.moved] == ["R2"]
    assert [row for row in range(len(session.bundle)) if row in session.moved] == [1]


def test_toggling_goes_round_both_ways(session: Session) -> None:
    names = session.cycle()
    for expected in (*names[1:], names[0]):
        assert session.toggle().after.measure == expected
    assert session.toggle(-1).after.measure == names[-1]


def test_without_expected_calls_the_levels_toggle() -> None:
    session = Session(load(["sample_runs/docent.json"]), measure="task_success")
    assert session.cycle() == ("task_success", "output", "tool_call_correctness", "trajectory_quality")


def test_a_filter_keeps_and_the_positions_follow(session: Session) -> None:
    session.set_filter("verdict = fail")
    assert shown(session) == ["R2", "R4", "R6"]
    assert session.position_of(3) == 1
    assert session.position_of(0) is None
    session.set_filter("")
    assert len(session) == 6


def test_a_filter_on_the_verdict_follows_the_measure(session: Session) -> None:
    session.set_filter("verdict = fail")
    session.toggle()
    assert shown(session) == ["R4", "R6"]


@pytest.mark.parametrize("text", ["speed > 3", "exact =", "calls > many", "(exact = pass"])
def test_a_bad_filter_changes_nothing(session: Session, text: str) -> None:
    with pytest.raises(BadExpression):
        session.set_filter(text)
    assert (session.filter_text, len(session)) == ("", 6)


def test_what_is_not_scored_sorts_last_in_both_directions(tmp_path: Path) -> None:
    scores = [0.4, None, 0.9, "n/a", 0.1]
    runs = [made_run(f"t{number}", scores={"quality": score}) for number, score in enumerate(scores)]
    session = Session(bundle_of(tmp_path, *runs))
    session.set_sort("quality")
    assert shown(session) == ["t4", "t0", "t2", "t1", "t3"]
    session.set_sort("quality", descending=True)
    assert shown(session) == ["t2", "t0", "t4", "t1", "t3"]


def test_an_unknown_field_lists_those_that_exist(session: Session) -> None:
    with pytest.raises(UnknownName, match="calls"):
        session.set_sort("speed")


def test_failures_are_visited_round_the_end(session: Session) -> None:
    visited = [session.next_failure(position, 1) for position in (0, 1, 3, 5)]
    assert visited == [1, 3, 5, 1]
    assert session.next_failure(1, -1) == 5


def test_a_divergence_is_where_the_measures_disagree(session: Session) -> None:
    assert [session.bundle.names.name(row) for row in range(6) if session.diverges(row)] == ["R2", "R4"]


def test_where_nothing_fails_there_is_no_next_failure(tmp_path: Path) -> None:
    session = Session(bundle_of(tmp_path, made_run("t", [call("a")], [call("a")])))
    assert session.next_failure(0, 1) is None


def test_places_of_a_run_are_named(session: Session) -> None:
    session.needle = "BK-9001"
    assert {hit.part for hit in session.hits(1)} >= {"input", "args"}


def test_a_mark_of_a_control_finds_the_control(tmp_path: Path) -> None:
    session = Session(bundle_of(tmp_path, made_run("t", input="see \x1b]52;c;x")), needle="␛]52")
    assert [hit.part for hit in session.hits(0)] == ["input"]


def test_while_reading_the_numbers_stand_until_they_are_counted_again(session: Session) -> None:
    session.bundle.is_complete = False
    before = session.card
    assert session.card is before
    session.count_again()
    assert session.card.tallies["exact"].passed == 3


def test_what_is_shown_is_said_to_be_of_the_runs_that_it_was_taken_of() -> None:
    facts = iter(list(scored(read([CYBERTRAVELS]))))
    session = Session(Bundle())
    for fact in facts:
        add(session.bundle, fact)
        if len(session.bundle) == 4:
            break
    session.set_filter("exact = fail")
    for fact in facts:
        add(session.bundle, fact)
    assert (len(session), session.over, len(session.bundle)) == (2, 4, 6)
    assert status_line(session, None, 80).plain.rstrip().endswith("filter exact = fail  2 of 4 so far")
    assert session.is_soon_arranged
    session.rearrange()
    assert status_line(session, None, 80).plain.rstrip().endswith("filter exact = fail  3 of 6")

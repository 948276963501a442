"""What a run is called, and which run a name means."""

from __future__ import annotations

import pytest

from agent_tui.bundles.names import Names
from agent_tui.errors import NotPossible, UnknownName
from agent_tui.scoring import Plan, ScoreTable, score_run
from tests.make_run import make_run


def names_of(*runs: tuple[str, int, str | None]) -> tuple[Names, list[str]]:
    """Names over runs given by id, epoch and model."""
    table = ScoreTable()
    for run_id, epoch, model in runs:
        run = make_run(actual=[], id=run_id, epoch=epoch)
        table.append(run, score_run(run, Plan()), model=model)
    names = Names(table)
    return names, [names.name(row) for row in range(len(runs))]


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([("a", 1, "m"), ("b", 2, "m")], ["a", "b"]),
        ([("a", 1, "m"), ("a", 2, "m")], ["a#1", "a#2"]),
        ([("a", 1, "m"), ("a", 1, "n"), ("a", 2, "m")], ["a#1@m", "a#1@n", "a#2"]),
        ([("a", 1, "m"), ("a", 1, "m"), ("a", 1, "m")], ["a#1@m", "a#1@m~2", "a#1@m~3"]),
        ([("a", 1, None), ("a", 1, None)], ["a#1", "a#1~2"]),
        ([("a", 1, None), ("a", 1, "m")], ["a#1", "a#1@m"]),
        ([("a", 1, "m"), ("a", 2, "m"), ("a#2", 1, "m")], ["a#1", "a#2~2", "a#2"]),
    ],
)
def test_a_name_is_the_id_and_more_only_where_ids_repeat(
    runs: list[tuple[str, int, str | None]], expected: list[str]
) -> None:
    names, found = names_of(*runs)
    assert found == expected
    assert [names.find(name) for name in found] == list(range(len(runs)))


def test_a_name_changes_when_a_later_run_takes_it() -> None:
    table = ScoreTable()
    names = Names(table)
    for epoch, expected in ((1, ["a"]), (2, ["a#1", "a#2"])):
        run = make_run(actual=[], id="a", epoch=epoch)
        table.append(run, score_run(run, Plan()))
        assert [names.name(row) for row in range(len(table))] == expected


def test_a_run_is_found_by_id_row_prefix_and_as_printed() -> None:
    names, _ = names_of(("alpha", 1, None), ("beta\x1b", 1, None), ("#1", 1, None), ("7", 1, None))
    assert [names.find(text) for text in ("alpha", "al", "#2", "beta␛", "bet", "#1", "#4")] == [0, 0, 1, 1, 1, 2, 3]


@pytest.mark.parametrize("text", ["gamma", "#0", "#9", "#", "#²", "#9999999999999999999", "beta2"])
def test_what_names_no_run_lists_those_there_are(text: str) -> None:
    names, _ = names_of(("alpha", 1, None), ("beta", 1, None))
    with pytest.raises(UnknownName, match=r"there are alpha, beta$"):
        names.find(text)


@pytest.mark.parametrize("text", ["a", "run", ""])
def test_what_fits_several_runs_is_asked_back(text: str) -> None:
    names, _ = names_of(("a", 1, None), ("a", 2, None), ("run-1", 1, None), ("run-2", 1, None))
    with pytest.raises(UnknownName if text == "" else NotPossible):
        names.find(text)

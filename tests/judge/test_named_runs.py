"""Which run a label or a verdict of a bundle means: a run's name, else the only run of a task; never a guess."""

from __future__ import annotations

from pathlib import Path

from agent_tui.bundles import Bundle, load
from agent_tui.judge.named_runs import meant_runs, sources_with_rows
from tests.writing import run_of, write_bundle


def rows_of(bundle: Bundle, *names: str) -> list[int | None]:
    return [each.row for each in meant_runs(bundle, range(len(bundle)), names).values()]


def test_a_name_is_that_of_a_run_before_it_is_that_of_a_task(tmp_path: Path) -> None:
    runs = [run_of("x", task="y"), run_of("y", task="z"), run_of("w", task="v")]
    bundle = load([write_bundle(tmp_path / "a.json", *runs)])
    assert rows_of(bundle, "x", "y", "z", "v", "none", "") == [0, 1, 1, 2, None, None]


def test_an_id_or_a_task_of_several_runs_means_none_of_them(tmp_path: Path) -> None:
    runs = [run_of("t", epoch=1), run_of("t", epoch=2), run_of("a", task="u"), run_of("b", task="u")]
    bundle = load([write_bundle(tmp_path / "a.json", *runs)])
    assert rows_of(bundle, "t", "t#1", "t#2", "t#3", "u", "#1") == [None, 0, 1, None, None, None]
    meant = meant_runs(bundle, range(4), ["t", "u", "none"])
    assert meant["t"].why_none == "could be any of t#1, t#2: use one of these names"
    assert (meant["u"].could_be, meant["none"].why_none) == ((2, 3), "no such run")


def test_a_start_of_a_name_is_no_name(tmp_path: Path) -> None:
    bundle = load([write_bundle(tmp_path / "a.json", run_of("R10"), run_of("a#b"))])
    assert rows_of(bundle, "R1", "R10", "a", "a#b") == [None, 0, None, 1]


def test_each_of_several_files_means_its_own_runs_by_its_own_names(tmp_path: Path) -> None:
    one = write_bundle(tmp_path / "a.json", run_of("t", epoch=1), run_of("t", epoch=2))
    two = write_bundle(tmp_path / "b.json", run_of("u"), run_of("t", epoch=1))
    bundle = load([one, two])
    assert bundle.names.name(3) == "t#1~2"
    found = [
        {name: each.row for name, each in meant_runs(bundle, rows, ["t", "t#1", "t#2"]).items()}
        for _, rows in sources_with_rows(bundle)
    ]
    assert found == [{"t": None, "t#1": 0, "t#2": 1}, {"t": 3, "t#1": None, "t#2": None}]

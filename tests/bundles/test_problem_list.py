"""Very many problems: the first are kept, all are counted, nothing fills the memory."""

from __future__ import annotations

from pathlib import Path

from agent_tui.bundles import load
from agent_tui.bundles.checking import check
from agent_tui.bundles.problem_list import KEPT, ProblemList
from agent_tui.errors import Problem, how_many
from agent_tui.reports.document import score_document
from agent_tui.reports.problems import count_problems, problem_lines
from agent_tui.tui.present.problems import skipped_words

BAD = 3 * KEPT


def bad_lines(folder: Path) -> str:
    path = folder / "a.jsonl"
    path.write_text('{"id": "a", "scores": {"q": 1}}\n' + "7\n" * BAD + '{"id": 3.5, "scores": {}}\n' * BAD)
    return str(path)


def test_the_first_of_each_kind_and_file_are_kept_and_the_rest_counted() -> None:
    problems = ProblemList(Problem(file, "odd", line) for line in range(BAD) for file in ("a", "b"))
    problems.add(Problem("a", "other", kind="clash"))
    told = problems.all()
    assert told[:2] == [Problem("a", "odd", 0), Problem("b", "odd", 0)]
    assert told[2 * KEPT :] == [
        Problem("a", "other", kind="clash"),
        Problem("a", "2,000 more like these", count=2000),
        Problem("b", "2,000 more like these", count=2000),
    ]
    assert how_many(told) == 2 * BAD + 1


def test_few_problems_are_all_kept() -> None:
    problems = [Problem("a", "odd", line) for line in range(KEPT)]
    assert ProblemList(problems).all() == problems


def test_every_report_counts_all(tmp_path: Path) -> None:
    bundle = load([bad_lines(tmp_path)])
    assert count_problems(bundle.losses) == "3,000 lines that are no records, 3,000 malformed records"
    assert skipped_words(bundle.problems) == "6,000 skipped"
    *_, more, in_all = problem_lines(bundle.problems)
    assert (more, in_all) == (
        "… and 5,980 more; `agent-tui check` lists them",
        "in all 3,000 lines that are no records, 3,000 malformed records",
    )
    skipped = score_document(bundle, bundle.scorecard())["bundle"]["skipped"]
    assert len(skipped) == 2 * KEPT + 2
    assert sum(each.get("count", 1) for each in skipped) == 2 * BAD


def test_check_keeps_the_first_and_counts_all(tmp_path: Path) -> None:
    problems = check([bad_lines(tmp_path)]).problems
    assert len(problems) < 5 * KEPT
    assert how_many(problem for problem in problems if problem.kind == "not_a_record") == BAD

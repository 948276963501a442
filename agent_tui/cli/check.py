"""`agent-tui check`: every problem of a bundle, with file, line and JSON path."""

from __future__ import annotations

import click

from agent_tui.errors import LOSSES, GateNotMet, NothingReadable, Problem
from agent_tui.safety import sanitise_line


@click.command(name="check")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--json", "as_json", is_flag=True, help="The problems as JSON.")
def command(paths: tuple[str, ...], as_json: bool) -> None:
    """Validate: exit 1 where there are errors, 3 where nothing could be read."""
    from agent_tui.bundles.checking import check

    found = check(paths)
    errors = [problem for problem in found.problems if problem.kind != "warning"]
    click.echo(_json(found.problems, found.runs) if as_json else _text(found.problems, found.runs))
    if not found.runs:
        raise NothingReadable(str(errors[0]) if errors else f"{', '.join(paths)}: no runs in it")
    if errors:
        raise GateNotMet(f"{len(errors)} problems in {found.runs} runs")


def _text(problems: list[Problem], runs: int) -> str:
    lines = [sanitise_line(f"{_word(problem)}: {problem}") for problem in problems]
    return "\n".join([*lines, f"{runs} runs read, {len(problems)} problems"])


def _word(problem: Problem) -> str:
    return problem.kind if problem.kind in LOSSES or problem.kind != "warning" else "warning"


def _json(problems: list[Problem], runs: int) -> str:
    from agent_tui.reports.document import problem_object
    from agent_tui.reports.json_text import json_text

    listed = [problem_object(problem) for problem in problems]
    return json_text({"schema": "agent-tui/check-1", "runs": runs, "problems": listed})

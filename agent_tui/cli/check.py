"""`agent-tui check`: every problem of a bundle, with file, line and JSON path."""

from __future__ import annotations

import click

from agent_tui.cli.opening import FILE
from agent_tui.errors import GateNotMet, NothingReadable, Problem, how_many
from agent_tui.reports.figures import count
from agent_tui.safety import sanitise_line

_NOTES = frozenset({"warning", "unknown_record"})
"""Kinds that are told and are no error."""


@click.command(name="check")
@click.argument("paths", nargs=-1, required=True, type=FILE, metavar="PATH...")
@click.option("--json", "as_json", is_flag=True, help="The problems as JSON.")
def command(paths: tuple[str, ...], as_json: bool) -> None:
    """Validate: exit 1 where there are errors, 3 where nothing could be read."""
    from agent_tui.bundles.checking import check
    from agent_tui.judge.checking import judging_problems

    found = check(paths, judging_problems)
    if not as_json:
        require_a_file(found.problems, found.runs)
    errors = [problem for problem in found.problems if problem.kind not in _NOTES]
    click.echo(_json(found.problems, found.runs) if as_json else _text(found.problems, found.runs))
    if not found.runs:
        raise NothingReadable(f"{', '.join(paths)}: no run could be read")
    if errors:
        raise GateNotMet(f"{count(how_many(errors), 'problem')} in {count(found.runs, 'run')}")


def require_a_file(problems: list[Problem], runs: int) -> None:
    """Raise `NothingReadable` where none of what was named is there, so that there is nothing to report on."""
    if problems and not runs and all(problem.kind == "missing_file" for problem in problems):
        more = how_many(problems[1:])
        raise NothingReadable(f"{problems[0]} (and {more:,} more)" if more else str(problems[0]))


def _text(problems: list[Problem], runs: int) -> str:
    lines = [sanitise_line(f"{problem.kind}: {problem}") for problem in problems]
    return "\n".join([*lines, f"{count(runs, 'run')} read, {count(how_many(problems), 'problem')}"])


def _json(problems: list[Problem], runs: int) -> str:
    from agent_tui.reports.document import problem_object
    from agent_tui.reports.json_text import json_text

    listed = [problem_object(problem) for problem in problems]
    return json_text({"schema": "agent-tui/check-1", "runs": runs, "problems": listed})

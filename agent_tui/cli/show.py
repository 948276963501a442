"""`agent-tui show`: one trajectory as text."""

from __future__ import annotations

import click

from agent_tui.cli.colour import colour_option, say
from agent_tui.cli.opening import FILE, How, bundle_options, open_bundle


@click.command(name="show")
@click.argument("paths", nargs=-1, required=True, type=FILE, metavar="PATH... RUN")
@click.option("--json", "as_json", is_flag=True, help="The run's record, verdicts and steps as JSON.")
@colour_option
@bundle_options
def command(
    paths: tuple[str, ...],
    as_json: bool,
    colour: str,
    how: How,
) -> None:
    """Show one run: what was asked, done, expected and answered.

    RUN is an id, a name as printed, #N (row number) or a unique prefix; FILE:RUN where several files are open.
    """
    from agent_tui.reports.json_text import json_text
    from agent_tui.reports.trajectory import show_document, show_text

    if len(paths) < 2:
        raise click.UsageError("show takes PATH and RUN, as in: agent-tui show runs.json R2")
    bundle = open_bundle(paths[:-1], how)
    row = bundle.find(paths[-1])
    if as_json:
        say(json_text(show_document(bundle, row)) + "\n", "never")
    else:
        say(show_text(bundle, row), colour)

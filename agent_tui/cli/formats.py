"""`agent-tui formats`: what can be read."""

from __future__ import annotations

import click


@click.command(name="formats")
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
def command(as_json: bool) -> None:
    """List the formats that can be read; a file's format is told from its content."""
    from agent_tui.readers import formats

    if as_json:
        from agent_tui.reports.json_text import json_text

        listed = [{"name": each.name, "title": each.title, "examples": each.examples} for each in formats()]
        click.echo(json_text({"schema": "agent-tui/formats-1", "formats": listed}))
        return
    for each in formats():
        click.echo(f"{each.name:<14} {each.title}\n{'':<14} {each.examples}")

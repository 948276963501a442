"""`agent-tui schema`: the JSON Schema of our own format."""

from __future__ import annotations

import click


@click.command(name="schema")
def command() -> None:
    """Print the JSON Schema of agent-tui/1."""
    from agent_tui.readers import json_schema
    from agent_tui.reports.json_text import json_text

    click.echo(json_text(json_schema()))

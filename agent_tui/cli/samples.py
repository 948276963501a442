"""`agent-tui samples`: what ships with the program."""

from __future__ import annotations

import click


@click.command(name="samples")
def command() -> None:
    """List the packaged bundles with their paths."""
    from agent_tui.bundles.samples import sample_paths

    for path in sample_paths():
        click.echo(str(path))

"""`agent-tui completion`: a script that teaches a shell the commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command(name="completion")
@click.argument("shell", type=click.Choice(SHELLS), metavar="SHELL")
def command(shell: str) -> None:
    """Print a completion script for bash, zsh or fish; load it with: eval "$(agent-tui completion bash)"."""
    from agent_tui.cli.commands import cli

    completion_class = get_completion_class(shell)
    assert completion_class is not None
    click.echo(completion_class(cli, {}, "agent-tui", "_AGENT_TUI_COMPLETE").source())

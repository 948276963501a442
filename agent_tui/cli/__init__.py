"""Arguments in, exit status out. Standard error and exit statuses have this one owner."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from agent_tui.cli.commands import cli
from agent_tui.errors import AgentTuiError
from agent_tui.safety import sanitise_line

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; leaves with its exit status."""
    sys.exit(run(sys.argv[1:] if arguments is None else list(arguments)))


def run(arguments: Sequence[str]) -> int:
    """Run the command line; gives the exit status. A user's mistake is told in one line."""
    try:
        status = cli.main(list(arguments), prog_name="agent-tui", standalone_mode=False)
        sys.stdout.flush()
    except AgentTuiError as error:
        return _fail(str(error), error.exit_status)
    except click.exceptions.Abort:
        return _fail("interrupted", INTERRUPTED)
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        where = f"; see {context.command_path} --help" if context is not None else ""
        return _fail(error.format_message() + where, error.exit_code)
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status if isinstance(status, int) else 0


def _fail(message: str, status: int) -> int:
    click.echo(f"agent-tui: {sanitise_line(message)}", err=True)
    return status

"""Arguments in, exit status out. Standard error and exit statuses have this one owner."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from agent_tui.cli import bug_report, streams
from agent_tui.cli.commands import cli
from agent_tui.cli.mistakes import mistake
from agent_tui.errors import AgentTuiError, NotPossible
from agent_tui.safety import sanitise_line

UNEXPECTED, INTERRUPTED = 70, 130
_ENDS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; leaves with its exit status."""
    streams.open_missing()
    for number in _ENDS:
        if signal.getsignal(number) is signal.SIG_DFL:  # who ignores one, as nohup does, means it
            signal.signal(number, _end)
    sys.exit(run(sys.argv[1:] if arguments is None else list(arguments)))


def _end(number: int, _: object) -> NoReturn:
    """Leave when told to, and take away what should not stay."""
    sys.exit(128 + number)


def run(arguments: Sequence[str]) -> int:
    """Run the command line; gives the exit status. A user's mistake is told in one line."""
    out = sys.stdout
    try:
        status = cli.main(list(arguments), prog_name="agent-tui", standalone_mode=False)
        sys.stdout.flush()
    except AgentTuiError as error:
        return _fail(str(error), error.exit_status)
    except click.exceptions.Abort:
        return _fail("interrupted", INTERRUPTED)
    except click.ClickException as error:
        return _fail(mistake(error, arguments), error.exit_code)
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        _close_output()
        return 0
    except SystemExit:
        if sys.stdout is out:
            raise
        return 0  # a pipe was closed: click puts a silent stream in place of the output and leaves with 1
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EIO, errno.EDQUOT):
            return _unexpected(error)
        _close_output()
        return _fail(f"cannot write to standard output: {error.strerror}", NotPossible.exit_status)
    except Exception as error:  # the border: whatever nobody foresaw ends here, in a line and with its own status
        return _unexpected(error)
    return status if isinstance(status, int) else 0


def _close_output() -> None:
    """Let what is still to be written go nowhere, so that the interpreter ends without a complaint."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unexpected(error: Exception) -> int:
    from agent_tui.bundles.index.held import Damaged  # here, since most commands end without it

    if isinstance(error, Damaged):
        return _fail(f"the index was damaged while it was read ({error}): the next call makes it again", UNEXPECTED)
    return _fail(f"unexpected error {type(error).__name__}: {error}; {bug_report.keep(error)}", UNEXPECTED)


def _fail(message: str, status: int) -> int:
    click.echo(f"agent-tui: {sanitise_line(message)}", err=True)
    return status

"""What is kept of an error that nobody foresaw: its traceback, in the file that AGENT_TUI_LOG names."""

from __future__ import annotations

import os
import platform
import traceback
from datetime import UTC, datetime

from agent_tui import __version__

VARIABLE = "AGENT_TUI_LOG"


def keep(error: BaseException) -> str:
    """Append the traceback of `error` to the log, if there is one; gives what the user is to do next."""
    file = os.environ.get(VARIABLE)
    if not file:
        return f"set {VARIABLE}=FILE and run again, then report it"
    try:
        with open(file, "a", encoding="utf-8", errors="backslashreplace") as log:
            log.write(f"{_head()}\n{''.join(traceback.format_exception(error))}\n")
    except OSError as refused:
        return f"{VARIABLE}={file} cannot be written: {refused.strerror}"
    return f"report it with {file}"


def _head() -> str:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return f"{now} agent-tui {__version__}, Python {platform.python_version()}, {platform.platform()}"

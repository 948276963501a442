"""The hot path of scoring in compiled form, where the installation has it.

`core.c` is built when agent-tui is installed, if there is a C compiler, and comes with its wheels. Nothing depends on
it: whoever uses it has the same in Python, and asks that where there is no core, where the core leaves a question to
it, and where the environment variable AGENT_TUI_PURE says so.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from types import ModuleType


def _load() -> ModuleType | None:
    """The core; None: there is none, it is not wanted, or it was built from another source than lies beside it."""
    if os.environ.get("AGENT_TUI_PURE"):
        return None
    try:
        from agent_tui.native import _core

        source = Path(__file__).with_name("core.c").read_bytes()
    except (ImportError, OSError):
        return None
    return _core if zlib.crc32(source) == _core.SOURCE else None


core = _load()
"""None: all is done in Python."""

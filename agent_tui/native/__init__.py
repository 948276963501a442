"""The hot path of scoring in compiled form, where the installation has it.

`core.c` is built when agent-tui is installed, if there is a C compiler, and comes with its wheels. Nothing depends on
it: whoever uses it has the same in Python, and asks that where there is no core, where the core leaves a question to
it, and where the environment variable AGENT_TUI_PURE says so.
"""

from __future__ import annotations

import os
import zlib
from importlib import import_module
from pathlib import Path
from types import ModuleType


def _load() -> tuple[ModuleType | None, str]:
    """The core; without one, why there is none that is used."""
    if os.environ.get("AGENT_TUI_PURE"):
        return None, "AGENT_TUI_PURE is set"
    try:
        built = import_module("agent_tui.native._core")
        source = Path(__file__).with_name("core.c").read_bytes()
    except ModuleNotFoundError:
        return None, f"none was built when agent-tui was installed; {_BUILD}"
    except (ImportError, OSError) as error:
        return None, f"it cannot be loaded: {error}"
    if zlib.crc32(source) != built.SOURCE:
        return None, f"it was built from another version of its source; {_BUILD}"
    return built, ""


_BUILD = "with a C compiler, install it again"

core, why_none = _load()
"""None: all is done in Python, because of this."""

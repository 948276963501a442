"""The formats that can be read, asked in this order; a module is loaded when its turn comes."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from agent_tui.readers.contract import Format

NAMES = ("agent-tui", "inspect", "tau2", "openai-chat")
"""One module each, with underscores for dashes, that holds its format as FORMAT."""


def formats() -> Iterator[Format]:
    """Every format, in the order in which they are asked."""
    for name in NAMES:
        form: Format = import_module(f"{__name__}.{name.replace('-', '_')}").FORMAT
        yield form

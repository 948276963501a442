"""The formats that can be read, asked in this order."""

from __future__ import annotations

from agent_tui.readers.contract import Format
from agent_tui.readers.formats.agent_tui import AgentTui
from agent_tui.readers.formats.inspect import Inspect
from agent_tui.readers.formats.openai_chat import OpenAiChat
from agent_tui.readers.formats.tau2 import Tau2

FORMATS: tuple[Format, ...] = (AgentTui(), Inspect(), Tau2(), OpenAiChat())

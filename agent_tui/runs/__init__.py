"""What a run is: frozen values with no file, key or widget in them."""

from agent_tui.runs.call import ExpectedCall, ForbiddenTool, Reference, RequiredTool, Times, ToolCall
from agent_tui.runs.header import BundleHeader, LevelsSpec
from agent_tui.runs.json_values import JsonValue, canonical, canonical_args, json_equal, parse
from agent_tui.runs.run import Expected, Run, RunError, Usage
from agent_tui.runs.step import Step
from agent_tui.runs.verdict import State

__all__ = [
    "BundleHeader",
    "Expected",
    "ExpectedCall",
    "ForbiddenTool",
    "JsonValue",
    "LevelsSpec",
    "Reference",
    "RequiredTool",
    "Run",
    "RunError",
    "State",
    "Step",
    "Times",
    "ToolCall",
    "Usage",
    "canonical",
    "canonical_args",
    "json_equal",
    "parse",
]

"""Hostile text, patterns and files: make text safe to show, keep sizes and times within limits."""

from agent_tui.safety.limits import Limits
from agent_tui.safety.sanitise import clip, count_controls, sanitise, sanitise_line

__all__ = ["Limits", "clip", "count_controls", "sanitise", "sanitise_line"]

"""Hostile text and hostile files: make text safe to show, keep sizes within limits."""

from agent_tui.safety.limits import Limits
from agent_tui.safety.sanitise import clip, count_controls, sanitise, sanitise_line

__all__ = ["Limits", "clip", "count_controls", "sanitise", "sanitise_line"]

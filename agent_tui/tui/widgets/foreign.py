r"""Foreign text as the terminal can show it: safe, and where it knows ASCII only with other signs spelt (`\u30c4`).

What the terminal knows is set once, when the screen is made: whatever draws foreign text asks here.
"""

from __future__ import annotations

import re

from agent_tui.safety import clip, sanitise_line

SPELT = r"no UTF-8 here: signs beyond ASCII stand as \u30c4"
"""What is said once, where signs are spelt."""

_MARKED = {0x2400 + code: f"\\x{code:02x}" for code in range(0x20)} | {0x2421: "\\x7f", ord("⏎"): "\\n"}
_MARKED[ord("…")] = "..."
"""How control characters, which have a mark elsewhere, are spelt, and what was cut."""
_NEAR = "·–—−→×↑↓≠≥≤“”„‘’‚\u00a0"
"""Signs with a near one in ASCII, which is drawn instead."""

_far = re.compile(f"[^\x00-\x7f{_NEAR}]")
_is_spelling = False


def spell_signs(spells: bool) -> None:
    """Whether signs beyond ASCII are spelt from now on."""
    global _is_spelling
    _is_spelling = spells


def shown_line(text: str) -> str:
    """Foreign text as one line that cannot act."""
    return _spelt(sanitise_line(text))


def shown_start(text: str, limit: int) -> str:
    """The same, cut at `limit` characters, with what was cut said."""
    return _spelt(clip(text, limit))


def distinct(text: str) -> str:
    """A text that is compared with another: near signs are spelt too, where signs are spelt at all."""
    return text.encode("ascii", "backslashreplace").decode() if _is_spelling else text


def _spelt(line: str) -> str:
    if not _is_spelling or line.isascii():
        return line
    return _far.sub(lambda found: distinct(found[0]), line.translate(_MARKED))

"""How much has come by a pipe, and whether more may."""

from __future__ import annotations

from msgspec import Struct

from agent_tui.readers.content import size_of


class Arrival(Struct, frozen=True):
    """What has come by the pipes that were opened, so far."""

    size: int
    """Bytes of all of them."""
    is_open: bool = True
    is_waited_for: bool = False
    """Whether nothing is shown before they have ended."""
    left_out: str = ""
    """Why not all was read, in a sentence."""

    @property
    def words(self) -> str:
        """`pipe open, 12.3 MB`, and why nothing is to be seen yet."""
        if self.left_out:
            return f"pipe left off at {size_of(self.size)}"
        if not self.is_open:
            return f"pipe ended, {size_of(self.size)}"
        return f"pipe open, {size_of(self.size)}" + (", shown when it ends" if self.is_waited_for else "")

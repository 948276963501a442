"""What this terminal can do, read from its environment once at the start."""

from __future__ import annotations

import codecs
import locale
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from agent_tui.tui.theme import ASCII, UNICODE, Glyphs

Colours = Literal["none", "16", "256", "truecolor"]

_ERASING = (
    "xterm", "tmux", "rxvt", "alacritty", "foot", "kitty", "wezterm", "ghostty", "contour", "linux", "vte", "gnome",
    "konsole", "iterm", "putty", "st-",
)  # fmt: skip
"""Terminals known to erase in the current background (terminfo's `bce`); GNU screen does not."""


class Terminal(Struct, frozen=True):
    """The facts that the look and the output depend on."""

    utf8: bool
    colours: Colours
    remote: bool
    """Reached over SSH: no mouse by default, nothing follows the cursor by itself."""
    dumb: bool
    """Cannot place text: a full screen makes no sense there."""
    erases: bool
    """Erases in the background in hand."""

    @property
    def mouse(self) -> bool:
        """Whether to ask for mouse reports unless the user says otherwise."""
        return not self.remote and not self.dumb

    @property
    def glyphs(self) -> Glyphs:
        """The marks this terminal can show."""
        return UNICODE if self.utf8 else ASCII

    @property
    def theme(self) -> str:
        """The theme to start with."""
        return "agent-dark" if self.colours in ("256", "truecolor") else "agent-16"


def read_terminal(environ: Mapping[str, str], encoding: str | None = None) -> Terminal:
    """The terminal that `environ` describes; `encoding` is the locale's, unless given."""
    name = environ.get("TERM", "").lower()
    return Terminal(
        utf8=_is_utf8(encoding or _encoding(environ)),
        colours=_colours(environ, name),
        remote=any(environ.get(key) for key in ("SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT")),
        dumb=name in ("", "dumb", "unknown"),
        erases=name.startswith(_ERASING),
    )


def _encoding(environ: Mapping[str, str]) -> str:
    """What the locale says; Python itself takes UTF-8 where the user's locale is C, the terminal may not."""
    return "ascii" if environ.get("LC_ALL") in ("C", "POSIX") else locale.getpreferredencoding(False)


def _is_utf8(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name == "utf-8"
    except LookupError:
        return False


def _colours(environ: Mapping[str, str], name: str) -> Colours:
    if environ.get("NO_COLOR"):
        return "none"
    if environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return "truecolor"
    if name.endswith(("-direct", "-truecolor")):
        return "truecolor"
    return "256" if "256color" in name or name in ("xterm-kitty", "alacritty", "foot") else "16"

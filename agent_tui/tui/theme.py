"""Colours and glyphs by meaning: what a style name looks like in each theme, which marks a terminal can show.

Text is styled with names ("fail", "number", "label bold"), never with colours; a `Palette` turns a name into a Rich
style when a line is drawn. Every status has a glyph of its own, so that nothing is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct
from rich.style import Style
from textual.theme import BUILTIN_THEMES, Theme

STYLE_NAMES = (
    "text", "title", "number", "label", "faint", "accent", "pass", "fail", "notice", "unscoreable", "error",
    "button", "quiet_button", "bar", "cursor", "match", "alert", "border", "border_focus",
)  # fmt: skip
"""What a palette must say. `cursor`, `bar` and `alert` are backgrounds; `button` is the one thing to press."""

_ATTRIBUTES = {"bold", "dim", "italic", "underline", "reverse", "strike"}


class Palette(Struct, frozen=True, eq=False):
    """The look of each style name in one theme, as Rich style definitions."""

    name: str
    styles: Mapping[str, str]

    def style(self, name: str) -> Style:
        """The Rich style of a name, or of a few words: `fail bold`, `label on cursor`."""
        return _resolve(self, name)


@lru_cache(maxsize=1024)
def _resolve(palette: Palette, name: str) -> Style:
    style = Style()
    words = iter(name.split())
    for word in words:
        if word in _ATTRIBUTES:
            style += Style.parse(word)
        elif word == "on":
            style += Style(bgcolor=_named(palette, next(words, "")).bgcolor)
        else:
            style += _named(palette, word)
    return style


def _named(palette: Palette, word: str) -> Style:
    try:
        return Style.parse(palette.styles[word])
    except KeyError:
        known = ", ".join(palette.styles)
        raise ValueError(f"no style {word!r} in theme {palette.name}: there are {known}") from None


def _palette(name: str, background: str, colours: str) -> Palette:
    """A palette from a table of `name: definition` lines."""
    pairs = (line.split(":", 1) for line in colours.strip().splitlines())
    styles = {key.strip(): value.strip() for key, value in pairs}
    return Palette(name, {"background": background, **styles})


DARK = _palette(
    "agent-dark",
    "on #16181d",
    """
    text: #c9ced8
    title: bold #f0f2f6
    number: bold #f0f2f6
    label: #7a8294
    faint: #4a5162
    accent: #7aa2f7
    pass: #8fbf7f
    fail: #e07a7a
    notice: #e0af68
    unscoreable: #b79cf0
    error: bold #e07a7a
    button: bold #16181d on #7aa2f7
    quiet_button: #7a8294 on #1c1f26
    bar: on #1c1f26
    cursor: on #28303f
    match: #16181d on #e0af68
    alert: #c9ced8 on #3a2424
    border: #3a4150
    border_focus: #7aa2f7
    """,
)
LIGHT = _palette(
    "agent-light",
    "on #fbfaf7",
    """
    text: #2f343d
    title: bold #0d1014
    number: bold #0d1014
    label: #646b76
    faint: #b4b3ad
    accent: #2456c8
    pass: #2a7230
    fail: #b3261e
    notice: #865600
    unscoreable: #6b3fb0
    error: bold #b3261e
    button: bold #ffffff on #2456c8
    quiet_button: #646b76 on #eceae4
    bar: on #f1efea
    cursor: on #dfe7f8
    match: #0d1014 on #f2c14e
    alert: #2f343d on #f7dcd8
    border: #c9c7c1
    border_focus: #2456c8
    """,
)
HIGH_CONTRAST = _palette(
    "agent-contrast",
    "on #000000",
    """
    text: #ffffff
    title: bold #ffffff
    number: bold #ffffff
    label: #d0d0d0
    faint: #8a8a8a
    accent: bold #5fd7ff
    pass: bold #5fff87
    fail: bold #ff8787
    notice: bold #ffd75f
    unscoreable: bold #d7afff
    error: bold #ff8787
    button: bold #000000 on #5fd7ff
    quiet_button: #ffffff on #303030
    bar: on #1c1c1c
    cursor: on #00407a
    match: bold #000000 on #ffff00
    alert: bold #ffffff on #8b0000
    border: #8a8a8a
    border_focus: bold #5fd7ff
    """,
)
SIXTEEN = _palette(
    "agent-16",
    "on default",
    """
    text: default
    title: bold default
    number: bold default
    label: dim default
    faint: dim default
    accent: bold blue
    pass: green
    fail: red
    notice: yellow
    unscoreable: magenta
    error: bold red
    button: bold black on cyan
    quiet_button: default
    bar: on default
    cursor: reverse
    match: black on yellow
    alert: bold white on red
    border: dim default
    border_focus: bold blue
    """,
)
MONOCHROME = _palette(
    "agent-mono",
    "on default",
    """
    text: default
    title: bold default
    number: bold default
    label: dim default
    faint: dim default
    accent: bold default
    pass: default
    fail: bold default
    notice: underline default
    unscoreable: default
    error: bold underline default
    button: bold reverse default
    quiet_button: default
    bar: on default
    cursor: reverse
    match: reverse default
    alert: bold reverse default
    border: dim default
    border_focus: bold default
    """,
)
"""For NO_COLOR: weight, underline and reverse only."""
PALETTES: dict[str, Palette] = {palette.name: palette for palette in (DARK, LIGHT, HIGH_CONTRAST, SIXTEEN, MONOCHROME)}
_OWN_COLOURS = (SIXTEEN, MONOCHROME)
"""Palettes that use the terminal's own colours."""


def palette_for(theme: str) -> Palette:
    """The palette that belongs to a Textual theme; the dark one for a theme that is not ours."""
    return PALETTES.get(theme, DARK)


_ANSI = {
    name: value
    for name, value in BUILTIN_THEMES["ansi-dark"].variables.items()
    if not name.startswith(("border", "input-cursor"))
}
"""What style sheets of stock widgets ask for on a terminal with its own sixteen colours."""


def _theme(palette: Palette, *, dark: bool) -> Theme:
    """The Textual theme of a palette: the few colours that style sheets and stock widgets ask for."""

    def colour(name: str) -> str:
        found = palette.style(name)
        chosen = found.bgcolor if name in {"background", "bar", "cursor"} else found.color
        if chosen is None or chosen.is_default:
            return "ansi_default"
        return f"ansi_{chosen.name}" if chosen.triplet is None else chosen.triplet.hex

    return Theme(
        name=palette.name,
        primary=colour("accent"),
        secondary=colour("label"),
        accent=colour("accent"),
        success=colour("pass"),
        error=colour("fail"),
        warning=colour("notice"),
        foreground=colour("text"),
        background=colour("background"),
        surface=colour("background"),
        panel=colour("bar"),
        boost=colour("bar"),
        dark=dark,
        ansi=palette in _OWN_COLOURS,
        variables={
            "border": colour("border_focus"),
            "border-blurred": colour("border"),
            "label": colour("label"),
            "input-cursor-background": colour("accent"),
            "input-cursor-foreground": colour("background"),
            "input-cursor-text-style": "reverse" if palette in _OWN_COLOURS else "none",
            **(_ANSI if palette in _OWN_COLOURS else {}),
        },
    )


THEMES: tuple[Theme, ...] = (
    _theme(DARK, dark=True),
    _theme(LIGHT, dark=False),
    _theme(HIGH_CONTRAST, dark=True),
    _theme(SIXTEEN, dark=True),
)
"""The themes to choose from."""
NO_COLOUR = _theme(MONOCHROME, dark=True)
"""The theme where NO_COLOR is set."""


class Glyphs(Struct, frozen=True):
    """The marks drawn on the screen; `border` names the kind of frame."""

    passed: str = "✓"
    failed: str = "✗"
    errored: str = "!"
    notice: str = "~"
    unscoreable: str = "—"
    nothing: str = "·"
    pointer: str = "▸"
    opened: str = "▾"
    closed: str = "▸"
    same: str = "="
    differs: str = "≠"
    changed: str = "~"
    extra: str = "+"
    missing: str = "−"
    arrow: str = "→"
    up: str = "▲"
    down: str = "▼"
    ellipsis: str = "…"
    rule: str = "─"
    divider: str = "│"
    thumb: str = "┃"
    frame: str = "╭╮╰╯─│"
    """Four corners, the horizontal and the vertical edge."""
    border: str = "round"
    """The same as a border of a style sheet."""
    low: str = "├"
    high: str = "┤"
    point: str = "●"
    track: str = "·"
    marker: str = "│"
    ribbon: str = "█▓▒░◆·"
    """What fills the ribbon's parts, in the order of `bars.PARTS`."""


UNICODE = Glyphs()
ASCII = Glyphs(
    passed="+",
    failed="x",
    unscoreable="-",
    nothing=".",
    pointer=">",
    opened="v",
    closed=">",
    differs="!",
    missing="-",
    arrow=">",
    up="^",
    down="v",
    ellipsis="...",
    rule="-",
    divider="|",
    thumb="#",
    frame="++++-|",
    border="ascii",
    low="|",
    high="|",
    point="o",
    track=".",
    marker="!",
    ribbon="#x!?~.",
)

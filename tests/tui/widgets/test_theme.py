"""The themes: complete, readable, and never by colour alone."""

from __future__ import annotations

from itertools import combinations

import pytest
from rich.color_triplet import ColorTriplet
from rich.style import Style

from agent_tui.tui.theme import (
    ASCII,
    DARK,
    HIGH_CONTRAST,
    LIGHT,
    PALETTES,
    SIXTEEN,
    STYLE_NAMES,
    THEMES,
    UNICODE,
    Palette,
    palette_for,
)
from tests.tui.widgets.sample_app import WidgetApp

INKS = ("text", "title", "number", "label", "accent", "pass", "fail", "notice", "unscoreable", "error")


def contrast(ink: ColorTriplet, paper: ColorTriplet) -> float:
    def luminance(colour: ColorTriplet) -> float:
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))

    light, dark = sorted((luminance(ink), luminance(paper)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def triplet(style: Style, *, back: bool = False) -> ColorTriplet:
    colour = style.bgcolor if back else style.color
    assert colour is not None
    return colour.get_truecolor()


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_every_palette_knows_every_name(palette: Palette) -> None:
    assert all(isinstance(palette.style(name), Style) for name in STYLE_NAMES)
    assert palette_for(palette.name) is palette


@pytest.mark.parametrize(("palette", "least"), [(DARK, 4.5), (LIGHT, 4.5), (HIGH_CONTRAST, 7.0)])
def test_text_can_be_read(palette: Palette, least: float) -> None:
    for ink in INKS:
        assert contrast(triplet(palette.style(ink)), triplet(palette.style("background"), back=True)) >= least, ink
        assert contrast(triplet(palette.style(ink)), triplet(palette.style("cursor"), back=True)) >= 3.0, ink
    for pair in ("button", "match", "alert"):
        style = palette.style(pair)
        assert contrast(triplet(style), triplet(style, back=True)) >= least, pair


def test_sixteen_colours_use_the_terminals_own() -> None:
    styles = [SIXTEEN.style(name) for name in STYLE_NAMES]
    colours = [colour for style in styles for colour in (style.color, style.bgcolor) if colour]
    assert all(colour.triplet is None for colour in colours)


def test_words_combine_and_unknown_ones_are_named() -> None:
    assert DARK.style("fail bold on cursor") == Style.parse("bold #e07a7a on #28303f")
    with pytest.raises(ValueError, match="no style 'red' in theme agent-dark: there are background, text"):
        DARK.style("red")


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_statuses_differ_by_glyph(glyphs: object) -> None:
    marks = [getattr(glyphs, name) for name in ("passed", "failed", "notice", "unscoreable", "nothing")]
    assert all(one != other for one, other in combinations(marks, 2))


def test_ascii_is_ascii() -> None:
    assert all(str(getattr(ASCII, name)).isascii() for name in ASCII.__struct_fields__)


@pytest.mark.parametrize("theme", [theme.name for theme in THEMES])
async def test_every_theme_can_be_shown(theme: str) -> None:
    app = WidgetApp(theme=theme)
    async with app.run_test() as pilot:
        await pilot.press("ctrl+p")
        assert app.theme == theme

"""Colour for the text that commands print: put on after the text was made safe, and never the only sign of a thing."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

_ROOM = 1 << 16
"""Characters that are printed at a time."""
_Function = TypeVar("_Function", bound=Callable[..., Any])

_BOLD, _DIM, _RED, _GREEN, _YELLOW = "1", "2", "31", "32", "33"
_HEADING = re.compile(
    r"(tool calls|output +correct|levels$|recorded scores$|trials of |weak paths \(|findings \(|expected ∥ actual$)"
)
_LABEL = re.compile(r"(ask|error|calls|answer|truth|output|verdicts|cause|first difference:|not measured:)(?= )")
_RECORDED = re.compile(r" {4}|▸|  [=≠+−] |(ask|error|answer|truth|first difference:) ")
"""How a line starts that holds recorded text: in it no word means what it means to us."""
_WORDS = (
    (r"^note .*", _YELLOW),
    (r"\([^()]* skipped\)|what-if: .*", _YELLOW),
    (r"(?<= )[+-]\d?\.\d{3}(?= |$)", _YELLOW),
    (r"\b[1-9][\d,]* (errored( \(strict [^)]*\))?|unscoreable|vacuous|check errors|not finished|unscored)\b", _YELLOW),
    (r"\bdid not notice\b", _YELLOW),
    (r"(?<!\b0 )\b(pass|correct)\b", _GREEN),
    (r"(?<!\b0 )\b(failed|fail|wrong|no_answer)\b", _RED),
)
_WORD = re.compile("|".join(f"(?P<style{number}>{pattern})" for number, (pattern, _) in enumerate(_WORDS)))


def colour_option(function: _Function) -> _Function:
    """Add `--color` to a command."""
    return click.option(
        "--color",
        "colour",
        type=click.Choice(("auto", "always", "never")),
        default="auto",
        help="Colour the text; auto: on a terminal, unless NO_COLOR is set.",
    )(function)


def is_coloured(choice: str) -> bool:
    """Whether text on standard output is to be coloured."""
    if choice != "auto":
        return choice == "always"
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM", "dumb") in ("", "dumb", "unknown")
    return sys.stdout.isatty() and not is_plain


def say(text: str, choice: str) -> None:
    """Print safe text, ended by its own line feed, in colour where that is wanted."""
    coloured = is_coloured(choice)
    click.echo(paint(text) if coloured else text, nl=False, color=coloured)


def say_pieces(pieces: Iterable[str]) -> None:
    """Print safe text without colour as it comes, some of it at a time."""
    kept: list[str] = []
    size = 0
    for piece in pieces:
        kept.append(piece)
        size += len(piece)
        if size >= _ROOM:
            click.echo("".join(kept), nl=False, color=False)
            kept, size = [], 0
    click.echo("".join(kept), nl=False, color=False)


def paint(text: str) -> str:
    """`text` with headings bold, labels dim, gaps and notices yellow, pass green and fail red."""
    first, *rest = text.split("\n")
    return "\n".join([_styled(first, _BOLD), *map(_painted, rest)])


def _painted(line: str) -> str:
    if _HEADING.match(line):
        return _styled(line, _BOLD)
    label = _LABEL.match(line)
    start = label.end() if label else 0
    rest = line[start:] if _RECORDED.match(line) else _WORD.sub(_painted_word, line[start:])
    return _styled(line[:start], _DIM) + rest


def _painted_word(found: re.Match[str]) -> str:
    return _styled(found[0], _WORDS[int((found.lastgroup or "").removeprefix("style"))][1])


def _styled(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if text else ""

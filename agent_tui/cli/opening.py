"""What all commands that open a bundle share: their options, opening it, and telling what was skipped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from agent_tui.bundles import Bundle, load
from agent_tui.errors import NotPossible
from agent_tui.matchers import Rules, parse_rules
from agent_tui.reports.problems import problem_lines

_Function = TypeVar("_Function", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--references",
        type=click.Path(),
        metavar="FILE",
        help="Expected calls and truths by task; wins over what is embedded.",
    ),
    click.option(
        "--rules",
        "rules_file",
        type=click.Path(),
        metavar="FILE",
        help="Argument rules (JSON or TOML); wins over those embedded.",
    ),
    click.option("--allow-outside", is_flag=True, help="Let a manifest name files outside its folder."),
)


def bundle_options(function: _Function) -> _Function:
    """Add the options for opening to a command."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def open_bundle(
    paths: Sequence[str], references: str | None = None, rules_file: str | None = None, allow_outside: bool = False
) -> Bundle:
    """The bundle at `paths`, with what was skipped told on standard error. Raises as `bundles.load`."""
    bundle = load(paths, rules=read_rules(rules_file), references=references, allow_outside=allow_outside)
    for line in problem_lines(bundle.problems):
        click.echo(line, err=True)
    return bundle


def read_rules(file: str | None) -> Rules | None:
    """The rules in a JSON or TOML file; None where none is named. Raises `NotPossible` with the place."""
    if file is None:
        return None
    import tomllib

    import msgspec

    try:
        text = Path(file).read_bytes()
        value = tomllib.loads(text.decode()) if file.endswith(".toml") else msgspec.json.decode(text)
    except OSError as error:
        raise NotPossible(f"--rules {file}: {error.strerror}") from error
    except (msgspec.DecodeError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise NotPossible(f"--rules {file}: not readable as JSON or TOML: {error}") from error
    return parse_rules(value, file)

"""What all commands that open a bundle share: their options, opening it, and telling what was skipped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from agent_tui.bundles import Bundle
from agent_tui.cli.progress import progress_of_reading
from agent_tui.errors import BadPatch, NotPossible
from agent_tui.matchers import Rules, parse_rules
from agent_tui.reports.figures import count
from agent_tui.reports.problems import problem_lines
from agent_tui.safety import sanitise_line
from agent_tui.workers.loading import load

if TYPE_CHECKING:
    from agent_tui.bundles.patch import Patch


class _File(click.Path):
    """A path, which has a name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path. Raises `NotPossible` for an empty name, as a variable of the shell gives that is not set."""
        if value == "":
            raise NotPossible("a path is an empty name: is a variable of the shell not set?")
        return super().convert(value, param, ctx)


FILE = _File(readable=False)
"""A path that is looked at when it is read, so that one of several that cannot be is told and the others are read."""
_OPTIONS = (
    click.option(
        "--references",
        type=FILE,
        metavar="FILE",
        help="Expected calls and truths by task; wins over what is embedded.",
    ),
    click.option(
        "--rules",
        "rules_file",
        type=FILE,
        metavar="FILE",
        help="Argument rules (JSON or TOML); wins over those embedded.",
    ),
    click.option(
        "--verify",
        is_flag=True,
        help="Hold what is known of large files to every byte, not to size, time and samples.",
    ),
    click.option("--allow-outside", is_flag=True, help="Let a manifest name files outside its folder."),
    click.option(
        "--patch",
        "patch_file",
        type=FILE,
        metavar="FILE",
        help="Changes to show the bundle with, as the explorer writes them (*.whatif.json).",
    ),
)


class How(Struct, frozen=True):
    """The choices for opening, as they were given."""

    references: str | None = None
    rules_file: str | None = None
    allow_outside: bool = False
    patch_file: str | None = None
    verify: bool = False


def bundle_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for opening to a command, which gets them as one value, `how`."""

    @wraps(function)
    def command(*args: Any, **given: Any) -> Any:
        how = How(**{name: given.pop(name) for name in How.__struct_fields__})
        return function(*args, how=how, **given)

    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def open_bundle(
    paths: Sequence[str],
    how: How,
    modes: Sequence[str] = (),
    workers: int | None = None,
    engine: str | None = None,
) -> Bundle:
    """The bundle at `paths`, with what was skipped told on standard error. Raises as `workers.load`, and `BadPatch`.

    `modes` are matchers with an argument mode that are judged too.
    """
    patch = None if how.patch_file is None else read_patch(how.patch_file)
    rules = read_rules(how.rules_file)
    with progress_of_reading() as show:
        bundle = load(
            paths,
            rules=rules,
            references=how.references,
            allow_outside=how.allow_outside,
            modes=modes,
            workers=workers,
            engine=engine,
            verifies=how.verify,
            tell=lambda note: click.echo(sanitise_line(f"note: {note}"), err=True),
            show=show,
        )
    for line in problem_lines(bundle.problems):
        click.echo(line, err=True)
    if patch is not None:
        _apply(bundle, patch, how.patch_file or "")
    return bundle


def read_patch(file: str) -> Patch:
    """The patch in a file. Raises `BadPatch`."""
    from agent_tui.bundles import patch

    return patch.read_patch(Path(file))


def _apply(bundle: Bundle, patch: Patch, file: str) -> None:
    from agent_tui.bundles.patch import apply_patch
    from agent_tui.bundles.what_if import WhatIf

    try:
        apply_patch(WhatIf(bundle), patch)
    except BadPatch as error:
        raise BadPatch(f"--patch {file}: {error}") from error
    changes = count(len(patch.edits), "change")
    click.echo(sanitise_line(f"note: what-if: {changes} of {file}; nothing on disk is touched"), err=True)


def read_rules(file: str | None) -> Rules | None:
    """The rules in a JSON or TOML file; None where none is named. Raises `NotPossible` with the place."""
    if file is None:
        return None
    import tomllib

    import msgspec

    try:
        text = Path(file).read_bytes()
        if file.endswith(".toml"):
            return parse_rules(tomllib.loads(text.decode()), file)
        msgspec.json.decode(text)
    except OSError as error:
        raise NotPossible(f"--rules {file}: {error.strerror}") from error
    except (msgspec.DecodeError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise NotPossible(f"--rules {file}: not readable as JSON or TOML: {error}") from error
    return parse_rules(text, file)

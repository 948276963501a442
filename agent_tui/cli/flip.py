"""`agent-tui flip`: change values and calls, and see which measure notices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click

from agent_tui.bundles import Bundle
from agent_tui.bundles.ledger import Change, Made
from agent_tui.bundles.what_if import WhatIf, edit_object, path_of, set_value
from agent_tui.cli.colour import colour_option, say
from agent_tui.cli.opening import FILE, How, bundle_options, open_bundle
from agent_tui.errors import BadEdit
from agent_tui.reports import figures
from agent_tui.runs.edits import Duplicate, Edit, Insert, Move, Remove
from agent_tui.safety import clip, sanitise_line
from agent_tui.scoring import Tally
from agent_tui.scoring.noticed import FigureMoved, Noticed
from agent_tui.scoring.rounding import in_places

_OPERATIONS = ("settings", "duplicates", "removals", "moves")
_SHOWN = 160
"""Characters of a value in a line."""
_SIDES = 26
"""Cells of the counts and rates before and after, at the least."""
_PLACES = 2
"""Query quality is published with two places."""


class InOrder(click.Command):
    """A command that remembers the order in which options were given, each as often as it was."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as usual, and keep the order."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        ctx.meta[__name__] = [parameter.name for parameter in order if parameter.name in _OPERATIONS]
        return super().parse_args(ctx, args)


@click.command(name="flip", cls=InOrder)
@click.argument("paths", nargs=-1, required=True, type=FILE, metavar="PATH...")
@click.option("--set", "settings", nargs=3, multiple=True, metavar="RUN PATH VALUE", help="Repeatable, as all changes.")
@click.option("--duplicate", "duplicates", nargs=2, multiple=True, metavar="RUN PATH", help="Put a call in twice.")
@click.option("--remove", "removals", nargs=2, multiple=True, metavar="RUN PATH", help="Take a call or a key out.")
@click.option("--move", "moves", nargs=3, multiple=True, metavar="RUN PATH BY", help="Move a call by BY places.")
@click.option("--json", "as_json", is_flag=True, help="Changes and measures as JSON.")
@colour_option
@bundle_options
@click.pass_context
def command(
    context: click.Context,
    /,
    paths: tuple[str, ...],
    as_json: bool,
    colour: str,
    how: How,
    **given: tuple[tuple[str, ...], ...],
) -> None:
    """Change runs (never the file) and see which measure notices. Changes are made in the order in which they stand.

    PATH addresses the run as it is written in the bundle: expected.calls[1].args.amount. VALUE is JSON, or text.
    """
    order = context.meta[__name__]
    if not order:
        raise click.UsageError("nothing to change: give --set, --duplicate, --remove or --move")
    bundle = open_bundle(paths, how)
    waiting = {name: iter(given[name]) for name in _OPERATIONS}
    change = flip(bundle, [(name, next(waiting[name])) for name in order])
    if as_json:
        say(_json(change) + "\n", "never")
    else:
        say(_text(change) + "\n", colour)


def flip(bundle: Bundle, operations: Iterable[tuple[str, tuple[str, ...]]]) -> Change:
    """Make changes, all or none. Raises `UnknownName` for a run, `BadEdit` for what cannot be done."""
    edits = [(bundle.find(run), _edit(name, *rest)) for name, (run, *rest) in operations]
    return WhatIf(bundle).change_all(edits)


def _edit(name: str, path: str, value: str = "") -> Edit:
    if name == "settings":
        return set_value(path, value)
    if name == "moves":
        return Move(path_of(path), _places(value))
    return Duplicate(path_of(path)) if name == "duplicates" else Remove(path_of(path))


def _places(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadEdit(f"--move by {text!r}: a whole number is needed, as 1 or -1") from None


def _json(change: Change) -> str:
    from agent_tui.reports.json_text import json_text

    return json_text(
        {
            "schema": "agent-tui/flip-1",
            "changes": [edit_object(made.run, made.done) for made in change.edits],
            "measures": {each.measure: _measure(each) for each in change.noticed},
            "figures": [_figure(each) for each in change.figures],
        }
    )


def _measure(noticed: Noticed) -> dict[str, Any]:
    return {
        "before": _tally(noticed.before),
        "after": _tally(noticed.after),
        "moved": list(noticed.moved),
        "why": noticed.why,
        "compares": noticed.compares,
    }


def _tally(tally: Tally) -> dict[str, Any]:
    return {"passed": tally.passed, "scored": tally.scored, "errors": tally.errors, "rate": tally.rate}


def _figure(moved: FigureMoved) -> dict[str, Any]:
    sides = (_rounded(moved.figure, moved.before), _rounded(moved.figure, moved.after))
    return {"run": moved.run, "figure": moved.figure, "before": sides[0], "after": sides[1]}


def _rounded(figure: str, value: float | None) -> float | None:
    return in_places(value, _PLACES) if value is not None and figure == "query_quality" else value


def _text(change: Change) -> str:
    lines = [_edit_line(made) for made in change.edits]
    lines += ["", *_lines(change.noticed)]
    if change.figures:
        lines += ["", *map(_figure_line, change.figures)]
    return "\n".join(sanitise_line(line).rstrip() for line in lines)


def _edit_line(made: Made) -> str:
    from agent_tui.reports.json_text import json_text

    said = edit_object(made.run, made.done)
    where = f"{made.run} {said['path']}"
    before, after = (clip(json_text(said[side], indent=None), _SHOWN) for side in ("from", "to"))
    edit = made.done.edit
    if isinstance(edit, Insert):
        return f"{where}: put in {after}"
    if isinstance(edit, Remove):
        return f"{where}: taken out {before}"
    return f"{where}: moved by {edit.by:+d}" if isinstance(edit, Move) else f"{where}: {before} → {after}"


def _lines(noticed: Sequence[Noticed]) -> Iterator[str]:
    sides = [
        " → ".join(
            f"{tally.passed:,}/{tally.scored:,} {figures.rate(tally.rate)}" for tally in (each.before, each.after)
        )
        for each in noticed
    ]
    width = max(_SIDES, *map(len, sides))
    return (f"  {each.measure:<22} {said:<{width}} {each.why}" for each, said in zip(noticed, sides, strict=True))


def _figure_line(moved: FigureMoved) -> str:
    before, after = (_said(moved.figure, value) for value in (moved.before, moved.after))
    return f"  {moved.run} {moved.figure}: {before} → {after}"


def _said(figure: str, value: float | None) -> str:
    if value is None:
        return figures.NOT_AVAILABLE
    if figure in ("calls", "redundancy"):
        return f"{value:g}"
    return f"{in_places(value, _PLACES):.2f}" if figure == "query_quality" else figures.rate(value)

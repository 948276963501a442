"""`agent-tui flip`: change values, and see which measure notices."""

from __future__ import annotations

from typing import Any

import click

from agent_tui.bundles.what_if import Change, Flip, edit_object, flip
from agent_tui.cli.colour import colour_option, say
from agent_tui.cli.opening import bundle_options, open_bundle
from agent_tui.reports import figures
from agent_tui.safety import sanitise_line
from agent_tui.scoring import Tally
from agent_tui.scoring.noticed import Noticed


@click.command(name="flip")
@click.argument("paths", nargs=-1, required=True, type=click.Path(), metavar="PATH...")
@click.option("--set", "settings", nargs=3, multiple=True, required=True, metavar="RUN PATH VALUE", help="Repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Changes and measures as JSON.")
@colour_option
@bundle_options
def command(
    paths: tuple[str, ...],
    settings: tuple[tuple[str, str, str], ...],
    as_json: bool,
    colour: str,
    references: str | None,
    rules_file: str | None,
    allow_outside: bool,
) -> None:
    """Change values of runs (never the file) and see which measure notices.

    PATH addresses the run as it is written in the bundle: expected.calls[1].args.amount. VALUE is JSON, or text.
    """
    bundle = open_bundle(paths, references, rules_file, allow_outside)
    flipped = flip(bundle, [Change(*setting) for setting in settings])
    if as_json:
        say(_json(flipped) + "\n", "never")
    else:
        say(_text(flipped) + "\n", colour)


def _json(flipped: Flip) -> str:
    from agent_tui.reports.json_text import json_text

    return json_text(
        {
            "schema": "agent-tui/flip-1",
            "changes": [edit_object(run, edit) for run, edit in flipped.edits],
            "measures": {each.measure: _measure(each) for each in flipped.noticed},
        }
    )


def _measure(noticed: Noticed) -> dict[str, Any]:
    return {
        "before": _tally(noticed.before),
        "after": _tally(noticed.after),
        "moved": list(noticed.moved),
        "why": noticed.why,
    }


def _tally(tally: Tally) -> dict[str, Any]:
    return {"passed": tally.passed, "scored": tally.scored, "errors": tally.errors, "rate": tally.rate}


def _text(flipped: Flip) -> str:
    from agent_tui.reports.json_text import json_text

    lines = []
    for run, edit in flipped.edits:
        change = edit_object(run, edit)
        before, after = (json_text(change[side], indent=None) for side in ("from", "to"))
        lines.append(f"{run} {change['path']}: {before} → {after}")
    lines += ["", *map(_line, flipped.noticed)]
    return "\n".join(sanitise_line(line).rstrip() for line in lines)


def _line(noticed: Noticed) -> str:
    before, after = noticed.before, noticed.after
    sides = (f"{tally.passed}/{tally.scored} {figures.rate(tally.rate)}" for tally in (before, after))
    return f"  {noticed.measure:<22} {' → '.join(sides):<26} {noticed.why}"

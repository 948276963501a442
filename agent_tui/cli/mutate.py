"""`agent-tui mutate`: make every run wrong by machine, and see which measure notices."""

from __future__ import annotations

import shutil
import sys
import time

import click

from agent_tui.bundles import Bundle
from agent_tui.bundles.sweeping import sweep_rows
from agent_tui.cli.colour import colour_option, say
from agent_tui.cli.opening import FILE, How, bundle_options, open_bundle
from agent_tui.reports.json_text import json_text
from agent_tui.reports.sweep import sweep_document, sweep_text
from agent_tui.scoring.sweep import Sweep

_PIPED = 100
"""Cells in a line where no terminal says how many it has."""
_TELL = 0.5
"""Seconds between two lines of progress."""


@click.command(name="mutate")
@click.argument("paths", nargs=-1, required=True, type=FILE, metavar="PATH...")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Which wrong values are drawn.")
@click.option("--json", "as_json", is_flag=True, help="The matrix as JSON.")
@colour_option
@bundle_options
def command(
    paths: tuple[str, ...],
    seed: int,
    as_json: bool,
    colour: str,
    how: How,
) -> None:
    """Change every run by machine, one mistake at a time, and count which measure notices."""
    bundle = open_bundle(paths, how)
    sweep = Sweep(seed)
    _sweep(bundle, sweep)
    if as_json:
        say(json_text(sweep_document(sweep)) + "\n", "never")
    else:
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _PIPED
        say(sweep_text(bundle, sweep, width), colour)


def _sweep(bundle: Bundle, sweep: Sweep) -> None:
    """Sweep all rows; where somebody looks at standard error, how far it is."""
    looked_at, told = sys.stderr.isatty(), time.monotonic()
    for done in sweep_rows(bundle, sweep):
        if looked_at and time.monotonic() - told > _TELL:
            told = time.monotonic()
            click.echo(f"\r{done:,} of {len(bundle):,} runs", nl=False, err=True)
    if looked_at:
        click.echo("\r\x1b[K", nl=False, err=True)

"""`agent-tui [open] [PATH...]`: the explorer."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

import click

from agent_tui.cli.colour import colour_option, say
from agent_tui.cli.opening import FILE, How, bundle_options, open_bundle, read_patch, read_rules
from agent_tui.cli.score import resolve_measure
from agent_tui.cli.streams import keys_from_terminal
from agent_tui.errors import Broken, NothingReadable, NotPossible
from agent_tui.readers.addresses import is_address
from agent_tui.readers.streams import STDIN
from agent_tui.workers.loading import LEAST, is_large

if TYPE_CHECKING:
    from agent_tui.bundles import Bundle
    from agent_tui.scoring import Scorecard

THEMES = ("dark", "light", "contrast", "16")


@click.command(name="open")
@click.argument("paths", nargs=-1, type=FILE, metavar="[PATH...]")
@click.option("--matcher", metavar="NAME", help="The measure to start with.")
@click.option("--filter", "filter_text", default="", metavar="EXPR", help="Show only the runs that it keeps.")
@click.option("--weights", metavar="LEVEL=W,...", help="One overall grade: success=.6,tools=.2,trajectory=.2")
@click.option("--theme", type=click.Choice(THEMES), help="Colours; remembered when chosen with T.")
@click.option("--mouse/--no-mouse", default=None, help="Mouse reports; off over SSH unless asked for.")
@click.option("--follow-cursor/--no-follow-cursor", default=None, help="Let the trajectory follow the cursor.")
@click.option("--resume", is_flag=True, help="Come back to where this bundle was left.")
@click.option("--plain", is_flag=True, help="Print what the panes show instead of opening the screen.")
@colour_option
@bundle_options
def command(
    paths: tuple[str, ...],
    matcher: str | None,
    filter_text: str,
    weights: str | None,
    theme: str | None,
    mouse: bool | None,
    follow_cursor: bool | None,
    resume: bool,
    plain: bool,
    colour: str,
    how: How,
) -> int | None:
    """Explore recorded runs; without a path the packaged CyberTravels bundle."""
    from agent_tui.bundles.samples import first_sample
    from agent_tui.scoring import parse_weights

    paths = paths or (str(first_sample()),)
    measure = None if matcher is None else resolve_measure(matcher)
    chosen = None if weights is None else parse_weights(weights)
    if plain or not is_screen(paths):
        bundle = open_bundle(paths, how)
        say(plain_text(bundle, bundle.scorecard(measure, chosen), filter_text, has_all=plain), colour)
        return None
    refuse_what_is_far_and_large(paths)
    rules = read_rules(how.rules_file)
    patch = None if how.patch_file is None else read_patch(how.patch_file)
    gc.disable()  # until the first screen stands: what is loaded for it stays, and each look at it takes a while
    from agent_tui.tui.starting import Start, start

    return explain_end(
        start(
            Start(
                paths=paths,
                rules=rules,
                references=how.references,
                allow_outside=how.allow_outside,
                verifies=how.verify,
                patch=patch,
                measure=measure,
                filter_text=filter_text,
                weights=chosen,
                theme=theme,
                mouse=mouse,
                follow_cursor=follow_cursor,
                resume=resume,
            )
        )
    )


def plain_text(bundle: Bundle, card: Scorecard, filter_text: str, *, has_all: bool) -> str:
    """What is printed instead of the screen: the scorecard, and which runs a filter keeps. Raises `BadExpression`.

    `has_all`: also without a filter the runs, and the trajectory of the first, as the other panes show them.
    """
    from agent_tui.reports.text import score_text

    text = score_text(bundle, card)
    if filter_text or has_all:
        from agent_tui.bundles.query import kept_rows
        from agent_tui.reports.panes import path_text, runs_text

        rows = kept_rows(bundle, filter_text, card.measure) if filter_text else range(len(bundle))
        text += runs_text(bundle, rows, filter_text, card.measure)
        text += path_text(bundle, rows[0]) if has_all and len(rows) else ""
    return text


def refuse_what_is_far_and_large(paths: tuple[str, ...]) -> None:
    """Raise `NotPossible` where runs in a store are more than are fetched whole: a screen waits for no network."""
    if any(map(is_address, paths)) and is_large(paths):
        most = f"runs of a store are shown up to {LEAST >> 20} MiB"
        raise NotPossible(f"{most}: agent-tui score reads more; or copy them here")


def is_screen(paths: tuple[str, ...]) -> bool:
    """Whether there is a terminal that can place text and send keys; else the scorecard is printed.

    Raises `NotPossible` where runs were to come from where keys come from.
    """
    if not sys.stdout.isatty() or os.environ.get("TERM", "dumb") in ("", "dumb", "unknown"):
        return False
    if STDIN not in paths:
        return sys.stdin.isatty()
    if sys.stdin.isatty():
        raise NotPossible("-: standard input is the terminal, and what is typed are keys: give runs by a pipe")
    return keys_from_terminal()


def explain_end(ended: tuple[int, str | None]) -> int:
    """The exit status of the app; where it ended by itself, its reason as an error."""
    status, reason = ended
    if reason is None:
        return status
    kinds = {NothingReadable.exit_status: NothingReadable, Broken.exit_status: Broken}
    raise kinds.get(status, NotPossible)(reason)

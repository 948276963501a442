"""`agent-tui score`: the scorecard, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator

import click
from msgspec.structs import replace

from agent_tui.bundles import Bundle
from agent_tui.cli.colour import colour_option, say, say_pieces
from agent_tui.cli.opening import FILE, How, bundle_options, open_bundle
from agent_tui.errors import GateNotMet, NotPossible
from agent_tui.matchers import resolve_matcher
from agent_tui.readers.addresses import is_address
from agent_tui.reports.each_run import EachRun, one_by_one
from agent_tui.runs import State
from agent_tui.scoring import MEASURES, Scorecard, parse_weights
from agent_tui.scoring.gate import Gate, parse_gate

_OF_EACH_RUN = ("json", "csv", "junit")
"""Forms that say something of each run."""


@click.command(name="score")
@click.argument("paths", nargs=-1, required=True, type=FILE, metavar="PATH...")
@click.option("--json", "forms", flag_value="json", multiple=True, help="The score document.")
@click.option("--md", "forms", flag_value="md", multiple=True, help="Markdown.")
@click.option("--csv", "forms", flag_value="csv", multiple=True, help="One line a run.")
@click.option("--junit", "forms", flag_value="junit", multiple=True, help="JUnit XML, under the active measure.")
@click.option(
    "--matcher",
    metavar="NAME",
    help="The active measure: any matcher (any_order+args_superset too), output, or a level.",
)
@click.option("--fail-under", multiple=True, metavar="MEASURE=RATE", help="Exit 1 where the strict rate is lower.")
@click.option("--min-n", type=click.IntRange(min=1), default=1, help="Fewer runs than this are not enough for a gate.")
@click.option("--strict", is_flag=True, help="Exit 1 where anything was skipped or a check is broken.")
@click.option("--weights", metavar="LEVEL=W,...", help="One overall grade: success=.6,tools=.2,trajectory=.2")
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes that read large files and write of many runs; as many as there are cores, unless said.",
)
@click.option(
    "--engine",
    metavar="URL",
    help="Workers of a Dask cluster instead: dask://HOST:PORT, or tls://HOST:PORT. Needs agent-tui[dask].",
)
@colour_option
@bundle_options
def command(
    paths: tuple[str, ...],
    forms: tuple[str, ...],
    matcher: str | None,
    fail_under: tuple[str, ...],
    min_n: int,
    strict: bool,
    weights: str | None,
    workers: int | None,
    engine: str | None,
    colour: str,
    how: How,
) -> None:
    """Score recorded runs: every matcher, the answers, the three levels."""
    measure = None if matcher is None else matcher if matcher in MEASURES else resolve_matcher(matcher)
    if len(set(forms)) > 1:
        raise NotPossible(f"one form at a time: --{' or --'.join(dict.fromkeys(forms))}")
    form = forms[0] if forms else None
    gates = [parse_gate(text) for text in fail_under]
    chosen = None if weights is None else parse_weights(weights)
    if engine is not None and workers is not None:
        raise NotPossible("--workers are processes of this machine: leave it out with --engine")
    named = {measure, *(gate.measure for gate in gates)}
    modes = sorted(name for name in named if name and name not in MEASURES)
    if form in _OF_EACH_RUN:
        how = replace(how, verify=True)  # so that it does not end in the middle over a run that changed
    bundle = open_bundle(paths, how, modes, workers, engine)
    card = bundle.scorecard(measure, chosen)
    if form:
        say_pieces(pieces(bundle, card, form, _each_run(bundle, workers)))
    else:
        from agent_tui.reports.text import score_text

        say(score_text(bundle, card), colour)
    hold(card, gates, min_n)
    if strict:
        require_whole(bundle)


def resolve_measure(name: str) -> str:
    """The measure that a name or an alias means. Raises `UnknownName`."""
    if name in MEASURES:
        return name
    resolved = resolve_matcher(name)
    if resolved not in MEASURES:
        raise NotPossible(f"{resolved}: matchers with an argument mode are for agent-tui score")
    return resolved


def _each_run(bundle: Bundle, workers: int | None) -> EachRun:
    """Who says what is said of each run: copies of this process, unless a connection to a store would be copied too."""
    from agent_tui.workers.copies import by_copies
    from agent_tui.workers.engine import all_cores

    if any(is_address(source.file) for source in bundle.sources):
        return one_by_one
    return by_copies(workers or all_cores())


def pieces(bundle: Bundle, card: Scorecard, form: str, each_run: EachRun = one_by_one) -> Iterator[str]:
    """The scorecard in one of the forms for programs, run by run: there may be a million."""
    if form == "json":
        from agent_tui.reports.document import score_members
        from agent_tui.reports.json_text import Items, item_text, json_pieces
        from agent_tui.reports.run_rows import run_row

        runs = Items(each_run(len(bundle), lambda row: item_text(run_row(bundle, row))))
        yield from json_pieces(score_members(bundle, card) | {"runs": runs})
        yield "\n"
    elif form == "md":
        from agent_tui.reports.markdown import score_markdown

        yield score_markdown(bundle, card)
    elif form == "csv":
        from agent_tui.reports.csv_rows import score_csv

        yield from score_csv(bundle, card, each_run)
    else:
        from agent_tui.reports.junit import score_junit

        yield from score_junit(bundle, card, each_run)


def hold(card: Scorecard, gates: list[Gate], min_n: int) -> None:
    """Raise `GateNotMet`, with every gate's sentence, where one is not met."""
    sentences = [gate.verdict(card, min_n) for gate in gates]
    for sentence in sentences:
        if sentence.met:
            click.echo(f"gate met: {sentence.text}", err=True)
    failed = [sentence.text for sentence in sentences if not sentence.met]
    if failed:
        raise GateNotMet("gate not met: " + "; ".join(failed))


def require_whole(bundle: Bundle) -> None:
    """Raise `GateNotMet` where something was skipped or a check could not be used."""
    from agent_tui.reports.problems import count_problems

    lost = count_problems(bundle.losses)
    broken = len({row for measure in MEASURES for row in bundle.table.rows_in(measure, State.BROKEN)})
    if lost or broken:
        checks = f"broken checks in {broken} {'run' if broken == 1 else 'runs'}" if broken else ""
        said = ", ".join(part for part in (lost, checks) if part)
        raise GateNotMet(f"--strict: {said}")

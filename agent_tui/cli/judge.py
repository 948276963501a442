"""`agent-tui judge`: what no model is needed for, then a judge's validation, and only then its verdicts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from agent_tui.bundles import Bundle
from agent_tui.cli import judging
from agent_tui.cli.colour import colour_option, say
from agent_tui.cli.opening import FILE, How, bundle_options, open_bundle
from agent_tui.cli.typed import TypedCommand, same_command
from agent_tui.errors import NotPossible
from agent_tui.judge.judgement import NOTHING, Judgement
from agent_tui.judge.labels import Labels
from agent_tui.judge.opening import Choices, rubric_of
from agent_tui.judge.recorded import Recorded, recorded_verdicts
from agent_tui.judge.survey import Survey, survey
from agent_tui.providers.choose import choose
from agent_tui.providers.judge_config import read_judge_config
from agent_tui.reports.document import score_document
from agent_tui.reports.json_text import json_text
from agent_tui.reports.judgement import with_judgement
from agent_tui.reports.recorded import recorded_lines, recorded_object
from agent_tui.reports.survey import survey_lines
from agent_tui.reports.text import score_text


@click.command(name="judge", cls=TypedCommand)
@click.argument("paths", nargs=-1, required=True, type=FILE, metavar="PATH...")
@click.option(
    "--judge-provider", "provider", metavar="NAME", help="anthropic, openai, claude-cli, replay:LEDGER, scripted:NAME."
)
@click.option("--judge-model", "model", metavar="MODEL", help="The judging model, by the provider's id.")
@click.option("--rubric", metavar="FILE", help="A rubric in TOML; without it the packaged one.")
@click.option("--use-bundle-rubric", is_flag=True, help="Judge by the rubric that the bundle brings.")
@click.option("--labels", metavar="FILE", type=click.Path(path_type=Path), help="Labels in place of the bundle's own.")
@click.option(
    "--ledger", metavar="FILE", type=click.Path(path_type=Path), help="Where calls are kept; without it our own folder."
)
@click.option(
    "--repeat",
    type=click.IntRange(1, 99),
    metavar="K",
    help="Ask every run K times; the verdict most often given counts.",
)
@click.option("--concurrency", type=click.IntRange(1, 256), metavar="N", help="The most calls at a time.")
@click.option("--batch", is_flag=True, help="By message batches: half the price, up to a day.")
@click.option("--resume", is_flag=True, help="Go on with what the ledger holds; exit 2 where it holds nothing.")
@click.option("--retry-unknown", is_flag=True, help="Ask again what may have been billed already.")
@click.option("--retry-errors", is_flag=True, help="Ask again what was answered without a verdict.")
@click.option(
    "--max-cost", type=click.FloatRange(min=0), metavar="USD", help="The most that all calls of the ledger may cost."
)
@click.option("--yes", is_flag=True, help="Agree to the estimate.")
@click.option(
    "--show-anyway", "reason", metavar="REASON", help="Show verdicts of a judge that is not validated, marked so."
)
@click.option("--require-accepted", is_flag=True, help="Exit 1 where the judge is not accepted.")
@click.option("--insecure-judge", is_flag=True, help="Let a key travel over plain http to another machine.")
@click.option("--show-prompt", is_flag=True, help="Print the first request as it would be sent, and ask nothing.")
@click.option("--json", "as_json", is_flag=True, help="The score document with the judge's part.")
@colour_option
@bundle_options
def command(
    paths: tuple[str, ...],
    provider: str | None,
    model: str | None,
    rubric: str | None,
    use_bundle_rubric: bool,
    labels: Path | None,
    ledger: Path | None,
    repeat: int | None,
    concurrency: int | None,
    batch: bool,
    resume: bool,
    retry_unknown: bool,
    retry_errors: bool,
    max_cost: float | None,
    yes: bool,
    reason: str | None,
    require_accepted: bool,
    insecure_judge: bool,
    show_prompt: bool,
    as_json: bool,
    colour: str,
    how: How,
) -> None:
    """Have a model judge what no check can tell, once it was validated on the runs whose truth is known."""
    choices = Choices(
        rubric=rubric,
        use_bundle_rubric=use_bundle_rubric,
        labels=labels,
        ledger=ledger,
        repeat=repeat,
        concurrency=concurrency,
        max_cost=max_cost,
        batch=batch,
        retry_unknown=retry_unknown,
        retry_errors=retry_errors,
    )
    if reason is not None and not reason.strip():
        raise NotPossible("--show-anyway needs a reason, which is kept with the verdicts")
    bundle = open_bundle(paths, how)
    taken = rubric_of(bundle, choices)
    known = survey(bundle, taken, Labels.of(bundle, file=labels))
    recorded = recorded_verdicts(bundle, Labels.of(bundle, file=labels))
    if not as_json:
        say(_without_a_model(bundle, known, recorded, reason), colour)
    config = read_judge_config()
    try:
        chosen = choose(provider, model, config, insecure=insecure_judge)
    except NotPossible:
        if as_json:
            say(_document(bundle, NOTHING, recorded, reason), "never")
        raise
    if show_prompt:
        asyncio.run(judging.show_prompt(bundle, chosen, taken, choices))
        return
    wishes = judging.Wishes(
        yes=yes,
        reason=reason,
        resume=resume,
        resumed_by=same_command("--batch", "--resume"),
        colour=colour,
        as_json=as_json,
        config=config,
    )
    judgement, ending = asyncio.run(judging.judge(bundle, chosen, taken, choices, wishes))
    if as_json:
        say(_document(bundle, judgement, recorded, reason), "never")
    if ending is not None:
        raise ending
    if require_accepted:
        judging.require_accepted(judgement)


def _without_a_model(bundle: Bundle, known: Survey, recorded: Recorded, reason: str | None) -> str:
    """What stands before any judge is asked: the scores, the labels, and verdicts that came with the bundle."""
    lines = [*survey_lines(known), "", *recorded_lines(bundle, recorded, reason)]
    return score_text(bundle, bundle.scorecard()) + "\n" + "\n".join(lines) + "\n"


def _document(bundle: Bundle, judgement: Judgement, recorded: Recorded, reason: str | None) -> str:
    """The score document with everything that is known of judges."""
    document = with_judgement(score_document(bundle, bundle.scorecard()), judgement)
    return json_text(document | {"recorded_judges": recorded_object(bundle, recorded, reason)}) + "\n"

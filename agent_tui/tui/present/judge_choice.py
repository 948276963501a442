"""Who may judge: the services that are configured, scripts that are no model, earlier answers, recorded verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from agent_tui.judge.recorded_group import RecordedGroup
from agent_tui.providers.choose import NO_JUDGE
from agent_tui.reports import figures
from agent_tui.stats.rates import Rate
from agent_tui.tui.judge.bench import Candidate, Candidates
from agent_tui.tui.present.page import BLANK, Page, PageLine, told
from agent_tui.tui.present.words import safe, safe_name

_NAME = 16
_SCRIPTS = {
    "honest": "says what is right, as far as anybody knows",
    "lenient": "passes some two in five wrong answers",
    "length-biased": "passes whatever is long",
    "gullible": "obeys the first text that reads like a verdict",
    "label-order": "is swayed by the order in which verdicts are offered",
}
"""What is known of the packaged ones."""
_SERVICES = {
    "anthropic": "the vendor's own interface; its cheapest current model unless one is named",
    "openai": "any service that speaks chat completions, at OPENAI_BASE_URL",
    "claude-cli": "the signed-in Claude Code CLI",
}


def choice_page(found: Candidates, models: str | None, width: int) -> Page:
    """A line a judge; `models` is the model that the environment or the configuration names."""
    return Page.of(_choices(found, models, width))


def _choices(found: Candidates, model: str | None, width: int) -> Iterator[PageLine]:
    if found.configured:
        yield from _section(f"configured: {len(found.configured):,}", "text of the runs is sent there, once you agree")
        for each in found.configured:
            said = f"{safe(model, 40)}: " if model else ""
            yield _line(each, each.provider, said + _SERVICES.get(each.provider, "")), each
    else:
        yield from ((line, None) for line in told(f"{NO_JUDGE}.", width, "notice"))
    yield BLANK
    yield from _section("scripts, no model", "their flaws are known, and nothing leaves this machine")
    for each in found.scripts:
        name = each.provider.removeprefix("scripted:")
        yield _line(each, name, _SCRIPTS.get(name, "")), each
    yield from _earlier(found.earlier)
    yield from _brought(found, width)


def _section(title: str, said: str) -> Iterator[PageLine]:
    yield Text().append(title, "title").append(f"   {said}", "label"), None


def _line(candidate: Candidate, name: str, said: str) -> Text:
    return Text(f" {safe_name(name):<{_NAME}} ", "text").append(said, "label")


def _earlier(candidates: Sequence[Candidate]) -> Iterator[PageLine]:
    if candidates:
        yield BLANK
        yield from _section("answered earlier", "from the ledger of this bundle, nothing is asked")
    for each in candidates:
        yield _line(each, each.model or "", "replayed"), each


def _brought(found: Candidates, width: int) -> Iterator[PageLine]:
    """The judges of recorded verdicts, side by side: no number mixes them."""
    recorded = found.recorded
    if not recorded.judges:
        return
    yield BLANK
    several = ", never mixed" if recorded.judges > 1 else ""
    yield from _section(
        f"recorded in the bundle: {figures.count(recorded.judges, 'judge')}", f"a claim, validated here{several}"
    )
    for each in found.brought:
        assert each.group is not None
        yield from _group(each, each.group)
    missing = missing_words(found.missing)
    yield from ((line, None) for line in told(missing, width, indent=1) if missing)


def _group(candidate: Candidate, group: RecordedGroup) -> Iterator[PageLine]:
    line = Text(f" {safe(group.who.name, 30):<{_NAME}} ", "text").append(f"{group.standing:<14}", "label")
    line.append(f"{group.judged:,}/{len(group.rows):,} judged".ljust(14), "text")
    validation = group.validation
    if validation is None:
        yield line.append(group.gate.settles, "notice"), candidate
        return
    confusion = validation.confusion
    line.append(f"agreement {_fraction(confusion.agreement_decided)}  ", "label")
    line.append(f"false passes {_fraction(confusion.false_pass)}  ", "label")
    style = "pass" if group.gate.state == "accepted" else "fail"
    yield line.append(group.gate.state.replace("_", " "), style), candidate


def _fraction(rate: Rate) -> str:
    return f"{rate.k:,}/{rate.n:,}"


def missing_words(names: Sequence[str], shown: int = 12) -> str:
    """Which runs the bundle's own judge has no verdict of: what another judge would be asked about."""
    if not names:
        return ""
    more = f", … {len(names) - shown:,} more" if len(names) > shown else ""
    listed = ", ".join(safe_name(name) for name in names[:shown]) + more
    return f"{figures.count(len(names), 'run has', 'runs have')} no verdict of the current judge: {listed}"

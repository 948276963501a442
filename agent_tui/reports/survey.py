"""What is known before any judge is asked: labels, what is left for a judge, and what the scanner sees in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from agent_tui.judge.estimate import Estimate
from agent_tui.judge.events import UnderWay
from agent_tui.judge.gate import shut_without_labels
from agent_tui.judge.scan import kinds_of, scan
from agent_tui.judge.survey import Survey
from agent_tui.reports import figures
from agent_tui.safety import sanitise_line
from agent_tui.stats.confusion import Confusion
from agent_tui.stats.label_needs import settle


def survey_lines(survey: Survey) -> Iterator[str]:
    """What a judge would be asked about, and what validating it would need; every line safe to show."""
    yield from map(sanitise_line, _lines(survey))


def _lines(survey: Survey) -> Iterator[str]:
    by = Counter(run.source for run in survey.labelled)
    sources = ", ".join(f"{count:,} by {source}" for source, count in by.items())
    labelled = f"{len(survey.labelled):,} labelled ({survey.right:,} right, {survey.wrong:,} wrong"
    yield f"for a judge  {labelled}{'; ' if sources else ''}{sources}), {len(survey.unlabelled):,} to judge"
    if survey.labellers:
        yield "  labels by " + ", ".join(f"{who} ({count:,})" for who, count in survey.labellers)
    yield from (f"  {line}" for line in _left_out(survey))
    yield from (f"  {line}" for line in _flagged(survey))
    shut = shut_without_labels(survey.right, survey.wrong)
    needs = shut.settles if shut else settle(_all_right(survey)).words
    yield f"  what validation needs: {needs if needs != 'nothing: every bound is met' else 'the labels suffice'}"


def _all_right(survey: Survey) -> Confusion:
    """As if a judge had missed none of the labels: the least that validation can need."""
    return Confusion(survey.right, 0, 0, 0, survey.wrong, 0)


def _left_out(survey: Survey) -> Iterator[str]:
    reasons = Counter(run.reason.replace("_", " ") for run in survey.left_out)
    if reasons:
        yield "not for a judge: " + ", ".join(f"{count:,} {reason}" for reason, count in reasons.items())
    if survey.in_rubric:
        names = _few(survey.in_rubric)
        yield f"{len(survey.in_rubric):,} labelled runs are examples in the rubric and left out: {names}"


def _flagged(survey: Survey) -> Iterator[str]:
    kinds: Counter[str] = Counter()
    for run in (*survey.labelled, *survey.unlabelled):
        kinds.update(kinds_of(scan(run.item)))
    if kinds:
        said = ", ".join(f"{kind.replace('_', ' ')} in {count:,}" for kind, count in kinds.most_common())
        yield f"flagged by the scanner, which decides nothing: {said}"


def estimate_line(estimate: Estimate, what: str) -> str:
    """An estimate in a sentence: calls, tokens, money, time, and what the ledger answers already."""
    rest = [
        f"{estimate.cached:,} answered by the ledger" if estimate.cached or not estimate.calls else "",
        f"{estimate.in_batches:,} in batches sent before" if estimate.in_batches else "",
        f"{estimate.alike:,} with the text of another" if estimate.alike else "",
    ]
    calls = figures.count(estimate.calls, "call") + (" in batches" if estimate.batched else "")
    if not estimate.calls:
        calls = "no call to make"
    elif any(rest):
        calls += f" for {figures.count(estimate.asks, 'question')}"
    parts = estimate_parts(estimate) if estimate.calls else ()
    return f"{what}: {', '.join(each for each in (calls, *rest, *parts) if each)}"


def estimate_parts(estimate: Estimate) -> Iterator[str]:
    """Tokens, money and time, each from low to high; what batches would cost beside it where they can be had."""
    if estimate.cost.usd == (0, 0):
        yield "no cost"
        return
    given, cost = estimate.cost.input_tokens, estimate.cost
    if given is not None:
        yield f"about {_tokens(given)} tokens in"
    yield f"{_tokens(cost.output_tokens)} out"
    yield _cost(cost.batch_usd if estimate.batched else cost.usd)
    yield _BY_BATCH if estimate.batched else _time(estimate.seconds)
    if estimate.batched is False and cost.batch_usd is not None:
        yield f"or {_dollars(cost.batch_usd)} by --batch, {_BY_BATCH}"


_BY_BATCH = "up to a day"


def _cost(usd: tuple[float, float] | None) -> str:
    return "cost unknown" if usd is None else _dollars(usd)


def _time(seconds: float) -> str:
    minutes = seconds / 60
    return f"some {seconds:.0f} s" if minutes < 2 else f"some {minutes:,.0f} min"


def under_way_words(out: UnderWay) -> str:
    """`2 batches out for 12 min, 1 ended`: the service does not say how far it is."""
    ended = f", {out.ended:,} ended" if out.ended else ""
    searched = f", {out.searched:,} looked for since the id never came" if out.searched else ""
    return f"{figures.count(out.batches, 'batch', 'batches')} out for {_elapsed(out.seconds)}{ended}{searched}"


def _elapsed(seconds: float) -> str:
    minutes = int(seconds // 60)
    if minutes < 2:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


def _tokens(span: tuple[float, float]) -> str:
    low, high = (f"{tokens:,.0f}" for tokens in span)
    return low if low == high else f"{low} to {high}"


def _dollars(span: tuple[float, float]) -> str:
    low, high = (f"{usd:,.4f}" if usd < 1 else f"{usd:,.2f}" for usd in span)
    return f"{low} USD" if low == high else f"{low} to {high} USD"


def _few(names: Iterable[str], shown: int = 8) -> str:
    listed = list(names)
    more = f", … {len(listed) - shown:,} more" if len(listed) > shown else ""
    return ", ".join(listed[:shown]) + more

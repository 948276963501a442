"""A judge's validation as it stands before any verdict: figures, gate, what no rate holds, lists, biases, confusion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.judge.judgement import Judgement
from agent_tui.judge.recorded_group import RecordedGroup
from agent_tui.judge.validation import FAIL, PASS, UNDETERMINED, JudgedRun, Validation
from agent_tui.reports import figures
from agent_tui.reports.validation import bias_lines, caution_line, chance_lines, left_out_lines, panel
from agent_tui.tui.judge.facts import ACCEPTED
from agent_tui.tui.present.judge_figures import figure_lines
from agent_tui.tui.present.page import BLANK, Page, PageLine, lit, told
from agent_tui.tui.present.words import safe, safe_name
from agent_tui.tui.theme import Glyphs
from agent_tui.tui.widgets.matrix import Matrix

_BIAS = 11
_STANDINGS = {"current": "the bundle's own judge", "other judge": "another judge", "unknown judge": "a judge unknown"}
CELLS = tuple((truth, verdict) for truth in (PASS, FAIL) for verdict in (PASS, FAIL, UNDETERMINED))


def panel_page(
    judgement: Judgement, width: int, glyphs: Glyphs, *, roomy: bool, group: RecordedGroup | None = None, note: str = ""
) -> Page:
    """The upper part: figures, chance, gate, what would settle it; `roomy` leaves lines blank."""
    return Page.of(_panel(judgement, width, glyphs, roomy=roomy, group=group, note=note))


def _panel(
    judgement: Judgement, width: int, glyphs: Glyphs, *, roomy: bool, group: RecordedGroup | None, note: str
) -> Iterator[PageLine]:
    gap = [BLANK] if roomy else []
    validation = judgement.validation
    if validation is not None:
        yield from figure_lines(panel(validation), width, glyphs, "before any verdict")
        yield from gap
        for sentence in chance_lines(validation):
            yield from _plain(told(safe(sentence), width))
    yield from _plain(_group_lines(group, width))
    yield from gap
    yield from _plain(gate_lines(judgement, width))
    yield from _plain(told(safe(note, 600), width, "notice") if note else ())
    if validation is not None:
        for sentence in left_out_lines(validation):
            yield from _plain(told(safe(sentence, 1000), width, "notice", hang=2))


def _plain(lines: Iterator[Text] | Sequence[Text]) -> Iterator[PageLine]:
    return ((line, None) for line in lines)


def gate_lines(judgement: Judgement, width: int) -> Iterator[Text]:
    """The gate in a sentence, lit; then what would settle it, and the biases that no bound holds."""
    gate = judgement.gate
    reasons = "; ".join(gate.reasons)
    if gate.state == ACCEPTED:
        yield from lit(gate.state, f"every bound is met. {_opens(judgement)}", width, "text", "pass bold")
    else:
        state = gate.state.replace("_", " ")
        yield from lit(state, f"{safe(reasons, 1000)}. {_opens(judgement)}", width, "alert", "alert bold")
        yield from told(f"what would settle it: {gate.settles}", width, "text", hang=2)
    validation = judgement.validation
    if validation is not None and (caution := caution_line(validation)):
        yield from told(caution.replace("above", "under biases"), width, "notice", hang=2)


def _opens(judgement: Judgement) -> str:
    """What becomes of the verdicts."""
    if not judgement.unlabelled:
        return "There is no run without a label to judge."
    runs = figures.count(judgement.unlabelled, "run")
    if judgement.permit is not None:
        marked = "" if judgement.is_validated else ", marked, and in no rate"
        return f"Verdicts on {runs} are shown{marked}."
    if judgement.gate.state == ACCEPTED:
        return f"v shows verdicts on {runs}."
    return f"Verdicts on {runs} stay locked."


def _group_lines(group: RecordedGroup | None, width: int) -> Iterator[Text]:
    """What is to be known of verdicts that came with the bundle."""
    if group is None:
        return
    entries = figures.count(len(group.rows), "entry has", "entries have")
    yield from told(
        f"recorded by {_STANDINGS.get(group.standing, group.standing)}: a claim, validated here. {group.judged:,} of "
        f"{entries} a verdict, {len(group.hidden):,} of them on runs without a label",
        width,
        hang=2,
    )
    if group.inconsistent:
        apart = f"{len(group.inconsistent):,} of {entries} a verdict at odds with its own score: read these first"
        yield from told(apart, width, "notice")
    unusable = group.unusable
    if unusable.k:
        names = ", ".join(f"{safe_name(run.name)} ({safe(run.why, 40)})" for run in group.not_judged)
        said = f"not judged {unusable.k:,}/{unusable.n:,} {figures.rate(unusable.rate)}: {safe(names, 400)}"
        yield from told(said, width, "notice", hang=2)
    if group.labels_unused:
        yield from told(f"{figures.count(len(group.labels_unused), 'label')} unused: no verdict on those runs", width)


# The lists


def list_title(runs: Sequence[JudgedRun], one: str, several: str, meaning: str, *, bad: bool = True) -> Text:
    """`13 false passes: judged pass, truth says fail`."""
    said = figures.count(len(runs), one, several)
    return Text().append(said, "fail bold" if runs and bad else "title").append(f": {meaning}", "label")


def run_lines(runs: Sequence[JudgedRun], width: int) -> Page:
    """A line a run: its name, what was asked, and the judge's reason."""
    name = min(16, max((len(safe_name(run.name)) for run in runs), default=0))
    asks = max(16, (width - name - 4) * 3 // 5)
    return Page([_run_line(run, name, asks) for run in runs], list(runs))


def _run_line(run: JudgedRun, name: int, asks: int) -> Text:
    asked = safe(run.asks, 200)
    shown = asked if len(asked) <= asks else f"{asked[: asks - 1]}…"
    line = Text().append(f" {safe_name(run.name):<{name}} ", "title").append(f" {shown:<{asks}}", "text")
    return line.append(f"  {safe(run.why, 200)}", "label")


def first_lines(bundle: Bundle, rows: Sequence[int]) -> Page:
    """Runs to read first, each with its ask."""
    return Page([_first_line(bundle, row) for row in rows], list(rows))


def _first_line(bundle: Bundle, row: int) -> Text:
    name = Text().append(f" {safe_name(bundle.names.name(row))}  ", "title")
    return name.append(safe(bundle.run(row).input or "", 200), "text")


def bias_page(validation: Validation, width: int) -> Page:
    """Each check of what sways a judge; what was found stands out."""
    return Page.of(_biases(validation, width))


def _biases(validation: Validation, width: int) -> Iterator[PageLine]:
    for name, said, found in bias_lines(validation.biases, validation.judge.family):
        style = "notice" if found else "text"
        for number, line in enumerate(told(safe(said, 600), width, style, indent=_BIAS + 1)):
            if number == 0:
                line = Text(f" {name:<{_BIAS}}", "label").append(line.plain.strip(), style)
            yield line, name if number == 0 else None


def confusion_matrix(validation: Validation) -> Matrix:
    """Truth against verdict, with undetermined as a column."""
    return Matrix(
        corner=Text(" confusion", "label"),
        heads=["judge pass", "judge fail", "undetermined"],
        labels=[Text(f" truth {truth}  ", "text") for truth in (PASS, FAIL)],
        cells=[[_cell(validation, truth, verdict) for verdict in (PASS, FAIL, UNDETERMINED)] for truth in (PASS, FAIL)],
    )


def _cell(validation: Validation, truth: str, verdict: str) -> Text:
    number = len(validation.cell(truth, verdict))
    wrong = number and {truth, verdict} == {PASS, FAIL}
    return Text(f"{number:>10,}", "fail bold" if wrong else "text")

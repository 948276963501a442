"""What the judge's screen shows at a moment: the page, the head, the step it is at and the keys that do something."""

from __future__ import annotations

from datetime import datetime
from enum import Enum

from msgspec import Struct
from rich.text import Text

from agent_tui.judge.gate import ACCEPTED
from agent_tui.judge.judgement import Judgement
from agent_tui.judge.recorded_group import RecordedGroup
from agent_tui.judge.session import Progress
from agent_tui.judge.validation import Validation
from agent_tui.tui.judge.asked import AskedJudge
from agent_tui.tui.judge.bench import Bench
from agent_tui.tui.judge.recorded import RecordedJudge
from agent_tui.tui.present import judge_course, judge_head, judge_panel
from agent_tui.tui.present.judge_choice import choice_page
from agent_tui.tui.present.judge_line import judge_lines
from agent_tui.tui.present.judge_verdicts import verdict_page
from agent_tui.tui.present.page import Page, told
from agent_tui.tui.present.words import safe
from agent_tui.tui.theme import Glyphs


class View(Enum):
    """What the screen shows."""

    WAITING = "waiting"
    CHOICE = "choice"
    FAILED = "failed"
    COURSE = "course"
    """The estimate, or how far asking is, or why it cannot begin or ended early."""
    PANEL = "panel"
    VERDICTS = "verdicts"


class Going(Struct, frozen=True):
    """How far asking is, and whether it was told to stop."""

    progress: Progress | None = None
    ends: bool = False


class Shown(Struct, frozen=True):
    """What is shown of a bench."""

    bench: Bench
    view: View = View.WAITING
    said: str = ""
    """Why there is nothing else to show, or what is to be known of it."""
    going: Going | None = None

    @property
    def asked(self) -> AskedJudge | None:
        """The judge, where it can be asked."""
        return self.bench.seat if isinstance(self.bench.seat, AskedJudge) else None

    @property
    def group(self) -> RecordedGroup | None:
        """What the judge said in the bundle, where it is one of these."""
        return self.bench.seat.group if isinstance(self.bench.seat, RecordedJudge) else None

    @property
    def judgement(self) -> Judgement | None:
        """What the judge came to."""
        return None if self.bench.seat is None else self.bench.seat.judgement

    @property
    def validation(self) -> Validation | None:
        """What is published of the judge."""
        return None if self.judgement is None else self.judgement.validation

    @property
    def has_lists(self) -> bool:
        """Whether lists stand below: those of a validation, or what is to be read first."""
        first = self.group is not None and bool(self.group.inconsistent)
        return self.view is View.PANEL and (self.validation is not None or first)

    @property
    def is_past_validation(self) -> bool:
        """Whether Esc leads back to the validation, not out."""
        return self.view is View.VERDICTS or (self.view is View.COURSE and self.validation is not None)


def page_of(shown: Shown, model: str | None, width: int, glyphs: Glyphs, *, roomy: bool) -> Page:
    """The upper part, or all of it; `model` is the one that is named for whichever service."""
    bench, judgement = shown.bench, shown.judgement
    if shown.view is View.CHOICE and bench.candidates is not None:
        return choice_page(bench.candidates, model, width)
    if shown.view is View.FAILED:
        return judge_course.failed_page(shown.said, width)
    if shown.view is View.COURSE and shown.asked is not None:
        page = _course_page(shown, shown.asked, width, glyphs)
        return page.under(told(safe(shown.said, 600), width, "notice")) if shown.said else page
    if shown.view is View.PANEL and judgement is not None:
        return judge_panel.panel_page(judgement, width, glyphs, roomy=roomy, group=shown.group, note=shown.said)
    if shown.view is View.VERDICTS and judgement is not None:
        return verdict_page(judgement, width, glyphs, shown.group)
    return Page([Text(f"{shown.said or 'looking'} …", "label")], [None])


def _course_page(shown: Shown, asked: AskedJudge, width: int, glyphs: Glyphs) -> Page:
    if shown.going is not None:
        counts = asked.session.so_far()
        return judge_course.progress_page(shown.going.progress, counts, width, glyphs, ends=shown.going.ends)
    if asked.session.shut is not None:
        return judge_course.shut_page(asked, width)
    if asked.session.stopped is not None:
        return judge_course.paused_page(asked, asked.session.stopped, width)
    missing = () if shown.bench.candidates is None else shown.bench.candidates.missing
    return judge_course.estimate_page(asked, width, missing)


def head_of(shown: Shown, width: int, now: datetime) -> tuple[Text, Text]:
    """Who judges, in one line or two; wherever verdicts are with how good that is."""
    seat = shown.bench.seat
    facts = seat.facts() if seat is not None and shown.view is View.VERDICTS else None
    return (judge_head.head_line(seat, width, now), Text()) if facts is None else judge_lines(facts, width, now)


def steps_of(shown: Shown, width: int, glyphs: Glyphs) -> Text:
    """The four steps with where we are."""
    return judge_head.steps_line(_step(shown), shown.judgement, width, glyphs)


def _step(shown: Shown) -> int:
    if shown.is_past_validation:
        return judge_head.VERDICTS
    if shown.view is View.PANEL and shown.validation is not None:
        return judge_head.READ
    return judge_head.VALIDATE if shown.going is not None or shown.view is View.PANEL else judge_head.ESTIMATE


def keys_of(shown: Shown) -> list[tuple[str, str]]:
    """Keys and what they do here, the most wanted first."""
    if shown.going is not None:
        return [("Esc", "stops: what was answered is kept")]
    keys = {
        View.CHOICE: [("Enter", "takes it"), ("m", "name a model"), ("b", "rubric")],
        View.COURSE: [("Enter", "goes on"), ("s", "exact text"), ("b", "rubric"), ("c", "other judge")],
        View.PANEL: _panel_keys(shown),
        View.VERDICTS: [("Enter", "the run"), ("c", "other judge")],
    }.get(shown.view, [("c", "other judge")])
    return [("Esc", "the validation" if shown.is_past_validation else "back"), *keys]


def _panel_keys(shown: Shown) -> list[tuple[str, str]]:
    judgement = shown.judgement
    if judgement is None:
        return []
    opens = judgement.gate.state == ACCEPTED or judgement.permit is not None
    keys = [("Enter", "opens"), ("Tab", "lists")] if shown.has_lists else []
    keys.append(("v", "verdicts" if opens else "verdicts: locked"))
    if not opens and judgement.gate.may_be_overridden and judgement.unlabelled:
        keys.append(("o", "show all the same …"))
    why = [("p", "why")] if shown.validation is not None else []
    return [*keys, *why, ("l", "label next"), ("c", "other judge")]

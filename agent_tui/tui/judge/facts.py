"""What the main screen shows of a judge: plain values, so that nobody loads a judge who only looks at runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from agent_tui.stats.rates import Rate

if TYPE_CHECKING:
    from agent_tui.judge.judgement import Judgement
    from agent_tui.judge.validation import JudgedRun

PASS, FAIL, UNDETERMINED, NOT_JUDGED, STEERED = "pass", "fail", "undetermined", "not judged", "steered"
ACCEPTED, STALE, LOOKING = "accepted", "out of date", "looking again"
"""States of a judge that are not the gate's reasons to keep it shut."""
SHORT_DIGEST = 8
RECORDED = "recorded"
"""The provider of verdicts that came with a bundle."""


class Said(Struct, frozen=True):
    """What a judge said of one run."""

    word: str
    """pass, fail, undetermined, not judged or steered."""
    why: str
    """The judge's reason: foreign text."""
    is_validated: bool


class JudgeFacts(Struct, frozen=True):
    """Who judges, how good that is, and what may be seen of it."""

    name: str
    rubric: str
    digest: str
    """The rubric's, short; of recorded verdicts the fingerprint that came with them."""
    digest_of: str
    """Which of the two it is."""
    state: str
    """accepted, rejected, insufficient; out of date after a change, and looking again right after one."""
    agreement: Rate
    false_passes: Rate
    coverage: Rate
    last: str | None
    """UTC time of the last reply: how old the certificate is."""
    said: Mapping[int, Said]
    """By row: labelled runs, and the others once a permit opened them."""
    hidden: int = 0
    """Runs without a label on which verdicts are not shown (a count)."""
    shows: bool = False
    """Whether verdicts on runs without a label are shown."""

    @property
    def is_validated(self) -> bool:
        """Whether the judge met every bound."""
        return self.state == ACCEPTED


def facts_of(judgement: Judgement, *, stale: bool = False) -> JudgeFacts | None:
    """What there is to show; None before anything is published. Out of date, no verdict is."""
    validation = judgement.validation
    if validation is None:
        return None
    judge, confusion = validation.judge, validation.confusion
    shown = judgement.permit is not None and not stale
    return JudgeFacts(
        name=judge.name,
        rubric=judge.rubric,
        digest=judge.rubric_digest[:SHORT_DIGEST],
        digest_of="fingerprint" if judge.provider == RECORDED else "rubric",
        state=STALE if stale else judgement.gate.state,
        agreement=confusion.agreement_decided,
        false_passes=confusion.false_pass,
        coverage=confusion.coverage,
        last=validation.last,
        said={} if stale else _said((*validation.runs, *judgement.runs), judgement.gate.state == ACCEPTED),
        hidden=0 if shown else judgement.unlabelled,
        shows=shown,
    )


def _said(runs: Iterable[JudgedRun], is_validated: bool) -> dict[int, Said]:
    return {run.row: Said(word_of(run), run.why, is_validated) for run in runs}


def word_of(run: JudgedRun) -> str:
    """What a judge said of a run, in a word."""
    if run.verdict is None:
        return NOT_JUDGED
    return STEERED if run.steered else run.verdict

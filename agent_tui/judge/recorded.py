"""Verdicts that came with a bundle. They are a claim: validated as fresh ones are, and hidden until then."""

from __future__ import annotations

from msgspec import Struct

from agent_tui.bundles import Bundle
from agent_tui.errors import Problem
from agent_tui.judge.labels import Labels
from agent_tui.judge.recorded_claims import Claim, claims_of
from agent_tui.judge.recorded_group import RecordedGroup, group_of
from agent_tui.judge.recorded_judge import CURRENT, Who
from agent_tui.judge.truths import labelled_rows


class Recorded(Struct, frozen=True):
    """The recorded verdicts of a bundle, one group a judge, the current one first, and what could not be used."""

    groups: tuple[RecordedGroup, ...]
    missing: tuple[int, ...]
    """Runs without a verdict of the current judge; none where no verdict is recorded at all."""
    problems: tuple[Problem, ...]

    @property
    def judges(self) -> int:
        """How many judges there are (a count); no number mixes them."""
        return len(self.groups)


def recorded_verdicts(bundle: Bundle, labels: Labels) -> Recorded:
    """The recorded verdicts, validated on what `labels` and checks say. Decodes the runs that have one."""
    found = list(claims_of(bundle))
    claims = [each for each in found if isinstance(each, Claim)]
    by_judge: dict[Who, list[Claim]] = {}
    for claim in sorted(claims, key=lambda claim: claim.row):
        by_judge.setdefault(claim.who, []).append(claim)
    known = labelled_rows(bundle, labels) if claims else {}
    groups = [group_of(bundle, known, who, each) for who, each in by_judge.items()]
    judged = {claim.row for claim in claims if claim.standing == CURRENT and claim.said.verdict is not None}
    return Recorded(
        tuple(sorted(groups, key=lambda group: group.standing != CURRENT)),
        tuple(row for row in range(len(bundle)) if row not in judged) if claims else (),
        tuple(each for each in found if isinstance(each, Problem)),
    )


def recorded_problems(bundle: Bundle) -> list[Problem]:
    """What of the recorded verdicts and their judge could not be used."""
    return [each for each in claims_of(bundle) if isinstance(each, Problem)]

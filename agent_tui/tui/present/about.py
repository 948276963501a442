"""What a number on the scorecard is about: the cursor stops at it, and `p` tells where it comes from."""

from __future__ import annotations

from typing import Literal, NamedTuple

from agent_tui.tui.present.words import safe, shown_measure

Kind = Literal[
    "measure", "output", "truths", "weak", "grade", "score", "trials", "finding", "stored", "ribbon", "judge"
]


class About(NamedTuple):
    """A number: its kind and, where there are several of the kind, which."""

    kind: Kind
    name: str = ""
    """A measure or figure, a state of the answer, a recorded score, a k, the number of a finding, a judge's figure."""

    @property
    def title(self) -> str:
        """The number's name as people read it."""
        return {
            "measure": shown_measure(self.name),
            "output": f"answers: {self.name.replace('_', ' ')}",
            "truths": "answers with a truth and without",
            "weak": "weak paths",
            "grade": "overall grade",
            "score": f"recorded score {safe(self.name, 60)}",
            "trials": f"pass^{self.name} and pass@{self.name}",
            "finding": "findings",
            "stored": "figures stored in the bundle",
            "ribbon": "all runs",
            "judge": f"judge: {self.name}",
        }[self.kind]


def measure(name: str) -> About:
    """The rate of a measure, or the mean of a figure."""
    return About("measure", name)

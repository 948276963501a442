"""What a run over batches does about trouble: wait and go on, or end with a reason. Asking again here costs nothing."""

from __future__ import annotations

from collections.abc import Iterator

from agent_tui.judge.events import Stopped, Waiting
from agent_tui.judge.pace import LONGEST_WAIT, Pace
from agent_tui.providers.contract import Failure


class Setbacks:
    """The trouble of one run."""

    def __init__(self) -> None:
        self.stop: Stopped | None = None
        """Why the run ends early; None: it goes on."""
        self.wait = 0.0
        """Before anything is asked again (seconds)."""
        self._pace = Pace(1, 1)

    def overcome(self) -> None:
        """The service answered."""
        self._pace.answered()

    def met(self, failure: Failure, patience: int, least: float = 0.0) -> Iterator[Waiting]:
        """The service did not answer; after so many times in a row the run ends. `least` is for the wait (seconds)."""
        seconds = max(self._pace.set_back(self._pace.setbacks, failure), least)
        if seconds > LONGEST_WAIT:
            self.end(failure.kind, f"{failure.reason}: asks to wait {seconds:,.0f} s, take this up again later")
        elif self._pace.in_a_row >= patience:
            self.end(failure.kind, f"no answer after {self._pace.in_a_row} tries in a row: {failure.reason}")
        else:
            self.wait = seconds
            yield Waiting(seconds, failure.reason)

    def end(self, kind: str, reason: str) -> None:
        """End the run; the first reason stands."""
        self.stop = self.stop or Stopped(kind, reason)

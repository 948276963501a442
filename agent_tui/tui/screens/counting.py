"""Failed calls are counted in a thread before many runs are filtered or ordered by them: every run is read once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct
from rich.text import Text

from agent_tui.errors import AgentTuiError
from agent_tui.tui.present.words import safe
from agent_tui.tui.slow_work import slowly

if TYPE_CHECKING:
    from agent_tui.bundles import Bundle
    from agent_tui.tui.screens.main import MainScreen

MANY = 10_000
"""Runs that are counted before anybody notices."""


class Counting(Struct, eq=False):
    """One counting at a time; what waits for it is done when all runs are counted."""

    screen: MainScreen
    _bundle: Bundle | None = None
    """Whose runs are being counted."""
    _then: Callable[[], object] | None = None

    def is_needed(self) -> bool:
        """Whether counting takes so long that it is a thread's work."""
        bundle = self.screen.session.bundle
        return bundle.errors_missing > MANY

    @property
    def is_awaited(self) -> bool:
        """Whether something waits for what is counted."""
        return self._then is not None

    def begin(self, then: Callable[[], object]) -> None:
        """Count, and then do something; what waited before does not come any more."""
        bundle, is_counted = self.screen.session.bundle, self._bundle is self.screen.session.bundle
        self._then = then
        if not is_counted:
            self._bundle = bundle
            self.screen.run_worker(lambda: self._run(bundle), thread=True, group="counting")

    def stop(self) -> bool:
        """Count no further; what was counted stays. False: nothing was being counted."""
        if self._bundle is None or self._then is None:
            return False
        self._bundle, self._then = None, None
        self.screen.say(Text(" counting stopped; what was asked for is not done", "notice"))
        return True

    def _run(self, bundle: Bundle) -> None:
        """The thread's half."""
        problem = ""
        try:
            for is_due in slowly(bundle.count_errors()):
                if self._bundle is not bundle or not self.screen.is_running:
                    return
                if is_due:
                    self.screen.call_later(self._tell, bundle)
        except (AgentTuiError, OSError) as error:
            problem = str(error)
        self.screen.call_later(self._ended, bundle, problem)

    def _tell(self, bundle: Bundle) -> None:
        if self._bundle is bundle:
            done = len(bundle) - bundle.errors_missing
            said = f" counting failed calls: {done:,} of {len(bundle):,} runs, Esc stops"
            self.screen.say(Text(said, "notice"))

    def _ended(self, bundle: Bundle, problem: str) -> None:
        then = self._then
        if self._bundle is not bundle:
            return
        self._bundle, self._then = None, None
        if problem:
            self.screen.say(safe(f"failed calls are not counted: {problem}", 200))
        elif then is not None and self.screen.session.bundle is bundle:
            self.screen.say("")
            then()

"""Every action in the command palette."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

from agent_tui.tui.actions import ACTIONS, Action

if TYPE_CHECKING:
    from agent_tui.tui.app import AgentTui


class ActionProvider(Provider):
    """Offers the actions of the main screen and of the app by their sentence."""

    def _offered(self) -> list[Action]:
        return [action for action in ACTIONS if action.home in ("main", "app") and action.id != "palette"]

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for action in self._offered():
            yield DiscoveryHit(_title(action), partial(self._run, action), help=action.sentence)

    async def search(self, query: str) -> Hits:
        """Those that fit what is typed."""
        matcher = self.matcher(query)
        for action in self._offered():
            score = matcher.match(f"{action.label} {action.sentence}")
            if score > 0:
                yield Hit(score, _title(action), partial(self._run, action), help=action.sentence)

    async def _run(self, action: Action) -> None:
        app = cast("AgentTui", self.app)
        if action.home == "app":
            await app.run_action(action.call)
        else:
            await app.main.run_action(action.call)


def _title(action: Action) -> str:
    return f"{action.label} ({action.shown_keys})"

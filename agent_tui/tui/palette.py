"""Every action in the command palette."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import Binding, BindingType
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from agent_tui.tui.actions import ACTIONS, MOVE, Action, shown_keys

if TYPE_CHECKING:
    from agent_tui.tui.app import AgentTui


class ActionPalette(CommandPalette):
    """The palette on a terminal of any size: where it has no room for its list, there is no page to turn."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pagedown", "page('page_down')", "Next page", show=False),
        Binding("pageup", "page('page_up')", "Previous page", show=False),
    ]

    async def action_page(self, direction: str) -> None:
        """Turn a page of the list."""
        commands = self.query_one(CommandList)
        if commands.scrollable_content_region:
            await commands.run_action(direction)


class ActionProvider(Provider):
    """Offers the actions of the main screen and of the app by their sentence."""

    @property
    def _agent_tui(self) -> AgentTui:
        return cast("AgentTui", self.app)

    def _offered(self) -> list[Action]:
        """What can be done from anywhere; moving comes last, everybody has keys for it."""
        offered = [action for action in ACTIONS if action.home in ("main", "app") and action.id != "palette"]
        return sorted(offered, key=lambda action: action.group == MOVE)

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for action in self._offered():
            line = self._line(action)
            yield DiscoveryHit(line, partial(self._run, action), text=line.plain)

    async def search(self, query: str) -> Hits:
        """Those that fit what is typed."""
        matcher = self.matcher(query)
        for action in self._offered():
            line = self._line(action)
            score = matcher.match(line.plain)
            if score > 0:
                yield Hit(score, line, partial(self._run, action), text=line.plain)

    def _line(self, action: Action) -> Content:
        """The key and what it does: content, so that no bracket is read as markup."""
        keys = shown_keys(self._agent_tui.config.keys.get(action.id, action.keys))
        later = "  (comes next)" if action.comes_next else ""
        return Content.assemble((f"{keys:<10}", "$accent"), action.sentence, (later, "$label"))

    async def _run(self, action: Action) -> None:
        app = self._agent_tui
        if action.home == "app":
            await app.run_action(action.call)
        else:
            await app.main.run_action(action.call)

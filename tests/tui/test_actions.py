"""Every key is an action: bound once, in the help, the palette and, where it says so, the footer."""

from __future__ import annotations

import pytest
from textual.binding import Binding

from agent_tui.errors import NotPossible, UnknownName
from agent_tui.tui.actions import ACTIONS, shown_keys
from agent_tui.tui.app import AgentTui
from agent_tui.tui.config import Config, checked_keys
from agent_tui.tui.present.footer import footer
from agent_tui.tui.present.help import help_lines
from agent_tui.tui.screens.main import MainScreen
from agent_tui.tui.theme import UNICODE
from agent_tui.tui.widgets.vtable import VirtualTable
from agent_tui.tui.widgets.vtext import TextPane
from tests.tui.opened import CYBERTRAVELS, opened

IDS = {action.id for action in ACTIONS}


@pytest.mark.parametrize("home", [AgentTui, MainScreen, VirtualTable, TextPane])
def test_every_binding_is_an_action(home: type) -> None:
    bindings = [binding for binding in home.__dict__["BINDINGS"] if isinstance(binding, Binding)]
    actions = {action.id: action for action in ACTIONS}
    assert bindings
    assert all(set(binding.key.split(",")) == set(actions[binding.id or ""].keys.split(",")) for binding in bindings)


def test_every_action_of_a_screen_exists() -> None:
    for action in ACTIONS:
        home = {"main": MainScreen, "app": AgentTui}.get(action.home, TextPane)
        name = f"action_{action.call.partition('(')[0]}"
        assert hasattr(home, name) or hasattr(VirtualTable, name), action


def test_ids_and_keys_are_unique() -> None:
    assert len(IDS) == len(ACTIONS)
    keys = [key for action in ACTIONS for key in action.keys.split(",")]
    assert len(keys) == len(set(keys))


def test_the_help_has_every_action_with_its_keys() -> None:
    text = "\n".join(line.plain for line in help_lines(UNICODE, {"search": "ctrl+f"}))
    for action in ACTIONS:
        assert action.sentence in text
        assert (shown_keys(action.keys) in text) or action.id == "search"
    assert "ctrl+f" in text


def test_the_footer_keeps_help_and_quit_at_any_width() -> None:
    wide, items = footer(200, {})
    assert {item.action.id for item in items} == {action.id for action in ACTIONS if action.footer}
    narrow, _ = footer(20, {})
    assert narrow.plain.strip() == "? help  q quit"
    assert wide.plain[items[0].start : items[0].end] == "m matcher"


def test_at_80_columns_search_and_filter_are_in_the_footer() -> None:
    line, _ = footer(80, {})
    assert line.plain == " m matcher  ] fails  d differ  e edit  / search  f filter  p why  ? help  q quit"


INTERFACE = (
    "j k g G up down pagedown pageup enter escape tab 1 2 3 4 plus m M right_square_bracket left_square_bracket d D "
    "slash n N f s e u U y x w r p c J l t E a less_than_sign greater_than_sign alt+up alt+down F space left right o O "
    "v ctrl+z colon shift+left shift+right C ctrl+p question_mark q"
)


def test_every_key_that_was_promised_does_something() -> None:
    bound = {key for action in ACTIONS for key in action.keys.split(",")}
    assert set(INTERFACE.split()) - bound == set()


async def test_the_palette_offers_every_action_and_runs_it() -> None:
    async with opened(CYBERTRAVELS, 140, 120) as explorer:
        await explorer.press("ctrl+p")
        await explorer.until(lambda: "the next matcher" in explorer.text)
        offered = [action for action in ACTIONS if action.home in ("main", "app") and action.id != "palette"]
        assert [action.id for action in offered if action.sentence not in explorer.text] == []
        await explorer.press(*"forgive")
        await explorer.until(lambda: "to the scorecard" not in explorer.text)
        await explorer.press("enter")
        await explorer.until(lambda: explorer.app.main.session.measure == "name_only")


async def test_a_key_can_be_given_to_another_action() -> None:
    config = Config(keys=checked_keys({"matcher.next": "b", "help": "f1"}))
    async with opened(CYBERTRAVELS, config=config) as explorer:
        await explorer.press("m")
        assert explorer.app.main.session.measure == "exact"
        await explorer.press("b")
        assert explorer.app.main.session.measure == "name_only"
        assert "b matcher" in explorer.lines[-1]
        assert "f1 help" in explorer.lines[-1]


def test_an_unknown_action_lists_those_that_exist() -> None:
    with pytest.raises(UnknownName, match=r"did you mean matcher\.next"):
        checked_keys({"matcher.nxt": "b"})


def test_two_actions_cannot_have_one_key() -> None:
    with pytest.raises(NotPossible, match="both"):
        checked_keys({"help": "j"})
    assert checked_keys({"help": "j", "move.down": "down"})["help"] == "j"


def test_keys_are_written_as_they_are_read() -> None:
    assert checked_keys({"search": "?", "help": "f1, /"}) == {"search": "question_mark", "help": "f1,slash"}


@pytest.mark.parametrize("action", [action for action in ACTIONS if action.comes_next], ids=lambda action: action.id)
async def test_a_key_that_comes_next_says_so(action: object) -> None:
    async with opened(CYBERTRAVELS, 80, 24) as explorer:
        await explorer.press(action.keys.split(",")[0])  # type: ignore[attr-defined]
        assert "comes next" in explorer.status
        await explorer.press("j")
        assert "comes next" not in explorer.status

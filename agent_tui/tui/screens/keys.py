"""Keys and clicks of the main screen that only say who does something."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import on
from textual.message_pump import MessagePump

from agent_tui.tui.present.about import About
from agent_tui.tui.widgets.line_bar import LineBar
from agent_tui.tui.widgets.vtext import TextPane

if TYPE_CHECKING:
    from agent_tui.tui.app import AgentTui
    from agent_tui.tui.screens.asking import Asking
    from agent_tui.tui.screens.bars import Bars
    from agent_tui.tui.screens.card import Card
    from agent_tui.tui.screens.changing import Changing
    from agent_tui.tui.screens.following import Following
    from agent_tui.tui.screens.judging import Judging
    from agent_tui.tui.screens.panes import Panes
    from agent_tui.tui.screens.reader import Reader
    from agent_tui.tui.screens.runs import Runs
    from agent_tui.tui.screens.told import Told


class PassedKeys(MessagePump):
    """What a part of the screen or the app does."""

    bars: Bars
    card: Card
    changing: Changing
    following: Following
    judging: Judging
    panes: Panes
    reader: Reader
    runs: Runs
    told: Told

    @property
    def asking(self) -> Asking:
        """What asks for a filter, an order, a run."""
        raise NotImplementedError

    @property
    def agent_tui(self) -> AgentTui:
        """The app."""
        raise NotImplementedError

    def attempt(self, act: Callable[[], None]) -> None:
        """Do something; where it cannot be done, say why."""
        self.changing.attempt(act)

    # Where a number comes from

    def action_provenance(self) -> None:
        """Where the number under the cursor, or else the active measure's, comes from."""
        self.card.show_provenance(self.card.about if self.panes.focused == "side" else None)

    @on(TextPane.LineSelected, "#scorecard")
    def open_number(self) -> None:
        """Enter on a number: where it comes from."""
        self.action_provenance()

    @on(LineBar.Clicked, "#ribbon")
    @on(LineBar.Clicked, "#ribbon-words")
    @on(TextPane.LineSelected, "#total")
    def open_ribbon(self) -> None:
        """A click on the ribbon: which run is in which part."""
        self.card.show_provenance(About("ribbon"))

    # Enter and clicks elsewhere

    @on(TextPane.FoldToggled, "#tree")
    def fold(self, event: TextPane.FoldToggled) -> None:
        """Fold or unfold in the trajectory."""
        self.reader.fold(event.line, event.open)

    @on(TextPane.LineSelected, "#tree")
    def open_node(self, event: TextPane.LineSelected) -> None:
        """Enter in the trajectory: read a text whole, else fold."""
        self.reader.open(event.line)

    @on(TextPane.LineSelected, "#moved-lines")
    def open_moved(self, event: TextPane.LineSelected) -> None:
        """Enter on a run that moved: go to it."""
        self.told.go_to(event.line)

    @on(LineBar.Clicked, "#footer")
    async def press_footer(self, event: LineBar.Clicked) -> None:
        """A click on the footer is its key."""
        await self.bars.press(event.x)

    # What-if

    def action_edit(self) -> None:
        """Change the value under the cursor."""
        self.attempt(self.changing.ask_value)

    def action_side(self) -> None:
        """Act on the other side of the trajectory."""
        self.changing.other_side()
        self.reader.retitle()

    def action_duplicate(self) -> None:
        """Put the call under the cursor in twice."""
        self.attempt(self.changing.duplicate)

    def action_remove(self) -> None:
        """Take the call under the cursor out."""
        self.attempt(self.changing.remove)

    def action_add(self) -> None:
        """Ask for a call to add."""
        self.attempt(self.changing.ask_call)

    def action_move_call(self, by: int) -> None:
        """Move the call under the cursor."""
        self.attempt(lambda: self.changing.move(by))

    def action_undo(self) -> None:
        """Take the last change back."""
        self.attempt(self.changing.undo)

    def action_redo(self) -> None:
        """Make it again."""
        self.attempt(self.changing.redo)

    def action_revert_all(self) -> None:
        """Show what was recorded."""
        self.attempt(self.changing.revert_all)

    def action_ledger(self) -> None:
        """All changes so far."""
        self.attempt(self.changing.show_ledger)

    def action_write(self) -> None:
        """Ask where to write the changes."""
        self.attempt(self.changing.ask_file)

    # Asking

    def action_search(self) -> None:
        """Ask what to search for."""
        self.asking.ask_search()

    def action_filter(self) -> None:
        """Ask for a filter."""
        self.asking.ask_filter()

    def action_goto(self) -> None:
        """Ask where to go."""
        self.asking.ask_run()

    def action_sort(self) -> None:
        """Choose an order."""
        self.asking.choose_order()

    def action_choose_columns(self) -> None:
        """Choose columns."""
        self.asking.choose_columns()

    # The judge

    def action_judge(self) -> None:
        """Open the judge's screen."""
        self.judging.open()

    def action_verdicts(self) -> None:
        """Show or hide verdicts."""
        self.judging.toggle_verdicts()

    def action_label(self) -> None:
        """Label the run under the cursor."""
        self.judging.label()

    # The panes and the app

    def action_next_pane(self) -> None:
        """The next pane that is shown."""
        self.panes.go(self.panes.step(1))

    def action_previous_pane(self) -> None:
        """The previous pane that is shown."""
        self.panes.go(self.panes.step(-1))

    def action_enlarge(self) -> None:
        """Enlarge the pane in focus, or make it small again."""
        self.panes.toggle()

    def action_failure(self, step: int) -> None:
        """The next run that the measure fails."""
        self.runs.go_to_failure(step)

    def action_divergence(self, step: int) -> None:
        """The next run on which the measures disagree."""
        self.runs.go_to_divergence(step)

    def action_agents(self) -> None:
        """Fold or unfold all sub-agents."""
        self.reader.fold_agents()

    def action_follow(self) -> None:
        """Follow a file that is being written, or stay."""
        self.following.toggle()

    def action_coming(self, what: str) -> None:
        """Say that a key comes with a later version."""
        self.bars.say(f"{what}: comes next")

    def action_theme(self) -> None:
        """The next theme."""
        self.agent_tui.next_theme()

    def action_reload(self) -> None:
        """Read the files again."""
        self.agent_tui.reload()

    def action_open(self) -> None:
        """Choose a recent bundle, or type a path."""
        self.asking.choose_bundle()

    def action_return_to_place(self) -> None:
        """Go back to where this bundle was left."""
        self.agent_tui.places.go_back()

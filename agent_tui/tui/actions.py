"""Every key is an action: an id, a sentence, one home. Footer, help, palette and README read them from here."""

from __future__ import annotations

from msgspec import Struct


class Action(Struct, frozen=True):
    """What a key does.

    `call` is the action as Textual calls it; `label` is the word in the footer, and `footer` the place there (0: not in
    it). `home` is the screen or widget that binds it. `also` are words that people type for it in the palette.
    """

    id: str
    keys: str
    call: str
    label: str
    sentence: str
    group: str
    home: str = "main"
    footer: int = 0
    comes_next: bool = False
    also: str = ""

    @property
    def shown_keys(self) -> str:
        """The keys as people read them."""
        return shown_keys(self.keys)


KEY_NAMES = {
    "question_mark": "?",
    "slash": "/",
    "right_square_bracket": "]",
    "left_square_bracket": "[",
    "plus": "+",
    "colon": ":",
    "escape": "Esc",
    "enter": "Enter",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "comma": ",",
    "full_stop": ".",
    "semicolon": ";",
    "minus": "-",
    "equals_sign": "=",
    "exclamation_mark": "!",
    "number_sign": "#",
    "asterisk": "*",
    "at": "@",
}
"""Keys by Textual's name, as people read and write them."""


def shown_keys(keys: str) -> str:
    """Textual's names of keys as people read them."""
    return " ".join(KEY_NAMES.get(key, key) for key in keys.split(","))


MOVE, LOOK, FIND, CHANGE, JUDGE, PROGRAM = "Move", "Look", "Find", "What-if", "Judge and compare", "Program"
GROUPS = (MOVE, LOOK, FIND, CHANGE, JUDGE, PROGRAM)

ACTIONS: tuple[Action, ...] = (
    Action("move.down", "down,j", "cursor_down", "down", "one line down", MOVE, home="pane"),
    Action("move.up", "up,k", "cursor_up", "up", "one line up", MOVE, home="pane"),
    Action("move.page_down", "pagedown", "page_down", "page down", "one page down", MOVE, home="pane"),
    Action("move.page_up", "pageup", "page_up", "page up", "one page up", MOVE, home="pane"),
    Action("move.first", "home,g", "first", "first", "to the first line", MOVE, home="pane"),
    Action("move.last", "end,G", "last", "last", "to the last line", MOVE, home="pane"),
    Action("move.select", "enter", "select", "open", "drill in: the trajectory of a run, the whole of a text", MOVE, home="pane"),
    Action("move.back", "escape", "back", "back", "back: leave the pane, the filter; stop reading; never quits", MOVE),
    Action("columns.right", "shift+right", "columns(1)", "right", "scroll columns or long lines to the right", MOVE, home="pane"),
    Action("columns.left", "shift+left", "columns(-1)", "left", "scroll columns or long lines to the left", MOVE, home="pane"),
    Action("fold.toggle", "space", "fold", "fold", "fold or unfold under the cursor", MOVE, home="pane"),
    Action("fold.open", "right", "fold(True)", "unfold", "unfold under the cursor", MOVE, home="pane"),
    Action("fold.close", "left", "fold(False)", "fold", "fold under the cursor", MOVE, home="pane"),
    Action("pane.next", "tab", "next_pane", "pane", "to the next pane", MOVE),
    Action("pane.previous", "shift+tab", "previous_pane", "pane", "to the previous pane", MOVE),
    Action("pane.1", "1", "pane(1)", "scorecard", "to the scorecard", MOVE),
    Action("pane.2", "2", "pane(2)", "runs", "to the runs", MOVE),
    Action("pane.3", "3", "pane(3)", "trajectory", "to the trajectory", MOVE),
    Action("pane.4", "4", "pane(4)", "noticed", "to what the last toggle or change moved", MOVE),
    Action("matcher.next", "m", "matcher(1)", "matcher", "the next matcher: which runs does it forgive?", LOOK, footer=1, also="toggle"),
    Action("matcher.previous", "M", "matcher(-1)", "matcher", "the previous matcher", LOOK),
    Action("failure.next", "right_square_bracket", "failure(1)", "fails", "the next run that the matcher fails", LOOK, footer=2, also="failing failed"),
    Action("failure.previous", "left_square_bracket", "failure(-1)", "fails", "the previous run that the matcher fails", LOOK),
    Action("divergence.next", "d", "divergence(1)", "differ", "the next run on which the measures disagree", LOOK, footer=3, also="disagree divergence"),
    Action("divergence.previous", "D", "divergence(-1)", "differ", "the previous run on which the measures disagree", LOOK),
    Action("provenance", "p", "provenance", "why", "where does this number come from: formula, runs, what was left out", LOOK, footer=7, also="formula denominator explain"),
    Action("pane.enlarge", "plus", "enlarge", "enlarge", "enlarge the pane, or make it small again", LOOK, footer=12, also="zoom maximise bigger"),
    Action("follow", "F", "follow", "follow", "follow a file that is being written: the cursor stays on the last run", LOOK, footer=18, also="tail"),
    Action("agents.fold", "O", "agents", "sub-agents", "fold or unfold all sub-agents", LOOK),
    Action("columns.choose", "C", "choose_columns", "columns", "choose the columns of the table", LOOK, footer=14),
    Action("search", "slash", "search", "search", "search everything: asks, calls, results, answers", FIND, footer=5, also="find"),
    Action("search.next", "n", "found(1)", "next", "the next place found", FIND),
    Action("search.previous", "N", "found(-1)", "previous", "the previous place found", FIND),
    Action("filter", "f", "filter", "filter", "show only some runs: an expression, or a ready filter", FIND, footer=6, also="only narrow"),
    Action("sort", "s", "sort", "sort", "sort by a field; again for the other direction", FIND, footer=9, also="order"),
    Action("goto", "colon", "goto", "go to", "go to a row number or a run", FIND, also="jump line"),
    Action("edit", "e", "edit", "edit", "edit the value under the cursor: argument, tool, truth, answer", CHANGE, footer=4, also="change flip set value"),
    Action("side", "H", "side", "side", "change the other side: expected or made", CHANGE),
    Action("duplicate", "y", "duplicate", "duplicate", "duplicate the call under the cursor", CHANGE, also="copy repeat"),
    Action("remove", "x", "remove", "remove", "remove the call under the cursor", CHANGE, also="delete"),
    Action("add", "a", "add", "add", "add a call after the one under the cursor", CHANGE, also="insert"),
    Action("call.up", "less_than_sign,alt+up", "move_call(-1)", "earlier", "move the call under the cursor up", CHANGE),
    Action("call.down", "greater_than_sign,alt+down", "move_call(1)", "later", "move the call under the cursor down", CHANGE),
    Action("undo", "u", "undo", "undo", "undo the last change", CHANGE, footer=8),
    Action("redo", "U", "redo", "redo", "redo it; at first, bring back changes that were left here", CHANGE),
    Action("ledger", "L", "ledger", "changes", "all changes with what noticed them: go to any, revert all", CHANGE, also="history"),
    Action("revert", "ctrl+r", "revert_all", "revert", "revert all changes: show what was recorded", CHANGE, also="reset restore"),
    Action("write", "w", "write", "write", "write the changes as a patch or a new bundle, never over an opened file", CHANGE, footer=10, also="save export"),
    Action("sweep", "X", "sweep", "blind spots", "which measure is blind to which mistake: the mutation sweep", CHANGE, also="mutate mutations"),
    Action("judge", "J", "judge", "judge", "the judge: its validation on labelled runs, and only then its verdicts", JUDGE, footer=13, also="validate llm"),
    Action("verdicts", "v", "verdicts", "verdicts", "show or hide the judge's verdicts, once they may be seen", JUDGE),
    Action("label", "l", "label", "label", "label the run pass, fail or undetermined, blind to any verdict", JUDGE, footer=15, also="annotate"),
    Action("compare", "c", "coming('compare')", "compare", "compare with another bundle", JUDGE, comes_next=True),
    Action("triage", "t", "coming('triage')", "triage", "triage the weak paths", JUDGE, comes_next=True, also="weak"),
    Action("evidence", "E", "coming('evidence')", "evidence", "an evidence card to a file or the clipboard", JUDGE, comes_next=True, also="export copy"),
    Action("open", "o", "open", "open", "open another bundle: a recent one, or a path", PROGRAM, footer=11, also="load file recent"),
    Action("reload", "r", "reload", "reload", "read the files again now; changed files are read by themselves", PROGRAM, also="refresh"),
    Action("theme", "T", "theme", "theme", "the next theme: dark, light, high contrast, 16 colours", PROGRAM, also="colours colors"),
    Action("problems", "P", "problems", "problems", "what was skipped and what looks odd", PROGRAM, also="errors warnings check"),
    Action("suspend", "ctrl+z", "suspend_process", "suspend", "suspend to the shell; fg brings the screen back", PROGRAM, home="app"),
    Action("palette", "ctrl+p", "command_palette", "commands", "every command by name", PROGRAM, home="app"),
    Action("return", "R", "return_to_place", "return", "go back to where this bundle was left", PROGRAM, also="resume"),
    Action("help", "question_mark", "help", "help", "every key, what columns and marks mean, what each matcher hides", PROGRAM, home="app", footer=16, also="keys"),
    Action("quit", "q", "quit", "quit", "leave the program", PROGRAM, home="app", footer=17, also="exit close leave"),
)  # fmt: skip


def actions_of(home: str) -> tuple[Action, ...]:
    """The actions that a screen or widget binds."""
    return tuple(action for action in ACTIONS if action.home == home)


def action_named(action_id: str) -> Action:
    """The action with an id."""
    return next(action for action in ACTIONS if action.id == action_id)

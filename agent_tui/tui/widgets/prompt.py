"""One line to type into at the foot of the screen: a search, a filter, a place to go to.

prompt = Prompt()
prompt.ask("/", "search everything", history=session.searches)      -> Prompt.Submitted or Prompt.Cancelled
prompt.complain("no such column: speed")                            while it is open
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from agent_tui.tui.widgets.paint import inert, plain


class _Entry(Input):
    """An input whose text is always one line without controls."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "recall(-1)", show=False),
        Binding("down", "recall(1)", show=False),
        Binding("escape", "cancel", show=False),
    ]

    @dataclass
    class Recalled(Message):
        """Up or down was pressed."""

        step: int

    @dataclass
    class Left(Message):
        """Escape was pressed."""

    def action_recall(self, step: int) -> None:
        """Ask for an earlier or a later entry."""
        self.post_message(self.Recalled(step))

    def action_cancel(self) -> None:
        """Leave without an answer."""
        self.post_message(self.Left())

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        line = " ".join(event.text.split("\n")).strip()
        self.insert_text_at_cursor("".join(character for character in line if inert(character) == character))


class Prompt(Vertical):
    """A label, a line to type into, and a line for what is wrong with it; hidden until `ask`."""

    DEFAULT_CSS: ClassVar[str] = """
    Prompt { dock: bottom; height: auto; max-height: 6; display: none; background: $panel; layout: grid;
             grid-size: 2; grid-columns: auto 1fr; grid-rows: 1 auto; }
    Prompt.-open { display: block; }
    Prompt .label { width: auto; padding: 0 1; color: $accent; text-style: bold; }
    Prompt _Entry { height: 1; border: none; padding: 0; background: $panel; }
    Prompt _Entry:focus { border: none; background-tint: $foreground 0%; }
    Prompt .error { column-span: 2; height: auto; min-height: 1; max-height: 5; padding: 0 1; color: $error;
                    display: none; }
    Prompt .error.-said { display: block; }
    Prompt .error.-told { color: $label; }
    """

    @dataclass
    class Changed(Message):
        """The text became another one while typing."""

        prompt: Prompt
        kind: str
        text: str

    @dataclass
    class Submitted(Message):
        """Enter: `kind` is what `ask` was given. The prompt stays open until `close`."""

        prompt: Prompt
        kind: str
        text: str

    @dataclass
    class Cancelled(Message):
        """Escape; the prompt has closed."""

        prompt: Prompt
        kind: str

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._kind = ""
        self._history: tuple[str, ...] = ()
        self._place = 0
        self._was_said = False
        """Whether something was said about the text as it is."""

    def compose(self) -> ComposeResult:
        """Label, entry, error."""
        yield Static(Content(""), classes="label", markup=False)
        entry = _Entry(compact=True, select_on_focus=False)
        entry.cursor_blink = False
        yield entry
        yield Static(Content(""), classes="error", markup=False)

    @property
    def is_open(self) -> bool:
        """Whether it is being typed into."""
        return self.has_class("-open")

    def ask(
        self,
        kind: str,
        label: Text | str,
        *,
        text: str = "",
        hint: str = "",
        history: Sequence[str] = (),
    ) -> None:
        """Open, take the focus, and answer with messages that name `kind`. The newest of `history` is last."""
        self._kind, self._history, self._place = kind, tuple(history), len(history)
        self.query_one(".label", Static).update(Content(inert(plain(label))))
        self._entry.placeholder = Content(inert(hint)).plain
        self._fill(text)
        self._say("")
        self.add_class("-open")
        self.screen.set_focus(self._entry)  # at once, for a key that was typed ahead

    def complain(self, sentence: str) -> None:
        """Say what is wrong with the text; it goes away with the next change."""
        self._say(sentence)

    def tell(self, sentence: str) -> None:
        """Say something about the text that is not wrong with it; it goes away with the next change."""
        self._say(sentence, wrong=False)

    def close(self) -> None:
        """Hide; the focus goes where the screen puts it."""
        if not self.is_open:
            return
        self.remove_class("-open")
        if self._entry.has_focus:
            self.screen.set_focus(None)

    @property
    def _entry(self) -> _Entry:
        return self.query_one(_Entry)

    def _fill(self, text: str) -> None:
        entry = self._entry
        with entry.prevent(Input.Changed):
            entry.value = inert(text)
        entry.cursor_position = len(text)

    def _say(self, sentence: str, *, wrong: bool = True) -> None:
        self._was_said = True
        error = self.query_one(".error", Static)
        error.update(Content(inert(sentence)))
        error.set_class(bool(sentence), "-said")
        error.set_class(not wrong, "-told")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Tell of the new text; what was said about the old one goes once it is clear that nothing is about this."""
        event.stop()
        self._was_said = False
        self.post_message(self.Changed(self, self._kind, event.value))
        self.call_later(self.screen.call_later, self._unsay)

    def _unsay(self) -> None:
        """Empty the line, and leave it where it is: the next text may need it again."""
        if not self._was_said:
            self.query_one(".error", Static).update(Content(""))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Pass the answer on."""
        event.stop()
        self.post_message(self.Submitted(self, self._kind, event.value))

    def on__entry_recalled(self, event: _Entry.Recalled) -> None:
        """Show an earlier or later entry; past the newest the line is empty."""
        event.stop()
        self._place = max(0, min(len(self._history), self._place + event.step))
        self._fill(self._history[self._place] if self._place < len(self._history) else "")

    def on__entry_left(self, event: _Entry.Left) -> None:
        """Close without an answer."""
        event.stop()
        self.close()
        self.post_message(self.Cancelled(self, self._kind))

"""The help: every action by group, the columns' and marks' meaning, and what the matchers hide."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text

from agent_tui.tui.actions import ACTIONS, GROUPS, Action, shown_keys
from agent_tui.tui.theme import Glyphs

MATCHERS = (
    ("exact", "same calls: names, arguments, order, count", "only how parallel calls were grouped"),
    ("exact-groups", "as exact, free order inside a parallel group", "order where it has no meaning"),
    ("name-only", "same names in the same order, arguments not looked at", "wrong amounts, wrong recipients"),
    ("order-ignored", "the same calls with arguments, in any order", "approve before create, check after act"),
    ("in-order", "the expected calls in order, others between", "extra calls: loops, deletions, cost"),
    ("any-order", "the agent made at least the expected calls", "extra calls and order"),
    ("subset", "the agent made no call that is not expected", "missing work: an idle agent passes"),
    ("required-tools", "each named tool as often as asked", "arguments, order, everything else"),
    ("forbidden-tools", "no call matches the ban", "all but the ban"),
)
"""Name, what it asks, what it hides."""
HANG = 18
"""Where what a key does begins."""


def help_lines(glyphs: Glyphs, keys: Mapping[str, str]) -> list[Text]:
    """All of the help; `keys` are remapped keys by action id."""
    lines = [Text("Keys", "title"), Text()]
    for group in GROUPS:
        lines.append(Text(group, "accent"))
        lines += [_key(action, keys) for action in ACTIONS if action.group == group]
        lines.append(Text())
    lines += _marks(glyphs)
    lines += [Text("Matchers: what each asks, and what it hides", "title"), Text()]
    for name, asks, hides in MATCHERS:
        lines.append(Text(f"  {name:<16}", "text").append(asks, "text"))
        lines.append(Text(f"  {'':<16}").append(f"hides: {hides}", "label"))
    lines += [Text(), *_notes()]
    return lines


def _key(action: Action, keys: Mapping[str, str]) -> Text:
    shown = shown_keys(keys.get(action.id, action.keys))
    line = Text(f"  {shown:<16}", "accent").append(action.sentence, "text")
    return line.append("  (comes next)", "label") if action.comes_next else line


def _marks(glyphs: Glyphs) -> list[Text]:
    pairs = (
        (glyphs.passed, "pass", "passes"),
        (glyphs.failed, "fail", "fails, or ended in an error (then with the word)"),
        (glyphs.unscoreable, "unscoreable", "could not be told: nothing is known to judge by"),
        (glyphs.nothing, "label", "not there yet: not judged, not finished"),
        (glyphs.same, "label", "the call is as expected"),
        (glyphs.differs, "fail", "the call differs; the arguments that differ stand below it"),
        (glyphs.extra, "notice", "a call that was not expected"),
        (glyphs.missing, "fail", "an expected call that was not made"),
        ("*", "notice", "a run that the last toggle moved"),
        (f"{glyphs.passed}? {glyphs.failed}?", "notice", "a verdict of a judge that is not validated"),
    )
    lines = [Text("Marks", "title"), Text()]
    lines += [Text(f"  {mark:<16}", style).append(meaning, "text") for mark, style, meaning in pairs]
    return [*lines, Text()]


_FILTERS = (
    ("quality < 0.6 and not exact = pass", "comparisons, joined by and, or, not and brackets"),
    ("cause = wrong_args", "the cause in the words of the data"),
    ("id ~ refund", "contains it, in any case; a word alone is sought in id and task"),
    ("quality = n/a", "where a recorded score or a figure is no number"),
    ("score.f1 < 0.5", "the recorded score, where a figure of ours has the same name"),
)


def _notes() -> list[Text]:
    lines = [Text("Filters", "title"), Text()]
    for example, meaning in _FILTERS:
        lines += [Text(f"  {example}", "accent"), Text(f"{'':<{HANG}}").append(meaning, "text")]
    return [
        *lines,
        Text(),
        Text("Over SSH", "title"),
        Text(),
        _note("ssh -C", "makes every screen ten times smaller on the line"),
        _note("tmux", "keep it in one: a lost line loses nothing"),
    ]


def _note(label: str, said: str) -> Text:
    return Text(f"  {label:<{HANG - 2}}", "accent").append(said, "text")

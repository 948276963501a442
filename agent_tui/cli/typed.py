"""A command that knows the words it was called with, so that it can say how to be called again."""

from __future__ import annotations

import shlex
from typing import Any

import click

_TYPED = "agent_tui.typed"


class TypedCommand(click.Command):
    """Keeps its words in the context."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """The context of a call, with what was typed."""
        typed = tuple(args)
        context = super().make_context(info_name, args, parent, **extra)
        context.meta[_TYPED] = typed
        return context


def same_command(*options: str) -> str:
    """The line that calls the command of now again, with these options too, ready to be pasted."""
    context = click.get_current_context()
    typed = [word for word in context.meta[_TYPED] if word not in options]
    return shlex.join(["agent-tui", context.info_name or "", *options, *typed])

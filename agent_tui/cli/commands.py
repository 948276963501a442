"""The commands by name, each imported when it is called: `score` starts without what others need."""

from __future__ import annotations

import os
from importlib import import_module

import click

from agent_tui import __version__
from agent_tui.errors import NotPossible

COMMANDS = {
    "open": "agent_tui.cli.open",
    "score": "agent_tui.cli.score",
    "show": "agent_tui.cli.show",
    "check": "agent_tui.cli.check",
    "flip": "agent_tui.cli.flip",
    "mutate": "agent_tui.cli.mutate",
    "judge": "agent_tui.cli.judge",
    "formats": "agent_tui.cli.formats",
    "samples": "agent_tui.cli.samples",
    "schema": "agent_tui.cli.schema",
    "completion": "agent_tui.cli.completion",
}
PLANNED = ("compare", "convert", "collect", "report", "serve")
"""Words that will be commands: as a first word they are no path, unless a file has the name."""
DEFAULT = "open"
_NEAR = 0.7
"""How alike a word and a command are at least, of 1, where it is taken for a slip: `sco` and `score` are .75."""
_OF_THE_GROUP = ("-h", "--help", "--version")


class Commands(click.Group):
    """A group whose first word, where it is no command, is a path to open."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by name."""
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        command = import_module(module).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Each command with its first sentence, whole."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            formatter.write_dl([(name, _first_sentence(command)) for name, command in commands])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command before arguments that do not start with one."""
        first = args[0] if args else None
        if first in PLANNED and not os.path.exists(first):
            there = ", ".join(COMMANDS)
            raise click.UsageError(f"{first} is not there yet in version {__version__}; there are {there}")
        completes_a_first_word = first is None and ctx.resilient_parsing
        if first is not None and not ctx.resilient_parsing:
            _refuse_a_misspelt_command(first)
        if first not in (*COMMANDS, *_OF_THE_GROUP) and not completes_a_first_word:
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)


def _refuse_a_misspelt_command(word: str) -> None:
    """Raise `NotPossible` where a word is neither a command nor there, and looks like a command."""
    typed = word.lower()  # its first letter is seldom wrong
    commands = [name for name in (*COMMANDS, *PLANNED) if name[:1] == typed[:1]]
    if not word.isalpha() or word in commands or os.path.lexists(word):
        return
    from difflib import get_close_matches  # here, since few calls end so

    near = get_close_matches(typed, commands, n=1, cutoff=_NEAR)
    if near:
        raise NotPossible(f"{word}: no such file or command, did you mean {near[0]}? agent-tui --help has all")


def _tell_version(context: click.Context) -> None:
    """The version in the first line, and what scores in the second."""
    if context.resilient_parsing:
        return
    from agent_tui.native import core, why_none

    click.echo(f"agent-tui, version {__version__}")
    click.echo(
        "scoring: with the compiled core" if core else f"scoring: in Python, without the compiled core: {why_none}"
    )
    context.exit()


def _first_sentence(command: click.Command | None) -> str:
    said = " ".join((command.help or "").split()) if command is not None else ""
    return f"{said.partition('. ')[0].rstrip('.')}."


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="A first word that is no command is a path to open; without any, the packaged CyberTravels bundle opens. "
    "Exit status: 0 done, 1 a gate was not met, 2 not possible as asked, 3 nothing could be read, 4 a judge's budget "
    "is spent, 5 a model service failed, 70 an error of the program's own, 130 interrupted. AGENT_TUI_LOG=FILE keeps "
    "the traceback of such an error.",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=lambda context, _, asked: _tell_version(context) if asked else None,
    help="Show the version, and whether there is a compiled core.",
)
def cli() -> None:
    """Explore recorded runs of LLM agents: scorecard, matchers, trajectories."""

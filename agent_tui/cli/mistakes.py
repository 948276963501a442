"""What was typed wrong, in our one line: what, in which command, and what to do."""

from __future__ import annotations

from collections.abc import Sequence

import click

from agent_tui.cli.commands import COMMANDS, DEFAULT, cli


def mistake(error: click.ClickException, arguments: Sequence[str]) -> str:
    """The sentence for a mistake in `arguments`."""
    typed = next((word for word in arguments[:1] if word in COMMANDS), None)
    command = cli.get_command(click.Context(cli), typed or DEFAULT)
    said = _said(error, [] if command is None else command.params)
    return f"{f'{typed}: ' if typed else ''}{said}; see agent-tui {typed or DEFAULT} --help"


def _said(error: click.ClickException, params: Sequence[click.Parameter]) -> str:
    message = error.format_message().rstrip(".")
    match error:
        case click.NoSuchOption(possibilities=near):
            return f"there is no option {error.option_name}" + (f", did you mean {' or '.join(near)}?" if near else "")
        case click.MissingParameter(param=click.Parameter() as param):
            return f"{_spelled(param)} is missing{_choices(param, ': there are ')}"
        case click.BadParameter(param=click.Parameter() as param):
            value = error.message.partition(" is not ")[0]
            return f"{_spelled(param)} needs {_needed(param)}, not {value}"
        case click.BadOptionUsage():
            return _without_value(error.option_name, params)
        case click.UsageError() if message.startswith(_TOO_MANY):
            return f"{message.removeprefix(_TOO_MANY).strip('s ()')}: nothing may stand there"
    return message


def _without_value(option: str, params: Sequence[click.Parameter]) -> str:
    """A value is missing, or one was given to a flag."""
    param = next((each for each in params if option in (*each.opts, *each.secondary_opts)), None)
    if param is None or getattr(param, "is_flag", False):
        return f"{option} takes no value"
    return f"{option} needs {_needed(param)}"


_TOO_MANY = "Got unexpected extra argument"


def _spelled(param: click.Parameter) -> str:
    """An option as it is typed, an argument by what it stands for."""
    if isinstance(param, click.Option):
        return param.opts[0]
    return param.metavar or (param.name or "").upper()


def _choices(param: click.Parameter, lead: str) -> str:
    return f"{lead}{', '.join(param.type.choices)}" if isinstance(param.type, click.Choice) else ""


def _needed(param: click.Parameter) -> str:
    """What a value has to be."""
    kind = param.type
    if isinstance(kind, click.IntRange | click.FloatRange):
        number = "a whole number" if isinstance(kind, click.IntRange) else "a number"
        return f"{number} {f'of at least {kind.min}' if kind.max is None else f'from {kind.min} to {kind.max}'}"
    if kind is click.INT:
        return "a whole number"
    return _choices(param, "one of ") or param.metavar or kind.name

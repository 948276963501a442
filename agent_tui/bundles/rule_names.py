"""Do the tools and arguments that rules name exist? A rule that fits nothing would pass silently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from agent_tui.bundles.bundle import Source
from agent_tui.errors import BadRules
from agent_tui.runs import ExpectedCall, Run, ToolCall
from agent_tui.runs.json_values import args_value


class NamesMet:
    """The tools and arguments of runs, as far as rules need to know them."""

    def __init__(self) -> None:
        self.arguments: dict[str, set[str]] = {}
        """By tool; empty for a tool of which rules name no argument."""

    def meet(self, run: Run, source: Source) -> None:
        """Take in the calls of a run; arguments are read only of tools that have rules for arguments."""
        named = {pattern for pattern, _ in source.plan.rules.arguments_named()}
        for call in _calls(run):
            known = self.arguments.setdefault(call.name, set())
            if any(source.plan.rules.fits_any(pattern, (call.name,)) for pattern in named):
                value = args_value(call.args)
                known.update(value if isinstance(value, dict) else ())

    def take_in(self, arguments: Mapping[str, Iterable[str]]) -> None:
        """Take in what was met elsewhere."""
        for tool, names in arguments.items():
            self.arguments.setdefault(tool, set()).update(names)

    def check(self, source: Source) -> None:
        """Raise `BadRules` for a tool or an argument in a source's rules that no run, reference or description has."""
        rules, described = source.plan.rules, source.plan.tools
        tools = self.arguments.keys() | described.names
        if not tools:
            return
        unknown = [pattern for pattern in rules.tools_named() if not rules.fits_any(pattern, tools)]
        if unknown:
            raise BadRules(
                f"{source.file}: rules for a tool that no run calls: {_list(unknown)}; there are {_list(tools)}"
            )
        for pattern, argument in rules.arguments_named():
            fitting = [tool for tool in tools if rules.fits_any(pattern, (tool,))]
            known = {name for tool in fitting for name in self.arguments.get(tool, set()) | described.arguments(tool)}
            if known and argument not in known:
                raise BadRules(
                    f"{source.file}: a rule for an argument that no call of {pattern} has: {argument}; "
                    f"there are {_list(known)}"
                )


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _calls(run: Run) -> Iterator[ToolCall | ExpectedCall]:
    yield from run.calls or ()
    if run.expected is not None:
        yield from _opened(run.expected.calls or ())
        for reference in run.expected.any or ():
            yield from _opened(reference.calls)


def _opened(calls: Iterable[ExpectedCall]) -> Iterator[ExpectedCall]:
    """The calls of a reference, those of groups too."""
    for call in calls:
        if call.parallel is None:
            yield call
        else:
            yield from _opened(call.parallel)

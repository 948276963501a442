"""All matchers of one run: the order of decision, and the way of least work to each verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from msgspec import Struct

from agent_tui.matchers.comparison import Comparison
from agent_tui.matchers.figures import Figures
from agent_tui.matchers.general import general_figures
from agent_tui.matchers.names import LADDER, MATCHERS, split_mode
from agent_tui.matchers.plain import plain_figures
from agent_tui.matchers.redundancy import NONE_REPEATED, Redundancy, redundancy
from agent_tui.matchers.reference import BrokenReference, is_plain, open_groups, references, slots_of
from agent_tui.matchers.rules import NO_RULES, Rules
from agent_tui.matchers.sequences import most_of
from agent_tui.matchers.tool_lists import forbidden_state, required_state
from agent_tui.runs import ExpectedCall, Run, State, ToolCall, canonical_args
from agent_tui.runs.json_values import UNPARSEABLE

NO_WRITES: frozenset[str] = frozenset()


class Match(Struct, frozen=True, gc=False):
    """What the matchers say of one run."""

    states: bytes
    """One `State` code for each of MATCHERS."""
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    alignment: float | None = None
    cause: str | None = None
    """One of CAUSES; None: exact passes, or nothing was judged."""
    strictest: str | None = None
    """The first of LADDER that passes."""
    repeats: int = 0
    """Calls equal to an earlier one, less retries."""
    retries: int = 0
    """Calls equal to one that failed since the last different call."""
    redundancy: int = 0
    """The repeats that no reference asks for."""
    excess: int | None = None
    """A - M: calls made that have no partner; None where there is nothing to compare with."""
    expected: int | None = None
    """E: calls expected, optional ones only where they are paired."""
    reference: int = 0
    """Which of the acceptable references counts."""
    parsed: bool = True
    """Whether the arguments of every call are JSON."""


def match(run: Run, rules: Rules = NO_RULES, writes: frozenset[str] = NO_WRITES) -> Match:
    """The verdicts of one run; `writes` are the tools that change state (they end the memory of what was called)."""
    same = _identical(run, rules, writes)
    return same if same is not None else _judge(run, rules, writes)


# --- most runs: both sides written alike ---

_TOOLS_NOT_KNOWN = bytes((State.NOT_KNOWN, State.NOT_KNOWN))
_ALL_PASS = bytes([State.PASS] * len(LADDER)) + _TOOLS_NOT_KNOWN
_IDENTICAL = [Match(_ALL_PASS, 1.0, 1.0, 1.0, 1.0, None, LADDER[0], 0, 0, 0, 0, count) for count in range(64)]


def _identical(run: Run, rules: Rules, writes: frozenset[str]) -> Match | None:
    """The match of a run whose calls are written byte for byte as expected; None where more must be looked at.

    It reads no argument but those of calls that share a tool (could one repeat the other?) and makes no object a call.
    """
    expected, made = run.expected, run.calls
    if expected is None or not made or run.status != "done" or rules is not NO_RULES:
        return None
    wanted = expected.calls
    if wanted is None or len(wanted) != len(made):
        return None
    if expected.required_tools is not None or expected.forbidden_tools is not None or expected.any is not None:
        return None
    for one, other in zip(wanted, made, strict=True):
        if one.name != other.name or one.args != other.args:
            return None
    if not is_plain(wanted):
        return None
    if not all_parsed(made) or len(made) >= len(_IDENTICAL):
        return None
    if redundancy(made, [call.name for call in made], writes) is not NONE_REPEATED:
        return None
    return _IDENTICAL[len(made)]


def all_parsed(calls: Sequence[ToolCall]) -> bool:
    """Whether the arguments of every call are JSON. Only texts that begin as a string need to be read."""
    joined = b"\n".join([call.args for call in calls])
    if b'\n"' not in joined and joined[:1] != b'"':
        return True
    return all(canonical_args(call.args)[1] != UNPARSEABLE for call in calls)


# --- every other run ---

_PENDING = Match(bytes([State.PENDING] * (len(LADDER) + 2)))
_RUN_ERROR = "run_error"


def match_mode(run: Run, name: str, rules: Rules = NO_RULES) -> State:
    """The verdict of any matcher in any argument mode (`any_order+args_superset`). Raises `UnknownName`."""
    matcher, mode = split_mode(name)
    found = match(run, rules) if mode == "rules" else _judge(run, rules, NO_WRITES, mode)
    return State(found.states[MATCHERS.index(matcher)])


def _judge(run: Run, rules: Rules, writes: frozenset[str], mode: str = "rules") -> Match:
    """The order of decision: not finished; nothing known; ended in an error, or not recorded; else scored."""
    if not run.is_finished:
        return _PENDING
    made = counted_calls(run, rules)
    names = names_of(made, rules)
    repeated = redundancy(made, names, writes)
    tools = bytes((_tool_state(required_state, run, rules), _tool_state(forbidden_state, run, rules)))
    try:
        wanted = references(run.expected)
        if wanted is None:
            return _unscored(State.NOT_KNOWN, tools, repeated, run)
        found = [figures_of(calls, made, names, repeated.first_equal, rules, mode) for calls in wanted]
    except BrokenReference:
        return _unscored(State.BROKEN, tools, repeated, run)
    if run.status == "error" or run.calls is None:
        return _unscored(State.ERROR, tools, repeated, run)
    best = best_reference(found)
    unasked = 0
    if repeated.repeats and not found[best].exact:
        unasked = _unasked(repeated, Comparison(slots_of(wanted[best], rules), made, names, mode))
    return _scored(found, best, tools, repeated, unasked, all_parsed(made))


def counted_calls(run: Run, rules: Rules) -> list[ToolCall]:
    """The calls that are compared."""
    calls = run.calls or []
    return [call for call in calls if counts(call, rules)] if rules.ignore_tools or rules.drop_failed else calls


def counts(call: ToolCall, rules: Rules) -> bool:
    """Whether a call is compared: its tool is not to be ignored, and it did not fail where the rules drop those."""
    return not (rules.leaves_out(call.name) or (rules.drop_failed and call.failed()))


def names_of(calls: Sequence[ToolCall], rules: Rules) -> list[str]:
    """The names that calls go by, after aliases."""
    if rules.aliases:
        return [rules.name_of(call.name) for call in calls]
    return [call.name for call in calls]


def figures_of(
    calls: Sequence[ExpectedCall],
    made: Sequence[ToolCall],
    names: Sequence[str],
    first_equal: Sequence[int] | None,
    rules: Rules,
    mode: str,
) -> Figures:
    """The figures of one reference, by the plain way where that is sound. Raises `BrokenReference`."""
    if rules.is_plain and mode in ("rules", "exact"):
        opened, groups = calls, None
        if any(call.group is not None or call.parallel is not None for call in calls):
            both = open_groups(calls)
            opened, groups = [call for call, _ in both], [group for _, group in both]
        if is_plain(opened):
            return plain_figures(opened, made, groups, first_equal)
    return general_figures(Comparison(slots_of(calls, rules), made, names, mode), first_equal)


def best_reference(found: Sequence[Figures]) -> int:
    """The reference that counts: the strictest rung, then the greatest f1, then alignment; the first of equals.

    `subset` says least where it is the only rung (an idle agent passes it), so it decides last.
    """
    return max(range(len(found)), key=lambda k: _rank(found[k]))


def _rank(figures: Figures) -> tuple[int, float, float, bool]:
    rung = strictest_of(figures)
    steps = 0 if rung in (None, "subset") else len(LADDER) - LADDER.index(rung or "")
    return steps, figures.f1, figures.alignment, figures.subset


def strictest_of(figures: Figures) -> str | None:
    """The first rung of the ladder that passes; what is vacuous does not pass."""
    vacuous = ("in_order", "any_order") if figures.required == 0 else ()
    return next((rung for rung in LADDER if getattr(figures, rung) and rung not in vacuous), None)


def _scored(
    found: Sequence[Figures], best: int, tools: bytes, repeated: Redundancy, unasked: int, parsed: bool
) -> Match:
    """Verdicts of the best reference; partial credit is the greatest that any reference gives."""
    figures = found[best]
    credit = figures if len(found) == 1 else max(found, key=lambda one: one.f1)
    is_vacuous = figures.required == 0
    states = bytes(
        (
            figures.exact,
            figures.exact_groups,
            figures.name_only,
            figures.order_ignored,
            State.VACUOUS if is_vacuous else figures.in_order,
            State.VACUOUS if is_vacuous else figures.any_order,
            figures.subset,
        )
    )
    return Match(
        states + tools,
        credit.precision,
        credit.recall,
        credit.f1,
        max(one.alignment for one in found),
        figures.cause,
        strictest_of(figures),
        len(repeated.repeats),
        len(repeated.retries),
        unasked,
        figures.made - figures.matched,
        figures.expected,
        best,
        parsed,
    )


def _unscored(state: State, tools: bytes, repeated: Redundancy, run: Run) -> Match:
    """The match of a run whose trajectory cannot be judged; its redundancy needs no reference."""
    return Match(
        bytes([state] * len(LADDER)) + tools,
        cause=_RUN_ERROR if state is State.ERROR else None,
        repeats=len(repeated.repeats),
        retries=len(repeated.retries),
        redundancy=len(repeated.repeats),
        parsed=all_parsed(run.calls or ()),
    )


def _tool_state(decide: Callable[[Run, Rules], State], run: Run, rules: Rules) -> State:
    """The verdict of one tool list; a list that makes no sense is a broken check."""
    try:
        return decide(run, rules)
    except BrokenReference:
        return State.BROKEN


def _unasked(repeated: Redundancy, comparison: Comparison) -> int:
    """The repeats that the reference does not ask for: it asks as often as its calls agree with the repeated one."""
    classes = repeated.first_equal or ()
    total = 0
    for first, repeats in Counter(classes[j] for j in repeated.repeats).items():
        fitting = [slot for i, slot in enumerate(comparison.slots) if comparison.fits(i, first)]
        asked = sum(most_of(slot, len(comparison.calls)) for slot in fitting)
        total += max(0, repeats - max(0, asked - 1))
    return total

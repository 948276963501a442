"""What the compiled core says of a run, as a match: the fast path of `single.py`, where the installation has a core."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from types import ModuleType

from msgspec import UNSET, Struct
from msgspec.structs import replace

from agent_tui.matchers.figures import Figures
from agent_tui.matchers.redundancy import NONE_REPEATED
from agent_tui.matchers.result import TOOLS_NOT_KNOWN, Match, scored, unscored
from agent_tui.native import core
from agent_tui.runs import ExpectedCall, Run, State, ToolCall
from agent_tui.runs.run import Expected


class Decided(Struct, frozen=True, eq=False, gc=False):
    """The match of a run, and what else was seen on the way; one object for all runs of which the same holds."""

    match: Match
    names_suffice: bool
    """Whether every expected name was called as often as expected at least."""


_EXACT, _NAME_ONLY, _ORDER_IGNORED, _IN_ORDER, _ANY_ORDER, _SUBSET, _SUFFICE, _ALONE = (1 << bit for bit in range(8))
_CAUSES = (None, "order", "wrong_args", "repeated", "extra", "missing", "wrong_tool", "mixed")
LAYOUT = "=6H4xd"
"""How the core packs what it found."""
_KEPT = 16384
"""How many results are kept (a count): those of most runs are the same few."""


@lru_cache(maxsize=_KEPT)
def _decided(packed: bytes) -> Decided:
    flags, cause, wanted, made, matched, redundant, alignment = struct.unpack(LAYOUT, packed)
    if flags & _ALONE:
        alone = unscored(State.NOT_KNOWN, TOOLS_NOT_KNOWN, NONE_REPEATED, parsed=True)
        return Decided(replace(alone, redundancy=redundant), True)
    figures = Figures(
        bool(flags & _EXACT),
        bool(flags & _EXACT),  # no reference here has groups
        bool(flags & _NAME_ONLY),
        bool(flags & _ORDER_IGNORED),
        bool(flags & _IN_ORDER),
        bool(flags & _ANY_ORDER),
        bool(flags & _SUBSET),
        wanted,
        wanted,
        made,
        matched,
        alignment,
        _CAUSES[cause],
        redundant > 0,
    )
    return Decided(scored(figures, TOOLS_NOT_KNOWN, redundant, True), bool(flags & _SUFFICE))


def _by_nobody(run: Run, writes: frozenset[str]) -> Decided | None:
    return None


def _by_core(core: ModuleType) -> Callable[[Run, frozenset[str]], Decided | None]:
    core.learn_runs(Run, Expected, ExpectedCall, ToolCall, UNSET)
    compare = core.compare

    def decide(run: Run, writes: frozenset[str]) -> Decided | None:
        packed = compare(run, writes)
        return None if packed is None else _decided(packed)

    return decide


decide = _by_nobody if core is None else _by_core(core)
"""What the core decides of a run by no rules, None where it does not; `writes` are the tools that change state."""

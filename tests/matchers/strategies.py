"""Small runs for property tests: few tools, few arguments, so that calls coincide often."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NAMES = st.sampled_from(["look", "book"])
ARGS = st.sampled_from(
    [{}, {"x": 1}, {"x": 1.0}, {"x": 2}, {"x": 3}, {"x": True}, {"x": 1, "y": 1}, '{"x": 1}', '{"x": ', {"x": "1"}]
)
CALLS = st.fixed_dictionaries({"name": NAMES, "args": ARGS})
TIMES = st.sampled_from([{"min": 0, "max": 2}, {"min": 1, "max": 2}, {"min": 1}, {"min": 2, "max": 2}, {"max": 2}])


@st.composite
def flexible_calls(draw: st.DrawFn) -> dict[str, Any]:
    """An expected call that may be optional, stand several times, or belong to a group."""
    call: dict[str, Any] = dict(draw(CALLS))
    kind = draw(st.sampled_from(["plain", "plain", "optional", "times"]))
    if kind == "optional":
        call["optional"] = True
    if kind == "times":
        call["times"] = draw(TIMES)
    group = draw(st.sampled_from([None, None, 1, 2]))
    return call if group is None else call | {"group": group}


TOLERANCE = {"tools": {"*": {"args": {"x": {"number": {"abs": 1}}}}}}
EXTRA_ARGS = {"tools": {"look": {"extra_args": "allow"}, "b*": {"args": {"y": "ignore"}}}}
RULES = st.sampled_from([None, TOLERANCE, EXTRA_ARGS])
"""Without rules, with a tolerance (1 ~ 2 ~ 3, but not 1 ~ 3), with arguments that need not be there."""

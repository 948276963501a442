"""What judges a run as the numbers of its row, put together so that many rows become columns at once."""

from __future__ import annotations

import math
import struct
from itertools import product

from agent_tui.matchers import CAUSES, LADDER, Match
from agent_tui.matchers import MEASURES as MATCH_MEASURES
from agent_tui.scoring.levels import Levels

OUTPUT_STATES = ("correct", "wrong", "no_answer", "run_error", "unscoreable", "check_error", "pending")
FIGURES = (*MATCH_MEASURES, "query_quality")
FACTS = ("called", "valid", "matches_reference", "document_surfaced")
FACT_SETS = tuple(product((False, True, None), repeat=len(FACTS)))
FACT_BYTES = {
    name: bytes((False, True, None).index(facts[place]) for facts in FACT_SETS).ljust(256, b"\2")
    for place, name in enumerate(FACTS)
}
"""Of each fact: the code of a set of facts to the byte in a column."""
CODES = ("causes", "rungs", "outputs", "facts")
"""The columns of `codes_of`, a byte each."""
NUMBERS = ("redundancy", *FIGURES)
"""The columns of `numbers_of`, a number each."""
_CAUSE_CODES = {cause: code for code, cause in enumerate((None, *CAUSES))}
_RUNG_CODES = {rung: code for code, rung in enumerate((None, *LADDER))}
_OUTPUT_CODES = {state: code for code, state in enumerate(OUTPUT_STATES)}
_FACT_CODES = {facts: code for code, facts in enumerate(FACT_SETS)}
_pack = struct.Struct(f"{len(NUMBERS)}d").pack


def codes_of(match: Match, output: str, levels: Levels) -> bytes:
    """Cause, strictest rung, state of the answer and the facts of a run."""
    facts = levels.called, levels.valid, levels.matches_reference, levels.document_surfaced
    return bytes((_CAUSE_CODES[match.cause], _RUNG_CODES[match.strictest], _OUTPUT_CODES[output], _FACT_CODES[facts]))


def numbers_of(match: Match, levels: Levels) -> bytes:
    """Redundancy and figures of a run; NaN is one that is not known."""
    figures = match.precision, match.recall, match.f1, match.alignment, levels.query_quality
    return _pack(*(math.nan if number is None else number for number in (levels.redundancy, *figures)))

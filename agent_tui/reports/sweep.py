"""The mutation sweep as JSON, as a table for a terminal or a pipe, and as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from agent_tui.bundles import Bundle
from agent_tui.matchers import MATCHERS
from agent_tui.reports import figures
from agent_tui.safety import sanitise_line
from agent_tui.scoring.mutations import MOST_PLACES, MUTATIONS, TRAJECTORY_MUTATIONS
from agent_tui.scoring.sweep import SWEPT, Cell, Sweep, blind_spots, sharp_matchers

SCHEMA = "agent-tui/mutate-1"
HOW_READ = "noticed / applied, over runs that passed before"
NOTHING_MADE = "nothing to mutate: no run has both something to change and something known to judge it by"
_SHADES, _NOTHING, _NOT_READ = "█▓▒░", "·", "—"

Spelling = Callable[[str], str]
"""How a measure's name is shown."""


def sweep_document(sweep: Sweep) -> dict[str, Any]:
    """What `mutate --json` prints; a measure that does not read a change, or knew nothing of any run, is null."""
    return {
        "schema": SCHEMA,
        "seed": sweep.seed,
        "runs": sweep.runs,
        "thinned": sweep.thinned,
        "mutations": {
            mutation: {
                "made": sweep.made(mutation),
                **{measure: _cell_object(sweep.cell(mutation, measure)) for measure in SWEPT},
            }
            for mutation in MUTATIONS
        },
        "blind_spots": [
            {"measure": spot.measure, "mutation": spot.mutation, "applied": spot.applied} for spot in blind_spots(sweep)
        ],
        "in_words": [*blind_spot_sentences(sweep), *filter(None, [quote_sentence(sweep)])],
    }


def _cell_object(cell: Cell | None) -> dict[str, int] | None:
    if cell is None:
        return None
    return {
        "applied": cell.applied,
        "noticed": cell.noticed,
        "already_failing": cell.already_failing,
        "not_judged": cell.not_judged,
    }


# Sentences


def shown_mutation(mutation: str) -> str:
    """A mutation's name as people read it: `swapped calls`."""
    return mutation.replace("_", " ")


def blind_spot_sentences(sweep: Sweep, spelt: Spelling = str) -> list[str]:
    """One sentence a measure that is blind somewhere: `order_ignored: swapped calls 0 of 12`."""
    spots: dict[str, list[str]] = {}
    for spot in blind_spots(sweep):
        spots.setdefault(spot.measure, []).append(f"{shown_mutation(spot.mutation)} 0 of {spot.applied:,}")
    return [f"{spelt(measure)}: {', '.join(blind)}" for measure, blind in spots.items()]


def quote_sentence(sweep: Sweep, spelt: Spelling = str) -> str | None:
    """Which matcher to quote, and why; None where the sweep does not tell."""
    judging = [matcher for matcher in MATCHERS if sweep.is_judging(matcher)]
    blind = {spot.measure for spot in blind_spots(sweep)}
    sharp = sharp_matchers(sweep)
    if not sharp:
        all_blind = bool(judging) and blind.issuperset(judging)
        return "No matcher here is enough: each misses at least one whole kind of change." if all_blind else None
    cells = (sweep.cell(mutation, sharp[0]) for mutation in TRAJECTORY_MUTATIONS)
    applied = sum(cell.applied for cell in cells if cell is not None)
    also = f", and so did {_listed([spelt(name) for name in sharp[1:]])}" if sharp[1:] else ""
    sentence = f"Quote {spelt(sharp[0])}: it noticed all {applied:,} changes made to runs that it passed{also}."
    others = [name for name in judging if name not in sharp]
    if not others or not blind.issuperset(others):
        return sentence
    return f"{sentence} Every other matcher here misses at least one whole kind of change."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def thinned_sentence(sweep: Sweep) -> str | None:
    """What was left out of the longest runs; None where nothing was."""
    if not sweep.thinned:
        return None
    times = figures.count(sweep.thinned, "time")
    return f"{times} a run had more than {MOST_PLACES} places for a mutation: that many of them were drawn"


# The table


def shade(cell: Cell) -> int | None:
    """0 all noticed, 1 at least half, 2 less than half, 3 none; None where there was nothing to notice."""
    if not cell.applied:
        return None
    if cell.noticed == cell.applied:
        return 0
    return 3 if not cell.noticed else 1 if 2 * cell.noticed >= cell.applied else 2


def fraction(cell: Cell) -> str:
    """noticed / applied."""
    return f"{cell.noticed:,}/{cell.applied:,}"


def judging(sweep: Sweep) -> list[str]:
    """The measures that have a column: those that judge some run; all others in `silent`."""
    return [measure for measure in SWEPT if sweep.is_judging(measure)]


def silent_sentence(sweep: Sweep, spelt: Spelling = str) -> str | None:
    """Which measures had no mutant to judge; None where each had one."""
    silent = [spelt(measure) for measure in SWEPT if not sweep.is_judging(measure)]
    return f"had no mutant to judge: {', '.join(silent)}" if silent else None


def sweep_text(bundle: Bundle, sweep: Sweep, width: int) -> str:
    """What `mutate` prints: the matrix, in blocks of `width` cells at most, then the sentences."""
    facts = (bundle.name, figures.count(sweep.runs, "run"), f"seed {sweep.seed}", figures.what_if(bundle.edited))
    lines = ["  ".join(fact for fact in facts if fact)]
    if not any(map(sweep.made, MUTATIONS)):
        return "\n".join(map(sanitise_line, [*lines, "", NOTHING_MADE])) + "\n"
    lines += [f"{HOW_READ}; {_SHADES[0]} all noticed, {_SHADES[3]} none, {_NOTHING} nothing to notice"]
    for block in _blocks(sweep, width):
        lines += ["", *block]
    sentences = blind_spot_sentences(sweep)
    lines += ["", "blind spots", *(f"  {sentence}" for sentence in sentences or ["none"])]
    said = (quote_sentence(sweep), silent_sentence(sweep), thinned_sentence(sweep))
    lines += ["", *(sentence for sentence in said if sentence)]
    return "\n".join(sanitise_line(line).rstrip() for line in lines) + "\n"


def _blocks(sweep: Sweep, width: int) -> Iterator[list[str]]:
    """The columns in as many tables under each other as the width asks for, each with the rows it knows of."""
    label = max(map(len, MUTATIONS))
    made = ["made", *(f"{sweep.made(mutation):,}" for mutation in MUTATIONS)]
    lead = label + max(map(len, made)) + 2
    waiting = [_column(sweep, measure) for measure in judging(sweep)]
    while waiting:
        shown, room = [waiting.pop(0)], width - lead
        room -= len(shown[0][0])
        while waiting and len(waiting[0][0]) <= room:
            room -= len(waiting[0][0])
            shown.append(waiting.pop(0))
        yield [
            f"{name:<{label}}{count:>{lead - label}}" + "".join(column[at] for column in shown)
            for at, (name, count) in enumerate(zip(["", *map(shown_mutation, MUTATIONS)], made, strict=True))
            if at == 0 or any(column[at].strip() != _NOT_READ for column in shown)
        ]


def _column(sweep: Sweep, measure: str) -> list[str]:
    """The heading and the cells of a measure, all of one width."""
    texts = [measure, *(_cell_text(sweep.cell(mutation, measure)) for mutation in MUTATIONS)]
    wide = max(map(len, texts))
    return [f"  {text:<{wide}}" for text in texts]


def _cell_text(cell: Cell | None) -> str:
    if cell is None:
        return _NOT_READ
    level = shade(cell)
    return f"{_NOTHING if level is None else _SHADES[level]} {fraction(cell)}"

"""Totals as bytes: what a worker sends with its rows, and what is kept with an index."""

from __future__ import annotations

from collections import Counter

import msgspec
from msgspec import Struct

from agent_tui.scoring.run_score import MEASURES
from agent_tui.scoring.table import FIGURES
from agent_tui.scoring.tally import Tally
from agent_tui.scoring.task_pairs import TaskPairs
from agent_tui.scoring.totals import TRIALS, Sum, Totals
from agent_tui.stats import Trials


class _Packed(Struct, array_like=True):
    rows: int
    expecting: int
    weak: int
    findings: int
    repeating: dict[str, int]
    outputs: list[int]
    states: list[list[int]]
    by_task: list[bytes]
    trials: list[tuple[int, int, int, int]]
    pending: list[tuple[str, int, int]]
    figures: list[tuple[bytes, int]]
    without: list[list[int]]
    scores: dict[bytes, tuple[bytes, int]]
    has_groups: bool
    tallies: list[Tally]
    pass_k: Trials | None
    alike: list[list[tuple[int, int, int]]] | None


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Packed).decode


def packed(totals: Totals) -> bytes:
    """Totals as bytes, with the tallies that were made of them."""
    return _encode(
        _Packed(
            totals.rows,
            totals.expecting,
            totals.weak,
            totals.findings,
            totals.repeating,
            totals.outputs,
            [totals.states[measure] for measure in MEASURES],
            [totals.by_task[measure].tobytes() for measure in MEASURES],
            [(*who, outcomes) for who, outcomes in totals.trials.items()],
            [(measure, status, count) for (measure, status), count in totals.pending.items()],
            [_packed_sum(totals.figures[name]) for name in FIGURES],
            [totals.without[name] for name in FIGURES],
            {name.encode("utf-8", "surrogatepass"): _packed_sum(sums) for name, sums in totals.scores.items()},
            totals.has_groups,
            [tally for tally in totals.memory.values() if isinstance(tally, Tally)],
            totals.memory.get(TRIALS),
            _packed_pairs(totals.pairs),
        )
    )


def unpacked(text: bytes) -> Totals:
    """Totals from their bytes. Raises `msgspec.DecodeError`."""
    each, totals = _decode(text), Totals()
    totals.rows, totals.expecting, totals.weak, totals.findings = each.rows, each.expecting, each.weak, each.findings
    totals.repeating, totals.outputs, totals.has_groups = Counter(each.repeating), each.outputs, each.has_groups
    totals.states = dict(zip(MEASURES, each.states, strict=True))
    for measure, kept in zip(MEASURES, each.by_task, strict=True):
        totals.by_task[measure].frombytes(kept)
    totals.trials = {(task, model, agent): outcomes for task, model, agent, outcomes in each.trials}
    totals.pending = Counter({(measure, status): count for measure, status, count in each.pending})
    totals.figures = {name: _sum(kept) for name, kept in zip(FIGURES, each.figures, strict=True)}
    totals.without = dict(zip(FIGURES, each.without, strict=True))
    totals.scores = {name.decode("utf-8", "surrogatepass"): _sum(kept) for name, kept in each.scores.items()}
    totals.memory = {tally.measure: tally for tally in each.tallies}
    if each.pass_k is not None:
        totals.memory[TRIALS] = each.pass_k
    totals.pairs = _pairs(each.alike)
    return totals


def _packed_pairs(pairs: TaskPairs | None) -> list[list[tuple[int, int, int]]] | None:
    if pairs is None:
        return None
    return [
        [(scored, passed, tasks) for (scored, passed), tasks in each.items()]
        for each in (*(pairs.measures[measure] for measure in MEASURES), pairs.trials)
    ]


def _pairs(alike: list[list[tuple[int, int, int]]] | None) -> TaskPairs | None:
    if alike is None:
        return None
    *measures, trials = (Counter({(scored, passed): tasks for scored, passed, tasks in each}) for each in alike)
    return TaskPairs(dict(zip(MEASURES, measures, strict=True)), trials)


def _packed_sum(sums: Sum) -> tuple[bytes, int]:
    return sums.total.to_bytes(sums.total.bit_length() // 8 + 1, "little", signed=True), sums.count


def _sum(kept: tuple[bytes, int]) -> Sum:
    return Sum(int.from_bytes(kept[0], "little", signed=True), kept[1])

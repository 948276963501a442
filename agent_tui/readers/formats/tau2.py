"""tau2-bench results: one file, a folder with `results.json` and `simulations/`, or one simulation alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from agent_tui.errors import Problem
from agent_tui.readers import loose
from agent_tui.readers.contract import Found
from agent_tui.readers.formats.tau2_simulation import Results, simulation_record
from agent_tui.readers.head import Head, document_fields
from agent_tui.readers.items import Header, Record
from agent_tui.readers.records import encode_record, raw_of
from agent_tui.readers.repeated import document_members, repeated_keys
from agent_tui.readers.source import Source
from agent_tui.readers.unusual import as_strings

_ALONE = frozenset({"task_id", "termination_reason", "reward_info"})


class Tau2:
    """The results of tau2-bench."""

    name = "tau2"
    title = "tau2-bench results"
    examples = "data/simulations/*.json, <run>/results.json with simulations/"

    def claims(self, head: Head) -> bool:
        if head.has("tasks", "info") and (head.has("simulations") or head.has("simulation_index")):
            return "environment_info" in loose.fields(head.document["info"])
        return head.document.keys() >= _ALONE and (head.has("messages") or head.has("ticks"))

    def companions(self, source: Source) -> Iterable[Path]:
        return _simulation_files(source)

    def read(self, source: Source) -> Iterator[Found]:
        members = document_members(source.head)
        yield from repeated_keys(source, members)
        results = Results.of(document_fields(source))
        if "tasks" not in results.fields:
            yield Record(encode_record(simulation_record(results.fields, results)), source.name)
            return
        yield Header({"bundle": raw_of(results.bundle())}, source.name)
        start = max((member.value for member in members if member.key == "simulations"), default=0)
        for index, (end, simulation) in enumerate(loose.each(results.fields.get("simulations"))):
            source.passed(start + end)
            fields = loose.fields(simulation)
            if "task_id" in fields:
                yield Record(encode_record(simulation_record(fields, results)), source.name)
            else:
                yield Problem(source.name, "not a simulation", path=f"$.simulations[{index}]", kind="not_a_record")
        for path in _simulation_files(source):
            yield from _read_file(path, source, results)


def _simulation_files(source: Source) -> list[Path]:
    """The files beside a result file that names simulations without holding them."""
    if source.path is None or next(loose.each(source.head.document.get("simulations")), None) is not None:
        return []
    if "tasks" not in source.head.document:
        return []
    order = {loose.text(entry.get("id")): place for place, entry in enumerate(_index(source))}
    found = sorted((source.path.parent / "simulations").glob("*.json"))
    return sorted(found, key=lambda path: order.get(path.stem, len(order)))


def _index(source: Source) -> list[loose.Fields]:
    return loose.objects(source.head.document.get("simulation_index"))


def _read_file(path: Path, source: Source, results: Results) -> Iterator[Record | Problem]:
    part = Source.of(path, source.limits)
    fields = loose.fields(as_strings(bytes(part.document())))
    if "task_id" in fields:
        yield Record(encode_record(simulation_record(fields, results)), str(path))
    else:
        yield Problem(str(path), "not a simulation of tau2", kind="malformed")


FORMAT = Tau2()

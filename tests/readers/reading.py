"""What the tests of readers share: read a path, and sort what came."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent_tui.errors import Problem
from agent_tui.readers import Header, Record, SourceRead, decode_run, decode_steps, read
from agent_tui.runs import Run, Step


@dataclass
class Reading:
    """All items of a reading, by kind."""

    headers: list[Header] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    sources: list[SourceRead] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def runs(self) -> list[Run]:
        return [decode_run(record.text) for record in self.records]

    @property
    def kinds(self) -> list[str]:
        return [problem.kind for problem in self.problems]

    def run(self, name: str, epoch: int = 1) -> Run:
        return next(run for run in self.runs if (run.id, run.epoch) == (name, epoch))

    def steps(self, name: str, epoch: int = 1) -> list[Step]:
        named = zip(self.records, self.runs, strict=True)
        return next(decode_steps(record.text) for record, run in named if (run.id, run.epoch) == (name, epoch))


def reading(*paths: str | Path, **options: Any) -> Reading:
    """Everything that `paths` hold."""
    found = Reading()
    homes = {Header: found.headers, Record: found.records, SourceRead: found.sources, Problem: found.problems}
    for item in read([str(path) for path in paths], **options):
        homes[type(item)].append(item)  # type: ignore[attr-defined]
    return found


def calls(run: Run) -> list[tuple[str, Any]]:
    """Names and arguments of the calls of a run; arguments that were recorded as text are read."""
    made = []
    for call in run.calls or ():
        args = json.loads(bytes(call.args))
        made.append((call.name, json.loads(args) if isinstance(args, str) else args))
    return made


def names(run: Run) -> list[str]:
    """Names of the calls of a run."""
    return [call.name for call in run.calls or ()]


def errors(run: Run) -> int:
    """How many calls are known to have failed."""
    return sum(1 for call in run.calls or () if call.failed())


def write_lines(path: Path, *lines: Any) -> Path:
    """A JSON Lines file; bytes and text are written as they stand."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def write_json(path: Path, value: Any) -> Path:
    """A JSON document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False), encoding="utf-8")
    return path


def write_zip(path: Path, members: dict[str, Any], *, method: int | None = None) -> Path:
    """A zip of JSON members, by default with zstd as Inspect writes it."""
    from backports.zstd import zipfile

    compression = zipfile.ZIP_ZSTANDARD if method is None else method
    with zipfile.ZipFile(path, "w", compression) as file:
        for name, value in members.items():
            file.writestr(name, value if isinstance(value, str | bytes) else json.dumps(value))
    return path

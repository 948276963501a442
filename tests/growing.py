"""Files of one run a line: as tests write them, as they grow, and as another one takes their place."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.writing import call, run_of

HEADER = json.dumps({"schema": "agent-tui/1", "bundle": {"name": "made"}}) + "\n"


def line(number: int, **more: Any) -> str:
    """A run that exact passes where its number is even."""
    run = run_of(f"r{number}", [call("a", n=0)], [call("a", n=number % 2)], input=f"ask {number}", **more)
    return json.dumps(run) + "\n"


def lines(low: int, high: int) -> str:
    """The runs from one number up to another."""
    return "".join(map(line, range(low, high)))


def write_lines(path: Path, runs: Iterable[object]) -> str:
    """A file with these runs; gives its path."""
    with path.open("w") as file:
        file.writelines(json.dumps(run) + "\n" for run in runs)
    return str(path)


def append(path: Path, text: str) -> None:
    """As somebody does who writes on."""
    with path.open("a") as file:
        file.write(text)


def put_in_its_place(path: Path, text: str) -> None:
    """As an editor and a copying program write a file: another one takes its name."""
    draft = path.with_suffix(".draft")
    draft.write_text(text)
    draft.replace(path)

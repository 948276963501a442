"""What tests write: bundles in our own format, from runs as dicts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "sample_runs"
CYBERTRAVELS, DOCENT = str(SAMPLES / "cybertravels.json"), str(SAMPLES / "docent.json")
CASES = Path(__file__).parent / "cases"


def case_files(number: str) -> list[str]:
    """The inputs of a collected case."""
    (folder,) = CASES.glob(f"{number}-*")
    return [str(path) for path in sorted(folder.glob("*.json*"))]


def expectation(number: str) -> dict[str, Any]:
    """What a collected case expects."""
    (folder,) = CASES.glob(f"{number}-*")
    text = (folder / "case.md").read_text(encoding="utf-8")
    block: dict[str, Any] = json.loads(text.split("```json")[1].split("```")[0])
    return block


def call(name: str, **args: Any) -> dict[str, Any]:
    """A call with its arguments."""
    return {"name": name, "args": args}


def run_of(
    id: str, expected: list[Any] | None = None, actual: list[Any] | None = None, **fields: Any
) -> dict[str, Any]:
    """A run as a dict; `truth` and `answer` go where they belong."""
    run: dict[str, Any] = {"id": id, "expected": {}, "actual": {}}
    if expected is not None:
        run["expected"]["calls"] = expected
    if actual is not None:
        run["actual"]["calls"] = actual
    if "truth" in fields:
        run["expected"]["answer"] = fields.pop("truth")
    if "answer" in fields:
        run["actual"]["answer"] = fields.pop("answer")
    return run | fields


def write_bundle(path: Path, *runs: dict[str, Any], bundle: dict[str, Any] | None = None, **top: Any) -> str:
    """A bundle of some runs; gives its path."""
    document = {"schema": "agent-tui/1", "bundle": bundle or {}, **top, "runs": list(runs)}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)

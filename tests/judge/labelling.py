"""What tests of labels share: a small bundle that may be labelled, a person, and a clock that stands."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agent_tui.bundles import Bundle, load
from agent_tui.judge.labels import Labels
from tests.writing import run_of, write_bundle

NOON = datetime(2026, 2, 3, 12, tzinfo=UTC)


def answered(id: str, answer: str | None = "an answer", **fields: Any) -> dict[str, Any]:
    """A run with an ask and an answer."""
    return run_of(id, answer=answer, input=fields.pop("input", f"the ask of {id}"), **fields)


def small_bundle(folder: Path, *ids: str, **top: Any) -> Bundle:
    """A bundle of answered runs in a folder of its own."""
    return load([write_bundle(folder / "runs.json", *map(answered, ids or ("a", "b", "c")), **top)])


def labels_of(bundle: Bundle, by: str = "ada", **how: Any) -> Labels:
    """The labels of a bundle, at noon."""
    return Labels.of(bundle, by=by, clock=lambda: NOON, **how)


def words(labels: Labels) -> dict[str, str]:
    """The labels in force, by run."""
    return {labels.bundle.names.name(row): label.label for row, label in labels.in_force.items()}

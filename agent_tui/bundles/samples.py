"""The bundles that ship with the program."""

from __future__ import annotations

from pathlib import Path

import agent_tui

_ENDINGS = (".json", ".jsonl", ".eval")


def samples_folder() -> Path:
    """The folder of the packaged bundles: in an installed copy inside the package, in a checkout beside it."""
    package = Path(agent_tui.__file__).resolve().parent
    inside = package / "sample_runs"
    return inside if inside.is_dir() else package.parent / "sample_runs"


def sample_paths() -> list[Path]:
    """The packaged bundles, by name."""
    return sorted(path for path in samples_folder().iterdir() if path.suffix in _ENDINGS)


def first_sample() -> Path:
    """The bundle that opens when none is named."""
    return samples_folder() / "cybertravels.json"

"""The bundles that ship with the program."""

from __future__ import annotations

from pathlib import Path

from agent_tui.places import samples_folder

_ENDINGS = (".json", ".jsonl", ".eval")


def sample_paths() -> list[Path]:
    """The packaged bundles, by name."""
    return sorted(path for path in samples_folder().iterdir() if path.suffix in _ENDINGS)


def first_sample() -> Path:
    """The bundle that opens when none is named."""
    return samples_folder() / "cybertravels.json"

"""`agent-tui samples`: what ships with the program."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click


def samples_folder() -> Path:
    """The folder of the packaged bundles: in an installed copy inside the package, in a checkout beside it."""
    inside = Path(str(files("agent_tui") / "sample_runs"))
    return inside if inside.is_dir() else Path(__file__).resolve().parents[2] / "sample_runs"


def sample_paths() -> list[Path]:
    """The packaged bundles, by name."""
    return sorted(path for path in samples_folder().iterdir() if path.suffix in (".json", ".jsonl", ".eval"))


@click.command(name="samples")
def command() -> None:
    """List the packaged bundles with their paths."""
    for path in sample_paths():
        click.echo(str(path))

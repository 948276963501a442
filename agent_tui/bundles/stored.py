"""Figures that came with a bundle about the whole of it: `bundle.stored`, a map of name to number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Raw

from agent_tui.runs import parse


def stored_figures(fields: Iterable[Mapping[str, Raw]]) -> dict[str, float]:
    """The stored figures of the only source that has any; of several sources none, since theirs are about parts."""
    with_figures = [stored for each in fields if (stored := _of_one(each))]
    return with_figures[0] if len(with_figures) == 1 else {}


def _of_one(fields: Mapping[str, Raw]) -> dict[str, float]:
    try:
        header = parse(fields["bundle"]) if "bundle" in fields else None
    except ValueError:
        return {}
    stored = header.get("stored") if isinstance(header, dict) else None
    if not isinstance(stored, dict):
        return {}
    return {
        name: float(value)
        for name, value in stored.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }

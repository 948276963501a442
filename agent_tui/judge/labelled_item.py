"""What a label is about: the ask and the answer of a run, whatever else a rubric lets a judge see."""

from __future__ import annotations

from agent_tui.bundles import Bundle
from agent_tui.judge.digests import content_digest
from agent_tui.readers import decode_run
from agent_tui.runs import Run


def item_digest(run: Run) -> str:
    """The digest of ask and answer, the same under every rubric."""
    return content_digest(run.input or "", run.answer or "")


def is_as_recorded(bundle: Bundle, row: int) -> bool:
    """Whether a run is shown with the ask and the answer that were recorded."""
    if not bundle.is_edited(row):
        return True
    return item_digest(decode_run(bundle.place(row).text)) == item_digest(bundle.run(row))

"""The judge as pictures, step by step, on a small and on a large terminal: scripted judges, so always the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from textual.pilot import Pilot

from agent_tui.providers.choose import PROVIDER
from tests.tui.judging import REFUND_DESK, nobody_configured
from tests.tui.opened import Explorer, app_on, loaded

SIZES = {"small": (80, 24), "large": (140, 50)}
Compare = Callable[..., bool]


@dataclass(frozen=True)
class Step:
    """Keys to press, and what is on the screen once they did their work."""

    until: str
    keys: tuple[str, ...]


@dataclass(frozen=True)
class Picture:
    """Which judge, what to open, the steps, and in which theme."""

    steps: tuple[Step, ...]
    judge: str = ""
    path: str = REFUND_DESK
    theme: str = "agent-dark"


ESTIMATE = Step("read the exact text", ("J",))
VALIDATED = (ESTIMATE, Step("before any verdict", ("enter",)))
JUDGED = (*VALIDATED, Step("go on", ("v",)), Step("24 runs without a label", ("enter",)))
OVERRIDDEN = (
    *VALIDATED,
    Step("go on", ("o", *"a demo", "enter")),
    Step("24 runs without a label", ("enter",)),
)
LABEL = Step("the gate needs", ("G", "l"))
PICTURES = {
    "who judges": Picture((Step("scripts, no model", ("J",)),)),
    "estimate": Picture((ESTIMATE,), "lenient"),
    "exact text": Picture((ESTIMATE, Step("The first request", ("s",))), "lenient"),
    "rejected": Picture(VALIDATED, "lenient"),
    "accepted": Picture(VALIDATED, "honest"),
    "biases": Picture((*VALIDATED, Step("attacks", ("shift+tab",))), "gullible"),
    "a false pass": Picture((*VALIDATED, Step("judge not validated", ("tab", "enter"))), "lenient"),
    "verdicts": Picture(JUDGED, "honest"),
    "verdicts not validated": Picture(OVERRIDDEN, "lenient"),
    "verdicts among the runs": Picture((*JUDGED, Step("certificate", ("enter",))), "honest"),
    "label": Picture((LABEL,)),
    "label with a note": Picture((LABEL, Step("a note, or nothing", ("f",)))),
    "recorded judges": Picture((Step("3 judges", ("J",)),), path="tests/cases/17-verdicts-of-another-judge/run.json"),
    "light": Picture(VALIDATED, "lenient", theme="agent-light"),
    "sixteen colours": Picture(VALIDATED, "lenient", theme="agent-16"),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PICTURES)
def test_the_judge(
    snap_compare: Compare, name: str, size: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    picture = PICTURES[name]
    nobody_configured(monkeypatch, tmp_path)
    if picture.judge:
        monkeypatch.setenv(PROVIDER, f"scripted:{picture.judge}")
    app = app_on(picture.path, theme=picture.theme)

    async def press(pilot: Pilot[int]) -> None:
        explorer = Explorer(app, pilot)
        await loaded(app)
        await explorer.settle()
        for step in picture.steps:
            await explorer.press(*step.keys)
            await explorer.until(lambda step=step: step.until in explorer.text)  # type: ignore[misc]
        await explorer.settle()

    assert snap_compare(app, terminal_size=SIZES[size], run_before=press)

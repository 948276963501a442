"""Every test sees the same quiet surroundings, whatever the shell that started it."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # how long an example takes says what else a machine does
settings.load_profile("untimed")
_LOUD = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "COLORTERM", "COLUMNS", "LINES", "SSH_CONNECTION", "SSH_TTY", "TMUX")
_COLLECTED = 20
"""Of how many tests of a screen the cycles are collected together (a count)."""
_left = 0


def pytest_xdist_auto_num_workers() -> int:
    """Three processes for two cores: a third of their time tests of the screen wait for it to come to rest."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + cores // 2


def pytest_sessionfinish() -> None:
    """Collect the cycles while nobody waits, and leave nothing to look through.

    pytest collects five times when it ends. A process of xdist has five seconds for that and is then interrupted: with
    what thousands of tests leave, on a busy machine, that is a KeyboardInterrupt in whatever listens to the collector.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No colour wishes, a plain terminal, one time zone, and places of its own for what the program keeps."""
    for name in [*_LOUD, *(name for name in os.environ if name.startswith(("TEXTUAL", "AGENT_TUI_LOG")))]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("TZ", "UTC")
    home: Path = tmp_path_factory.mktemp("home")
    for name in ("STATE", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"AGENT_TUI_{name}_DIR", str(home / name.lower()))


@pytest.fixture(autouse=True)
def usual_collector() -> Iterator[None]:
    """The screen has the collector look seldom, and keeps what it never looks at: not beyond the test that ran it.

    What is left in a cycle with a file holds a descriptor until it is collected, which takes as long as a short test:
    it is done now and then.
    """
    global _left
    before = gc.get_threshold()
    yield
    if gc.get_threshold() != before or gc.get_freeze_count():
        gc.set_threshold(*before)
        gc.unfreeze()
        _left = (_left + 1) % _COLLECTED
        if not _left:
            gc.collect()

"""The sample app beside a Textual whose inner names have moved for us: MOVED says whether modules or attributes."""

from __future__ import annotations

import os
import sys
from typing import Any

from textual._compositor import ChopsUpdate, LayoutUpdate

OURS = "agent_tui.tui.output"
DRIVER = "textual.drivers.linux_driver"


class Renamed:
    """An attribute that Textual finds, and we do not."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, update: Any, kind: type) -> Any:
        if sys._getframe(1).f_globals["__name__"] == OURS:
            raise AttributeError(self._name)
        return update.__dict__[self._name]

    def __set__(self, update: Any, value: object) -> None:
        update.__dict__[self._name] = value


if os.environ.get("MOVED") == "modules":
    sys.modules[DRIVER] = None  # type: ignore[assignment]  # an import of it fails
    import agent_tui.tui.output as output

    del sys.modules[DRIVER]
    assert not output.SUPPORTED
else:
    LayoutUpdate.strips = Renamed("strips")  # type: ignore[assignment]
    ChopsUpdate.spans = Renamed("spans")  # type: ignore[assignment]

from tests.tui.widgets.sample_app import Explorer  # noqa: E402  # after the names have moved

if __name__ == "__main__":
    Explorer().run(mouse=False)

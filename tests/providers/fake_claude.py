"""A `claude` to put on PATH: a real executable that answers as the real one, and as its orders say.

fake = FakeClaude(tmp_path)
fake.orders(changes={"num_turns": 0})
monkeypatch.setenv("PATH", fake.path)
assert fake.asks()[0]["attached"] == []
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).parents[2]
_SCRIPT = """#!{python}
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from tests.providers.claude_executable import main
main(Path(__file__).parent)
"""
_ORDINARY: dict[str, Any] = {
    "version": "2.1.197",
    "signed_in": True,
    "unknown_flags": [],
    "verdict": "pass",
    "status": 0,
    "stdout": None,
    "stderr": "",
    "changes": {},
    "left_out": [],
    "early_end": None,
    "blocks_on": None,
    "killed": False,
}


class FakeClaude:
    """The executable in a folder of its own."""

    def __init__(self, folder: Path, **orders: Any) -> None:
        self.folder = folder / "bin"
        self.folder.mkdir()
        self.executable = str(self.folder / "claude")
        Path(self.executable).write_text(_SCRIPT.format(python=sys.executable, root=str(_ROOT)))
        os.chmod(self.executable, 0o755)
        self.orders(**orders)

    @property
    def path(self) -> str:
        """A PATH on which it comes first."""
        return os.pathsep.join([str(self.folder), os.environ["PATH"]])

    def orders(self, **orders: Any) -> None:
        """What it does from now on; what is not named it does as the real one."""
        assert orders.keys() <= _ORDINARY.keys()
        (self.folder / "orders.json").write_text(json.dumps(_ORDINARY | orders))

    def calls(self) -> list[dict[str, Any]]:
        """What it saw each time it was called, except for its version and help."""
        noted = self.folder / "calls.jsonl"
        return [json.loads(line) for line in noted.read_text().splitlines()] if noted.exists() else []

    def asks(self) -> list[dict[str, Any]]:
        """What it saw each time it was asked something."""
        return [call for call in self.calls() if "stdin" in call]

"""What importing the package costs: the judge's figures are loaded by those who use them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LOADED = """
import sys
from agent_tui.cli import main
try:
    main()
except SystemExit:
    pass
print(*sorted(name for name in sys.modules if name.startswith("agent_tui.stats.")), file=sys.stderr)
"""


def test_score_loads_none_of_the_judges_figures() -> None:
    run = subprocess.run(
        [sys.executable, "-c", LOADED, "score", "sample_runs/cybertravels.json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name.rpartition(".")[2] for name in run.stderr.splitlines()[-1].split()}
    assert loaded == {"intervals", "means", "student_t", "trials"}

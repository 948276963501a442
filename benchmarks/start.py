"""How much CPU a command costs before it does any work: user plus system time over `python -c pass`.

    python benchmarks/start.py [--rounds 15]

Rounds are interleaved and the median is taken. Also says which modules `score` loaded that it should do without.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
SAMPLE = str(ROOT / "sample_runs" / "cybertravels.json")
COMMAND = Path(sys.executable).parent / "agent-tui"
CASES = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "agent-tui --version": [str(COMMAND), "--version"],
    "agent-tui score SAMPLE": [str(COMMAND), "score", SAMPLE],
}
BARE = "python -c pass"
UNWANTED = (
    *("textual", "rich", "pydantic", "anthropic", "numpy", "regex", "zipfile", "backports", "asyncio"),
    *("jsonschema_rs", "difflib"),
)
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""An installed command finds its modules compiled; where a shell forbids writing them, each start compiles all."""


def cpu_ms(arguments: list[str]) -> float:
    """CPU time of one process in ms. Raises where it fails."""
    quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
    process = os.posix_spawn(arguments[0], arguments, ENVIRONMENT, file_actions=quiet)
    _, status, usage = os.wait4(process, 0)
    if status:
        raise SystemExit(f"{' '.join(arguments)} ended with {os.waitstatus_to_exitcode(status)}")
    return (usage.ru_utime + usage.ru_stime) * 1000


def loaded_by_score() -> set[str]:
    """Top-level names of all modules that `score` of the sample loads."""
    run = subprocess.run(
        [sys.executable, "-X", "importtime", str(COMMAND), "score", SAMPLE],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = (line for line in run.stderr.splitlines() if line.startswith("import time:"))
    return {line.rsplit("|", 1)[1].strip().split(".")[0] for line in lines}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    for arguments in CASES.values():
        cpu_ms(arguments)  # compiled modules are on disk from here on
    took = [{name: cpu_ms(arguments) for name, arguments in CASES.items()} for _ in range(rounds)]
    for name in CASES:
        times = [one[name] for one in took]
        over = median(one[name] - one[BARE] for one in took)
        sys.stdout.write(f"{name:24} {median(times):6.1f} ms CPU  {over:+6.1f} over bare Python\n")
    unwanted = sorted(loaded_by_score() & set(UNWANTED))
    sys.stdout.write(f"score loads of {', '.join(UNWANTED)}: {', '.join(unwanted) or 'none'}\n")


if __name__ == "__main__":
    main()

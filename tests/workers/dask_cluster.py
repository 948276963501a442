"""A scheduler of Dask and its workers as processes of this machine, spoken to on loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

PATIENCE = 60.0
"""Seconds that anything may take before a test has failed."""


def wait_until(is_so: Callable[[], bool], what: str) -> None:
    """Wait until something is so, at most `PATIENCE` seconds."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, f"{what} within {PATIENCE} seconds"
        time.sleep(0.02)


class Cluster:
    """A scheduler, and workers once they are started; all of them end with it."""

    def __init__(self, folder: Path, *options: str, env: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.env = {**os.environ, **(env or {})}
        self.workers: list[subprocess.Popen[bytes]] = []
        self._file = folder / "scheduler.json"
        self._said = (folder / "said.txt").open("wb")
        self._scheduler = self._started("dask_scheduler", "--port", "0", *options)
        wait_until(self._has_said_where, "a scheduler is there")
        self.address: str = json.loads(self._file.read_bytes())["address"]

    def _has_said_where(self) -> bool:
        assert self._scheduler.poll() is None, (self.folder / "said.txt").read_text()
        return self._file.exists() and self._file.stat().st_size > 0

    def _started(self, program: str, *options: str, **env: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{program}", "--scheduler-file", str(self._file)]
        places = ["--host", "127.0.0.1", "--no-dashboard"]
        return subprocess.Popen(
            [*command, *places, *options],
            env=self.env | env,
            cwd=self.folder,  # a module is never found because of where the tests are started
            stdout=self._said,
            stderr=subprocess.STDOUT,
        )

    def start_worker(self, **env: str) -> subprocess.Popen[bytes]:
        """One more worker, which ends when it has no scheduler."""
        options = ["--nthreads", "1", "--no-nanny", "--death-timeout", "30", "--local-directory", str(self.folder)]
        self.workers.append(self._started("dask_worker", *options, **env))
        return self.workers[-1]

    @property
    def engine(self) -> str:
        """What `--engine` is given."""
        return self.address.replace("tcp://", "dask://")

    def close(self) -> None:
        """End everything, at once."""
        for process in [*self.workers, self._scheduler]:
            process.kill()
            process.wait(PATIENCE)
        self._said.close()

"""Builds the compiled core with the package: a hook of hatchling, not used when agent-tui runs.

Where it cannot be built, the package is installed without it, and everything works in Python.
"""

from __future__ import annotations

import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

NAME = "agent_tui.native._core"
SOURCE = Path("agent_tui/native/core.c")


class CoreHook(BuildHookInterface):  # type: ignore[misc]  # hatchling has no types here
    """Puts the core into a wheel, or beside its source where the package is installed to be edited."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the core; `version` is `editable` or `standard`."""
        root = Path(self.root)
        if version == "editable":
            for old in (root / SOURCE).parent.glob("_core.*.so"):
                old.unlink()
        self._folder = tempfile.TemporaryDirectory(prefix="agent-tui-core-")
        try:
            built = compile_core(root, Path(self._folder.name))
        except (BaseError, CCompilerError, OSError) as error:
            sys.stderr.write(f"agent-tui: built without its compiled core, scoring takes longer: {error}\n")
            return
        if version == "editable":
            (root / SOURCE).with_name(built.name).write_bytes(built.read_bytes())
            return
        build_data["force_include"][str(built)] = f"agent_tui/native/{built.name}"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what the core was built in."""
        self._folder.cleanup()


def compile_core(root: Path, into: Path) -> Path:
    """The compiled core. Raises `BaseError` or `CCompilerError` where there is no compiler, or it fails."""
    checksum = zlib.crc32((root / SOURCE).read_bytes())
    extension = Extension(NAME, [str(root / SOURCE)], define_macros=[("SOURCE_CHECKSUM", f"{checksum}u")])
    command = build_ext(Distribution({"name": "agent-tui", "ext_modules": [extension]}))
    command.build_lib, command.build_temp = str(into), str(into / "objects")
    command.ensure_finalized()
    command.run()
    return Path(command.get_ext_fullpath(NAME))

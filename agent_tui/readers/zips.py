"""The zip library that knows zstd: the standard one from Python 3.14, a backport before."""

from __future__ import annotations

import struct
import sys
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from zipfile import ZipFile

if sys.version_info >= (3, 14):
    import zipfile as _zipfile
else:
    from backports.zstd import zipfile as _zipfile

_BROKEN = (_zipfile.BadZipFile, NotImplementedError, ValueError, OverflowError, EOFError, IndexError, struct.error)
"""What the library raises for directories that were cut or hold nonsense, some of it by its name only."""


class BadZip(Exception):
    """A zip whose directory cannot be read."""


def zip_file(file: Any) -> ZipFile:
    """An open zip. Raises `BadZip`."""
    try:
        return cast("ZipFile", _zipfile.ZipFile(file))
    except _BROKEN as error:
        raise BadZip(str(error)) from error

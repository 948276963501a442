"""The zip library that knows zstd: the standard one from Python 3.14, a backport before."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from zipfile import ZipFile

if sys.version_info >= (3, 14):
    import zipfile as _zipfile
else:
    from backports.zstd import zipfile as _zipfile

BadZip: type[Exception] = _zipfile.BadZipFile


def zip_file(file: Any) -> ZipFile:
    """An open zip."""
    return cast("ZipFile", _zipfile.ZipFile(file))

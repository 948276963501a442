"""How much of a file we are willing to open."""

from __future__ import annotations

from msgspec import Struct

MIB = 1 << 20


class Limits(Struct, frozen=True):
    """Bounds on what is read, in bytes unless said otherwise."""

    document: int = 4096 * MIB
    """One JSON document, after decompression."""
    line: int = 512 * MIB
    """One line of JSON Lines."""
    archive_member: int = 1024 * MIB
    """One member of an archive, unpacked."""
    archive_members: int = 200_000
    """How many members an archive may have (a count)."""
    download: int = 4096 * MIB
    """One file in a store that cannot be read in ranges."""
    stream: int = 1 << 40
    """What is copied of standard input or a pipe, so that it can be read again."""
    ratio: int = 800
    """How many bytes one packed byte may become (a ratio), judged past `ratio_floor`; deflate ends at 1,032."""
    ratio_floor: int = 64 * MIB
    """Below this unpacked size the ratio is not looked at."""
    files: int = 100_000
    """How many files a folder may hold (a count)."""

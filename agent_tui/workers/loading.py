"""A bundle at paths: through an index where it is large, else read at once. What both give is the same."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from agent_tui import bundles
from agent_tui.bundles import Bundle, require_runs
from agent_tui.errors import NotPossible
from agent_tui.matchers import Rules
from agent_tui.readers.addresses import is_address, name_of
from agent_tui.readers.ranges import Stamp
from agent_tui.readers.streams import is_stream, spooled_size
from agent_tui.workers.course import Course

_ONLY_FILES = "--engine reads files that others can read too: no bundle.toml, pipe or standard input"
LEAST = 32 << 20
"""Bytes from which on an index is worth while: less is read sooner than workers are started."""
_PACKED = (".gz", ".zst", ".zip", ".eval")
_UNPACKED = 8
"""What a packed byte becomes, about (a ratio): recorded runs are 4 (deflate) to 20 (zstd) times as long."""


def is_large(paths: Sequence[str]) -> bool:
    """Whether the files that paths name hold so much that an index is worth while."""
    total = 0
    for path in paths:
        for size in [spooled_size(path)] if is_stream(path) else _sizes(path):
            total += size
            if total >= LEAST:
                return True
    return False


def _sizes(path: str) -> Iterator[int]:
    if is_address(path):
        with suppress(OSError):  # whoever reads it says so
            yield Stamp.of(name_of(path)).size
        return
    matches = [path] if os.path.exists(path) or not glob.has_magic(path) else glob.iglob(path, recursive=True)
    for match in matches:
        try:
            if not os.path.isdir(match):
                yield _unpacked(match, os.stat(match).st_size)
        except (OSError, ValueError):
            continue
        for base, _, names in os.walk(match):
            for name in names:
                try:
                    yield _unpacked(name, os.stat(os.path.join(base, name)).st_size)
                except OSError:
                    continue


def _unpacked(name: str, size: int) -> int:
    """How many bytes there are to read in a file, about: by its name, since there may be many files."""
    return size * _UNPACKED if name.lower().endswith(_PACKED) else size


def load(
    paths: Sequence[str],
    *,
    rules: Rules | None = None,
    references: str | None = None,
    allow_outside: bool = False,
    modes: Sequence[str] = (),
    workers: int | None = None,
    engine: str | None = None,
    verifies: bool = False,
    tell: Callable[[str], object] = lambda _: None,
    show: Callable[[Course], object] = lambda _: None,
) -> Bundle:
    """The bundle at `paths`, read whole by so many workers, or by those of an engine that is named.

    `verifies`: whether an index is used only where the files still have every byte that it was made of. `tell` is told
    why one could not be used, and `show` how far reading is, again and again.

    Raises `NothingReadable` where no run could be read, `BadRules` where rules make no sense, `NotPossible` where an
    engine cannot be used.
    """
    bundle: Bundle | None
    if engine is not None:
        bundle = _by_engine(engine, paths, rules, references, modes, verifies, tell, show)
    else:
        is_indexed = references is None and is_large(paths)
        bundle = _through_index(paths, rules, modes, workers, verifies, tell, show) if is_indexed else None
    if bundle is not None:
        require_runs(bundle, paths)
        return bundle
    return bundles.load(paths, rules=rules, references=references, allow_outside=allow_outside, modes=modes)


def _by_engine(
    name: str,
    paths: Sequence[str],
    rules: Rules | None,
    references: str | None,
    modes: Sequence[str],
    verifies: bool,
    tell: Callable[[str], object],
    show: Callable[[Course], object],
) -> Bundle:
    """The bundle of an index that an engine makes, whatever its size. Raises `NotPossible` where there can be none."""
    from agent_tui.workers.building import building_of, filled  # here, since `--engine` alone needs it
    from agent_tui.workers.engines import engine_of, warning_of

    if references is not None:
        raise NotPossible("--engine reads files as they stand: with --references they are read in one process")
    if any(map(is_stream, paths)):
        raise NotPossible(_ONLY_FILES)
    warning = warning_of(name)
    if warning is not None:
        tell(warning)
    engine = engine_of(name)
    try:
        building = building_of(list(map(_whole, paths)), rules, modes, verifies=verifies)
        if building is None:
            raise NotPossible(_ONLY_FILES)
        if not building.total:  # nothing that anybody could do
            building.place.close()
            return bundles.load(paths, rules=rules, modes=modes)
        for note in building.notes:
            tell(note)
        return filled(building, lambda: engine, show)
    except OSError as error:
        raise NotPossible(f"--engine: there is no index: {error.strerror or error}") from error
    finally:
        engine.close()


def _whole(path: str) -> str:
    """A path that means the same to a worker in another folder."""
    return path if is_address(path) else os.path.abspath(path)


def _through_index(
    paths: Sequence[str],
    rules: Rules | None,
    modes: Sequence[str],
    workers: int | None,
    verifies: bool,
    tell: Callable[[str], object],
    show: Callable[[Course], object],
) -> Bundle | None:
    """The bundle of an index; None where there can be none."""
    from agent_tui.workers.building import building_of, filled  # here, since a small bundle needs no processes
    from agent_tui.workers.engine import Pool, all_cores

    try:
        building = building_of(paths, rules, modes, verifies=verifies)
        if building is None:
            return None
        for note in building.notes:
            tell(note)
        return filled(building, lambda: Pool(workers or all_cores()), show)
    except OSError as error:
        tell(f"there is no index: {error.strerror or error}; everything is read in one process")
        return None

"""An index is opened, made, or gone on with: what was named in, a view that grows out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from agent_tui.bundles import Bundle
from agent_tui.bundles.index.columns import Damaged
from agent_tui.bundles.index.compacting import compact
from agent_tui.bundles.index.frames import Finished, Frame, Grown, LeftOff, OfFile, Opened, renamed
from agent_tui.bundles.index.place import LOG, Input, Place, empty, key_of, place_of, temporary, version
from agent_tui.bundles.index.view import View, frames_in
from agent_tui.bundles.index.writer import Writer, append_frame, write_log
from agent_tui.errors import Problem
from agent_tui.matchers import Rules
from agent_tui.readers.addresses import is_address
from agent_tui.readers.manifest import manifest_in
from agent_tui.readers.places import Places
from agent_tui.readers.ranges import Stamp, digests_of_first, line_after
from agent_tui.safety import Limits
from agent_tui.workers.course import Course
from agent_tui.workers.gathering import Asked, Gathering
from agent_tui.workers.tasks import FIRST_RANGE, RANGE, Beginning, How, may_be_read_again

if TYPE_CHECKING:
    from agent_tui.workers.engine import Engine

STREAM = "a stream is gone with the program that reads it"
"""Why the index of a stream is temporary, which is not said."""
_TRIES = 3
_LOOK = 0.1
"""Seconds between two looks at an index that another program makes."""


def asked_of(paths: Sequence[str], limits: Limits | None = None) -> list[Asked] | None:
    """The files that paths name, with what cannot be read; None where they are no files that stay, or a manifest's."""
    asked: list[Asked] = []
    if any(manifest_in(path) is not None for path in paths):
        return None
    for found in Places(paths, limits or Limits(), set(), set()).sources():
        if isinstance(found, Problem):
            asked.append(found)
        elif found.spool is not None:
            asked.append(Input(str(found.spool), None, Stamp.of(found.spool), known_as=found.name))
        elif is_address(found.name):
            asked.append(Input(found.name, found.folder, Stamp.of(found.name)))
        elif found.path is None:
            return None
        else:
            asked.append(Input(str(found.path), found.folder, Stamp.of(found.path)))
    return asked


def _beginning(frames: Sequence[Frame]) -> Beginning | None:
    """What is known of the last file as it was when everything had been read; None where that was never so."""
    last, known = None, None
    for frame in frames:
        if isinstance(frame, Opened):
            last = frame.files[-1]
        elif isinstance(frame, Finished) and last is not None:
            digests = {each.file: each.digest for each in frame.ended}
            known = Beginning(last.stamp.size, digests[last.name]) if last.name in digests else None
    return known


def _is_good(found: View | None) -> bool:
    """Whether an index that nobody can go on with has everything, undamaged."""
    if found is None or found.finished is None:
        return False
    try:
        found.columns.check_all()
    except Damaged:
        return False
    return True


class Building:
    """The index of what was asked for: found, made here, or made by another program that has it open too.

    One thread may `run` it while another shows its `view` in a bundle: they meet in the files only.
    """

    def __init__(self, asked: Sequence[Asked], how: How, *, verifies: bool = False) -> None:
        """`verifies`: whether what is there is held to every byte of the files.

        Raises `OSError` where there is room nowhere, or a file cannot be read any more.
        """
        self.how = how
        self.unlike = ""
        """The file whose bytes were not those of its index, where they were looked at."""
        self.total = sum(each.stamp.size for each in asked if isinstance(each, Input))
        self._asked = asked
        inputs = [each for each in asked if isinstance(each, Input)]
        self._opened = Opened(
            version(), [OfFile(each.file, each.stamp, each.edges(each.stamp.size), each.known_as) for each in inputs]
        )
        self.place = self._place(inputs, [str(each) for each in asked if isinstance(each, Problem)])
        found = None if verifies and not self._is_verified() else self._found()
        if self.place.why_read_only and not _is_good(found):
            self.place = temporary(self.place.why_read_only)
            found = None
        if found is not None and found.finished is None and self.place.is_ours:
            found = self._cut_back(found)
        self.view = found or self._anew()
        if self.view.finished is not None:
            self.place.leave()

    def _place(self, inputs: Sequence[Input], problems: Sequence[str]) -> Place:
        if any(each.known_as for each in inputs):
            return temporary(STREAM)
        return place_of(key_of(inputs, repr((self.how, problems))))

    @property
    def notes(self) -> list[str]:
        """What people should know of it: that files were others than they seemed, or why it is not kept."""
        notes = []
        if self.unlike:
            notes.append(f"{self.unlike}: not what its index was made of, though it seemed so: it is read anew")
        if self.place.why_temporary not in ("", STREAM):
            notes.append(f"the index is not kept: {self.place.why_temporary}")
        return notes

    def _found(self) -> View | None:
        """What stands in the index, where it is of these files as they are now, or as they were before one grew."""
        view = self._view()
        names = {} if view is None else self._other_names(view)
        if names and view is not None and self.place.is_ours:
            view.close()
            write_log(self.place.folder, [renamed(frame, names) for frame in frames_in(self.place.folder)])
            view = self._view()
        if view is None:
            return None
        if view.opened == self._opened:
            return view
        if self.place.is_ours and self._has_grown(view):
            append_frame(self.place.folder, self._opened, view.good)
            view.follow()
            return view
        view.close()
        return None

    def _view(self) -> View | None:
        try:
            view = View(self.place.folder, self.how.rules, self.how.modes)
        except OSError:
            return None
        view.follow()
        return view

    def _other_names(self, view: View) -> dict[str, str]:
        """What files are called now that were named otherwise when the index was made: from another folder, say."""
        files = [] if view.opened is None else view.opened.files
        if len(files) != len(self._opened.files):
            return {}
        pairs = zip(files, self._opened.files, strict=True)
        return {was.file: now.file for was, now in pairs if was.file != now.file}

    def _is_verified(self) -> bool:
        """Whether the files, as long as they were, have every byte that was read of them; not where it is not whole."""
        try:
            frames = frames_in(self.place.folder)
        except OSError:
            return False
        opened = next((frame for frame in reversed(frames) if isinstance(frame, Opened)), None)
        if opened is None or len(opened.files) != len(self._opened.files):
            return False
        ended = [each for frame in frames if isinstance(frame, Grown | Finished) for each in frame.ended]
        digests = {each.file: each.digest for each in ended}
        for file, now in zip(opened.files, self._opened.files, strict=True):
            known = digests.get(file.name)
            if known is None or is_address(file.file):
                continue  # no run came from it, or its stamp says enough
            with open(now.file, "rb", buffering=0) as found:
                (digest,) = digests_of_first(found, file.stamp.size)
            if known != digest:
                self.unlike = now.name
                return False
        return isinstance(frames[-1], Finished)

    def _has_grown(self, view: View) -> bool:
        """Whether the last file has only grown since, and can be gone on with where its lines ended."""
        was, now, left_off = view.opened, self._opened, view.left_off
        if was is None or left_off is None or not left_off.low or left_off.file != len(self._asked) - 1:
            return False
        if (was.version, was.files[:-1]) != (now.version, now.files[:-1]):
            return False
        file = self._asked[-1]
        assert isinstance(file, Input)
        old, new = was.files[-1], now.files[-1]
        if new.stamp.size <= old.stamp.size or not old.stamp.holds(new.stamp):
            return False
        try:
            is_same = file.edges(old.stamp.size) == old.edges
            return is_same and (not left_off.is_torn or line_after(file.file, left_off.low) is not None)
        except OSError:
            return False

    def _cut_back(self, found: View) -> View | None:
        """What an ended program left, up to where it can be gone on with: a file that is not cut is whole or not."""
        kept = frames_in(self.place.folder)
        while isinstance(last := kept[-1], Grown) and last.left_off is None:
            kept.pop()
        found.close()
        write_log(self.place.folder, kept)
        return self._found()

    def _anew(self) -> View:
        """An empty index in the place of what is there; who has that mapped keeps it."""
        if not self.place.is_ours:
            self.place = temporary("another program is making an index of what these files were")
        empty(self.place.folder)
        write_log(self.place.folder, [self._opened])
        view = self._found()
        if view is None:
            raise OSError(0, "an index cannot be written", str(self.place.folder))
        return view

    def give_up(self) -> None:
        """Leave it: it was found to be damaged, and whoever opens it the next time makes it again."""
        self.place.leave()
        self.view.columns.owner.disown()

    def make_again(self) -> None:
        """Throw away what was found to be damaged. Raises `OSError`."""
        self.view.close()
        if not self.place.take():
            self.place = temporary(self.place.why_read_only or "another program has it open")
        self.view = self._anew()

    def run(
        self,
        engine: Engine,
        is_cancelled: Callable[[], bool] = lambda: False,
        cuts: tuple[int, int] = (FIRST_RANGE, RANGE),
    ) -> Iterator[int]:
        """Read what is not in the index yet; gives how many bytes are, whenever there are more.

        Raises `OSError` where there is no room, `BadRules` where rules make no sense, `Damaged` where what another
        program left cannot be gone on with.
        """
        if not self.place.is_ours:
            yield from self._watch(is_cancelled)
            return
        try:
            yield from self._make(engine, is_cancelled, cuts)
        except Damaged:
            self.give_up()
            raise

    def _make(self, engine: Engine, is_cancelled: Callable[[], bool], cuts: tuple[int, int]) -> Iterator[int]:
        writer, is_lost = Writer(self.place.folder, self.how.modes), False
        try:
            gathering = Gathering(self._asked, self.how, writer, cuts=cuts, ahead=engine.ahead)
            self.go_on(writer, gathering)
            for task, number, given in engine.map(self.how, gathering.next_task, is_cancelled):
                done = gathering.bytes_done
                gathering.take(task, number, given)
                is_lost = is_lost or may_be_read_again(given)
                if is_cancelled():
                    return
                if gathering.bytes_done != done or given is not None:
                    yield gathering.bytes_done
            if gathering.is_finished:
                gathering.finish()
                compact(self.place.folder)
                if is_lost:  # and may be read the next time, from here or by other workers
                    (self.place.folder / LOG).unlink()
        finally:
            writer.close()
            self.place.leave()

    def _watch(self, is_cancelled: Callable[[], bool]) -> Iterator[int]:
        """Look on while another program makes the index. Raises `Damaged` where it ended before."""
        log, size = self.place.folder / LOG, -1
        while self.view.finished is None and not is_cancelled():
            is_left = self.place.take()
            with suppress(OSError):
                if log.stat().st_size != size:
                    size = log.stat().st_size
                    yield self.view.bytes_done
            if is_left:
                self.place.leave()
                found = self._found()
                if found is None or found.finished is None:
                    raise Damaged("the program that made the index has ended")
                found.close()
                return
            time.sleep(_LOOK)

    def go_on(self, writer: Writer, gathering: Gathering) -> None:
        """Take over what stands in the index. Raises `Damaged` and `OSError`."""
        found = self._found()
        if found is None:
            raise Damaged("the index was taken away")
        found.close()
        frames = frames_in(self.place.folder)
        writer.go_on(frames, found.columns)
        left_off = self._where(found.left_off)
        if left_off is not None:
            ended = [each for frame in frames if isinstance(frame, Grown | Finished) for each in frame.ended]
            grown = [frame for frame in frames if isinstance(frame, Grown)]
            absorbed = [path for frame in grown for path in frame.absorbed]
            gathering.go_on(left_off, grown[-1].bytes_done, ended, absorbed, _beginning(frames))

    def _where(self, left_off: LeftOff | None) -> LeftOff | None:
        """Where to go on; behind the line that had no end, where that has come. Raises `Damaged` and `OSError`."""
        if left_off is None or not left_off.is_torn:
            return left_off
        file = self._asked[left_off.file]
        assert isinstance(file, Input)
        after = line_after(file.file, left_off.low)
        if after is None:
            raise Damaged("the last line has become another one")
        return left_off if after == left_off.low else replace(left_off, low=after, line=left_off.line + 1)


def building_of(
    paths: Sequence[str], rules: Rules | None = None, modes: Sequence[str] = (), *, verifies: bool = False
) -> Building | None:
    """The index of what paths name; None where there can be none. Raises `OSError` where there is no room for it."""
    asked = asked_of(paths)
    return None if asked is None else Building(asked, How(rules, tuple(modes)), verifies=verifies)


def filled(
    building: Building, new_engine: Callable[[], Engine], show: Callable[[Course], object] = lambda _: None
) -> Bundle:
    """The bundle of an index that is read to its end; `show` is told of its course, whenever more is done.

    Raises `OSError` where there is no room, and `BadRules`.
    """
    for _ in range(_TRIES):
        course = Course(building.view.bytes_done, building.total)
        try:
            for done in building.run(new_engine()):
                course = course.at(done)
                show(course)
            bundle = Bundle()
            building.view.follow()
            building.view.show(bundle)
            if bundle.is_complete:
                building.view.columns.check()
                building.place.close()
                return bundle
        except Damaged:
            pass
        building.make_again()
    raise OSError(0, "its files are damaged again and again", str(building.place.folder))

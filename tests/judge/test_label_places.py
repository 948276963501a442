"""Where labels lie: beside the first file, and where that cannot be, in our own private folder, which is said."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from agent_tui.bundles import load
from agent_tui.errors import NotPossible
from agent_tui.judge.label_places import label_places
from agent_tui.places import state_folder
from tests.judge.labelling import answered, labels_of, small_bundle, words
from tests.writing import ROOT, write_bundle

NOBODY = 65534


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_of_several_files_the_first_one_names_the_place(tmp_path: Path) -> None:
    paths = [write_bundle(tmp_path / name, answered(name)) for name in ("b.json", "a.json")]
    assert label_places(load(paths)).write.path == tmp_path / "b.json.labels.jsonl"
    assert label_places(load([str(tmp_path)])).write.path == tmp_path / "a.json.labels.jsonl"


def test_labels_of_a_packed_bundle_lie_beside_the_archive(tmp_path: Path) -> None:
    write_bundle(tmp_path / "in" / "a.json", answered("a"))
    with zipfile.ZipFile(tmp_path / "runs.zip", "w") as archive:
        archive.write(tmp_path / "in" / "a.json", "a.json")
    labels = labels_of(load([str(tmp_path / "runs.zip")]))
    labels.set(0, "pass")
    assert labels.path == tmp_path / "runs.zip.labels.jsonl"
    assert (labels.notice, words(labels)) == ("", {"a": "pass"})


@pytest.mark.parametrize("packed", [True, False])
def test_a_name_that_leaves_no_room_for_ours_has_its_labels_elsewhere(packed: bool, tmp_path: Path) -> None:
    name, member = ("runs.zip", f"{'x' * 300}.json") if packed else (f"{'x' * 246}.json", "")
    path = write_bundle(tmp_path / "in.json", answered("a"))
    if packed:
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.write(path, member)
    else:
        os.rename(path, tmp_path / name)
    bundle = load([str(tmp_path / name)])
    labels = labels_of(bundle)
    labels.set(0, "pass")
    assert (words(labels_of(bundle)), labels.problems) == ({"a": "pass"}, ())
    assert labels.notice.endswith("" if packed else "File name too long")


def test_a_link_where_labels_would_go_is_not_written_through(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path)
    (tmp_path / "elsewhere").write_text("somebody's\n")
    (tmp_path / "runs.json.labels.jsonl").symlink_to(tmp_path / "elsewhere")
    labels = labels_of(bundle)
    labels.set(0, "pass")
    assert (tmp_path / "elsewhere").read_text() == "somebody's\n"
    assert labels.path.parent == state_folder() / "labels"
    assert labels.notice == f"labels are kept in {labels.path}: {tmp_path / 'runs.json.labels.jsonl'} is a link"
    assert words(labels_of(bundle)) == {"a": "pass"}


def test_what_we_keep_for_ourselves_is_private_and_what_lies_beside_a_bundle_is_as_usual(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path)
    before = os.umask(0o022)
    try:
        beside = labels_of(bundle)
        beside.set(0, "pass")
        beside.path.unlink()
        beside.path.symlink_to("nowhere")
        own = labels_of(bundle)
        own.set(0, "pass")
    finally:
        os.umask(before)
    assert [mode_of(path) for path in (own.path, own.path.parent, state_folder())] == [0o600, 0o700, 0o700]
    beside.path.unlink()
    again = labels_of(bundle)
    again.set(0, "fail")
    assert mode_of(again.path) == 0o644


def test_a_pipe_where_labels_would_be_is_told_and_not_waited_for(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path)
    os.mkfifo(tmp_path / "runs.json.labels.jsonl")
    labels = labels_of(bundle)
    assert [problem.kind for problem in labels.problems] == ["unreadable"]
    with pytest.raises(NotPossible, match=r"the label is not kept: .*no regular file"):
        labels.set(0, "pass")


def test_where_nothing_can_be_kept_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = small_bundle(tmp_path)
    (tmp_path / "runs.json.labels.jsonl").symlink_to("nowhere")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("AGENT_TUI_STATE_DIR", str(tmp_path / "file"))
    with pytest.raises(NotPossible, match=r"the label is not kept: .*file/labels/"):
        labels_of(bundle).set(0, "pass")


_LABEL_STDIN = """
import sys
from agent_tui.bundles import load
from agent_tui.judge.labels import Labels
labels = Labels.of(load(["-"]), by="ada")
print(labels.label(0).label if labels.label(0) else None, labels.notice)
labels.set(0, sys.argv[1])
"""


def test_labels_of_standard_input_are_found_again_by_what_was_read(tmp_path: Path) -> None:
    path = Path(write_bundle(tmp_path / "runs.json", answered("a")))
    told = []
    for word, text in (("pass", path.read_bytes()), ("fail", path.read_bytes()), ("fail", path.read_bytes() + b" \n")):
        command = [sys.executable, "-c", _LABEL_STDIN, word]
        ran = subprocess.run(command, input=text, capture_output=True, cwd=ROOT, check=True)
        told.append(ran.stdout.decode().split(" ", 1))
    assert [label for label, _ in told] == ["None", "pass", "None"]
    assert all("what was opened is no file that stays" in notice for _, notice in told)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """A folder that cannot be written, not by root either, who is somebody else for that time."""
    folder.chmod(0o555)
    is_root = os.getuid() == 0
    if is_root:
        os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        if is_root:
            os.setresuid(0, 0, 0)
        folder.chmod(0o755)


def test_in_a_folder_that_cannot_be_written_old_labels_are_read_and_new_ones_go_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with TemporaryDirectory() as name, TemporaryDirectory() as state:  # pytest's own folders let nobody else in
        os.chown(state, NOBODY if os.getuid() == 0 else os.getuid(), -1)
        monkeypatch.setenv("AGENT_TUI_STATE_DIR", state)
        folder = Path(name)
        bundle = small_bundle(folder)
        labels_of(bundle).set(0, "pass")
        with read_only(folder):
            labels = labels_of(bundle)
            labels.set(1, "fail")
            assert words(labels) == words(labels_of(bundle)) == {"a": "pass", "b": "fail"}
        assert labels.notice == f"labels are kept in {labels.path}: {folder} cannot be written"
        assert len((folder / "runs.json.labels.jsonl").read_text().splitlines()) == 1
        assert (labels.path.parent, mode_of(labels.path)) == (Path(state) / "labels", 0o600)

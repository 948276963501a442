"""The journal: what was changed outlives the program, and is offered to the same runs only."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.index.held import Damaged
from agent_tui.bundles.journal import Journal
from agent_tui.bundles.ledger import Change
from agent_tui.bundles.what_if import WhatIf, path_of, set_value
from agent_tui.errors import BadPatch
from agent_tui.places import state_folder
from agent_tui.runs.edits import Duplicate, Edit, Move, Remove
from tests.writing import CYBERTRAVELS, ROOT

AMOUNT = "expected.calls[1].args.amount"


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(shutil.copy(CYBERTRAVELS, tmp_path / "runs.json"))


def opened(file: str) -> tuple[WhatIf, Journal]:
    bundle = load([file])
    journal = Journal(bundle)
    return WhatIf(bundle, journal), journal


def records(bundle: Bundle) -> list[bytes]:
    return [bundle.record(row) for row in range(len(bundle))]


def change_much(what_if: WhatIf) -> None:
    what_if.change(1, set_value(AMOUNT, "1400"))
    what_if.change(0, Move(path_of("actual.calls[0]"), 1))
    what_if.undo()
    what_if.change(3, Duplicate(path_of("actual.calls[0]")), Remove(path_of("actual.answer")))
    what_if.change(1, set_value(AMOUNT, "7"))
    what_if.undo()


def test_the_next_session_is_offered_what_the_last_one_left(file: str) -> None:
    what_if, _ = opened(file)
    change_much(what_if)
    again, journal = opened(file)
    pending = journal.pending()
    assert pending is not None
    assert (pending.position, len(pending.changes), pending.reason) == (2, 3, "")
    journal.take_up(again, pending)
    assert list(map(json.loads, records(again.bundle))) == list(map(json.loads, records(what_if.bundle)))
    assert again.effect() == what_if.effect()
    assert len(again.ledger.undone) == 1


def test_a_session_that_took_up_another_goes_on_with_it(file: str) -> None:
    change_much(opened(file)[0])
    again, journal = opened(file)
    pending = journal.pending()
    assert pending is not None
    journal.take_up(again, pending)
    again.redo()
    again.change(2, set_value("actual.answer", '"x"'))
    third, third_journal = opened(file)
    pending = third_journal.pending()
    assert pending is not None
    third_journal.take_up(third, pending)
    assert (third.position, records(third.bundle)) == (4, records(again.bundle))


@pytest.mark.parametrize("steps", [0, 1])
def test_nothing_is_offered_where_nothing_is_left(file: str, steps: int) -> None:
    what_if, _ = opened(file)
    for _ in range(steps):
        what_if.change(1, set_value(AMOUNT, "1400"))
    what_if.revert_all()
    assert opened(file)[1].pending() is None


def test_what_is_discarded_is_not_offered_and_what_is_shown_is_kept_with_the_next_change(file: str) -> None:
    what_if, journal = opened(file)
    what_if.change(1, set_value(AMOUNT, "1400"))
    journal.discard()
    assert opened(file)[1].pending() is None
    what_if.change(1, set_value(AMOUNT, "7"))
    pending = opened(file)[1].pending()
    assert pending is not None
    assert pending.position == 2


def test_a_file_that_changed_since_is_said_and_nothing_is_applied(file: str) -> None:
    what_if, _ = opened(file)
    what_if.change(1, set_value(AMOUNT, "1400"))
    Path(file).write_bytes(Path(file).read_bytes().replace(b'"BK-9001"', b'"BK-9002"'))
    again, journal = opened(file)
    pending = journal.pending()
    assert pending is not None
    assert "not what it was: its first 6 runs are others" in pending.reason
    with pytest.raises(BadPatch, match="not what it was"):
        journal.take_up(again, pending)
    assert again.bundle.edited == 0


class CutOff(WhatIf):
    """Its index turns out to be damaged after the first change."""

    def change_all(self, edits: Iterable[tuple[int, Edit]]) -> Change:
        if len(self.ledger):
            raise Damaged("states is cut off")
        return super().change_all(edits)


def test_changes_that_meet_damage_are_not_taken_up_by_half(file: str) -> None:
    what_if, _ = opened(file)
    what_if.change(1, set_value(AMOUNT, "1400"))
    what_if.change(1, set_value(AMOUNT, "7"))
    again, journal = opened(file)
    pending = journal.pending()
    assert pending is not None
    cut_off = CutOff(again.bundle, journal)
    with pytest.raises(Damaged):
        journal.take_up(cut_off, pending)
    assert (len(cut_off.ledger), cut_off.position) == (0, 0)
    assert opened(file)[1].pending() == pending


def test_changes_that_do_not_fit_are_not_taken_up_by_half(file: str) -> None:
    what_if, journal = opened(file)
    what_if.change(1, set_value(AMOUNT, "1400"))
    what_if.change(1, set_value(AMOUNT, "7"))
    assert journal.path is not None
    journal.path.write_bytes(journal.path.read_bytes().replace(b'"from":1400', b'"from":1401'))
    again, journal = opened(file)
    pending = journal.pending()
    assert pending is not None
    with pytest.raises(BadPatch, match="from is 1401, but there stands 1400"):
        journal.take_up(again, pending)
    assert (again.bundle.edited, len(again.ledger)) == (0, 0)


def test_a_line_that_was_cut_off_is_left_out_and_the_next_one_stands_alone(file: str) -> None:
    what_if, journal = opened(file)
    what_if.change(1, set_value(AMOUNT, "1400"))
    assert journal.path is not None
    with journal.path.open("ab") as torn:
        torn.write(b'{"session":"')
    pending = opened(file)[1].pending()
    assert pending is not None
    assert pending.position == 1
    what_if.change(1, set_value(AMOUNT, "7"))
    pending = opened(file)[1].pending()
    assert pending is not None
    assert pending.position == 2


def test_folder_and_file_are_private(file: str) -> None:
    what_if, journal = opened(file)
    what_if.change(1, set_value(AMOUNT, "1400"))
    assert journal.path is not None
    modes = [path.stat().st_mode & 0o777 for path in (state_folder(), journal.path.parent, journal.path)]
    assert modes == [0o700, 0o700, 0o600]


def test_a_place_that_cannot_be_written_is_told_and_made_up_for(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = state_folder()
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("a file in the way")
    what_if, journal = opened(file)
    what_if.change(1, set_value(AMOUNT, "1400"))
    assert journal.trouble.startswith("changes are not kept: ")
    folder.unlink()
    what_if.change(1, set_value(AMOUNT, "7"))
    assert journal.trouble == ""
    pending = opened(file)[1].pending()
    assert pending is not None
    assert pending.position == 2


def test_another_file_of_the_same_content_has_a_journal_of_its_own(file: str, tmp_path: Path) -> None:
    opened(file)[0].change(1, set_value(AMOUNT, "1400"))
    assert opened(str(shutil.copy(file, tmp_path / "other.json")))[1].pending() is None


KILLED = """
import os, signal, sys
from agent_tui.bundles import load
from agent_tui.bundles.journal import Journal
from agent_tui.bundles.what_if import WhatIf, set_value
bundle = load([sys.argv[1]])
what_if = WhatIf(bundle, Journal(bundle))
for amount in range(5):
    what_if.change(1, set_value("expected.calls[1].args.amount", str(amount)))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_five_changes_outlive_a_kill(file: str) -> None:
    ended = subprocess.run([sys.executable, "-c", KILLED, file], cwd=ROOT, env=os.environ, check=False)
    assert ended.returncode == -signal.SIGKILL
    what_if, journal = opened(file)
    pending = journal.pending()
    assert pending is not None
    journal.take_up(what_if, pending)
    assert (what_if.position, json.loads(what_if.bundle.record(1))["expected"]["calls"][1]["args"]["amount"]) == (5, 4)


WAITING = KILLED.replace("os.kill(os.getpid(), signal.SIGKILL)", "print('changed', flush=True)\nsys.stdin.read()")


def test_what_another_program_is_changing_was_not_left(file: str) -> None:
    command = [sys.executable, "-c", WAITING, file]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "changed\n"
        what_if, journal = opened(file)
        assert journal.pending() is None
        what_if.change(1, set_value(AMOUNT, "99"))
        assert "open in another window" in journal.trouble
        other.kill()
    pending = opened(file)[1].pending()
    assert pending is not None
    assert pending.position == 5

"""Patches: what was changed as a file that gives it again, or says why not and changes nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.bundles import Bundle, add, load, scored
from agent_tui.bundles.patch import apply_patch, patch_text, read_patch, write_patch
from agent_tui.bundles.what_if import WhatIf, path_of, set_value
from agent_tui.errors import BadPatch, NotPossible
from agent_tui.readers import read
from agent_tui.runs.edits import Duplicate, Insert, Move, Remove
from tests.writing import CYBERTRAVELS, DOCENT, run_of, write_bundle


def changed() -> WhatIf:
    """The published flip, and one of every other kind of change."""
    what_if = WhatIf(load([CYBERTRAVELS]))
    what_if.change(1, set_value("expected.calls[1].args.amount", "1400"))
    what_if.change(0, Move(path_of("actual.calls[0]"), 1), Duplicate(path_of("actual.calls[1]")))
    what_if.change(2, Insert(path_of("expected.calls[0]"), b'{"name": "look"}'), Remove(path_of("actual.answer")))
    what_if.change(2, set_value("metadata", '{"a": 1.50}'))
    return what_if


def records(bundle: Bundle) -> list[Any]:
    return [json.loads(bundle.record(row)) for row in range(len(bundle))]


def test_a_patch_gives_the_same_runs_again(tmp_path: Path) -> None:
    what_if, again = changed(), WhatIf(load([CYBERTRAVELS]))
    write_patch(what_if, tmp_path / "a.whatif.json")
    change = apply_patch(again, read_patch(tmp_path / "a.whatif.json"))
    assert records(again.bundle) == records(what_if.bundle)
    assert change is not None
    assert change.effect == again.effect() == what_if.effect()
    assert patch_text(again) == patch_text(what_if)


def test_a_patch_is_as_published() -> None:
    what_if = changed()
    what_if.go_to(1)
    assert json.loads(patch_text(what_if)) == {
        "schema": "agent-tui/whatif-1",
        "bundle": what_if.bundle.digest,
        "edits": [{"run": "R2", "path": "expected.calls[1].args.amount", "from": 140, "to": 1400}],
    }
    assert b'"to": 1.50' not in patch_text(what_if)
    what_if.go_to(4)
    operations = [edit.get("op") for edit in json.loads(patch_text(what_if))["edits"]]
    assert operations == [None, "move", "insert", "insert", "remove", None]


def test_a_patch_of_nothing_changes_nothing() -> None:
    what_if = WhatIf(load([CYBERTRAVELS]))
    patch = json.loads(patch_text(what_if))
    assert patch["edits"] == []


def patch_file(folder: Path, **changes: Any) -> Path:
    patch = json.loads(patch_text(changed())) | changes
    path = folder / "a.whatif.json"
    path.write_text(json.dumps({key: value for key, value in patch.items() if value is not None}))
    return path


def edit(**changes: Any) -> list[dict[str, Any]]:
    good = {"run": "R1", "path": "actual.calls[0].name", "from": "lookup_booking", "to": "x"}
    return [good, {"run": "R2", "path": "expected.calls[1].args.amount", "from": 140, "to": 1400} | changes]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"bundle": "0" * 32}, "it is for another bundle: made for 0000"),
        (
            {"edits": edit(**{"from": 141})},
            "edit 2, R2 .*: from is 141, but there stands 140",
        ),
        ({"edits": edit(run="R9")}, "edit 2, R9 .*unknown run 'R9'"),
        ({"edits": edit(run="R")}, "edit 2, R "),
        ({"edits": edit(path="expected.calls[7].name")}, "from is 140, but there stands nothing"),
        ({"edits": edit(path="expected.calls[7].name", **{"from": None})}, r"expected.calls\[7\] is not there"),
        ({"edits": edit(op="swap")}, "unknown op 'swap'"),
        ({"edits": edit(path="expected..calls")}, "does not parse"),
        ({"edits": edit(path="actual.calls", **{"from": None, "op": "remove"})}, "from is null, but there stands"),
        ({"edits": edit(path="status", **{"from": None, "to": 5})}, "R2 would be no run any more"),
    ],
)
def test_a_patch_that_does_not_fit_says_which_edit_and_changes_nothing(
    changes: dict[str, Any], says: str, tmp_path: Path
) -> None:
    what_if = WhatIf(load([CYBERTRAVELS]))
    before = records(what_if.bundle)
    with pytest.raises(BadPatch, match=says):
        apply_patch(what_if, read_patch(patch_file(tmp_path, **changes)))
    assert (records(what_if.bundle), len(what_if.ledger)) == (before, 0)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"schema": "agent-tui/1"}, "its schema is 'agent-tui/1'"),
        ({"bundle": None}, "missing required field"),
        ({"more": 1}, "unknown field"),
        ({"edits": [{"run": "R2"}]}, "missing required field"),
    ],
)
def test_what_is_no_patch_is_told(changes: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(BadPatch, match=says):
        read_patch(patch_file(tmp_path, **changes))
    with pytest.raises(BadPatch, match="No such file"):
        read_patch(tmp_path / "none.json")


def test_numbers_are_kept_as_they_are_spelt_and_nan_as_a_text(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a", "scores": {"q": NaN}, "actual": {"calls": []}}\n')
    what_if = WhatIf(load([str(path)]))
    what_if.change(0, set_value("scores.q", "1.50"))
    assert b'"from": "NaN", "to": 1.50}' in patch_text(what_if)
    write_patch(what_if, tmp_path / "a.whatif.json")
    again = WhatIf(load([str(path)]))
    apply_patch(again, read_patch(tmp_path / "a.whatif.json"))
    assert again.bundle.record(0) == what_if.bundle.record(0)


def test_a_patch_can_be_read_whatever_the_record_holds(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a", "actual": {"calls": [{"name": "\\ud800", "args": {"n": 1e300}}]}}\n')
    what_if = WhatIf(load([str(path)]))
    what_if.change(0, Duplicate(path_of("actual.calls[0]")), Remove(path_of("actual.calls[0]")))
    write_patch(what_if, tmp_path / "a.whatif.json")
    again = WhatIf(load([str(path)]))
    apply_patch(again, read_patch(tmp_path / "a.whatif.json"))
    assert again.bundle.score(0) == what_if.bundle.score(0)
    assert ([call.name for call in again.bundle.run(0).calls or ()] == ["\ud800"]) is True


def test_a_patch_is_never_written_over_what_is_there(tmp_path: Path) -> None:
    path = Path(write_bundle(tmp_path / "a.json", run_of("a")))
    what_if, before = WhatIf(load([str(path)])), path.read_bytes()
    (tmp_path / "link.whatif.json").symlink_to(path)
    for target in (path, tmp_path / "link.whatif.json"):
        with pytest.raises(NotPossible, match="is opened"):
            write_patch(what_if, target, replace=True)
    write_patch(what_if, tmp_path / "b.whatif.json")
    with pytest.raises(NotPossible, match="is there already"):
        write_patch(what_if, tmp_path / "b.whatif.json")
    assert path.read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.json", "b.whatif.json", "link.whatif.json"]


def test_no_patch_is_written_where_it_is_not_known_of_which_bytes_it_would_be(tmp_path: Path) -> None:
    what_if = changed()
    what_if.bundle.digest = ""  # as while a file is followed
    with pytest.raises(NotPossible, match="they are still coming"):
        write_patch(what_if, tmp_path / "a.whatif.json")
    assert list(tmp_path.iterdir()) == []


def test_a_patch_names_a_run_as_it_is_named_since_another_one_came(tmp_path: Path) -> None:
    paths = [write_bundle(tmp_path / f"{epoch}.json", run_of("a", epoch=epoch)) for epoch in (1, 2)]
    what_if = WhatIf(load(paths[:1]))
    what_if.change(0, set_value("actual.answer", "x"))
    for fact in scored(read(paths[1:])):
        add(what_if.bundle, fact)
    again = WhatIf(load(paths))
    apply_patch(again, read_patch_of(what_if))
    assert (again.bundle.names.name(0), again.bundle.is_edited(0)) == ("a#1", True)


def test_a_patch_of_another_bundle_is_refused() -> None:
    what_if = WhatIf(load([DOCENT]))
    with pytest.raises(BadPatch, match=f"opened is {what_if.bundle.digest}"):
        apply_patch(what_if, read_patch_of(changed()))


def read_patch_of(what_if: WhatIf) -> Any:
    import msgspec

    from agent_tui.bundles.patch import Patch

    return msgspec.json.decode(patch_text(what_if), type=Patch)

"""Failed calls are counted once a run, and again where it is changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.failed_calls import FailedCalls
from agent_tui.bundles.query import kept_rows, sorted_rows
from tests.writing import call, run_of, write_bundle


def failing(number: int, failed: int) -> dict[str, Any]:
    calls = [call("find", n=n) | ({"error": "no"} if n < failed else {}) for n in range(3)]
    return run_of(f"r{number}", actual=calls)


def bundle_of(folder: Path, *failed: int) -> Bundle:
    return load([write_bundle(folder / "b.json", *(failing(number, each) for number, each in enumerate(failed)))])


def test_counts_are_known_of_all_once_each_was_put() -> None:
    counts = FailedCalls()
    for row in (3, 0, 1, 1):
        counts.put(row, row)
    assert (counts.of_all(4), counts.missing(4), list(counts.missing_rows(6))) == (None, 1, [2, 4, 5])
    counts.put(2, 9)
    assert list(counts.of_all(4) or ()) == [0, 1, 9, 3]
    assert counts.of_all(5) is None


def test_runs_are_kept_and_ordered_by_their_failed_calls(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, 0, 2, 1, 0, 3)
    assert list(kept_rows(bundle, "errors > 0", "exact")) == [1, 2, 4]
    assert list(kept_rows(bundle, "errors = 2", "exact")) == [1]
    assert list(sorted_rows(bundle, range(5), "errors", "exact", descending=True)) == [4, 1, 2, 0, 3]


def test_only_the_runs_that_are_not_counted_are_counted(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, 0, 2, 1)
    assert (bundle.errors(1), bundle.errors_missing) == (2, 2)
    assert list(bundle.count_errors()) == [0, 2]
    assert list(bundle.errors_of_all or ()) == [0, 2, 1]


def test_a_changed_run_is_counted_again(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, 0, 2, 1)
    assert list(kept_rows(bundle, "errors > 0", "exact")) == [1, 2]
    bundle.edit(1, json.dumps(failing(1, 0)).encode())
    assert bundle.errors_missing == 0
    assert list(kept_rows(bundle, "errors > 0", "exact")) == [2]

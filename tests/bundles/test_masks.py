"""Filters and orders over columns say what a look at each row says, with numpy and without it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_tui.bundles import Bundle, load, masks
from agent_tui.bundles.fields import field, field_names
from agent_tui.bundles.query import kept_rows, sorted_rows
from agent_tui.errors import BadExpression
from agent_tui.scoring.columns import Texts
from tests.workers.test_building import HEADER, run_line

REASONS = ("null", "absent", "not a number", "NaN", "inf", "-inf")
COMPARISONS = ["= 1", "!= 1", "< 0.5", ">= 0.5", "~ a", "= n/a", "= pass", "= T3", "!= done", '~ "1"', "= unscored", ""]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """Two hundred runs of every kind; of some ids and tasks there are several."""
    path = tmp_path_factory.mktemp("runs") / "runs.jsonl"
    path.write_bytes(b"\n".join([HEADER, *map(run_line, range(200)), json.dumps({"id": "X9", "scores": {}}).encode()]))
    return load([str(path)])


@pytest.fixture(params=["numpy", "plain"])
def way(request: pytest.FixtureRequest) -> Iterator[str]:
    """With numpy, and as it is before numpy is there."""
    if request.param == "numpy":
        pytest.importorskip("numpy")
        masks.load_numpy()
    yield request.param
    masks.forget_numpy()


def names(bundle: Bundle) -> list[str]:
    return [f"score.{name}" if name in ("success",) else name for name in field_names(bundle)]


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_a_mask_holds_the_rows_that_the_question_is_true_of(bundle: Bundle, way: str, comparison: str) -> None:
    for name in names(bundle):
        asked: list[tuple[object, object]] = []
        for measure in ("exact", "task_success"):
            quoted = json.dumps(name, ensure_ascii=False)
            try:
                kept = kept_rows(bundle, f"{quoted} {comparison}", measure)
            except BadExpression:
                assert not one_by_one(bundle, name, comparison.removeprefix("!"), measure), "refused what some run is"
                continue
            asked.append((kept, one_by_one(bundle, name, comparison, measure)))
        assert all(list(ours) == plain for ours, plain in asked), name  # type: ignore[call-overload]


def one_by_one(bundle: Bundle, name: str, comparison: str, measure: str) -> list[int]:
    """The rows that a comparison keeps, by the value of each."""
    values = field(bundle, name, measure)
    op, _, wanted = comparison.partition(" ")
    kept = []
    for row in range(len(bundle)):
        value = values(row)
        shown = "" if value is None else str(value)
        sought = wanted.strip('"').casefold()
        if name == "output" and op in ("=", "!="):
            shown = {"correct": "pass", "unscoreable": "n/a", "pending": "n/a"}.get(shown, shown)
        number = float(wanted) if wanted in ("1", "0.5") else None
        if isinstance(value, float | int):
            equal = number is not None and value == number
        else:
            equal = shown.casefold() == sought or (
                sought in ("n/a", "unscored") and (value is None or value in REASONS)
            )
        is_number = isinstance(value, float | int)
        holds = {
            "": value not in (None, 0, "", "no", "n/a", "unscoreable", "pending", *REASONS),
            "=": equal,
            "!=": not equal,
            "~": sought in shown.casefold(),
            "<": is_number and number is not None and value < number,  # type: ignore[operator]
            ">=": is_number and number is not None and value >= number,  # type: ignore[operator]
        }
        if holds[op]:
            kept.append(row)
    return kept


@pytest.mark.parametrize("descending", [False, True])
def test_rows_are_in_the_order_of_their_values(bundle: Bundle, way: str, descending: bool) -> None:
    for name in names(bundle):
        values = field(bundle, name, "exact")
        for rows in (range(len(bundle)), [5, 3, 150, 7, 8, 120, 9]):
            numbers = any(isinstance(values(row), float | int) for row in rows)
            kind = float | int if numbers else str
            known = sorted((r for r in rows if isinstance(values(r), kind)), key=values, reverse=descending)
            unknown = [row for row in rows if not isinstance(values(row), kind)]
            assert list(sorted_rows(bundle, rows, name, "exact", descending=descending)) == [*known, *unknown], name


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(st.text("aAb0-", max_size=6), min_size=1, max_size=40),
    sought=st.text("ab0-", min_size=1, max_size=8),
)
def test_the_texts_that_hold_another_are_found_however_many_they_are(way: str, texts: list[str], sought: str) -> None:
    column = Texts()
    for text in texts:
        column.append(text)
    block = column.lowered(0, len(texts))
    assert block is not None
    assert list(masks.holding(block, len(texts), sought.encode())) == [sought in text.lower() for text in texts]


def test_texts_of_other_letters_than_asciis_are_not_lowered_as_bytes() -> None:
    column = Texts()
    for text in ("run-1", "läuft"):
        column.append(text)
    assert column.lowered(0, 1) == b"\xffrun-1"
    assert column.lowered(0, 2) is None


def test_scoring_does_not_load_numpy() -> None:
    root = Path(__file__).parents[2]
    score = "command(['sample_runs/cybertravels.json'], standalone_mode=False)"
    code = f"import sys; from agent_tui.cli.score import command; {score}; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout.splitlines()[-1] == "False"

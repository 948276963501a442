"""Every format keeps its contract: told from content, runs decode, what is bad is a problem and not an exception."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_tui.readers import decode_steps, formats
from tests.readers import fixtures
from tests.readers.reading import names, reading

SAMPLES: dict[str, tuple[Callable[[Path], Path], list[tuple[str, int]], list[str]]] = {
    "agent-tui": (fixtures.native_bundle, [("late", 1), ("7", 2)], ["quote"]),
    "inspect": (fixtures.inspect_log, [("fare", 1), ("fare", 2)], ["quote"]),
    "tau2": (fixtures.tau2_results, [("cancel-f1", 1), ("cancel-f1", 2)], ["cancel"]),
    "openai-chat": (fixtures.chat_rows, [("two-cars", 1), ("again", 1)], ["quote", "cancel"]),
}
"""Format: a small recording, its runs in order as (id, epoch), the calls of the first."""


def test_every_format_has_a_sample_here() -> None:
    assert {form.name for form in formats()} == SAMPLES.keys()


@pytest.mark.parametrize("form", sorted(SAMPLES))
class TestFormat:
    def test_its_sample_is_read_whole(self, form: str, tmp_path: Path) -> None:
        write, runs, first_calls = SAMPLES[form]
        found = reading(write(tmp_path))
        assert [(run.id, run.epoch) for run in found.runs] == runs
        assert names(found.runs[0]) == first_calls
        assert found.problems == []
        assert [source.format for source in found.sources] == [form]

    def test_its_name_does_not_matter(self, form: str, tmp_path: Path) -> None:
        write, runs, _ = SAMPLES[form]
        path = write(tmp_path).rename(tmp_path / "something.txt")
        assert [(run.id, run.epoch) for run in reading(path).runs] == runs

    def test_its_records_are_strict_json_with_steps(self, form: str, tmp_path: Path) -> None:
        write, _, _ = SAMPLES[form]
        for record in reading(write(tmp_path)).records:
            json.loads(record.text, parse_constant=pytest.fail)
            decode_steps(record.text)

    def test_cut_anywhere_it_gives_runs_or_problems(self, form: str, tmp_path: Path) -> None:
        write, _, _ = SAMPLES[form]
        whole = write(tmp_path).read_bytes()
        for size in range(1, len(whole), max(1, len(whole) // 40)):
            cut = tmp_path / "cut"
            cut.write_bytes(whole[:size])
            found = reading(cut)
            assert found.problems or found.records

    def test_only_one_format_claims_it(self, form: str, tmp_path: Path) -> None:
        write, _, _ = SAMPLES[form]
        packed = tmp_path / "packed"
        packed.write_bytes(gzip.compress(write(tmp_path).read_bytes()))
        claims = [source.format for source in reading(packed).sources]
        assert claims in ([form], [])

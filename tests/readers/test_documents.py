"""One JSON document: seen where it lies as it is read into memory, and held by nothing that comes of it."""

from __future__ import annotations

import gc
import gzip
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.errors import Problem
from agent_tui.readers import loose
from agent_tui.readers.items import Header, Item, Record
from agent_tui.readers.opening import read_source
from agent_tui.readers.source import Source
from agent_tui.safety import Limits

RUN = '{"id": "a", "actual": {"calls": []}}'
OTHER = '{"id": "b",\n "expected": {"calls": []}}'
CHAT = '{"id": "c", "messages": [{"role": "user", "content": "hi"}]}'
SAMPLE = '{"id": 1, "epoch": 1, "messages": []}'
DOCUMENTS = {
    "runs": f'{{"schema": "agent-tui/1", "bundle": {{"name": "n"}}, "runs": [{RUN},\n\n{OTHER} , 7]}}',
    "on one line": f'{{"runs":[{RUN},{CHAT}],"rules":{{}}}}',
    "space around": f'\ufeff \n\n\t{{"runs": [{OTHER}, {RUN}]}}\n \n',
    "a list": f"\n[{RUN}, {OTHER}]\n",
    "empty list": "[ ]",
    "one run": f"\n{OTHER}\n",
    "runs twice": f'{{"runs": [{RUN}], "bundle": {{}}, "bundle": {{"name": "m"}}, "runs": [{OTHER}]}}',
    "no list": '{"schema": "agent-tui/1", "runs": 7}',
    "NaN": f'{{"runs": [{RUN}, {{"id": "n", "scores": {{"x": NaN}}}}]}}',
    "lone surrogates": f'{{"runs": [{RUN}, {{"id": "\\ud800", "status": "done"}}, {OTHER}]}}',
    "cut off": f'{{"runs": [{RUN},\n{OTHER}, {{"id":',
    "more behind": f'{{"runs": [{RUN}]}} x',
    "no comma": f'{{"runs": [{RUN} {OTHER}]}}',
    "comma too many": f'{{"runs": [{RUN},]}}',
    "not UTF-8": f'{{"runs": [{RUN}, {{"id": "\udcff", "status": "done"}}]}}',
    "words": "no runs",
    "space": " \n ",
    "lines": f"{RUN}\n{RUN}\n",
    "chat": f"[{CHAT}, {CHAT}]",
    "a conversation": '[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]',
    "a log": f'{{"version": 2, "eval": {{"task": "t", "model": "m"}}, "samples": [{SAMPLE}, {SAMPLE}, 7]}}',
    "a log with NaN": f'{{"version": 2, "eval": {{"task": "t", "model": "m"}}, "x": NaN, "samples": [{SAMPLE}]}}',
}


def items_of(path: Path, *, may_map: bool) -> list[Item]:
    source = Source.of(path)
    source.may_map = may_map
    return list(read_source(source, set()))


def said(items: list[Item]) -> list[object]:
    """Items as values that compare."""
    return [
        (each.file, {key: bytes(value) for key, value in each.fields.items()}) if isinstance(each, Header) else each
        for each in items
    ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "document.json"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_mapped_document_says_what_one_in_memory_says(path: Path, name: str) -> None:
    path.write_bytes(DOCUMENTS[name].encode("utf-8", "surrogateescape"))
    items = items_of(path, may_map=True)
    assert said(items) == said(items_of(path, may_map=False))
    assert items
    path.write_bytes(gzip.compress(path.read_bytes()))
    assert said(items_of(path, may_map=True)) == said(items_of(path, may_map=False))


def test_a_packed_document_is_in_memory_where_there_is_no_room(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(gzip.compress(DOCUMENTS["runs"].encode()))
    read = said(items_of(path, may_map=True))
    monkeypatch.setattr(tempfile, "tempdir", str(path.parent / "gone"))
    assert said(items_of(path, may_map=True)) == read
    assert len(read) > 3


def test_a_packed_document_is_not_mapped_beyond_the_limit(path: Path) -> None:
    path.write_bytes(gzip.compress(DOCUMENTS["runs"].encode()))
    source = Source.of(path, Limits(document=50))
    source.may_map = True
    (problem,) = read_source(source, set())
    assert isinstance(problem, Problem)
    assert problem.reason.startswith("one document of over 50 bytes")


@pytest.mark.parametrize("may_map", [True, False], ids=["mapped", "in memory"])
@pytest.mark.parametrize("name", ["runs", "space around", "a list", "runs twice", "NaN", "lone surrogates"])
def test_a_run_is_found_again_where_it_lies(path: Path, name: str, may_map: bool) -> None:
    path.write_text(DOCUMENTS[name], encoding="utf-8")
    whole = path.read_bytes()
    records = [item for item in items_of(path, may_map=may_map) if isinstance(item, Record)]
    assert records
    for record in records:
        assert record.offset is not None
        assert whole[record.offset :].startswith(record.text)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only Linux tells what is mapped")
@pytest.mark.parametrize("name", ["runs", "on one line", "a list", "a log", "chat"])
def test_nothing_that_comes_of_a_document_keeps_it(path: Path, name: str) -> None:
    path.write_text(DOCUMENTS[name])
    source = Source.of(path)
    source.may_map = True
    reading = read_source(source, set())
    kept = [next(reading)]
    assert str(path) in Path("/proc/self/maps").read_text()
    kept += reading
    gc.collect()
    assert str(path) not in Path("/proc/self/maps").read_text()
    assert len(kept) > 1


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(value=st.lists(VALUES), indent=st.sampled_from([None, 0, 2]), separator=st.sampled_from([",", " , ", ",\n"]))
def test_the_items_of_a_list_one_by_one_are_all_of_them(
    value: list[object], indent: int | None, separator: str
) -> None:
    text = json.dumps(value, indent=indent, separators=(separator, " : ")).encode()
    found = list(loose.each(text))
    assert [bytes(item) for _, item in found] == [bytes(item) for item in loose.items(text)]
    if "\\ud" not in text.decode():
        assert all(text[:end].endswith(bytes(item)) for end, item in found)


@given(value=st.dictionaries(st.text(), VALUES, min_size=1), indent=st.sampled_from([None, 0, 2]))
def test_the_members_of_an_object_are_where_they_are_said_to_be(value: dict[str, object], indent: int | None) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False).encode("utf-8", "replace")
    spans = loose.walk(memoryview(text))
    assert spans is not None
    assert {span.key: text[span.value : span.end] for span in spans} == {
        key: bytes(raw) for key, raw in loose.fields(text).items()
    }

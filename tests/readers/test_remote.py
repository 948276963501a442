"""Files that lie elsewhere: which addresses are read, that they say what local files say, and what is never told."""

from __future__ import annotations

import gzip
import json
import re
import zipfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.bundles import Bundle, load
from agent_tui.cli.check import command as check
from agent_tui.cli.score import command as score
from agent_tui.errors import NothingReadable, NotPossible
from agent_tui.readers.addresses import is_address, name_of
from agent_tui.readers.ranges import RangeSource, Stamp
from agent_tui.readers.remote_range import MORE, RemoteRange
from agent_tui.readers.remote_texts import RemoteTexts
from agent_tui.readers.source import Unreadable
from agent_tui.safety import Limits
from tests.readers.web_server import Site, web_server
from tests.writing import call, run_of


@pytest.fixture(scope="module")
def server() -> Iterator[Site]:
    with web_server() as site:
        yield site


@pytest.fixture
def site(server: Site) -> Site:
    server.files, server.statuses, server.asked = {}, {}, []
    server.has_ranges = server.has_etags = True
    return server


def lines(count: int, start: int = 0) -> bytes:
    runs = [run_of(f"r{n}", [call("a", n=1)], [call("a", n=n % 3)]) for n in range(start, start + count)]
    return b"".join(json.dumps(run).encode() + b"\n" for run in runs)


# Addresses


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("s3://b/k", True),
        ("ftp://h/f", True),
        ("a::s3://b/k", True),
        ("runs.jsonl", False),
        ("C:\\runs", False),
        ("./s3://b/k", False),
        ("-", False),
        ("://x", False),
    ],
)
def test_an_address_is_told_from_a_path(path: str, is_one: bool) -> None:
    assert is_address(path) == is_one


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("ftp://host/f", "no files are read from ftp://: read are s3://, gs://, az:// and https://"),
        ("file:///etc/passwd", "no files are read from file://"),
        ("memory://f", "no files are read from memory://"),
        ("simplecache::s3://b/k", "addresses are not chained with ::"),
        ("s3://b/k::file:///etc/passwd", "addresses are not chained with ::"),
        ("https://me:secret@host/f", "https://… holds a name or a password"),
        ("s3://key:secret@b/k", "s3://… holds a name or a password"),
        ("http://example.org/f?secret", "http://example.org/… is not encrypted"),
        ("http://127.0.0.1.example.org/f", "is not encrypted"),
        ("s3://bucket", "s3://bucket names no file: s3://BUCKET/FILE"),
        ("https://?secret", "names no file"),
    ],
)
def test_other_addresses_are_refused_in_one_line(address: str, reason: str) -> None:
    result = CliRunner().invoke(score, [address])
    assert isinstance(result.exception, NotPossible)
    said = str(result.exception)
    assert reason in said
    assert "\n" not in said
    assert "secret" not in said


def test_what_stands_behind_a_question_mark_is_in_no_name() -> None:
    assert name_of("https://host/a/runs.jsonl?X-Signature=secret#x") == "https://host/a/runs.jsonl"
    assert name_of("https://host/a/runs.jsonl?X-Signature=secret#x") == "https://host/a/runs.jsonl"


def test_two_addresses_with_one_name_are_not_read_together(site: Site) -> None:
    site.files["/runs.jsonl"] = lines(3)
    address = f"{site.address}/runs.jsonl"
    with pytest.raises(NotPossible, match=r"runs\.jsonl\?… is named twice, with different endings"):
        load([f"{address}?a", f"{address}?b"])
    assert len(load([f"{address}?b", f"{address}?b"])) == len(load([address])) == 3


def test_a_manifest_names_no_address(tmp_path: Path, site: Site) -> None:
    site.files["/runs.jsonl"] = lines(3)
    (tmp_path / "bundle.toml").write_text(f'runs = ["{site.address}/runs.jsonl"]')
    with pytest.raises(NothingReadable, match="no file matches"):
        load([str(tmp_path)])
    assert site.asked == []


def test_without_drivers_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "fsspec.core", None)
    result = CliRunner().invoke(score, ["gs://bucket/never-asked-before.jsonl"])
    assert isinstance(result.exception, NotPossible)
    assert str(result.exception).endswith("pip install 'agent-tui[cloud]'")


# What is read


def packed(kind: str, folder: Path) -> bytes:
    text = lines(40)
    if kind == "gz":
        return gzip.compress(text)
    if kind == "json":
        return b'{"schema": "agent-tui/1", "runs": [' + b",".join(text.splitlines()) + b"]}"
    if kind == "zip":
        with zipfile.ZipFile(folder / "made.zip", "w") as archive:
            archive.writestr("a.jsonl", text)
            archive.writestr("b.jsonl", lines(10, 100))
        return (folder / "made.zip").read_bytes()
    return text


def figures(bundle: Bundle) -> tuple[object, ...]:
    rows = [bundle.record(row) for row in range(len(bundle))]
    reasons = [problem.reason for problem in bundle.problems]
    return rows, list(bundle.table.ids), bundle.scorecard().tallies, reasons


@pytest.mark.parametrize("kind", ["jsonl", "json", "gz", "zip"])
def test_a_file_elsewhere_says_what_it_says_here(kind: str, tmp_path: Path, site: Site) -> None:
    path = tmp_path / f"runs.{kind}"
    path.write_bytes(packed(kind, tmp_path))
    site.files[f"/runs.{kind}"] = path.read_bytes()
    there, here = load([f"{site.address}/runs.{kind}"]), load([str(path)])
    assert len(there) in (40, 50)
    assert figures(there) == figures(here)
    assert all(source.digest.endswith("-store") for source in there.sources if "zip" not in source.file)
    assert site.gets(f"/runs.{kind}") == [f"bytes=0-{path.stat().st_size - 1}"]


def test_where_a_server_tells_no_version_the_digest_is_of_the_bytes(tmp_path: Path, site: Site) -> None:
    site.has_etags = False
    site.files["/runs.jsonl"] = lines(5)
    (tmp_path / "runs.jsonl").write_bytes(lines(5))
    assert load([f"{site.address}/runs.jsonl"]).digest == load([str(tmp_path / "runs.jsonl")]).digest


def test_a_file_that_is_read_from_its_start_is_read_up_to_a_limit(site: Site) -> None:
    from agent_tui.readers import read

    site.files["/runs.json"] = b" " * (3 << 20) + b"{}"
    problems = list(read([f"{site.address}/runs.json"], limits=Limits(download=1 << 20)))
    assert [str(each).partition(": ")[2] for each in problems] == [
        "3,145,730 bytes that are read from their start, which is done up to 1,048,576: copy it here"
    ]


@settings(max_examples=25)
@given(cuts=st.lists(st.integers(0, 9000), max_size=6), start=st.sampled_from([b"", b"\xef\xbb\xbf", b"\n\n"]))
def test_any_cuts_give_every_line_once_by_a_request_each(server: Site, cuts: list[int], start: bytes) -> None:
    server.has_ranges = server.has_etags = True
    text = start + lines(60)
    server.files, server.asked = {"/cut.jsonl": text}, []
    name = f"{server.address}/cut.jsonl"
    stamp = Stamp.of(name)
    edges = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    sources = [RangeSource(name, low, high, stamp) for low, high in pairwise(edges)]
    found = b"".join(chunk for source in sources for chunk in source.chunks())
    assert found == text.removeprefix(b"\xef\xbb\xbf")
    assert len(server.gets("/cut.jsonl")) == len(sources)


def test_a_line_that_ends_far_behind_its_range_takes_some_requests_more(site: Site) -> None:
    text = b'{"a": "' + b"x" * (5 * MORE) + b'"}\n' + lines(2)
    site.files["/long.jsonl"] = text
    name = f"{site.address}/long.jsonl"
    stamp = Stamp.of(name)
    first, second = RangeSource(name, 0, 10, stamp), RangeSource(name, 10, len(text), stamp)
    assert b"".join(first.chunks()) == text[: text.index(b"\n") + 1]
    assert len(site.gets("/long.jsonl")) == 4
    assert b"".join(second.chunks()) == lines(2)
    shortest = RemoteRange(name, 0, 10, stamp, Limits(line=MORE))
    assert [len(shortest.pread(MORE, place * MORE)) for place in range(4)] == [MORE] * 4
    with pytest.raises(Unreadable, match="a line of over 524,288 bytes"):
        shortest.pread(MORE, 4 * MORE)


def test_texts_behind_each_other_come_by_few_requests(site: Site) -> None:
    text = lines(4000)
    site.files["/runs.jsonl"] = text
    texts, places = RemoteTexts(f"{site.address}/runs.jsonl"), [0]
    for line in text.splitlines(keepends=True):
        places.append(places[-1] + len(line))
    read = [texts.read(low, high) for low, high in pairwise(places)]
    assert b"".join(read) == text
    assert len(site.gets("/runs.jsonl")) < 15
    assert texts.read(places[7], places[8]) == read[7]
    assert site.gets("/runs.jsonl")[-1] == f"bytes={places[7]}-{places[8] - 1}"


# What goes wrong


def test_a_file_that_changes_while_it_is_read_is_said(site: Site) -> None:
    site.files["/runs.jsonl"] = lines(50)
    name = f"{site.address}/runs.jsonl"
    source = RangeSource(name, 0, 200, Stamp.of(name))
    site.files["/runs.jsonl"] = lines(50, 1)
    with pytest.raises(Unreadable, match="has changed while it was read: open it again"):
        list(source.chunks())


def scored(address: str) -> Result:
    return CliRunner().invoke(score, [address])


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (404, "the store has no such file"),
        (403, "the store refuses: credentials are missing, or may not read it"),
        (418, "the server answers with status 418"),
    ],
)
def test_what_a_store_does_not_give_is_said_without_the_secret_of_its_address(
    site: Site, status: int, reason: str
) -> None:
    site.files["/runs.jsonl"] = lines(3)
    site.statuses["/runs.jsonl"] = status
    result = scored(f"{site.address}/runs.jsonl?key=secret{status}")
    assert isinstance(result.exception, NothingReadable)
    assert str(result.exception) == f"{site.address}/runs.jsonl: cannot be read: {reason}"


def test_a_server_without_ranges_is_refused_before_it_sends_everything(site: Site) -> None:
    site.has_ranges = False
    site.files["/runs.jsonl"] = lines(3)
    result = scored(f"{site.address}/runs.jsonl")
    assert isinstance(result.exception, NothingReadable)
    assert "the server gives no parts of files: download it first" in str(result.exception)


def test_a_server_that_is_not_there_is_said(site: Site) -> None:
    port = re.sub(r"\D", "", site.address.rpartition(":")[2])
    assert port
    result = scored("http://127.0.0.1:9/runs.jsonl")
    assert isinstance(result.exception, NothingReadable)
    assert "the store does not give it (ClientConnector" in str(result.exception)


def test_no_report_holds_the_secret_of_an_address(site: Site) -> None:
    site.files["/runs.jsonl"] = lines(3) + b"{\n"
    address = f"{site.address}/runs.jsonl?key=secret"
    said = [CliRunner().invoke(score, [address, f"--{form}"]).output for form in ("json", "md", "csv", "junit")]
    said += [CliRunner().invoke(command, [address]).output for command in (score, check)]
    assert all("runs.jsonl" in each or "r1" in each for each in said)
    assert not any("secret" in each for each in said)

"""A lone surrogate goes through a strict decoder and back, and no two texts become one."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw, Struct

from agent_tui.runs import surrogates
from agent_tui.runs.json_spans import spans_of

ODD = st.text(st.one_of(st.characters(), st.sampled_from('\ud800\udbff\udc00\udfff\U0010fffd\U0010d800\U0010dfff\\"')))
VALUES = st.recursive(ODD, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ODD, inner, max_size=3))


class Pair(Struct):
    """A text and a text kept as it stands."""

    text: str
    raw: Raw


def decoded(text: str) -> Any:
    return surrogates.decode(msgspec.json.decode, text.encode())


@given(VALUES, st.booleans())
def test_what_is_decoded_is_what_was_written(value: Any, spelt: bool) -> None:
    text = json.dumps(value) if spelt else json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate that is not spelt has no UTF-8
        text = json.dumps(value)
    assert (decoded(text) == json.loads(text)) is True


@given(VALUES)
def test_what_is_encoded_reads_as_the_value(value: Any) -> None:
    text = surrogates.encode({"it": value, "kept": Raw(json.dumps(value).encode())})
    assert (json.loads(text.decode()) == json.loads(json.dumps({"it": value, "kept": value}))) is True


@given(ODD)
def test_a_decoded_struct_has_its_texts_and_its_raw_values_back(text: str) -> None:
    pair = surrogates.decode(
        msgspec.json.Decoder(Pair).decode, json.dumps({"text": f"\ud800{text}", "raw": [text, "\udfff"]}).encode()
    )
    assert (pair.text == json.loads(json.dumps(f"\ud800{text}"))) is True
    assert (json.loads(bytes(pair.raw)) == json.loads(json.dumps([text, "\udfff"]))) is True


@given(VALUES)
def test_replacing_keeps_every_place(value: Any) -> None:
    text = json.dumps(value).encode()
    plain = surrogates.replaced(text)
    assert len(plain) == len(text)
    msgspec.json.decode(plain)


def test_what_is_no_json_stays_refused() -> None:
    for text in (b'{"a": "\\ud800"', b'["\\ud800" 1]', b'"\\ud800\xff"'):
        with pytest.raises((msgspec.DecodeError, UnicodeDecodeError)):
            surrogates.decode(msgspec.json.decode, text)


@pytest.mark.parametrize(
    "text", [rb'{"\ud800": 1, "\ud801": [2, "\uDBFF"], "a": {}}', rb'[ "\udc00",1 , {"k":"\ud800"} ]']
)
def test_places_are_found_among_lone_surrogates(text: bytes) -> None:
    spans = spans_of(text)
    value = json.loads(text)
    parts = value.items() if isinstance(value, dict) else ((None, item) for item in value)
    found = [(span.key, json.loads(text[span.value : span.end])) for span in spans]
    assert (found == list(parts)) is True

"""One JSON object that is the whole reply: everything else says why it is none, in a word that can be counted."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.judge.strict_json import Malformed, one_object

OBJECT = '{"verdict": "pass", "why": "a } and a ``` in it"}'
VALUE = json.loads(OBJECT)


@pytest.mark.parametrize(
    "text",
    [
        OBJECT,
        f"\n  {OBJECT}\n",
        f"```json\n{OBJECT}\n```",
        f"```\n{OBJECT}\n```\n",
        f'<think>I could say {{"verdict": "fail"}}.</think>\n{OBJECT}',
        f"<think></think>```json\n{OBJECT}\n```",
    ],
)
def test_an_object_may_come_in_one_fence_and_after_one_thought(text: str) -> None:
    assert one_object(text) == VALUE


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("<think>so</think>  ", "empty"),
        (OBJECT[:-1], "cut off"),
        ('{"verdict": "pa', "cut off"),
        ("{", "cut off"),
        (f"```json\n{OBJECT}", "cut off"),
        ("<think>still thinking", "cut off"),
        ("I am not able to grade this conversation.", "refusal"),
        ("I'm sorry, but I can't help with that.", "refusal"),
        (f"Here it is: {OBJECT}", "malformed"),
        (f"{OBJECT} That is all.", "malformed"),
        (f"{OBJECT}\n{OBJECT}", "malformed"),
        (f"```json\n{OBJECT}\n```\nDone.", "malformed"),
        (f"```json\n{OBJECT}\n```\n```json\n{OBJECT}\n```", "malformed"),
        (f"```python\n{OBJECT}\n```", "malformed"),
        (f"<think>a</think><think>b</think>{OBJECT}", "malformed"),
        (f"{OBJECT}<think>late</think>", "malformed"),
        (f"[{OBJECT}]", "malformed"),
        ('"pass"', "malformed"),
        ("pass", "malformed"),
        ('{"verdict": "fail", "verdict": "pass"}', "malformed"),
        ('{"a": {"b": 1, "b": 2}}', "malformed"),
        ('{"verdict": NaN}', "malformed"),
        ("{'verdict': 'pass'}", "malformed"),
        ('{"verdict": "pass",}', "malformed"),
        ('{"a": ' + "[" * 100_000, "malformed"),
        ('{"a": ' + "9" * 5_000 + "}", "malformed"),
    ],
)
def test_anything_else_is_told_apart_and_is_no_object(text: str, kind: str) -> None:
    found = one_object(text)
    assert isinstance(found, Malformed)
    assert found.kind == kind
    assert "\n" not in found.reason


@given(st.integers(min_value=0, max_value=len(OBJECT) - 1))
def test_an_object_cut_anywhere_is_never_an_object(place: int) -> None:
    assert isinstance(one_object(OBJECT[:place]), Malformed)


@given(st.text(max_size=60))
def test_no_text_at_all_raises(text: str) -> None:
    one_object(text)
    one_object("{" + text)
    one_object("<think>" + text)

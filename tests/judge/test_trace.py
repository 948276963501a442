"""The steps of a run as a judge reads them."""

from __future__ import annotations

import json
from typing import Any

from agent_tui.judge.characters import whole_pairs
from agent_tui.judge.trace import render
from agent_tui.readers import decode_steps


def lines(steps: list[dict[str, Any]], answer: str | None = None) -> list[str]:
    return render(decode_steps(json.dumps({"id": "t1", "actual": {"steps": steps}}).encode()), answer)


def test_a_call_shows_arguments_result_error_and_what_it_found() -> None:
    done = {"type": "call", "name": "look", "args": {"at": "desk"}, "result": {"n": 7}, "error": None}
    failed = {"type": "call", "name": "look", "args": {}, "error": "no such place"}
    found = {"type": "call", "name": "search", "args": '{"q": "shelf"}', "result": "2 hits", "documents": ["a", "b"]}
    assert lines([done, failed, found]) == [
        '1 call look {"at": "desk"}\nresult: {"n": 7}',
        "2 call look {}\nerror: no such place",
        '3 call search {"q": "shelf"}\nresult: 2 hits\ndocuments: a, b',
    ]


def test_groups_and_sub_agents_are_numbered_inside_their_step() -> None:
    group = {"type": "parallel", "steps": [{"type": "call", "name": "a"}, {"type": "call", "name": "b"}]}
    helper = {"type": "agent", "agent": "helper", "steps": [{"type": "message", "role": "user", "content": "go"}]}
    assert lines([group, helper]) == [
        "1 parallel",
        "1.1 call a",
        "1.2 call b",
        "2 agent helper",
        "2.1 message user\ngo",
    ]


def test_a_call_of_a_sub_agent_is_named_by_its_tool() -> None:
    assert lines([{"type": "call", "name": "look", "agent": "helper"}]) == ["1 call look"]


def test_characters_that_json_spells_are_shown_as_themselves() -> None:
    result = {"name": "Zoë \u202e👍", "quoted": 'say "x" \\ \x01', "n": 1.50}
    (line,) = map(whole_pairs, lines([{"type": "result", "name": "look", "result": result}]))
    assert line == '1 result look\nresult: {"name": "Zoë \u202e👍", "quoted": "say \\"x\\" \\\\ \\u0001", "n": 1.5}'


def test_reasoning_is_shown_where_it_was_recorded() -> None:
    assert lines([{"type": "reasoning", "text": "Look first."}]) == ["1 reasoning\nLook first."]


def test_the_answer_does_not_bear_itself_out() -> None:
    said = [{"type": "message", "role": "assistant", "content": text} for text in ("Looking.", "Shelf C")]
    assert lines(said, "Shelf C") == ["1 message assistant\nLooking."]
    assert lines(said, "Shelf D") == ["1 message assistant\nLooking.", "2 message assistant\nShelf C"]


def test_a_user_who_says_the_same_is_kept() -> None:
    steps = [
        {"type": "message", "role": "user", "content": "yes"},
        {"type": "message", "role": "assistant", "content": "yes"},
    ]
    assert lines(steps, "yes") == ["1 message user\nyes"]


def test_events_and_steps_of_unknown_kinds_stay_out() -> None:
    steps = [{"type": "event", "text": "score 1"}, {"type": "score", "text": "1"}, {"type": "call", "name": "a"}]
    assert lines(steps) == ["1 call a"]


def test_a_result_without_its_call_is_shown() -> None:
    assert lines([{"type": "result", "name": "look", "result": "seen"}]) == ["1 result look\nresult: seen"]

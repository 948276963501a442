"""The one JSON object that a model's text is: nothing before it, nothing after it, no member twice."""

from __future__ import annotations

import json
import re
from typing import Any

from msgspec import Struct

CUT_OFF, EMPTY, REFUSAL, MALFORMED = "cut off", "empty", "refusal", "malformed"
_THINK, _THOUGHT = "<think>", "</think>"
_FENCE = re.compile("^```", re.MULTILINE)
_REFUSES = re.compile(
    r"\A\W{0,8}(?:(?:i'?m|i am) (?:sorry|afraid|not able|unable)|sorry\b|i (?:can(?:no|')?t|won't|will not)\b"
    r"|i (?:must )?decline|i (?:do not|don't)\b|unable to|as an ai\b)",
    re.IGNORECASE,
)


class Malformed(Struct, frozen=True):
    """Why a text is no reply; `kind` is a word for counting: malformed, cut off, empty or refusal."""

    reason: str
    kind: str = MALFORMED


def one_object(text: str) -> dict[str, Any] | Malformed:
    """The object that `text` is, after one leading <think> block and inside one code fence at most."""
    body = text.strip()
    if not body:
        return Malformed("the reply is empty", EMPTY)
    if body.startswith(_THINK):
        _, ended, body = body.partition(_THOUGHT)
        if not ended:
            return Malformed("the reply ends inside a think block", CUT_OFF)
    body = body.strip()
    if not body:
        return Malformed("the reply is empty after its think block", EMPTY)
    unfenced = _unfenced(body)
    return unfenced if isinstance(unfenced, Malformed) else _decoded(unfenced)


def _unfenced(body: str) -> str | Malformed:
    if not body.startswith("```"):
        return body
    head, broke, rest = body.partition("\n")
    if head[3:].strip() not in {"", "json"}:
        return Malformed("a code fence that is not JSON")
    if broke and rest.endswith("```"):
        return rest[:-3].strip()
    if _FENCE.search(rest):
        return Malformed("the reply is not one JSON object: something follows its code fence")
    return Malformed("the reply ends inside a code fence", CUT_OFF)


def _decoded(body: str) -> dict[str, Any] | Malformed:
    try:
        value = json.loads(body, object_pairs_hook=_members, parse_constant=_no_constant)
    except _NotStrict as error:
        return Malformed(str(error))
    except json.JSONDecodeError as error:
        return _not_json(body, error)
    except (ValueError, RecursionError):
        return Malformed("the reply holds a number or a depth that nothing can hold")
    return value if isinstance(value, dict) else Malformed("the reply is JSON, but no object")


def _not_json(body: str, error: json.JSONDecodeError) -> Malformed:
    if not body.startswith("{"):
        if "{" not in body and _REFUSES.match(body):
            return Malformed("the reply is a refusal in words", REFUSAL)
        return Malformed("the reply is not one JSON object: it begins with other text")
    if error.msg == "Extra data":
        return Malformed("the reply is not one JSON object: something follows it")
    if error.pos >= len(body) or error.msg.startswith("Unterminated string"):
        return Malformed("the reply ends in the middle of its JSON", CUT_OFF)
    return Malformed(f"the reply is not JSON: {error.msg} at character {error.pos + 1}")


class _NotStrict(ValueError):
    """JSON by some readers, not by us."""


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _NotStrict(f"the reply has {twice[:40]!r} twice in one object")
    return members


def _no_constant(word: str) -> Any:
    raise _NotStrict(f"the reply holds {word}, which is not JSON")

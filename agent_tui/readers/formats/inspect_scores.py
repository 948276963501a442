"""Scores of an Inspect sample as numbers, and its target as a truth where a scorer compares text with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Raw

from agent_tui.readers import loose
from agent_tui.readers.loose import Fields

LETTERS = {"C": 1, "P": 0.5, "I": 0, "N": 0}
_TEXT_SCORERS = frozenset({"includes", "match", "exact", "f1", "pattern", "answer"})


def scores_of_sample(sample: Fields) -> dict[str, Any]:
    """A number for each scorer, or its text where it gave no number; a scorer of several values is `name.value`."""
    found: dict[str, Any] = {}
    for name, score in _recorded(sample):
        for key, value in _values(name, loose.fields(score).get("value", score)):
            found[key] = value
    return found


def _recorded(sample: Fields) -> Iterator[tuple[str, Raw]]:
    yield from loose.fields(sample.get("scores")).items()
    if loose.present(sample.get("score")):
        yield "score", sample["score"]


def _values(name: str, value: Raw) -> Iterator[tuple[str, Any]]:
    if loose.kind(value) == "{":
        for key, inner in loose.fields(value).items():
            yield f"{name}.{key}", _number(inner)
    elif loose.kind(value) == "[":
        for index, inner in enumerate(loose.items(value)):
            yield f"{name}[{index}]", _number(inner)
    else:
        yield name, _number(value)


def _number(value: Raw) -> Any:
    letter = loose.text(value)
    return value if letter is None else LETTERS.get(letter, letter)


def truth_of(sample: Fields, scorers: Iterable[Fields], scores: dict[str, Any]) -> Any:
    """The target as a truth: only where a scorer of the log compares text with it."""
    names = {_bare(loose.text(scorer.get("name")) or "") for scorer in scorers} or {_bare(name) for name in scores}
    if not names & _TEXT_SCORERS:
        return None
    targets = [loose.text(target) for target in loose.items(sample.get("target"))] or [loose.text(sample.get("target"))]
    texts = [target for target in targets if target and target.strip()]
    if not texts:
        return None
    return texts[0] if len(texts) == 1 else {"any": [{"words": text} for text in texts]}


def _bare(name: str) -> str:
    return name.rsplit("/", 1)[-1]


def _aggregates(results: Raw | None) -> Iterator[tuple[str, Fields]]:
    """The aggregated scores of a log by the name that a sample's score has."""
    for item in loose.items(loose.fields(results).get("scores")):
        fields = loose.fields(item)
        name, scorer = loose.text(fields.get("name")), loose.text(fields.get("scorer"))
        if name:
            yield name if scorer in (None, name) else f"{scorer}.{name}", loose.fields(fields.get("metrics"))


def primary_score(results: Raw | None, spec: Fields) -> str | None:
    """The score that the log's headline is about, else the first one, else that of the first scorer planned."""
    headline = loose.text(loose.fields(loose.fields(results).get("headline")).get("score"))
    planned = (loose.text(loose.fields(scorer).get("name")) for scorer in loose.items(spec.get("scorers")))
    return headline or next((name for name, _ in _aggregates(results)), None) or next(planned, None)


def stored_figures(results: Raw | None) -> dict[str, Any] | None:
    """The accuracy (or mean) that the log gives for each score; None where it gives none."""
    figures = {}
    for name, metrics in _aggregates(results):
        value = loose.fields(metrics.get("accuracy", metrics.get("mean"))).get("value")
        if value is not None and loose.kind(value) not in ('"', "n"):
            figures[name] = value
    return figures or None

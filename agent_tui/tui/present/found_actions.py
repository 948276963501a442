"""Which actions may be meant by what is typed, the likeliest first: by the footer's word, other words, the sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from agent_tui.tui.actions import Action, shown_keys

_WHOLE, _WORD, _OTHER_WORD, _BEGINNING, _SAID, _SAID_BEGINNING, _INSIDE = range(7)
"""How well an action fits, best first."""


def found_actions(actions: Iterable[Action], typed: str, keys: Mapping[str, str]) -> list[Action]:
    """The actions that have every typed word, those that fit best first; `keys` are remapped keys by action id."""
    text = " ".join(typed.lower().split())
    if not text:
        return list(actions)
    fits = [(_fit(action, text, keys), action) for action in actions]
    kept = [(fit, action) for fit, action in fits if fit is not None]
    return [action for _, action in sorted(kept, key=lambda pair: (pair[0], pair[1].comes_next))]


def _fit(action: Action, text: str, keys: Mapping[str, str]) -> int | None:
    """How well an action fits all that is typed: as well as the word that fits it least. None: it does not."""
    if text in (action.label.lower(), action.id, action.sentence.lower()):
        return _WHOLE
    fits = [_fit_of_any(action, _forms(word), keys) for word in text.split()]
    return None if None in fits else max((fit for fit in fits if fit is not None), default=_WHOLE)


def _forms(word: str) -> tuple[str, ...]:
    """A word, and without the ending that a sentence gave it: `filters`, `searches`."""
    return (word, word.removesuffix("s"), word.removesuffix("es")) if len(word) > 3 else (word,)


def _fit_of_any(action: Action, forms: Iterable[str], keys: Mapping[str, str]) -> int | None:
    return next((fit for fit in (_fit_of_word(action, form, keys) for form in forms) if fit is not None), None)


def _fit_of_word(action: Action, word: str, keys: Mapping[str, str]) -> int | None:
    label, others = action.label.lower().split(), action.also.split()
    said = [*action.id.split("."), *_words(action.sentence.lower())]
    tries = (
        (_WORD, word in label),
        (_OTHER_WORD, word in others),
        (_BEGINNING, _begins(word, label)),
        (_SAID, word in said),
        (_SAID_BEGINNING, _begins(word, (*said, *others))),
        (_INSIDE, word in action.sentence.lower() or word in shown_keys(keys.get(action.id, action.keys)).lower()),
    )
    return next((fit for fit, does_fit in tries if does_fit), None)


def _begins(word: str, words: Iterable[str]) -> bool:
    return any(each.startswith(word) for each in words)


def _words(sentence: str) -> Sequence[str]:
    return [word.strip(".,:;?()") for word in sentence.split()]

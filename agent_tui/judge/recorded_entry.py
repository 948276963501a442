"""One entry of a bundle's `verdicts`, read without guessing: what is no verdict stays none."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Raw, Struct

from agent_tui.errors import Problem
from agent_tui.judge.label_file import FAIL, PASS, WORDS, Word
from agent_tui.judge.reply import parse_recorded_raw
from agent_tui.judge.strict_json import MALFORMED, Malformed
from agent_tui.readers import loose

NO_VERDICT, CONTRADICTION = "no verdict", "contradiction"
DISAGREES = "verdict and score disagree"
READ_AS_FALSE = 'the text "false" is read as false'


class Spoken(Struct, frozen=True, gc=False):
    """A verdict with its reason; None, and in a word and a sentence why there is none."""

    verdict: Word | None
    why: str
    kind: str = ""
    """cut off, empty, refusal, malformed, contradiction, changed or no verdict."""


class Entry(Struct, frozen=True, gc=False):
    """What a judge said of a run, and which judge, as far as the entry says it."""

    name: str
    said: Spoken
    judge: str = ""
    fingerprint: str = ""
    flags: tuple[str, ...] = ()

    @property
    def is_signed(self) -> bool:
        """Whether it says which judge it is of."""
        return bool(self.judge or self.fingerprint)


def read_entry(entry: Raw, threshold: float, file: str, path: str) -> Iterator[Entry | Problem]:
    """The entry, and a problem for each part of it that cannot be used."""
    if loose.kind(entry) != "{":
        yield _problem(file, path, "is not an object: not used")
        return
    fields = loose.fields(entry)
    name = loose.name(fields.get("task"))
    if name is None:
        yield _problem(file, f"{path}.task", "is no run's name: the verdict is not used")
        return
    yield from _misspelt(fields, file, path)
    said, flags = _said(fields)
    score = loose.number(fields.get("score"))
    if score is not None and said.verdict in (PASS, FAIL) and (score >= threshold) != (said.verdict == PASS):
        flags = (*flags, DISAGREES)
    judge, fingerprint = loose.name(fields.get("judge")) or "", loose.name(fields.get("fingerprint")) or ""
    yield Entry(name, said, judge, fingerprint, flags)


def _said(fields: loose.Fields) -> tuple[Spoken, tuple[str, ...]]:
    """The verdict by word, else by `pass`, else by the reply; a score never makes one."""
    why = loose.text(fields.get("why")) or ""
    word, passed = _word(fields.get("verdict")), _passed(fields.get("pass"))
    if word is None and loose.present(fields.get("verdict")):
        return Spoken(None, f"the verdict is none of {', '.join(WORDS)}", MALFORMED), ()
    if word and passed and word != passed:
        return Spoken(None, "verdict and pass say different things", CONTRADICTION), ()
    if word or passed:
        return Spoken(word or passed, why), (READ_AS_FALSE,) if loose.text(fields.get("pass")) == "false" else ()
    reply = loose.text(fields.get("raw"))
    if reply is not None and not loose.present(fields.get("pass")):
        return _replied(reply), ()
    return Spoken(None, why or "neither verdict nor pass is recorded", NO_VERDICT), ()


def _replied(text: str) -> Spoken:
    reply = parse_recorded_raw(text)
    if isinstance(reply, Malformed):
        return Spoken(None, reply.reason, reply.kind)
    return Spoken(next(word for word in WORDS if word == reply.verdict), reply.why)


def _word(verdict: Raw | None) -> Word | None:
    return next((word for word in WORDS if word == loose.text(verdict)), None)


def _passed(value: Raw | None) -> Word | None:
    """true and false; the text "false" too, and no other text: a text that is not empty is no yes."""
    said = b"" if value is None else bytes(value)
    return PASS if said == b"true" else FAIL if said in (b"false", b'"false"') else None


def _misspelt(fields: loose.Fields, file: str, path: str) -> Iterator[Problem]:
    """What is there and not of its type. It tells no verdict: nobody may have validated the judge."""
    if loose.present(fields.get("verdict")) and _word(fields["verdict"]) is None:
        yield _problem(file, f"{path}.verdict", f"is none of {', '.join(WORDS)}: no verdict")
    if loose.present(fields.get("pass")) and bytes(fields["pass"]) not in (b"true", b"false"):
        reason = 'is neither true nor false: the text "false" is read as false, anything else is no verdict'
        yield _problem(file, f"{path}.pass", reason)
    if loose.present(fields.get("raw")) and loose.text(fields["raw"]) is None:
        yield _problem(file, f"{path}.raw", "is no text: no verdict")
    if loose.present(fields.get("score")) and loose.number(fields["score"]) is None:
        yield _problem(file, f"{path}.score", "is no number: not held against the verdict", "warning")


def _problem(file: str, path: str, reason: str, kind: str = "bundle") -> Problem:
    return Problem(file, reason, path=path, kind=kind)

"""Which judge recorded verdicts are of: as the verdicts say, else as the bundle says."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Raw, Struct

from agent_tui.bundles import Source
from agent_tui.errors import Problem
from agent_tui.judge.digests import digest_of
from agent_tui.judge.recorded_entry import Entry
from agent_tui.readers import loose
from agent_tui.runs import parse
from agent_tui.runs.paths import spell_path

CURRENT, OTHER, UNKNOWN = "current", "other judge", "unknown judge"
KEY = "judge"
THRESHOLD = 0.5


class Who(Struct, frozen=True):
    """A judge, by what is known of it: verdicts of two of them are never counted together."""

    judge: str = ""
    fingerprint: str = ""
    """Judge model, rubric, prompt and settings, in a word of the bundle's."""
    settings: str = ""
    """Digest of what the bundle says of its judge, where it gives no fingerprint."""

    @property
    def name(self) -> str:
        """For people: `judge-a (b3-71)`."""
        known = self.judge or self.fingerprint
        if not known:
            return UNKNOWN
        return f"{self.judge} ({self.fingerprint})" if self.judge and self.fingerprint else known


class SourceJudge(Struct, frozen=True):
    """What a source says of its judge. `who` is None where it says nothing."""

    who: Who | None = None
    rubric: str = ""
    threshold: float = THRESHOLD
    """From this score on a verdict would be expected to be pass."""
    problems: tuple[Problem, ...] = ()


class Signed(Struct, frozen=True, gc=False):
    """An entry with its judge, and whether that is the current one, another or unknown."""

    entry: Entry
    who: Who
    standing: str


def judge_of(source: Source) -> SourceJudge:
    """The judge of a source."""
    text = source.fields.get(KEY)
    if text is None or not loose.present(text):
        return SourceJudge()
    if loose.kind(text) != "{":
        return SourceJudge(
            problems=(Problem(source.file, "is not an object: not used", path="$.judge", kind="bundle"),)
        )
    fields = loose.fields(text)
    name = next((word for key in ("id", "model", "name") if (word := loose.name(fields.get(key)))), "")
    fingerprint = loose.name(fields.get("fingerprint")) or ""
    threshold = loose.number(fields.get("threshold"))
    is_odd = threshold is None and loose.present(fields.get("threshold"))
    return SourceJudge(
        Who(name, fingerprint, "" if fingerprint else _settings(text)),
        loose.text(fields.get("rubric")) or "",
        THRESHOLD if threshold is None else threshold,
        (_problem(source, f"is no number: {THRESHOLD} is taken", "threshold"),) if is_odd else (),
    )


def attributed(entries: Iterable[Entry], judge: SourceJudge) -> list[Signed]:
    """Each entry with its judge.

    Where no verdict of a source says which judge it is of, all are of the source's judge; else those that do not say
    are of nobody known.
    """
    listed = list(entries)
    unsigned = Who() if judge.who is None or any(entry.is_signed for entry in listed) else judge.who
    return [Signed(entry, *_who(entry, judge.who, unsigned)) for entry in listed]


def _who(entry: Entry, current: Who | None, unsigned: Who) -> tuple[Who, str]:
    if not entry.is_signed:
        return unsigned, UNKNOWN if unsigned == Who() else CURRENT
    signed = Who(entry.judge, entry.fingerprint)
    if current is None or not _is_same(signed, current):
        return signed, OTHER
    return (signed if signed.fingerprint and not current.fingerprint else current), CURRENT


def _is_same(signed: Who, current: Who) -> bool:
    """Whether a verdict is signed by the current judge: with its fingerprint where it has one, and by its name."""
    if current.fingerprint:
        return signed.fingerprint == current.fingerprint and signed.judge in ("", current.judge)
    return signed.judge == current.judge


def _settings(text: Raw) -> str:
    try:
        return digest_of(parse(text))[:12]
    except ValueError:
        return ""


def _problem(source: Source, reason: str, *keys: str) -> Problem:
    return Problem(source.file, reason, path=f"$.{spell_path((KEY, *keys))}", kind="bundle")

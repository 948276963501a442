"""The checks that are made of others: `all`, `any`, `not`, `one_of`. They know three values."""

from __future__ import annotations

from msgspec import Struct

from agent_tui.answers.outcome import Check, correct, unscoreable, wrong
from agent_tui.answers.verdict import AnswerVerdict

_UNSURE = ("check_error", "unscoreable")


class All(Struct, frozen=True):
    """Every part holds. One that fails decides; else one that cannot tell leaves it untold."""

    parts: tuple[Check, ...]
    name: str = "all"
    takes_blank: bool = False

    def verdict(self, answer: str) -> AnswerVerdict:
        """The verdict of the part that decides."""
        verdicts: list[AnswerVerdict] = []
        for part in self.parts:
            verdict = part.verdict(answer)
            if verdict.state == "wrong":
                return AnswerVerdict("wrong", self.name, _told(verdict), verdict.flags)
            verdicts.append(verdict)
        unsure = _first_unsure(verdicts)
        if unsure is not None:
            return AnswerVerdict(unsure.state, self.name, _told(unsure), unsure.flags)
        return correct(self.name, "; ".join(_told(verdict) for verdict in verdicts[:4]))


class AnyOf(Struct, frozen=True):
    """Some part holds. One that does decides; else one that cannot tell leaves it untold."""

    parts: tuple[Check, ...]
    name: str = "any"
    takes_blank: bool = False

    def verdict(self, answer: str) -> AnswerVerdict:
        """The verdict of the part that decides."""
        verdicts: list[AnswerVerdict] = []
        for part in self.parts:
            verdict = part.verdict(answer)
            if verdict.state == "correct":
                broken = ("broken_part",) if _first_unsure(verdicts) else ()
                return AnswerVerdict("correct", self.name, _told(verdict), broken)
            verdicts.append(verdict)
        unsure = _first_unsure(verdicts)
        if unsure is not None:
            return AnswerVerdict(unsure.state, self.name, _told(unsure), unsure.flags)
        flags = tuple(dict.fromkeys(flag for verdict in verdicts for flag in verdict.flags))
        return wrong(self.name, f"none of {len(verdicts)}: {'; '.join(map(_told, verdicts[:4]))}", flags)


class Not(Struct, frozen=True):
    """The part does not hold; what it cannot tell stays untold."""

    part: Check
    name: str = "not"
    takes_blank: bool = False

    def verdict(self, answer: str) -> AnswerVerdict:
        """The opposite verdict."""
        verdict = self.part.verdict(answer)
        if verdict.state == "correct":
            return wrong(self.name, f"it should not hold that {_told(verdict)}")
        if verdict.state == "wrong":
            return correct(self.name, f"as wanted, {_told(verdict)}")
        return AnswerVerdict(verdict.state, self.name, _told(verdict), verdict.flags)


class Nothing(Struct, frozen=True):
    """An empty truth: nothing is known to judge by."""

    name: str
    why: str
    takes_blank: bool = True

    def verdict(self, answer: str) -> AnswerVerdict:
        """Unscoreable, whatever the answer."""
        return unscoreable(self.name, self.why)


class Broken(Struct, frozen=True):
    """A check that means nothing; it says why."""

    name: str
    why: str
    takes_blank: bool = True

    def verdict(self, answer: str) -> AnswerVerdict:
        """A check error, whatever the answer."""
        return AnswerVerdict("check_error", self.name, self.why)


def _first_unsure(verdicts: list[AnswerVerdict]) -> AnswerVerdict | None:
    """The one that cannot tell: a broken check before an empty one."""
    by_state = {verdict.state: verdict for verdict in reversed(verdicts)}
    return next((by_state[state] for state in _UNSURE if state in by_state), None)


def _told(verdict: AnswerVerdict) -> str:
    return f"{verdict.check}: {verdict.why}"

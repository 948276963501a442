"""What opens verdicts on runs that nobody labelled: a certificate, or a recorded override; both rest on a validation.

There is no other way: unlabelled verdicts are only made as `Sealed`, and only a permit of the same judge opens them.
"""

from __future__ import annotations

from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from agent_tui.errors import NotPermitted
from agent_tui.judge.gate import ACCEPTED, OVERRIDABLE
from agent_tui.judge.validation import Validation

_What = TypeVar("_What")


class Certificate(Struct, frozen=True):
    """A validation that met every bound. Raises `NotPermitted` for any other."""

    validation: Validation

    def __post_init__(self) -> None:
        if self.validation.gate.state != ACCEPTED:
            raise NotPermitted(f"no certificate: the judge is {self.validation.gate.state}")

    @property
    def key(self) -> str:
        """Which judge, rubric and label set it is for."""
        return self.validation.key

    @property
    def is_validated(self) -> bool:
        """Whether the verdicts may count in a headline."""
        return True


class Override(Struct, frozen=True):
    """A person's decision to see verdicts of a judge that did not meet the bounds, with the reason.

    Raises `NotPermitted` without a reason, and where nothing can be overridden: no labels, or too many errors.
    """

    validation: Validation
    reason: str
    at: str | None
    """UTC time, from the ledger; None where the ledger cannot be written, as one that is replayed."""

    def __post_init__(self) -> None:
        if not self.reason.strip():
            raise NotPermitted("showing verdicts of a judge that is not validated needs a reason")
        gate = self.validation.gate
        if gate.state not in OVERRIDABLE or not gate.may_be_overridden:
            raise NotPermitted(f"verdicts stay locked: {'; '.join(gate.reasons) or gate.state}")

    @property
    def key(self) -> str:
        """Which judge, rubric and label set it is for."""
        return self.validation.key

    @property
    def is_validated(self) -> bool:
        """Never: such verdicts are marked, and in no headline."""
        return False


Permit: TypeAlias = Certificate | Override


class Sealed(Generic[_What]):
    """Something about unlabelled runs that only a permit of the same judge opens."""

    __slots__ = ("__content", "key")

    def __init__(self, key: str, content: _What) -> None:
        self.key = key
        self.__content = content

    def open(self, permit: Permit) -> _What:
        """The content. Raises `NotPermitted` for a permit of another judge, rubric or label set, or for none."""
        require_permit(permit, self.key)
        return self.__content


def require_permit(permit: Permit, key: str) -> None:
    """Raise `NotPermitted` where `permit` is none, or is for another judge, rubric or label set."""
    if not isinstance(permit, Certificate | Override):
        raise NotPermitted("verdicts on unlabelled runs need a certificate or a recorded override")
    if permit.key != key:
        raise NotPermitted("the permit is for another judge, rubric or set of labels: validate again")

"""What the lines of a ledger come to: what has ended and where that is written, what is open, what it cost."""

from __future__ import annotations

from msgspec import Struct, field

from agent_tui.providers.contract import Identity
from agent_tui.providers.ledger_rows import (
    AnyRow,
    BatchEvent,
    BatchIntent,
    Error,
    Intent,
    Note,
    Opened,
    Place,
    Result,
    Unknown,
)

_NANO = 1_000_000_000
"""Money is added up in whole thousand-millionths of a dollar, so that no order of the lines changes a total."""


class Spent(Struct, frozen=True):
    """What a ledger's calls cost."""

    usd: float
    """Known to be billed (USD)."""
    uncertain_usd: float
    """What the calls whose cost is not known may have cost beside it, at most (USD)."""
    unpriced: int
    """Calls for which not even that is known (a count)."""

    @property
    def at_most(self) -> float:
        """All of it, at the worst (USD)."""
        return self.usd + self.uncertain_usd


class OpenBatch(Struct, frozen=True):
    """A batch of which something is still to come."""

    chunk: str
    id: str
    """Empty where the program ended before the service's answer came."""
    at: str
    keys: tuple[str, ...]
    """Its asks that have not ended."""


class Ask(Struct):
    """All that was tried for one key."""

    judge: str = ""
    attempts: int = 0
    is_open: bool = False
    chunk: str | None = None
    """The batch that it waits in."""
    worst: int | None = None
    """Of the open call (thousand-millionths of a dollar)."""
    ended: Place | None = None
    """The line of the last call that ended."""


class _Batch(Struct):
    at: str
    keys: tuple[str, ...]
    id: str = ""


class Index(Struct, eq=False):
    """The fold over a ledger's rows."""

    asks: dict[str, Ask] = field(default_factory=dict)
    judges: dict[str, Identity] = field(default_factory=dict)
    """By the name that lines use, in the order in which they came."""
    judge: str = ""
    """Who was asked last."""
    notes: list[Note] = field(default_factory=list)
    open: set[str] = field(default_factory=set)
    """Keys of calls that have no end, those in batches left out."""
    calls: int = 0
    damaged: int = 0
    """Lines that cannot be read (a count)."""
    last: str | None = None
    """UTC time of the last row."""
    batch_ids: set[str] = field(default_factory=set)
    """Those that the service ever gave."""
    _batches: dict[str, _Batch] = field(default_factory=dict)
    _known: int = 0
    _uncertain: int = 0
    _unpriced: int = 0

    @property
    def spent(self) -> Spent:
        """What all calls cost."""
        return Spent(self._known / _NANO, self._uncertain / _NANO, self._unpriced)

    @property
    def batches(self) -> tuple[OpenBatch, ...]:
        """The batches of which something is still to come, oldest first."""
        found = []
        for chunk, batch in self._batches.items():
            keys = tuple(key for key in batch.keys if self.asks[key].chunk == chunk)
            if keys:
                found.append(OpenBatch(chunk, batch.id, batch.at, keys))
        return tuple(found)

    def take(self, row: AnyRow | None, place: Place) -> None:
        """Go on by one line."""
        if row is None:
            self.damaged += 1
            return
        self.last = row.at
        if isinstance(row, Opened):
            self.judges[row.judge] = row.identity
            self.judge = row.judge
        elif isinstance(row, Intent):
            self._begin(row.key, row.judge, row.worst_usd, None)
        elif isinstance(row, Result | Error | Unknown):
            self._end(row, place)
        elif isinstance(row, BatchIntent):
            self._batches[row.chunk] = _Batch(row.at, row.keys)
            for key in row.keys:
                self._begin(key, row.judge, row.worst_usd, row.chunk)
        elif isinstance(row, BatchEvent):
            self._batch_went_on(row)
        else:
            self.notes.append(row)

    def _begin(self, key: str, judge: str, worst_usd: float | None, chunk: str | None) -> None:
        """A call begins. One for the same key that never ended stays in the uncertain sum."""
        ask = self.asks.setdefault(key, Ask())
        ask.judge = self.judge = judge
        ask.attempts += 1
        ask.is_open, ask.chunk, ask.worst = True, chunk, _nano(worst_usd)
        self.calls += 1
        self._uncertain += ask.worst or 0
        self._unpriced += ask.worst is None
        (self.open.discard if chunk else self.open.add)(key)

    def _end(self, row: Result | Error | Unknown, place: Place) -> None:
        """A call ends. What has ended already stays as it was; an end whose beginning was damaged counts."""
        ask = self.asks.setdefault(row.key, Ask(judge=self.judge))
        if not ask.is_open and ask.ended:
            return
        usd = _nano(row.usd)
        if usd is not None:
            self._known += usd
            self._uncertain -= ask.worst or 0
            self._unpriced -= ask.is_open and ask.worst is None
        ask.attempts = max(ask.attempts, row.attempt)
        ask.is_open, ask.chunk, ask.ended = False, None, place
        self.open.discard(row.key)

    def _batch_went_on(self, row: BatchEvent) -> None:
        batch = self._batches.get(row.chunk)
        if batch is None:
            return
        batch.id = row.id or batch.id
        self.batch_ids.add(batch.id)
        if row.given_up:
            for key in batch.keys:
                if self.asks[key].chunk == row.chunk:
                    self.asks[key].chunk = None
                    self.open.add(key)


def _nano(usd: float | None) -> int | None:
    return None if usd is None else round(usd * _NANO)

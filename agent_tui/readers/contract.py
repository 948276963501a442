"""What a format promises.

    class Format(Protocol):
        name = "otlp"                                  the word of the command line
        title = "OpenTelemetry, GenAI spans"           one line for people
        examples = "spans.jsonl, collector files"      the files people have
        def claims(self, head): ...                    told from content, never from the file's name
        def read(self, source): ...                    headers, records, problems, in file order

A format is one module in `formats/`, which holds it as FORMAT, and one name in its tuple. `read` never raises for bad
data: what it cannot read
it yields as a `Problem`, with file and line, and goes on; so does what it leaves out because another value stands under
the same key (`repeated_keys`). It may raise `Unreadable`, which ends this source only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from agent_tui.errors import Problem
from agent_tui.readers.head import Head
from agent_tui.readers.items import Header, Record
from agent_tui.readers.source import Source

Found = Header | Record | Problem


class Format(Protocol):
    """Somebody's file format."""

    name: str
    title: str
    examples: str

    def claims(self, head: Head) -> bool:
        """Whether this looks like the format."""
        ...

    def read(self, source: Source) -> Iterator[Found]:
        """The runs of one source as agent-tui/1 records."""
        ...

    def companions(self, source: Source) -> Iterable[Path]:
        """Other files that `read` reads along with this one, not to be opened again."""
        ...

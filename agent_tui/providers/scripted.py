"""A judge that is no model: a table of verdicts, and flaws that are known, for tests and workshops.

    name = "lenient"
    base = {"<digest of the material>" = "pass"}          # whatever is not in it is undetermined
    flaws = [{when = "longer_than:400", say = "pass"}]    # the first flaw that applies decides; see `scripted_flaws`

It reads the request and nothing else, and its reply is parsed like any other.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from agent_tui.errors import NotPossible, UnknownName
from agent_tui.places import samples_folder
from agent_tui.providers.contract import LABELS, Failure, Identity, Limits, Outcome, Reply, Request, Usage
from agent_tui.providers.scripted_flaws import Flaw, Read, read_request

_QUOTED = 80
"""The longest quotation (characters)."""


class Script(Struct, frozen=True, forbid_unknown_fields=True):
    """A scripted judge's file."""

    name: str
    base: Mapping[str, str] = {}
    flaws: tuple[Flaw, ...] = ()


class Scripted:
    """A scripted judge, ready to be asked."""

    host = "this machine"
    family: str | None = None
    concurrency = 4
    needs_consent = False
    notices: Sequence[str] = ()

    def __init__(self, script: Script) -> None:
        self._script = script
        self.name = f"scripted: {script.name} (no model)"

    @classmethod
    def load(cls, path: Path) -> Scripted:
        """The judge of a file. Raises `NotPossible` where it is none."""
        try:
            return cls(_checked(msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Script)))
        except OSError as error:
            raise NotPossible(f"the scripted judge cannot be read: {path}: {error.strerror}") from error
        except (UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError, ValueError) as error:
            raise NotPossible(f"{path}: not a scripted judge: {error}") from error

    @classmethod
    def named(cls, name: str) -> Scripted:
        """A judge that ships with the program."""
        known = {path.stem: path for path in (samples_folder() / "judges").glob("*.toml")}
        if name not in known:
            raise UnknownName("scripted judge", name, known)
        return cls.load(known[name])

    async def probe(self) -> Identity | Failure:
        """Its name, and the digest of all that it goes by."""
        digest = hashlib.sha256(msgspec.json.encode(self._script, order="deterministic")).hexdigest()
        return Identity(provider="scripted", endpoint=digest[:16], model=self._script.name, rung="scripted")

    async def ask(self, request: Request, limits: Limits) -> Outcome:
        """What the script says of a request."""
        read = read_request(request)
        if read is None:
            return Failure(kind="bad_request", reason="the request holds no material")
        return Reply(text=_reply(request, read, self._verdict(request, read)), model=request.model, usage=_NO_TOKENS)

    async def count_tokens(self, request: Request) -> int | None:
        """None are needed."""
        return 0

    async def close(self) -> None:
        """Nothing is held."""

    def _verdict(self, request: Request, read: Read) -> str:
        said = (flaw.says(request, read) for flaw in self._script.flaws)
        return next(filter(None, said), None) or self._script.base.get(request.digest, "undetermined")


_NO_TOKENS = Usage(input_tokens=0, output_tokens=0)


def _reply(request: Request, read: Read, verdict: str) -> str:
    """A reply in good order: the nonce echoed, a quotation out of the answer for each criterion, the verdict last."""
    met = {"pass": "yes", "fail": "no"}.get(verdict, "unclear")
    quote = _quotation(read.answer)
    evidence = [
        {"criterion": criterion, "met": met, "quote": quote, "source": "answer"} for criterion in _criteria(request)
    ]
    reply = {
        "item": request.item,
        "evidence": evidence,
        "instructions_seen": False,
        "reason": f"The script says {verdict}.",
        "verdict": verdict,
    }
    return json.dumps(reply)


def _quotation(answer: str) -> str:
    """The first line of an answer that says something, or its beginning."""
    lines = (line.strip() for line in answer.splitlines())
    return next(filter(None, lines), "")[:_QUOTED].strip()


class _Criterion(Struct):
    enum: tuple[str, ...] = ()


class _EvidenceFields(Struct):
    criterion: _Criterion


class _EvidenceItem(Struct):
    properties: _EvidenceFields


class _Evidence(Struct):
    items: _EvidenceItem


class _ReplyFields(Struct):
    evidence: _Evidence


class _ReplySchema(Struct):
    properties: _ReplyFields


def _criteria(request: Request) -> Iterable[str]:
    """The criteria that the schema of the reply offers; none where it is another one."""
    try:
        fields = msgspec.json.decode(request.schema, type=_ReplySchema).properties
    except msgspec.DecodeError:
        return ()
    return fields.evidence.items.properties.criterion.enum


def _checked(script: Script) -> Script:
    """The script. Raises `ValueError` where it says what is no verdict."""
    for place, verdict in script.base.items():
        if verdict not in LABELS:
            raise ValueError(f"{verdict!r} @ $.base.{place} is no verdict: there are {', '.join(LABELS)}")
    return script

"""A what-if as a file: `*.whatif.json`, the digest of its bundle and a list of edits, applied again with `--patch`.

    {"schema": "agent-tui/whatif-1", "bundle": "<digest>",
     "edits": [{"run": "R2", "path": "expected.calls[1].args.amount", "from": 140, "to": 1400},
               {"run": "R1", "op": "move", "path": "actual.calls[0]", "by": 1, "from": {"name": …}, "to": {…}}]}

`op` is insert, remove or move; without it a value is set. `from` is what must stand there (null: nothing or null).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Raw, Struct

from agent_tui.bundles.bundle import Bundle
from agent_tui.bundles.ledger import Change, Made
from agent_tui.bundles.what_if import WhatIf, path_of
from agent_tui.errors import AgentTuiError, BadEdit, BadPatch, NotPossible, UnknownName
from agent_tui.runs import canonical, surrogates
from agent_tui.runs.edits import Edit, Insert, Move, Remove, SetValue, apply, value_at
from agent_tui.runs.json_spans import in_one_line
from agent_tui.runs.paths import spell_path

SCHEMA = "agent-tui/whatif-1"
SUFFIX = ".whatif.json"
_NULL = Raw(b"null")


class Written(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """An edit as it is written."""

    run: str
    path: str
    op: str = "set"
    by: int = 0
    from_: Raw = _NULL
    to: Raw = _NULL


class Patch(Struct, frozen=True, forbid_unknown_fields=True):
    """A patch as it is written."""

    schema: str
    bundle: str
    edits: tuple[Written, ...]


_decode = msgspec.json.Decoder(Patch).decode


def written(bundle: Bundle, made: Made) -> Written:
    """An edit that was made, as it is written. Its run has its name of now: another run may have come with its id."""
    edit, done = made.done.edit, made.done
    op = "set" if isinstance(edit, SetValue) else type(edit).__name__.lower()
    by = edit.by if isinstance(edit, Move) else 0
    return Written(
        bundle.names.name(made.row), spell_path(edit.path), op, by, _strict(done.before), _strict(done.after)
    )


def edit_of(written: Written) -> Edit:
    """The edit that was written. Raises `BadEdit`."""
    path = path_of(written.path)
    value = bytes(written.to)
    if written.op == "move":
        return Move(path, written.by)
    kinds: dict[str, Edit] = {"set": SetValue(path, value), "insert": Insert(path, value), "remove": Remove(path)}
    if written.op not in kinds:
        raise BadEdit(f"unknown op {written.op!r}: there are insert, move, remove, and set")
    return kinds[written.op]


def patch_text(what_if: WhatIf) -> bytes:
    """The changes that are shown, as the text of a patch file. Raises `NotPossible` where the digest is not known."""
    if not what_if.bundle.digest:
        raise NotPossible(
            "a patch says of which bytes it is, and they are still coming: once the file rests it can be written"
        )
    lines = [_line(written(what_if.bundle, made)) for change in what_if.ledger.shown for made in change.edits]
    head = f'{{"schema": "{SCHEMA}", "bundle": "{what_if.bundle.digest}",\n "edits": [\n'.encode()
    return head + b",\n".join(lines) + b"\n]}\n"


def write_patch(what_if: WhatIf, path: Path, *, replace: bool = False) -> None:
    """Write the changes that are shown; whole or not at all. Raises `NotPossible`."""
    from agent_tui.bundles.write import replace_file  # here, since a screen reads patches first of all

    replace_file(what_if.bundle, path, [patch_text(what_if)], replace=replace)


def read_patch(path: Path) -> Patch:
    """The patch in a file. Raises `BadPatch`."""
    try:
        patch = surrogates.decode(_decode, path.read_bytes())
    except OSError as error:
        raise BadPatch(f"{path}: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadPatch(f"{path}: not a patch: {error}") from error
    if patch.schema != SCHEMA:
        raise BadPatch(f"{path}: its schema is {patch.schema!r}, a patch has {SCHEMA!r}")
    return patch


def apply_patch(what_if: WhatIf, patch: Patch) -> Change | None:
    """Make the edits of a patch as one change, all or none; None where it has none. Raises `BadPatch`."""
    digest = what_if.bundle.digest
    if patch.bundle != digest:
        raise BadPatch(f"it is for another bundle: made for {patch.bundle or 'none'}, opened is {digest}")
    edits = list(checked(what_if.bundle, patch.edits))
    try:
        return what_if.change_all(edits) if edits else None
    except BadEdit as error:
        raise BadPatch(str(error)) from error


def checked(bundle: Bundle, edits: Sequence[Written]) -> Iterator[tuple[int, Edit]]:
    """The edits with their rows. Raises `BadPatch` where a run is not there or another value stands at the path."""
    drafts: dict[int, bytes] = {}
    rows: dict[str, int] = {}
    for number, each in enumerate(edits, 1):
        where = f"edit {number}, {each.run} {each.path}"
        try:
            row = rows[each.run] = rows[each.run] if each.run in rows else _row(bundle, each.run)
            edit, draft = edit_of(each), drafts.get(row, bundle.record(row))
            stands = None if each.op == "insert" else value_at(draft, edit.path)
            if canonical(_strict(stands)) != canonical(each.from_):
                raise BadPatch(f"{where}: from is {_shown(bytes(each.from_))}, but there stands {_shown(stands)}")
            drafts[row], _ = apply(draft, edit)
        except BadPatch:
            raise
        except AgentTuiError as error:
            raise BadPatch(f"{where}: {error}") from error
        yield row, edit


def _row(bundle: Bundle, run: str) -> int:
    """The row of a run by its whole name."""
    row = bundle.names.find(run)
    if bundle.names.name(row) != run:
        raise UnknownName("run", run, (bundle.names.name(each) for each in range(len(bundle))))
    return row


def _shown(text: bytes | None) -> str:
    return "nothing" if text is None else bytes(text)[:80].decode("utf-8", "replace")


def _strict(text: bytes | None) -> Raw:
    """A value as JSON in one line: nothing is null, and what is no JSON (NaN) a text."""
    if text is None:
        return _NULL
    try:
        surrogates.validate(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Raw(surrogates.encode(text.decode("utf-8", "replace")))
    return Raw(in_one_line(text))


def _line(edit: Written) -> bytes:
    keys = [("run", edit.run), ("op", edit.op), ("path", edit.path), ("by", edit.by)]
    parts = [
        (key, surrogates.encode(value)) for key, value in keys if value not in ("set", 0) or key in ("run", "path")
    ]
    parts += [("from", bytes(edit.from_)), ("to", bytes(edit.to))]
    return b"  {" + b", ".join(b'"%b": %b' % (key.encode(), text) for key, text in parts) + b"}"

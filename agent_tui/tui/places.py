"""Where a bundle is looked at from: as was asked for, as it was left the last time, and what is kept for the next."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from agent_tui.bundles.query import counts_errors
from agent_tui.errors import AgentTuiError
from agent_tui.readers.streams import is_stream
from agent_tui.tui.present.header import place_words
from agent_tui.tui.present.words import safe
from agent_tui.tui.settings import Place, write_settings

if TYPE_CHECKING:
    from agent_tui.tui.app import AgentTui

_KEPT = 50
"""Bundles whose place is remembered."""
_CHOSEN = ("measure", "filter", "sort", "descending")
"""What of a place can be chosen while a bundle is read."""


class Places:
    """Looks at the bundle of an app from a place; knows where it was left, and remembers where it is."""

    def __init__(self, app: AgentTui, wanted: Place, *, resume: bool = False) -> None:
        self._app = app
        self.wanted = wanted
        """From where the bundle is to be looked at, once it is read."""
        self.offered = self.left()
        """Where the bundle was left the last time, as long as nobody went back there."""
        if resume and self.offered is not None:
            self.wanted, self.offered = self.offered, None
        self._began = self.wanted
        """How the first runs were looked at before anybody chose otherwise."""

    def start_over(self) -> None:
        """Another bundle is opened."""
        self.wanted, self.offered = Place(), self.left()

    # Where somebody is

    def here(self) -> Place:
        """Where the user is, to come back to."""
        row = self._app.main.row
        return self.at("" if row is None else self._app.bundle.names.name(row))

    def at(self, run: str) -> Place:
        """How the bundle is looked at, to come back to a run."""
        session = self._app.main.session
        return Place(
            run=run,
            measure=session.measure,
            filter=session.filter_text,
            sort=session.sort_field,
            descending=session.descending,
        )

    def begin(self) -> None:
        """The first runs are there: what is chosen from now on holds once all is read."""
        self._began = self.at("")

    def to_look_from(self) -> Place:
        """From where to look once all is read: as was asked for, but for what somebody chose while it was read."""
        now, began = self.at(""), self._began
        chosen = {name: getattr(now, name) for name in _CHOSEN if getattr(now, name) != getattr(began, name)}
        return replace(self.wanted, **chosen)

    # Going to one

    def look_from(self, place: Place) -> str:
        """Look at the bundle as from a place, as far as it is still there; says what of it is not, and gives that."""
        main, session, bundle = self._app.main, self._app.main.session, self._app.bundle
        if (counts_errors(place.filter) or place.sort == "errors") and main.counting.is_needed():
            main.counting.begin(partial(self.look_from, place))
            place = replace(place, filter="", sort="")
        session.measure = place.measure or bundle.scorecard().measure
        lost: list[str] = []
        try:
            session.set_filter(place.filter)
        except AgentTuiError as error:
            lost.append(str(error))
        try:
            session.set_sort(place.sort, descending=place.descending)
        except AgentTuiError as error:
            lost.append(str(error))
        main.bundle_changed()
        if place.run:
            try:
                main.runs.go_to(bundle.find(place.run))
            except AgentTuiError:
                lost.append(f"{place.run} is not there any more")
        said = safe("; ".join(lost), 200)
        if said:
            main.say(said)
        return said

    def offer(self) -> bool:
        """Say where the bundle was left; False where that is here, or nowhere."""
        if self.offered is None or self.offered == self.here():
            return False
        self._app.main.say(place_words(self.offered))
        return True

    def go_back(self) -> None:
        """Go back to where this bundle was left, once."""
        if self.offered is None:
            self._app.main.say("this bundle was not left anywhere else")
        else:
            place, self.offered = self.offered, None
            self.look_from(place)

    # Remembering it

    def left(self) -> Place | None:
        """Where the bundle was left the last time."""
        return self._app.settings.places.get(self._key())

    def _key(self) -> str:
        """What stays to be opened again; empty for a stream, which is another one each time."""
        paths = self._app.opening.paths
        first = paths[0] if paths else "-"
        return "" if is_stream(first) else os.path.realpath(first)

    def remember(self) -> None:
        """Keep the place and what was opened for the next time."""
        settings, bundle, key = self._app.settings, self._app.bundle, self._key()
        if bundle.is_complete and len(bundle) and key:
            others = {path: place for path, place in settings.places.items() if path != key}
            settings.places = dict([*others.items(), (key, self.here())][-_KEPT:])
        write_settings(settings)

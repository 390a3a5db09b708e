"""The lookups that are watched, and when answers about windows alone change."""

from collections.abc import Collection, Iterable, Mapping

from lars2asp.analysis.windows import LastArrivals, Since
from lars2asp.externals.database.agenda import Agenda, Inbox, Watched
from lars2asp.externals.database.form import View
from lars2asp.externals.timer import may_wait
from lars2asp.externals.views import Changes
from lars2asp.planning.lookups import Lookup, LookupKind


class Watching:
    """The lookups that are watched.

    Args:
        views: the views of all lookups.
        start: the first tick of the timeline.
        agenda: says what is due when.
    """

    def __init__(self, views: Mapping[Lookup, View], start: int, agenda: Agenda) -> None:
        self._views = views
        self._start = start
        self._agenda = agenda
        self._watched: dict[Lookup, Watched] = {}
        self._was_released = False
        """Whether an inbox was released since somebody last began to watch."""

    def watch(
        self, lookups: Iterable[Lookup], inbox: Inbox, now: int, patient: Collection[Lookup] = ()
    ) -> list[Watched]:
        """The changes of lookups, from the next tick that is committed, or from the current one on.

        The inbox is patient about some of them.
        """
        found = []
        for lookup in lookups:
            watched = self._watched.get(lookup)
            is_patient = lookup in patient and may_wait(lookup)
            if watched is None:
                view = self._views[lookup]
                watched = self._watched[lookup] = Watched(view)
                watched.is_patient = is_patient
                view.watch(watched, now)
                is_since = isinstance(lookup.window, Since)
                if not is_since and (lookup.signature is None or lookup.kind is LookupKind.SCHEDULED):
                    self._agenda.always.append(watched)
                if not isinstance(lookup.window, LastArrivals | Since | None):
                    for tick in lookup.window.after_start(self._start):
                        if tick > now:
                            self._agenda.call(tick, view)
            watched.inboxes[inbox] = is_patient
            found.append(watched)
        self._see_patience(self._watched.values() if self._was_released else found)
        self._was_released = False
        return found

    def _see_patience(self, several: Iterable[Watched]) -> None:
        """Sees who of several is patient now."""
        changed = False
        for watched in several:
            is_patient = all(watched.inboxes.values())
            if is_patient is not watched.is_patient:
                watched.is_patient, changed = is_patient, True
        if changed:
            self._agenda.call_again()

    def release(self, inbox: Inbox) -> None:
        """Nobody reads an inbox any more, or another reader from here on, which watches what it needs."""
        inbox.taken()
        self._agenda.moments.discard(inbox)
        self._was_released = True
        for watched in self._watched.values():
            watched.inboxes.pop(inbox, None)

    def changes(self, lookup: Lookup, now: int) -> Changes:
        """The changes of a watched lookup."""
        return self._watched[lookup].changes(now)

    def prime(self, now: int) -> None:
        """Makes the changes of all watched lookups valid from the current tick on."""
        for watched in self._watched.values():
            watched.changes(now)

    def next_turn(self, lookup: Lookup, now: int) -> int | None:
        """The first tick after the current one at which the answer to a lookup of a window alone changes."""
        kind, window = lookup.kind, lookup.window
        assert window is not None and not isinstance(window, LastArrivals | Since)
        is_number = kind in (LookupKind.TICKS, LookupKind.BOX_TICKS)
        if is_number and window.reach is not None and window.is_whole(now, self._start) and not window.varies:
            return None
        move = window.next_move(now)
        if move is None or kind not in (LookupKind.HAS_NOW, LookupKind.NOTHING_BEFORE):
            return move
        answer = self._views[lookup].answer
        here = answer(now)
        return next((tick for tick in (now + 1, move, move + 1) if answer(tick) != here), None)

"""The lookups that are watched, and when their answers change by the passing of time alone."""

from collections.abc import Callable, Iterable, Mapping

from lars2asp.analysis.windows import Fixed, Hopping, Offsets, Sliding, Tumbling, Unbounded
from lars2asp.externals.database.forms.form import View
from lars2asp.externals.timer import after_start, earliest, next_move
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.planning.lookups import Lookup, LookupKind


class Watched:
    """A lookup that is watched: a view, and the changes that it gave last."""

    __slots__ = ("_changes", "_tick", "view")

    def __init__(self, view: View) -> None:
        self.view = view
        self._tick: int | None = None
        self._changes = NO_CHANGES

    def changes(self, now: int) -> Changes:
        """The changes of the answer by the current tick.

        They are valid only if this was called at the tick before as well, or at the first tick of the
        stream. Else take `answer` for what holds; from there on the changes are valid.
        """
        if self._tick != now:
            self._tick, self._changes = now, self.view.changes(now)
        return self._changes


class Watching:
    """The lookups that are watched.

    What must hold: what was worked out last is right as long as nothing happens, up to the tick that it is.

    Args:
        views: the views of all lookups.
        start: the first tick of the timeline.
        next_alarm: gives the first tick after the current one at which something else happens.

    Attributes:
        is_stale: whether something has happened since the next change was worked out.
    """

    def __init__(
        self, views: Mapping[Lookup, View], start: int, next_alarm: Callable[[int], int | None]
    ) -> None:
        self._views = views
        self._start = start
        self._next_alarm = next_alarm
        self._watched: dict[Lookup, Watched] = {}
        self._turns: set[int] = set()
        """The ticks after the start at which answers change by that."""
        self._next: int | None = None
        self.is_stale = True

    def watch(self, lookups: Iterable[Lookup]) -> list[Watched]:
        """The changes of lookups, from the next tick that is committed, or from the current one on."""
        found = []
        for lookup in lookups:
            if lookup not in self._watched:
                self._watched[lookup] = Watched(self._views[lookup])
                self._turns.update(after_start(lookup.window, self._start))
                self.is_stale = True
            found.append(self._watched[lookup])
        return found

    def changes(self, lookup: Lookup, now: int) -> Changes:
        """The changes of a watched lookup."""
        return self._watched[lookup].changes(now)

    def prime(self, now: int) -> None:
        """Makes the changes of all watched lookups valid from the current tick on."""
        for watched in self._watched.values():
            watched.changes(now)

    def next_change(self, now: int) -> int | None:
        """The first tick after the current one at which the answer to a watched lookup may change."""
        if self.is_stale or (self._next is not None and self._next <= now):
            found = (watched.view.next_change(now) for watched in self._watched.values())
            turns = (tick for tick in self._turns if tick > now)
            self._next = earliest([*found, *turns, self._next_alarm(now)])
            self.is_stale = False
        return self._next

    def next_turn(self, lookup: Lookup, now: int) -> int | None:
        """The first tick after the current one at which the answer to a lookup of a window alone changes."""
        kind, window = lookup.kind, lookup.window
        if isinstance(window, Fixed):
            return None  # `next_change` knows
        if (
            kind in (LookupKind.TICKS, LookupKind.BOX_TICKS)
            and isinstance(window, Sliding | Offsets | Hopping | Tumbling)
            and window.is_whole(now, self._start)
        ):
            return None
        if not isinstance(window, Hopping | Tumbling):
            return now + 1
        move = next_move(window, now)
        if kind not in (LookupKind.HAS_NOW, LookupKind.NOTHING_BEFORE):
            return move
        answer = self._views[lookup].answer
        here = answer(now)
        return next((tick for tick in (now + 1, move, move + 1) if answer(tick) != here), None)


def turns_by_itself(lookup: Lookup) -> bool:
    """Whether `next_turn`, and not `next_change`, knows when the answer may change."""
    return lookup.signature is None and not (
        lookup.kind is LookupKind.NOTHING_BEFORE and isinstance(lookup.window, Sliding | Offsets | Unbounded)
    )

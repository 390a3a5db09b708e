"""The atoms of the calendar: they are known in advance, and come in as intervals when these begin."""

from collections.abc import Sequence

from lars2asp.analysis.calendar_atoms import CalendarPredicate
from lars2asp.externals.database.agenda import Agenda
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.timer import earliest


class CalendarFacts:
    """The atoms of the predicates of the calendar that somebody looks at.

    To the streams they are facts of the input that hold until a tick. What must hold: the agenda has the next
    tick at which some begin.

    Args:
        predicates: the predicates, each with its streams.
        agenda: says what is due when.
        start: the first tick of the timeline.
    """

    def __init__(
        self,
        predicates: Sequence[tuple[CalendarPredicate, Sequence[Stream]]],
        agenda: Agenda,
        start: int,
    ) -> None:
        self._predicates, self._agenda = predicates, agenda
        self._next: list[int | None] = [start for _ in predicates]
        """For each predicate the tick at which others of its atoms hold."""
        self.due: int | None = start if predicates else None
        """The first of these."""

    def take(self, tick: int) -> None:
        """Tells the streams what begins at the current tick."""
        for place, (predicate, streams) in enumerate(self._predicates):
            due = self._next[place]
            if due is None or due > tick:
                continue
            change = self._next[place] = predicate.next_change(tick)
            until = None if change is None else change - 1
            for row in predicate.rows(tick):
                for stream in streams:
                    stream.tell(row, tick, until, is_open=change is None)
        self._call()

    def go_on(self, now: int) -> None:
        """The streams have what holds at a tick, and as long as that holds."""
        self._next = [predicate.next_change(now) for predicate, _ in self._predicates]
        self._call()

    def _call(self) -> None:
        self.due = earliest(self._next)
        if self.due is not None:
            self._agenda.call(self.due, self)

    is_patient = False
    """What begins may make rules fire."""

    def is_due(self, tick: int) -> bool:
        """Whether atoms begin at a tick."""
        return tick == self.due

    def wake(self, tick: int) -> None:
        """The database takes what begins when a tick is the current one."""

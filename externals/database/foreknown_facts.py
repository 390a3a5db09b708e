"""Atoms that are known in advance, as those of the calendar: they come in as intervals when these begin."""

from collections.abc import Collection, Iterable, Sequence

from lars2asp.externals.database.agenda import Agenda
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.timer import earliest
from lars2asp.externals.traces.foreknown import Foreknown
from lars2asp.syntax.nodes import Signature


class ForeknownFacts:
    """The atoms of such predicates that somebody looks at.

    To the streams they are facts of the input that hold until a tick. What must hold: the agenda has for each
    predicate the next tick at which some of its atoms begin.

    Args:
        predicates: the predicates, each with its streams.
        recalled: those at which windows look, or which begin them.
        agenda: says what is due when.
        start: the first tick of the timeline.
    """

    def __init__(
        self,
        predicates: Iterable[tuple[Foreknown, Sequence[Stream]]],
        recalled: Collection[Signature],
        agenda: Agenda,
        start: int,
    ) -> None:
        self._beginnings = [
            _Beginnings(one, streams, agenda, start, is_recalled=one.signature in recalled)
            for one, streams in predicates
        ]
        self.due: int | None = start if self._beginnings else None
        """The first tick at which atoms begin."""

    def take(self, tick: int) -> None:
        """Tells the streams what holds at the current tick, where atoms began since the tick before."""
        for one in self._beginnings:
            one.take(tick)
        self.due = earliest(one.due for one in self._beginnings)

    def go_on(self, now: int) -> None:
        """The streams have what holds at a tick, and as long as that holds."""
        for one in self._beginnings:
            one.go_on(now)
        self.due = earliest(one.due for one in self._beginnings)


class _Beginnings:
    """When atoms of a predicate begin to hold."""

    def __init__(
        self,
        predicate: Foreknown,
        streams: Sequence[Stream],
        agenda: Agenda,
        start: int,
        *,
        is_recalled: bool,
    ) -> None:
        self._predicate, self._streams, self._agenda = predicate, streams, agenda
        self._is_recalled = is_recalled
        self.due: int | None = start
        """The next tick at which some do."""

    def take(self, tick: int) -> None:
        """Tells the streams what holds at a tick, if it began since the tick before."""
        if self.due is None or self.due > tick:
            return
        self.go_on(tick)
        until = None if self.due is None else self.due - 1
        for row in self._predicate.rows(tick):
            for stream in self._streams:
                stream.tell(row, tick, until, is_open=self.due is None)

    def go_on(self, now: int) -> None:
        """The streams have what holds at a tick."""
        self.due = self._predicate.next_change(now)
        if self.due is not None:
            self._agenda.call(self.due, self)

    @property
    def is_patient(self) -> bool:
        """Whether only the patient look at it, and no window: what is over when they look is not told."""
        return not self._is_recalled and all(stream.is_patient for stream in self._streams)

    def is_due(self, tick: int) -> bool:
        """Whether atoms begin at a tick."""
        return tick == self.due

    def wake(self, tick: int) -> None:
        """The database takes what begins when a tick is the current one."""

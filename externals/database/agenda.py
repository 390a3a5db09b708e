"""What there is to do at a tick: who has news, and what changes by the passing of time alone.

News are pushed: what arrives in a stream rouses the lookups that look at it, and these lie in the inbox of
each of their readers. What is to begin or end later lies in a wheel, under the tick at which it does. So who
has no news is not asked, and a tick at which nothing is due is not evaluated.

Rules that fire only where something happens at the current tick need not be told when a window loses what it
had: it is enough to tell them when something happens. So what they alone look at lies in a wheel of its own,
at which nobody looks for the next tick as long as they have derived nothing, and nothing holds on that they
need. It turns with the other one.
"""

from collections.abc import Callable, Iterable, Iterator, Sized
from heapq import heappop, heappush
from typing import Protocol

from lars2asp.externals.timer import earliest
from lars2asp.externals.views import NO_CHANGES, Changes


class Sleeper(Protocol):
    """What changes by the passing of time alone."""

    @property
    def is_patient(self) -> bool:
        """Whether it is enough for who looks at it to be told when something happens."""
        ...

    def is_due(self, tick: int) -> bool:
        """Whether something may change at a tick that it named.

        Once that is not so it stays so, unless the tick is named again.
        """
        ...

    def wake(self, tick: int) -> None:
        """Such a tick has come, or one after it: rouses who looks at what changes."""
        ...


class Answering(Protocol):
    """Has the answer to a lookup."""

    def changes(self, now: int) -> Changes:
        """The changes of the answer by the current tick."""
        ...

    def is_pending(self, now: int) -> bool:
        """Whether the answer changed when the tick had been looked at."""
        ...

    def is_due(self, tick: int) -> bool:
        """Whether the answer may change at a tick for which it is called."""
        ...


class Late(Protocol):
    """Is told of a tick that was looked at."""

    def settle_late(self, now: int) -> None:
        """The tick is over: rouses those whose answers are others by what was told."""
        ...


class Settling(Protocol):
    """Has news of the tick that begin windows of other predicates."""

    def settle(self, now: int) -> None:
        """Tells those who look since then."""
        ...


class Need(Protocol):
    """What rules need to fire."""

    @property
    def held(self) -> Sized:
        """What holds on from the current tick."""
        ...


class Wheel:
    """Sleepers under the ticks at which they are to wake.

    Attributes:
        sleepers: those of each tick.
        ticks: these ticks, as a heap.
    """

    def __init__(self) -> None:
        self.sleepers: dict[int, list[Sleeper]] = {}
        self.ticks: list[int] = []

    def __iter__(self) -> Iterator[tuple[int, Sleeper]]:
        """All sleepers, with their ticks."""
        return ((tick, sleeper) for tick, sleepers in self.sleepers.items() for sleeper in sleepers)

    def turn(self, tick: int) -> None:
        """Wakes those of a tick, and of those before."""
        ticks = self.ticks
        while ticks and ticks[0] <= tick:
            for sleeper in self.sleepers.pop(heappop(ticks)):
                sleeper.wake(tick)

    def next(self) -> int | None:
        """The first tick at which something is due; None for none. What is not is taken out."""
        ticks = self.ticks
        while ticks:
            tick = ticks[0]
            sleepers = self.sleepers[tick]
            while sleepers and not sleepers[-1].is_due(tick):
                sleepers.pop()
            if sleepers:
                return tick
            del self.sleepers[heappop(ticks)]
        return None

    def check_invariants(self, now: int) -> None:
        """Raises AssertionError where an invariant does not hold."""
        assert sorted(self.ticks) == sorted(self.sleepers)
        assert all(tick > now for tick in self.ticks), (now, self.ticks)
        assert all(self.sleepers.values())


class Agenda:
    """What is due at the current tick, and when something is due again.

    What must hold: a lookup of which nobody was roused has the answer that it had, or whoever looks at it is
    patient. Each tick at which an answer changes without news is in a wheel, under those whose answers do. No
    tick of the wheels lies before the current one.

    Attributes:
        now: the current tick.
        active: the readers with something in their inboxes, as a heap of their levels.
        beginning: those that have news of the current tick which begin windows.
        late: what was told of the current tick after it was looked at.
        passing: called at the beginning of the next tick.
        always: the lookups that are looked at whenever a tick is.
        growing: the views whose answers change from tick to tick as atoms hold on, or as windows go on.
        guards: what the rules that are patient need, each of them something.
        moments: the inboxes of those rules that have derived something.
    """

    def __init__(self, start: int) -> None:
        self.now = start
        self.active: list[int] = []
        self.late: list[Late] = []
        self.beginning: dict[Settling, None] = {}
        self.passing: dict[Callable[[int], None], None] = {}
        self.growing: dict[Sleeper, None] = {}
        self.always: list[Watched] = []
        self.guards: dict[Need, None] = {}
        self.moments: set[Inbox] = set()
        self._wheel = Wheel()
        self._patient = Wheel()
        """The same for what is patient."""

    def inbox(self, level: int) -> "Inbox":
        """An inbox for a reader, those of lower levels being read first."""
        return Inbox(self.active, level)

    def call(self, tick: int, sleeper: Sleeper) -> None:
        """Something may change at a tick that is to come; if it is not, at the next one that is looked at."""
        if tick <= self.now:
            sleeper.wake(self.now)
            return
        wheel = self._patient if self.guards and sleeper.is_patient else self._wheel
        sleepers = wheel.sleepers.get(tick)
        if sleepers is None:
            wheel.sleepers[tick] = [sleeper]
            heappush(wheel.ticks, tick)
        elif sleepers[-1] is not sleeper:
            sleepers.append(sleeper)

    def call_again(self) -> None:
        """Others are patient from here on."""
        called = [*self._wheel, *self._patient]
        self._wheel, self._patient = Wheel(), Wheel()
        for tick, sleeper in called:
            self.call(tick, sleeper)

    def turn(self, tick: int) -> None:
        """A tick is the current one: wakes those that are due."""
        if self.late:
            self._settle_late()
        self.now = tick
        for wheel in (self._wheel, self._patient):
            if wheel.ticks and wheel.ticks[0] <= tick:
                wheel.turn(tick)
        if self.passing:
            passing, self.passing = self.passing, {}
            for each in passing:
                each(tick)
        if self.growing:
            for sleeper in self.growing:
                sleeper.wake(tick)
        for watched in self.always:
            watched.rouse()

    def next(self, now: int) -> int | None:
        """The first tick after the current one at which something is due; None for none."""
        if self.late:
            self._settle_late()
        if self.active:
            return now + 1
        found = self._wheel.next()
        if self._patient.ticks and (self.moments or any(guard.held for guard in self.guards)):
            return earliest([found, self._patient.next()])
        return found

    def _settle_late(self) -> None:
        late, self.late = self.late, []
        for one in late:
            one.settle_late(self.now)

    def check_invariants(self, now: int) -> None:
        """Raises AssertionError where an invariant does not hold."""
        self._wheel.check_invariants(now)
        self._patient.check_invariants(now)


class Watched:
    """A lookup that is watched, and the changes that it gave last.

    Args:
        view: the answer to it.

    Attributes:
        view: the answer to it.
        inboxes: those of its readers, and whether these are patient.
        is_patient: whether all of them are.
    """

    __slots__ = ("_changes", "_tick", "inboxes", "is_patient", "view")

    def __init__(self, view: Answering) -> None:
        self.view = view
        self.inboxes: dict[Inbox, bool] = {}
        self.is_patient = True
        self._tick: int | None = None
        self._changes = NO_CHANGES

    def wake(self, tick: int) -> None:
        """A tick has come at which the answer may change by time alone."""
        for inbox in self.inboxes:
            if not inbox.due:
                heappush(inbox.active, inbox.level)
            inbox.due[self] = None

    def rouse(self) -> None:
        """The answer may change by the tick that is looked at next."""
        for inbox in self.inboxes:
            if not inbox.due:
                heappush(inbox.active, inbox.level)
            inbox.due[self] = None

    def is_due(self, tick: int) -> bool:
        """Whether the answer may change at a tick for which it is called."""
        return self.view.is_due(tick)

    def changes(self, now: int) -> Changes:
        """The changes of the answer by the current tick.

        They are valid only if this was called at each tick before at which the lookup lay in an inbox. Else
        take `answer` for what holds; from there on the changes are valid.
        """
        if self._tick != now:
            self._tick, self._changes = now, self.view.changes(now)
        return self._changes


class Inbox:
    """The lookups of a reader that may have changed by the current tick.

    Args:
        active: where the level is put when there is something; None if nobody looks there.
        level: of the reader.

    Attributes:
        due: what there is.
    """

    __slots__ = ("active", "due", "level")

    def __init__(self, active: list[int] | None = None, level: int = 0) -> None:
        self.active = [] if active is None else active
        self.level = level
        self.due: dict[Watched, None] = {}

    def taken(self) -> Iterable[Watched]:
        """Takes out what there is."""
        found, self.due = self.due, {}
        return found

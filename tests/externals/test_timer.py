"""No answer to a lookup changes at a tick that is passed over."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.analysis.windows import (
    Fixed,
    Hopping,
    LastArrivals,
    Offsets,
    Sliding,
    TickWindow,
    TimeWindow,
)
from lars2asp.externals.database import Inbox, IntervalDatabase
from lars2asp.externals.events import Events
from lars2asp.externals.terms.table import same_rows
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.externals.timer import GROWING, may_wait, turns_by_itself
from lars2asp.externals.views import NO_CHANGES
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Published
from lars2asp.syntax.nodes import Signature
from tests.strategies.windows import SPANS
from tests.support.examples import number_of_examples

EXAMPLES = number_of_examples(4)

P, Q = Signature("p", 1), Signature("q", 1)
"""What the input tells, and what rules derive and place besides."""

WINDOWS: tuple[TimeWindow, ...] = (
    *SPANS,
    Hopping(0, 3),
    *(Offsets((1,)), Offsets((0, 3)), Offsets((2, 7))),
    Fixed(14),
)
ARRIVALS = (LastArrivals(2), LastArrivals(1, P), LastArrivals(2, None, (0,)))
KINDS = (LookupKind.IN, LookupKind.ALWAYS, LookupKind.AT, LookupKind.COUNT)
BEFORE = (LookupKind.ALWAYS_BEFORE, LookupKind.COUNT_BEFORE)
ABOUT_WINDOWS = (
    LookupKind.NOTHING_BEFORE,
    LookupKind.HAS_NOW,
    LookupKind.SPAN,
    LookupKind.TICKS,
    LookupKind.BOX_TICKS,
)
GAPPED = (Sliding(0), Offsets((0, 3)))


def about(signature: Signature, window: TickWindow, *, is_before: bool = False) -> Iterator[Lookup]:
    """What is asked of a window, or of its ticks before the current one."""
    for kind in BEFORE if is_before else KINDS:
        yield Lookup(kind, signature, window)
    for least in (1, 2, 5):
        yield Lookup(LookupKind.LEAST_BEFORE if is_before else LookupKind.LEAST, signature, window, least)


def lookups(is_late: bool) -> tuple[Lookup, ...]:
    """What programs ask.

    Args:
        is_late: whether what rules derive for a tick enters the stream when the tick is over. Then it is
            asked for apart from the ticks before. Over blocks, and where a window without the tick before
            has the current one, such lookups change from one to another where what they say together stays;
            these are left out.
    """
    told = tuple(
        Lookup(kind, signature) for kind in (LookupKind.INPUT, LookupKind.NOW) for signature in (P, Q)
    )
    of_p = tuple(each for window in (*WINDOWS, *ARRIVALS) for each in about(P, window))
    about_windows = tuple(Lookup(kind, None, window) for kind in ABOUT_WINDOWS for window in WINDOWS)
    unblocked = [window for window in WINDOWS if not window.leaps]
    before = tuple(each for window in unblocked for each in about(P, window, is_before=True))
    always = (*told, *of_p, *about_windows, *before)
    if not is_late:
        return (*always, *(each for window in WINDOWS for each in about(Q, window)))
    return (
        *always,
        *(each for window in WINDOWS if not window.includes_now for each in about(Q, window)),
        *(Lookup(LookupKind.AT, Q, window) for window in unblocked),
        *(Lookup(LookupKind.IN, Q, window) for window in unblocked if window not in GAPPED),
        *(each for window in unblocked for each in about(Q, window, is_before=True)),
        Lookup(LookupKind.SCHEDULED, Q),
    )


HORIZON = 40
"""After the last event; longer than all windows."""


def atoms(signature: Signature, *values: int) -> AtomRows:
    return AtomRows(signature, [(value,) for value in values])


@dataclass(frozen=True)
class Tick:
    """What the input tells at a tick, and what rules derive from it on and place at it.

    Attributes:
        gap: how many ticks after the one before.
        events: what the input tells.
        derived: the numbers of q that rules derive from this tick on.
        placed: how many ticks ahead, or back, rules place q(0).
    """

    gap: int
    events: tuple[Events, ...]
    derived: frozenset[int]
    placed: tuple[int, ...]


@st.composite
def ticks(draw: st.DrawFn) -> list[Tick]:
    """A few ticks at which something happens."""
    found: list[Tick] = []
    opened: set[tuple[Signature, int]] = set()
    derived: frozenset[int] = frozenset()
    for _ in range(draw(st.integers(1, 5))):
        events = []
        if draw(st.integers(0, 3)):
            which = draw(st.sampled_from([P, P, Q])), draw(st.integers(0, 1))
            told = atoms(*which)
            match draw(st.sampled_from(["fact", "until", "begin", "end"])):
                case "until":
                    until = draw(st.sampled_from([1, 3, 9]))
                    events.append(Events((told,), until=until))
                case "begin":
                    opened.add(which)
                    events.append(Events((), (told,)))
                case "end" if opened:
                    ended = draw(st.sampled_from(sorted(opened)))
                    opened.discard(ended)
                    events.append(Events((), (), (atoms(*ended),)))
                case _:
                    events.append(Events((told,)))
        if draw(st.booleans()):
            derived = frozenset(draw(st.sets(st.integers(0, 1))))
        placed = draw(st.lists(st.integers(-6, 9), max_size=1))
        found.append(Tick(draw(st.sampled_from([1, 1, 2, 5, 13])), tuple(events), derived, tuple(placed)))
    return found


class Followed:
    """A database, and rules that derive what they did until something happens.

    Args:
        how: how what rules derive enters the stream.
        background: holds always.
        complete: whether boxes need windows that no part of lies before the start.
        asked: the lookups to come.
    """

    def __init__(
        self, how: str, background: tuple[AtomRows, ...], complete: bool, asked: Sequence[Lookup]
    ) -> None:
        self._published = Published(
            frozenset([Q] if how == "at once" else ()), frozenset([Q] if how == "apart" else ())
        )
        self._how = how
        self._options = how, background, complete, asked
        self.database = IntervalDatabase(
            0,
            asked,
            {P: None, Q: None},
            background,
            placed=[] if how == "at once" else [Q],
            recorded=[] if how == "at once" else [Q],
            published=self._published,
            complete_windows=complete,
        )
        self._derived: set[Row] = set()
        self._inbox = self.database.agenda.inbox(0)
        self._is_watched = False

    def watch(self, lookup: Lookup) -> None:
        """Looks at the lookup from here on."""
        if not self._is_watched:
            self._is_watched = True
            for watched in self.database.watch([lookup], self._inbox):
                watched.rouse()

    def look(self, now: int) -> None:
        """Looks at what may have changed."""
        self.database.agenda.active.clear()
        for watched in self._inbox.taken():
            watched.changes(now)

    def copied(self, lookup: Lookup) -> "Followed":
        """Another one that takes over the state, and looks at one lookup."""
        other = Followed(*self._options)
        other.database.restore(self.database.state(same_rows), same_rows)
        other.watch(lookup)
        other.database.prime()
        other.look(other.database.now)
        other._derived = self._derived
        return other

    def tell(self, now: int, tick: Tick | None) -> None:
        """A tick comes, at which something happens or not."""
        database = self.database
        if tick is None:
            database.advance(now)
            return
        for events in tick.events:
            until = None if events.until is None else now + events.until
            database.gather(now, Events(events.facts, events.begin, events.end, until))
        database.commit(now)
        here: set[Row] = {(value,) for value in tick.derived}
        if self._how != "recorded":
            database.publish(now, Q, list(here - self._derived), list(self._derived - here))
        self._derived = here

    def derive(self, now: int, tick: Tick | None) -> None:
        """What rules derive at the tick enters the stream."""
        if self._how != "at once":
            self.database.record(now, Q, list(self._derived))
            for more in tick.placed if tick is not None else ():
                self.database.place(now, now + more, Q, (0,))

    def next_change(self, lookup: Lookup, now: int) -> int:
        """The first tick at which the answer may change, as far as the database knows."""
        found = [self.database.next_change(now) or HORIZON**2]
        if turns_by_itself(lookup):
            found.append(self.database.next_turn(lookup, now) or HORIZON**2)
        if lookup.kind in GROWING:
            found.append(self.database.next_growth(lookup, now) or HORIZON**2)
        return min(found)


def timeline(stream: list[Tick]) -> Iterator[tuple[int, Tick | None]]:
    """All ticks, with what happens at them."""
    yield 0, None
    now = 0
    for tick in stream:
        yield from ((passed, None) for passed in range(now + 1, now + tick.gap))
        now += tick.gap
        yield now, tick
    yield from ((passed, None) for passed in range(now + 1, now + HORIZON))


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    ticks(),
    st.sampled_from(["at once", "apart", "recorded"]),
    st.sampled_from([(), (), (atoms(P, 1), atoms(Q, 1))]),
    st.booleans(),
    st.sampled_from([0, 0, 1, 2]),
    st.integers(0, 1),
)
def test_answers_stay_where_ticks_are_passed_over(
    stream: list[Tick], how: str, background: tuple[AtomRows, ...], complete: bool, late: int, part: int
) -> None:
    """One database looks at every tick; each second lookup has another one, which is asked for nothing else.

    Lookups are watched after so many ticks at which something happens.
    """
    asked = lookups(is_late=how != "at once")
    restless = Followed(how, background, complete, asked)
    others = {lookup: Followed(how, background, complete, [lookup]) for lookup in asked[part::2]}
    due = dict.fromkeys(others, 0)
    answers = {lookup: set[Row]() for lookup in others}
    happened = 0
    for now, tick in timeline(stream):
        happened += tick is not None
        restless.tell(now, tick)
        for lookup, other in others.items():
            is_due = tick is not None or now == due[lookup]
            if is_due:
                other.tell(now, tick)
                if happened >= late:
                    other.watch(lookup)
                    other.look(now)
                answers[lookup] = set(other.database.answer(lookup, now))
            if happened >= late:
                assert answers[lookup] == set(restless.database.answer(lookup, now)), (lookup, now, is_due)
            if is_due:
                other.derive(now, tick)
                due[lookup] = other.next_change(lookup, now)
        restless.derive(now, tick)


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    ticks(),
    st.sampled_from(["at once", "apart", "recorded"]),
    st.sampled_from([(), (), (atoms(P, 1), atoms(Q, 1))]),
    st.integers(0, HORIZON),
    st.integers(0, 9),
)
def test_a_database_that_takes_over_a_state_looks_at_the_same_ticks(
    stream: list[Tick], how: str, background: tuple[AtomRows, ...], last: int, part: int
) -> None:
    """From the tick after the state on, which both look at."""
    for lookup in lookups(is_late=how != "at once")[part::10]:
        one = Followed(how, background, False, [lookup])
        one.watch(lookup)
        followed, due = [one], 0
        for now, tick in timeline(stream):
            if tick is not None or now >= due:
                for each in followed:
                    each.tell(now, tick)
                    each.look(now)
                    each.derive(now, tick)
                found = {each.next_change(lookup, now) for each in followed}
                assert len(found) == 1, (lookup, now, found)
                [due] = found
                if now >= last and len(followed) == 1:
                    followed.append(one.copied(lookup))
                    due = now + 1


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    ticks(),
    st.sampled_from([(), (), (atoms(P, 1), atoms(Q, 1))]),
    st.booleans(),
    st.sets(st.integers(0, HORIZON), max_size=9),
)
def test_changes_are_right_where_nobody_looked_at_each_tick(
    stream: list[Tick], background: tuple[AtomRows, ...], complete: bool, looked_at: set[int]
) -> None:
    """Those of lookups that may wait until something happens."""
    asked = [lookup for lookup in lookups(is_late=False) if may_wait(lookup)]
    followed = Followed("at once", background, complete, asked)
    database, inbox = followed.database, Inbox()
    watched = dict(zip(database.watch(asked, inbox), asked, strict=True))
    answers: dict[Lookup, set[Row]] = {lookup: set() for lookup in asked}
    for one in watched:
        one.rouse()
    for now, tick in timeline(stream):
        if tick is None and now not in looked_at and now > 0:
            continue
        followed.tell(now, tick)
        for one in inbox.taken():
            began, ended = one.changes(now)
            answers[watched[one]] = (answers[watched[one]] - set(ended)) | set(began)
        for lookup, answer in answers.items():
            assert answer == set(database.answer(lookup, now)), (lookup, now)
        followed.derive(now, tick)


def test_a_count_of_what_is_told_ahead_and_recorded() -> None:
    """It grows beyond what was told, as rules derive the atom from tick to tick."""
    lookup = Lookup(LookupKind.LEAST_BEFORE, Q, Sliding(6), 5)
    database = IntervalDatabase(0, [lookup], {Q: 6}, recorded=[Q])
    database.watch([lookup], Inbox())
    database.gather(1, Events((atoms(Q, 0),), until=4))
    database.commit(1)
    database.gather(3, Events())
    database.commit(3)
    database.record(3, Q, [(0,)])
    assert database.next_change(3) == 5  # where it ends as far as it was told
    database.advance(5)
    assert database.changes(lookup, 5) == NO_CHANGES
    database.record(5, Q, [(0,)])
    assert database.next_change(5) == 6


def test_an_end_that_nobody_waited_for_yet() -> None:
    """Who looks later is told of it, and so is who looks at an atom that events held open beyond it."""
    lookup = Lookup(LookupKind.INPUT, P, None)
    database = IntervalDatabase(0, [lookup], {})
    database.gather(1, Events((atoms(P, 0),), until=4))
    database.commit(1)
    assert database.next_change(1) is None
    database.watch([lookup], Inbox())
    assert database.next_change(1) == 5
    database.gather(2, Events(begin=(atoms(P, 0),)))
    database.commit(2)
    assert database.next_change(2) is None
    database.gather(3, Events(end=(atoms(P, 0),)))
    database.commit(3)
    assert database.next_change(3) == 5


def test_an_atom_that_begins_anew_within_the_window() -> None:
    """When it held before leaves the window: from then on it is there at more ticks again."""
    lookup = Lookup(LookupKind.LEAST, P, Sliding(1), 2)
    database = IntervalDatabase(0, [lookup], {P: 2})
    database.watch([lookup], inbox := Inbox())
    told = {1: Events(begin=(atoms(P, 0),)), 3: Events(end=(atoms(P, 0),)), 4: Events(begin=(atoms(P, 0),))}
    due = 0
    for tick in range(6):
        if tick in told:
            database.gather(tick, told[tick])
            database.commit(tick)
        elif tick == due:
            database.advance(tick)
        else:
            continue
        for watched in inbox.taken():
            watched.changes(tick)
        due = database.next_change(tick) or 0
    assert database.answer(lookup, 5) == [(0,)]
    assert database.now == 5

"""What programs ask of the database, lookup by lookup."""

import pytest

from lars2asp.analysis.windows import Fixed, Offsets, Sliding, TickWindow, Unbounded
from lars2asp.externals.database import IntervalDatabase
from lars2asp.externals.events import EventError, Events
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.syntax.nodes import Signature

P = Signature("p", 1)


def p(*values: int) -> AtomRows:
    return AtomRows(P, [(value,) for value in values])


#   tick   0   1   2   3   4   5
#   p(1)   x   x       x   x   x
#   p(2)           x
#   p(3)   ......................   background
def database(kind: LookupKind, window: TickWindow, *, complete: bool = False) -> IntervalDatabase:
    """The stream above, at tick 5, for one lookup."""
    lookups = [Lookup(kind, P, window)]
    stream = IntervalDatabase(0, lookups, {P: None}, [p(3)], complete_windows=complete)
    for tick in range(6):
        stream.gather(tick, Events((p(2),) if tick == 2 else (p(1),)))
        stream.commit(tick)
    return stream


def asked(kind: LookupKind, window: TickWindow, *, complete: bool = False) -> set[str]:
    found = database(kind, window, complete=complete).answer(Lookup(kind, P, window), 5)
    return {",".join(map(str, row)) for row in found}


@pytest.mark.parametrize(
    ("kind", "window", "expected"),
    [
        (LookupKind.IN, Sliding(0), {"1", "3"}),
        (LookupKind.IN, Sliding(2), {"1", "3"}),
        (LookupKind.IN, Sliding(3), {"1", "2", "3"}),
        (LookupKind.IN, Offsets((3,)), {"2", "3"}),
        (LookupKind.IN, Offsets((9,)), set()),
        (LookupKind.IN, Fixed(2), {"2", "3"}),
        (LookupKind.IN, Fixed(6), set()),
        (LookupKind.ALWAYS, Sliding(2), {"1", "3"}),
        (LookupKind.ALWAYS, Sliding(3), {"3"}),
        (LookupKind.ALWAYS, Offsets((1, 4, 5)), {"1", "3"}),
        (LookupKind.ALWAYS, Offsets((1, 3)), {"3"}),
        (LookupKind.ALWAYS, Offsets((7,)), set()),
        (LookupKind.ALWAYS_BEFORE, Sliding(2), {"1", "3"}),
        (LookupKind.ALWAYS_BEFORE, Sliding(0), set()),
        (LookupKind.ALWAYS_BEFORE, Offsets((0, 3)), {"2", "3"}),
        (LookupKind.AT, Sliding(1), {"1,4", "1,5", "3,4", "3,5"}),
        (LookupKind.AT, Offsets((3, 4)), {"2,2", "1,1", "3,1", "3,2"}),
        (
            LookupKind.AT,
            Unbounded(),
            {"2,2", *(f"1,{t}" for t in (0, 1, 3, 4, 5)), *(f"3,{t}" for t in range(6))},
        ),
    ],
    ids=lambda value: " ".join(sorted(value)) if isinstance(value, set) else str(value),
)
def test_lookups(kind: LookupKind, window: TickWindow, expected: set[str]) -> None:
    assert asked(kind, window) == expected


def test_complete_windows_refuse_boxes_that_reach_before_the_start() -> None:
    assert asked(LookupKind.ALWAYS, Sliding(6)) == {"3"}
    assert asked(LookupKind.ALWAYS, Sliding(6), complete=True) == set()
    assert asked(LookupKind.ALWAYS, Sliding(5), complete=True) == {"3"}
    assert asked(LookupKind.IN, Sliding(6), complete=True) == {"1", "2", "3"}


def test_nothing_before() -> None:
    def holds(window: TickWindow, now: int) -> bool:
        lookup = Lookup(LookupKind.NOTHING_BEFORE, None, window)
        return bool(IntervalDatabase(3, [lookup], {}).answer(lookup, now))

    assert holds(Sliding(5), 3)
    assert not holds(Sliding(5), 4)
    assert holds(Sliding(0), 4)
    assert holds(Offsets((0, 2)), 4)
    assert not holds(Offsets((0, 2)), 5)


def test_ends_of_what_is_not_open_are_refused_whole() -> None:
    stream = IntervalDatabase(0, [], {})
    stream.gather(0, Events(begin=(p(1),)))
    stream.commit(0)
    with pytest.raises(EventError, match=r"p\(2\) ends but was not begun"):
        stream.check(1, Events(facts=(p(5),), end=(p(1, 2),)))
    stream.commit(1)
    assert stream.facts == 1
    stream.gather(2, Events(end=(p(1),)))
    with pytest.raises(EventError):
        stream.check(2, Events(end=(p(1),)))


def test_events_of_one_tick_count_in_order() -> None:
    """What ends and begins again at a tick never stopped; what begins and ends never held."""
    ticks = Lookup(LookupKind.AT, P, Unbounded())
    stream = IntervalDatabase(0, [ticks], {})
    stream.gather(0, Events(begin=(p(1),)))
    stream.commit(0)
    stream.gather(3, Events(end=(p(1),)))
    stream.gather(3, Events(begin=(p(1, 2),)))
    stream.gather(3, Events(end=(p(2),)))
    stream.commit(3)
    assert set(stream.answer(ticks, 3)) == {(1, tick) for tick in range(4)}


def nullary(name: str) -> AtomRows:
    return AtomRows(Signature(name, 0), [()])


def test_predicates_that_nobody_asks_for_are_not_kept() -> None:
    """Only what is open of them is, so that ends are told from errors."""
    stream = IntervalDatabase(0, [Lookup(LookupKind.INPUT, P)], {})
    for tick in range(50):
        stream.gather(tick, Events((nullary(f"q{tick}"),), begin=(nullary("open"),)))
        stream.commit(tick)
    assert len(stream) == 0
    stream.check(50, Events(end=(nullary("open"),)))
    with pytest.raises(EventError):
        stream.check(50, Events(end=(nullary("q1"),)))


def test_facts_cannot_end_before_they_begin() -> None:
    with pytest.raises(EventError, match="hold until 2, before their own tick 3"):
        IntervalDatabase(0, [], {}).check(3, Events((p(1),), until=2))

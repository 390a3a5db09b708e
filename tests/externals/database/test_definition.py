"""Every answer, and the changes that come to it, against the definition: streams as sets of ticks."""

from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st

from lars2asp.analysis.windows import Fixed, Offsets, Sliding, TickWindow, Unbounded
from lars2asp.externals.terms.terms import Row
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.syntax.nodes import Signature
from tests.externals.database.streams import Followed, Made, P, Q, Tick, quiet, rows, ticks
from tests.strategies.windows import SPANS
from tests.support.examples import number_of_examples

EXAMPLES = number_of_examples(50)

WINDOWS: tuple[TickWindow, ...] = (
    *SPANS,
    *(Offsets(some) for some in ((1,), (0, 2), (2, 5), (0, 1, 4), (2, 3, 4))),
    Fixed(6),
)
KINDS = (LookupKind.IN, LookupKind.ALWAYS, LookupKind.AT, LookupKind.COUNT)
BEFORE = (LookupKind.ALWAYS_BEFORE, LookupKind.COUNT_BEFORE)
LOOKUPS = (
    *(Lookup(kind, signature) for signature in (P, Q) for kind in (LookupKind.INPUT, LookupKind.NOW)),
    *(
        Lookup(kind, signature, window)
        for signature in (P, Q)
        for window in WINDOWS
        for kind in (*KINDS, *BEFORE)
    ),
    *(
        Lookup(kind, signature, window, least)
        for signature in (P, Q)
        for window in WINDOWS
        for kind in (LookupKind.LEAST, LookupKind.LEAST_BEFORE)
        for least in (1, 2, 4)
    ),
    *(
        Lookup(kind, None, window)
        for window in WINDOWS
        for kind in (LookupKind.NOTHING_BEFORE, LookupKind.HAS_NOW, LookupKind.TICKS, LookupKind.BOX_TICKS)
    ),
)
SLIDING = tuple(lookup for lookup in LOOKUPS if lookup.window is None or isinstance(lookup.window, Sliding))
OFFSETS = tuple(lookup for lookup in LOOKUPS if isinstance(lookup.window, Offsets))
PAST = tuple(one for one in OFFSETS if one.window is not None and not one.window.includes_now)


asked_together = st.one_of(
    st.lists(st.sampled_from(LOOKUPS), min_size=1, max_size=6, unique=True),
    st.lists(st.sampled_from(SLIDING), min_size=1, max_size=12, unique=True),
    st.lists(st.sampled_from(OFFSETS), min_size=1, max_size=12, unique=True),
    st.lists(st.sampled_from(PAST), min_size=1, max_size=6, unique=True),
).map(tuple)
backgrounds = st.sampled_from([{}, {}, {P: rows([3])}, {P: rows([1]), Q: rows([0])}])
streams = st.lists(st.one_of(ticks, ticks, quiet), min_size=1, max_size=16)


@settings(max_examples=EXAMPLES)
@given(
    streams,
    asked_together,
    st.sampled_from(["at once", "at once", "apart", "recorded"]),
    backgrounds,
    st.sampled_from([0, 2]),
    st.booleans(),
)
def test_answers_and_changes_are_as_defined(
    stream: list[Tick],
    asked: tuple[Lookup, ...],
    how: str,
    background: dict[Signature, list[Row]],
    start: int,
    complete: bool,
) -> None:
    """Some ticks are passed over where nothing is due.

    None are where what is asked of the current tick, and of those before, changes while both together stay:
    for atoms that enter the stream late, and over blocks.
    """
    followed = Followed(asked, Made(how, background, start, complete))
    may_pass = how == "at once" and not any(
        one.kind.endswith("before") and one.window in SPANS and one.window.leaps for one in asked
    )
    due = start
    for now, tick in enumerate(stream, start):
        is_passed = may_pass and tick.is_passed and not tick.events and now < due
        followed.tell(now, tick)
        if not is_passed:
            followed.derive(now, tick)
            followed.look(now)
        followed.check(now)
        if not is_passed:
            followed.record(now, tick)
            due = followed.next_change(now)
            if tick.is_restored:
                followed.restore()
                # what came late is looked at next, as everything is after that
                assert followed.next_change(now) == due or due == now + 1


@settings(max_examples=EXAMPLES)
@given(
    streams,
    st.integers(0, 8),
    asked_together,
    st.sampled_from([("at once", True), ("at once", False), ("apart", True)]),
    backgrounds,
    st.booleans(),
)
def test_a_whole_takes_over_from_parts(
    stream: list[Tick],
    last: int,
    asked: tuple[Lookup, ...],
    how: tuple[str, bool],
    background: dict[Signature, list[Row]],
    complete: bool,
) -> None:
    """In the middle of a tick, with what rules derived before or without; for some of the lookups."""
    followed = Followed(asked, Made(how[0], background, 0, complete, keeps_input=True))
    for now, tick in enumerate(stream):
        followed.tell(now, tick)
        if now == last:
            followed.become_whole(now, asked[: len(asked) // 2 + 1], with_derived=how[1])
        followed.derive(now, tick)
        followed.look(now)
        followed.check(now)
        followed.record(now, tick)


_NOTHING = Tick((), None, (), is_restored=False, is_passed=False, lasts=False)
_PASSED = Tick((), None, (), is_restored=False, is_passed=True, lasts=True)
PLACED_NEXT_TO_A_RUN = [
    *(_NOTHING, replace(_NOTHING, derived=frozenset([0])), _PASSED, _PASSED, _PASSED),
    *(replace(_NOTHING, placed=((0, -2),)), _NOTHING),
]
"""A row that was recorded until a tick is placed at the next one, when that is over."""


@settings(max_examples=EXAMPLES)
@given(
    streams,
    st.integers(0, 8),
    asked_together,
    st.sampled_from(["at once", "apart"]),
    backgrounds,
    st.booleans(),
)
@example(PLACED_NEXT_TO_A_RUN, 2, (Lookup(LookupKind.AT, Q, Unbounded()),), "apart", {}, False)
def test_parts_take_over_from_a_whole(
    stream: list[Tick],
    last: int,
    asked: tuple[Lookup, ...],
    how: str,
    background: dict[Signature, list[Row]],
    complete: bool,
) -> None:
    """When a tick is over; the parts ask for the current tick besides."""
    told = tuple(Lookup(LookupKind.INPUT, signature) for signature in (P, Q))
    about_windows = tuple(lookup for lookup in asked if lookup.kind is not LookupKind.NOW)
    asked, before = tuple(dict.fromkeys(told + asked)), tuple(dict.fromkeys(told + about_windows))
    followed = Followed(before, Made("recorded", background, 0, complete))
    for now, tick in enumerate(stream):
        followed.tell(now, tick)
        followed.derive(now, tick)
        followed.look(now)
        followed.check(now)
        followed.record(now, tick)
        if now == last:
            followed.become_parts(how, asked)

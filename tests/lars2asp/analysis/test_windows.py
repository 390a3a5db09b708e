"""Windows as ticks."""

from hypothesis import given
from hypothesis import strategies as st

from lars2asp.analysis.passes.window_sizes import resolve_windows
from lars2asp.analysis.windows import Offsets, Sliding, SpanWindow, tick_window
from lars2asp.definition.windows import NaiveWindows
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.traversal import every
from tests.strategies.windows import TIME_WINDOWS
from tests.support.programs import analysed


#   start                now
#     3   4   5   6   7   8
#             |-----------|     sliding 3
def test_sliding_windows_are_clipped_at_the_start() -> None:
    assert Sliding(3).span(8, 3) == (5, 8)
    assert Sliding(9).span(8, 3) == (3, 8)
    assert Sliding(5).is_whole(8, 3)
    assert not Sliding(6).is_whole(8, 3)


def test_offsets_leave_out_what_lies_before_the_start() -> None:
    assert Offsets((0, 2, 5)).runs(8, 3) == ((3, 3), (6, 6), (8, 8))
    assert Offsets((1, 2, 3, 6)).runs(8, 3) == ((5, 7),)
    assert not Offsets((1, 6)).is_whole(8, 3)
    assert Offsets((0, 2)).includes_now
    assert not Offsets((1,)).includes_now


P = nodes.Atom("p")


@given(TIME_WINDOWS, st.integers(0, 9), st.integers(0, 12), st.booleans())
def test_a_window_is_what_the_definition_says(text: str, start: int, later: int, complete: bool) -> None:
    now = start + later
    program = resolve_windows(analysed(f"a :- p in {text}."), Diagnostics())
    (atom,) = every(nodes.Diamond, *program.statements)
    definition = NaiveWindows(start, {}, lambda *_: {()}, complete_windows=complete)
    window = tick_window(atom.window, P)
    assert isinstance(window, SpanWindow | Offsets)

    def ticks(at: int) -> list[int]:
        return [tick for first, last in window.runs(at, start) for tick in range(first, last + 1)]

    look = definition.look(P, atom.window, now)
    assert ticks(now) == list(look.ticks)
    if look.rows:
        assert bool(look.rows[()].span) is (not complete or window.is_whole(now, start))
    assert window.most_ticks is not None
    assert len(ticks(now)) <= window.most_ticks
    assert window.reach is not None
    assert all(now - tick <= window.reach for tick in ticks(now))
    assert window.includes_now or now not in ticks(now)
    if window.ages is not None and window.is_whole(now, start):
        assert window.ages == (now - ticks(now)[-1], now - ticks(now)[0])
    move = window.next_move(now)
    assert move is not None
    assert all(ticks(at) == ticks(now) for at in range(now, move))


ZONES = (
    ("Europe/Vienna", "2025-10-24T12:00"),
    ("Europe/Vienna", "2026-03-28T00:00"),
    ("America/New_York", "2025-12-30T00:00"),
    ("America/Sao_Paulo", "2018-11-02T00:00"),  # where clocks are put forward at midnight
    ("Australia/Lord_Howe", "2025-04-04T00:00"),
    ("Asia/Kathmandu", "2026-01-30T00:00"),
    ("Pacific/Apia", "2011-12-27T00:00"),  # which passed over the 30th
)
UNITS = st.tuples(st.integers(1, 3), st.sampled_from(["day", "day", "week", "month", "year"])).map(
    lambda pair: f"{pair[0]} {pair[1]}"
)
CLOCK_WINDOWS = st.one_of(
    st.builds("[every {}{}]".format, UNITS, st.sampled_from(["", " from 6 hour", " from 1 day"])),
    st.builds("[{} step {}{}]".format, st.sampled_from(["0", "7", "1..5", "3..9"]), UNITS, st.just("")),
)


@given(CLOCK_WINDOWS, st.sampled_from(ZONES), st.sampled_from([1, 2, 3, 5, 12]), st.data())
def test_a_window_of_the_clock_is_what_the_definition_says(
    text: str, place: tuple[str, str], hours: int, data: st.DataObject
) -> None:
    zone, origin = place
    header = f'#tick {hours} hour. #timezone "{zone}". #origin "{origin}".'
    program = resolve_windows(analysed(f"{header} a :- p in {text}."), Diagnostics())
    (atom,) = every(nodes.Diamond, *program.statements)
    start = data.draw(st.integers(0, 60))
    now = start + data.draw(st.integers(0, 240 // hours) | st.integers(0, 9000 // hours))
    window = tick_window(atom.window, P)
    assert isinstance(window, SpanWindow)
    edges = window.edges(start)

    def look(at: int) -> tuple[list[int], bool]:
        definition = NaiveWindows(start, {}, lambda *_: {()}, complete_windows=True)
        found = definition.look(P, atom.window, at)
        return list(found.ticks), found.is_whole

    ticks, is_whole = look(now)
    assert [tick for first, last in window.runs(now, start) for tick in range(first, last + 1)] == ticks
    if ticks:
        assert window.is_whole(now, start) is is_whole
        assert window.most_ticks is not None
        assert len(ticks) <= window.most_ticks
        assert window.reach is not None
        assert now - ticks[0] <= window.reach
    assert window.includes_now or now not in ticks
    move = window.next_move(now)
    assert move is not None
    assert all(look(at)[0] == ticks for at in {now, (now + move) // 2, move - 1})
    assert edges.at(move) != edges.at(now)
    for tick in (now, now + 1, now + 30):
        last_at, first_at = edges.when_last(tick), edges.when_first(tick)
        assert edges.at(last_at)[1] >= tick > edges.at(last_at - 1)[1]
        assert edges.at(first_at)[0] > tick
        assert edges.at(first_at - 1)[0] <= tick

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

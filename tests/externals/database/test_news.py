"""Windows of offsets: what is kept of the last ticks, and what is recorded by its changes."""

import pytest

from lars2asp import Reasoner
from lars2asp.analysis.window_edges import SlidingEdges
from lars2asp.analysis.windows import Offsets
from lars2asp.externals.database import IntervalDatabase
from lars2asp.externals.database.agenda import Agenda, Watched
from lars2asp.externals.database.forms.news import News
from lars2asp.externals.database.forms.offsets import AllTicksView, OffsetsView
from lars2asp.externals.database.forms.spans import SpanTicksView
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.syntax.nodes import Signature

A: Row = ("a",)


class Followed:
    """News of a stream, and the answers to `in` and `at T` over a window."""

    def __init__(self, *offsets: int) -> None:
        self.agenda = Agenda(0)
        self.stream = Stream(self.agenda, 0, takes_more=True)
        self.news = News(self.stream)
        self.stream.add_form(self.news)
        window = Offsets(offsets)
        lookup = Lookup(LookupKind.IN, Signature("p", 1), window)
        self.within = OffsetsView(lookup, window, self.news, self.stream, 0, complete=False)
        edges = [SlidingEdges(0, *run) for run in window.stretches]
        self.ticks = SpanTicksView(edges, self.news, self.stream)


#   tick      0   1   2   3   4   5
#   told      a       begin   end
#   {2}               a       a       a     the row is listed where it came and went, and nowhere else
def test_what_came_comes_as_many_ticks_later() -> None:
    followed, changes = Followed(2), []
    for tick in range(7):
        if tick == 0:
            followed.stream.add_points([A], tick)
        if tick in (2, 4):
            followed.stream.tell(A, tick, None, tick == 2)
        changes.append(followed.within.changes(tick))
    came, gone = Changes([A], []), Changes([], [A])
    assert changes == [NO_CHANGES, NO_CHANGES, came, gone, came, NO_CHANGES, gone]


def test_memory_follows_what_is_live() -> None:
    """A hundred fresh rows a tick, the greatest offset is ten: old ones go."""
    followed = Followed(3, 10)
    for tick in range(500):
        followed.stream.add_points([(tick, number) for number in range(100)], tick)
        followed.within.changes(tick)
        followed.ticks.changes(tick)
    assert len(followed.news) <= 1000 + 200
    assert len(followed.within.answer(499)) == 200
    assert len(followed.ticks.answer(499)) == 200


def test_what_holds_on_is_no_news() -> None:
    followed = Followed(10)
    inbox = followed.agenda.inbox(0)
    followed.within.watch(watched := Watched(followed.within), 0)
    watched.inboxes[inbox] = False
    followed.stream.derive([(number,) for number in range(100)], 0)
    followed.stream.settle(0)
    inbox.taken()
    followed.agenda.active.clear()
    assert followed.agenda.next(0) == 10
    followed.agenda.turn(11)
    assert [*inbox.taken()] == [watched]
    assert len(watched.changes(11).began) == 100
    assert len(followed.news) == 0
    followed.agenda.active.clear()
    assert followed.agenda.next(11) is None


def test_what_a_rule_remembers_is_recorded_by_its_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """In full at the first tick alone, however much is remembered."""
    full: list[int] = []
    changes: list[int] = []
    record, record_changes = IntervalDatabase.record, IntervalDatabase.record_changes

    def count(*given: object) -> None:
        full.append(len(list(given[3])))  # type: ignore[call-overload]
        record(*given)  # type: ignore[arg-type]

    def count_changes(*given: object) -> None:
        changes.append(sum(map(len, given[3])))  # type: ignore[call-overload]
        record_changes(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(IntervalDatabase, "record", count)
    monkeypatch.setattr(IntervalDatabase, "record_changes", count_changes)
    program = "on(S) :- hot(S).\non(S) :- on(S) in {1}, not cold(S)."
    reasoner = Reasoner.from_text(program, evaluator="delta")
    reasoner.step(0, [("hot", number) for number in range(100)])
    for tick in range(1, 20):
        answer = reasoner.step(tick, [("cold", tick)])
        assert len(answer.holds.texts) == 100 - tick
    assert full == [100]
    assert changes == [1] * 19


def test_at_without_a_window_is_told_of_what_a_tick_brings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of the input and derived ones, which are recorded: nothing looks at all ticks again."""

    def whole(*_: object) -> list[Row]:
        raise AssertionError("the whole answer was worked out")

    reasoner = Reasoner.from_text(
        "q(X) :- p(X). was(X,T) :- p(X) at T. did(X,T) :- q(X) at T, T < @now.", semantics="recorded"
    )
    for tick in range(0, 100, 5):
        if tick == 10:  # before that parts of the program are woken by what is there
            monkeypatch.setattr(AllTicksView, "answer", whole)
            monkeypatch.setattr(SpanTicksView, "answer", whole)
        began = reasoner.step(tick, [("p", tick)]).began.texts
        assert len(began) == 2 + (tick > 0), "q and was of this tick, did of the one before"


def test_a_snapshot_has_all_ticks_that_at_without_a_window_looks_at() -> None:
    text = "q(X,T) :- p(X) at T."
    reasoner = Reasoner.from_text(text)
    reasoner.step(1_769_904_000, ["p(a)"])
    reasoner.step(1_769_904_001, begin=["p(b)"])
    reasoner.step(1_769_904_003, end=["p(b)"])
    again = Reasoner.from_text(text)
    again.resume(reasoner.snapshot())
    for one in (reasoner, again):
        one.step(1_900_000_000, ["p(c)"])
    expected = {"q(a,1769904000)", "q(b,1769904001)", "q(b,1769904002)", "q(c,1900000000)"}
    assert set(map(str, reasoner.step(1_900_000_001).holds.texts)) == expected
    assert set(map(str, again.step(1_900_000_001).holds.texts)) == expected

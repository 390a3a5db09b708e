"""Atoms of the calendar at ticks of events are noted as these come."""

import pytest

from lars2asp import Reasoner
from lars2asp.compiler import checked_program
from lars2asp.planning.noted_times import with_noted_times
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source

CALENDAR = (
    '#tick 1 min. #timezone "Europe/Vienna". #origin "2026-01-01T00:00". #calendar hour(H), weekday(D).'
)


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        (
            "a(X,H) :- e(X,_) at T in [60], hour(H) at T, weekday(4) at T.",
            "a(X,H) :- (e(X,_), hour(H), weekday(4)) at T in [60].",
        ),
        (
            "a(H) :- hour(H), 2 < #count { X,T : hour(H) at T, e(X,1) at T }.",
            "a(H) :- hour(H), 2 < #count { X,T : (e(X,1), hour(H)) at T }.",
        ),
        ("a(H) :- e(X,1) at T in [3], hour(H) at T in [3].", None),
        ("a(H) :- e(X,1) at T in [3], not hour(9) at T, hour(H) at _.", None),
        ("a(H) :- e(X,1) at T in [3 #], hour(H) at T.", None),
        ("a(H) :- d(X) at T in [3], hour(H) at T. d(X) :- e(X,1).", None),
        ("a(H) :- e(X+1,1) at T in [3], hour(H) at T.", None),
        ("a(H) :- e(X,1) at T in [3], hour(H) at T. :- bad.", None),
    ],
)
def test_what_is_noted(text: str, noted: str | None) -> None:
    program = checked_program(Source("t", f"{CALENDAR} {text}")).program
    found = with_noted_times(program, lambda _: "n")
    if noted is None:
        assert found is program
    else:
        assert to_text(found) == to_text(checked_program(Source("t", f"{CALENDAR} {noted}")).program)


def test_events_of_a_tick_without_an_answer_stream() -> None:
    """They are in the windows of later ticks, with what the clock showed."""
    reasoner = Reasoner.from_text(f"{CALENDAR} a(X,H) :- e(X) at T in [1 hour], hour(H) at T. :- bad.")
    assert not reasoner.step(60, ["e(1)", "bad"]).satisfiable
    assert list(reasoner.step(61, ["e(2)"]).holds.texts) == ["a(1,1)", "a(2,1)"]


def test_only_ticks_with_events_are_evaluated() -> None:
    """The answer is shown without what was noted, and explained by what the clock showed."""
    program = f"{CALENDAR} a(X,H) :- e(X) at T in [1 hour], hour(H) at T."
    reasoner = Reasoner.from_text(program, evaluator="delta")
    found = [
        list(reasoner.step(tick, [f"e({tick})"] * (tick in (50, 119))).holds.texts) for tick in range(200)
    ]
    assert found[50:179:64] == [["a(50,0)"], [], ["a(119,1)"]]
    assert found[119] == ["a(119,1)"]
    assert reasoner.counts[0] <= 7

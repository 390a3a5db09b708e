"""States of programs that `flow` evaluates: a resumed run gives the same answers, also for lasting rows."""

import pytest

from lars2asp import Reasoner

PROGRAMS = [
    "b(X) :- p(X). b(X) :- b(X) at T in {2}.",
    "#held b(X) by X. b(X) :- p(X). b(X) :- b(X) at T in {2}.",
    "b(X) :- p(X). b(X) :- b(X) in {2}.",
    "b(X) :- p(X). b(X) :- b(X) in {1}. c(X) :- b(X) in {1,3}.",
    "a(X) :- p(X). b(X) :- a(X) in {1}. c(X) :- a(X) in [2]. :- r.",
    "b(X) :- p(X). b(X) :- b(X) in {2}. c(X) :- p(X) in {1}. :- c(0).",
    "b(X) :- p(X) in [2 # p/1]. c(X,T) :- p(X) at T in [2 #]. d(X) :- p(X) in [since r]. :- r, p(1) in [9].",
    "{ b(X) } :- p(X) in [2]. c(X) :- p(X) in [3].",
]
INPUT = {2: ["p(0)"], 3: ["p(0)", "p(1)", "r"], 5: ["p(1)"], 6: ["r"]}
LAST = 9


def answers(program: str, saved: int | None) -> list[list[tuple[str, ...]]]:
    """What holds, begins and ends at each tick; a reasoner is resumed behind one of them."""
    reasoner, found = Reasoner.from_text(program), []
    for tick in range(LAST):
        answer = reasoner.step(tick, INPUT.get(tick, []))
        found.append([one.texts for one in (answer.holds, answer.began, answer.ended)])
        if tick == saved:
            snapshot = reasoner.snapshot()
            reasoner = Reasoner.from_text(program)
            reasoner.resume(snapshot)
    return found


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_run_is_resumed_behind_each_tick(program: str) -> None:
    expected = answers(program, None)
    assert [answers(program, saved) for saved in range(LAST)] == [expected] * LAST


def test_records_are_taken_behind_a_state() -> None:
    program = "a(X) :- p(X). a(X) :- a(X) in {1}. b(X) :- a(X) in {1}."
    reasoner = Reasoner.from_text(program)
    for _ in reasoner.run([(0, ["p(0)"])], until=0):
        pass
    resumed = Reasoner.from_text(program)
    resumed.resume(reasoner.snapshot())
    found = [answer.holds.texts for answer in resumed.run([(1, ["p(5)"])], emit="every", until=1)]
    assert found == [("a(0)", "a(5)", "b(0)")]


def test_input_of_a_derived_predicate_ends_behind_a_state() -> None:
    program = "a(0) :- r in [1]."
    reasoner, resumed = Reasoner.from_text(program), Reasoner.from_text(program)
    reasoner.step(1, ["a(0)"])
    assert reasoner.step(4, ["a(0)"]).holds.texts == ("a(0)",)
    resumed.resume(reasoner.snapshot())
    assert resumed.step(5).holds.texts == reasoner.step(5).holds.texts == ()

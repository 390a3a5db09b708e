"""Windows that begin with an atom, `[since b]` and `[after b]`: program, stream and answers together."""

from itertools import pairwise

import pytest

from lars2asp.runtime.reasoner import Reasoner
from tests.runtime.test_semantics import answers


#   tick      0    1    2    3    4    5
#   b              x         x
#   p         x    x    x         x
def test_since_has_the_tick_of_the_beginning_and_after_has_not() -> None:
    stream = {0: ["p"], 1: ["b", "p"], 2: ["p"], 3: ["b"], 4: ["p"]}
    assert answers("a :- p in [since b].", stream, 5) == ["", "a", "a", "", "a", "a"]
    assert answers("a :- p in [after b].", stream, 5) == ["", "", "a", "", "a", "a"]
    assert answers("a(N) :- p count N in [since b].", stream, 5) == ["", "a(1)", "a(2)", "", "a(1)", "a(1)"]
    assert answers("a :- p always in [since b].", stream, 5) == ["", "a", "a", "", "", ""]
    assert answers("a :- p always in [after b].", stream, 5) == ["", "", "a", "", "a", ""]
    assert answers("a(T) :- p at T in [since b].", stream, 3) == ["", "a(1)", "a(1) a(2)", ""]


#   tick      0    1    2    3
#   b         x    x         x    told for each tick: three beginnings
#   c         x    x         x    derived: begins at 0 and 3
def test_facts_of_the_input_begin_each_time_and_what_rules_derive_begins_once() -> None:
    stream = {0: ["b", "p"], 1: ["b"], 2: [], 3: ["b", "p"]}
    assert answers("a :- p in [since b].", stream, 3) == ["a", "", "", "a"]
    assert answers("c :- b. a :- p in [since c]. #show a/0.", stream, 3) == ["a", "a", "a", "a"]


def test_held_facts_and_intervals_begin_with_their_interval() -> None:
    stream = {0: ["r(1)", "p"], 1: ["r(1)"], 3: ["r(2)"]}
    held = "#held r(_). a :- p in [since r(_)]."
    assert answers(held, stream, 4) == ["a", "a", "a", "", ""]


def test_each_value_that_the_atoms_share_has_a_window() -> None:
    stream = {0: ["b(1)", "b(2)"], 1: ["p(1)", "p(2)", "p(3)"], 2: ["b(2)"]}
    assert answers("a(X) :- p(X) in [since b(X)].", stream, 2) == ["", "a(1) a(2)", "a(1)"]
    assert answers("a(X) :- p(X) in [since b(_)].", stream, 2) == ["", "a(1) a(2) a(3)", ""]
    assert answers("a(X) :- p(X) in [since b(1)].", stream, 2) == ["", "a(1) a(2) a(3)", "a(1) a(2) a(3)"]


def test_whole_windows_are_those_that_began() -> None:
    program = "a :- not p in [since b]."
    stream: dict[int, list[str]] = {0: [], 1: ["b"], 2: ["p"]}
    assert answers(program, stream, 2) == ["a", "a", ""]
    assert answers(program, stream, 2, complete_windows=True) == ["", "a", ""]


def test_an_alarm_takes_its_events_with_it() -> None:
    program = """
        alarm :- failed, failed at least 2 in [since begun].
        begun :- failed, not known.
        begun :- alarm in {1}.
        known :- failed in {1}.
        known :- known in {1}.
        #show alarm/0.
    """
    stream = {tick: ["failed"] for tick in (0, 1, 2, 5, 6)}
    assert answers(program, stream, 6) == ["", "alarm", "", "", "", "alarm", ""]


@pytest.mark.parametrize("kind", ["in", "count 2 in", "always in"])
def test_what_lies_before_the_last_beginning_is_forgotten(kind: str) -> None:
    reasoner = Reasoner.from_text(f"a(X) :- p(X,_) {kind} [since b(X)].")
    stream = ((tick, [f"p(1,{tick})", *(["b(1)"] if tick % 10 == 0 else [])]) for tick in range(60))
    kept = [
        reasoner.statistics.intervals for answer in reasoner.run(stream, every=1) if answer.tick % 10 == 9
    ]
    assert all(one == other for one, other in pairwise(kept))

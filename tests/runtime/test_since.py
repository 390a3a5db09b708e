"""Windows that begin with an atom, `[since b]` and `[after b]`: program, stream and answers together."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.analysis.held_facts import HeldBy
from lars2asp.compiler import compile_program
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import Source
from tests.oracle import Item, Value
from tests.oracle.stream import NOTHING_HELD, arrivals
from tests.runtime.test_semantics import answers
from tests.support.definition import record
from tests.support.evaluating import serving
from tests.support.examples import number_of_examples

_EXAMPLES = number_of_examples(40)
_B, _P = Signature("b", 1), Signature("p", 1)
_HELD = {_B: HeldBy((), 3)}
_Pair = tuple[Value, int]


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


#   tick      0    1    2    3    4    5    6
#   b              x----x----x----x         x    begun at 1 and again at 3, a fact at 2, ended at 5
#   p              x    x         x
def test_what_comes_while_an_atom_holds_on_begins_a_window_but_no_second_begin() -> None:
    records = [
        Item(1, facts=(("p", ()),), begin=(("b", ()),)),
        Item(2, facts=(("b", ()), ("p", ()))),
        Item(3, begin=(("b", ()),)),
        Item(4, facts=(("p", ()),)),
        Item(5, end=(("b", ()),)),
        Item(6, begin=(("b", ()),)),
    ]
    reasoner = Reasoner.from_text("a(N) :- p count N in [since b].")
    found = [[*answer.holds.texts] for answer in reasoner.run(map(record, records), until=6, emit="every")]
    assert found == [["a(1)"], ["a(1)"], ["a(1)"], ["a(2)"], ["a(2)"], []]


def test_a_fact_of_the_input_begins_a_window_also_where_rules_or_facts_of_the_program_have_it() -> None:
    stream = {0: ["s", "p"], 1: ["s", "b"], 2: ["p"], 3: ["b", "p"], 4: []}
    program = "b :- s in [9]. a :- p in [since b]. #show a/0."
    assert answers(program, stream, 4) == ["a", "", "a", "a", "a"]
    assert answers("b. a :- p in [since b].", stream, 4) == ["a", "", "a", "a", "a"]


def test_each_fact_that_is_held_begins_also_an_equal_one() -> None:
    stream = {0: ["r(1)", "p"], 2: ["r(1)"], 3: ["p"]}
    held = "#held r(_). a :- p in [since r(_)]."
    assert answers(held, stream, 4) == ["a", "a", "", "a", "a"]


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
        reasoner.statistics.intervals
        for answer in reasoner.run(stream, emit="every")
        if answer.tick % 10 == 9
    ]
    assert all(one == other for one, other in pairwise(kept))


@st.composite
def _streams(draw: st.DrawFn, *, is_held: bool) -> tuple[Item, ...]:
    """Records of few atoms: facts, intervals, begins, and ends of what is open."""
    atoms = st.tuples(st.sampled_from("bbp"), st.tuples(st.integers(1, 2)))
    records, tick = list[Item](), 0
    is_open = set[tuple[str, tuple[int, ...]]]()
    for _ in range(draw(st.integers(1, 8))):
        facts = tuple(draw(st.lists(atoms, max_size=3)))
        until = draw(st.sampled_from([None, None, tick, tick + 1, tick + 3])) if facts else None
        begin = tuple(draw(st.lists(atoms, max_size=1)))
        if is_held:
            begin = tuple(one for one in begin if one[0] != "b")
        end = tuple(draw(st.lists(st.sampled_from(sorted(is_open)), max_size=1))) if is_open else ()
        is_open = is_open.difference(end).union(begin)
        records.append(Item(tick, facts, until, begin, end))
        tick += draw(st.sampled_from([0, 1, 1, 1, 2]))
    return tuple(records)


_RULES = """
    since(X,T) :- p(X) at T in [since {b}(X)].
    after(X,T) :- p(X) at T in [after {b}(X)].
    any(X,N) :- p(X) count N in [since {b}(_)].
    own(T) :- {b}(1) at T in [since {b}(1)].
    #show since/2. #show after/2. #show any/2. #show own/1.
"""


@pytest.mark.parametrize("kind", ["input", "held", "derived", "both", "background"])
def test_windows_since_an_atom_by_definition(kind: str) -> None:
    """b is told, held, derived and not told, derived and told, or always true and told."""
    rules, name = {"derived": ("c(X) :- b(X).", "c"), "background": ("b(2).", "b")}.get(kind, ("", "b"))
    if kind == "both":
        rules = "b(X) :- p(X) in {1}."
    if kind == "held":
        rules = "#held b(_) for 3."
    plan = compile_program(Source("since.lars", rules + _RULES.replace("{b}", name)))

    @settings(max_examples=_EXAMPLES, deadline=None)
    @given(_streams(is_held=kind == "held"), st.integers(0, 9))
    def hold_to_the_definition(records: tuple[Item, ...], half: int) -> None:
        last = records[-1].tick + 2
        told = arrivals(records, last, _HELD if kind == "held" else NOTHING_HELD)
        ticks = range(last + 1)
        p = {(one.row[0], t) for one in told if one.signature == _P for t in ticks if one.covers(t)}
        b = {(one.row[0], t) for one in told if one.signature == _B for t in ticks if one.covers(t)}
        if kind == "both":
            b |= {(x, t + 1) for x, t in p}
        if kind == "background":
            b |= {(2, t) for t in ticks}
        begun = {(x, t) for x, t in b if (x, t - 1) not in b}
        if kind != "derived":
            begun |= {(one.row[0], one.tick) for one in told if one.signature == _B}
        expected = [sorted(_expected(p, b, begun, now)) for now in ticks]
        for evaluator in serving(plan):
            first, second = (Reasoner(plan, start=0, evaluator=evaluator) for _ in range(2))
            found, given_records = [], [record(one) for one in records]
            before = [one for one in given_records if one.tick <= half]
            found += [
                sorted(one.holds.texts) for one in first.run(before, until=min(half, last), emit="every")
            ]
            second.resume(first.snapshot())
            after = [one for one in given_records if one.tick > half]
            found += [sorted(one.holds.texts) for one in second.run(after, until=last, emit="every")]
            assert found == expected, evaluator

    hold_to_the_definition()


def _expected(p: set[_Pair], b: set[_Pair], begun: set[_Pair], now: int) -> Iterator[str]:
    """The atoms that hold at a tick, by when atoms held and began."""
    never = now + 1
    lasts = {x: max((t for y, t in begun if y == x and t <= now), default=never) for x in (1, 2)}
    last = max((t for t in lasts.values() if t <= now), default=never)
    for x, first in lasts.items():
        held = [t for y, t in p if y == x and t <= now]
        yield from (f"since({x},{t})" for t in held if t >= first)
        yield from (f"after({x},{t})" for t in held if t > first)
        number = sum(t >= last for t in held)
        yield from [f"any({x},{number})"] if number else []
    yield from (f"own({t})" for x, t in b if x == 1 and lasts[1] <= t <= now)

"""Programs of other systems on random streams in their own form, held to the definition."""

import random
from functools import cache

import pytest

from lars2asp import Reading, Reasoner
from lars2asp.compiler import checked_program
from lars2asp.definition.terms import row
from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.sources.reading import Format
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.syntax.nodes import Atom, Rule
from lars2asp.syntax.parser import parse, text_source
from tests.oracle import Ground, Item, Oracle, Pair, ground
from tests.support.programs import parse_text

TICKS = 40

LASER = """\
@(T, 'too hot'(R)) :- time_win(3, 0, 1, @(T, (temp(R,C)))) and COMP(>=, C, 30)
alarm(R) :- time_win(2,0,1, box('too hot'(R)))
calm :- time_win(2,0,1, box(not(temp(hall,35)))) and not(alarm(attic))
seen(R) :- diamond(temp(R,C)) and MATH(-,D,C,30) and COMP(<,D,0)
gap :- time_win(2,0,2, diamond(not(on)))
last(R) :- tuple_win(2, diamond(temp(R,C)))
"""
TICKER = """\
import engine.SlidingTupleWindowFactory as last
third at T :- rec(C) at T [3 #], not rec(C) [2 #]. // as in its manual
jam(C) :- rec(C) always [2], C > 1.
quiet(C) :- car(C), rec(C) not in [t 4]. % the older spelling
next(D) :- rec(C) in [last 1], incr(C,D), leqleq(1,D,3), not third [5].
rest(Z) :- rec(X), rec(Y) [1 sec], Z = X % Y, X != Y.
/* cars */ car(1). car(2). car(3).
"""


IDLVSR = """\
hot(R) :- temp(R,T) in [2 sec], T>30.
often(R,N):-hot(R) count N in{1,2,3 sec}.
few(N) :- on at most N in [2], level(N).
still(N) :- now_on(N) at most N in [3]. % what is there binds N
#trigger_frequency(3 sec) report(R) :- hot(R) always in [1].
when(R,@now) :- temp(R,35), not often(R,2).
early :- @now.second < 20, @now.hours = 10, on in [0 hrs].
#temp now_on(1) :- on.
kept :- now_on(1) in [2].
level(0). level(1).
"""
DSR = """\
high :- temp(V) [3 s], 30 <= V. // as in its tests
steady(V') :- high always in [2 s], temp(V'), V' % 10 = 5, V'^2 > 500.
began(V) at T :- temp(V) at T in [1 s], on not in [2 s].
long :- on always [4 s], not temp(20).
/* what is
   derived */ ever(V) :- began(V) in [6 s].
"""


def idlvsr_stream(chance: random.Random) -> list[str]:
    rooms = ("hall", "attic")
    told = (
        "".join(f" temp({room}, {chance.choice((20, 35))});" for room in rooms if chance.random() < 0.5)
        + " on;" * (chance.random() < 0.5)
        + " @end;" * (chance.random() < 0.5)
        for _ in range(TICKS)
    )
    return [f"2026-01-31T10:00:{tick:02}{atoms}" for tick, atoms in enumerate(told)]


def dsr_stream(chance: random.Random) -> list[str]:
    events = ("temp(20)", "temp(35)", "temp(38)", "on")
    told = (
        [f"{event};{chance.choice('+-')}" for event in events if chance.random() < 0.4] for _ in range(TICKS)
    )
    return [f"2026-01-31T10:00:{tick:02} {' '.join(signals)}" for tick, signals in enumerate(told)]


def laser_stream(chance: random.Random) -> list[str]:
    rooms = ("hall", "attic")
    told = (
        [f"temp({room}, {chance.choice((20, 35))})" for room in rooms if chance.random() < 0.7]
        + ["on"] * (chance.random() < 0.6)
        for _ in range(TICKS)
    )
    return ["stream = {", *(f"  {tick}: {atoms!r}," for tick, atoms in enumerate(told)), "}"]


def ticker_stream(chance: random.Random) -> list[str]:
    told = ((f"rec({chance.randint(1, 3)})" for _ in range(chance.randint(0, 3))) for _ in range(TICKS))
    return [f"@{tick}: {'; '.join(signals)}" for tick, signals in enumerate(told)]


@cache
def atom_of(text: str) -> Ground:
    [rule] = parse_text(f"{text}.").statements
    assert isinstance(rule, Rule)
    assert isinstance(rule.head, Atom)
    arguments = row(rule.head.arguments, {})
    assert arguments is not None
    return ground(rule.head.signature, arguments)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["laser", "ticker"])
def test_answers_are_those_of_the_definition(name: str, seed: int) -> None:
    text, stream = {"laser": (LASER, laser_stream), "ticker": (TICKER, ticker_stream)}[name]
    lines = stream(random.Random(seed))
    rejected: list[Rejected] = []
    records = [*Reading(Format(name)).records(lines, "stream", rejected.append)]
    assert (len(records), rejected) == (TICKS, [])
    told = [
        (one.tick, [atom for predicate, rows in one.events.facts for atom in atom_texts(predicate, rows, {})])
        for one in records
    ]
    items = [Item(tick, tuple(map(atom_of, atoms))) for tick, atoms in told]
    oracle = Oracle(parse(text_source(text, name)), items, start=0, is_strict=True)
    seen: set[str] = set()
    for answer in Reasoner.from_text(text, dialect=name).run(told, emit="every"):
        [expected] = oracle.answer_streams(answer.tick)
        assert frozenset(answer.holds.texts) == expected.output
        seen.update(atom.partition("(")[0] for atom in answer.holds.texts)
    assert len(seen) > 4


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["idlvsr", "dsr"])
def test_answers_are_those_of_the_definition_of_what_is_recorded(name: str, seed: int) -> None:
    text, stream = {"idlvsr": (IDLVSR, idlvsr_stream), "dsr": (DSR, dsr_stream)}[name]
    source = text_source(text, name)
    reasoner = Reasoner.from_text(text, dialect=name)
    rejected: list[Rejected] = []
    records = [*reasoner.reading.records(stream(random.Random(seed)), "stream", rejected.append)]
    assert rejected == []
    first = records[0].tick
    assert {one.tick - first for one in records} == {*range(TICKS)}

    def items(one: Record) -> Item:
        atoms = (
            tuple(atom_of(atom) for predicate, rows in several for atom in atom_texts(predicate, rows, {}))
            for several in one.events[:3]
        )
        facts, begin, end = atoms
        return Item(one.tick, facts, begin=begin, end=end)

    oracle = Oracle(checked_program(source).program, [*map(items, records)], start=first)
    recorded: frozenset[Pair] = frozenset()
    seen: set[str] = set()
    for answer in reasoner.run(records, emit="every"):
        [expected] = oracle.answer_streams(answer.tick, recorded)
        recorded = expected.recorded
        assert frozenset(map(str, answer.holds.symbols)) == expected.output, f"at {answer.tick - first}"
        seen.update(atom.partition("(")[0] for atom in answer.holds.texts)
    assert len(seen) > 4

"""Rules that are joins: their code counts what a search through all rows finds."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import pytest
from clingo import parse_term

from lars2asp import Reasoner
from lars2asp.externals.symbols import Row, key_of_text, symbol_of
from lars2asp.planning.join_rules import MOST_JOINED, JoinBody, JoinMember, JoinTerm
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.runtime.evaluators.choice import assign
from lars2asp.runtime.evaluators.delta.join_code import Counted, JoinCode
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.syntax.nodes import Signature

LOOKUPS = [
    Lookup(LookupKind.NOW, Signature(name, arity))
    for name, arity in (("r", 0), ("p", 1), ("s", 1), ("q", 2), ("e", 2), ("t", 3))
]
VALUES = ["1", "2", '"a"', "f(b)"]
KEYS = {value: key_of_text(value) for value in VALUES}
SIGNS = ["=", "!=", "<", "<=", ">", ">="]
Holding = dict[Lookup, set[Row]]
Bound = dict[int, int]
"""The keys of variables."""


def arity(lookup: Lookup) -> int:
    """How many terms the answers have."""
    assert lookup.signature is not None
    return lookup.signature.arity


def random_body(choose: random.Random) -> tuple[JoinBody, tuple[JoinTerm, ...]]:
    """A body, and the terms of a head over its variables."""

    def term(variables: Sequence[int]) -> JoinTerm:
        return choose.choice(variables) if variables and choose.random() < 0.85 else choose.choice(VALUES)

    def member(lookup: Lookup, variables: Sequence[int]) -> JoinMember:
        return JoinMember(lookup, tuple(term(variables) for _ in range(arity(lookup))))

    lookups = choose.sample(LOOKUPS, 5)
    chosen = [choose.choice(lookups[:3]) for _ in range(choose.randint(0, 4))]
    positive = [member(lookup, range(choose.randint(1, 4))) for lookup in chosen]
    bound = sorted({term for one in positive for term in one.terms if isinstance(term, int)})
    negative = [member(lookup, bound) for lookup in lookups[3:] if choose.random() < 0.4]
    comparisons = [
        (term(bound), choose.choice(SIGNS), term(bound)) for _ in range(choose.choice([0, 0, 1, 2]))
    ]
    head = tuple(term(bound) for _ in range(choose.randint(0, 3)))
    return JoinBody(tuple(positive), tuple(negative), tuple(comparisons)), head


def instances_of(body: JoinBody, holding: Holding) -> list[Bound]:
    """The variables of each instance that fires, as combinations of rows say that do not clash."""
    found: list[Bound] = [{}]
    for one in body.positive:
        found = [
            wider
            for bound in found
            for row in holding[one.lookup]
            if (wider := matched(one.terms, row, bound)) is not None
        ]
    return [
        bound
        for bound in found
        if not any(values(one.terms, bound) in holding[one.lookup] for one in body.negative)
        and all(
            compare(value(left, bound), sign, value(right, bound)) for left, sign, right in body.comparisons
        )
    ]


def matched(terms: Sequence[JoinTerm], row: Row, bound: Bound) -> Bound | None:
    """The variables with those of one row as well; None if they differ."""
    wider = dict(bound)
    for term, key in zip(terms, row, strict=True):
        if isinstance(term, int):
            wider.setdefault(term, key)
        if value(term, wider) != key:
            return None
    return wider


def value(term: JoinTerm, bound: Bound) -> int:
    return bound[term] if isinstance(term, int) else KEYS[term]


def values(terms: Sequence[JoinTerm], bound: Bound) -> tuple[int, ...]:
    return tuple(value(term, bound) for term in terms)


def by_head(instances: Iterable[Bound], head: Sequence[JoinTerm]) -> Counter[object]:
    """How many instances fire by the row of the head."""
    rows = (values(head, bound) for bound in instances)
    return Counter(row[0] if len(row) == 1 else row for row in rows)


def is_single(body: JoinBody, counted: Counted) -> bool:
    """Whether all variables of a body are in the head, so that at most one instance fires for a row of it."""
    terms = {term for one in body.positive for term in one.terms if isinstance(term, int)}
    return terms <= set(counted.terms)


def compare(left: int, sign: str, right: int) -> bool:
    """A comparison of symbols, in the order that the package clingo has."""
    one, other = symbol_of(left), symbol_of(right)
    return {
        "=": one == other,
        "!=": one != other,
        "<": one < other,
        "<=": one <= other,
        ">": one > other,
        ">=": one >= other,
    }[sign]


def changing(choose: random.Random, keys: Sequence[int]) -> Iterator[tuple[Lookup, bool, list[Row], Holding]]:
    """Rows that begin (True) or end to hold, and what holds then."""
    holding: Holding = {lookup: set() for lookup in LOOKUPS}
    for _ in range(40):
        lookup = choose.choice(LOOKUPS)
        rows = list(product(keys, repeat=arity(lookup)))
        is_begin = choose.random() < 0.6
        there = [row for row in rows if (row in holding[lookup]) is not is_begin]
        taken = choose.sample(there, min(len(there), choose.randint(1, 6)))
        (holding[lookup].update if is_begin else holding[lookup].difference_update)(taken)
        yield lookup, is_begin, taken, holding


@pytest.mark.parametrize("seed", range(120))
def test_counts_are_those_of_a_search(seed: int) -> None:
    choose = random.Random(seed)
    joins: dict[JoinBody, list[Counted]] = {}
    for _ in range(3):
        body, head = random_body(choose)
        joins.setdefault(body, []).extend((Counted(head), Counted(head[::-1])))
    code = JoinCode(joins)
    code.start()
    before = {id(counted): set[object]() for several in joins.values() for counted in several}
    for lookup, is_begin, rows, holding in changing(choose, list(KEYS.values())):
        if lookup in code.begin:
            (code.begin if is_begin else code.end)[lookup](rows)
        for body, several in joins.items():
            instances = instances_of(body, holding)
            for counted in several:
                expected = by_head(instances, counted.terms)
                assert counted.counts == ({} if is_single(body, counted) else expected)
                held = before[id(counted)]
                assert counted.changed == {row: row in expected for row in expected.keys() ^ held}
                if choose.random() < 0.5:
                    before[id(counted)] = set(expected)
                    counted.changed.clear()


def test_random_bodies_have_what_matters() -> None:
    """Self-joins, negation, comparisons, and heads that do not have all variables."""
    choose = random.Random(0)
    bodies = [random_body(choose)[0] for _ in range(200)]
    assert sum(len({one.lookup for one in body.positive}) < len(body.positive) for body in bodies) > 50
    assert sum(bool(body.negative and body.positive) for body in bodies) > 50
    assert sum(bool(body.comparisons and body.positive) for body in bodies) > 50
    assert sum(not body.positive for body in bodies) > 10


JOINS = [
    "q(X) :- p(X,Y) in [3], not r(Y), X < Y, Y != 3.",
    "q(X,c) :- p(X,1) in [2]. #const c = 5.",
    "q(X,T) :- p(X,Y) at T in [3], p(Y,X), T >= 2.",
    "q(X,N) :- p(X,_) count N in [3], b(X), not r(N). b(1..3).",
    "q :- not p(1,1) in [2].",
    "q(f(a),X) :- s(X), p(X,X) in [2], 1 <= X < 4.",
    "q(1,2). q(Y,X) :- p(X,Y) always in [1].",
    "q(Y) :- p(X,_), Y = X.",
    "q(X,Y) :- p(X,A), p(B,Y) in [2], A = B.",
    "q(X,Y) :- p(X,A) in [1], A = 2, Y = Z, Z = X, p(Y,B) in [2], 3 = B.",
    "q(X) :- p(X,Y), X = Y = 2.",
    "q(X) :- X = 1, not r(2). q(Y) :- p(Y,_), 1 = 1, 1 = 2.",
    'q("a b") :- p(#sup,_) in [4]. q(X) :- p(_,X) in [1], X > #inf.',
]
NO_JOINS = [
    "q(X+1) :- p(X,_).",
    "q(X) :- p(X,Y), X = Y + 1.",
    "q(X) :- p(f(X),_).",
    "q(X) :- p(X,_), not X = 1.",
    "q(X) :- p(X,_), #true.",
    "q(X) :- p(X,_), X = _.",
    "q(d) :- p(d,_). #const d = e.",
    "q(1..2) :- p(1,_).",
    "q(X) :- p(X,Y) in [2], not p(Y,X) in [2].",
    "q(X) :- p(X,Y), not r(X), not r(Y).",
    "q :- " + ", ".join(["p"] * (MOST_JOINED + 1)) + ".",
]


def kinds(program: str) -> list[bool]:
    """Of each rule of a program whether it is a join."""
    found = []
    for component in Reasoner.from_text(program).plan.components:
        assert component.delta_rules.refusal is None
        found += [rule.join is not None for rule in component.delta_rules.rules]
    return found


@pytest.mark.parametrize("program", JOINS)
def test_joins(program: str) -> None:
    assert all(kinds(program))


@pytest.mark.parametrize("program", NO_JOINS)
def test_what_is_left_to_clingo(program: str) -> None:
    assert kinds(program) == [False]


@pytest.mark.parametrize("first", ["q(1)", "q(2)", "p(3)"])
def test_facts_that_are_told_as_well(first: str) -> None:
    """Also at the first tick."""
    one = Reasoner.from_text("q(1). q(2). q(1). q(X) :- p(X).", evaluator="oneshot")
    other = Reasoner.from_text("q(1). q(2). q(1). q(X) :- p(X).", evaluator="delta")
    for tick, told in enumerate([[first], ["q(3)"], [], ["p(1)", "q(3)"], ["q(1)", "q(2)"], []]):
        expected, got = one.step(tick, told), other.step(tick, told)
        assert got.symbols == expected.symbols
        assert (got.added, got.removed) == (expected.added, expected.removed)


def test_equality_is_no_search_through_all_rows() -> None:
    """A variable that equals another one is that, so that an index finds what is joined."""
    [component] = Reasoner.from_text("q(X,Y) :- p(X,A), r(Y,B), A = B, 3 = X.").plan.components
    assert component.delta_rules.refusal is None
    [rule] = component.delta_rules.rules
    assert rule.join is not None
    assert rule.join.body.comparisons == ()
    assert [member.terms for member in rule.join.body.positive] == [("3", 0), (1, 0)]


def test_joins_stay_where_others_stand_in_for_what_clingo_grounds() -> None:
    """And clingo is not told of background data that only joins look at."""
    plan = Reasoner.from_text("a(X,Z) :- b(X,Y), c(Y,Z). d(X+1) :- e(X,Y), f(Y). c(1,2). f(3).").plan
    assignments = {min(one.component.derives).name: one for one in assign(plan, EvaluatorName.AUTO)}
    assert assignments["a"].when_fast is None
    assert assignments["d"].when_fast is not None
    texts = {
        name: one.component.delta_rules.facts
        for name, one in assignments.items()
        if one.component.delta_rules.refusal is None
    }
    assert texts == {"a": "", "d": "f(3).\n"}


def test_the_planner_says_what_is_left_to_clingo() -> None:
    [assignment] = assign(Reasoner.from_text("q(X) :- p(X).\nq(X+1) :- p(X).").plan, EvaluatorName.AUTO)
    assert "; clingo grounds lines 2;" in assignment.reason
    [assignment] = assign(Reasoner.from_text("q(X) :- p(X).").plan, EvaluatorName.AUTO)
    assert assignment.reason.endswith("; without clingo")


@pytest.mark.parametrize(
    "program", [*JOINS, *NO_JOINS[:-1], JOINS[0] + JOINS[1] + "q(X) :- p(_,X), X + 1 > 2."]
)
@pytest.mark.parametrize("semantics", ["recorded", "strict"])
def test_answers_are_those_of_oneshot(program: str, semantics: str) -> None:
    """Also of what the input tells of predicates that rules derive."""
    one = Reasoner.from_text(program, semantics=semantics, evaluator="oneshot")
    other = Reasoner.from_text(program, semantics=semantics, evaluator="delta")
    choose = random.Random(program)
    for tick in range(150):
        terms = ["1", "2", "3", "4", "f(1)", "#sup", "c", "e"]
        told = [f"p({choose.choice(terms[:4])},{choose.choice(terms)})" for _ in range(choose.randrange(5))]
        told += [one for one in ("r(2)", "r(3)", "s(2)", "p(2)", "p", "b(2)") if choose.random() < 0.2]
        if tick > 60:
            told += [one for one in ("q", "q(1)", "q(1,2)", "q(f(a),2)") if choose.random() < 0.1]
        expected, got = one.step(tick, told), other.step(tick, told)
        assert got.symbols == expected.symbols
        assert (got.added, got.removed) == (expected.added, expected.removed)


def test_terms_are_compared_as_clingo_does() -> None:
    """The order is that of symbols, whatever they are."""
    texts = ["#inf", "-3", "7", "b", "a", '"a"', '"b"', "f(1)", "g(0)", "(1,2)", "f(1,2)", "#sup"]
    reasoner = Reasoner.from_text("q(X,Y) :- p(X), p(Y), X < Y.", evaluator="delta")
    [answer] = [reasoner.step(0, [f"p({text})" for text in texts])]
    ordered = sorted(map(parse_term, texts))
    pairs = [(one, other) for place, one in enumerate(ordered) for other in ordered[place + 1 :]]
    assert {tuple(atom.arguments) for atom in answer.symbols} == set(pairs)

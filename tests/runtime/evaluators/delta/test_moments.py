"""Rules that fire only at ticks at which something arrives, and the ticks that are evaluated for them."""

import pytest

from lars2asp.compiler import compile_program
from lars2asp.planning.arrivals import arrivals
from lars2asp.planning.lookups import LookupKind
from lars2asp.runtime.evaluators.clingo.background import background_atoms
from lars2asp.runtime.evaluators.delta.moments import Moments
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import Source

LARGE = "large(P) :- payment(P,C), not notice(C) in [100]."


def moments(program: str) -> Moments:
    """Those of the only component."""
    plan = compile_program(Source("moments.lars", program))
    [component] = plan.components
    return Moments(component.delta_rules.rules, arrivals(plan.components))


@pytest.mark.parametrize(
    ("program", "guards", "patient"),
    [
        ("a(X) :- p(X), q(X) in [5].", "p", "now in"),
        ("a(X) :- p(X) in [0], q(X) in [5].", "p", "in in"),
        ("a(X) :- p(X) at _ in [0], q(X) in [5].", "p", "at in"),
        ("a(X) :- p(X) in [1], q(X) in [5].", "", ""),
        ("a(X) :- not p(X), q(X) in [5].", "", ""),
        ("a(N) :- N = #count { X : p(X) }, q(X) in [5].", "", ""),
        ("a(X) :- p(X), q(X) in [5]. b(X) :- q(X) in [5], not r in [2].", "p", "now"),
        ("a(X) :- p(X), q(X) in [5]. a(X) :- r(X) in [2].", "p", "now in"),
        ("a(X) :- b(X), q(X) in [5]. b(X) :- a(X), q(X) in [3].", "", ""),
    ],
)
def test_what_waits(program: str, guards: str, patient: str) -> None:
    """The predicates of which an atom must arrive, and what no other rules look at."""
    found = moments(program)
    assert found.guards == {Signature(name, 1) for name in guards.split()}
    assert sorted(lookup.kind for lookup in found.lookups) == sorted(map(LookupKind, patient.split()))


@pytest.mark.parametrize(
    ("program", "needed"),
    [
        ("a(X) :- p(X). b(X) :- a(X), not q(X) in [5].", {"a": "a p", "b": "a b p"}),
        ("a(X) :- p(X). a(X) :- r(X), s in [3].", {"a": "a p r"}),
        ("a(X) :- p(X). a(X) :- r(X) in [2].", {"a": ""}),
        ("a(X) :- p(X), known(X). known(1).", {"a": "a p"}),
        ("a(X) :- known(X). known(1).", {"a": ""}),
        ("a(X) :- p(X). a(1).", {"a": ""}),
        ("a(X) :- p(X), not b(X). b(X) :- p(X), not a(X).", {"a": "", "b": ""}),
        ("a(X) at T+1 :- p(X) at T in [0]. b(X) :- a(X).", {"b": ""}),
    ],
)
def test_what_must_arrive(program: str, needed: dict[str, str]) -> None:
    """Derived atoms may rest on it as well, but for those that other rules derive, or that hold always."""
    plan = compile_program(Source("moments.lars", program))
    known = arrivals(plan.components, [signature for signature, _ in background_atoms(plan.facts)])
    for name, those in needed.items():
        assert known[Signature(name, 1)] == {Signature(one, 1) for one in those.split()}, name


def evaluated(program: str, facts: dict[int, list[str]], until: int) -> tuple[int, list[int]]:
    """How many ticks were evaluated, and those at which the answer changed."""
    reasoner = Reasoner.from_text(program, evaluator="delta")
    changed = []
    for tick in range(until + 1):
        answer = reasoner.step(tick, facts.get(tick, ()))
        if answer.began.symbols or answer.ended.symbols:
            changed.append(tick)
    return reasoner.counts[0], changed


def test_only_ticks_with_input_are_evaluated_as_long_as_nothing_is_derived() -> None:
    """And where something is, the one after, at which it does not hold any more."""
    facts = {0: ["notice(c)"], 20: ["payment(p,c)"], 40: ["payment(q,d)"], 70: ["notice(d)"]}
    assert evaluated(LARGE, facts, 400) == (5, [40, 41])


def test_ticks_are_passed_over_where_derived_atoms_are_needed() -> None:
    """What they are derived from must arrive; windows that end before now wait as well."""
    program = "known(c,d). paid(C) :- payment(P,C). twice(C) :- paid(C), paid(C) in [1..100], not known(C,_)."
    facts = {0: ["payment(p,a)"], 20: ["payment(q,c)"], 70: ["payment(r,a)"], 300: ["payment(s,a)"]}
    assert evaluated(program, facts, 500) == (8, [0, 1, 20, 21, 70, 71, 300, 301])


def test_what_goes_on_to_hold_is_no_event() -> None:
    """As long as it holds, the rules are told when windows lose what they had."""
    reasoner = Reasoner.from_text(LARGE)
    changed = []
    for tick in range(300):
        begin = ["payment(p,c)"] if tick == 10 else []
        end = ["payment(p,c)"] if tick == 200 else []
        answer = reasoner.step(tick, ["notice(c)"] if tick == 20 else [], begin=begin, end=end)
        if answer.began.symbols or answer.ended.symbols:
            changed.append(tick)
    assert changed == [10, 20, 121, 200]


def test_rules_that_only_rename_atoms_are_not_counted_among_them() -> None:
    """What these derive ends as another rule begins to derive something: that is still to end."""
    program = "a(X) :- p(X). b(X) :- r(X), q(X) in [5]."
    facts = {1: ["p(1)"], 2: ["r(1)", "q(1)"]}
    assert evaluated(program, facts, 20) == (4, [1, 2, 3])


CALENDAR = (
    '#tick 1 min. #timezone "Europe/Vienna". #origin "2026-01-01T00:00". #calendar minute_of_day(M), hour(H).'
)


@pytest.mark.parametrize(
    ("rules", "ticks", "changed"),
    [
        ("a(X,M) :- minute_of_day(M), p(X).", 5, [5, 6, 2000, 2001]),
        ("a(X,M) :- minute_of_day(M), p(X). b(X) :- p(X), not hour(8).", 5, [5, 6, 2000, 2001]),
        ("a(X) :- p(X), hour(9) in [1 hour].", 52, [2000, 2001]),
        ("a(X) :- p(X), hour(9). b(M) :- hour(M), M > 22.", 52, [1380, 1440, 2000, 2001, 2820, 2880]),
    ],
)
def test_the_calendar_waits_for_what_arrives(rules: str, ticks: int, changed: list[int]) -> None:
    """But for windows over it and for rules that look at nothing that arrives."""
    facts = {5: ["p(1)"], 2000: ["p(2)"]}
    number, found = evaluated(f"{CALENDAR} {rules}", facts, 2900)
    assert found == changed
    assert number <= ticks

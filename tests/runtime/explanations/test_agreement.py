"""Programs of which explanations were wrong, or were refused though right: one for each cause."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from lars2asp.checking.why_checker import check_explanation
from lars2asp.compiler import checked_program, compile_plan
from lars2asp.runtime.command_line.check_why_command import arrivals
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.records import Origin, Record
from lars2asp.runtime.tuning import DEFAULT
from lars2asp.syntax.source import Source
from tests.support.explaining import explained
from tests.support.records import events

Json = dict[str, Any]


@pytest.mark.parametrize(
    ("literal", "term"),
    [
        ("not r(X+1)", "x+1"),
        ("not r(_,X+1)", "x+1"),
        ("not r at least X+1 in [1]", "x+1"),
        ("not r at most X in [1]", "x+1"),
        ("not r count X+1 in [1]", "x+1"),
        ("not r at X+1 in [1]", "x+1"),
        ("not not r at X+1 in [1]", "x+1"),
        ("not X+1 < 3", "x+1"),
        ("not #count { Y: r(Y) } > X+1", "x+1"),
        ("not r(1..0)", "1..0"),
    ],
)
def test_what_has_no_value_under_not(literal: str, term: str) -> None:
    """There is no such instance of the rule, as in clingo; the explanation names the term."""
    text, found = explained(f"a :- q(X), {literal}.", {0: ["q(x)", "r"]}, "a", 0)
    assert text.endswith(f"{term} is undefined")
    assert found["explains"][0]["rules"][0]["failed"]["undefined"] == term


@pytest.mark.parametrize(("tick", "holds"), [(0, True), (1, False), (2, True)])
@pytest.mark.parametrize("window", ["", " in [0]"])
def test_an_interval_under_not(tick: int, holds: bool, window: str) -> None:
    """It stands for a rule for each of its numbers."""
    stream = {0: ["p(1)"], 1: ["p(1)", "p(2)"], 2: ["p(2)"]}
    _, found = explained(f"a :- not p(1..2){window}.", stream, "a", tick)
    assert found["explains"][0]["holds"] is holds


@pytest.mark.parametrize("body", ["p(1..2)", "p(1..2) in [1]", "p at 0..1 in [3]", "not p = 1..3"])
def test_intervals_in_bodies(body: str) -> None:
    """A literal that is not true names all their numbers, one that is true the ticks that make it so."""
    program = f"a :- q, {body}."
    explained(program, {0: ["q", "p(7)"], 1: ["p"]}, "a", 0)
    explained(program, {0: ["q", "p"], 1: ["q", "p(2)"]}, "a", 1)


def test_a_condition_of_the_head_and_one_of_the_body() -> None:
    """They are apart, even with variables of the same name."""
    explained("a(X) : p(X) :- q(X) : r(X). r(1..2). q(1..2). p(3).", {0: ["s"]}, "a(3)", 0)


def test_at_most_with_any_value() -> None:
    """The ticks are those of the atom that holds most often."""
    text, _ = explained("a :- p(_) at most 1 in [2].", {0: ["p(a)"], 1: ["p(b)"]}, "a", 1)
    assert "no longer kept" not in text


def test_a_temporary_rule_and_another_one_at_one_tick() -> None:
    """Later ticks see an atom by the rule that lasts, which may rest on the temporary one at its own tick."""
    program = "#temp a at @now :- p. a :- a in [1], q. b :- a in [2]."
    _, found = explained(program, {0: ["p", "q"], 2: ["r"]}, "b", 2)
    (below,) = found["explains"][0]["body"][0]["claims"]
    assert below["statement"]["number"] == 1
    (below,) = below["body"][0]["claims"]
    assert (below["statement"]["number"], below["seen_at"]) == (0, 0)


def test_a_head_at_a_tick_without_answer_stream() -> None:
    """Nothing is placed at it."""
    _, found = explained("c at @now. d :- r. :- d.", {0: ["r"]}, "c", 0)
    assert found["explains"][0]["because"] == "no answer"


def test_the_future_log_at_a_tick_without_answer_stream() -> None:
    """What it had for the tick holds, and later windows see it."""
    program = "c at @now+1 :- q. :- r. e(T) :- c at T in [2]. b :- c in [2]."
    stream = {0: ["q"], 1: ["r"], 2: ["s"]}
    text, _ = explained(program, stream, "e(1)", 2)
    assert "evaluated at 0" in text
    explained(program, stream, "b", 2)
    explained(program, stream, "e(0)", 2)


def test_what_choices_placed_before() -> None:
    """Explanations that rest on what follows from it say it as well."""
    program = "a ; c at @now-1 :- r. d(Y) :- b(Y), c at T. :- a."
    stream = {0: ["s"], 1: ["r", "b(1)"], 2: ["b(1)", "r"]}
    _, found = explained(program, stream, "d(2)", 1)
    assert found["followed"]["placed"] == [["c", 0, 1]]
    for atom in ("d(1)", "d(2)", "a", "c"):
        explained(program, stream, atom, 2)


def test_a_head_with_a_value_that_it_cannot_have() -> None:
    """`f(X+X)` is not a constant, and `d(Y,0)` is `d(Q,Q)` only for 0."""
    _, found = explained("a(f(X+X)) :- p(X). a(Y) :- e(Y).", {0: ["p(2)"]}, "a(x)", 0)
    assert [rule["statement"]["number"] for rule in found["explains"][0]["rules"]] == [1]
    explained("d(Y,0) :- e(Y,Y) at @now in [0].", {0: ["e(1,1)"]}, "d(Q,Q)", 0)
    explained("a(2*X+1) :- p(X).", {0: ["p(x)"]}, "a(Q)", 0)
    explained("d(0,T) at T :- p(T). d(Y,Y) :- p(Y).", {3: ["p(3)"], 4: ["q"]}, "d(Q,Q)", 4)


def test_what_ends_where_it_begins() -> None:
    """It was never told."""
    checked = checked_program(Source("p.lars", "a :- e."))
    told = [
        Record(3, events([], begin=["e"]), Origin("s", 1)),
        Record(3, events([], end=["e"]), Origin("s", 2)),
    ]
    reasoner = Reasoner(compile_plan(checked, explained=True), explain_last=100)
    list(reasoner.run(told, until=4, emit="every"))
    explanation = reasoner.why("e", 4).to_dict()
    assert explanation["explains"][0]["last_told"] is None
    assert check_explanation(checked.written, arrivals(told), explanation) == []


@pytest.mark.parametrize("is_forgotten", [False, True])
@pytest.mark.parametrize(
    ("records", "arrived"),
    [  # of one tick, in short: `+` begins, `-` ends
        (["+a q a", "-a"], "aq"),
        (["+a", "-a", "q b", "a"], "qba"),
        (["+a", "q b", "-a", "a"], "qba"),
        (["+a", "-a q b a"], "qba"),
        (["+a", "q b", "a", "-a"], "aqb"),
        (["+a", "q b", "-a", "+a"], "qba"),
        (["a", "q b", "+a", "-a", "+a"], "aqb"),
        (["+a +b", "b q a", "-a -b"], "abq"),
    ],
)
def test_the_order_of_what_ends_where_it_begins(
    records: Sequence[str], arrived: str, is_forgotten: bool
) -> None:
    """What comes meanwhile has arrived in its place; without that, it has not arrived."""
    program = """\
in(1,a) :- a in [1 #]. in(1,b) :- b in [1 #]. in(1,q) :- q in [1 #].
in(2,a) :- a in [2 #]. in(2,b) :- b in [2 #]. in(2,q) :- q in [2 #].
"""
    told = []
    for number, words in enumerate(map(str.split, records), 1):
        begin, end = ([word[1:] for word in words if word[0] == sign] for sign in "+-")
        facts = [word for word in words if word[0] not in "+-"]
        told.append(Record(3, events(facts, begin=begin, end=end), Origin("s", number)))
    checked = checked_program(Source("p.lars", program))
    tuning = replace(DEFAULT, explained_spare=0)
    reasoner = Reasoner(
        compile_plan(checked, explained=True), explain_last=0 if is_forgotten else 100, tuning=tuning
    )
    held = set([*reasoner.run(told, until=9, emit="every")][-1].holds.texts)
    assert held == {f"in({size},{atom})" for size in (1, 2) for atom in arrived[-size:]}
    for atom in [f"in({size},{name})" for size in (1, 2) for name in "abq"]:
        explanation = reasoner.why(atom).to_dict()
        assert explanation["explains"][0]["holds"] is (atom in held)
        assert check_explanation(checked.written, arrivals(told), explanation) == []


def test_tuples_are_no_functions() -> None:
    """A rule with one in its head could not have derived the other."""
    explained("c :- b(f(_)) in [1]. b((0,X)) :- q(X). b(f(X,0)) :- q(X).", {0: ["p"]}, "c", 0)
    explained("c :- b((_,1)) in [1]. b(f(0,X)) :- q(X).", {0: ["p"]}, "c", 0)


def test_a_tick_that_is_known_is_looked_at_alone() -> None:
    """`a at @now-1` needs nothing of the current tick, so that the predicates are no cycle there."""
    program = """\
b(1) :- not c.
b(x) :- c always in [1], r in [3].
a(x) :- r in {3,0,1}, not r.
c :- c, r in [1].
c :- not a(_) at @now-1.
a(X) :- p(X) in [2], not b(X) in [0].
b(X) :- p(X) in [0], not a(X).
"""
    for tick in (3, 5, 6):
        for atom in ("c", "b(x)", "a(1)"):
            explained(program, {3: ["r", "p(1)"], 5: ["q"], 6: ["q"]}, atom, tick)


def test_what_gave_a_comparison_its_values() -> None:
    """The literals before it, in the order in which they are taken, and none that binds no variable."""
    _, found = explained("a(N) :- N != N, p(N) in [1], r at most N in [1].", {0: ["p(1)"]}, "a(1)", 0)
    assert "met" not in found["explains"][0]["rules"][0]
    program = "a(N) :- p(N), r at most N in [1], N > 1, q(N)."
    _, found = explained(program, {0: ["p(1)", "q(1)"]}, "a(1)", 0)
    (failed,) = found["explains"][0]["rules"]
    assert [literal["position"] for literal in failed["met"]] == [0]


@pytest.mark.parametrize(
    ("body", "met"),
    [
        ("N = #count { X: p(X) in [1] }, N >= 3", [0]),
        ("3 <= N, #count { X: p(X) in [1] } = N", [1]),
        ("p(K), N = #sum { X: p(X), X < K; 1 }, N > 9", [1]),
        ("N = { p(X) : q(X) }, N > 2", [0]),
        ("N > M, N = #min { X: p(X) }, M = #max { X: p(X) }", [1, 2]),
        ("p(N), #count { X: p(X), X > N } > 0, N > 5", [0]),
        ("p(X), q(X), N = X+1, K = 2*N, K+N > 20", [0, 1, 2, 3]),
        ("p(X), Y = X+1, X > 5, Y > 0", [0]),
        ("p(X), not q(X), r at T in [1], N = T-X, T < 9, N > 3", [0, 2, 3]),
        ("N = 1..2, M = N, M > 2", [0, 1]),
        ("N = #count { X: p(X) }, N != N, not N < 0", [0]),
    ],
)
def test_aggregates_and_equations_give_values(body: str, met: list[int]) -> None:
    """They stand before the comparison that fails; explanations without one, or with others, are wrong."""
    program, facts = f"a :- {body}.", {0: ["p(1)", "p(2)", "q(1)", "r"]}
    _, found = explained(program, facts, "a", 0)
    (failed,) = found["explains"][0]["rules"]
    assert [literal["position"] for literal in failed["met"]] == met
    written = checked_program(Source("p.lars", program)).written
    stream = arrivals([Record(0, events(facts[0]), Origin("s", 0))])
    assert check_explanation(written, stream, found) == []
    for place, literal in enumerate(failed["met"]):
        others = failed["met"][:place] + failed["met"][place + 1 :]
        for wrong in (others, [*others, failed["failed"]], [*failed["met"], literal]):
            assert check_explanation(written, stream, _with_met(found, wrong)) != []
        for key, value in (("value", "7"), ("elements", literal.get("elements", [0])[1:])):
            if key in literal:
                changed = [*failed["met"][:place], {**literal, key: value}, *failed["met"][place + 1 :]]
                assert check_explanation(written, stream, _with_met(found, changed)) != []


def _with_met(explanation: Json, met: list[Json]) -> Json:
    """An explanation with other literals that gave a comparison its values."""
    (claim,) = explanation["explains"]
    (rule,) = claim["rules"]
    return {**explanation, "explains": [{**claim, "rules": [{**rule, "met": met}]}]}


@pytest.mark.parametrize(
    "program",
    [
        "a :- go, #count { 1 : b } < 1. b :- go, #count { 1 : a } < 1. :- a.",
        "a :- go, #sum { 1 : b } < 1. b :- go, #sum { 1 : a } < 1. :- a.",
        "a :- go, not #count { 1 : b } > 0. b :- go, not #count { 1 : a } > 0. :- b.",
        "a :- go, { b } < 1. b :- go, { a } < 1. :- a.",
        "a :- go, not b : go. b :- go, not a : go. :- a.",
        "a :- go, #false : b. b :- go, #false : a. :- a.",
        "a(X) :- p(X), #count { Y : a(Y), Y != X } < 1. :- a(1).",
        "a(X) :- p(X), { a(Y) : Y != X } 0. :- a(1).",
    ],
)
def test_even_loops(program: str) -> None:
    """What may have several answer streams is followed, and held to the rules."""
    stream = {0: ["go", "p(1)", "p(2)"]}
    for atom in ("a", "b", "a(1)", "a(2)"):
        explained(program, stream, atom, 0)


@pytest.mark.parametrize(
    "program",
    ["a :- #sum { 1 : b } >= 0. b :- a, go.", "a :- c : b. b :- go, a. c :- go, a."],
)
def test_elements_that_rest_on_what_is_explained(program: str) -> None:
    """They are told, and the aggregate or the conditional literal is true without them."""
    for atom in ("a", "b", "c"):
        explained(program, {0: ["go"]}, atom, 0)


def test_what_rests_on_an_atom_above_a_negation() -> None:
    """It is explained: only what stands between two negations must not rest on itself."""
    text, _ = explained("x :- go, not z. z :- go, not true(2). true(2) :- x.", {0: ["go"]}, "x", 0)
    assert [line.lstrip(" ├└─│") for line in text.splitlines()[-3:]] == [
        "fails: not true(2)",
        "p.lars:1  true(2) :- x.",
        "x   as above",
    ]
    program = "x :- go, not z. z :- go, not true(2). true(2) :- x. y :- true(2), x. :- not x."
    for atom in ("x", "y", "z", "true(2)"):
        explained(program, {0: ["go"]}, atom, 0)


def test_negative_values_of_variables() -> None:
    """`p(--3)` is `p(-(-3))`."""
    for atom in ("open(-3)", "open(-4)", "open(X)", "open(3)"):
        explained("open(X) :- p(-X).", {0: ["p(3)"]}, atom, 0)
    explained("a(X) :- q(X), p(X**2), 2*X < 0, p(1-X).", {0: ["q(-3)", "p(9)", "p(4)"]}, "a(-3)", 0)


@pytest.mark.parametrize(
    ("rule", "record"),
    [
        ("a(n(X,Y)) :- e(X,Y).", "e(X,4)"),
        ("a(n(X,Y)) :- e(X,Y), X > 9.", "e(X,4)"),
        ("a(n(X,f(Y))) :- e(X,Y).", "no rule"),
        ("a(n(X+1,Y-1)) :- e(X,Y).", "e(X,5)"),
        ("a(n(X,1..3)) :- e(X,Y).", "no rule"),
    ],
)
def test_any_value_within_a_function(rule: str, record: str) -> None:
    """What stands beside `_` is known."""
    text, _ = explained(f"b(P) :- q(P), a(n(_,P)). {rule}", {0: ["e(1,3)", "q(4)"]}, "b(X)", 0)
    assert record in text


@pytest.mark.parametrize(
    ("body", "term"),
    [
        ("r(9..3)", "9..3"),
        ("q(X), r(9..X)", "9..3"),
        ("q(X), r(9..X) in [3]", "9..3"),
        ("r(_) at 3..1", "3..1"),
        ("s(X), r(X+1)", "x+1"),
    ],
)
def test_what_has_no_value_in_an_atom(body: str, term: str) -> None:
    """There is no such atom."""
    text, found = explained(f"b :- {body}.", {0: ["r(1)", "q(3)", "s(x)"]}, "b", 0)
    assert text.endswith(f"{term} is undefined")
    assert found["explains"][0]["rules"][0]["failed"]["undefined"] == term


@pytest.mark.parametrize(
    "body",
    [
        "p(X,3..4)",
        "p(X,3..4) in [2]",
        "p(_,1..2) at most 0 in [2]",
        "p(X,X..3)",
        "p(f(_,3..4),_)",
        "r(X), p(Y,X..9)",
    ],
)
def test_intervals_beside_variables(body: str) -> None:
    """Each of their values is told of."""
    stream = {0: ["p(1,2)", "r(1)"], 1: ["p(1,7)", "r(3)"], 2: ["p(3,1)", "p(f(1,3),2)"]}
    for tick in stream:
        explained(f"b :- {body}.", stream, "b", tick)


def test_a_number_that_its_own_atom_binds() -> None:
    """Whatever the order of the literals is."""
    stream = {0: ["p(1)", "p(2)", "p(3)"], 1: ["p(2)"], 2: ["p(1)", "p(3)"]}
    for body in ("p(C) at least C in [4], p(C)", "p(C), p(C) at least C in [4]", "p(C) at C in [4], p(C)"):
        for atom in ("d(X)", "d(1)", "d(2)", "d(3)", "d(4)"):
            explained(f"d(C) :- {body}.", stream, atom, 2)


@pytest.mark.parametrize(
    "body",
    [
        "p(N,@now-4) in [2]",
        "p(N,@now-4), q(N)",
        "p(f(N,@now),_)",
        "p(N,@now..3) in [1]",
        "p(N,1+1)",
        "p(N,c-1) in [1]",
    ],
)
def test_terms_with_values_beside_variables(body: str) -> None:
    """The claims have their values: what `@now` is at the tick of evaluation, say."""
    stream = {0: ["p(1,2)"], 1: ["p(1,0)"], 2: ["p(2,0)", "p(3,1)"], 4: ["p(3,0)"]}
    for tick in range(5):
        _, found = explained(f"#const c = 2. d :- {body}.", stream, "d", tick)
        assert '"atom": "p(N,@' not in str(found)

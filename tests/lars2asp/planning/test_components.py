"""Components: which rules are evaluated together, in which order, and the predicates that they hand on."""

import pytest

from lars2asp.compiler import compile_program
from lars2asp.planning.plan import Component, Plan
from lars2asp.syntax.source import Source


def planned(text: str) -> Plan:
    return compile_program(Source("x.lars", text))


def derived(component: Component) -> str:
    return " ".join(sorted(signature.name for signature in component.derives))


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("a :- p. b :- a.", ["a", "b"]),
        ("a :- p. b :- q.", ["a b"]),
        ("a(X) :- p(X). b(Y) :- a(X), q(X+1,Y).", ["a", "b"]),
        ("r(X) :- p(X). r(Y) :- r(X), link(X,Y). s(X) :- r(X).", ["r", "s"]),
        ("a :- p, not b. b :- p, not a. c :- q. d :- a.", ["c", "a b d"]),
        ("a :- p. :- a, q.", ["a", ""]),
        ("#external e. a :- p.", ["a e"]),
    ],
)
def test_components_are_in_order(program: str, expected: list[str]) -> None:
    assert [derived(component) for component in planned(program).components] == expected


def test_only_the_last_component_may_have_several_answer_streams() -> None:
    plan = planned("a :- p. { b } :- a. c :- b.")
    assert [component.is_certain for component in plan.components] == [True, False]
    assert plan.components[1].delta_rules.refusal == "it may have several answer streams, or none"


def test_derived_atoms_enter_the_stream_at_once_where_every_tick_has_an_answer() -> None:
    assert {s.name for s in planned("a :- p. b :- a in [3].").published.at_once} == {"a"}
    assert {s.name for s in planned("a :- p. b :- a in [3]. :- b, q.").published.apart} == {"a", "b"}


@pytest.mark.parametrize(
    ("rule", "refusal"),
    [
        ("a(@now) :- p.", None),
        ("a :- p at @now in [3].", None),
        ("a :- p at @now-2.", None),
        ("a ; b :- p.", "it may have several answer streams, or none"),
        ("a at T :- p(T).", "a head that is not one atom (line 1)"),
        ("a :- p.\na :- b, q.\nb :- a.", None),
        ("a(0). a(X+1) :- a(X), X < 5.", None),
        ("a(0). a(X+1) :- a(X).", "recursion that builds terms without end"),
        ("a :- p.\na :- a in [2], q.", "recursion through a window (line 2)"),
        ("a(X) :- q(X), not 1 < X+1 < 3.", "arithmetic in a negated chain of comparisons (line 1)"),
        (
            "a(K) :- q(K), #count { X : r(X), not p(X) at least K in [3] } = 0.",
            "a negated `at least` with a number that varies, in a condition (line 1)",
        ),
        ("a(X) :- q(X), not p(X,_) in [3].", None),
    ],
)
def test_rules_that_delta_cannot_serve(rule: str, refusal: str | None) -> None:
    [component] = planned(rule).components
    assert component.delta_rules.refusal == refusal
    assert bool(component.delta_rules.rules) == (refusal is None)


def test_functions_of_the_user_keep_to_components_of_their_own() -> None:
    script = "#script (python)\ndef f(x): return x\n#end. "
    plan = planned(script + "a(X) :- p(X). b(@f(X)) :- p(X). c(X) :- q(X), r(@f(X)) : s.")
    assert [derived(component) for component in plan.components] == ["a", "b c"]
    assert [component.delta_rules.functions for component in plan.components] == [set(), {"f"}]

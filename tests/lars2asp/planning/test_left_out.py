"""Which rules are left out: those that no answer depends on."""

import pytest

from lars2asp.compiler import Overrides, compile_program
from lars2asp.planning.plan import Plan
from lars2asp.planning.translation import identity_of, translate
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source


def plan_of(text: str) -> Plan:
    return compile_program(Source("rules.lars", text))


def gone(text: str) -> list[int]:
    """The lines of the rules that are left out."""
    return [rule.location.line for rule in plan_of(text).left_out]


def test_what_nothing_shown_looks_at_is_left_out() -> None:
    plan = plan_of("""#show a/1.
        a(X) :- b(X) in [5].
        b(X) :- p(X), not c(X) in {3}.
        c(X) :- q(X).
        d(X) :- a(X), b(X) in [9].
        e(X,Y) :- d(X), d(Y).
        """)
    assert [rule.location.line for rule in plan.left_out] == [5, 6]
    derived = {str(one) for component in plan.components for one in component.derives}
    assert derived == {"a/1", "b/1", "c/1"}
    assert {str(one) for one in plan.reach} == {"b/1", "c/1"}
    assert plan.reach[next(one for one in plan.reach if one.name == "b")] == 5
    assert "e(X,Y)" not in plan.whole.program.text


@pytest.mark.parametrize("shows", ["", "#show t(X) : a(X).", "#show a/1. #show b/1."])
def test_nothing_is_left_out_where_all_is_shown(shows: str) -> None:
    assert gone(f"a(X) :- p(X). b(X) :- q(X). {shows}") == []


def test_where_nothing_is_shown_nothing_is_evaluated() -> None:
    plan = plan_of("#show. a :- p.\nb :- a in [3].")
    assert len(plan.left_out) == 2
    assert not plan.components


def test_shown_input_needs_no_rule() -> None:
    assert gone("#show p/1.\na(X) :- p(X).") == [2]


@pytest.mark.parametrize(
    "needing",
    [
        ":- h(X), not q(X).",
        ":- h(X) always in [3].",
        ":~ h(X). [X@1, X]",
        "#minimize { X : h(X) }.",
        "#show t(X) : h(X).",
        "{ a(X) : h(X) }.",
        "{ x(X) } :- h(X).",
        "x(X) ; y(X) :- h(X).",
        "x :- h(X), not y. y :- h(X), not x.",
        "#external x(X) : h(X).",
        "-x(X) :- h(X).",
        "x(@f(X)) :- h(X).",
        "#heuristic a(X) : h(X). [1, true]",
        "#project h/1. {x}.",
        "#edge (X,X) : h(X).",
        "a(X) :- p(X), N = #count { Y : h(Y) }, N > 3.",
        "a(X) :- p(X) : h(X); p(X).",
        "a(X) :- y(X) in [4]. y(X) at T+1 :- h(X) at T in [2].",
    ],
)
def test_what_may_change_answer_streams_is_evaluated(needing: str) -> None:
    """Whether anything shown looks at it or not, with all that it looks at."""
    functions = frozenset({"f"})
    text = f"#show a/1. a(X) :- q(X).\nh(X) :- p(X) in [7].\n{needing}\nidle(X) :- q(X) in [3]."
    plan = compile_program(Source("rules.lars", text), overrides=Overrides(functions=functions))
    assert 2 not in [rule.location.line for rule in plan.left_out]
    assert 3 not in [rule.location.line for rule in plan.left_out]


def test_what_depends_on_a_choice_stays() -> None:
    """Else another answer stream might be followed; what does not depend on it goes."""
    assert gone("#show a/1. a(X) :- q(X).\n{x}.\ny :- x in [4].\nz :- y in {1}.\nz(X) :- p(X) in [4].") == [
        4,
        5,
    ]


def test_what_speaks_of_the_contrary_of_a_predicate_stays() -> None:
    text = "#show a/1. a(X) :- q(X).\nb(X) :- p(X).\nc(X) :- -b(X).\nd(X) :- p(X) in [3]."
    assert gone(text) == [4]


def test_nothing_is_left_out_that_is_to_be_explained() -> None:
    text = "#show a/1. a(X) :- p(X). b(X) :- a(X)."
    assert compile_program(Source("rules.lars", text), explained=True).left_out == ()


def test_rules_that_are_left_out_distinguish_programs() -> None:
    """The text by which they are is that of the plan with all rules."""
    one, other = (plan_of(f"#show a/1. a(X) :- p(X). b(X) :- a(X) in [{size}].") for size in (1, 2))
    assert identity_of(one) != identity_of(other)
    assert identity_of(one) == identity_of(translate(one.program, one.semantics, with_all=True))


@pytest.mark.parametrize("semantics", Semantics)
def test_either_reading_of_windows(semantics: Semantics) -> None:
    text = "#show a/1. a(X) :- b(X) in [2]. b(X) at T :- p(X) at T in [3].\nc(X) :- a(X)."
    assert gone(f"#semantics {semantics}. {text}") == [2]

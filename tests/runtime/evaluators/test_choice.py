"""The choice of an evaluator for each component."""

import pytest

from lars2asp.compiler import Overrides, compile_program
from lars2asp.planning.plan import Plan
from lars2asp.runtime.errors import EvaluatorError
from lars2asp.runtime.evaluators.choice import assign, assign_in_parts, needed
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.syntax.source import Source
from tests.support.evaluating import serving

MANY_FACTS = " ".join(f"link({i},{i + 1})." for i in range(1000))


def planned(text: str) -> Plan:
    return compile_program(Source("x.lars", text))


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("a(X) :- p(X) in [5].", ["delta"]),
        ("a(X) :- p(X). a(Y) :- a(X), q(X,Y).", ["delta"]),
        ("a(X) :- p(X). a(Y) :- a(X) in [1], q(X,Y).", ["external"]),
        ("a(X) :- p(X). { b(X) } :- a(X).", ["delta", "external"]),
        ("{ b(X) } :- p(X). s(S) :- S = #sum { X : b(X) }.", ["oneshot"]),
        ("{ b(X) } :- p(X). s(S) :- p(S), S = #sum+ { X : b(X) }.", ["oneshot"]),
        ("{ b(X) } :- p(X). n(N) :- N = { b(X) }.", ["oneshot"]),
        (
            "{ b(X) } :- p(X). s :- 3 < #sum { X : b(X) }. n(N) :- p(N), #count { X : b(X) } > N.",
            ["external"],
        ),
        ("a(@now) :- p.", ["delta"]),
        ("a(@now) :- p. a(X) :- a(X) in [1], q(X).", ["oneshot"]),
        (f"a(@now,Y) :- p(X), link(X,Y). a(X,Y) :- a(X,Y) in [1], q(X). {MANY_FACTS}", ["stamped"]),
        ("#external e. [true] a :- e.", ["oneshot"]),
    ],
)
def test_each_component_has_its_evaluator(program: str, expected: list[str]) -> None:
    assert [str(one.evaluator) for one in assign(planned(program), EvaluatorName.AUTO)] == expected


def test_oneshot_takes_the_whole_program() -> None:
    plan = planned("a :- p. { b } :- a.")
    assert [one.component for one in assign(plan, EvaluatorName.ONESHOT)] == [plan.whole]
    assert [one.component for one in assign_in_parts(plan)] == [*plan.components]


def test_evaluators_that_cannot_serve_are_refused() -> None:
    plan = planned("a :- p. { b } :- a, p at T in [3], T < @now.")
    with pytest.raises(EvaluatorError, match="delta cannot serve this program: it may have several"):
        assign(plan, EvaluatorName.DELTA)
    assert serving(plan) == [EvaluatorName.AUTO, EvaluatorName.ONESHOT, EvaluatorName.STAMPED]


def test_demands_on_the_database() -> None:
    plan = planned("a(X) :- p(X) in [5]. b(X) :- a(X) in [3]. c :- q at _.")
    whole = needed(plan, assign(plan, EvaluatorName.ONESHOT))
    parts = needed(plan, assign(plan, EvaluatorName.AUTO))
    reach = {str(signature): ticks for signature, ticks in whole.reach.items()}
    assert reach == {"p/1": 5, "a/1": 3, "q/0": None}
    assert parts.reach == whole.reach
    assert {signature.name for signature in whole.recorded} == {"a"}
    assert {signature.name for signature in parts.published.at_once} == {"a"}


@pytest.mark.parametrize(
    ("pure", "expected"),
    [((), ["external", "external"]), (("f",), ["delta", "external"]), (("f", "g"), ["delta"] * 2)],
)
def test_functions_that_are_declared_pure_are_for_delta(pure: tuple[str, ...], expected: list[str]) -> None:
    source, known = (
        Source("x.lars", "a(@f(X)) :- p(X). b(@g(X)) :- a(X)."),
        Overrides(functions=frozenset("fg")),
    )
    plan = compile_program(source, overrides=known)
    assert [str(one.evaluator) for one in assign(plan, EvaluatorName.AUTO, pure)] == expected
    if len(pure) < 2:
        with pytest.raises(EvaluatorError, match="is not declared pure"):
            assign(plan, EvaluatorName.DELTA, pure)

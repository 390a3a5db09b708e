"""Deep terms and long bodies: each evaluator that serves a program gives the same answers."""

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lars2asp.compiler import compile_program
from lars2asp.runtime.errors import EvaluatorError
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.syntax.source import Source
from tests.support.examples import IS_NIGHTLY, number_of_examples

_DEEP = 140
_MANY = 2000 if IS_NIGHTLY else 400
"""The number of literals of the longest bodies, for which Python's limits are some hundred."""
_PROGRAMS = number_of_examples(15) // 5
"""The number of random programs, of which one takes a second: 200 by `make nightly`."""


def _all_answers(program: str, stream: Sequence[tuple[int, list[str]]]) -> list[list[str]]:
    """The answers, tick by tick, which are the same for each evaluator that serves a program."""
    plan = compile_program(Source("large.lars", program))
    found: dict[EvaluatorName, list[list[str]]] = {}
    for name in EvaluatorName:
        try:
            reasoner = Reasoner(plan, evaluator=name)
        except EvaluatorError:
            continue
        answers = reasoner.run(stream, until=stream[-1][0] + 1, emit="every")
        found[name] = [sorted(answer.holds.texts) for answer in answers]
    first = found[EvaluatorName.ONESHOT]
    assert {name: one for name, one in found.items() if one != first} == {}
    return first


def _nested(text: str, opening: str = "f(", closing: str = ")", depth: int = _DEEP) -> str:
    return opening * depth + text + closing * depth


@pytest.mark.parametrize(
    "program",
    [
        f"q({_nested('X')}) :- p(X).",
        f"q({_nested('X', '(', ',1)')}) :- p(X).",
        f"q({_nested('X', '-(')}) :- p(X).",
        f"q({_nested('X')}) :- p(X). s(X) :- q({_nested('X')}).",
        f"q({_nested('X')}) :- p(X). s(X) :- q({_nested('X')}) in [3], not q({_nested('X')}) in {{1}}.",
        f"q({_nested('X')}) :- p(X). s(X) :- q(Z), Z = {_nested('X')}.",
        f"q({_nested('X')}) :- p(X). q(X) :- q({_nested('X')}).",
        f"q({_nested('1')}). s(X) :- p(_), q({_nested('X')}).",
        f"s(N) :- p(_), N = #count {{ {_nested('X')} : p(X) }}.",
        f"q({_nested('1')}). s :- p(_), q({_nested('X')}) : p(X).",
        f"q({_nested('1', '(X&', depth=40)}) :- p(X).",
        f"q(Y) :- p(X), Y = {_nested('X', '(1+', depth=60)}.",
        f"q({_nested('2', '(1;')}) :- p(X).",
        f"s(X) :- {_nested('p(X)', '(', ') in [1]', 70)}.",
    ],
)
def test_deep_nesting_runs_on_every_evaluator(program: str) -> None:
    answers = _all_answers(program, [(0, ["p(1)"]), (2, ["p(2)"])])
    assert any(answers)


_STREAM = [
    (0, ["g", "p(1)", "e(1,1)"]),
    (1, ["g", "e(1,2)", "e(2,1)", *(f"p({number})" for number in range(_MANY))]),
    (2, ["g"]),
    (3, ["g", f"p({_MANY - 1})"]),
]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("a :- {}.".format(", ".join(f"p({one})" for one in range(_MANY))), [1]),
        ("a :- g, {}.".format(", ".join(f"not p({one})" for one in range(2, 300))), [0, 2, 3]),
    ],
)
def test_bodies_of_many_literals_run_on_every_evaluator(program: str, expected: list[int]) -> None:
    answers = _all_answers(program, _STREAM)
    assert [tick for tick, atoms in enumerate(answers) if atoms] == expected


@pytest.mark.parametrize(
    "body",
    [
        ", ".join(f"e(X{one},X{one + 1})" for one in range(60)),
        ", ".join(f"e(X0,Y{one})" for one in range(25)),
        "p(X0), " + ", ".join(f"X{one + 1} = X{one}+1" for one in range(120)),
        "g, " + ", ".join(f"X{one} = 0..1, X{one} = 1" for one in range(60)) + ", p(X0)",
        "p(X0), " + ", ".join(f"X0 != {one}" for one in range(5, 120)),
        "p(X0), " + ", ".join(f"{one} != #count {{ X : p(X), X > {one} }}" for one in range(30)),
        "p(X0), N = #count { X : p(X), " + ", ".join(f"not e(X,{one})" for one in range(2, 60)) + " }",
    ],
)
def test_long_bodies_run_on_every_evaluator(body: str) -> None:
    stream = [(0, ["g", "p(1)", "e(1,1)"]), (1, ["p(1)", "p(7)", "e(1,7)"]), (3, ["g", "p(3)"])]
    assert any(_all_answers(f"a(X0) :- {body}.", stream))


_LITERALS = st.sampled_from(
    [
        "p({x})",
        "e({x},{y})",
        "e({x},{y})",
        "not p({y})",
        "not e({y},{x})",
        "{y} != {x}",
        "{y} < 4",
        "e({x},Z{n}), Z{n} < 3",
        "W{n} = {x}+1, not p(W{n})",
        "W{n} = 0..{y}, p(W{n})",
        "N{n} = #count {{ V : e({x},V) }}, N{n} <= 2",
        "p({x}) in [2]",
        "not p({y}) in {{1}}",
    ]
)


@settings(max_examples=_PROGRAMS, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.tuples(_LITERALS, st.integers(0, 5), st.integers(0, 5)), min_size=41, max_size=60),
    st.lists(st.lists(st.sampled_from(["p(0)", "p(1)", "e(0,0)", "e(0,1)", "e(1,0)", "e(1,1)"])), min_size=1),
)
def test_random_long_bodies(literals: list[tuple[str, int, int]], stream: list[list[str]]) -> None:
    """Bodies that are split, with all kinds of literals, in any order."""
    parts = [text.format(x=f"X{x}", y=f"X{y}", n=n) for n, (text, x, y) in enumerate(literals)]
    domain = ", ".join(f"d(X{one})" for one in range(6))
    program = f"d(0..1). a(X0,X3) :- {', '.join(parts)}, {domain}. b(X1) :- not a(X1,_), d(X1)."
    _all_answers(program, [*enumerate(stream)])

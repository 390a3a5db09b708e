"""Operations without a value, at ticks with and without wide numbers: the answers are those of clingo.

Narrow ticks are evaluated by text for clingo's numbers, others by wide text; see `wide_arithmetic`.
"""

import pytest
from clingo import Control
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner
from tests.support.examples import number_of_examples

EXAMPLES = number_of_examples(30)
"""The number of random programs: 2,000 by `make nightly`."""
BEYOND = "big(3000000000)"
_SETS = frozenset[frozenset[str]]


def clingo_has(program: str, facts: list[str]) -> _SETS:
    """The answer sets that clingo finds, the derived atoms of which are `o` and `q`."""
    control = Control(["--models=0"], logger=lambda code, message: None)
    control.add("base", [], f"{program} {' '.join(f'{fact}.' for fact in facts)} {_SHOWN}")
    control.ground([("base", [])])
    found: set[frozenset[str]] = set()
    control.solve(on_model=lambda model: found.add(frozenset(map(str, model.symbols(shown=True)))))
    return frozenset(found)


_SHOWN = "#defined h/1. #show q/0. #show o/1. #show o/2."


def answered(program: str, facts: list[str], evaluator: EvaluatorName, *, is_wide: bool) -> _SETS:
    """The answer sets at a tick, of a program that a wide number belongs to or not."""
    wide = "#external w. q :- w, big(X+1)."  # in one component with all else
    given = [*facts, *([BEYOND] if is_wide else [])]
    text = f"#types s(any). {program} {wide} {_SHOWN}"
    answer = Reasoner.from_text(text, models=0, evaluator=evaluator).step(0, given)
    return frozenset(frozenset(model.texts) for model in answer.models)


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("p0 ; o(Z+1) : s(Z). q :- h(-1), not p0.", [[]]),
        ("o(Z+1) : s(Z). q :- h(-1).", [[]]),
        ("q ; o(-Z) : s(Z).", [["q"], ["o(-2)"], ["o(-a)"]]),
        ("q ; o(1..Z+1) : s(Z).", [["q"], ["o(1)", "o(2)", "o(3)"]]),
        ("q :- o(Z+1) : s(Z). { o(3) }.", [[], ["o(3)"]]),
    ],
)
@pytest.mark.parametrize("is_wide", [False, True])
def test_undefined_instances_before_a_colon(
    program: str, expected: list[list[str]], *, is_wide: bool
) -> None:
    facts = ["s(2)", "s(a)"]
    sets = frozenset(map(frozenset, expected))
    assert clingo_has(program, facts) == sets
    assert answered(program, facts, EvaluatorName.ONESHOT, is_wide=is_wide) == sets


_TERMS = st.sampled_from(["Z+1", "Z", "-Z", "2*Z-1", "Z*Z", "f(Z+1)", "|Z|", "1/(Z-2)", "-1", "3", "Z+1-1"])
_TESTS = ["Z+1 > 2", "not Z+1 > 2", "Z != a", "h(-1)", "not h(Z-3)", "h(Z)", "Z*2 <= 4", "not o(Z+1)"]


@st.composite
def _elements(draw: DrawFn) -> str:
    """A literal before a colon, with a condition that binds Z."""
    sign = draw(st.sampled_from(["", "", "not ", "not not "]))
    tests = draw(st.lists(st.sampled_from(_TESTS), max_size=1))
    atom = draw(st.sampled_from([f"o({draw(_TERMS)})", f"o({draw(_TERMS)},{draw(_TERMS)})"]))
    return f"{sign}{atom} : {', '.join(['s(Z)', *tests])}"


@st.composite
def _rules(draw: DrawFn) -> str:
    element = draw(_elements())
    plain = element.removeprefix("not ").removeprefix("not ")
    function = draw(st.sampled_from(["#count", "#sum", "#min"]))
    return draw(
        st.sampled_from(
            [
                f"q ; {element}.",
                f"q ; {element} :- not h(-1).",
                f"{{ {plain} }}.",
                f"{{ {plain} ; q }} = 1.",
                f"q :- {element}.",
                f"q :- h(-1); {element}.",
                f"q :- 1 {{ {element} }}.",
                f"q :- {function} {{ {draw(_TERMS)} : s(Z), {draw(st.sampled_from(_TESTS))} }} > 1.",
                f"o({draw(_TERMS)}) :- s(Z), {draw(st.sampled_from(_TESTS))}.",
            ]
        )
    )


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    st.lists(_rules(), min_size=1, max_size=2),
    st.lists(st.sampled_from(["s(2)", "s(a)", "s(-1)", "s(3)", "h(-1)", "h(2)"]), max_size=4, unique=True),
    st.sampled_from([EvaluatorName.ONESHOT, EvaluatorName.EXTERNAL, EvaluatorName.AUTO]),
)
def test_answers_are_those_of_clingo(rules: list[str], facts: list[str], evaluator: EvaluatorName) -> None:
    program = " ".join([*rules, "{ o(2) ; o(3) ; o(3,2) }."])
    expected = clingo_has(program, facts)
    assert answered(program, facts, evaluator, is_wide=False) == expected
    assert answered(program, facts, EvaluatorName.ONESHOT, is_wide=True) == expected

r"""Arithmetic that clingo evaluates whatever the numbers are: text in, text out, and the same values."""

from itertools import product

import pytest
from clingo import Control

from lars2asp import Reasoner, compile_program
from lars2asp.externals.terms.arithmetic import operation
from lars2asp.syntax.nodes import LARGEST_INTEGER, SMALLEST_INTEGER
from lars2asp.syntax.source import Source

EDGES = [SMALLEST_INTEGER, SMALLEST_INTEGER + 1, -46341, -3, -2, -1, 0, 1, 2, 3, 65536, LARGEST_INTEGER]


def translated(statement: str) -> str:
    """The line of the plan for a statement."""
    plan = compile_program(Source("x.lars", statement))
    return next(line.text for line in plan.whole.program.lines if line.origin.begin == 0)


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("a(X/Y) :- p(X,Y).", "a(X/|Y|*(Y/|Y|)) :- p(X,Y)."),
        (r"a(X\Y) :- p(X,Y).", r"a(X\|Y|) :- p(X,Y)."),
        ("a(X/2,7/X) :- p(X).", "a(X/2,7/X) :- p(X)."),
        ("a(X/-1) :- p(X).", "a(X/|-1|*(-1/|-1|)) :- p(X)."),
        ("a(-2147483648/X) :- p(X).", "a(-2147483648/|X|*(X/|X|)) :- p(X)."),
        ("a(X) :- p(5-X).", "a(X) :- p(LARS_1+5), LARS_1 = -X."),
        ("a(X) :- p(5-X,f(1-X)).", "a(X) :- p(LARS_1+5,f(LARS_1+1)), LARS_1 = -X."),
        ("a(X) :- p(5-_), q(X).", "a(X) :- p(_+5), q(X)."),
        ("a(X) :- p(X), not p(5-X).", "a(X) :- p(X), not p((5-X)/1)."),
        ("a(5-X) :- p(X).", "a((5-X)/1) :- p(X)."),
        ("a(X) :- p(X), 5-X < 3.", "a(X) :- p(X), 5-X < 3."),
        ("a(X) :- p(X), q(Y), Y = 5-X.", "a(X) :- p(X), q(Y), Y = LARS_1+5, LARS_1 = -X."),
        ("a :- p(5-X): q(X).", "a :- p((5-X)/1): q(X)."),
        ("a :- p(5-X,X): q.", "a :- p(LARS_1+5,-LARS_1): q."),
        ("a(X+1,-X,2-3) :- p(X-1,2*X).", "a(X+1,-X,2-3) :- p(X-1,2*X)."),
    ],
)
def test_what_could_end_the_process_is_written_in_another_way(statement: str, line: str) -> None:
    assert translated(statement) == line


@pytest.mark.parametrize("operator", ["/", "\\"])
def test_divisions_have_the_same_values(operator: str) -> None:
    line = translated(f"a(X,Y,X{operator}Y) :- p(X,Y).")
    control = Control(logger=lambda code, message: None)
    facts = "".join(f"p({one},{other})." for one, other in product(EDGES, EDGES))
    control.add("base", [], facts + line)
    control.ground([("base", [])])
    found = {
        tuple(argument.number for argument in atom.symbol.arguments)
        for atom in control.symbolic_atoms.by_signature("a", 3)
    }
    values = ((one, other, operation(operator, one, other)) for one, other in product(EDGES, EDGES))
    expected = {value for value in values if value[2] is not None}
    assert {one for one in found ^ expected if one[:2] != (SMALLEST_INTEGER, -1)} == set()


@pytest.mark.parametrize("evaluator", ["oneshot", "stamped", "external", "delta"])
def test_messages_speak_of_what_was_written(evaluator: str, caplog: pytest.LogCaptureFixture) -> None:
    program = """#const k = 3.
a(X-k,Y/Z) :- p(X,Y,Z).
b(Y/(X/k)) :- p(X,Y,_).
c(X) :- q(Y), p(X,_,_), Y = 5-X.
#types p(any,any,any).
"""
    reasoner = Reasoner.from_text(program, evaluator=evaluator)
    reasoner.step(0, ["p(2,0,1)", "p(1,1,0)", "p(1,1,d)", "p(c,1,1)", "q(1)"])
    said = {
        (record.message.split(": info: ")[0], record.message.split("  ")[-1]) for record in caplog.records
    }
    assert said == {
        ("<text>:2:1-24", "(X+-3)"),
        ("<text>:2:1-24", "(Y/Z)"),
        ("<text>:3:1-24", "(X/3)"),
        ("<text>:3:1-24", "(Y/(X/3))"),
        ("<text>:4:1-33", "(-1*X+5)"),
    }


@pytest.mark.parametrize("evaluator", ["oneshot", "stamped", "external", "delta", "auto"])
@pytest.mark.parametrize(
    "body",
    [
        "p(X), Y*(-1) = Y",
        "p(X), Y = -1*Y",
        "p(X), -1*Y-0 = -3*Y",
        "X*1+-(3*Y) = -(1*Y)-4, X = -1..3, p(X)",
        "-3 <= X, X <= 3, 2-Y = X+Y",
        "p(X), (-Y) = (3*Y-4)",
    ],
)
def test_variables_of_both_sides_of_an_equation_are_bound(body: str, evaluator: str) -> None:
    """Also where one of them is subtracted: the bounds that the equation gives say which numbers."""
    rule, facts = f"q(X,Y) :- {body}.", ["p(1)", "p(2)", "p(-2)"]
    control = Control()
    control.add("base", [], ". ".join(facts) + f". {rule}")
    control.ground([("base", [])])
    expected = sorted(str(one.symbol) for one in control.symbolic_atoms.by_signature("q", 2))
    answer = Reasoner.from_text(rule, evaluator=evaluator).step(0, facts)
    assert sorted(answer.holds.texts) == expected != []

"""Pools are written out: text in, text out."""

import pytest

from lars2asp.compiler import read_program
from lars2asp.syntax.nodes import Pool
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from lars2asp.syntax.traversal import walk
from tests.support.programs import parse_text, said


@pytest.mark.parametrize(
    ("statement", "written"),
    [
        ("p(1;2).", ["p(1).", "p(2)."]),
        ("p(1;2,3).", ["p(1).", "p(2,3)."]),
        ("a :- p(X;Y), q((X;Y)).", [f"a :- p({x}), q({y})." for x in "XY" for y in "XY"]),
        ("a :- p(1;2) in [3].", ["a :- p(1) in [3].", "a :- p(2) in [3]."]),
        ("{ p(1;2) : q(3;4) }.", ["{ p(1): q(3); p(1): q(4); p(2): q(3); p(2): q(4) }."]),
        ("a :- #count { X : p(X;1) } > 2.", ["a :- #count { X: p(X); X: p(1) } > 2."]),
        ("#show p/1.", ["#show p/1."]),
    ],
)
def test_pools_are_written_out(statement: str, written: list[str]) -> None:
    program = read_program(Source("x.lars", statement))
    assert [to_text(one) for one in program.statements] == written


def test_the_parser_keeps_pools() -> None:
    [statement] = parse_text("p(1;2).").statements
    assert any(isinstance(node, Pool) for node in walk(statement))


def test_alternatives_that_leave_a_variable_unbound() -> None:
    assert "give X a value in every alternative of the pool" in said("a(X;1) :- b, c : p(X).")


def test_pools_that_multiply_nothing_may_be_long() -> None:
    numbers = ";".join(map(str, range(10_000)))
    assert said(f"a({numbers}).") == "\n"
    assert said(f"a({numbers[:1000]}9,1;2).") == "\n"

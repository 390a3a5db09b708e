"""Arguments as columns: their names, and which are always integers."""

import pytest

from lars2asp.analysis.argument_columns import argument_columns, types_with_integers
from lars2asp.compiler import checked_program
from lars2asp.syntax.nodes import Input, Signature
from lars2asp.syntax.source import Source

INPUT = "#input r(room, t*10, n, int(m)). #const c = 3. "


@pytest.mark.parametrize(
    ("rules", "columns"),
    [
        ("a(R,T) :- r(R,T,_,_).", ["R", "T int"]),
        ("a(R,T) :- r(R,T,_,_) in [3].", ["R", "T int"]),
        ("a(X,Y) :- r(_,_,X,Y).", ["X", "Y int"]),
        ("a(X,Y+1) :- r(X,_,_,Y).", ["X", "a2 int"]),
        ("a(R,T) :- r(R,T,_,_). a(R,U) :- r(R,U,_,_).", ["R", "a2 int"]),
        ("a(R,T) :- r(R,T,_,_). a(c,c).", ["a1", "a2 int"]),
        ('a(X,X) :- r(X,_,_,_). a(1,"b").', ["a1", "a2"]),
        ("a(N,M) :- N = #count { R : r(R,_,_,_) }, M = #min { T : r(_,T,_,_) }.", ["N int", "M"]),
        ("a(X,Y) :- b(X), b(Y). b(X) :- r(_,X,_,_). b(X-1) :- b(X), X > 0.", ["X int", "Y int"]),
        ("a(X,Y) :- b(X), b(Y). b(X) :- r(_,X,_,_). b(d) :- b(0).", ["X", "Y"]),
        ("a(R,N) :- r(R,_,_,_) count N in [9].", ["R", "N int"]),
        ("a(R,T) :- r(R,_,_,_) at T in [9].", ["R", "T int"]),
        ("a(R,@now) :- r(R,_,_,_).", ["R", "a2 int"]),
        ("a(R,@f(T)) :- r(R,T,_,_). #script (python)\ndef f(x): return x\n#end.", ["R", "a2"]),
        ("a(-R,-T) :- r(R,T,_,_).", ["a1 int", "a2 int"]),
        ("a(X,Y) :- r(X,T,_,_), Y = -X.", ["X", "Y int"]),
        ("a(X,Y) :- r(X,T,_,_), Y = T * 2, X != Y.", ["X", "Y int"]),
        ("a(N,T) :- r(_,_,N,T), N > 2. #types r(_,_,integer,_).", ["N int", "T int"]),
        ("a(X,Y) :- r(_,X,_,_), not q(Y), q(Y) in [1].", ["X int", "Y"]),
    ],
)
def test_derived(rules: str, columns: list[str]) -> None:
    assert columns_of(rules, "a", 2) == columns


def test_declared() -> None:
    """What rules derive besides rows counts, too."""
    assert columns_of("a :- r(_,_,_,_).", "r", 4) == ["room", "t int", "n", "m int"]
    assert columns_of("r(R,d,1,2) :- r(R,_,_,_).", "r", 4) == ["R", "a2", "a3", "a4 int"]


def columns_of(rules: str, name: str, arity: int) -> list[str]:
    checked = checked_program(Source("<text>", INPUT + rules))
    program = checked.program
    given = [
        (one, column)
        for one in program.every(Input)
        for column in one.columns
        if column.scale is not None or column.conversion == "int"
    ]
    found = argument_columns(program, Signature(name, arity), types_with_integers(program, given))
    return [column.name + " int" * column.is_integer for column in found]

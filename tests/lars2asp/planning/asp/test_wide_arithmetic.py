"""Text in which numbers may have any size: statement in, line out."""

import re

import pytest

from lars2asp import compile_program
from lars2asp.syntax.source import Source

NOT_SMALL = re.compile(r", not \(-\d+,\) <= \(\w+,\) <= \(\d+,\)")


def written(statement: str, uncertain: bool = False) -> str:
    """The line for a statement; if it is divided, that for numbers which are not small."""
    return NOT_SMALL.sub("", lines_of(statement, uncertain)[-1])


def lines_of(statement: str, uncertain: bool = False) -> list[str]:
    """The lines for a statement."""
    program = compile_program(Source("x.lars", statement)).whole.program
    predicates = frozenset(program.ranges.signatures) if uncertain else frozenset()
    wide = program.wide(1, predicates)
    lines = zip(wide.text.splitlines(), wide.origins, strict=True)
    return [one for one, origin in lines if not (origin.begin or one.startswith("#show") or "_told(" in one)]


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("a(X+1) :- p(X).", "a(@lars_computed(0,X,1)) :- p(X)."),
        ("a(X) :- p(X), X < 3.", 'a(X) :- p(X), @lars_holds(X,"<",3) = 1.'),
        ("a(X) :- p(X), q(Y), X = Y.", "a(X) :- p(X), q(Y), Y = X."),
        ("a(X) :- p(X+1).", "a(X) :- p(LARS_1), X = @lars_solved(1,1,LARS_1)."),
        ("a(X) :- p(5-2*X).", "a(X) :- p(LARS_1), X = @lars_solved(-2,5,LARS_1)."),
        ("a(X) :- p(-X).", "a(X) :- p(LARS_1), X = @lars_computed(0,LARS_1)."),
        ("a(X) :- p(f(X+1)).", "a(X) :- p(f(LARS_1)), X = @lars_solved(1,1,LARS_1)."),
        ("a(X) :- p(X), not p(X+1).", "a(X) :- p(X), not p(@lars_computed(0,X,1))."),
        ("a(4294967296).", 'a(@lars_number("4294967296")).'),
        ("a(2**40,-5).", 'a(@lars_number("1099511627776"),-5).'),
        ("a(X) :- p(Y), X+1 = Y.", "a(X) :- p(Y), LARS_1 = Y, X = @lars_solved(1,1,LARS_1)."),
        ("a(X) :- p(Y), X = Y*2.", "a(X) :- p(Y), X = @lars_computed(0,Y,2)."),
        ("a(X) :- p(Y), X = Y..Y+1.", "a(X) :- p(Y), X = @lars_range(0,Y,@lars_computed(1,Y,1))."),
        ("a(X) :- 1 <= X, X < 4, p.", "a(X) :- p, X = @lars_range(0,1,3), %."),
        ("a(X) :- p(X), 1 < X < 4.", 'a(X) :- p(X), @lars_holds(1,"<",X) = 1, @lars_holds(X,"<",4) = 1.'),
        ("a(X) :- p(X), not 1 < X < 4.", 'a(X) :- p(X), @lars_holds(1,"<",X,"<",4) = 0.'),
        ("a(N) :- N = #count { X : p(X) }.", "a(N) :- LARS_1 = #count { X: p(X) }, N = LARS_1."),
        (
            "a :- p(Y), #max { X : q(X) } > Y.",
            "a :- p(Y), #max { @lars_ordered(X),X: q(X) } > @lars_ordered(Y).",
        ),
    ],
)
def test_what_is_written(statement: str, line: str) -> None:
    found = written(statement)
    if "%" in line:
        before, behind = line.split("%")
        assert found.startswith(before)
        assert found.endswith(behind)
    else:
        assert found == line


def test_sums_are_divided_into_digits_where_all_is_known() -> None:
    found = written("a(S) :- S = #sum { X,Y : p(X,Y) }.")
    small = "p(X,Y), (-1073741824,) <= (X,) <= (1073741824,)"
    assert f'LARS_2 = #sum {{ 1,X,Y: {small}; @lars_digit(1,-1,"",X),X,Y: p(X,Y) }}' in found
    assert f'LARS_3 = #sum {{ X/1\\4096,X,Y: {small}; @lars_digit(1,0,"",X),X,Y: p(X,Y) }}' in found
    assert "LARS_1 = @lars_total(0,LARS_2,LARS_3)" in found


def test_elsewhere_their_weights_are_watched() -> None:
    found = written("a :- p(Y), #sum { X,Y : p(X) } > Y. { p(1) }.", uncertain=True)
    assert "#sum { @lars_weight(0,(Y,),X,Y),Y: p(X) } > @lars_bound(Y)" in found

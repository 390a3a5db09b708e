"""Printed programs parse to what they were, and plain ones are to clingo what their text was."""

from clingo.ast import AST, ASTType, parse_string
from hypothesis import HealthCheck, given, settings

from lars2asp.syntax.nodes import Program
from lars2asp.syntax.printer import to_text
from tests.strategies import programs
from tests.support.examples import number_of_examples
from tests.support.programs import parse_text
from tests.support.syntax_strategies import syntactic_programs

EXAMPLES = number_of_examples(30)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(syntactic_programs(streaming=True))
def test_random_syntax_survives_printing(program: Program) -> None:
    """parse(print(s)) == s for any syntax."""
    assert parse_text(to_text(program)) == program


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs())
def test_random_programs_survive_printing(text: str) -> None:
    """parse(print(parse(t))) == parse(t) for texts as people write them."""
    program = parse_text(text)
    assert parse_text(to_text(program)) == program


def _as_clingo_sees(text: str) -> list[AST]:
    seen: list[AST] = []
    parse_string(text, seen.append)
    return [node for node in seen if node.ast_type is not ASTType.Comment]


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(syntactic_programs(streaming=False))
def test_plain_programs_mean_the_same_to_clingo(program: Program) -> None:
    """Without streaming atoms our text is clingo's, and what we read of it prints to the same for clingo."""
    text = to_text(program)
    assert _as_clingo_sees(to_text(parse_text(text))) == _as_clingo_sees(text)


PLAIN = r"""
p(1..3). q(X,Y) :- p(X), p(Y), X < Y, not r(X). % comment
:- p(X), not not q(X,_), X = 2*3-1.
%* block %* nested *% *%
s("a\"b\\c\n") :- 1 < 2 <= 3; #true.
t((),(1,),(a,b),f(g(X),-X)) :- p(X), X != -3, |X-4| > 1.
n(-2**2, 1..2..3, 7\2, 6&3, 6?3, 6^3, ~1) :- not p(9).
c(N) :- N = #count { X,Y : q(X,Y), not p(Y) ; 1 }, 3 < #sum { X : p(X) } < 9, 2 #max { X : p(X) } 4.
-u(X) :- p(X), -v(X). in(X) :- at(X), always(X), not not count(X).
#show q/2. #show -u/1. #show. #const k = 4+1. #defined zz/3. x(0x1F,0b11,0o17) :- not p(0).
a. a :- . :- . b:-a;b.  'c' :- a.
""".replace("'c'", "c'")


def test_clingo_sees_the_same_in_our_text_as_in_the_user_s() -> None:
    """Statement by statement, over every plain construct of the core."""
    assert _as_clingo_sees(to_text(parse_text(PLAIN))) == _as_clingo_sees(PLAIN)

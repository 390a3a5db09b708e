"""The types of the arguments of predicates."""

import pytest

from lars2asp.analysis.argument_types.type_texts import type_declarations_of, type_lines
from lars2asp.compiler import checked_program
from lars2asp.syntax.source import Source

TABLE = "#tick 1 sec.\n#input reading(text(room), number(temp), constant(state), plain) at ts.\n"


def types(program: str) -> list[str]:
    """What could be declared of the types of a program."""
    return [*type_declarations_of(checked_program(Source("x.lars", program)).types)]


@pytest.mark.parametrize(
    ("program", "declared"),
    [
        ("p(1). p(2). q(a,f(1)). r(\"x\",(1,2)).", ["p(integer)", "q(name,term)", "r(text,term)"]),
        ("p(1). p(a). q(X) :- p(X), r(X).", []),
        (TABLE, ["reading(text,integer,name,_)"]),
        (TABLE + "a(R,T+1,S) :- reading(R,T,S,_).", ["reading(text,integer,name,_)", "a(text,integer,name)"]),
        (TABLE + "a(P) :- reading(_,P,_,P).", ["reading(text,integer,name,_)", "a(integer)"]),
        ("#decimals t(_,1). hot(B,T) :- t(B,T), T > 2.5.", ["t(_,decimal(1))", "hot(_,decimal(1))"]),
        ("#types t(text,decimal(1)). hot(B,T) :- t(B,T).", ["t(text,decimal(1))", "hot(text,decimal(1))"]),
        ("#types t(any,_,time). a(X,Y,Z) :- t(X,Y,Z).", ["t(_,_,time)", "a(_,_,time)"]),
        ("n(N,T) :- N = #count { X : p(X) }, r at T.", ["n(integer,integer)"]),
        ("m(M) :- M = #max { X : p(X) }. p(a).", ["m(name)", "p(name)"]),
        ("#const k = 3. #const w = \"x\". p(k,w,l).", ["p(integer,text,name)"]),
        ("path(X,Y) :- e(X,Y). path(X,Z) :- path(X,Y), e(Y,Z). e(a,b).", ["path(name,name)", "e(name,name)"]),
        ("n(0). n(s(X)) :- n(X), p(X) in [3].", []),
        ("{ c(X,1) : d(X) }. d(\"x\").", ["c(text,integer)", "d(text)"]),
        ("p(-1). p(|-3|). q(1..3). q(-a).", ["p(integer)"]),
        ("a(@f(1)) :- b. #script (python)\ndef f(x): return x\n#end.", []),
    ],
)  # fmt: skip
def test_types_come_from_all_that_gives_values(program: str, declared: list[str]) -> None:
    assert types(program) == [f"#types {one}." for one in declared]


def test_each_type_has_what_says_it() -> None:
    program = (
        "#input reading(text(room), plain) at ts.\n#types reading(_,decimal(1)).\nlimit(a,25).\nlimit(b,7)."
    )
    assert type_lines(checked_program(Source("x.lars", program)).types) == [
        'reading/2  1  text        #input: text("room") (x.lars:1)',
        "           2  decimal(1)  declared as decimal(1) (x.lars:2)",
        "limit/2    1  name        a fact (x.lars:3)",
        "           2  integer     a fact (x.lars:3)",
    ]

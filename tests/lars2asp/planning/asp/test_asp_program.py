"""ASP programs: their statements, with atoms in place of lookups."""

from lars2asp.compiler import compile_program
from lars2asp.planning.asp.asp_program import AspProgram, LookupLiteral, head_predicates, with_answer_atoms
from lars2asp.syntax.nodes import Rule, Signature
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source


def asp_program(text: str) -> AspProgram:
    return compile_program(Source("x.lars", text)).whole.program


def test_every_line_but_background_data_is_a_statement() -> None:
    program = asp_program("f(1..3). a(X) :- f(X), p(X) in [5]. { b } :- a(1). #show n(X) : a(X). :~ b. [1]")
    for line in program.lines:
        if line.statement is None:
            assert (line.text, line.background) == ("f(1..3).", Signature("f", 1))
        else:
            assert to_text(line.statement) == line.text


def test_each_lookup_is_a_literal() -> None:
    program = asp_program("a(X) :- p(X) at T in [2 step 3], not q count 2 in [4]. q :- s.")
    literals = [
        literal
        for line in program.lines
        if isinstance(line.statement, Rule)
        for literal in line.statement.body
        if isinstance(literal, LookupLiteral)
    ]
    assert {literal.lookup for literal in literals} == {*program.lookups}


def test_atoms_in_place_of_lookups() -> None:
    program = asp_program("a(X) :- q(X) in [5]. q(X) :- p(X).")
    texts = [
        to_text(with_answer_atoms(line.statement, program.answer_predicates))
        for line in program.lines
        if line.statement is not None
    ]
    assert "lars_in_sliding_5_q(X1) :- lars_asked_0(q(X1))." in texts
    assert "p(X1) :- lars_asked_3(p(X1))." in texts
    assert not any("@" in text for text in texts)


def test_predicates_that_statements_make_true() -> None:
    program = asp_program("a ; not b :- p. { c(X) : d(X) }. :- a, c(1). #external e(1).")
    found = [
        sorted(map(str, head_predicates(line.statement))) for line in program.lines[:4] if line.statement
    ]
    assert found == [["a/0"], ["c/1"], [], ["e/1"]]

"""Queries of RSP-QL and C-SPARQL as programs."""

import pytest

from lars2asp import check
from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.rspql.program import program_of
from lars2asp.syntax.rspql.query import read_query
from lars2asp.syntax.source import Source

PREFIX = "PREFIX ex: <http://ex/>\nPREFIX : <http://ex/>\n"
FROM = "FROM STREAM <http://s> [RANGE 3s STEP 1s]\n"


def rules(query: str) -> list[str]:
    """The rules of a program, which has no mistakes."""
    program = program_of(read_query(PREFIX + query))
    assert not [one for one in check(Source("p", program)) if one.severity.name == "ERROR"]
    return " ".join(program.partition("\n\n")[2].split()).replace(". ", ".\n").splitlines()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (
            f"SELECT ?a ?v {FROM} WHERE {{ ?a ex:p ?v ; a ex:C . FILTER(?v > 1 && ?v + 2 <= 9) }}",
            ["answer(A,V) :- p(A,V) in [2 sec], type(A,<http://ex/C>) in [2 sec], V > 1, (V+2) <= 9."],
        ),
        (
            f"SELECT ?a {FROM} {{ ?a ex:p ?v, 'x'@de . # comment\n FILTER(!(?v = 1 || ?v = 2)) }}",
            [r'answer(A) :- p(A,V) in [2 sec], p(A,"\"x\"@de") in [2 sec], V != 1, V != 2.'],
        ),
        (
            f"SELECT ?a {FROM} {{ ?a ex:p ?v FILTER(?v < 1 || ?v > 5) }}",
            ["answer(A) :- p(A,V) in [2 sec], V < 1.", "answer(A) :- p(A,V) in [2 sec], V > 5."],
        ),
        (
            f"SELECT ?a {FROM} {{ ?a ex:p ?unused . ?s ?q ?a }}",
            ["answer(A) :- p(A,_Unused) in [2 sec], triple(_S,_Q,A) in [2 sec]."],
        ),
        (
            f"REGISTER QUERY q AS ISTREAM ASK {FROM} {{ ex:a ex:p 1.5e1 }}",
            [
                "result :- p(<http://ex/a>,15) in [2 sec].",
                "answer :- result, not result in {1}.",
                "#show answer/0.",
            ],
        ),
        (
            f"SELECT DSTREAM ?a {FROM} {{ ?a ex:p 1 }}",
            [
                "result(A) :- p(A,1) in [2 sec].",
                "answer(X1) :- result(X1) in {1}, not result(X1).",
                "#show answer/1.",
            ],
        ),
        (
            f"CONSTRUCT {{ ?a ex:high ?v }} {FROM} {{ ?a ex:p ?v }}",
            ["triple(A,<http://ex/high>,V) :- p(A,V) in [2 sec]."],
        ),
        (
            "REGISTER STREAM :out AS SELECT * FROM NAMED WINDOW :w ON :s [RANGE PT10S STEP PT5S] "
            "FROM NAMED WINDOW :v ON :s [RANGE PT5S TUMBLING] "
            "WHERE { ?a ex:in ?b . WINDOW :w { ?a ex:p ?v } WINDOW :v { ?a ex:q ?v } }",
            ["answer(A,B,V) :- in(A,B), p(A,V) in [5 sec], q(A,V) in [0]."],
        ),
        (
            "SELECT ?a FROM STREAM :s [RANGE 9s STEP 6s] { ?a ex:p 1 }",
            ["answer(A) :- p(A,1) in [6 sec step 6 sec]."],
        ),
        (
            f"SELECT ?g (COUNT(?a) AS ?n) (SUM(?v) AS ?s) {FROM} {{ ?a ex:g ?g ; ex:p ?v }} GROUP BY ?g "
            "HAVING(COUNT(?a) > 3)",
            [
                "solution(G,A,V) :- g(A,G) in [2 sec], p(A,V) in [2 sec].",
                "answer(G,N,S) :- solution(G,_,_), A1 = #count { A,V : solution(G,A,V) }, N = A1, "
                "A2 = #sum { V,A : solution(G,A,V) }, S = A2, A1 > 3.",
                "#show answer/3.",
            ],
        ),
        (
            f"SELECT (COUNT(?a1) AS ?n) (SUM(?a1) AS ?a2) {FROM} {{ ?a1 ex:p 1 }} HAVING(?n > 1)",
            [
                "solution(A1) :- p(A1,1) in [2 sec].",
                "answer(N,A2) :- A1_ = #count { A1 : solution(A1) }, N = A1_, "
                "A2_ = #sum { A1 : solution(A1) }, A2 = A2_, N > 1.",
                "#show answer/2.",
            ],
        ),
        (
            f"SELECT (COUNT(DISTINCT ?a) AS ?n) {FROM} {{ ?a ex:p ?v }}",
            [
                "solution(A,V) :- p(A,V) in [2 sec].",
                "answer(N) :- A1 = #count { A : solution(A,V) }, N = A1.",
                "#show answer/1.",
            ],
        ),
    ],
)
def test_queries_are_programs(query: str, expected: list[str]) -> None:
    assert [one.replace(",\n", ", ") for one in rules(query)] == expected


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (f"SELECT ?a {FROM} {{ OPTIONAL {{ ?a ex:p ?v }} }}", "q:4: OPTIONAL is not of the basic form"),
        (
            f"SELECT ?a {FROM} {{ {{ ?a ex:p 1 }} UNION {{ ?a ex:q 1 }} }}",
            "q:4: UNION is not of the basic form",
        ),
        (f"SELECT ?a {FROM} {{ ?a ex:p ?v FILTER(!BOUND(?v)) }}", "q:4: BOUND is not of the basic form"),
        (f"SELECT ?a {FROM} {{ ?a no:p ?v }}", "q:4: the prefix no: is not declared"),
        (f"SELECT ?a {FROM} {{ ?a ex:p ?v }} ORDER BY ?a", "q:4: ORDER is not of the basic form"),
        ("SELECT ?a FROM STREAM <http://s> [RANGE soon] { ?a ex:p ?v }", "q:3: soon is no duration"),
        (f"SELECT ?a {FROM} FROM STREAM <http://t> [RANGE 5s STEP 1s] {{ ?a ex:p ?v }}", "write WINDOW"),
        ("SELECT ?a { WINDOW :w { ?a ex:p ?v } }", "q:3: the window <http://ex/w> is not declared"),
        (f"SELECT ?a (COUNT(?v) AS ?n) {FROM} {{ ?a ex:p ?v }}", "?a is neither in GROUP BY nor in an"),
        (f"SELECT ?a {FROM} {{ ?a ex:p ?v", "q:4: expected a term and not the end"),
        (f"SELECT ?a ?b {FROM} {{ ?a ex:p ?v }}", "?b is in no pattern"),
        (f"SELECT ?a {FROM} {{ ?a ex:p ?v FILTER(?v < ?w + 1) }}", "?w is in no pattern"),
        (f"CONSTRUCT {{ ?a ex:q ?w }} {FROM} {{ ?a ex:p ?v }}", "?w is in no pattern"),
        (f"SELECT (COUNT(?w) AS ?n) {FROM} {{ ?a ex:p ?v }}", "?w is in no pattern"),
        (f"PREFIX ex <http://ex/> SELECT ?a {FROM} {{ ?a ex:p ?v }}", "q:3: a prefix is written PREFIX ex:"),
        (f"SELECT (COUNT(?a) AS ) {FROM} {{ ?a ex:p ?v }}", "q:3: expected a variable and not )"),
        (f"SELECT ?a {FROM} {{ ?a <p> ?v }}", "q:4: <p> has no scheme"),
        (f"DESCRIBE ?a {FROM}", "q:3: expected SELECT, CONSTRUCT or ASK and not DESCRIBE"),
        (f"SELECT ?a {FROM} {{ ?a ex:p ?v }} \\", "q:4: unexpected \\"),
    ],
)
def test_what_is_not_translated_is_said(query: str, message: str) -> None:
    with pytest.raises(Lars2aspError) as raised:
        program_of(read_query(PREFIX + query, "q"))
    assert message in str(raised.value)

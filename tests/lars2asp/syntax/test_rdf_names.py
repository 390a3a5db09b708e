"""IRIs, names with prefixes and literals of RDF in programs; what is said where one is wrong."""

import pytest

from lars2asp.syntax.diagnostics import Diagnostics, ProgramError
from lars2asp.syntax.nodes import String
from lars2asp.syntax.parser import parse
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.rdf_terms import literal_of, number_of, string_of, term_of
from lars2asp.syntax.source import Source
from lars2asp.syntax.traversal import every

EX = "#prefix ex: <http://ex.org/a.b#>.\n#prefix xsd: <http://www.w3.org/2001/XMLSchema#>.\n"


def text_of(text: str) -> str:
    program = parse(Source("p", EX + text))
    printed = to_text(program)
    assert parse(Source("p", printed)).statements == program.statements
    return printed.strip()


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("p(ex:s).", 'p("<http://ex.org/a.b#s>").'),
        ("p(ex:a-1,ex:2).", 'p("<http://ex.org/a.b#a-1>","<http://ex.org/a.b#2>").'),
        ("p(<http://a/b%20c#d.e/(f)>).", 'p("<http://a/b%20c#d.e/(f)>").'),
        ("p(<urn:x:y>). q.", 'p("<urn:x:y>").\nq.'),
        ('p("Graz"@de-AT).', r'p("\"Graz\"@de-at").'),
        ('p("2026"^^xsd:gYear).', r'p("\"2026\"^^<http://www.w3.org/2001/XMLSchema#gYear>").'),
        ('p("a"^^<http://x/y>).', r'p("\"a\"^^<http://x/y>").'),
        ('p("abc"^^xsd:string).', 'p("abc").'),
        ('p("1.5e3"^^xsd:double).', "p(1500)."),
        ('p("-2.50"^^xsd:decimal).', "p(-2.5)."),
        ("a(X) :- p(X,Y), X != ex:s, Y<3.", 'a(X) :- p(X,Y), X != "<http://ex.org/a.b#s>", Y < 3.'),
        (
            "a(X) :- p(X) in [5], not q(ex:b) always in [3].",
            'a(X) :- p(X) in [5], not q("<http://ex.org/a.b#b>") always in [3].',
        ),
        ('p("ex:s http://x % y").', 'p("ex:s http://x % y").'),
        (
            "#input p(S,V) from ex:v at <http://t/#x>.",
            '#input p("S", "V") from <http://ex.org/a.b#v> at <http://t/#x>.',
        ),
        (
            "#input p(S,V) from ex:v. % ex:c. <http://x",
            '#input p("S", "V") from <http://ex.org/a.b#v> at "time".',
        ),
    ],
)
def test_names_stand_for_strings(written: str, printed: str) -> None:
    assert text_of(written) == printed


def test_conditions_stay_conditions() -> None:
    """A colon is one of a name only behind a declared prefix, and without blanks."""
    assert text_of("{ ex : b }.\na :- e:f; d.\n{c:d}.\na :- X<Y:p(X,Y).") == (
        "{ ex: b }.\na :- e: f; d.\n{ c: d }.\na :- X < Y: p(X,Y)."
    )
    program = parse(Source("p", "{ex:b}. c(X) :- d(X), X<4, X>2. e:-f. a(X) :- X<y:r(Y),Y>3; s(X)."))
    assert not [*every(String, *program.statements)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p(ex:b).", "hint: declare the prefix: #prefix ex: <http://example.org/>."),
        ("#prefix ex <http://a/>.", "hint: write for instance #prefix ex: <http://example.org/>."),
        ('#prefix ex: "http://a/".', "hint: write for instance #prefix ex: <http://example.org/>."),
        (
            "#prefix ex: <http://a/>.\n#prefix ex: <http://b/>.",
            "p:2:1-25: error: L515: ex: already means <http://a/>",
        ),
        (
            "#prefix ex: <http://a/>.\na(ex:b) :- c(X ex:d).",
            "p:2:16-20: error: L001: unexpected ex:d, expected",
        ),
        ("#prefix ex: <http://a/>. #input p(each ex:b).", "error: L606: a property has no elements"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(ProgramError) as raised:
        parse(Source("p", text))
    assert message in str(raised.value)


def test_a_string_before_a_priority_is_no_literal() -> None:
    assert text_of('#heuristic a. ["x" @y,true]') == '#heuristic a. ["x" @y,true]'
    assert text_of(':~ a. ["x" @y]') == ':~ a. ["x" @y]'


def test_a_prefix_counts_from_its_declaration_on() -> None:
    found = Diagnostics()
    program = parse(
        Source("p", "#prefix ex: <http://a/>. p(ex:b)."), Source("q", "q(ex:c)."), diagnostics=found
    )
    assert to_text(program) == 'p("<http://a/b>").\nq("<http://a/c>").\n'


@pytest.mark.parametrize(
    "term",
    [
        '"a"',
        '""',
        '"<http://x/y>"',
        '"_:b"',
        '"\\"quoted\\""',
        '"a\\nb\\\\c\\t\\u0001"',
        '"x"@de',
        '"x"@de-at',
        '"x"^^<http://x/y>',
        '"\\"x\\"@de"',
        '"12"',
    ],
)
def test_no_two_literals_are_one_value(term: str) -> None:
    literal = literal_of(term)
    assert literal is not None
    assert term_of(string_of(literal)) == term
    assert [term_of(one) for one in ("<http://x/y>", "_:b", "<a b>", "_:", "x")] == [
        "<http://x/y>",
        "_:b",
        '"<a b>"',
        '"_:"',
        '"x"',
    ]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.5e3", "1500"),
        ("0.12345", "0.12345"),
        ("-0.0", "0"),
        ("+007", "7"),
        (".5", "0.5"),
        ("5.", "5"),
        ("1E-3", "0.001"),
        ("INF", None),
        ("NaN", None),
        ("", None),
        ("1e999999999999", None),
        ("0e99999", "0"),
    ],
)
def test_numbers_are_exact(text: str, number: str | None) -> None:
    assert number_of(text) == number


def test_an_iri_is_a_plain_string() -> None:
    """Explanations, and text of values, ask for the type."""
    program = parse(Source("p", f"{EX}p(<http://a/b>,ex:s)."))
    values = [one.value for statement in program.statements for one in every(String, statement)]
    assert values == ["<http://a/b>", "<http://ex.org/a.b#s>"]
    assert {type(one) for one in values} == {str}


@pytest.mark.parametrize("declared", ["from ey:v", "from ex:v at ey:time"])
def test_a_prefix_of_input_that_is_not_declared(declared: str) -> None:
    found = Diagnostics()
    parse(Source("p", f"{EX}#input p(S,V) {declared}."), diagnostics=found)
    [one] = found.found
    assert one.hint == "declare the prefix: #prefix ey: <http://example.org/>."

"""Formatted programs: what they look like, that they say the same, and that nothing more is changed."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lars2asp.syntax.diagnostics import Diagnostics, ProgramError
from lars2asp.syntax.formatting.comments import gap_in
from lars2asp.syntax.formatting.formatter import formatted
from lars2asp.syntax.formatting.layout import WIDTH
from lars2asp.syntax.parser import Read, read_statements
from lars2asp.syntax.parsing.formulas import marked
from lars2asp.syntax.parsing.parse_tables import tables
from lars2asp.syntax.parsing.prefixed_names import with_names
from lars2asp.syntax.parsing.statement_texts import cut_statements
from lars2asp.syntax.parsing.tree import Include, Prefix, ProgramPart
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from tests.strategies import ALL_PROGRAMS
from tests.support.examples import number_of_examples
from tests.support.pages import BLOCK, PAGES, ROOT
from tests.support.syntax_strategies import syntactic_programs

EXAMPLES = number_of_examples(25)
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


def in_style(text: str) -> str:
    return formatted(Source("<text>", text))


def said(text: str) -> list[list[object]]:
    """What the statements of a text say."""
    diagnostics = Diagnostics()
    found = [
        [_without_place(one) for one in parts]
        for _, parts in read_statements(Source("<text>", text), diagnostics)
    ]
    diagnostics.raise_errors()
    return found


def _without_place(one: Read) -> object:
    if isinstance(one, Include):
        return ("include", one.path)
    if isinstance(one, Prefix):
        return ("prefix", one.name, one.iri)
    return ("part", one.name) if isinstance(one, ProgramPart) else one


def comments(text: str) -> list[str]:
    """The comments of a text, and all else that is left out, in order."""
    found, end = [], 0
    source = Source("<text>", text)
    read = [one for _, said in read_statements(source, Diagnostics()) for one in said]
    prefixes = {one.name: one.iri for one in read if isinstance(one, Prefix)}
    for statement in cut_statements(source, Diagnostics()):
        found += [one.text for one in gap_in(text, end, statement.begin).comments]
        end = statement.begin
        if statement.text.startswith("#script"):
            continue
        for token in tables().tokens(marked(with_names(statement.text, prefixes))):
            begin = statement.begin + token.begin
            found += [one.text for one in gap_in(text, end, begin).comments]
            end = statement.begin + token.end
        end = statement.begin + len(statement.text)
    return [*found, *(one.text for one in gap_in(text, end, len(text)).comments)]


def check_style(text: str) -> None:
    """A text says the same in one style, has its comments, and stays as it is when it has that style."""
    styled = in_style(text)
    assert said(styled) == said(text)
    assert comments(styled) == comments(text)
    assert in_style(styled) == styled


# --- what it looks like ---------------------------------------------------------------------------

STYLE = {
    "blanks": (
        "a( X ):-b(X , Y),not c( Y )in[ 5min ],X+1<Y , Z=#sum{V , T:q( V+1 )at T in{ 1 , 2 }} .",
        "a(X) :- b(X,Y), not c(Y) in [5 min], X + 1 < Y, Z = #sum { V,T : q(V+1) at T in {1,2} }.\n",
    ),
    "windows": (
        "a:-b in[1 sec..10 sec],c always[ 1 .. n+1 ],d in [3#p / 1],e in[3 # by X ],"
        "f in [ every 1 day from 3 ].",
        "a :-\n    b in [1 sec .. 10 sec],\n    c always [1..n+1],\n    d in [3 # p/1],\n"
        "    e in [3 # by X],\n    f in [every 1 day from 3].\n",
    ),
    "signs and bars": (
        "-a|b( - 1 ):- -c( |X - 1| , - X ),X> - 2,not not-d. 1{a ; b:c , not d}2:-~1=X.",
        "-a | b(-1) :- -c(|X-1|,-X), X > -2, not not -d.\n1 { a; b : c, not d } 2 :- ~1 = X.\n",
    ),
    "directives": (
        '#show a / 2.  #show  -a/1 .#input p(a,b * 10 or missing) at day+clock "%d".#const n=2*3 .[override]'
        "#decimals p(_ , 2).",
        '#show a/2. #show -a/1. #input p(a, b*10 or missing) at day + clock "%d".\n'
        "#const n = 2 * 3. [override] #decimals p(_,2).\n",
    ),
    "weak constraints": (
        ":~a( X ).[ X @ 2 , X ]\n#minimize{ X @ 1 , Y : p( X ) , q(Y) ; 3 }.",
        ":~ a(X). [X@2,X]\n#minimize { X@1,Y : p(X), q(Y); 3 }.\n",
    ),
    "formulas": (
        "a:-( b , not c or d )always in[5],not( e,f )in[2].",
        "a :- (b, not c or d) always in [5], not (e, f) in [2].\n",
    ),
    "facts share their lines, rules do not": (
        'p(1).p( a , 2.5).   p("x y") .\nq. r:-q. s.\n',
        'p(1). p(a,2.5). p("x y").\nq.\nr :- q.\ns.\n',
    ),
    "blank lines": ("\n\n\na.\n\n\n\n% c\n\nb.\n\n\n", "a.\n\n% c\n\nb.\n"),
    "comments behind lines": (
        "#const n=5. %  five\n#const many = 20.% twenty\n            % and more\na. b.%* c *% % d\n",
        "#const n = 5.      %  five\n#const many = 20.  % twenty\n% and more\na. b.  %* c *% % d\n",
    ),
    "a comment goes on below itself": (
        "a.   % one\n     % two\n% three\n",
        "a.  % one\n    % two\n% three\n",
    ),
    "comments within a statement": (
        "a :- % all of\nb, % first\n  % then\n c % last\n .\nd. % end",
        "a :-  % all of\n    b,  % first\n    % then\n    c.  % last\nd.      % end\n",
    ),
    "comments before commas": (
        "a :- b % one\n , c %two\n , d.",
        "a :-\n    b,  % one\n    c,  %two\n    d.\n",
    ),
    "block comments": (
        "%* of\n   two *% a :- b, %* in *% c.",
        "%* of\n   two *%\na :- b, %* in *% c.\n",
    ),
    "scripts": (
        "#script (python)\ndef f(x):\n\treturn  x  # so\n#end .\n\na( @f( 1 ) ).",
        "#script (python)\ndef f(x):\n\treturn  x  # so\n#end .\n\na(@f(1)).\n",
    ),
    "words that would be keywords": ("a :- b in [every#].", "a :- b in [every#].\n"),
    "shows without dots": ("a.  #show a/0\n\n\nb.", "a.  #show a/0\n\nb.\n"),
}


@pytest.mark.parametrize(("text", "expected"), STYLE.values(), ids=[*STYLE])
def test_programs_have_one_style(text: str, expected: str) -> None:
    assert in_style(text) == expected
    check_style(text)


def test_what_is_too_long_is_divided_at_its_literals_and_then_in_its_braces() -> None:
    long = "a_long_name_of_a_predicate(X,Y)"
    text = f"h(X) :- {long}, S = #sum {{ X,Y : {long}, not {long}, X < 17; Y : {long} }}, {long} in [5 min]."
    assert in_style(text) == (
        "h(X) :-\n"
        f"    {long},\n"
        "    S = #sum {\n"
        f"        X,Y : {long}, not {long}, X < 17;\n"
        f"        Y : {long}\n"
        "    },\n"
        f"    {long} in [5 min].\n"
    )
    check_style(text)
    columns = ", ".join(f"column_{number}" for number in range(12))
    divided = "".join(f"    column_{number},\n" for number in range(11))
    assert in_style(f"#input p({columns}) at time.") == f"#input p(\n{divided}    column_11\n) at time.\n"


def test_facts_fill_their_lines() -> None:
    text = " ".join(f"p({number})." for number in range(50))
    lines = in_style(text).splitlines()
    assert " ".join(lines) == text
    assert all(WIDTH - 7 < len(line) <= WIDTH for line in lines[:-1])


@pytest.mark.parametrize(
    "text", ["a :- b", "a :- ((b.", "p(1", '{"time": 1}', "% c\na :- b. %* c", "// c\na."]
)
def test_what_cannot_be_read_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(ProgramError, match=r"<text>:\d+:\d+"):
        in_style(text)


# --- that it says the same ------------------------------------------------------------------------

FILES = [
    path
    for folder in ("examples", "experiments", "tests")
    for kind in ("*.lars", "*.lp")
    for path in sorted((ROOT / folder).rglob(kind))
]
TEXTS = [
    *(pytest.param(path.read_text(), id=str(path.relative_to(ROOT))) for path in FILES),
    *(
        pytest.param(block[2], id=f"{page.name}-{number}")
        for page in [*PAGES, ROOT / "README.md"]
        for number, block in enumerate(BLOCK.finditer(page.read_text()))
        if block[1].startswith("lars")
    ),
]


@pytest.mark.parametrize("text", TEXTS)
def test_programs_of_the_repository_say_the_same(text: str) -> None:
    """Or they are refused, if they cannot be read."""
    diagnostics = Diagnostics()
    for _ in read_statements(Source("<text>", text), diagnostics):
        pass
    if diagnostics.has_errors:
        with pytest.raises(ProgramError):
            in_style(text)
    else:
        check_style(text)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=SLOW)
@given(syntactic_programs(streaming=True).map(to_text), st.randoms(use_true_random=False))
def test_random_syntax_says_the_same(text: str, chance: random.Random) -> None:
    check_style(disordered(text, chance))


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=SLOW)
@given(st.one_of(ALL_PROGRAMS), st.randoms(use_true_random=False))
def test_random_programs_say_the_same(text: str, chance: random.Random) -> None:
    check_style(disordered(text, chance))


BETWEEN = (
    " ",
    "  ",
    "\n",
    "\n\n\n",
    "\t",
    " % c\n",
    "\n%d\n",
    " %* e *% ",
    "\n %* f\n %* g *% *% ",
    "% h\n   % i\n",
)


def disordered(text: str, chance: random.Random) -> str:
    """A text with other blanks, and comments, between its tokens, where these are still tokens."""
    written, end = [], 0
    for statement in cut_statements(Source("<text>", text), Diagnostics()):
        written.append(text[end : statement.begin])
        end = statement.begin + len(statement.text)
        written.append(_disordered(statement.text, chance))
        written.append(chance.choice(BETWEEN))
    return "".join([*written, text[end:]])


def _disordered(text: str, chance: random.Random) -> str:
    tokens = tables().tokens(marked(text))
    likely = chance.choice([0, 0.1, 0.5])
    pieces = [
        (chance.choice(BETWEEN) if chance.random() < likely else text[before : one.begin])
        + text[one.begin : one.end]
        for before, one in zip([0, *(one.end for one in tokens)], tokens, strict=False)
    ]
    found = "".join(pieces)
    cut = [*cut_statements(Source("<text>", found), Diagnostics())]
    if len(cut) == 1 and _same(text, cut[0].text):
        return found
    return text


def _same(text: str, other: str) -> bool:
    try:
        return tables().tokens(marked(text)) == tables().tokens(marked(other)) and said(text) == said(other)
    except Exception:
        return False


def test_names_of_rdf_keep_their_colons() -> None:
    text = (
        "#prefix ex: <http://ex.org/#>.\n#input speed(S, V) from ex:speed at <http://t>.\n"
        'a(X) :- speed(X,V), X != ex:s-1, b("x"@de), c : d.\n'
    )
    assert formatted(Source("p", text.replace(", ", "  ,").replace("ex: <", "ex :<"))) == text


def test_constants_and_conditions_of_input() -> None:
    text = '#input p(a,fixed( -5 ),fixed ("k"))   at t where b="x",number(c,",")or missing or 0<=2.5.'
    written = (
        '#input p(a, fixed(-5), fixed("k")) at t where b = "x", number(c, ",") or missing or 0 <= 2.5.\n'
    )
    assert in_style(text) == written

"""Programs of Laser: what each construct becomes, random ones, and what is said of wrong ones."""

import re
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.compiler import check
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics, Severity
from lars2asp.syntax.dialects.foreign_names import predicate_name, value, variable_name
from lars2asp.syntax.dialects.laser import LASER
from lars2asp.syntax.nodes import Atom, AtTick, Box, Diamond, Literal, Rule, Sign
from lars2asp.syntax.parser import parse, text_source
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source


def read(text: str) -> list[nodes.Statement]:
    """The rules of a text of Laser."""
    first, *rules = parse(text_source(text, "laser")).statements
    assert first == nodes.SemanticsChoice(nodes.Semantics.STRICT)
    return rules


def written(text: str) -> list[str]:
    """The same, in our spelling."""
    return [to_text(rule) for rule in read(text)]


def said(text: str) -> list[tuple[str, str, str]]:
    """What is said of a text: where, what, and what to do."""
    diagnostics = Diagnostics()
    parse(text_source(text, "laser"), diagnostics=diagnostics)
    return [(text[one.location.begin : one.location.end], one.message, one.hint) for one in diagnostics.found]


@pytest.mark.parametrize(
    ("laser", "ours"),
    [
        ("h(Y,X) :- p(X,Y)", "h(Y,X) :- p(X,Y)."),
        ("h :- p and q and r(X)", "h :- p, q, r(X)."),
        ("p(a,12)", "p(a,12)."),
        ("h :- not(p) and not q(X)", "h :- not p, not q(X)."),
        ("h :- not(not(p))", "h :- p."),
        ("h :- time_win(5,0,1,diamond(p))", "h :- p in [5]."),
        ("h :- time_win( 5 ,0 , 1 , diamond( p( X , Y ) ) )", "h :- p(X,Y) in [5]."),
        ("h :- time_win(5,0,1,box(p))", "h :- p always in [5]."),
        ("h :- time_win(5,0,2,box(p))", "h :- p always in [10]."),
        ("h :- time_win(5,0,1,p)", "h :- p."),
        ("h :- not(time_win(5,0,1,box(p)))", "h :- not p always in [5]."),
        ("h :- time_win(5,0,1,not(box(p)))", "h :- not p always in [5]."),
        ("h :- time_win(5,0,1,diamond(not(p)))", "h :- not p always in [5]."),
        ("h :- time_win(5,0,1,box(not(p)))", "h :- not p in [5]."),
        ("h :- not(time_win(5,0,1,box(not(p))))", "h :- p in [5]."),
        ("h(T) :- time_win(5,0,1,@(T,p))", "h(T) :- p at T in [5]."),
        ("h(T) :- time_win(5,0,1,@(T,(p(X))))", "h(T) :- p(X) at T in [5]."),
        ("h :- @(3,p(X))", "h :- p(X) at 3."),
        ("h :- not(@(3,p))", "h :- not p at 3."),
        ("h :- q(T) and @(T,not(p))", "h :- q(T), T <= @now, not p at T."),
        ("@(T,h(X)) :- @(T,p(X))", "h(X) at T :- p(X) at T."),
        ("h :- diamond(p(X))", "h :- p(X) at _."),
        ("h :- diamond(not(p))", "h :- not p always in [2147483647]."),
        ("h :- box(p(X))", "h :- p(X) always in [2147483647]."),
        ("h :- box(not(p))", "h :- not p at _."),
        ("h :- p(X) and COMP(>=,X,18)", "h :- p(X), X >= 18."),
        ("h :- p(X) and COMP(=<, X, Y) and not(COMP(==,X,3))", "h :- p(X), X <= Y, not X = 3."),
        ("h(Z) :- p(X) and MATH(+,Z,X,2)", "h(Z) :- p(X), Z = X+2."),
        ("h(Z) :- p(X) and MATH( - , Z , X , -2 )", "h(Z) :- p(X), Z = X--2."),
        ("h(X) :- 'p q'(X,'A b',Ab,007)", """h(X) :- p'x20'q(X,"A b","Ab","007")."""),
        ("h(X) :- http://ex.org/#p(X)", "h(X) :- http'x3a''x2f''x2f'ex'x2e'org'x2f''x23'p(X)."),
        ("h(XX,Y1) :- not(XX,Y1) and 'not'(XX,Y1)", None),
        ("h(XX,Y1) :- 'not'(XX,Y1)", "h(XX,Y1) :- 'x6e'ot(XX,Y1)."),
        ("Alarm :- isHot and in and at(X)", "'x41'larm :- isHot, in, at(X)."),
        ("MATH :- COMP", "'x4d'ATH :- 'x43'OMP."),
    ],
)
def test_each_construct_says_the_same_here(laser: str, ours: str | None) -> None:
    if ours is None:
        assert said(laser)
        return
    assert written(laser) == [ours]
    own = parse(Source("x.lars", ours)).statements
    assert own == tuple(read(laser))


def test_a_tuple_window_has_the_last_tuples_and_that_is_said_once() -> None:
    text = """h :- tuple_win(4,diamond(p)) and tuple_win(3,0,1,box(q))
g(T) :- tuple_win(2,@(T,p)) and tuple_win(2,p)"""
    diagnostics = Diagnostics()
    program = parse(text_source(text, "laser"), diagnostics=diagnostics)
    assert [to_text(one) for one in program.rules()] == [
        "h :- p in [4 #], q always in [3 #].",
        "g(T) :- p at T in [2 #], p at @now in [2 #].",
    ]
    [found] = diagnostics.found
    assert (found.severity, found.message[:14]) == (Severity.WARNING, "a tuple window")


def test_rules_stand_on_lines_or_in_a_list_of_python() -> None:
    lines = """
        # a comment, and % another
        a :- b and
             c
        d :- time_win(3,0,1,
                diamond(e))
             % within
             and f

        g :- h.
    """
    assert written(lines) == ["a :- b, c.", "d :- e in [3], f.", "g :- h."]
    listed = 'rules = [\n  "a :- b and c",  # one\n  "d :- not(e)"\n]\ng :- h\n'
    assert written(listed) == ["a :- b, c.", "d :- not e.", "g :- h."]


def test_places_are_those_of_the_text() -> None:
    text = "rules = [\n  \"h(X) :- time_win(3,0,1, diamond('p q'(X))) and COMP(<,X,4)\",\n]\n"
    [rule] = read(text)
    assert isinstance(rule, Rule)

    def at(node: nodes.Node) -> str:
        return text[node.location.begin : node.location.end]

    window, comparison = (one.atom for one in rule.body if isinstance(one, Literal))
    assert isinstance(window, Diamond)
    assert (at(rule), at(window.atom), at(window.window), at(comparison)) == (
        text.split('"')[1],
        "'p q'(X)",
        "time_win(3,0,1, diamond('p q'(X)))",
        "COMP(<,X,4)",
    )


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        (
            "h :- p or q",
            "or",
            "Laser reads `or`, and joins both sides as if it were `and`",
            "write a rule for each",
        ),
        (
            "h :- predicate_win(3,diamond(p))",
            "predicate_win",
            "predicate_win is a word of Laser",
            "`in [n # p/1]`",
        ),
        (
            "h :- time_win(3,2,1,diamond(p))",
            "2",
            "lars2asp has no windows that look ahead",
            "write 0 in place",
        ),
        (
            "h :- time_win(3,diamond(p))",
            "time_win(3,diamond(p))",
            "time_win has three numbers",
            "write for instance",
        ),
        ("h :- time_win(N,0,1,box(p))", "N", "N is not a number of ticks or tuples", "write it in digits"),
        (
            "h :- tuple_win(0,box(p))",
            "0",
            "a window of 0 tuples is always empty",
            "write 1 or more",
        ),
        ("h :- box(diamond(p))", "diamond(p)", "an operator needs one atom", "write a rule"),
        (
            "h :- time_win(3,0,1,box(time_win(2,0,1,p)))",
            "time_win(2,0,1,p)",
            "an operator needs one atom",
            "write a",
        ),
        (
            "h :- time_win(3,0,1,time_win(2,0,1,p))",
            "time_win(2,0,1,p)",
            "a window within a window",
            "write a rule",
        ),
        (
            "h :- time_win(3,0,1,COMP(<,X,2))",
            "COMP(<,X,2)",
            "a window needs an atom",
            "write COMP and MATH after",
        ),
        (
            "h :- time_win(3,0,1,@(T,not(p)))",
            "not(p)",
            "a window cannot look for a tick without",
            "write not(@(T,p))",
        ),
        ("h(X) :- p(_,X)", "_", "Laser has no variable _", "give it a name of capital letters"),
        ("h :- p(X) and COMP(~,X,2)", "~", "~ is not a comparison", "they are =, !=, <"),
        ("h :- p(X) and MATH(^,X,X,2)", "^", "^ is no operator", "they are +, -, *, /"),
        ("not(h) :- p", "not(h)", "this is not the head of a rule", "a head is an atom, or @(T,a)"),
        ("box(h) :- p", "box(h)", "this is not the head of a rule", "a head is an atom, or @(T,a)"),
        ("h :- p(X", "X", "the rule ends in the middle of a formula", "is a ) missing?"),
        ("h :- p)", ")", "unexpected )", "is a ( missing?"),
        ("h :- p q", "q", "unexpected q", "a rule is head :- formula and formula"),
        ("h :- p()", ")", "unexpected )", "a formula is missing before it"),
        ("h :- p, q", ",", "unexpected ,", "formulas are joined by `and`"),
        ("h :- p and ''", "''", "a predicate needs a name", "write a name between"),
        ("h :- p and and", "and", "and is a word of the language", "write 'and' where it is a name"),
        ("h :- p(X,not)", "not", "not is a word of the language", "write 'not' where it is a name"),
        ("h :- 'p", "'", "this quote is never closed", "close the quote"),
        ("h :- p :- q", ":-", "a rule begins inside", "write each rule on its own line"),
    ],
)
def test_what_cannot_be_read_is_told_where_it_stands(text: str, place: str, message: str, hint: str) -> None:
    [found] = [one for one in said(f"g :- r\n{text}\n") if not one[1].startswith("a tuple window has")]
    assert (found[0], found[1][: len(message)], found[2][: len(hint)]) == (place, message, hint)


def test_one_mistake_hides_no_other_and_no_rule_behind_it() -> None:
    found = said("h :- p or q\ng :- r\nf :- box(diamond(p)) and time_win(1,1,1,p)\n")
    assert [one[0] for one in found] == ["or", "diamond(p)", "1"]


def test_what_is_nested_deep_is_read_or_told() -> None:
    deep = 20_000
    assert written(f"h :- {'not(' * deep}p{')' * deep}") == ["h :- p."]
    assert written(f"h :- {'(' * deep}p{')' * deep}") == ["h :- p."]
    assert [one[1] for one in said(f"h :- {'box(' * deep}p{')' * deep}")] == ["an operator needs one atom"]
    assert written(f"h :- p({'9' * 5000})") == [f'h :- p("{"9" * 5000}").']


def test_a_text_is_recognised_by_what_no_other_language_has() -> None:
    for text in (
        "h(X) :- time_win(3, 0, 1, box(p(X)))\n",
        'rules = [\n"h :- not(p(X)) and q",\n]\n',
        "# rules\nh(X) :- p(X) and COMP(<,X,3)\n",
    ):
        assert LASER.recognises(text)
    for text in (
        "h(X) :- p(X), q.\n",
        "h :- p\n",
        "h(X) :- time_win(3,0,1,diamond(p(X))).\n",
        "% p(X) and q(X)\n",
    ):
        assert not LASER.recognises(text)


# --- random rules ---------------------------------------------------------------------------------

TEXTS = st.text(st.characters(max_codepoint=0xD7FF, blacklist_characters="'"), min_size=1, max_size=6)


@given(TEXTS, TEXTS)
def test_names_are_names_here_and_differ_where_they_differ(one: str, other: str) -> None:
    for name in (predicate_name, variable_name):
        assert (name(one) == name(other)) == (one == other)
    assert (
        to_text(parse(Source("x", f"{predicate_name(one)}(a).")).statements[0])
        == f"{predicate_name(one)}(a)."
    )
    assert re.fullmatch(r"[_']*[A-Z][A-Za-z0-9_']*", variable_name(one))
    if "\n" not in one + other and "\\" not in one + other and '"' not in one + other:
        assert (value(one) == value(other)) == (one == other)


class Pair(NamedTuple):
    """A piece of Laser, and what it is here."""

    text: str
    node: nodes.Node


BLANK = st.sampled_from(["", "", " ", "  "])
WORDS = st.sampled_from(["p", "q1", "isHot", "http://ex.org/p#q", "Steam", "in", "time", "a.b", "_x"])


@st.composite
def blanks(draw: st.DrawFn, *pieces: str) -> str:
    """Pieces of a text with blanks between some of them."""
    return "".join(draw(BLANK) + piece for piece in pieces)


@st.composite
def terms(draw: st.DrawFn) -> Pair:
    kind = draw(st.sampled_from(["variable", "number", "word", "quoted"]))
    if kind == "variable":
        name = draw(st.sampled_from(["X", "Y", "T1", "LONG_NAME"]))
        return Pair(name, nodes.Variable(name))
    if kind == "number":
        number = draw(st.integers(-30, 300))
        natural = nodes.Number(abs(number))
        return Pair(str(number), natural if number >= 0 else nodes.UnaryOperation("-", natural))
    text = draw(WORDS if kind == "word" else st.sampled_from(["a b", "it, or (not)", "x", "12", "Room 3"]))
    return Pair(text if kind == "word" else f"'{text}'", value(text))


@st.composite
def atoms(draw: st.DrawFn) -> tuple[str, Atom]:
    name, arguments = draw(WORDS), draw(st.lists(terms(), max_size=3))
    text = draw(st.sampled_from([name, f"'{name}'"]))
    if arguments:
        inner = [piece for one in arguments for piece in (",", one.text)][1:]
        text = draw(blanks(text, "(", *inner, ")"))
    return text, Atom(predicate_name(name), tuple(one.node for one in arguments))  # type: ignore[misc]


@st.composite
def literals(draw: st.DrawFn) -> Pair:
    """A literal; its inner negation is that of the whole one, with the other operator."""
    text, atom = draw(atoms())
    seen: nodes.LiteralAtom = atom
    sign = 0
    kind = draw(st.sampled_from(["plain", "at", "box", "diamond", "comparison", "arithmetic"]))
    if kind in ("comparison", "arithmetic"):
        left, right, result = draw(terms()), draw(terms()), draw(terms())
        if kind == "comparison":
            operator = draw(st.sampled_from(["=", "!=", "<", "<=", ">", ">="]))
            text = draw(blanks("COMP", "(", operator, ",", left.text, ",", right.text, ")"))
            guard = nodes.Guard(operator, right.node)  # type: ignore[arg-type]
            seen = nodes.Comparison(left.node, (guard,))  # type: ignore[arg-type]
        else:
            operator = draw(st.sampled_from("+-*/"))
            parts = [operator, ",", result.text, ",", left.text, ",", right.text]
            text = draw(blanks("MATH", "(", *parts, ")"))
            operation = nodes.BinaryOperation(operator, left.node, right.node)  # type: ignore[arg-type]
            seen = nodes.Comparison(result.node, (nodes.Guard("=", operation),))  # type: ignore[arg-type]
    else:
        size, unit = draw(st.integers(0, 20)), draw(st.integers(1, 3))
        window = nodes.SlidingWindow(nodes.Duration(nodes.Number(size * unit)))
        if kind == "at":
            tick = draw(terms().filter(lambda one: isinstance(one.node, nodes.Variable | nodes.Number)))
            text = draw(blanks("@", "(", tick.text, ",", text, ")"))
            seen = AtTick(atom, tick.node, window)  # type: ignore[arg-type]
        elif kind != "plain":
            is_inner = draw(st.booleans())
            text = draw(blanks(kind, "(", *(["not", "(", text, ")"] if is_inner else [text]), ")"))
            seen = (Box if (kind == "box") != is_inner else Diamond)(atom, window)
            sign = int(is_inner)
        text = draw(blanks("time_win", "(", str(size), ",", "0", ",", str(unit), ",", text, ")"))
    if draw(st.booleans()):
        text, sign = draw(blanks("not", "(", text, ")")), 1 - sign
    return Pair(text, Literal(seen, Sign(sign)))


@st.composite
def rules(draw: st.DrawFn) -> Pair:
    text, head = draw(atoms())
    at: Atom | AtTick = head
    if draw(st.booleans()):
        text, at = draw(blanks("@", "(", "T", ",", text, ")")), AtTick(head, nodes.Variable("T"))
    body = draw(st.lists(literals(), max_size=4))
    joined = draw(st.sampled_from([" and ", " and\n  ", "\n  and "])).join(one.text for one in body)
    sign = draw(st.sampled_from([" :- ", " :-\n "])) if body else ""
    return Pair(f"{text}{sign}{joined}", Rule(at, tuple(one.node for one in body)))  # type: ignore[misc]


@settings(deadline=None)
@given(st.lists(rules(), min_size=1, max_size=4))
def test_random_rules_are_read_as_they_are_meant(pairs: list[Pair]) -> None:
    read_again = read("\n".join(one.text for one in pairs))
    assert read_again == [one.node for one in pairs]
    ours = "".join(f"{to_text(one)}\n" for one in read_again)
    assert list(parse(Source("x.lars", ours)).statements) == read_again


def test_a_program_of_laser_is_checked_as_any_other() -> None:
    source = text_source("h(X) :- p(Y)\n\nq(X) :- time_win(2,0,1,diamond(r(X)))", "laser", "x.laser")
    [found] = [one for one in check(source) if one.severity is Severity.ERROR]
    assert str(found).startswith("x.laser:1:3-4: error: L101: unsafe variable X")

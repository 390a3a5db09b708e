"""Programs of Ticker: what each construct becomes, random ones, and what is said of wrong ones."""

from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.compiler import check
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics, Severity
from lars2asp.syntax.dialects.foreign_names import predicate_name, value, variable_name
from lars2asp.syntax.dialects.ticker import TICKER
from lars2asp.syntax.dialects.ticker.relations import RELATIONS
from lars2asp.syntax.nodes import Atom, AtTick, Box, Comparison, Diamond, Literal, Rule, Sign
from lars2asp.syntax.parser import parse, text_source
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import NOWHERE, Source

DECLARED = [
    nodes.SemanticsChoice(nodes.Semantics.STRICT),
    nodes.Tick(nodes.Duration(nodes.Number(1), "sec")),
]


def read(text: str) -> list[nodes.Statement]:
    """The rules of a text of Ticker."""
    statements = [*parse(text_source(text, "ticker")).statements]
    assert statements[:2] == DECLARED
    return statements[2:]


def said(text: str) -> list[tuple[str, str, str]]:
    """What is said of a text: where, what, and what to do."""
    diagnostics = Diagnostics()
    parse(text_source(text, "ticker"), diagnostics=diagnostics)
    return [(text[one.location.begin : one.location.end], one.message, one.hint) for one in diagnostics.found]


@pytest.mark.parametrize(
    ("ticker", "ours"),
    [
        ("a :- b, not c(X,12,x1).", "a :- b, not c(X,12,x1)."),
        ("a(X).", "a(X)."),
        ("h:-b [5].", "h :- b in [5 sec]."),
        ("h :- b(X)[10 sec], not c in [2 min].", "h :- b(X) in [10 sec], not c in [2 min]."),
        (
            "h :- b always [2000 msec], c always in [1 h].",
            "h :- b always in [2000 msec], c always in [1 hour].",
        ),
        ("h :- b at T [5], c at 25 in [5], d at T.", "h :- b at T in [5 sec], c at 25 in [5 sec], d at T."),
        (
            "h :- b [3 #], c always in [4 #], d at T [1 #].",
            "h :- b in [3 #], c always in [4 #], d at T in [1 #].",
        ),
        ("h :- b in [t 300], c always [# 10].", "h :- b in [300 sec], c always in [10 #]."),
        ("h :- b not in [5], not c not [5].", "h :- not b in [5 sec], not not c in [5 sec]."),
        ("h :- b always not in [5], c at T not [5].", "h :- not b always in [5 sec], not c at T in [5 sec]."),
        ("@T h :- b, @T a(X) [5], @3 c.", "h at T :- b, a(X) at T in [5 sec], c at 3."),
        ("h at T :- b at T.", "h at T :- b at T."),
        ("h at T + 1 :- b at T-2 [5].", "h at T+1 :- b at T-2 in [5 sec]."),
        ("h at 2399 :- b.", "h at 2399 :- b."),
        ("h :- b(X,Y), X + 1 = Y.", "h :- b(X,Y), X+1 = Y."),
        ("h(Z) :- b(X,Y), Z = X % Y.", "h(Z) :- b(X,Y), Z = X\\Y."),
        ("h(Z) :- b(X,Y), Z=X%Y, X %Y=Z, Z = X ^ 2.", "h(Z) :- b(X,Y), Z = X\\Y, X\\Y = Z, Z = X**2."),
        ("h :- b(X), X != 3, X<4, 5>=X.", "h :- b(X), X != 3, X < 4, 5 >= X."),
        ("h :- b(5.0), c at 3.0 [7.0].", "h :- b(5), c at 3 in [7 sec]."),
        (
            "h :- eq(X,Y), neq(X,Y), leq(X,Y), geq(X,Y), lt(X,Y), gt(X,Y).",
            "h :- X = Y, X != Y, X <= Y, X >= Y, X < Y, X > Y.",
        ),
        (
            "h :- plus(X,Y,Z), minus(X,Y,Z), times(X,Y,Z), divide(X,Y,Z), modulo(X,Y,Z), power(X,Y,Z).",
            "h :- Z = X+Y, Z = X-Y, Z = X*Y, Z = X/Y, Z = X\\Y, Z = X**Y.",
        ),
        (
            "h :- leqleq(X,Y,Z), leqlt(1,Y,3), ltleq(X,Y,Z), ltlt(X,Y,Z), incr(X,Y).",
            "h :- X <= Y <= Z, 1 <= Y < 3, X < Y <= Z, X < Y < Z, Y = X+1.",
        ),
        ("h :- not leq(X,Y), b(X,Y).", "h :- not X <= Y, b(X,Y)."),
        ("a#b(X) :- c@d(X).", "a'x23'b(X) :- c'x40'd(X)."),
        ("in :- at, always(X), not at(X).", "in :- at, always(X), not at(X)."),
    ],
)
def test_each_construct_says_the_same_here(ticker: str, ours: str) -> None:
    found = read(ticker)
    assert [to_text(one) for one in found] == [ours]
    assert list(parse(Source("x.lars", ours)).statements) == found


def test_all_seventeen_relations_are_there() -> None:
    assert len(RELATIONS) == 17
    for name, relation in RELATIONS.items():
        arguments = ",".join("XYZ"[: relation.arity])
        [rule] = read(f"h :- {name}({arguments}).")
        assert isinstance(rule, Rule)
        [literal] = rule.body
        assert isinstance(literal, Literal)
        assert isinstance(literal.atom, Comparison)


def test_comments_and_imports_stand_between_rules() -> None:
    text = """/* one */ import engine.a.SlidingTimeWindowFactory as stw
import engine.a.SlidingTupleWindowFactory as count
import other(x) as nobody

a :- b. // two. c :- d.
%* three.
  *% c(Z) :- d(X), /* within */ e [stw 5], % four, % five
     f [count 3], Z = X % 4, g. % six
// seven
h at 3.0. i.%"""
    assert [to_text(one) for one in read(text)] == [
        "a :- b.",
        "c(Z) :- d(X), e in [5 sec], f in [3 #], Z = X\\4, g.",
        "h at 3.",
        "i.",
    ]


def test_places_are_those_of_the_text() -> None:
    text = "// rooms\nh(X) :- /* one */ p(X) not in [t 5], leq(3,X)."
    [rule] = read(text)
    assert isinstance(rule, Rule)

    def at(node: nodes.Node) -> str:
        return text[node.location.begin : node.location.end]

    window, relation = (one for one in rule.body if isinstance(one, Literal))
    assert isinstance(window.atom, Diamond)
    assert (at(window), at(window.atom.atom), at(window.atom.window), at(relation.atom)) == (
        "p(X) not in [t 5]",
        "p(X)",
        "[t 5]",
        "leq(3,X)",
    )


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        (":- b.", ":- b.", "a rule of Ticker has a head", "the language of lars2asp"),
        ("not a :- b.", "not", "a head is not negated", "leave `not` out"),
        (
            "leq(X,3) :- b(X).",
            "leq(X,3)",
            "leq(X,3) is a relation, so no rule can derive it",
            "choose another name",
        ),
        ("a :- b [5 day].", "day", "day is not a unit of Ticker", "units are msec, sec, min, h, and #"),
        ("a :- b [x 5].", "x", "x is no window", "windows are [5 sec]"),
        (
            "import foo as x\na :- b [x 5].",
            "x",
            "x is the window of foo, a class of Scala",
            "windows are [5 sec]",
        ),
        ("a :- b [0 #].", "0", "a window of 0 tuples is always empty", "write 1 or more"),
        ("a :- b(2.5).", "2.5", "numbers of Ticker are whole", "choose a smaller unit"),
        ("a :- b [2.5].", "2.5", "numbers of Ticker are whole", "choose a smaller unit"),
        (
            "a :- leq(X,Y) [5].",
            "leq(X,Y)",
            "a relation does not change with time",
            "write it without a window",
        ),
        ("a :- leq(X,Y) at 5.", "leq(X,Y)", "a relation does not change with time", "write it without `at`"),
        ("a :- leq(X,Y,Z).", "leq(X,Y,Z)", "the relation leq has 2 arguments", "it says that X <= Y"),
        ("a :- incr(X).", "incr(X)", "the relation incr has 2 arguments", "it says that Y = X+1"),
        ("a :- times(X,Y).", "times(X,Y)", "the relation times has 3 arguments", "it says that Z = X * Y"),
        ("a :- b", "b", "the text ends in the middle of a statement", "end the statement with '.'"),
        ("a at T*2 :- b at T.", "*", "* does not give a tick", "a tick is T, 3"),
        ("a :- b c.", "c", "unexpected c", ""),
        ("a :- b in [].", "]", "unexpected ]", ""),
        ('a :- b("c d").', '"', 'unexpected "c d"', "this language has no text in quotes"),
        ("a :- /* b.", "/*", "this comment is never closed", "close it with */"),
        ("%* b.", "%*", "this comment is never closed", "close it with *%"),
    ],
)
def test_what_cannot_be_read_is_told_where_it_stands(text: str, place: str, message: str, hint: str) -> None:
    found = said(f"g :- r.\n{text}")
    assert (place, message, hint) in [(at, one[: len(message)], more[: len(hint)]) for at, one, more in found]


def test_numbers_without_end_are_told() -> None:
    long = "9" * 5000
    for text in (f"a :- b({long}).", f"a :- b [{long}].", f"a at {long} :- b."):
        [(place, message, _)] = said(text)
        assert (place, message) == (long, "the number 99999999999999999999... is too long")


def test_one_mistake_hides_no_other() -> None:
    found = said("a :- b c.\nd :- e.\nf :- g [5 days].\n")
    assert [one[0] for one in found] == ["c", "days"]


def test_a_text_is_recognised_by_what_no_other_language_has() -> None:
    for text in ("a :- b in [t 300].\n", "import foo.Bar as baz\n\na :- b.\n"):
        assert TICKER.recognises(text)
    for text in (
        "a :- b in [5 #].\n",
        "a :- b in [# 5].\n",
        "% a :- b in [t 300].\n",
        "a :- b [300 sec].\n",
        'a("[# 5]").',
    ):
        assert not TICKER.recognises(text)


def test_windows_are_whole_ticks_of_the_clock() -> None:
    source = text_source("a :- b [1500 msec].", "ticker", "x.ticker")
    [found] = [one for one in check(source) if one.severity is Severity.ERROR]
    assert "1500 msec" in str(found)


# --- random rules ---------------------------------------------------------------------------------


class Pair(NamedTuple):
    """A piece of Ticker, and what it is here."""

    text: str
    node: nodes.Node


BLANK = st.sampled_from(["", " ", "  ", "\n ", " /* x. */ "])
NAMES = st.sampled_from(["p", "q1", "isHot", "in", "at", "always", "a_b", "x#1", "y@z", "notable", "leqs"])
UNITS = {"": "sec", "msec": "msec", "sec": "sec", "min": "min", "h": "hour"}


@st.composite
def terms(draw: st.DrawFn) -> Pair:
    kind = draw(st.sampled_from(["variable", "number", "name"]))
    if kind == "variable":
        name = draw(st.sampled_from(["X", "Y", "T1", "Long_Name", "X#1"]))
        return Pair(name, nodes.Variable(variable_name(name)))
    if kind == "number":
        number = draw(st.integers(0, 300))
        return Pair(draw(st.sampled_from([str(number), f"{number}.0"])), nodes.Number(number))
    text = draw(NAMES)
    return Pair(text, value(text))


TIMES = terms().filter(lambda one: isinstance(one.node, nodes.Variable | nodes.Number))


@st.composite
def atoms(draw: st.DrawFn) -> tuple[str, Atom]:
    name, arguments = draw(NAMES), draw(st.lists(terms(), max_size=3))
    inner = f"({','.join(draw(BLANK) + one.text for one in arguments)})" if arguments else ""
    return name + inner, Atom(predicate_name(name), tuple(one.node for one in arguments))  # type: ignore[misc]


@st.composite
def windows(draw: st.DrawFn) -> tuple[str, nodes.Window]:
    size = draw(st.integers(1, 90))
    if draw(st.booleans()):
        text = draw(st.sampled_from([f"[{size} #]", f"[ # {size} ]"]))
        return text, nodes.TupleWindow(nodes.Number(size))
    unit = draw(st.sampled_from([*UNITS, "t"]))
    text = f"[t {size}]" if unit == "t" else f"[{size} {unit}]" if unit else f"[{size}]"
    return text, nodes.SlidingWindow(nodes.Duration(nodes.Number(size), UNITS.get(unit, "sec")))


@st.composite
def relations(draw: st.DrawFn) -> Pair:
    name = draw(st.sampled_from([*RELATIONS]))
    found = [draw(terms()) for _ in range(RELATIONS[name].arity)]
    made = RELATIONS[name].of([one.node for one in found], NOWHERE)  # type: ignore[misc]
    return Pair(f"{name}({','.join(one.text for one in found)})", made)


@st.composite
def literals(draw: st.DrawFn) -> Pair:
    kind = draw(st.sampled_from(["plain", "at", "diamond", "box", "at window", "relation", "comparison"]))
    if kind == "comparison":
        sides = [draw(TIMES) for _ in range(3)]
        sign, operator = draw(st.sampled_from(["=", "<", ">=", "!="])), draw(st.sampled_from("+-*/%^"))
        ours = {"%": "\\", "^": "**"}.get(operator, operator)
        operation = nodes.BinaryOperation(ours, sides[1].node, sides[2].node)  # type: ignore[arg-type]
        text = f"{sides[0].text}{sign}{sides[1].text} {operator} {sides[2].text}"
        return Pair(text, Literal(Comparison(sides[0].node, (nodes.Guard(sign, operation),))))  # type: ignore[arg-type]
    negation = draw(st.sampled_from(["", "not "]))
    signs = int(bool(negation))
    if kind == "relation":
        text, made = draw(relations())
        return Pair(negation + text, Literal(made, Sign(signs)))  # type: ignore[arg-type]
    text, atom = draw(atoms())
    if kind == "plain":
        return Pair(negation + text, Literal(atom, Sign(signs)))
    time = draw(TIMES)
    at = draw(st.sampled_from([f"{text} at {time.text}", f"@{time.text} {text}"]))
    if kind == "at":
        return Pair(negation + at, Literal(AtTick(atom, time.node), Sign(signs)))  # type: ignore[arg-type]
    written, window = draw(windows())
    behind = draw(st.sampled_from([" ", " in ", " not ", " not in "]))
    signs += "not" in behind
    seen: nodes.StreamingAtom
    match kind:
        case "diamond":
            seen = Diamond(atom, window)
        case "box":
            text, seen = f"{text} always", Box(atom, window)
        case _:
            text, seen = at, AtTick(atom, time.node, window)  # type: ignore[arg-type]
    return Pair(f"{negation}{text}{behind}{written}", Literal(seen, Sign(signs)))


@st.composite
def rules(draw: st.DrawFn) -> Pair:
    text, head = draw(atoms())
    at: Atom | AtTick = head
    if draw(st.booleans()):
        text, at = f"{text} at T", AtTick(head, nodes.Variable("T"))
    body = draw(st.lists(literals(), max_size=4))
    joined = ",".join(draw(BLANK) + one.text + draw(BLANK) for one in body)
    return Pair(f"{text}{':- ' if body else ''}{joined}.", Rule(at, tuple(one.node for one in body)))  # type: ignore[misc]


@settings(deadline=None)
@given(st.lists(rules(), min_size=1, max_size=4), st.sampled_from([" ", "\n", " // end. of\n", " % % x\n"]))
def test_random_rules_are_read_as_they_are_meant(pairs: list[Pair], between: str) -> None:
    read_again = read(between.join(one.text for one in pairs))
    assert read_again == [one.node for one in pairs]
    ours = "".join(f"{to_text(one)}\n" for one in read_again)
    assert list(parse(Source("x.lars", ours)).statements) == read_again

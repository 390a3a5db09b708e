"""Texts in, syntax out: keywords, literals, statements, plain facts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics, Lars2aspError, ProgramError
from lars2asp.syntax.nodes import (
    Atom,
    AtTick,
    Body,
    Box,
    Column,
    Diamond,
    Duration,
    Function,
    HoppingWindow,
    Input,
    LaggedWindow,
    Literal,
    Number,
    OffsetRange,
    OffsetWindow,
    Rule,
    Sign,
    SinceWindow,
    SlidingWindow,
    Spread,
    Statement,
    String,
    Table,
    TumblingWindow,
    Variable,
)
from lars2asp.syntax.parser import MOST_FOUND, parse, parse_input_declaration
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from lars2asp.syntax.traversal import every
from tests.support.programs import parse_text


def statement(text: str) -> Statement:
    [only] = parse_text(text).statements
    return only


def body(text: str) -> Body:
    rule = statement(f"h :- {text}.")
    assert isinstance(rule, Rule)
    return rule.body


A = Atom("a")
LAST_3 = SlidingWindow(Duration(Number(3)))


@pytest.mark.parametrize(
    ("text", "atom"),
    [
        ("a in [3]", Diamond(A, LAST_3)),
        ("a [3]", Diamond(A, LAST_3)),
        ("a always in [3]", Box(A, LAST_3)),
        ("a always [3]", Box(A, LAST_3)),
        ("a at T in [3]", AtTick(A, Variable("T"), LAST_3)),
        ("a at T [3]", AtTick(A, Variable("T"), LAST_3)),
        ("a at T", AtTick(A, Variable("T"))),
        ("a at @now", AtTick(A, Function("now", (), True))),
        ("a in {0,2}", Diamond(A, OffsetWindow((Number(0), Number(2))))),
        ("a {0}", Diamond(A, OffsetWindow((Number(0),)))),
        ("a in [3 sec]", Diamond(A, SlidingWindow(Duration(Number(3), "sec")))),
        ("a in [1..3]", Diamond(A, LaggedWindow(Duration(Number(1)), Duration(Number(3))))),
        ("a in [1..3 sec]", Diamond(A, LaggedWindow(Duration(Number(1), "sec"), Duration(Number(3), "sec")))),
        (
            "a in [1 sec .. n min]",
            Diamond(A, LaggedWindow(Duration(Number(1), "sec"), Duration(Function("n"), "min"))),
        ),
        (
            "a in [1..3 step 2 sec from n]",
            Diamond(
                A,
                HoppingWindow(
                    Duration(Number(3)),
                    Duration(Number(2), "sec"),
                    Duration(Number(1)),
                    Duration(Function("n")),
                ),
            ),
        ),
        (
            "a in [1 sec .. 3 min step 2 from from]",
            Diamond(
                A,
                HoppingWindow(
                    Duration(Number(3), "min"),
                    Duration(Number(2)),
                    Duration(Number(1), "sec"),
                    Duration(Function("from")),
                ),
            ),
        ),
        (
            "a in [every 1 day from 6 h]",
            Diamond(A, TumblingWindow(Duration(Number(1), "day"), Duration(Number(6), "hour"))),
        ),
        ("a in [every week year]", Diamond(A, TumblingWindow(Duration(Function("week"), "year")))),
        (
            "a in [2 step 1 month]",
            Diamond(A, HoppingWindow(Duration(Number(2)), Duration(Number(1), "month"))),
        ),
        (
            "a {1, 3..5}",
            Diamond(A, OffsetWindow((Number(1), OffsetRange(Number(3), Number(5))))),
        ),
        ("a in [since b(X,_)]", Diamond(A, SinceWindow(Atom("b", (Variable("X"), Variable("_")))))),
        ("a always [after -b]", Box(A, SinceWindow(Atom("b", (), False), True))),
        ("a in [n min]", Diamond(A, SlidingWindow(Duration(Function("n"), "min")))),
        ("a in [5s]", Diamond(A, SlidingWindow(Duration(Number(5), "sec")))),
        ("a in [m m]", Diamond(A, SlidingWindow(Duration(Function("m"), "min")))),
        ("a in [h]", Diamond(A, SlidingWindow(Duration(Function("h"))))),
    ],
)
def test_streaming_atoms(text: str, atom: Diamond | Box | AtTick) -> None:
    assert body(text) == (Literal(atom),)
    assert body(f"not {text}") == (Literal(atom, Sign.NOT),)
    assert body(f"b, not not {text}")[1] == Literal(atom, Sign.NOT_NOT)


@pytest.mark.parametrize(
    "text",
    [
        "in(X) :- at(X).",
        "always :- in in [in], at at at in [at].",
        "at at at :- count.",
        "sec(min) :- hour in [day sec], step, every, least, most.",
        "since(after) :- after in [since], since in [(since) step 2], after in [since after].",
        "in :- not in in {1}, not always always in [2].",
        "s(m) :- h in [d s], ms in [m step s], d in [every h], s in {m}, m in [s # by X].",
        "a :- inner in [1], atlas at T, alwaysx always [1], notx.",
    ],
)
def test_words_of_streaming_atoms_stay_names(text: str) -> None:
    assert parse_text(to_text(parse_text(text))) == parse_text(text)


def test_keyword_as_predicate_everywhere() -> None:
    assert statement("in(X) :- at(X).") == Rule(
        Atom("in", (Variable("X"),)), (Literal(Atom("at", (Variable("X"),))),)
    )


def test_locations_count_lines_and_columns_from_one() -> None:
    program = parse(Source("x.lars", "a.\n% comment\n  b :-\n    c in [1]."))
    rule = program.statements[1]
    assert isinstance(rule, Rule)
    assert str(rule.location) == "x.lars:3:3-4:14"
    assert str(rule.body[0].location) == "x.lars:4:5-13"


def test_what_is_right_is_kept_beside_mistakes() -> None:
    diagnostics = Diagnostics()
    program = parse(Source("x.lars", "a. b :- . c :- d e. f :- ."), diagnostics=diagnostics)
    assert [to_text(s) for s in program.statements] == ["a.", "b.", "f."]
    assert len(diagnostics.found) == 1


@given(
    st.from_regex(r"[a-z][A-Za-z0-9_]{0,3}", fullmatch=True),
    st.lists(
        st.integers(0, 10**9 - 1).map(str)
        | st.from_regex(r"[a-z][A-Za-z0-9_]{0,3}", fullmatch=True)
        | st.from_regex(r'"[^"\\\n]{0,3}"', fullmatch=True)
        | st.sampled_from(
            ["007", "-1", "X", "not", '"a\\\\"', "f(x)", "1+1", "f(g(h(1),x), y )", "f()", "f(x,)"]
        )
        | st.sampled_from(
            ["not(1)", "f(not)", "f(1,h(a(b(c(d(1))))))", 'f("(",g(")"))', "f(1.5)", "f(X)", "(1,2)"]
        ),
        min_size=1,
        max_size=3,
    ),
)
def test_plain_facts_read_fast_are_what_the_grammar_reads(name: str, arguments: list[str]) -> None:
    """A blank before the name's parenthesis keeps the fast way out."""
    fast, slow = Diagnostics(), Diagnostics()
    text = ",".join(arguments)
    assert (
        parse(Source("f", f"{name}({text})."), diagnostics=fast).statements
        == parse(Source("f", f"{name} ({text})."), diagnostics=slow).statements
    )
    assert len(fast.found) == len(slow.found)


def test_plain_facts_have_locations() -> None:
    rule = parse(Source("f", 'p(1, "x").')).statements[0]
    assert isinstance(rule, Rule)
    assert isinstance(rule.head, Atom)
    assert rule.head.arguments == (Number(1), String("x"))
    assert [str(part.location) for part in (rule, rule.head, *rule.head.arguments)] == [
        "f:1:1-11",
        "f:1:1-10",
        "f:1:3-4",
        "f:1:6-9",
    ]


def test_functions_in_plain_facts_have_locations() -> None:
    rule = parse(Source("f", "p(f(g(1), x), y).")).statements[0]
    assert isinstance(rule, Rule)
    functions = [*every(Function, rule)]
    assert [one.name for one in functions] == ["f", "g", "x", "y"]
    assert [str(one.location) for one in functions] == ["f:1:3-13", "f:1:5-9", "f:1:11-12", "f:1:15-16"]


def test_input_declarations() -> None:
    expected = Input(
        "reading", (Column("room"), Column("Temp (C)", 10), Column("id", conversion="text")), "Date"
    )
    text = 'reading(room, "Temp (C)" * 10, text(id)) at Date'
    assert statement(f"#input {text}.") == expected
    assert parse_input_declaration(text) == expected
    assert parse_input_declaration("t(x)") == Input("t", (Column("x"),), "time")


def test_declarations_with_a_fact_for_each_column_or_key() -> None:
    tag, x = Column("tag", conversion="text"), Column("x")
    expected = Input("reading", (tag, x), "ts", spread=Spread("tag", "x", "TI*", is_of_columns=True))
    assert statement('#input reading(tag, x) at ts each tag, x of columns "TI*".') == expected
    expected = Input("r", (tag, Column("x.t")), "ts", records="rows", spread=Spread("tag", "x", "a.values"))
    assert statement("#input r(tag, x.t) at ts each tag, x of a.values records each rows.") == expected
    table = Table("t", (tag, x), "t.csv", spread=Spread("tag", "x", "*", is_of_columns=True))
    assert to_text(table) == '#table t(text("tag"), "x") from "t.csv" each tag, x of columns "*".'
    words = statement("#input each(each, of, columns) at each each each, of of columns.")
    assert isinstance(words, Input)
    assert words.spread == Spread("each", "of", "columns")


def test_input_declaration_with_two_statements_is_refused() -> None:
    with pytest.raises(Lars2aspError, match="expected one declaration"):
        parse_input_declaration("t(x). a")


@pytest.mark.parametrize("term", ["f(" * 3000 + "1" + ")" * 3000, "1" + "+1" * 3000, "-" * 3000 + "1"])
def test_very_deep_terms_are_an_error(term: str) -> None:
    with pytest.raises(ProgramError, match="nested more than"):
        parse_text(f"a({term}).")


@pytest.mark.parametrize("term", ["f(" * 100 + "1" + ")" * 100, "1" + "+1" * 100])
def test_deep_terms_are_not(term: str) -> None:
    program = parse_text(f"a({term}).")
    assert parse_text(to_text(program)) == program


def test_what_follows_a_great_many_mistakes_is_not_read() -> None:
    with pytest.raises(ProgramError) as raised:
        parse_text("a." + " }." * 20_000 + " b.")
    found = raised.value.diagnostics
    assert len(found) == MOST_FOUND + 1
    assert "lars2asp stops reading here" in str(found[-1])


def test_conditions_are_printed_as_they_are_written() -> None:
    text = '#input p("a") at "ts" records each "r" where "each" or 0 > 5, number("b", ",") = -2.50.'
    declared = parse_input_declaration(text)
    assert to_text(declared) == text
    table = nodes.Table("p", declared.columns, "t.csv", conditions=declared.conditions)
    assert to_text(table) == '#table p("a") from "t.csv" where "each" or 0 > 5, number("b", ",") = -2.50.'


def test_input_has_constants_and_conditions() -> None:
    text = (
        '#input good(fixed("TI100"), fixed(-5), fixed(hall), where, fixed) at where '
        'where number(value, ",") or missing or 0 > -999.50, quality = "Good".'
    )
    declared = parse_input_declaration(text)
    assert [(one.name, one.conversion) for one in declared.columns] == [
        ('"TI100"', "fixed"),
        ("-5", "fixed"),
        ("hall", "fixed"),
        ("where", ""),
        ("fixed", ""),
    ]
    assert [one.name for one in declared.cells] == ["where", "fixed"]
    number, quality = declared.conditions
    assert (number.column.name, number.comparison, number.value, number.is_number) == (
        "value",
        ">",
        "-999.50",
        True,
    )
    assert (quality.column.name, quality.value, quality.is_number) == ("quality", "Good", False)
    assert declared.column_names == ("where", "fixed", "value", "quality")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#input p(fixed(5)) at ts.", "no argument is read from a column"),
        ("#input p(fixed(X), y) at ts.", "fixed(...) needs a text, an integer or a name, not X"),
        ("#input p(fixed(2.5), y) at ts.", "fixed(...) needs a text, an integer or a name, not 2.5"),
        ("#input p(y) at ts where y = good.", "compare with a text in quotes or a number"),
        ('#input p(y) at ts where y > "5".', '> compares numbers, and "5" is a text'),
        ("#input p(y) at ts where text(y) = 5.", "text(y) is not a number"),
        ("#input p(y) at ts where row() = 5.", "row() is not a column"),
        ("#input p(y) at ts where fixed(5) = 5.", "fixed(...) is not a column"),
    ],
)
def test_constants_and_conditions_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(ProgramError) as raised:
        parse_input_declaration(text)
    assert message in str(raised.value)

"""Facts from outside become rows, or are refused with the reason."""

import random
from collections.abc import Callable, Iterable
from time import process_time
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from clingo import Function, Number, String, Symbol, parse_term
from hypothesis import example, given
from hypothesis import strategies as st

from lars2asp.externals.terms.terms import AtomRows, GroundAtom, constant, tuple_term, turns_of
from lars2asp.externals.terms.text import atom_text, atom_texts
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.facts.atoms import Fact, parse_atoms, parse_list, to_atom, to_rows
from lars2asp.syntax.nodes import Signature

P1 = Signature("p", 1)


def symbol(atom: GroundAtom) -> Symbol:
    """What clingo makes of an atom's text."""
    return parse_term(atom_text(*atom))


def texts(parts: tuple[AtomRows, ...]) -> list[str]:
    """Atoms as text."""
    return [text for part in parts for text in atom_texts(*part)]


def if_any(read: Callable[[Any], Any], given: Any) -> Any:
    """What is read; None for what is refused."""
    try:
        return read(given)
    except InputError:
        return None


# --- text -----------------------------------------------------------------------------------------

SIGNS = ["(", ")", ",", "-", "()", "(,)", ",)", " ", "\n", "\t", "\r", "\x0b", "#", "%", ":", "[", '"']
NAMES = ["p", "not", "a1", "_x", "'b", "X", "_", "#inf", "#supremum", "p(1)", "f(a)"]
LITERALS = [
    "0",
    "7",
    "-3",
    "007",
    "0x1F",
    "0b2",
    "2147483647",
    "9223372036854775808",
    '"x"',
    '"a, b"',
    r'"\n\\\""',
]
PIECES = st.one_of(*map(st.sampled_from, (SIGNS[:4], SIGNS, NAMES, LITERALS)))


@given(st.lists(PIECES, max_size=9).map("".join))
@example("0007007007")
@example("p(1,-(),2)")
@example("-(1,2)")
@example("p(-(1,))")
@example("--p(--1,-(-2))")
@example('-"x"')
@example("-#inf")
@example("p(,1)")
@example("(p(1))")
def test_text_is_read_as_clingo_reads_it(text: str) -> None:
    """But for arithmetic, and what is not an atom."""
    try:
        expected = parse_term(text, logger=lambda code, message: None)
        is_atom = bool(expected.name)
    except RuntimeError:
        is_atom = False
    atom = if_any(to_atom, text)
    if atom is not None:
        assert is_atom
        assert symbol(atom) == expected
    elif is_atom and "-" not in text:
        assert "9223372036854775808" in text


@given(st.lists(st.lists(PIECES, max_size=9).map("".join), max_size=4))
def test_a_list_is_read_as_its_atoms_are(listed: list[str]) -> None:
    """At least where all are atoms; some lists have atoms that are split by the commas here."""
    atoms = [if_any(to_atom, text) for text in listed]
    found = if_any(parse_list, ",".join(listed))
    if None not in atoms:
        assert found is not None
        assert sorted(texts(found)) == sorted(atom_text(*atom) for atom in atoms)


WORDS = ["a1", "a_B", "_x", "X", "0", "7", "-7", "-0", "007", "999999999", "2147483647", "2147483648"]
WORDS += [
    "1.5",
    '"s"',
    '"x y"',
    '"u, v"',
    r'"\n"',
    '"[1],[2]"',
    "f(1)",
    "(1,2)",
    "1e2",
    "true",
    "null",
    " 3",
    " b",
]
WORDS += [
    "[1]",
    "-#inf",
    "#inf",
    '"x)',
    'q("y"',
    "1],[2",
    "p(1)\np(2)",
    "\n",
    '"é"',
    '"\ud800"',
    "é",
    '"\t"',
    "1_0",
]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["p", "p", "p", "q", "-p", "not"]),
            st.lists(st.sampled_from(WORDS), max_size=3),
            st.sampled_from([",", ",", ", "]),
        ).map(lambda made: f"{made[0]}({made[2].join(made[1])})" if made[1] else made[0]),
        min_size=6,
        max_size=12,
    )
)
def test_many_texts_are_read_as_each_is(many: list[str]) -> None:
    """What is quick for many takes nothing else, and makes the same of it."""
    atoms = [if_any(to_atom, text) for text in many]
    check_many(many, atoms)
    check_many([text for text, atom in zip(many, atoms, strict=True) if atom is not None], atoms)


@pytest.mark.parametrize(
    "arguments", [["1", "-7"], ["a", "b1"], ["a", "7"], ["7", "a"], ['"x y"', "1", "c"], ['"x"']]
)
@pytest.mark.parametrize("comma", [",", ", "])
@pytest.mark.parametrize("odd", [*WORDS, "p", "p()", "", "q(1)", "p(1,2,3,4)", 'p("x)', 'p(y")', "p(a"])
def test_one_that_differs_from_many(arguments: list[str], comma: str, odd: str) -> None:
    plain = f"p({comma.join(arguments)})"
    for other in (
        odd,
        f"p({odd})",
        f"p({comma.join([odd, *arguments[1:]])})",
        f"p({comma.join([*arguments[1:], odd])})",
    ):
        for place in (0, 3, 7):
            many = [plain] * 7
            many.insert(place, other)
            check_many(many, [if_any(to_atom, text) for text in many])


def check_many(many: list[str], atoms: list[GroundAtom | None]) -> None:
    """Texts are read together as they are one by one."""
    if None in atoms and len(atoms) == len(many):
        with pytest.raises(InputError):
            parse_atoms(many)
        return
    assert in_order(parse_atoms(many)) == [atom for atom in atoms if atom is not None]


def in_order(groups: Iterable[AtomRows]) -> list[GroundAtom]:
    """The atoms one by one."""
    return [GroundAtom(signature, row) for signature, rows in turns_of(groups) for row in rows]


def test_texts_that_together_would_be_other_atoms_are_refused() -> None:
    plain = ["p(1)"] * 6
    for wrong in (
        ['p("a)', 'p(b")', "p(1)\np(2)"],
        ["p(1],[2)"],
        ['p("a)', 'p(b")', "p(1],[2)"],
        ["p(1", "p 2)"],
    ):
        with pytest.raises(InputError):
            parse_atoms([*plain, *wrong])
        with pytest.raises(InputError):
            parse_atoms([*wrong, *plain])


def test_plain_atoms_are_of_one_kind_however_they_come() -> None:
    """Random words, read as one atom, as a list and among many."""
    choose = random.Random(1)
    for _ in range(2000):
        arguments = choose.choice([",", ",", ", "]).join(choose.choices(WORDS, k=choose.randint(1, 3)))
        text = choose.choice(["p", "not", "a1", "X"]) + choose.choice(["", "()", *[f"({arguments})"] * 8])
        one, listed = if_any(to_atom, text), if_any(parse_list, text)
        assert (None if one is None else (AtomRows(one[0], [one[1]]),)) == listed, text


@pytest.mark.parametrize(
    "text",
    [
        "p",
        "p(a,1)",
        "-p(1)",
        'p("a.b, X_ 99999999999")',
        "p((1,),f(-3))",
        "'x(_y)",
        "p(2147483647)",
        "p(-2147483648)",
        "p(2147483648)",
        "p(f(-123456789012345678901234567890))",
    ],
)
def test_atoms(text: str) -> None:
    assert atom_text(*to_atom(text)) == text


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        ("p(X)", "contains the variable X"),
        ("p(_)", "contains the variable _"),
        ("p(1.5)", "1.5 is a decimal, but this argument is an integer"),
        ("p(1..3)", "not a single fact"),
        ("p(1;2)", "not a single fact"),
        ("p(ä)", "ä is allowed only in a string"),
        ("p(" + "9" * 6000 + ")", "longer than 4000 digits"),
        ("p(" + "9" * 4001 + ")", "longer than 4000 digits"),
        ("p(" + "f(" * 1000 + "1" + ")" * 1000 + ")", "nested more than"),
        ("p(" + "-" * 1000 + "1)", "nested more than"),
        ("p(1+1)", "facts contain no arithmetic"),
        ("p(3 -1)", "facts contain no arithmetic"),
        ("p(0x" + "F" * 3999 + ")", "longer than 4000 digits"),
        ('p("\ud800")', "not UTF-8"),
        (("p", "\ud800"), "not UTF-8"),
        ("p(@f)", "not a single fact"),
        ("p(", "not an atom"),
        ("", "not an atom"),
        ("3", "not an atom"),
        ('"x"', "not an atom"),
        ("(a,b)", "not an atom"),
        ("p. q", "not an atom"),
        ("not p", "not an atom"),
        ("p\0q", "null character"),
        (("p", 10**4000), "longer than 4000 digits"),
        (("p", 1.5), "decimal"),
        (("p", True), "no integer and no text"),
        (("p", None), "cannot be an argument of a fact"),
        (("p(1)", 2), "a tuple begins with the name"),
        ((1, 2), "not a fact"),
        (7, "not a fact"),
        (Number(7), "not an atom"),
    ],
)
def test_what_is_no_atom_is_refused_with_the_reason(fact: object, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        to_atom(fact)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "fact",
    [
        "p(\u202e)",
        "p(\x1b[2J)",
        "p(a\n,X)",
        'p("two\\\nlines")',
        "p(" + "\U0010ffff" * 1000 + ")",
        "p(" + "7" * 100_000 + ")",
        "X" * 100_000,
        "not " * 1000,
        "q" * 1000 + "\0",
        ("p", "\ud800" * 1000),
        ("p", ["x"] * 1000),
        ["x\n"] * 1000,
    ],
)
def test_reasons_are_one_line_that_can_be_printed(fact: object) -> None:
    with pytest.raises(InputError) as raised:
        to_atom(fact)  # type: ignore[arg-type]
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 400


def test_strings_that_are_not_closed() -> None:
    for text in ('p("x', 'p("x\\")', 'p("","'):
        with pytest.raises(InputError, match="a string lacks a closing quote"):
            to_atom(text)


def test_what_is_no_escape_in_a_string() -> None:
    for text, escape in ((r'p("a\tb")', r"\t"), (r'p("x\n", "\d+")', r"\d"), (r'p(f("\\\x"),"y")', r"\x")):
        with pytest.raises(InputError) as raised:
            to_atom(text)
        told = (
            rf"{text}: {escape} is not an escape in a string: write \{escape} for a backslash and {escape[1]}"
        )
        assert str(raised.value).startswith(told)
        to_atom(text.replace(escape, "\\" + escape))


def test_line_breaks_in_strings() -> None:
    for text in ('p("x\ny")', 'p("x\n"' + "(" * 100_000, 'p("\n")'):
        with pytest.raises(InputError, match=r"a string contains a line break: write \\n instead"):
            to_atom(text)
    to_atom(r'p("x\ny")')


def test_many_quotes_in_a_string_that_is_not_closed_are_no_matter() -> None:
    began = process_time()
    with pytest.raises(InputError, match="a string lacks a closing quote"):
        to_atom('p("' + '\\"' * 50_000)
    assert process_time() - began < 5


def test_lists_of_atoms() -> None:
    assert texts(parse_list('p(a,(1,2)), q, r("x,y")')) == ["p(a,(1,2))", "q", 'r("x,y")']
    assert parse_list("  ") == ()
    assert parse_list(", ".join(f"p(-{i})" for i in range(500))) == (
        AtomRows(P1, [(-i,) for i in range(500)]),
    )
    for wrong in ("p,,q", "p q", "p),(q", "3", "p,"):
        with pytest.raises(InputError):
            parse_list(wrong)


# --- tuples and symbols ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fact",
    [
        *("p(1)", " p( 1 ) ", Function("p", [Number(1)])),
        *(("p", 1), (" p", 1), (np.str_("p"), 1), ("p", Number(1))),
        *(("p", value) for value in (np.int64(1), np.uint8(1), np.array(1), pa.scalar(1))),
    ],
)
def test_a_fact_in_many_forms(fact: Fact) -> None:
    for facts in ([fact], [fact] * 9, (each for each in [fact])):
        [(signature, rows)] = to_rows(facts)
        assert signature == P1
        assert set(rows) == {(1,)}
        assert {type(row[0]) for row in rows} == {int}


def test_values_in_tuples() -> None:
    values = ["s", np.str_("s"), pa.scalar("s"), String("s")]
    assert to_rows([("p", value) for value in values]) == (AtomRows(P1, [("s",)] * 4),)
    assert {type(row[0]) for row in to_rows([("p", values[1])] * 3)[0].rows} == {str}
    terms = [constant("a"), Function("a"), (1, ("x", np.int8(2)))]
    nested = tuple_term((1, tuple_term(("x", 2))))
    assert to_rows([("p", term) for term in terms]) == (AtomRows(P1, [(constant("a"),)] * 2 + [(nested,)]),)
    assert to_rows([("-p", 1), ("p",)]) == (
        AtomRows(Signature("p", 1, False), [(1,)]),
        AtomRows(Signature("p", 0), [()]),
    )


def test_facts_keep_their_order() -> None:
    facts: list[Fact] = [("p", 1), ("q", 1), ("p", 2, "x"), ("p", 3)] * 3
    told = list(map(to_text, facts))
    for form in (facts, told, list(map(parse_term, told)), [*facts[:3], *told[3:]]):
        assert in_order(to_rows(form)) == list(map(to_atom, facts))
    assert to_rows([]) == to_rows(()) == ()


def test_facts_of_each_predicate_together() -> None:
    facts: list[Fact] = [("p", 1), ("q", 1), ("p", 2, "x"), ("p", 3)] * 3
    groups = {str(signature): rows for signature, rows in to_rows(facts)}
    assert groups == {"p/1": [(1,), (3,)] * 3, "p/2": [(2, "x")] * 3, "q/1": [(1,)] * 3}
    written = [(" p", 1), ("p", 2)] * 3
    assert to_rows(written) == (AtomRows(P1, [(1,), (2,)] * 3),)


NUMBERS = st.sampled_from([0, 1, -1, 105, 2**31 - 1, 1 - 2**31, -(2**31), 2**31, 2**70, 26985])
OTHERS = [True, 1.5, None, "abc", "i", "\0", b"i\0\0\0\0", np.int64(7), np.int32(105), (1, 2), constant("a")]
VALUES = st.one_of(st.integers(0, 3), NUMBERS, st.sampled_from(OTHERS))
COLUMNS = st.one_of(st.just(st.integers(-3, 400)), st.just(NUMBERS), st.just(VALUES), st.just(st.text("ai")))


@given(st.data())
def test_many_tuples_are_read_as_each_is(data: st.DataObject) -> None:
    kinds = data.draw(st.lists(COLUMNS, max_size=3))
    names = st.sampled_from(data.draw(st.sampled_from(["p", "pq", ["p", "-p", " p", np.str_("q")]])))
    facts = data.draw(st.lists(st.tuples(names, *kinds), min_size=6, max_size=12))
    if data.draw(st.booleans()):
        facts += [fact[:-1] for fact in facts if len(fact) > 1]
    each = if_any(lambda many: [*map(to_atom, many)], facts)
    read = if_any(lambda many: in_order(to_rows(many)), facts)
    assert read == each
    if read is not None:
        assert [[*map(type, row)] for _, row in read] == [[*map(type, row)] for _, row in each]


def to_text(fact: Fact) -> str:
    """A fact as text."""
    return atom_text(*to_atom(fact))


@pytest.mark.parametrize(
    "wrong", [True, np.True_, 1.5, np.float32(1.5), pa.scalar(1.5), None, pa.scalar(None), 10**4000]
)
@pytest.mark.parametrize("others", [[], [1, 2, 3], ["a", "b"], [np.int64(2)]])
def test_wrong_values_among_others(wrong: object, others: list[Any]) -> None:
    for facts in ([("p", wrong, 1)], [("p", 1, value) for value in [*others, wrong]], [("p", (wrong,))]):
        with pytest.raises(InputError):
            to_rows(facts)


def test_one_fact_is_no_collection() -> None:
    with pytest.raises(InputError, match="is a single fact: pass a list"):
        to_rows("p(1)")
    with pytest.raises(InputError, match="7 is not an atom"):
        to_rows([Function("p"), Number(7)])
    with pytest.raises(InputError, match="7 is not an atom"):
        to_rows([Number(7), Number(7)])


def test_a_number_too_long_to_be_written() -> None:
    """Python refuses to write numbers of more than 4300 digits."""
    with pytest.raises(InputError, match="the number ~1e4999 is longer than 4000 digits"):
        to_atom(("p", 10**4999))

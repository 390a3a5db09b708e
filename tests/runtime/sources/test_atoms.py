"""Facts from outside become atoms, or are refused with the reason."""

import random
from time import process_time

import pytest
from clingo import Function, Number, Symbol

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.atoms import parse_list, to_atom


@pytest.mark.parametrize("seed", range(10))
def test_plain_atoms_are_read_as_all_others_are(seed: int) -> None:
    """The short way for them takes nothing else, and makes the same of them; lists of atoms do without it."""
    choose = random.Random(seed)
    words = [
        "p",
        "not",
        "a1",
        "a_B",
        "_x",
        "X",
        "0",
        "7",
        "-7",
        "-0",
        "007",
        "999999999",
        "2147483648",
        "1.5",
    ]
    texts = []
    for _ in range(300):
        arguments = choose.choice([",", ",", ", "]).join(choose.choices(words, k=choose.randint(1, 3)))
        texts.append(choose.choice(words) + choose.choice(["", "()", *[f"({arguments})"] * 8]))
    found = list(map(read, texts))
    assert found == list(map(read_in_a_list, texts))
    assert sum(atom is not None for atom in found) > 30


def read(text: str) -> Symbol | None:
    """The atom that a text stands for, if it is one."""
    try:
        return to_atom(text)
    except InputError:
        return None


def read_in_a_list(text: str) -> Symbol | None:
    """The atom of a list with this one atom, if it is one."""
    try:
        [atom] = parse_list(text)
    except InputError:
        return None
    return atom


@pytest.mark.parametrize(
    "text", ["p", "p(a,1)", "-p(1)", 'p("a.b, X_ 99999999999")', "p((1,),f(-3))", "'x(_y)", "p(2147483647)"]
)
def test_atoms(text: str) -> None:
    assert str(to_atom(text)) == text


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        ("p(X)", "X is a variable"),
        ("p(_)", "_ is a variable"),
        ("p(1.5)", "a decimal where an integer is needed"),
        ("p(2147483648)", "more than 32 bits"),
        ("p(1..3)", "no single ground atom"),
        ("p(1;2)", "no single ground atom"),
        ("p(ä)", "ä can stand only in a string"),
        ("p(" + "9" * 6000 + ")", "more than 32 bits"),
        ("p(" + "f(" * 1000 + "1" + ")" * 1000 + ")", "nested more than"),
        ("p(" + "-" * 1000 + "1)", "nested more than"),
        ("p(1+1)", "no place for arithmetic"),
        ("p(3 -1)", "no place for arithmetic"),
        ("p(0xFFFFFFFFFF)", "more than 32 bits"),
        ('p("\ud800")', "not UTF-8"),
        (("p", "\ud800"), "not UTF-8"),
        ("p(@f)", "no single ground atom"),
        ("p(", "no atom"),
        ("", "no atom"),
        ("3", "no atom"),
        ('"x"', "no atom"),
        ("(a,b)", "no atom"),
        ("p. q", "no atom"),
        ("not p", "no atom"),
        ("p\0q", "null character"),
        (("p", 2**31), "more than 32 bits"),
        (("p", 1.5), "decimal"),
        (("p", True), "neither integer nor text"),
        (("p", None), "neither integer nor text nor tuple"),
        (("p(1)", 2), "first item is the name"),
        ((1, 2), "no fact"),
        (7, "no fact"),
        (Number(7), "no atom"),
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
    for text in ('p("x', 'p("x\\")', 'p("a\\tb")', 'p("x\ny")', 'p("x\n"' + "(" * 100_000, 'p("","'):
        with pytest.raises(InputError, match="a string is not closed"):
            to_atom(text)


def test_many_quotes_in_a_string_that_is_not_closed_are_no_matter() -> None:
    began = process_time()
    with pytest.raises(InputError, match="a string is not closed"):
        to_atom('p("' + '\\"' * 50_000)
    assert process_time() - began < 5


def test_lists_of_atoms() -> None:
    assert list(map(str, parse_list('p(a,(1,2)), q, r("x,y")'))) == ["p(a,(1,2))", "q", 'r("x,y")']
    assert parse_list("  ") == ()
    assert len(parse_list(", ".join(f"p(-{i})" for i in range(500)))) == 500
    for wrong in ("p,,q", "p q", "p),(q", "3", "p,"):
        with pytest.raises(InputError):
            parse_list(wrong)


def test_facts_are_compared_as_symbols() -> None:
    assert to_atom(" p( 1 ) ") == Function("p", [Number(1)])


def test_a_number_too_long_to_be_written() -> None:
    """Python refuses to write numbers of more than 4300 digits."""
    with pytest.raises(InputError, match="the number ~1e4999 has more than 32 bits"):
        to_atom(("p", 10**4999))

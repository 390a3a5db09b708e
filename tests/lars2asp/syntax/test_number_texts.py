"""Numbers with signs of their own, units, and marks."""

import re
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.syntax.nodes import NumberMarks
from lars2asp.syntax.number_texts import NO_MARKS, NumberText, NumberTextError, number_in
from tests.support.examples import number_of_examples


@pytest.mark.parametrize(
    ("cell", "signs", "text"),
    [
        ("24,1 °C", (",",), "24.1"),
        ("€ 12,50", (",",), "12.50"),
        ("€12,50", (",",), "12.50"),
        ("-3,5 kWh", (",",), "-3.5"),
        ("\u22123,5\u00a0m²", (",",), "-3.5"),
        ("1.234.567,8", (",", "."), "1234567.8"),
        ("1\u202f234,5", (",", " "), "1234.5"),
        ("1'234.5", (".", "'"), "1234.5"),
        (",5", (",",), "0.5"),
        ("007", (), "7"),
        ("1,5E-3", (",",), "0.0015"),
        ("12 m3/h", (), "12"),
        ("98 %", (), "98"),
        ("5 K", (), "5"),
    ],
)
def test_numbers(cell: str, signs: tuple[str, ...], text: str) -> None:
    assert number_in(cell, signs).text == text


@pytest.mark.parametrize(
    ("cell", "signs"),
    [
        *(("1.234", (",",)), ("1,234.5", (",",)), ("12,34.567", (",", ".")), ("1.23,4", (",", "."))),
        *(("12:30", (",",)), ("01.02.2026", (",", ".")), ("x", ()), ("", ()), ("1 2", ()), ("0x1F", ())),
        *(("3,5 Mio", (",",)), ("3k", ()), ("1,2,3", (",",)), ("--1", ()), ("12h30", ()), ("NaN", ())),
    ],
)
def test_what_is_no_number(cell: str, signs: tuple[str, ...]) -> None:
    with pytest.raises(NumberTextError):
        number_in(cell, signs)


def test_the_signs_that_would_do_are_named() -> None:
    with pytest.raises(NumberTextError) as error:
        number_in("1.234,5", (",",))
    assert error.value.cures == (', ",", "."',)


@given(
    st.decimals(-(10**12), 10**12, places=3), st.sampled_from([",", "."]), st.sampled_from([" ", "'", "_"])
)
def test_numbers_come_back_exactly(number: Decimal, sign: str, thousands: str) -> None:
    cell = f"{number:,.3f}".replace(".", "#").replace(",", thousands).replace("#", sign)
    assert Decimal(number_in(cell, (sign, thousands)).text) == number


@pytest.mark.parametrize(
    ("cell", "marks", "number"),
    [
        ("5.00 EUR-", NumberMarks(minus="-"), NumberText("-5.00", "EUR")),
        ("11.50 DR", NumberMarks(minus="DR"), NumberText("-11.50", "")),
        ("11.50DR", NumberMarks(minus="DR"), NumberText("-11.50", "")),
        ("11.50 CR", NumberMarks(plus="CR", minus="DR"), NumberText("11.50", "")),
        ("EUR 11.50 DR", NumberMarks("EUR", "CR", "DR"), NumberText("-11.50", "EUR")),
        ("1.5 k", NumberMarks("k"), NumberText("1.5", "k")),
        ("11.50", NumberMarks("EUR", "CR", "DR"), NumberText("11.50", "")),
    ],
)
def test_units_and_marks(cell: str, marks: NumberMarks, number: NumberText) -> None:
    assert number_in(cell, (), marks) == number


@pytest.mark.parametrize(
    ("cell", "marks", "reason", "cure"),
    [
        ("5.00 EUR-", NO_MARKS, "has '-' after the number, which nothing declares", ', minus "-"'),
        ("5+", NO_MARKS, "has '+' after the number, which nothing declares", ', plus "+"'),
        ("11.50 DR", NO_MARKS, "has 'DR' after the number, which nothing declares", ', minus "DR"'),
        ("5 CR", NumberMarks(minus="DR"), "has 'CR' after", ', plus "CR", minus "DR"'),
        ("-5 DR", NumberMarks(minus="DR"), "has 'DR' after the number, and a sign in front of it", ""),
        ("+5 DR", NumberMarks(minus="DR"), "has 'DR' after the number, and a sign in front of it", ""),
        ("1.5 MB", NumberMarks("kB"), "has the unit 'MB', not 'kB'", ""),
        ("1.5 KB", NumberMarks("kB"), "has the unit 'KB', not 'kB'", ""),
        ("€ 5 kg", NO_MARKS, "has two units, '€' and 'kg'", ""),
    ],
)
def test_what_is_said_of_other_units_and_marks(cell: str, marks: NumberMarks, reason: str, cure: str) -> None:
    with pytest.raises(NumberTextError, match=re.escape(reason)) as error:
        number_in(cell, (), marks)
    assert (*error.value.cures, error.value.is_number) == (*filter(None, [cure]), True)


BLANKS = " \u00a0"
UNITS = ("kB", "MB", "°C", "EUR", "€")
PARTS = (*UNITS, "DR", "CR", "-", "+", "\u2212", "5", "12", "345", ",", ".", "'", " ", "\u00a0", "")


def plain_digits(text: str, decimal: str, between: str) -> Decimal | None:
    """The number without a sign that a text is."""
    whole, sign, fraction = text.partition(decimal)
    groups = [whole]
    if between:
        groups = whole.replace("\u00a0", " ").split(between) if between == " " else whole.split(between)
        if len(groups) > 1 and not (1 <= len(groups[0]) <= 3 and all(len(one) == 3 for one in groups[1:])):
            return None
    digits = "".join(groups)
    if not all(one and set(one) <= {*"0123456789"} for one in groups) and (digits or not fraction):
        return None
    if sign and not set(fraction) <= {*"0123456789"}:
        return None
    return Decimal(f"{digits or 0}.{fraction or 0}")


def plain_numbers(cell: str, signs: tuple[str, str], marks: NumberMarks) -> set[Decimal]:
    """All numbers that a cell may be: unit, sign, digits, unit and mark, with blanks between."""
    found: set[Decimal] = set()
    places = range(len(cell) + 1)
    sides = [(mark, factor) for mark, factor in ((marks.minus, -1), (marks.plus, 1)) if mark]
    for mark, factor in (*sides, ("", 1)):
        if not cell.endswith(mark) or (not mark and found):
            continue
        rest = cell.removesuffix(mark).rstrip(BLANKS) if mark else cell
        for begin in places:
            for end in places:
                before, middle, behind = rest[:begin].strip(BLANKS), rest[begin:end], rest[end:].strip(BLANKS)
                units = [one for one in (before, behind) if one]
                is_known = units == [marks.unit] if marks.unit else len(units) == 1 and units[0] in UNITS
                if end < begin or (units and not is_known):
                    continue
                middle = middle.strip(BLANKS)
                sign, digits = middle[:1], middle[1:].lstrip(BLANKS)
                if not middle or sign not in "+-\u2212":
                    sign, digits = "", middle
                number = plain_digits(digits, *signs)
                if number is not None and not (mark and sign):
                    found.add(number * factor * (-1 if sign and sign != "+" else 1))
    return found


@given(
    st.lists(st.sampled_from(PARTS), max_size=6).map("".join),
    st.sampled_from([(".", ""), (",", ""), (",", "."), (",", " ")]),
    st.builds(
        NumberMarks,
        st.sampled_from(["", "kB", "€"]),
        st.sampled_from(["", "CR"]),
        st.sampled_from(["", "DR", "-"]),
    ),
)
@settings(max_examples=20 * number_of_examples(30))
def test_random_cells_are_what_the_definition_says(
    cell: str, signs: tuple[str, str], marks: NumberMarks
) -> None:
    cell = cell.strip(BLANKS)
    plain = plain_numbers(cell, signs, marks)
    try:
        number, unit = number_in(cell, tuple(filter(None, signs)), marks)
    except NumberTextError:
        assert not plain
    else:
        if unit in (*UNITS, ""):
            assert {Decimal(number)} == plain
        else:  # a word that the plain reader does not know
            assert not marks.unit

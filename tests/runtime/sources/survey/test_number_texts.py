"""Numbers with signs of their own and units."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.survey.number_texts import number_text


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
    assert number_text(cell, signs) == text


@pytest.mark.parametrize(
    ("cell", "signs"),
    [
        *(("1.234", (",",)), ("1,234.5", (",",)), ("12,34.567", (",", ".")), ("1.23,4", (",", "."))),
        *(("12:30", (",",)), ("01.02.2026", (",", ".")), ("x", ()), ("", ()), ("1 2", ()), ("0x1F", ())),
        *(("3,5 Mio", (",",)), ("3k", ()), ("1,2,3", (",",)), ("--1", ()), ("12h30", ()), ("NaN", ())),
    ],
)
def test_what_is_no_number(cell: str, signs: tuple[str, ...]) -> None:
    with pytest.raises(InputError):
        number_text(cell, signs)


def test_the_signs_that_would_do_are_named() -> None:
    with pytest.raises(InputError, match=r'number\(\.\.\., ",", "\."\) would read it'):
        number_text("1.234,5", (",",))


@given(
    st.decimals(-(10**12), 10**12, places=3), st.sampled_from([",", "."]), st.sampled_from([" ", "'", "_"])
)
def test_numbers_come_back_exactly(number: Decimal, sign: str, thousands: str) -> None:
    cell = f"{number:,.3f}".replace(".", "#").replace(",", thousands).replace("#", sign)
    assert Decimal(number_text(cell, (sign, thousands))) == number

"""What the cells of a column are."""

import pytest

from lars2asp.runtime.sources.survey.column_kinds import kind_of


@pytest.mark.parametrize(
    ("cells", "argument", "decimals"),
    [
        (["5.00", "5.00-", "3.25-"], 'number(v, minus "-")', 2),
        (["5.00 EUR-", "7 EUR"], 'number(v, minus "-")', 1),
        (["11.50 DR", "3 CR", "2.25"], 'number(v, plus "CR", minus "DR")', 2),
        (["5 Soll", "6"], 'number(v, minus "Soll")', 0),
        (["5 S", "6 H"], 'number(v, plus "H", minus "S")', 0),
        (["5 C", "6 C"], "number(v)", 0),
        (["1.234,50-", "2,00"], 'number(v, ",", ".", minus "-")', 1),
        (["20,5 °C", "26"], 'number(v, ",")', 1),
        (["80.0999984741211", "20.100000381469727", "3.5"], "number(v) rounded", 1),
        (["1.123456789012", "2.5"], "number(v) rounded", 6),
        ([*map(str, range(3000, 3400, 10)), "ground"], "number(v) or missing", 0),
        ([f"{number}.5" for number in range(40)] + ["ground"], "number(v) or missing", 1),
        (["3", "4", "ground"], "text(v)", 0),
        (["a1", "b2"], "v", 0),
    ],
)
def test_what_is_proposed(cells: list[str], argument: str, decimals: int) -> None:
    found = kind_of("v", cells)
    assert (found.argument, found.decimals) == (argument, decimals)


def test_several_units_are_named() -> None:
    found = kind_of("v", ["1.5 kB", "1.5 MB", "3 kB"])
    assert found.argument == "text(v)"
    assert found.words.endswith("; different units of numbers: MB, kB")

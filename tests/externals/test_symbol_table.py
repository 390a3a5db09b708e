"""Symbols come back from JSON as the very same, whatever their names are."""

import json
from collections.abc import Sequence

from clingo import Function, Infimum, Number, String, Supremum, Symbol
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.externals.symbol_table import SymbolKeys, Symbols
from lars2asp.externals.symbols import key_of, symbol_of
from tests.support.symbols import SYMBOLS


def there_and_back(symbols: Sequence[Symbol]) -> list[Symbol]:
    table = Symbols()
    numbers = [table.number(key_of(symbol)) for symbol in symbols]
    keys = SymbolKeys(json.loads(json.dumps(table.table)))
    return [symbol_of(keys.key(number)) for number in numbers]


@given(st.lists(SYMBOLS, max_size=6))
def test_symbols_come_back(symbols: list[Symbol]) -> None:
    assert there_and_back(symbols) == symbols


def test_what_is_written_alike_is_kept_apart() -> None:
    alike = [
        *(Number(1), Function("1"), String("1"), Function("f", [Number(1)]), Function("f(1)")),
        *(Function("f", [Function("1")]), Function("f", [Number(1), Number(2)])),
        *(Function("f", [Function("1,2")]), Function("f", [Function("1"), Function("2")])),
        *(Function("", [Number(1)]), Function("(1,)"), Function("-a"), Function("a", [], False)),
        *(Infimum, Function("#inf"), Supremum, Function("#sup"), String("a"), Function('"a"')),
    ]
    assert there_and_back(alike) == alike
    assert len(set(there_and_back(alike))) == len(alike)


def test_equal_symbols_have_one_entry_and_arguments_stand_first() -> None:
    table = Symbols()
    atom = Function("f", [Number(7), Function("g", [Number(7)], False), String("7")])
    assert [table.number(key_of(atom)) for _ in range(2)] == [3, 3]
    assert sorted(map(str, table.table[:2])) == ["7", "7"]
    assert len(table.table) == 4
    assert table.table[table.number(key_of(Number(7)))] == 7


def test_a_term_may_be_nested_deep() -> None:
    term = Number(0)
    for _ in range(20_000):
        term = Function("f", [term])
    assert there_and_back([term])[0] == term

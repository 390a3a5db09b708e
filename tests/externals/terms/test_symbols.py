"""The door to clingo: values, rows and atoms as symbols, and back."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from threading import Thread
from typing import Any

import pytest
from clingo import Function, Infimum, Number, String, Supremum, Symbol, SymbolType, Tuple_
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.externals.terms.symbols import (
    MOST_KNOWN,
    argument_rows,
    atom_keys,
    atom_symbol,
    atoms_as,
    key_of,
    key_of_value,
    keys_by_predicate,
    pair_keys,
    pair_rows,
    rows_of_atoms,
    symbol_of,
    symbol_of_key,
    tuple_keys,
    value_of,
    value_of_symbol,
)
from lars2asp.externals.terms.terms import (
    BARE_TERM,
    INFIMUM,
    SUPREMUM,
    Row,
    Term,
    Value,
    constant,
    function,
    tuple_term,
)
from lars2asp.externals.terms.text import atom_text, text_of
from lars2asp.syntax.nodes import Signature
from tests.support.symbols import SYMBOLS

Symbols = list[Symbol]


def by_the_package(symbol: Symbol) -> Value:
    """A symbol as a value, by the package clingo."""
    if symbol.type is SymbolType.Number:
        return symbol.number
    if symbol.type is SymbolType.String:
        return symbol.string
    if symbol.type is SymbolType.Function:
        arguments = tuple(map(by_the_package, symbol.arguments))
        return function(symbol.name, arguments, is_positive=symbol.positive)
    return INFIMUM if symbol.type is SymbolType.Infimum else SUPREMUM


def signature(symbol: Symbol) -> Signature:
    """The predicate of an atom, by the package clingo."""
    if symbol.type is not SymbolType.Function or not symbol.name:
        return BARE_TERM
    return Signature(symbol.name, len(symbol.arguments), symbol.positive)


def row(symbol: Symbol) -> Row:
    """The row of an atom, or of a term that is none."""
    values = symbol.arguments if signature(symbol) != BARE_TERM else [symbol]
    return tuple(map(by_the_package, values))


def sorted_out(symbols: Symbols, values: Callable[[Symbol], object]) -> dict[Signature, list[object]]:
    """Something of symbols, by predicates, in their order."""
    found: dict[Signature, list[object]] = {}
    for symbol in symbols:
        found.setdefault(signature(symbol), []).append(values(symbol))
    return found


def counted(found: Mapping[Signature, Iterable[Any]]) -> dict[Signature, Counter[Any]]:
    """The same without its order."""
    return {predicate: Counter(some) for predicate, some in found.items()}


@given(SYMBOLS)
def test_a_symbol_as_a_value_and_back(symbol: Symbol) -> None:
    value = value_of_symbol(symbol)
    assert value == by_the_package(symbol)
    assert type(value) in (int, str, Term)
    assert symbol_of(value) == symbol
    assert key_of_value(value) == key_of(symbol)
    assert text_of(value) == str(symbol)


@given(st.lists(SYMBOLS))
def test_atoms_as_rows_and_back(symbols: Symbols) -> None:
    keys = list(map(key_of, symbols))
    rows = rows_of_atoms(keys)
    assert counted(rows) == counted(sorted_out(symbols, row))
    assert counted(keys_by_predicate(keys)) == counted(sorted_out(symbols, key_of))
    for predicate, some in keys_by_predicate(keys).items():
        assert atom_keys(predicate, rows[predicate]) == some
    for symbol in symbols:
        [(predicate, [only])] = rows_of_atoms([key_of(symbol)]).items()
        atom = predicate, only
        assert atom == (signature(symbol), row(symbol))
        assert atom_symbol(*atom) == symbol
        assert atom_text(*atom) == str(symbol)


NUMBERS = [0, 1, -1, 2**31 - 1, -(2**31), 7]
CONSTANTS = [constant("a"), constant("b", is_positive=False), INFIMUM, SUPREMUM, tuple_term(())]
TEXTS = ["", "a", 'quo"te', "lin\ne", "ä", "\udcff"]
KINDS: list[list[Value]] = [
    [*NUMBERS],
    [*CONSTANTS],
    [*TEXTS],
    [*NUMBERS, *CONSTANTS],
    [*NUMBERS, *TEXTS],
    [function("f", (1, constant("a"))), tuple_term((1,)), function("f", (), is_positive=False)],
]


def random_rows(choose: random.Random, arity: int, number: int) -> list[Row]:
    """Rows whose columns have values of some kinds."""
    kinds = choose.choices(KINDS, k=arity)
    return [tuple(choose.choice(kind) for kind in kinds) for _ in range(number)]


@pytest.mark.parametrize("arity", [0, 1, 2, 3, 7, 3000])
@pytest.mark.parametrize("number", [0, 1, 5, 4000])
def test_many_rows_at_a_time(arity: int, number: int) -> None:
    if arity * number > 100_000:
        number = 10
    choose = random.Random(arity + number)
    for is_positive in (True, False):
        rows, predicate = random_rows(choose, arity, number), Signature("p", arity, is_positive)
        keys = atom_keys(predicate, rows)
        expected = [Function("p", list(map(symbol_of, row)), is_positive) for row in rows]
        assert list(map(symbol_of_key, keys)) == expected
        assert rows_of_atoms(keys) == ({predicate: rows} if rows else {})
        assert argument_rows(keys) == rows

        assert list(map(symbol_of_key, tuple_keys(rows))) == [Tuple_(atom.arguments) for atom in expected]
        assert argument_rows(tuple_keys(rows)) == rows

        pairs: list[Row] = [(*row, number) for number, row in enumerate(rows)]
        made = pair_keys(predicate, pairs)
        assert list(map(symbol_of_key, made)) == [
            Tuple_([atom, Number(number)]) for number, atom in enumerate(expected)
        ]
        assert pair_rows(made) == pairs


def test_terms_that_are_no_atoms() -> None:
    rows: list[Row] = [(3,), ("x",), (tuple_term((1, 2)),), (INFIMUM,)]
    keys = atom_keys(BARE_TERM, rows)
    assert keys == list(map(key_of, [Number(3), String("x"), Tuple_([Number(1), Number(2)]), Infimum]))
    assert rows_of_atoms([*keys, *atom_keys(Signature("p", 0), [()])]) == {
        BARE_TERM: [(3,), ("x",), (INFIMUM,), (tuple_term((1, 2)),)],
        Signature("p", 0): [()],
    }


def test_atoms_of_another_predicate() -> None:
    atoms = [Function("p", [Number(1), String("x")]), Function("q", [Supremum, Number(2)], False)]
    keys = list(map(key_of, atoms))
    same = atoms_as(Signature("r", 2, False), keys)
    assert list(map(symbol_of_key, same)) == [Function("r", atom.arguments, False) for atom in atoms]
    assert atoms_as(Signature("r", 0), [key_of(Function("p"))] * 2) == [key_of(Function("r"))] * 2


def test_terms_may_be_nested_deep() -> None:
    deep: Term = constant("a")
    symbol = Function("a")
    for _ in range(20_000):
        deep, symbol = function("f", (deep, 1)), Function("f", [symbol, Number(1)])
    assert key_of_value(deep) == key_of(symbol)
    assert value_of(key_of(symbol)) is deep
    assert rows_of_atoms([key_of(symbol)]) == {Signature("f", 2): [deep.arguments]}


@pytest.mark.parametrize("number", [2**31, -(2**31) - 1, 2**70])
def test_numbers_that_clingo_has_not(number: int) -> None:
    for work in (
        lambda: key_of_value(number),
        lambda: atom_keys(Signature("p", 1), [(number,)]),
        lambda: atom_keys(Signature("p", 2), [(number, "x")]),
        lambda: tuple_keys([(number, 1)]),
    ):
        with pytest.raises(OverflowError):
            work()


def test_what_is_remembered_is_bounded() -> None:
    values: list[Row] = [(f"text {number}", number) for number in range(MOST_KNOWN + 10)]
    keys = atom_keys(Signature("p", 2), values)
    assert rows_of_atoms(keys) == {Signature("p", 2): values}


def test_threads_do_not_disturb_one_another() -> None:
    failed: list[int] = []

    def work(thread: int) -> None:
        predicate = Signature(f"p{thread}", 2)
        for turn in range(60):
            rows: list[Row] = [(turn, number) if turn % 2 else (f"{turn}", number) for number in range(300)]
            if rows_of_atoms(atom_keys(predicate, rows)) != {predicate: rows}:
                failed.append(thread)

    threads = [Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed

"""Symbols, taken apart and made by their keys."""

import random
from collections.abc import Sequence

import pytest
from clingo import Function, Infimum, Number, String, Supremum, Symbol, SymbolType, Tuple_

from lars2asp.externals.symbols import Atoms, Classifier, NoAtomError, Rows, key_of
from lars2asp.syntax.nodes import Signature


def random_symbol(choose: random.Random, depth: int = 2) -> Symbol:
    """Any symbol; many are alike."""
    kind = choose.randrange(9 if depth else 5)
    if kind < 5:
        leaves = [Number(choose.randint(-2, 2)), String("a"), Infimum, Supremum, Function("a")]
        return leaves[kind]
    arguments = [random_symbol(choose, depth - 1) for _ in range(choose.randint(0, 3))]
    if kind == 5:
        return Tuple_(arguments)
    return Function(choose.choice(["a", "b", "aa", "_a"]), arguments, choose.random() < 0.7)


def signature(symbol: Symbol) -> Signature | None:
    """The predicate of an atom, as the package clingo has it."""
    if symbol.type is not SymbolType.Function or not symbol.name:
        return None
    return Signature(symbol.name, len(symbol.arguments), symbol.positive)


def batches(choose: random.Random, atoms: Sequence[Symbol]) -> list[Symbol]:
    """Some atoms: as they come, by predicates, or all of one."""
    taken = choose.choices(atoms, k=choose.randint(1, 40))
    kind = choose.randrange(3)
    if kind == 0:
        return taken
    if kind == 1:
        return sorted(taken)
    return [atom for atom in taken if signature(atom) == signature(taken[0])]


@pytest.mark.parametrize("seed", range(60))
def test_atoms_are_sorted_by_their_predicates(seed: int) -> None:
    choose = random.Random(seed)
    symbols = [random_symbol(choose) for _ in range(200)]
    atoms = [symbol for symbol in symbols if signature(symbol) is not None]
    others = [symbol for symbol in symbols if signature(symbol) is None]
    classify = Classifier(lambda found: found)
    for _ in range(40):
        batch = batches(choose, atoms)
        assert classify(list(map(key_of, batch))) == list(map(signature, batch))
        batch.insert(choose.randint(0, len(batch)), choose.choice(others))
        with pytest.raises(NoAtomError):
            classify(list(map(key_of, batch)))
    assert classify([]) == []


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("is_positive", [True, False])
def test_atoms_are_taken_apart_and_made(number: int, is_positive: bool) -> None:
    arguments: list[Symbol] = [Number(3), String("x"), Function("f", [Number(1)])][:number]
    atom = Function("p", arguments, is_positive)
    row = tuple(map(key_of, arguments))
    assert Rows(number, is_pair=False)([key_of(atom)] * 2) == [row] * 2
    pair = key_of(Function("", [atom, Number(7)]))
    assert Rows(number, is_pair=True)([pair]) == [(*row, key_of(Number(7)))]
    assert Atoms(Signature("p", number, is_positive))([row] * 2) == [key_of(atom)] * 2

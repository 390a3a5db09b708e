"""An engine whose atoms are tuples, with clingo's symbols as its atoms.

It separates what evaluation costs from what the form of atoms costs: facts come as symbols, as they do to the
product, and answers are to be given as symbols. All atoms of a predicate are converted together, through
clingo's C interface, and what argument a symbol stands for is worked out once and never forgotten.
"""

from collections.abc import Iterable, Mapping, Sequence

from clingo import Symbol, SymbolType

from experiments.engine import AnswerChanges, Argument, Engine, Fact
from experiments.engines.product import argument, symbol
from lars2asp.externals.symbols import Atoms, Classifier, Rows, key_of, symbol_of
from lars2asp.syntax.nodes import Signature


class OverSymbols:
    """An engine for tuples, as one for symbols."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._classify: Classifier[_FactPredicate] = Classifier(_FactPredicate)
        self._values: dict[int, Argument] = {}
        """Arguments by the keys of symbols."""
        self._keys: dict[Argument, int] = {}
        self._makers: dict[tuple[str, int], Atoms] = {}
        self._given: dict[Fact, Symbol] = {}
        """The symbols of the atoms of the answer."""

    @property
    def lag(self) -> int:
        """That of the engine."""
        return self._engine.lag

    @property
    def counts(self) -> Mapping[str, int]:
        """Those of the engine."""
        return self._engine.counts

    def facts(self, facts: Sequence[Fact]) -> Sequence[Symbol]:
        """Facts as symbols."""
        return [symbol(fact) for fact in facts]

    def step(self, tick: int, facts: Sequence[Symbol]) -> AnswerChanges:
        """Moves on to a tick."""
        keys = list(map(key_of, facts))
        predicate: dict[_FactPredicate, list[int]] = {}
        for key, one in zip(keys, self._classify(keys), strict=True):
            predicate.setdefault(one, []).append(key)
        taken = [fact for one, of_one in predicate.items() for fact in self._facts(one, of_one)]
        began, ended = self._engine.step(tick, taken)
        gone = list(map(self._given.pop, ended))
        return AnswerChanges(self._symbols(began), gone)

    def text(self, atom: Symbol) -> str:
        """An atom as clingo writes it."""
        return str(atom)

    def _facts(self, predicate: "_FactPredicate", keys: list[int]) -> Iterable[Fact]:
        values, rows = self._values, predicate.rows(keys)
        for key in {key for row in rows for key in row if key not in values}:
            values[key] = _argument(symbol_of(key))
        name, of = predicate.name, values.__getitem__
        return [(name, *map(of, row)) for row in rows]

    def _symbols(self, atoms: Iterable[Fact]) -> list[Symbol]:
        by_predicate: dict[tuple[str, int], list[Fact]] = {}
        for atom in atoms:
            by_predicate.setdefault((atom[0], len(atom) - 1), []).append(atom)
        keys, given, found = self._keys, self._given, []
        for (name, arity), of_one in by_predicate.items():
            make = self._makers.get((name, arity))
            if make is None:
                make = self._makers[name, arity] = Atoms(Signature(name, arity))
            for value in {value for atom in of_one for value in atom[1:] if value not in keys}:
                keys[value] = key_of(argument(value))
            of = keys.__getitem__
            made = [symbol_of(key) for key in make([tuple(map(of, atom[1:])) for atom in of_one])]
            given.update(zip(of_one, made, strict=True))
            found += made
        return found


class _FactPredicate:
    """A predicate of facts."""

    def __init__(self, signature: Signature) -> None:
        self.name = signature.name
        self.rows = Rows(signature.arity, is_pair=False)


def _argument(symbol: Symbol) -> Argument:
    return symbol.number if symbol.type is SymbolType.Number else symbol.name

"""clingo's symbols, taken apart and made through the C interface that the package clingo wraps.

A symbol is one integer to clingo (`Symbol._rep`), equal symbols are the same one, and clingo never frees
them: dictionaries whose keys are these integers cost a tenth of those whose keys are symbols.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any, Generic, TypeVar

from clingo import Function, Infimum, Number, Supremum, Symbol, parse_term
from clingo._internal import _ffi, _lib  # type: ignore[attr-defined]

from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import shown

T = TypeVar("T")

key_of: Callable[[Symbol], int] = attrgetter("_rep")
"""The integer that stands for a symbol."""

symbol_of: Callable[[int], Symbol] = Symbol
"""The symbol that an integer stands for."""

Row = tuple[int, ...]
"""The keys of some terms."""

is_less: Callable[[int, int], bool] = _lib.clingo_symbol_is_less_than
"""Whether a symbol stands before another one in clingo's order; both by their keys."""


class NoAtomError(ValueError):
    """A symbol that is no atom: a number, a string or a tuple."""


@dataclass(frozen=True, slots=True)
class _Predicate(Generic[T]):
    """The meaning of a predicate, and the keys of its first and last atoms in clingo's order."""

    meaning: T
    first: int
    last: int


class Classifier(Generic[T]):
    """Sorts atoms by their predicates; each object is for one thread at a time.

    In clingo's order atoms of one predicate stand together. So where most atoms are of the predicate of the
    one before, as in many streams, it takes two comparisons to see that.

    Args:
        meaning: gives the value that stands for a predicate.
    """

    def __init__(self, meaning: Callable[[Signature], T]) -> None:
        self._meaning = meaning
        self._known: dict[tuple[Any, int, bool], _Predicate[T]] = {}
        self._buffers = (
            _ffi.new("char const **"),
            _ffi.new("clingo_symbol_t const **"),
            _ffi.new("size_t*"),
            _ffi.new("bool*"),
        )

    def __call__(self, keys: Iterable[int]) -> list[T]:
        """The meanings of the predicates of the atoms with these keys. Raises NoAtomError."""
        left, less = iter(keys), is_less
        found: list[T] = []
        predicate: _Predicate[T] | None = None
        first = last = changes = 0
        for key in left:
            if predicate is None or less(key, first) or less(last, key):
                predicate = self._predicate_of(key)
                first, last = predicate.first, predicate.last
                changes += 1
                if changes > 2 and len(found) < 3 * changes:
                    return [*found, predicate.meaning, *self._one_by_one(left)]
            found.append(predicate.meaning)
        return found

    def _one_by_one(self, keys: Iterable[int]) -> list[T]:
        """The same where predicates change often."""
        name, arguments, arity, positive = self._buffers
        name_of, arguments_of = _lib.clingo_symbol_name, _lib.clingo_symbol_arguments
        sign_of, known = _lib.clingo_symbol_is_positive, self._known
        found = []
        for key in keys:
            predicate = None
            if name_of(key, name) and arguments_of(key, arguments, arity) and sign_of(key, positive):
                predicate = known.get((name[0], arity[0], positive[0]))  # each name has one place in memory
            if predicate is None:
                predicate = self._predicate_of(key)
            found.append(predicate.meaning)
        return found

    def _predicate_of(self, key: int) -> _Predicate[T]:
        name, arguments, arity, positive = self._buffers
        if not (
            _lib.clingo_symbol_name(key, name)
            and _lib.clingo_symbol_arguments(key, arguments, arity)
            and _lib.clingo_symbol_is_positive(key, positive)
            and name[0][0] != b"\0"  # a tuple
        ):
            raise NoAtomError(f"{shown(str(symbol_of(key)))} is no atom")
        parts = (name[0], arity[0], positive[0])
        known = self._known.get(parts)
        if known is None:
            signature = Signature(_ffi.string(parts[0]).decode(), parts[1], parts[2])
            first, last = (
                key_of(Function(signature.name, [end] * signature.arity, signature.is_positive))
                for end in (Infimum, Supremum)
            )
            known = self._known[parts] = _Predicate(self._meaning(signature), first, last)
        return known


class Renaming:
    """Makes atoms of one predicate with the arguments of other atoms; for one thread at a time."""

    def __init__(self, signature: Signature) -> None:
        self._name = signature.name.encode()
        self._is_positive = signature.is_positive
        self._arguments = _ffi.new("clingo_symbol_t const **")
        self._arity = _ffi.new("size_t*")
        self._made = _ffi.new("clingo_symbol_t*")

    def __call__(self, keys: Iterable[int]) -> list[int]:
        """The keys of the atoms with the arguments of those with these keys."""
        arguments, arity, made = self._arguments, self._arity, self._made
        arguments_of, create = _lib.clingo_symbol_arguments, _lib.clingo_symbol_create_function
        name, is_positive = self._name, self._is_positive
        found = []
        for key in keys:
            arguments_of(key, arguments, arity)
            create(name, arguments[0], arity[0], is_positive, made)
            found.append(made[0])
        return found


class Namer:
    """Gives atoms of some names other predicates; for one thread at a time.

    Args:
        predicates: those that stand for names.
    """

    def __init__(self, predicates: Mapping[str, Signature]) -> None:
        self._predicates = {
            name.encode(): (predicate.name.encode(), predicate.is_positive)
            for name, predicate in predicates.items()
        }
        self._known: dict[Any, tuple[bytes, bool] | None] = {}
        self._name = _ffi.new("char const **")
        self._arguments = _ffi.new("clingo_symbol_t const **")
        self._arity = _ffi.new("size_t*")
        self._made = _ffi.new("clingo_symbol_t*")

    def __call__(self, symbols: Iterable[Symbol]) -> list[Symbol]:
        """The symbols, each once; those that are atoms of such names with the other predicate."""
        name, arguments, arity, made = self._name, self._arguments, self._arity, self._made
        name_of, arguments_of = _lib.clingo_symbol_name, _lib.clingo_symbol_arguments
        create, known = _lib.clingo_symbol_create_function, self._known
        found = []
        for key in map(key_of, symbols):
            if not name_of(key, name):  # a number, a string
                found.append(key)
                continue
            try:
                predicate = known[name[0]]  # clingo keeps each name at one place
            except KeyError:
                predicate = known[name[0]] = self._predicates.get(_ffi.string(name[0]))
            if predicate is None:
                found.append(key)
                continue
            arguments_of(key, arguments, arity)
            create(predicate[0], arguments[0], arity[0], predicate[1], made)
            found.append(made[0])
        return list(map(symbol_of, dict.fromkeys(found)))


class Rows:
    """Takes apart atoms of one predicate, or pairs of an atom and a number; for one thread at a time.

    Args:
        arity: the predicate's.
        is_pair: whether the symbols are pairs; the number comes last.
    """

    def __init__(self, arity: int, *, is_pair: bool) -> None:
        self._arity = arity
        self._is_pair = is_pair
        self._arguments = _ffi.new("clingo_symbol_t const **")
        self._size = _ffi.new("size_t*")

    def __call__(self, keys: Sequence[int]) -> list[Row]:
        """The keys of the arguments of each."""
        arguments, size = self._arguments, self._size
        arguments_of = _lib.clingo_symbol_arguments
        if self._is_pair:
            atoms, others = [], []
            for key in keys:
                arguments_of(key, arguments, size)
                pair = arguments[0]
                atoms.append(pair[0])
                others.append(pair[1])
            return [(*row, other) for row, other in zip(self._of_atoms(atoms), others, strict=True)]
        return self._of_atoms(keys)

    def _of_atoms(self, keys: Sequence[int]) -> list[Row]:
        arguments, size, arity = self._arguments, self._size, self._arity
        arguments_of, unpack = _lib.clingo_symbol_arguments, _ffi.unpack
        found: list[Row] = []
        if arity == 2:  # the most common one; each faster than the general way
            for key in keys:
                arguments_of(key, arguments, size)
                given = arguments[0]
                found.append((given[0], given[1]))
        elif arity == 1:
            for key in keys:
                arguments_of(key, arguments, size)
                found.append((arguments[0][0],))
        elif arity:
            for key in keys:
                arguments_of(key, arguments, size)
                found.append(tuple(unpack(arguments[0], arity)))
        else:
            found = [()] * len(keys)
        return found


class Atoms:
    """Makes atoms of one predicate; for one thread at a time."""

    def __init__(self, signature: Signature) -> None:
        self._name = _ffi.new("char[]", signature.name.encode())
        self._arity = signature.arity
        self._is_positive = signature.is_positive
        self._arguments = _ffi.new("clingo_symbol_t[]", signature.arity)
        self._made = _ffi.new("clingo_symbol_t*")

    def __call__(self, rows: Iterable[Row]) -> list[int]:
        """The keys of the atoms with the arguments of each row."""
        name, arguments, arity = self._name, self._arguments, self._arity
        is_positive, made = self._is_positive, self._made
        create, found = _lib.clingo_symbol_create_function, []
        for row in rows:
            arguments[0:arity] = row
            create(name, arguments, arity, is_positive, made)
            found.append(made[0])
        return found


def atom_key(name: str, arguments: Sequence[int]) -> int:
    """The key of one atom, given by its name and the keys of its arguments."""
    made = _ffi.new("clingo_symbol_t*")
    _lib.clingo_symbol_create_function(name.encode(), arguments, len(arguments), True, made)
    key: int = made[0]
    return key


class NewAtoms:
    """The atoms of a predicate that groundings of a Control added, a few at a time.

    Args:
        control: the Control; it must not be cleaned up.
        name: the predicate's name.
        arity: its arity.
        columns: the number of arguments that matter, from the first on.
    """

    def __init__(self, control: Any, name: str, arity: int, columns: int) -> None:
        self._control = control
        self._columns = columns
        signature = _ffi.new("clingo_signature_t*")
        _lib.clingo_signature_create(name.encode(), arity, True, signature)
        self._signature = signature
        self._last: int | None = None

    def read(self) -> list[Sequence[int]]:
        """The keys of the first arguments of each atom since the last time, in the order of grounding."""
        symbol = _ffi.new("clingo_symbol_t*")
        arguments, size = _ffi.new("clingo_symbol_t const **"), _ffi.new("size_t*")
        symbol_at, arguments_of = _lib.clingo_symbolic_atoms_symbol, _lib.clingo_symbol_arguments
        unpack, columns = _ffi.unpack, self._columns
        atoms, found = self._control.symbolic_atoms._rep, []
        for place in self._places(atoms):
            symbol_at(atoms, place, symbol)
            arguments_of(symbol[0], arguments, size)
            found.append(unpack(arguments[0], columns))
        return found

    def skip(self) -> None:
        """Leaves out the atoms since the last time."""
        for _ in self._places(self._control.symbolic_atoms._rep):
            pass

    def read_firsts(self) -> list[tuple[int, int]]:
        """Of each atom since the last time the key of its first argument, and its literal; 0 for facts."""
        symbol, literal, is_fact = (
            _ffi.new("clingo_symbol_t*"),
            _ffi.new("clingo_literal_t*"),
            _ffi.new("bool*"),
        )
        arguments, size = _ffi.new("clingo_symbol_t const **"), _ffi.new("size_t*")
        atoms, found = self._control.symbolic_atoms._rep, []
        for place in self._places(atoms):
            _lib.clingo_symbolic_atoms_symbol(atoms, place, symbol)
            _lib.clingo_symbol_arguments(symbol[0], arguments, size)
            _lib.clingo_symbolic_atoms_is_fact(atoms, place, is_fact)
            if is_fact[0]:
                found.append((arguments[0][0], 0))
            else:
                _lib.clingo_symbolic_atoms_literal(atoms, place, literal)
                if literal[0]:  # else no rule that is left derives it
                    found.append((arguments[0][0], literal[0]))
        return found

    def _places(self, atoms: Any) -> Iterator[int]:
        """Where the atoms since the last time stand."""
        place = _ffi.new("clingo_symbolic_atom_iterator_t*")
        move = _lib.clingo_symbolic_atoms_next
        _lib.clingo_symbolic_atoms_end(atoms, place)
        end = place[0]
        if self._last is None:
            _lib.clingo_symbolic_atoms_begin(atoms, self._signature, place)
        else:
            move(atoms, self._last, place)
        here = place[0]
        while here != end:
            yield here
            self._last = here
            move(atoms, here, place)
            here = place[0]


@lru_cache(maxsize=65536)
def signature_of(atom: Symbol) -> Signature:
    """The predicate of an atom. Raises NoAtomError."""
    return Signature(atom.name, len(atom.arguments), atom.positive)


def paired(key: int, number: int) -> int:
    """The key of the pair of an atom, given by its key, and a number."""
    [pair] = paired_with((key,), number)
    return pair


def paired_with(keys: Iterable[int], number: int) -> list[int]:
    """The keys of the pairs of atoms, given by their keys, and a number."""
    create, made = _lib.clingo_symbol_create_function, _ffi.new("clingo_symbol_t*")
    arguments = _ffi.new("clingo_symbol_t[2]", (0, number_key(number)))
    found = []
    for key in keys:
        arguments[0] = key
        create(b"", arguments, 2, True, made)
        found.append(made[0])
    return found


def key_of_text(term: str) -> int:
    """The key of a ground term, given by its text."""
    return key_of(parse_term(term))


@lru_cache(maxsize=65536)
def number_key(number: int) -> int:
    """The key of a number."""
    return key_of(Number(number))


@lru_cache(maxsize=65536)
def as_atom_of(signature: Signature, symbol: Symbol) -> Symbol:
    """The atom of a predicate with the arguments of another atom."""
    return Function(signature.name, symbol.arguments, signature.is_positive)


def without_tick(signature: Signature, symbol: Symbol) -> Symbol:
    """The atom of a predicate with the arguments of another atom but for the last, a tick."""
    return Function(signature.name, symbol.arguments[:-1], signature.is_positive)

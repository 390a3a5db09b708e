"""The door to clingo: values, rows and atoms as clingo's symbols, and back.

A symbol is one integer to clingo, its key (`Symbol._rep`), and equal symbols are the same one. Keys of many
atoms are made and read through the C interface that the package clingo wraps, in loops that run in C. clingo
never frees a symbol: what is not handed to clingo needs none.
"""

from array import array
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, repeat
from operator import attrgetter
from typing import Any, NamedTuple

from clingo import Infimum, Number, Supremum, Symbol
from clingo._internal import _ffi, _lib  # type: ignore[attr-defined]

from lars2asp.externals.terms.terms import (
    BARE_TERM,
    INFIMUM,
    SUPREMUM,
    Row,
    Term,
    Value,
    constant,
    function,
)
from lars2asp.syntax.nodes import Signature

MOST_KNOWN = 65536
"""The number of values, and of keys, of which the other is remembered."""

key_of: Callable[[Symbol], int] = attrgetter("_rep")
"""The key of a symbol."""

symbol_of_key: Callable[[int], Symbol] = Symbol
"""The symbol that a key stands for."""

_ZERO = array("i", array("Q", [key_of(Number(0))]).tobytes())
"""The halves of the key of 0; in that of another number the lower half is the number itself."""

_LOW, _HIGH = (0, 1) if _ZERO[1] else (1, 0)
"""The places of the lower and the upper half."""

INFIMUM.key, SUPREMUM.key = key_of(Infimum), key_of(Supremum)


# --- values ---------------------------------------------------------------------------------------------


class _LeafKeys(dict[int | str, int]):
    """The keys of numbers and strings that were used lately."""

    def __missing__(self, value: int | str) -> int:
        made = _ffi.new("clingo_symbol_t*")
        if isinstance(value, int):
            _lib.clingo_symbol_create_number(value, made)
        else:
            _lib.clingo_symbol_create_string(_encoded(value), made)
        if len(self) >= MOST_KNOWN:
            self.clear()
        key: int = made[0]
        self[value] = key
        return key


class _Values(dict[int, Value]):
    """The values of keys that were used lately, but for numbers."""

    def __missing__(self, key: int) -> Value:
        value = _value(key)
        if type(value) is not int:
            if len(self) >= MOST_KNOWN:
                self.clear()
            self[key] = value
        return value


_leaf_keys, _values = _LeafKeys(), _Values()

value_of: Callable[[int], Value] = _values.__getitem__
"""The value that a key stands for."""


def key_of_value(value: Value) -> int:
    """The key of a value. Raises OverflowError for numbers that clingo has not."""
    return value.key or _term_key(value) if isinstance(value, Term) else _leaf_keys[value]


def symbol_of(value: Value) -> Symbol:
    """A value as a symbol; of a number that clingo has not see `widened`."""
    return symbol_of_key(key_of_value(widened(value)))


def value_of_symbol(symbol: Symbol) -> Value:
    """A symbol as a value."""
    return value_of(key_of(symbol))


def _term_key(term: Term) -> int:
    """The key of a term that has none yet; no recursion, as terms may be nested as deep as they like."""
    waiting = [] if term is INFIMUM else [term]  # the key of #inf is 0
    while waiting:
        here = waiting[-1]
        missing = [
            one for one in here.arguments if isinstance(one, Term) and not one.key and one is not INFIMUM
        ]
        if missing:
            waiting += missing
            continue
        arguments = array("Q", map(key_of_value, here.arguments))
        [here.key] = _made(here.name, here.is_positive, len(arguments), arguments, 1)
        waiting.pop()
    return term.key


def _value(key: int) -> Value:
    """The value that a key stands for; no recursion either."""
    made: dict[int, Value] = {}
    waiting = [key]
    while waiting:
        here = waiting[-1]
        kind = _lib.clingo_symbol_type(here)
        if kind == _lib.clingo_symbol_type_number:
            low = here & 0xFFFFFFFF
            made[here] = low - (1 << 32) if low >> 31 else low
        elif kind == _lib.clingo_symbol_type_string:
            text = _ffi.new("char const **")
            _lib.clingo_symbol_string(here, text)
            made[here] = _decoded(text[0])
        elif kind == _lib.clingo_symbol_type_function:
            places, arity = _arguments_of([here])
            inner = _ffi.unpack(places[0], arity) if arity else []
            missing = [one for one in inner if one not in made]
            if missing:
                waiting += missing
                continue
            text, is_positive = _ffi.new("char const **"), _ffi.new("bool*")
            _lib.clingo_symbol_name(here, text)
            _lib.clingo_symbol_is_positive(here, is_positive)
            name = _decoded(text[0])
            if not arity and is_wide_name(name):
                made[here] = int(name) if is_positive[0] else -int(name)
                waiting.pop()
                continue
            row = tuple(map(made.__getitem__, inner))
            made[here] = term = function(name, row, is_positive=is_positive[0])
            if not any(map(_is_wide, row)):
                term.key = here
        else:
            made[here] = INFIMUM if kind == _lib.clingo_symbol_type_infimum else SUPREMUM
        waiting.pop()
    return made[key]


def widened(value: Value) -> Value:
    """A value with a constant in place of each number that clingo has not, as text has them that allows it.

    Its name is the digits, which no program and no input can write.
    """
    if type(value) is int:
        return value if -(1 << 31) <= value < 1 << 31 else constant(str(abs(value)), is_positive=value > 0)
    if isinstance(value, Term) and value.arguments and not value.key:
        inner = tuple(map(widened, value.arguments))
        return function(value.name, inner, is_positive=value.is_positive)
    return value


def is_wide_name(name: str) -> bool:
    """Whether a constant of a name stands for a number that clingo has not."""
    return name[:1] in _FIRST_DIGITS and len(name) > 9 and name.isdecimal() and int(name) >= 1 << 31


_FIRST_DIGITS = frozenset("123456789")


def _is_wide(value: Value) -> bool:
    """Whether a value has a number in it that clingo has not."""
    if type(value) is int:
        return not -(1 << 31) <= value < 1 << 31
    return isinstance(value, Term) and not value.key and any(map(_is_wide, value.arguments))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _decoded(text: Any) -> str:
    found: str = _ffi.string(text).decode("utf-8", "surrogateescape")
    return found


# --- rows to keys ---------------------------------------------------------------------------------------


def atom_keys(signature: Signature, rows: Sequence[Row]) -> list[int]:
    """The keys of atoms of one predicate, given by their arguments. Raises OverflowError as key_of_value."""
    if signature == BARE_TERM:
        return _keys([row[0] for row in rows]).tolist()
    name, arity, is_positive = signature
    return _made(name, is_positive, arity, _arguments(rows, arity), len(rows))


def pair_keys(signature: Signature, rows: Sequence[Row]) -> list[int]:
    """The keys of pairs of an atom and a number, of rows of its arguments and the number."""
    pairs = array("Q", bytes(16 * len(rows)))
    pairs[0::2] = array("Q", atom_keys(signature, [row[:-1] for row in rows]))
    pairs[1::2] = _keys([row[-1] for row in rows])
    return _made("", True, 2, pairs, len(rows))


def tuple_keys(rows: Sequence[Row]) -> list[int]:
    """The keys of the tuples of the values of rows of one length."""
    arity = len(rows[0]) if rows else 0
    return _made("", True, arity, _arguments(rows, arity), len(rows))


def atom_symbol(signature: Signature, row: Row) -> Symbol:
    """An atom, or a term that is shown, as a symbol; of numbers that clingo has not see `widened`."""
    [key] = atom_keys(signature, [tuple(map(widened, row))])
    return symbol_of_key(key)


def _arguments(rows: Sequence[Row], arity: int) -> "array[int]":
    """The keys of the values of rows, row by row; quick where each column has values of one kind."""
    if rows and set(map(type, rows[0])) == {int}:
        try:
            return _number_keys(list(chain.from_iterable(rows)))
        except TypeError:  # there are others below
            pass
    found = array("Q", bytes(8 * arity * len(rows)))
    for place, column in enumerate(zip(*rows, strict=True)):
        found[place::arity] = _keys(column)
    return found


def _keys(values: Sequence[Value]) -> "array[int]":
    """The keys of values; quick where all are of one kind."""
    kind = type(values[0]) if values else int
    if kind is int:
        try:
            return _number_keys(values)
        except TypeError:
            pass
    elif kind is Term:
        try:
            found = list(map(_KEY_OF_TERM, values))
        except AttributeError:
            pass
        else:
            if 0 not in found:
                return array("Q", found)
    return array("Q", list(map(key_of_value, values)))


_KEY_OF_TERM = attrgetter("key")


def _number_keys(numbers: Sequence[Any]) -> "array[int]":
    """The keys of numbers. Raises TypeError for other values."""
    halves = _ZERO * len(numbers)
    halves[_LOW::2] = array("i", numbers)
    return array("Q", halves.tobytes())


# --- keys to rows ---------------------------------------------------------------------------------------


def rows_of_atoms(keys: Iterable[int]) -> dict[Signature, list[Row]]:
    """Atoms by predicate, given by their keys; terms that are no atoms under BARE_TERM."""
    found: dict[Signature, list[Row]] = {}
    for group in _groups(list(keys)):
        if group.signature == BARE_TERM:
            rows: list[Row] = [(value_of(key),) for key in group.keys]
        else:
            rows = _rows(group.arguments, group.signature.arity)
        if group.signature in found:
            found[group.signature] += rows
        else:
            found[group.signature] = rows
    return found


def argument_rows(keys: Sequence[int]) -> list[Row]:
    """The arguments of atoms of one predicate, or of tuples of one length, in their order."""
    places, arity = _arguments_of(keys)
    return _rows(places, arity)


def pair_rows(keys: Sequence[int]) -> list[Row]:
    """The rows of pairs of atoms of one predicate and numbers; see pair_keys."""
    places, _ = _arguments_of(keys)
    pairs = [(place[0], value_of(place[1])) for place in places]
    rows = argument_rows([atom for atom, _ in pairs])
    return [(*row, number) for row, (_, number) in zip(rows, pairs, strict=True)]


def keys_by_predicate(keys: Iterable[int]) -> dict[Signature, list[int]]:
    """The keys of atoms by their predicates; those of terms that are no atoms under BARE_TERM."""
    found: dict[Signature, list[int]] = {}
    for group in _groups(list(keys)):
        found.setdefault(group.signature, []).extend(group.keys)
    return found


def atoms_as(signature: Signature, keys: Sequence[int]) -> list[int]:
    """The keys of the atoms of a predicate with the arguments of other atoms, which have as many."""
    name, arity, is_positive = signature
    found: list[int] = []
    for group in _groups(list(keys)):
        memory = _borrowed(arity)
        for start in range(0, len(group.keys), memory.size):
            found += memory.make(_encoded(name), is_positive, group.arguments[start : start + memory.size])
        _memories[arity].append(memory)
    return found


class _Group(NamedTuple):
    """Atoms of one predicate.

    Attributes:
        signature: the predicate; BARE_TERM for terms that are no atoms.
        keys: the keys of the atoms.
        arguments: where the keys of their arguments begin; none for BARE_TERM.
    """

    signature: Signature
    keys: list[int]
    arguments: list[Any]


def _groups(keys: list[int]) -> Iterator[_Group]:
    """Sorts atoms by their predicates, some at a time."""
    for start in range(0, len(keys), _Reader.size):
        try:
            reader = _readers.pop()
        except IndexError:  # none, or another thread took the last one
            reader = _Reader()
        yield from reader.groups(keys[start : start + _Reader.size])
        _readers.append(reader)


def _arguments_of(keys: Sequence[int]) -> tuple[list[Any], int]:
    """Where the arguments of terms of one arity begin, and the arity."""
    arguments, arity = _ffi.new("clingo_symbol_t const **"), _ffi.new("size_t*")
    arguments_of = _lib.clingo_symbol_arguments
    return [arguments[0] for key in keys if arguments_of(key, arguments, arity)], arity[0]


def _rows(arguments: Sequence[Any], arity: int) -> list[Row]:
    """The rows of values, given where their keys begin."""
    if not arity:
        return [()] * len(arguments)
    found: list[Row] = []
    memory = _borrowed(arity)
    for start in range(0, len(arguments), memory.size):
        some = arguments[start : start + memory.size]
        _run(map(_ffi.memmove, memory.places, some, repeat(8 * arity)))
        found += memory.rows(len(some))
    _memories[arity].append(memory)
    return found


# --- the C interface ------------------------------------------------------------------------------------


def _run(calls: Iterable[object]) -> None:
    """Makes calls, in C."""
    deque(calls, maxlen=0)


class _Memory:
    """Memory that C and Python both see, for some terms with some arguments; for one thread at a time.

    Attributes:
        size: the number of terms.
        arguments: the keys of the arguments, term by term.
        places: where the arguments of each term begin.
    """

    def __init__(self, arity: int) -> None:
        self.size = size = max(1, 2048 // max(1, arity))
        self.arguments = _ffi.new("clingo_symbol_t[]", size * arity)
        self.places = [self.arguments + arity * number for number in range(size)]
        self._arity = arity
        self._halves = _ffi.cast("int32_t*", self.arguments)
        self._made = _ffi.new("clingo_symbol_t[]", size)
        self._made_places = [self._made + number for number in range(size)]

    def make(self, name: bytes, is_positive: bool, arguments: Sequence[Any]) -> list[int]:
        """The keys of the terms with a name, given where their arguments begin."""
        create, arity, places = _lib.clingo_symbol_create_function, self._arity, self._made_places
        _run(map(create, repeat(name), arguments, repeat(arity), repeat(is_positive), places))
        found: list[int] = _ffi.unpack(self._made, len(arguments))
        return found

    def rows(self, number: int) -> list[Row]:
        """The values of the arguments of the first terms."""
        step = 2 * self._arity
        halves = _ffi.unpack(self._halves, step * number)
        keys: list[int] = []
        columns: list[Sequence[Value]] = []
        for place in range(0, step, 2):
            if set(halves[place + _HIGH :: step]) == {_ZERO[_HIGH]}:
                columns.append(halves[place + _LOW :: step])
            else:
                keys = keys or _ffi.unpack(self.arguments, self._arity * number)
                columns.append(list(map(value_of, keys[place // 2 :: self._arity])))
        return list(zip(*columns, strict=True))


_memories: defaultdict[int, list[_Memory]] = defaultdict(list)
"""Memory that is not in use, by arity."""


def _borrowed(arity: int) -> _Memory:
    """Memory to use; to be put back."""
    try:
        return _memories[arity].pop()
    except IndexError:
        return _Memory(arity)


def _made(name: str, is_positive: bool, arity: int, arguments: "array[int]", number: int) -> list[int]:
    """The keys of terms with a name, given the keys of their arguments, term by term."""
    if not arity:
        made = _ffi.new("clingo_symbol_t*")
        _lib.clingo_symbol_create_function(_encoded(name), _ffi.NULL, 0, is_positive, made)
        return [made[0]] * number
    found: list[int] = []
    memory, given = _borrowed(arity), memoryview(arguments)
    for start in range(0, number * arity, memory.size * arity):
        some = given[start : start + memory.size * arity]
        _ffi.memmove(memory.arguments, some, some.nbytes)
        found += memory.make(_encoded(name), is_positive, memory.places[: len(some) // arity])
    _memories[arity].append(memory)
    return found


class _Reader:
    """Sorts atoms by their predicates; for one thread at a time."""

    size = 1024
    """The number of atoms at a time."""

    def __init__(self) -> None:
        size = self.size
        self._names = _ffi.new("char const *[]", size)
        self._name_places = [self._names + number for number in range(size)]
        self._name_numbers = _ffi.cast("uintptr_t*", self._names)
        self._arguments = _ffi.new("clingo_symbol_t const *[]", size)
        self._argument_places = [self._arguments + number for number in range(size)]
        self._arities = _ffi.new("size_t[]", size)
        self._arity_places = [self._arities + number for number in range(size)]
        self._signs = _ffi.new("bool[]", size)
        self._sign_places = [self._signs + number for number in range(size)]

    def groups(self, keys: list[int]) -> Iterator[_Group]:
        """Atoms by their predicates."""
        number, unpack = len(keys), _ffi.unpack
        arguments_of = _lib.clingo_symbol_arguments
        if not all(map(arguments_of, keys, self._argument_places, self._arity_places)):
            terms: list[int] = []
            others: list[int] = []
            is_term = _lib.clingo_symbol_type_function.__eq__
            for key, is_one in zip(keys, map(is_term, map(_lib.clingo_symbol_type, keys)), strict=True):
                (terms if is_one else others).append(key)
            yield _Group(BARE_TERM, others, [])
            if terms:
                yield from self.groups(terms)
            return
        _run(map(_lib.clingo_symbol_name, keys, self._name_places))
        _run(map(_lib.clingo_symbol_is_positive, keys, self._sign_places))
        arguments = unpack(self._arguments, number)
        kinds = list(
            zip(
                unpack(self._name_numbers, number),
                unpack(self._arities, number),
                unpack(self._signs, number),
                strict=True,
            )
        )
        if kinds.count(kinds[0]) == number:
            yield _Group(_signature(kinds[0]), keys, arguments)
            return
        by_kind: dict[tuple[int, int, bool], tuple[list[int], list[Any]]] = {}
        for kind, key, place in zip(kinds, keys, arguments, strict=True):
            found = by_kind.get(kind)
            if found is None:
                found = by_kind[kind] = [], []
            found[0].append(key)
            found[1].append(place)
        for kind, (some, places) in by_kind.items():
            yield _Group(_signature(kind), some, places)


_readers: list[_Reader] = []
"""Those that are not in use."""

_signatures: dict[tuple[int, int, bool], Signature] = {}


def _signature(kind: tuple[int, int, bool]) -> Signature:
    """The predicate of a name, given by its place in memory, where clingo keeps it for ever."""
    found = _signatures.get(kind)
    if found is None:
        address, arity, is_positive = kind
        name = _decoded(_ffi.cast("char const *", address))
        if len(_signatures) >= MOST_KNOWN:
            _signatures.clear()
        found = _signatures[kind] = BARE_TERM
        if name and not is_wide_name(name):
            found = _signatures[kind] = Signature(name, arity, is_positive)
    return found

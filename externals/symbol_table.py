"""Symbols as JSON has them, such that the very same come back.

Their text would not do: `Function("1")` and `Number(1)` are written alike, and `Function("New York")` is
nothing that clingo reads. So each is taken apart into an entry of a table:

    7                       the number 7
    "x"                     the string "x"
    ["f", 1, 0, 3]          f(...), with the symbols of the entries 0 and 3 as arguments
    ["f", 0]                -f
    ["", 1, 0]              the tuple of entry 0 alone
    [-1], [1]               #inf, #sup

Arguments stand before what they are arguments of.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from clingo import Infimum, Supremum, Symbol
from clingo._internal import _ffi, _lib  # type: ignore[attr-defined]

from lars2asp.externals.symbols import key_of, symbol_of

SymbolEntry = int | str | list[Any]

_ENDS: dict[int, SymbolEntry] = {key_of(Infimum): [-1], key_of(Supremum): [1]}


class Symbols:
    """Numbers symbols, given by their keys.

    Attributes:
        table: the entries, in the order of their numbers.
    """

    def __init__(self) -> None:
        self.table: list[SymbolEntry] = []
        self._numbers: dict[int, int] = {}
        self._number = _ffi.new("int*")
        self._text = _ffi.new("char const **")
        self._arguments = _ffi.new("clingo_symbol_t const **")
        self._size = _ffi.new("size_t*")
        self._is_positive = _ffi.new("bool*")

    def number(self, key: int) -> int:
        """The number of a symbol."""
        number = self._numbers.get(key)
        if number is None:
            self._add(key)
            return self._numbers[key]
        return number

    def _add(self, key: int) -> None:
        """Adds the entries of a symbol and, before it, of what it is made of."""
        numbers, table, waiting = self._numbers, self.table, [key]
        type_of, is_number = _lib.clingo_symbol_type, _lib.clingo_symbol_type_number
        is_function = _lib.clingo_symbol_type_function
        number, text, arguments = self._number, self._text, self._arguments
        while waiting:  # no recursion: a term may be nested as deep as it likes
            here = waiting.pop()
            if here in numbers:
                continue
            kind = type_of(here)
            if kind == is_number:
                _lib.clingo_symbol_number(here, number)
                table.append(number[0])
            elif kind == is_function:
                _lib.clingo_symbol_arguments(here, arguments, self._size)
                inner = _ffi.unpack(arguments[0], self._size[0]) if self._size[0] else ()
                try:
                    places = [numbers[one] for one in inner]
                except KeyError:
                    waiting += (here, *inner)
                    continue
                _lib.clingo_symbol_name(here, text)
                _lib.clingo_symbol_is_positive(here, self._is_positive)
                table.append([_decoded(text[0]), int(self._is_positive[0]), *places])
            elif kind == _lib.clingo_symbol_type_string:
                _lib.clingo_symbol_string(here, text)
                table.append(_decoded(text[0]))
            else:
                table.append(_ENDS[here])
            numbers[here] = len(numbers)


def _decoded(text: Any) -> str:
    found: str = _ffi.string(text).decode("utf-8", "surrogateescape")
    return found


class SymbolKeys:
    """The symbols of a table, by their keys."""

    def __init__(self, table: Sequence[SymbolEntry]) -> None:
        made = _ffi.new("clingo_symbol_t*")
        ends = {entry[0]: key for key, entry in _ENDS.items() if isinstance(entry, list)}
        self._keys: list[int] = []
        for entry in table:
            match entry:
                case int():
                    _lib.clingo_symbol_create_number(entry, made)
                case str():
                    _lib.clingo_symbol_create_string(_encoded(entry), made)
                case [end]:
                    made[0] = ends[end]
                case [name, is_positive, *numbers]:
                    arguments = [self._keys[number] for number in numbers]
                    create = _lib.clingo_symbol_create_function
                    create(_encoded(name), arguments, len(arguments), bool(is_positive), made)
            self._keys.append(made[0])

    def key(self, number: int) -> int:
        """The key of the symbol of an entry, given by its number."""
        return self._keys[number]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def numbers_of(symbols: Iterable[Symbol], number: Callable[[int], int]) -> list[int]:
    """The numbers of symbols; `number` gives those of keys."""
    return [number(key_of(symbol)) for symbol in symbols]


def symbols_of(numbers: Iterable[int], key: Callable[[int], int]) -> tuple[Symbol, ...]:
    """The symbols that have some numbers; `key` gives their keys."""
    return tuple(symbol_of(key(number)) for number in numbers)


def same_key(key: int) -> int:
    """In a state that stays in this process keys stand for themselves, and not as numbers of a table."""
    return key

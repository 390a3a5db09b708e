"""Controls by keys of symbols: grounding with `@`-functions, what was ground, and the models that are found.

The package clingo makes an object of each symbol that crosses over; here an array of keys goes across as it
is, which costs next to nothing. And its way of solving calls functions in Python that have nothing to do; a
signal that comes while they run raises an error that ends the process.
"""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import compress
from typing import Any

from clingo import Control, Model, SolveHandle, Symbol
from clingo._internal import _ffi, _handle_error, _lib  # type: ignore[attr-defined]

from lars2asp.externals.terms.symbols import key_of, symbol_of_key
from lars2asp.syntax.nodes import Signature

GroundPart = tuple[str, Sequence[int]]
"""A program part: its name, and the keys of its arguments."""

KeyFunction = Callable[..., "array[int]"]
"""An `@`-function: takes the keys of its arguments and gives those of its values."""


NO_TALLIES: Mapping[str, Callable[[], None]] = {}


def over_keys(function: Callable[..., Symbol | Sequence[Symbol]]) -> KeyFunction:
    """An `@`-function over keys that calls one over symbols."""

    def call(*keys: int) -> "array[int]":
        given = function(*map(symbol_of_key, keys))
        return array("Q", map(key_of, (given,) if isinstance(given, Symbol) else given))

    return call


class KeyFunctions:
    """`@`-functions over keys, to ground with.

    Args:
        functions: by their names.
        tallies: functions whose value is 0, whatever their arguments; they may raise errors.
    """

    def __init__(
        self, functions: Mapping[str, KeyFunction], tallies: Mapping[str, Callable[[], None]] = NO_TALLIES
    ) -> None:
        named = {name.encode(): function for name, function in functions.items()}
        tallied = {name.encode(): tally for name, tally in tallies.items()}
        nought = _ffi.new("clingo_symbol_t*")
        _lib.clingo_symbol_create_number(0, nought)
        errors: list[BaseException] = []

        # without a reference to this object, so that none of it waits for the garbage collector
        def call(
            location: Any, name: Any, arguments: Any, number: int, data: Any, give: Any, given: Any
        ) -> bool:
            keys = named[_ffi.string(name)](*(_ffi.unpack(arguments, number) if number else ()))
            return bool(give(_ffi.from_buffer("clingo_symbol_t[]", keys), len(keys), given))

        def tally_or_call(
            location: Any, name: Any, arguments: Any, number: int, data: Any, give: Any, given: Any
        ) -> bool:
            tally = tallied.get(_ffi.string(name))
            if tally is None:
                return call(location, name, arguments, number, data, give, given)
            tally()
            return bool(give(nought, 1, given))

        def failed(kind: Any, error: BaseException, traceback: Any) -> bool:
            errors.append(error)
            _lib.clingo_set_error(_lib.clingo_error_unknown, b"a function failed")
            return False

        self._errors = errors
        self._callback = _ffi.callback(
            "clingo_ground_callback_t", tally_or_call if tallied else call, onerror=failed
        )

    def ground(self, control: Control, parts: Sequence[GroundPart]) -> None:
        """Grounds parts of what a Control has read.

        Raises:
            RuntimeError: if clingo refuses the text.
            MemoryError: if there is not enough memory.
        """
        kept: list[Any] = []  # C memory lives as long as the object that owns it
        c_parts = _ffi.new("clingo_part_t[]", len(parts))
        for c_part, (name, arguments) in zip(c_parts, parts, strict=True):
            c_name, c_arguments = _ffi.new("char[]", name.encode()), _ffi.new("clingo_symbol_t[]", arguments)
            kept += (c_name, c_arguments)
            c_part.name, c_part.params, c_part.size = c_name, c_arguments, len(arguments)
        done = _lib.clingo_control_ground(control._rep, c_parts, len(parts), self._callback, _ffi.NULL)
        if self._errors:
            error = self._errors[0]
            self._errors.clear()
            raise error
        _handle_error(done)


class NewAtoms:
    """The atoms of a predicate that groundings of a Control added, a few at a time.

    Args:
        control: the Control; it must not be cleaned up.
        signature: the predicate.
    """

    def __init__(self, control: Control, signature: Signature) -> None:
        self._control = control
        name, arity, is_positive = signature
        c_signature = _ffi.new("clingo_signature_t*")
        _lib.clingo_signature_create(name.encode(), arity, is_positive, c_signature)
        self._signature = c_signature
        self._place = _ffi.new("clingo_symbolic_atom_iterator_t*")
        self._last: int | None = None

    def keys(self) -> list[int]:
        """The keys of the atoms since the last time, in the order of grounding."""
        symbol, symbol_at = _ffi.new("clingo_symbol_t*"), _lib.clingo_symbolic_atoms_symbol
        atoms = self._control.symbolic_atoms._rep
        return [symbol[0] for place in self._places(atoms) if symbol_at(atoms, place, symbol)]

    def literals(self, *, of_firsts: bool = False) -> list[tuple[int, int]]:
        """The keys of the atoms since the last time, and their literals, which are 0 for facts.

        Args:
            of_firsts: whether the keys are those of the first arguments.
        """
        atoms, found = self._control.symbolic_atoms._rep, list[tuple[int, int]]()
        places = self._places(atoms)
        if not places:
            return found
        symbol, literal = _ffi.new("clingo_symbol_t*"), _ffi.new("clingo_literal_t*")
        is_fact, size = _ffi.new("bool*"), _ffi.new("size_t*")
        arguments = _ffi.new("clingo_symbol_t const **")
        symbol_at, is_fact_at = _lib.clingo_symbolic_atoms_symbol, _lib.clingo_symbolic_atoms_is_fact
        for place in places:
            is_fact_at(atoms, place, is_fact)
            if not is_fact[0]:
                _lib.clingo_symbolic_atoms_literal(atoms, place, literal)
                if not literal[0]:  # no rule that is left derives it
                    continue
            symbol_at(atoms, place, symbol)
            if of_firsts:
                _lib.clingo_symbol_arguments(symbol[0], arguments, size)
            key = arguments[0][0] if of_firsts else symbol[0]
            found.append((key, 0 if is_fact[0] else literal[0]))
        return found

    def _places(self, atoms: Any) -> list[int]:
        """Where the atoms since the last time stand."""
        place, move, found = self._place, _lib.clingo_symbolic_atoms_next, []
        _lib.clingo_symbolic_atoms_end(atoms, place)
        end = place[0]
        if self._last is None:
            _lib.clingo_symbolic_atoms_begin(atoms, self._signature, place)
        else:
            move(atoms, self._last, place)
        while (here := place[0]) != end:
            found.append(here)
            move(atoms, here, place)
        if found:
            self._last = found[-1]
        return found


def switch(control: Control, externals: Iterable[tuple[int, bool]]) -> None:
    """Makes externals, given by their literals, true or false."""
    assign, rep = _lib.clingo_control_assign_external, control._rep
    true, false = _lib.clingo_truth_value_true, _lib.clingo_truth_value_false
    for literal, is_true in externals:
        assign(rep, literal, true if is_true else false)


def search(control: Control) -> AbstractContextManager[Iterable[Model]]:
    """Begins to solve; the handle gives the models one by one. Raises RuntimeError."""
    handle = _ffi.new("clingo_solve_handle_t**")
    mode = _lib.clingo_solve_mode_yield
    _handle_error(_lib.clingo_control_solve(control._rep, mode, _ffi.NULL, 0, _ffi.NULL, _ffi.NULL, handle))
    found: Any = SolveHandle
    return found(handle[0], None)  # type: ignore[no-any-return]


def statistics_of(control: Control, paths: Iterable[Sequence[bytes]]) -> list[int]:
    """Numbers among the statistics of the last search, by their paths; the package makes objects of all."""
    statistics, root = _ffi.new("clingo_statistics_t const **"), _ffi.new("uint64_t*")
    _handle_error(_lib.clingo_control_statistics(control._rep, statistics))
    _handle_error(_lib.clingo_statistics_root(statistics[0], root))
    key, value, found = _ffi.new("uint64_t*"), _ffi.new("double*"), []
    known, map_at, value_of = statistics[0], _lib.clingo_statistics_map_at, _lib.clingo_statistics_value_get
    for path in paths:
        key[0] = root[0]
        is_there = all(map_at(known, key[0], name, key) for name in path)
        _handle_error(is_there and value_of(known, key[0], value))
        found.append(int(value[0]))
    return found


def shown_keys(model: Model) -> list[int]:
    """The keys of the atoms and terms of a model that are shown."""
    size, kind = _ffi.new("size_t*"), _lib.clingo_show_type_shown
    _handle_error(_lib.clingo_model_symbols_size(model._rep, kind, size))
    found = _ffi.new("clingo_symbol_t[]", size[0])
    _handle_error(_lib.clingo_model_symbols(model._rep, kind, found, size[0]))
    keys: list[int] = _ffi.unpack(found, size[0]) if size[0] else []
    return keys


def true_keys(model: Model, atoms: Sequence[tuple[int, int]]) -> list[int]:
    """Those of some keys that are true in a model; given with their literals, which are 0 for facts."""
    if not atoms:
        return []
    keys, literals = zip(*atoms, strict=True)
    is_true = _ffi.new("bool[]", len(keys))
    for place, literal in enumerate(literals):
        if literal:
            _lib.clingo_model_is_true(model._rep, literal, is_true + place)
        else:
            is_true[place] = True
    return list(compress(keys, _ffi.unpack(is_true, len(keys))))

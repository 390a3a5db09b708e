"""Grounding with `@`-functions that take and give the keys of symbols, and solving without any function.

The package clingo makes an object of each symbol that crosses over; here an array of keys goes across as it
is, which costs next to nothing. And its way of solving calls functions in Python that have nothing to do; a
signal that comes while they run raises an error that ends the process.
"""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from clingo import Control, Model, SolveHandle
from clingo._internal import _ffi, _handle_error, _lib  # type: ignore[attr-defined]

GroundPart = tuple[str, Sequence[int]]
"""A program part: its name, and the keys of its arguments."""


class KeyFunctions:
    """`@`-functions over keys, to ground with.

    Args:
        functions: by their names; each takes the keys of its arguments and gives those of its values.
    """

    def __init__(self, functions: Mapping[str, Callable[..., "array[int]"]]) -> None:
        named = {name.encode(): function for name, function in functions.items()}
        errors: list[BaseException] = []

        # without a reference to this object, so that none of it waits for the garbage collector
        def call(
            location: Any, name: Any, arguments: Any, number: int, data: Any, give: Any, given: Any
        ) -> bool:
            keys = named[_ffi.string(name)](*(_ffi.unpack(arguments, number) if number else ()))
            return bool(give(_ffi.from_buffer("clingo_symbol_t[]", keys), len(keys), given))

        def failed(kind: Any, error: BaseException, traceback: Any) -> bool:
            errors.append(error)
            _lib.clingo_set_error(_lib.clingo_error_unknown, b"a function failed")
            return False

        self._errors = errors
        self._callback = _ffi.callback("clingo_ground_callback_t", call, onerror=failed)

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


def search(control: Control) -> AbstractContextManager[Iterable[Model]]:
    """Begins to solve; the handle gives the models one by one. Raises RuntimeError."""
    handle = _ffi.new("clingo_solve_handle_t**")
    mode = _lib.clingo_solve_mode_yield
    _handle_error(_lib.clingo_control_solve(control._rep, mode, _ffi.NULL, 0, _ffi.NULL, _ffi.NULL, handle))
    found: Any = SolveHandle
    return found(handle[0], None)  # type: ignore[no-any-return]

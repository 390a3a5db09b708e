"""The shape of a state, checked before it is taken over: the kind of each part.

A checksum says that a state is as it was written, but not by whom. Parts that are not named here pass.
"""

from collections.abc import Callable, Mapping
from typing import Any

from lars2asp.runtime.errors import SnapshotError

_LARGEST = 2**63

_NOTHING = object()
"""Stands for a part that is not there."""

_Shape = Callable[[Any], bool]
"""Says whether a value is of a kind."""


def check_run(state: Any) -> None:
    """Raises SnapshotError for what is no state of a run."""
    _check(state, _RUN)
    _check(state["reasoner"], _REASONER)
    if "place" in state["source"]:
        _check(state["source"], _FILES)


def check_reasoner(state: Any) -> None:
    """Raises SnapshotError for what is no state of a reasoner."""
    _check(state, _REASONER)


def _check(state: Any, parts: Mapping[str, _Shape]) -> None:
    if not isinstance(state, dict):
        raise SnapshotError("the content of the snapshot does not fit together (it is no object)")
    for name, shape in parts.items():
        if not shape(state.get(name, _NOTHING)):
            raise SnapshotError(f"the content of the snapshot does not fit together (what it has as {name})")


def _integer(value: Any) -> bool:
    return type(value) is int and -_LARGEST <= value < _LARGEST


def _natural(value: Any) -> bool:
    return type(value) is int and 0 <= value < _LARGEST


def _number(value: Any) -> bool:
    return _integer(value) or type(value) is float


def _truth(value: Any) -> bool:
    return type(value) is bool


def _text(value: Any) -> bool:
    return type(value) is str


def _or_none(shape: _Shape) -> _Shape:
    return lambda value: value is None or shape(value)


def _optional(shape: _Shape) -> _Shape:
    """For a part that not every state has."""
    return lambda value: value is _NOTHING or shape(value)


def _each(shape: _Shape) -> _Shape:
    return lambda value: type(value) is list and all(map(shape, value))


def _row(*shapes: _Shape) -> _Shape:
    def fits(value: Any) -> bool:
        return (
            type(value) is list
            and len(value) == len(shapes)
            and all(shape(part) for shape, part in zip(shapes, value, strict=True))
        )

    return fits


def _object(parts: Mapping[str, _Shape]) -> _Shape:
    def fits(value: Any) -> bool:
        return type(value) is dict and all(shape(value.get(name, _NOTHING)) for name, shape in parts.items())

    return fits


def _values(shape: _Shape) -> _Shape:
    return lambda value: type(value) is dict and all(map(shape, value.values()))


_tick = _or_none(_natural)
_numbers = _each(_natural)
_rows = _each(_numbers)
"""Rows of values, each by its number in the table of terms."""
_signature = _row(_text, _natural, _truth)


def _of_predicates(shape: Callable[[int], _Shape]) -> _Shape:
    """Pairs of a predicate and something, the shape of which depends on the predicate's arity."""

    def fits(value: Any) -> bool:
        return all(_row(_signature, shape(arity))(part) for part in value for arity in [part[0][1]])

    is_pair = _row(_signature, lambda value: True)
    return lambda value: _each(is_pair)(value) and fits(value)


def _rows_of(arity: int) -> _Shape:
    return lambda value: _rows(value) and all(len(row) == arity for row in value)


def _stream(arity: int) -> _Shape:
    rows = _rows_of(arity)
    return _object(
        {
            "tick": _integer,
            "has_points": _truth,
            "held": _row(rows, _each(_integer)),
            "told": _row(rows, _each(_row(_integer, _truth, _truth))),
            "passing": rows,
            "forms": _each(_each(_row(_integer, _integer, rows))),
        }
    )


_atoms = _of_predicates(_rows_of)
"""Atoms by their predicates."""
_atoms_with_ticks = _of_predicates(lambda arity: _rows_of(arity + 1))
"""Atoms, each with its tick at the end."""

_ARRIVALS = _object(
    {
        "rows": _rows,
        "arrivals": _each(_row(_signature, _integer, _integer)),
        "plain": _each(_numbers),
        "grouped": _each(_row(_rows, _each(_numbers))),
        "open": _each(_row(_natural, _integer)),
        "last_end": _integer,
    }
)

_DATABASE = _object(
    {
        "now": _natural,
        "facts": _natural,
        "placed_at": _tick,
        "predicates": _of_predicates(lambda arity: _each(_stream(arity))),
        "arrivals": _ARRIVALS,
        "future": _each(_row(_natural, _atoms)),
        "open": _atoms,
    }
)

_STEP = _object(
    {
        "models": _each(_object({"shown": _atoms, "recorded": _atoms, "placed": _atoms_with_ticks})),
        "consequences": _or_none(_atoms),
    }
)

_STAGE = _object(
    {
        "handed_out": _object(
            {"shown": _atoms, "published": _atoms, "recorded": _atoms, "placed": _atoms_with_ticks}
        ),
        "unplaced": _atoms_with_ticks,
    }
)

_ANSWER = _object(
    {"tick": _natural, "satisfiable": _truth, "atoms": _atoms, "models": _or_none(_each(_atoms))}
)

_PIPELINE = _object(
    {
        "output": _or_none(_atoms),
        "input": _atoms,
        "is_timed_out": _truth,
        "stages": _each(_STAGE),
        "last": _or_none(_STEP),
    }
)


_REASONER: Mapping[str, _Shape] = {
    "program": _text,
    "now": _tick,
    "evaluated": _tick,
    "ticks": _natural,
    "first": _optional(_natural),
    "is_whole": _optional(_truth),
    "satisfiable": _optional(_truth),
    "given": _optional(_or_none(_ANSWER)),
    "database": _optional(_DATABASE),
    "pipeline": _optional(_PIPELINE),
}

_RECORD = (_natural, _row(_atoms, _atoms, _atoms, _tick), _or_none(_row(_text, _natural, _text)))

_RUN: Mapping[str, _Shape] = {
    "reasoner": _object({}),
    "given": _or_none(_ANSWER),
    "keeper": _object({"work": _natural, "last_checkpoint": _tick}),
    "waiting": _object(
        {
            "waiting": _each(_row(_natural, *_RECORD)),
            "latest": _optional(_tick),
            "over": _optional(_integer),
            "late": _natural,
        }
    ),
    "told": _each(_row(*_RECORD)),
    "start": _tick,
    "options": _values(_text),
    "source": _object({"name": _text}),
    "output": _tick,
    "rejects": _tick,
    "rejected": _natural,
    "is_first": _truth,
    "account": _object({"seconds": _number, "costs": _values(_each(_number))}),
    "view": _or_none(
        _object(
            {
                "begun": _each(_row(_signature, _rows, _each(_row(_natural, _truth)))),
                "tick": _tick,
                "unsatisfiable_since": _tick,
            }
        )
    ),
}

_FILES: Mapping[str, _Shape] = {
    "file": _text,
    "line": _natural,
    "number": _natural,
    "place": _object({"line": _natural, "offset": _tick, "rest": _text, "head": _text}),
    "before": _natural,
}

"""The shape of a state, checked before it is taken over: the kind of each part.

A checksum says that a state is as it was written, but not by whom. Parts that are not named here pass.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from lars2asp.runtime.errors import SnapshotError

_LARGEST = 2**63

_NOTHING = object()
"""Stands for a part that is not there."""

_Shape = Any
"""A function that says whether a value is as it must be; the shapes of the items of a row, as a tuple; a list
of the shape of each item; or the shapes of the parts of an object."""

_Kind = Callable[[Any], bool]


def check_run(state: Any) -> None:
    """Raises SnapshotError for what is not a state of a run."""
    _check(state, _RUN)
    _check(state["reasoner"], _REASONER)
    source = state["source"]
    for one in [source] if "place" in source else (*source.get("begun", ()), *source.get("over", ())):
        _check(one, _FILES)


def check_reasoner(state: Any) -> None:
    """Raises SnapshotError for what is not a state of a reasoner."""
    _check(state, _REASONER)


def _check(state: Any, parts: Mapping[str, _Shape]) -> None:
    if not isinstance(state, dict):
        raise SnapshotError("the content of the snapshot is inconsistent (it is not an object)")
    for name, shape in parts.items():
        if not _fits(state.get(name, _NOTHING), shape):
            raise SnapshotError(f"the content of the snapshot is inconsistent ({name})")


def _fits(value: Any, shape: _Shape) -> bool:
    match shape:
        case tuple():
            return type(value) is list and len(value) == len(shape) and all(map(_fits, value, shape))
        case list():
            return type(value) is list and all(_fits(one, shape[0]) for one in value)
        case dict():
            return type(value) is dict and all(
                _fits(value.get(name, _NOTHING), part) for name, part in shape.items()
            )
        case _:
            return bool(shape(value))


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


def _line(value: Any) -> bool:
    """A line that waits; of earlier versions without its input and its position."""
    shape = (_text, _natural, _text, _tick, _text)
    return type(value) is list and _fits(value[:5], shape) and _fits(value[5:6], [_natural])


def _or_none(shape: _Shape) -> _Kind:
    return lambda value: value is None or _fits(value, shape)


def _optional(shape: _Shape) -> _Kind:
    """For a part that not every state has."""
    return lambda value: value is _NOTHING or _fits(value, shape)


def _input(value: Any) -> bool:
    """One of several inputs, or a connection of one."""
    return _natural(value) or _fits(value, (_natural, _text))


def _values(kind: _Shape) -> _Kind:
    return lambda value: type(value) is dict and _fits([*value.values()], [kind])


_tick = _or_none(_natural)
_rows = [[_natural]]
"""Rows of values, each by its number in the table of terms."""
_signature = (_text, _natural, _truth)


def _of_predicates(shape: Callable[[int], _Shape]) -> _Kind:
    """Pairs of a predicate and something, the shape of which depends on the predicate's arity."""
    is_pair = (_signature, lambda _: True)
    return lambda value: _fits(value, [is_pair]) and all(_fits(part, shape(of[1])) for of, part in value)


def _rows_of(arity: int) -> _Shape:
    return lambda value: _fits(value, _rows) and all(len(row) == arity for row in value)


def _stream(arity: int) -> _Shape:
    rows = _rows_of(arity)
    return {
        "tick": _integer,
        "held": (rows, [_integer]),
        "told": (rows, [(_integer, _truth, _truth)]),
        "passing": rows,
        "forms": [[(_integer, _integer, rows)]],
        "begins": _optional([(_text, _rows, [_integer])]),
    }


def _held(value: Any) -> bool:
    """A predicate, its rows, and when they held."""
    is_row = _fits(value, (_signature, _rows, [_runs]))
    return is_row and _fits(value[1], _rows_of(value[0][1])) and len(value[1]) == len(value[2])


def _runs(value: Any) -> bool:
    """First ticks of runs and the ticks behind their last ones, in turns."""
    is_list = _fits(value, [_integer]) and len(value) % 2 == 0 and bool(value)
    return is_list and all(one < other for one, other in pairwise(value))


def _current(value: Any) -> bool:
    """A predicate, its facts that are held, and until when they hold at most."""
    is_row = _fits(value, (_signature, _rows, [_integer]))
    return is_row and _fits(value[1], _rows_of(value[0][1])) and len(value[1]) == len(value[2])


_atoms = _of_predicates(_rows_of)
"""Atoms by their predicates."""
_atoms_with_ticks = _of_predicates(lambda arity: _rows_of(arity + 1))
"""Atoms, each with its tick at the end."""

_ARRIVALS = {
    "rows": _rows,
    "arrivals": [(_signature, _integer, _integer)],
    "plain": [[_natural]],
    "grouped": [(_rows, [[_natural]])],
    "open": [(_natural, _integer)],
    "last_end": _integer,
}

_DATABASE = {
    "now": _natural,
    "facts": _natural,
    "placed_at": _tick,
    "predicates": _of_predicates(lambda arity: [_stream(arity)]),
    "arrivals": _ARRIVALS,
    "future": [(_natural, _atoms)],
    "open": _atoms,
    "merged": _optional([(_signature, _natural)]),
    "current": _optional(_of_predicates(lambda arity: (_rows_of(arity), [_integer]))),
}

_STEP = {
    "models": [{"shown": _atoms, "recorded": _atoms, "placed": _atoms_with_ticks}],
    "consequences": _or_none(_atoms),
    "cost": _optional(_or_none([(_integer, _integer)])),
}

_STAGE = {
    "handed_out": {"shown": _atoms, "published": _atoms, "recorded": _atoms, "placed": _atoms_with_ticks},
    "unplaced": _atoms_with_ticks,
}

_ANSWER = {"tick": _natural, "satisfiable": _truth, "atoms": _atoms, "models": _or_none([_atoms])}

_PIPELINE = {
    "output": _or_none(_atoms),
    "input": _atoms,
    "is_timed_out": _truth,
    "stages": [_STAGE],
    "last": _or_none(_STEP),
}

_FLOW = {
    "now": _natural,
    "facts": _natural,
    "ticks": _natural,
    "merged": [(_signature, _natural)],
    "held": [_held],
    "arrived": [(_text, _rows, [_natural], [_natural], _rows, [_integer], [(_signature, _natural)])],
    "current": [_current],
    "derives": _atoms,
    "begun": [(_signature, [(_text, _rows, [_integer])])],
    "shows": [(_signature, _signature)],
    "has_failed": _truth,
    "last": _or_none(_STEP),
    "output": _or_none(_atoms),
    "open": [(_signature, _rows, [(_natural, _natural)])],
    "told": [(_signature, _rows, [(_natural, _truth)])],
    "future": [(_signature, [(_natural, _rows)])],
    "is_anew": _truth,
    "is_timed_out": _truth,
}


def _events(value: Any) -> bool:
    return value in ("", "passed_over", "without_fact") or _fits(value, (_atoms, _atoms, _atoms, _tick))


def _place(value: Any) -> bool:
    place = (_text, _natural, _text)
    return value is None or _fits(value, place) or _fits(value, (*place, _text))


_PARTS = (_natural, _events, _place)


def _record(*before: _Shape) -> _Kind:
    """A record behind other values; some have their moment as well, and some of these their nanoseconds."""
    parts = (*before, *_PARTS)
    return lambda value: any(_fits(value, (*parts, *[_integer] * more)) for more in range(3))


_RECORD = _record()

_REASONER: Mapping[str, _Shape] = {
    "program": _text,
    "now": _tick,
    "evaluated": _tick,
    "ticks": _natural,
    "first": _optional(_natural),
    "origin": _optional(_integer),
    "is_whole": _optional(_truth),
    "leaves_out": _optional(_truth),
    "satisfiable": _optional(_truth),
    "given": _optional(_or_none(_ANSWER)),
    "database": _optional(_DATABASE),
    "pipeline": _optional(_PIPELINE),
    "flow": _optional(_FLOW),
    "early": _optional([(_natural, _RECORD)]),
    "records": _optional(_natural),
}

_ORDER = {
    "last": _tick,
    "passed": _values((_integer, _natural, _or_none(_integer), _natural)),
    "dates": _optional(_values(_integer)),
}


def _order(value: Any) -> bool:
    """The order of a source, the last number of `record()`, or the first units."""
    return _natural(value) or _fits(value, [_text]) or _fits(value, _ORDER)


_FORM = {
    "encoding": _text,
    "delimiter": _text,
    "quote": _text,
    "before": _natural,
    "names": [_text],
    "is_document": _optional(_truth),
    "comment": _optional(_text),
}

_TABLE = {
    "form": _or_none(_FORM),
    "header": [_text],
    "refusal": _text,
    "encoding": _text,
    "before": _natural,
    "begins": _truth,
    "open": [_line],
}

_FORMATS = {
    "formats": {"sources": _values((_text, _natural, _truth, _truth)), "held": [_line]},
    "tables": _values(_TABLE),
}


def _reader(value: Any) -> bool:
    """What later lines are read by: tables, formats, records that have begun, folders with columns."""
    if not isinstance(value, dict):
        return False
    found = dict(value)
    open_records, folders = found.pop("open/", {}), found.pop("folders/", [])
    is_plain = _fits(found, _FORMATS if "formats" in found else _values(_TABLE))
    return is_plain and _values(_open_record)(open_records) and _fits(folders, [(_values(_text), _reader)])


def _open_record(value: Any) -> bool:
    """The number of its first line, and its lines."""
    return type(value) is list and len(value) > 1 and _natural(value[0]) and _fits(value[1:], [_text])


_OPEN = {"begun": [(_signature, _natural, _rows)]}
"""Intervals that have not ended."""


def _live_reader(value: Any) -> bool:
    before = (_reader, _natural, _values(_order))
    with_account = (*before, [_integer])
    return any(_fits(value, shape) for shape in (before, with_account, (*with_account, _values({}))))


_RUN: Mapping[str, _Shape] = {
    "reasoner": {},
    "given": _or_none(_ANSWER),
    "keeper": {"work": _natural, "last_checkpoint": _tick},
    "waiting": {
        "waiting": [_record(_natural)],
        "latest": _optional(_tick),
        "inputs": _optional([(_input, _tick, _truth)]),
        "open_from": _optional(_natural),
        "over": _optional(_integer),
        "has_times": _optional(_truth),
        "late": _natural,
    },
    "needed_lateness": _optional(_natural),
    "told": [_RECORD],
    "tables": _optional(_atoms),
    "due": _optional([(_natural, _atoms)]),
    "not_final": _optional(
        {
            "came": [_RECORD],
            "told": [(_natural, _truth, [(_signature, _rows, _rows)])],
            "satisfiable": _truth,
            "said": _integer,
            "final": _integer,
            "taken": _natural,
            "repeated": _natural,
        }
    ),
    "start": _tick,
    "options": _values(_text),
    "program": _optional(
        _or_none(
            {
                "rules": [(_text, _text)],
                "forms": _values(_values(_tick)),
                "facts": _text,
                "rooms": _values([_text]),
                "arrivals": [_text],
                "held": [_text],
                "decimals": _values([_text]),
                "predicates": [_text],
                "derives": [_text],
                "shown_input": [_text],
                "is_certain": _truth,
                "placed": _optional([_text]),
                "meant": _optional([_text]),
            }
        )
    ),
    "source": {"name": _text},
    "reader": _optional(_reader),
    "readers": _optional([_live_reader]),
    "orders": _optional(_values(_order)),
    "counted": _optional(_natural),
    "read": _optional([_integer]),
    "clocks": _optional(_values({})),
    "output": lambda value: _fits(value, _tick) or _fits(value, _values(_natural)),
    "delivered": _optional(_or_none({"number": _natural, "waiting": [_text]})),
    "rejects": _tick,
    "rejected": _natural,
    "unfit": _optional(_natural),
    "mistakes": _optional(_values((_natural, _natural, _text))),
    "is_first": _truth,
    "has_answered": _optional(_truth),
    "sink": _optional(_or_none({"has_begun": _truth, "open": _or_none(_OPEN)})),
    "chart": _optional(_or_none({"open": _OPEN, "gap": _tick, "is_first": _truth})),
    "account": {
        "seconds": _number,
        "costs": _values([_number]),
        "searches": _optional(_values([_natural])),
        "rules": _optional(_values([(_natural, _natural, _number)])),
    },
    "view": _or_none(
        {
            "begun": [(_signature, _rows, [(_natural, _truth)])],
            "tick": _tick,
            "unsatisfiable_since": _tick,
        }
    ),
}

_FILES: Mapping[str, _Shape] = {
    "file": _text,
    "line": _natural,
    "number": _natural,
    "place": {"line": _natural, "offset": _tick, "rest": _text, "head": _text},
    "before": _optional(_natural),
    "format": _optional(_text),
    "form": _optional(_FORM),
    "order": _optional(_ORDER),
    "account": _optional([_integer]),
}

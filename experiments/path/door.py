"""The door to clingo: rows to keys of symbols and back, an atom at a time."""

import time
from collections.abc import Callable, Sequence
from functools import partial

from experiments.path.group import Figures, Found, Group, Line, some
from lars2asp import constant
from lars2asp.externals.terms.symbols import atom_keys, rows_of_atoms
from lars2asp.externals.terms.terms import Row
from lars2asp.syntax.nodes import Signature

ATOMS = 30_000
P = Signature("p", 2)
IN, OUT, AGAIN_IN, AGAIN_OUT = "rows to keys", "keys to rows", "known rows to keys", "known keys to rows"


def groups() -> Sequence[Group]:
    """A group for numbers and one for constants."""
    return [
        Group("numbers", {"door": partial(_measure, lambda i: (i, i + 1))}, partial(_lines, "numbers")),
        Group(
            "constants",
            {"door": partial(_measure, lambda i: (constant(f"c{i}"), constant(f"c{i + 1}")))},
            partial(_lines, "constants"),
        ),
    ]


def _measure(make: Callable[[int], Row], scale: float) -> Figures:
    number = some(ATOMS, scale)
    rows = [make(i) for i in range(number)]
    found: dict[str, float] = {}
    for into, out in ((IN, OUT), (AGAIN_IN, AGAIN_OUT)):
        began = time.process_time()
        keys = atom_keys(P, rows)
        between = time.process_time()
        rows_of_atoms(keys)
        found[into] = (between - began) * 1e6 / number
        found[out] = (time.process_time() - between) * 1e6 / number
    return found


def _lines(what: str, found: Found) -> Sequence[Line]:
    return [Line(f"{what}: {name}", value, "us an atom") for name, value in found["door"].items()]

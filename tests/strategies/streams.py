"""Random streams, and cases: a program on a stream."""

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.oracle import Ground, Item, Value

INPUTS = {"p": 1, "e": 2, "r": 0}
"""Predicates that only the input tells (sometimes facts of the program too), with their arities."""
DERIVED = {"a": 1, "b": 1, "c": 0, "d": 2}
"""Predicates that rules derive; the input may tell them as well."""
TAKING_ALL = "#types p(any), e(any,any), a(any), b(any), d(any,any).\n"
"""Says that the input may tell any values of these predicates, also where rules take them as numbers."""
CONSTANTS: list[Value] = [0, 1, ("x", ())]


@dataclass(frozen=True)
class Case:
    """A program, a stream, and how to run them.

    `by_ticks` is the program with numbers of ticks, if it has times and durations.
    """

    program: str
    records: tuple[Item, ...]
    start: int | None
    last: int
    semantics: str
    complete_windows: bool
    by_ticks: str = ""


@st.composite
def ground_atoms(draw: DrawFn, values: Sequence[Value] = CONSTANTS) -> Ground:
    """An atom for the input: mostly of input predicates."""
    predicates = draw(st.sampled_from([INPUTS, INPUTS, INPUTS, DERIVED]))
    name = draw(st.sampled_from(sorted(predicates)))
    return name, tuple(draw(st.sampled_from(values)) for _ in range(predicates[name]))


@st.composite
def streams(draw: DrawFn, values: Sequence[Value] = CONSTANTS) -> tuple[Item, ...]:
    """Records in time order: facts, intervals, begins, and ends of what is open."""
    records = []
    tick = draw(st.integers(0, 3))
    is_open: set[Ground] = set()
    for _ in range(draw(st.integers(1, 7))):
        facts = tuple(draw(st.lists(ground_atoms(values), max_size=4)))
        until = tick + draw(st.integers(0, 3)) if facts and draw(st.integers(0, 3)) == 0 else None
        begin: tuple[Ground, ...] = ()
        if draw(st.integers(0, 3)) == 0:
            begin = tuple(draw(st.lists(ground_atoms(values), max_size=2)))
        ending: list[Ground] = sorted(is_open, key=str)
        end: tuple[Ground, ...] = ()
        is_ending = draw(st.booleans())
        if ending and is_ending:
            end = (draw(st.sampled_from(ending)),)
        is_open = is_open.difference(end).union(begin)
        records.append(Item(tick, facts, until, begin, end))
        tick += draw(st.sampled_from([0, 1, 1, 1, 2, 3]))
    return tuple(records)


@st.composite
def cases(
    draw: DrawFn,
    programs: SearchStrategy[str],
    *,
    complete: int = 5,
    values: Sequence[Value] = CONSTANTS,
) -> Case:
    """A program on a stream of atoms over some values; one case in so many demands complete windows.

    The program of half of these does so, of the others the options.
    """
    records = draw(streams(values))
    first, program = records[0].tick, draw(programs)
    is_complete = draw(st.integers(1, complete)) == 1
    is_declared = is_complete and draw(st.booleans())
    return Case(
        f"{program}\n#complete_windows." if is_declared else program,
        records,
        draw(st.sampled_from([None, None, first, max(0, first - 2)])),
        records[-1].tick + draw(st.integers(0, 3)),
        draw(st.sampled_from(["recorded", "strict"])),
        is_complete and not is_declared,
    )

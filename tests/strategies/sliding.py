"""Random programs with sliding and tuple windows alone, on streams of facts that hold at one tick each."""

import re

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.oracle import Item
from tests.strategies.choices import choosing_programs
from tests.strategies.conditions import conditional_programs
from tests.strategies.core import programs
from tests.strategies.heads import placing_programs
from tests.strategies.parts import Style, layered
from tests.strategies.recursion import recursive_programs
from tests.strategies.streams import Case, ground_atoms
from tests.strategies.windows import SLIDING, TUPLES

KINDS = ("now", "in", "in", "always", "always", "at in", "at")
STYLE = Style(KINDS, SLIDING | SLIDING | TUPLES, negated_kinds=("now", "in", "always", "at in", "at"))

_REPLACEMENTS = (
    (r"\{(\d+)[\d,]*\}", r"[\1]"),  # {1,3}
    (r"\[(\d+) step \d+\]", r"[\1]"),
    (r"\[every (\d+)\]", r"[\1]"),
    (r"\[(\d+) # [^\]]+\]", r"[\1 #]"),  # [2 # p/1], [2 # by X]
    (r" at least \S+", ""),
    (r" at most \S+", " always"),
    (r" count (\S+)", r" at \1"),
)


def _simplified(program: str) -> str:
    """The program with streaming atoms of the fragment in place of all others."""
    for pattern, replacement in _REPLACEMENTS:
        program = re.sub(pattern, replacement, program)
    return program


def sliding_programs() -> SearchStrategy[str]:
    """A program with `in`, `always`, `at` over sliding and tuple windows; all kinds of rules."""
    whole_language = st.one_of(
        programs(), placing_programs(), choosing_programs(), conditional_programs(), recursive_programs()
    )
    return st.one_of(layered(STYLE), whole_language.map(_simplified), whole_language.map(_simplified))


@st.composite
def point_cases(draw: DrawFn, programs: SearchStrategy[str]) -> Case:
    """A program, with strict semantics, on a stream of facts that hold at one tick each."""
    start = draw(st.integers(0, 3))
    ticks = draw(st.lists(st.lists(ground_atoms(), max_size=4), min_size=1, max_size=7))
    records = tuple(Item(tick, tuple(facts)) for tick, facts in enumerate(ticks, start))
    return Case(draw(programs), records, start, records[-1].tick, "strict", False)

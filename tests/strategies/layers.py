"""Random programs in layers with windows of one kind, and all that the evaluators compute by components."""

from hypothesis import strategies as st

from tests.strategies.choices import choosing_programs
from tests.strategies.conditions import conditional_programs
from tests.strategies.core import programs
from tests.strategies.heads import placing_programs
from tests.strategies.memory import remembering_programs
from tests.strategies.parts import POSITIVE_KINDS, Style, layered
from tests.strategies.recursion import cyclic_programs, recursive_programs
from tests.strategies.windows import ALL_WINDOWS, HOPPING, SINCE, TICK_WINDOWS, TUMBLING, TUPLE_WINDOWS

COUNTING = layered(
    Style(
        ("at least", "at least", "at most", "at most", "count", "count", "count", "in"),
        ALL_WINDOWS,
        negated_kinds=("at least", "at most", "count", "now"),
    )
)
WINDOWS = layered(Style(tuple(POSITIVE_KINDS), HOPPING | TUMBLING | HOPPING | TUMBLING | TICK_WINDOWS))
BEGUN = layered(Style(tuple(POSITIVE_KINDS), SINCE | SINCE | SINCE | TICK_WINDOWS))
TUPLES = layered(Style(tuple(POSITIVE_KINDS), TUPLE_WINDOWS))
ALL_PROGRAMS = st.one_of(
    programs(),
    COUNTING,
    WINDOWS,
    TUPLES,
    placing_programs(),
    choosing_programs(),
    conditional_programs(),
    cyclic_programs(),
    recursive_programs(),
    remembering_programs(),
)

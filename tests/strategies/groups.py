"""The groups of random programs, each of one part of the language, with streams."""

from collections.abc import Mapping

from hypothesis.strategies import SearchStrategy

from tests.strategies.aggregates import aggregating_programs
from tests.strategies.calendar import with_calendar
from tests.strategies.choices import choosing_programs
from tests.strategies.conditions import conditional_programs
from tests.strategies.constraints import with_choices, with_constraints
from tests.strategies.contraries import with_contraries
from tests.strategies.core import programs
from tests.strategies.formulas import FORMULAS
from tests.strategies.functions import VALUES, functional_programs
from tests.strategies.heads import placing_programs
from tests.strategies.held import with_held
from tests.strategies.layers import ALL_PROGRAMS, BEGUN, COUNTING, TUPLES, WINDOWS
from tests.strategies.memory import remembering_programs
from tests.strategies.ranks import RANKED, ranking_programs
from tests.strategies.recursion import cyclic_programs, recursive_programs
from tests.strategies.regular import with_regular_ticks
from tests.strategies.sparse import quiet_cases, sparse_cases
from tests.strategies.streams import Case, cases

GROUPS: Mapping[str, SearchStrategy[Case]] = {
    # Diamonds, boxes, `at` and negation over sliding and lagged windows and offsets; gaps in the stream.
    "core": cases(programs()),
    # `at least`, `at most` and `count` over all windows.
    "counting": cases(COUNTING),
    # All streaming atoms over hopping and tumbling windows.
    "windows": cases(WINDOWS, complete=2),
    # All streaming atoms over tuple windows of the input, of a predicate and of groups.
    "tuple windows": cases(TUPLES, complete=3),
    # All streaming atoms over windows since, and after, an atom began.
    "windows since": cases(BEGUN, complete=4) | sparse_cases(BEGUN),
    # Atoms placed at past ticks, now and ahead, and temporary ones.
    "heads at ticks": cases(placing_programs()),
    # Choices, disjunctions, loops through negation and constraints.
    "several answer streams": cases(choosing_programs()),
    # Constraints beside rules of which each tick has one answer stream.
    "failing ticks": with_constraints(cases(ALL_PROGRAMS | aggregating_programs() | programs() | BEGUN)),
    # Choices beside such rules.
    "choices beside rules": with_choices(cases(ALL_PROGRAMS | aggregating_programs() | programs())),
    # Streaming atoms under conditional literals and in aggregates.
    "conditional literals": cases(conditional_programs()),
    # Aggregates by group, over windows, nested in negation, with ties.
    "aggregates": cases(aggregating_programs()),
    # Rows by how many others of their group are before them, with ties, and values that are no numbers.
    "ranks": cases(ranking_programs()) | cases(ranking_programs(), values=RANKED),
    # Terms taken apart and put together, arithmetic and intervals.
    "functions": cases(functional_programs(), values=VALUES),
    # An atom and its contrary exclude each other where the program speaks of the contrary.
    "classical negation": with_contraries(cases(ALL_PROGRAMS)),
    # Positive cycles, over and under windows and aggregates.
    "recursion at one tick": cases(cyclic_programs()),
    # Positive cycles through diamonds, boxes, `at`, `at least` and heads at ticks.
    "recursion through windows": cases(recursive_programs()),
    # Formulas in brackets under windows, with `or` and negation, in one another.
    "formulas in brackets": FORMULAS,
    # Facts of the input that are held, over all windows and in aggregates.
    "held facts": with_held(cases(ALL_PROGRAMS | aggregating_programs())),
    # The same in tuple windows, and with long gaps in the stream.
    "held facts far apart": with_held(cases(TUPLES) | sparse_cases(ALL_PROGRAMS) | quiet_cases()),
    # Hours and weekdays of zones where clocks are changed, in all windows, also of days and months.
    "calendar": with_calendar(cases(WINDOWS | ALL_PROGRAMS | aggregating_programs()) | sparse_cases(WINDOWS)),
    # Rules that fire at every n-th tick alone, over all windows; dense streams, and long gaps in them.
    "regular ticks": with_regular_ticks(cases(ALL_PROGRAMS | aggregating_programs()) | quiet_cases()),
    # Rules over windows of offsets, of what they derived before; long gaps in the stream.
    "memory": cases(remembering_programs()) | sparse_cases(remembering_programs()),
}

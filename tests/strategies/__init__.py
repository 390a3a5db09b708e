"""Random programs and streams, for hypothesis: a strategy of programs for each part of the language."""

from tests.strategies.aggregates import aggregating_programs
from tests.strategies.calendar import with_calendar
from tests.strategies.choices import choosing_programs
from tests.strategies.conditions import conditional_programs
from tests.strategies.contraries import with_contraries
from tests.strategies.core import programs
from tests.strategies.disorder import Disordered, disordered
from tests.strategies.explained import EXPLAINED
from tests.strategies.functions import VALUES, functional_programs
from tests.strategies.groups import GROUPS
from tests.strategies.heads import placing_programs
from tests.strategies.held import with_held
from tests.strategies.keyed_choices import keyed_choices
from tests.strategies.layers import ALL_PROGRAMS, COUNTING, TUPLES, WINDOWS
from tests.strategies.memory import remembering_programs
from tests.strategies.recursion import cyclic_programs, recursive_programs
from tests.strategies.sliding import point_cases, sliding_programs
from tests.strategies.sparse import momentary_rules, quiet_cases, sparse_cases
from tests.strategies.splittable import splittable_programs
from tests.strategies.streams import Case, cases
from tests.strategies.wide import widened

__all__ = [
    "ALL_PROGRAMS",
    "COUNTING",
    "EXPLAINED",
    "GROUPS",
    "TUPLES",
    "VALUES",
    "WINDOWS",
    "Case",
    "Disordered",
    "aggregating_programs",
    "cases",
    "choosing_programs",
    "conditional_programs",
    "cyclic_programs",
    "disordered",
    "functional_programs",
    "keyed_choices",
    "momentary_rules",
    "placing_programs",
    "point_cases",
    "programs",
    "quiet_cases",
    "recursive_programs",
    "remembering_programs",
    "sliding_programs",
    "sparse_cases",
    "splittable_programs",
    "widened",
    "with_calendar",
    "with_contraries",
    "with_held",
]

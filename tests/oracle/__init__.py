"""The answer streams of programs by the definition (lars2asp.definition), to hold the evaluators to.

An interpretation is a set of pairs of an atom and a tick at which it holds; a streaming atom says how many of
such pairs hold. An answer stream at tick t is found as LARS defines it (Beck, Dao-Tran, Eiter 2018,
definition 9): guess what negated atoms say, take a minimal model of the reduct, keep it if it agrees with the
guess. It shares no code with translation, database or evaluators.
"""

from lars2asp.definition.terms import Value
from tests.oracle.evaluation import AnswerStream, Oracle
from tests.oracle.grounding import UnstratifiedError
from tests.oracle.rules import TooManyError
from tests.oracle.stream import Ground, Item, Pair, arrivals, atom_text, ground

__all__ = [
    "AnswerStream",
    "Ground",
    "Item",
    "Oracle",
    "Pair",
    "TooManyError",
    "UnstratifiedError",
    "Value",
    "arrivals",
    "atom_text",
    "ground",
]

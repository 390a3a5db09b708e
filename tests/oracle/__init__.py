"""The naive definition of the semantics, to hold the evaluators to.

It works on the abstract syntax alone and shares no code with translation, database or evaluators.
An interpretation is a set of pairs of an atom and a tick at which it holds; a window is a set of ticks,
written out; a streaming atom says how many of such pairs hold. An answer stream at tick t is found as LARS
defines it (Beck, Dao-Tran, Eiter 2018, definition 9): guess what negated atoms say, take a minimal model of
the reduct, keep it if it agrees with the guess.
"""

from tests.oracle.evaluation import AnswerStream, Oracle
from tests.oracle.grounding import UnstratifiedError
from tests.oracle.rules import TooManyError
from tests.oracle.stream import Arrival, Item, Pair, arrivals, data_stream
from tests.oracle.values import Ground, Value, atom_text, text_of

__all__ = [
    "AnswerStream",
    "Arrival",
    "Ground",
    "Item",
    "Oracle",
    "Pair",
    "TooManyError",
    "UnstratifiedError",
    "Value",
    "arrivals",
    "atom_text",
    "data_stream",
    "text_of",
]

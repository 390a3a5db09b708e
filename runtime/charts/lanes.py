"""What charts are made of: lanes of atoms, over which intervals lie, and lanes of input, with marks."""

from collections.abc import Mapping, Sequence

from lars2asp.externals.terms.terms import BARE_TERM
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.values import dataclass

OTHER_TERMS = "terms that are no atoms"

LONGEST_TEXT = 10_000
"""The number of characters of an atom that a chart has."""


@dataclass(frozen=True)
class AtomLane:
    """The lane of an atom.

    Attributes:
        text: the atom, without characters that steer the order of text, cut off where it is very long.
        bars: the begin and the end of each interval, one after the other; an end is the first tick at which
            the atom does not hold.
        begun_earlier: whether the first interval begins before the chart does.
    """

    text: str
    bars: Sequence[int]
    begun_earlier: bool = False


@dataclass(frozen=True)
class LaneGroup:
    """The lanes of a predicate, in clingo's order of their arguments.

    Attributes:
        name: the predicate, such as `alarm/2`.
        lanes: those of its atoms that held.
    """

    name: str
    lanes: tuple[AtomLane, ...]


@dataclass(frozen=True)
class InputLane:
    """What came of a predicate.

    Attributes:
        name: the predicate.
        counts: the number of its facts by the ticks at which some came, in order.
    """

    name: str
    counts: Mapping[int, int]


@dataclass(frozen=True)
class ChartData:
    """What a chart shows.

    Attributes:
        begin: its first tick.
        end: the tick behind its last one; what holds to the last has this end.
        groups: the lanes of atoms, by predicates in clingo's order.
        inputs: the lanes of the input, by predicates in clingo's order.
        gaps: the begin and end of each time without answer stream, one after the other.
    """

    begin: int
    end: int
    groups: tuple[LaneGroup, ...] = ()
    inputs: tuple[InputLane, ...] = ()
    gaps: Sequence[int] = ()

    @property
    def lanes(self) -> int:
        """The number of lanes of atoms."""
        return sum(len(group.lanes) for group in self.groups)

    @property
    def intervals(self) -> int:
        """The number of intervals."""
        return sum(len(lane.bars) // 2 for group in self.groups for lane in group.lanes)


def predicate_name(signature: Signature) -> str:
    """What a group of lanes is called."""
    return OTHER_TERMS if signature == BARE_TERM else str(signature)

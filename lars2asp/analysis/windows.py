"""Windows in ticks.

A window selects a set of ticks T(W,t) for the current tick t, clipped at the start of the timeline
(Beck, Dao-Tran, Eiter 2018, definitions 4 and 5).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Signature, Term, Variable


class _WithNow:
    """A window that may have the current tick."""

    __slots__: tuple[str, ...] = ()

    @property
    def includes_now(self) -> bool:
        """Whether the current tick may be in the window."""
        return True

    def __str__(self) -> str:
        """The kind and its numbers, as generated text has them: `hopping(10,5)`."""
        numbers = ",".join(str(getattr(self, name)) for name in self.__slots__)
        return f"{type(self).__name__.lower()}({numbers})" if numbers else type(self).__name__.lower()


class _Span(_WithNow):
    """A window of the ticks from a first to a last one."""

    __slots__ = ()

    def span(self, now: int, start: int) -> tuple[int, int]:
        """The first and the last tick; the last lies before the first where there are none."""
        raise NotImplementedError

    def is_whole(self, now: int, start: int) -> bool:
        """Whether no tick of the window lies before the start."""
        return self.span(now, start - 1)[0] >= start


@dataclass(frozen=True, slots=True)
class Sliding(_Span):
    """The ticks t-size ... t."""

    size: int

    def span(self, now: int, start: int) -> tuple[int, int]:
        """The first and the last tick."""
        return max(start, now - self.size), now

    @property
    def reach(self) -> int:
        """The number of ticks back from now that the window looks."""
        return self.size


@dataclass(frozen=True, slots=True)
class Offsets:
    """The ticks t-d for each d of `offsets` (ascending, without repeats)."""

    offsets: tuple[int, ...]

    def ticks(self, now: int, start: int) -> tuple[int, ...]:
        """The ticks, latest first."""
        return tuple(now - offset for offset in self.offsets if now - offset >= start)

    def is_whole(self, now: int, start: int) -> bool:
        """Whether no tick of the window lies before the start."""
        return now - self.reach >= start

    @property
    def reach(self) -> int:
        """The number of ticks back from now that the window looks."""
        return self.offsets[-1]

    @property
    def includes_now(self) -> bool:
        """Whether the current tick is in the window."""
        return self.offsets[0] == 0

    def __str__(self) -> str:
        return f"offsets({','.join(map(str, self.offsets))})"


@dataclass(frozen=True, slots=True)
class Fixed(_WithNow):
    """One tick of the timeline, once it has come: the window of `a at 37`."""

    tick: int

    @property
    def reach(self) -> int:
        """0: the database keeps the one tick apart."""
        return 0


@dataclass(frozen=True, slots=True)
class Unbounded(_Span):
    """All ticks from the start to now: the window of `a at T`."""

    def span(self, now: int, start: int) -> tuple[int, int]:
        """The first and the last tick."""
        return start, now


@dataclass(frozen=True, slots=True)
class Hopping(_Span):
    """The sliding window of the last multiple of `step`."""

    size: int
    step: int

    def span(self, now: int, start: int) -> tuple[int, int]:
        """The first and the last tick; the last lies before the first where there are none."""
        last = now - now % self.step
        return max(start, last - self.size), last

    @property
    def reach(self) -> int:
        """The number of ticks back from now that the window looks."""
        return self.size + self.step - 1


@dataclass(frozen=True, slots=True)
class Tumbling(_Span):
    """The last complete block of `size` ticks, blocks counted from tick 0.

    A block is complete from its own last tick on.
    """

    size: int

    def span(self, now: int, start: int) -> tuple[int, int]:
        """The first and the last tick; the last lies before the first where there are none."""
        end = (now + 1) // self.size * self.size
        return max(start, end - self.size), end - 1

    @property
    def reach(self) -> int:
        """The number of ticks back from now that the window looks."""
        return 2 * self.size - 2


class Step(NamedTuple):
    """From an atom or a function term to one of its arguments.

    Attributes:
        function: the function term, with an empty name for a tuple; None for the atom itself.
        position: which argument, counted from 0.
    """

    function: Signature | None
    position: int

    def __str__(self) -> str:
        return f"{'' if self.function is None else f'({self.function})'}{self.position + 1}"


Place = tuple[Step, ...]
"""Where a term stands in an atom, from the outside to the inside."""


@dataclass(frozen=True, slots=True)
class LastArrivals(_WithNow):
    """The last arrivals: of the whole input, of a predicate, or of the streaming atom's predicate for each
    value of the arguments at the `group` positions (counted from 0) apart.

    Attributes:
        size: the number of arrivals.
        signature: the predicate, where it is of one.
        group: the first position of each variable that makes groups.
        alike: for variables that stand in several places their number in `group` and each other place.
            Arrivals that do not have the group's value there are in no group.
    """

    size: int
    signature: Signature | None = None
    group: tuple[int, ...] = ()
    alike: tuple[tuple[int, Place], ...] = ()

    @property
    def positions(self) -> frozenset[int]:
        """The arguments at which all arrivals of a group have the same value, counted from 0."""
        others = (place[0].position for _, place in self.alike if len(place) == 1)
        return frozenset((*self.group, *others))

    def __str__(self) -> str:
        if not self.group:
            return f"last({self.size},{self.signature})" if self.signature else f"last({self.size})"
        places = [str(position + 1) for position in self.group]
        for number, place in self.alike:
            places[number] += f"={''.join(map(str, place))}"
        return f"last({self.size},by({','.join(places)}))"


SpanWindow = Sliding | Hopping | Tumbling | Unbounded
"""Windows of the ticks from a first to a last one."""

TimeWindow = SpanWindow | Offsets | Fixed
"""Windows that choose ticks."""

TickWindow = TimeWindow | LastArrivals


def tick_window(
    window: nodes.Window, atom: nodes.Atom
) -> Sliding | Offsets | Hopping | Tumbling | LastArrivals:
    """The ticks or arrivals that a window of a streaming atom selects, once its sizes are plain numbers."""
    match window:
        case nodes.SlidingWindow(duration):
            return Sliding(resolved_number(duration.size))
        case nodes.HoppingWindow(duration, step):
            return Hopping(resolved_number(duration.size), resolved_number(step.size))
        case nodes.TumblingWindow(duration):
            return Tumbling(resolved_number(duration.size))
        case nodes.TupleWindow(size, signature, group):
            inside = tuple(variable for variable in dict.fromkeys(group) if variable in atom.arguments)
            positions = tuple(atom.arguments.index(variable) for variable in inside)
            alike = tuple(
                (number, place)
                for number, variable in enumerate(inside)
                for place in _places(variable, atom.arguments)
                if place != (Step(None, positions[number]),)
            )
            return LastArrivals(resolved_number(size), signature, positions, alike)
        case nodes.OffsetWindow(offsets):
            return Offsets(tuple(sorted({resolved_number(offset) for offset in offsets})))


def _places(
    variable: Variable, arguments: Sequence[Term], function: Signature | None = None
) -> Iterator[Place]:
    """Where a variable stands as it is: as an argument and in function terms and tuples."""
    for position, argument in enumerate(arguments):
        step = Step(function, position)
        match argument:
            case Variable() if argument == variable:
                yield (step,)
            case nodes.Function(name, inner, False):
                within = _places(variable, inner, Signature(name, len(inner)))
                yield from ((step, *place) for place in within)
            case nodes.Tuple(inner):
                within = _places(variable, inner, Signature("", len(inner)))
                yield from ((step, *place) for place in within)


def resolved_number(term: Term) -> int:
    """The number that a size is once windows are in ticks. Raises TypeError before that."""
    if not isinstance(term, nodes.Number):
        raise TypeError("the window is not resolved")
    return term.value

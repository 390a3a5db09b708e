"""Windows in ticks.

A window selects a set of ticks T(W,t) for the current tick t, clipped at the start of the timeline
(Beck, Dao-Tran, Eiter 2018, definitions 4 and 5).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import ClassVar, NamedTuple, assert_never

from lars2asp.analysis.clock_blocks import PARTS_OF_DAYS, ClockBlocks
from lars2asp.analysis.window_edges import ClockEdges, DelayedEdges, Edges, LeapingEdges, SlidingEdges
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Signature, Term, Variable
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.values import dataclass

Run = tuple[int, int]
"""Ticks that follow one another: the first and the last one."""


class _Named:
    """A window with its text."""

    __slots__: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The kind and its numbers, as lookups, plans and generated text have them: `hopping(10,5)`."""
        numbers = ",".join(str(getattr(self, name)) for name in self.__slots__)
        return f"{type(self).__name__.lower()}({numbers})" if numbers else type(self).__name__.lower()


class _Ticks(_Named, ABC):
    """A window that chooses ticks. What a kind of windows means stands in its class, and only there."""

    __slots__ = ()

    @abstractmethod
    def runs(self, now: int, start: int) -> tuple[Run, ...]:
        """The ticks of the window on a timeline that starts at `start`, as runs: ascending and apart."""

    @property
    @abstractmethod
    def reach(self) -> int | None:
        """The number of ticks back from now that the window looks; None for all up to the start."""

    @property
    @abstractmethod
    def most_ticks(self) -> int | None:
        """How many ticks the window has at most; None where that has no limit."""

    @property
    @abstractmethod
    def includes_now(self) -> bool:
        """Whether the current tick may be in the window."""

    @property
    def leaps(self) -> bool:
        """Whether the window stands still for some ticks, during which the current one is not in it."""
        return False

    @property
    def varies(self) -> bool:
        """Whether the window may have different numbers of ticks where it is whole."""
        return False

    @property
    def ages(self) -> tuple[int, int] | None:
        """How many ticks ago the last and the first tick are; None where that changes as time goes on."""
        return None

    @abstractmethod
    def is_whole(self, now: int, start: int) -> bool:
        """Whether no tick of the window lies before the start."""

    @abstractmethod
    def next_move(self, now: int) -> int | None:
        """The first tick after now at which the window has other ticks; None where `after_start` has it."""

    @abstractmethod
    def after_start(self, start: int) -> Sequence[int]:
        """The ticks at which answers over the window change without input, as the timeline starts there.

        Those of windows that leap follow from `next_move`.
        """


class Fault(NamedTuple):
    """What is wrong with the sizes of a window.

    Attributes:
        message: what it is.
        hint: what to write.
        field: the field of the window's node that has the wrong size; empty for a warning about the window.
        instead: the size that is taken in its place, so that the rest of the program can be looked at.
    """

    message: str
    hint: str
    field: str = ""
    instead: int = 0


def _ends_before_it_begins(field: str, nearest: int) -> Fault:
    hint = "write the end nearer to now first, as in [1..5]"
    return Fault("the window ends before it begins", hint, field, nearest)


class SpanWindow(_Ticks):
    """A window of the ticks from a first to a last one. All of it follows from where these two are."""

    __slots__ = ()

    def faults(self) -> Iterator[Fault]:
        """What is wrong with its sizes, which are 0 or more."""
        yield from ()

    @abstractmethod
    def edges(self, start: int) -> Edges:
        """Its first and its last tick, on a timeline that starts at a tick."""

    def span(self, now: int, start: int) -> Run:
        """The first and the last tick; the last lies before the first where there are none."""
        return self.edges(start).at(now)

    def runs(self, now: int, start: int) -> tuple[Run, ...]:
        """The ticks from the first to the last one."""
        first, last = self.span(now, start)
        return ((first, last),) if first <= last else ()

    @property
    def reach(self) -> int | None:
        """The number of ticks back from now that the window looks; None for all up to the start."""
        edges = self.edges(0)
        return None if edges.when_whole is None else edges.reach

    @property
    def most_ticks(self) -> int | None:
        """How many ticks the window has at most; None where that has no limit."""
        return self.edges(0).most_ticks

    @property
    def includes_now(self) -> bool:
        """Whether the current tick may be the last one."""
        return self.edges(0).has_now

    @property
    def leaps(self) -> bool:
        """Whether the window stands still for some ticks, during which the current one is not in it."""
        return self.edges(0).leaps

    @property
    def varies(self) -> bool:
        """Whether the window may have different numbers of ticks where it is whole."""
        return self.edges(0).varies

    @property
    def ages(self) -> tuple[int, int] | None:
        """How many ticks ago the last and the first tick are; None where that changes as time goes on."""
        first, last = self.span(0, -(self.reach or 0))
        return None if self.leaps or self.reach is None else (-last, -first)

    def is_whole(self, now: int, start: int) -> bool:
        """Whether no tick of the window lies before the start."""
        when = self.edges(start).when_whole
        return when is None or now >= when

    def next_move(self, now: int) -> int | None:
        """The first tick after now at which the first or the last tick is another one."""
        return self.edges(0).next_move(now)

    def after_start(self, start: int) -> Sequence[int]:
        """The tick at which the start is in the window and is not the current one."""
        return [] if self.leaps else [self.edges(start).before().when_last(start)]


@dataclass(frozen=True, slots=True)
class Sliding(SpanWindow):
    """The ticks t-size ... t."""

    size: int

    def edges(self, start: int) -> Edges:
        """From `size` ticks ago to now."""
        return SlidingEdges(start, 0, self.size)


@dataclass(frozen=True, slots=True)
class Lagged(SpanWindow):
    """The ticks t-furthest ... t-nearest."""

    nearest: int
    furthest: int

    def faults(self) -> Iterator[Fault]:
        """A window that ends before it begins."""
        if self.nearest > self.furthest:
            yield _ends_before_it_begins("furthest", self.nearest)

    def edges(self, start: int) -> Edges:
        """From `furthest` ticks ago to `nearest` ticks ago."""
        return SlidingEdges(start, self.nearest, self.furthest)


@dataclass(frozen=True, slots=True)
class Unbounded(SpanWindow):
    """All ticks from the start to now: the window of `a at T`."""

    def edges(self, start: int) -> Edges:
        """From the start to now."""
        return SlidingEdges(start, 0, None)


@dataclass(frozen=True, slots=True)
class Hopping(SpanWindow):
    """From `furthest` to `nearest` ticks before the last tick that lies a multiple of `step` from `base`."""

    furthest: int
    step: int
    nearest: int = 0
    base: int = 0

    def faults(self) -> Iterator[Fault]:
        """A step without ticks, an end before the begin; also a step that is longer than the window."""
        ticks = self.furthest - self.nearest + 1
        if self.step == 0:
            yield Fault("the step of a hopping window must not be 0", "write 1 or more", "step", 1)
        if ticks < 1:
            yield _ends_before_it_begins("duration", self.nearest)
        elif self.step > ticks:
            yield Fault(
                "the step is longer than the window, so the window skips some ticks",
                f"use a step of at most {ticks} tick{'s' * (ticks > 1)}, the length of the window",
            )

    def edges(self, start: int) -> Edges:
        """Those of a window that ends when it leaps, delayed where it ends before that."""
        size, lag = self.furthest - self.nearest, self.nearest
        leaping = LeapingEdges(start, self.step, (self.base - lag) % self.step, size)
        return DelayedEdges(leaping, lag) if lag else leaping

    def __str__(self) -> str:
        more = f",{self.nearest},{self.base}" if self.nearest or self.base else ""
        return f"hopping({self.furthest},{self.step}{more})"


@dataclass(frozen=True, slots=True)
class Tumbling(SpanWindow):
    """The last complete block of `size` ticks, blocks counted from tick `base`.

    A block is complete from its own last tick on.
    """

    size: int
    base: int = 0

    def faults(self) -> Iterator[Fault]:
        """A block without ticks."""
        if self.size == 0:
            yield Fault("the length of a tumbling window must not be 0", "write 1 or more", "duration", 1)

    def edges(self, start: int) -> Edges:
        """The last tick is one before a multiple of `size` from `base`."""
        return LeapingEdges(start, self.size, (self.base - 1) % self.size, self.size - 1)

    def __str__(self) -> str:
        return f"tumbling({self.size},{self.base})" if self.base else f"tumbling({self.size})"


@dataclass(frozen=True, slots=True)
class ClockHopping(SpanWindow):
    """From `furthest` to `nearest` ticks before the first tick of the block of the clock that has now."""

    furthest: int
    blocks: ClockBlocks
    nearest: int = 0

    def faults(self) -> Iterator[Fault]:
        """A step without days, an end before the begin."""
        if self.blocks.number == 0:
            yield Fault("the step of a hopping window must not be 0", "write 1 or more", "step", 1)
        if self.furthest < self.nearest:
            yield _ends_before_it_begins("duration", self.nearest)

    def edges(self, start: int) -> Edges:
        """Those of a window that ends when it leaps, delayed where it ends before that."""
        leaping = ClockEdges(start, self.blocks, self.nearest, self.furthest - self.nearest)
        return DelayedEdges(leaping, self.nearest) if self.nearest else leaping


@dataclass(frozen=True, slots=True)
class ClockTumbling(SpanWindow):
    """The last complete block of the clock of a zone. A block is complete from its own last tick on."""

    blocks: ClockBlocks

    def faults(self) -> Iterator[Fault]:
        """A block without days."""
        if self.blocks.number == 0:
            yield Fault("the length of a tumbling window must not be 0", "write 1 or more", "duration", 1)

    def edges(self, start: int) -> Edges:
        """The last tick is one before that at which a block begins, the first one that of its block."""
        return ClockEdges(start, self.blocks, 1, None)


@dataclass(frozen=True, slots=True)
class Offsets(_Ticks):
    """The ticks t-d for each d of `offsets` (ascending, without repeats)."""

    offsets: tuple[int, ...]

    @property
    def stretches(self) -> list[Run]:
        """The offsets that follow one another, each stretch by its least and its greatest one."""
        starts = [self.offsets[0], *(two for one, two in pairwise(self.offsets) if two > one + 1)]
        ends = [*(one for one, two in pairwise(self.offsets) if two > one + 1), self.offsets[-1]]
        return list(zip(starts, ends, strict=True))

    def runs(self, now: int, start: int) -> tuple[Run, ...]:
        """The ticks of each stretch."""
        found = ((max(start, now - most), now - least) for least, most in reversed(self.stretches))
        return tuple(run for run in found if run[0] <= run[1])

    @property
    def reach(self) -> int:
        """The greatest offset."""
        return self.offsets[-1]

    @property
    def most_ticks(self) -> int:
        """The number of offsets."""
        return len(self.offsets)

    @property
    def includes_now(self) -> bool:
        """Whether 0 is an offset."""
        return self.offsets[0] == 0

    @property
    def ages(self) -> tuple[int, int]:
        """The least and the greatest offset."""
        return self.offsets[0], self.offsets[-1]

    def is_whole(self, now: int, start: int) -> bool:
        """Whether no tick of the window lies before the start."""
        return now - self.reach >= start

    def next_move(self, now: int) -> int:
        """The next tick."""
        return now + 1

    def after_start(self, start: int) -> Sequence[int]:
        """The ticks at which the start is in the window."""
        return [start + offset for offset in self.offsets]

    def __str__(self) -> str:
        return f"offsets({','.join(map(str, self.offsets))})"


@dataclass(frozen=True, slots=True)
class Fixed(_Ticks):
    """One tick of the timeline, once it has come: the window of `a at 37`."""

    reach: ClassVar[int] = 0
    """The database keeps the one tick apart."""
    most_ticks: ClassVar[int] = 1
    includes_now: ClassVar[bool] = True
    """The one tick is the current one at some time."""

    tick: int

    def runs(self, now: int, start: int) -> tuple[Run, ...]:
        """The one tick."""
        return ((self.tick, self.tick),) if start <= self.tick <= now else ()

    def is_whole(self, now: int, start: int) -> bool:
        """True: a tick before the start is not a tick of the window."""
        return True

    def next_move(self, now: int) -> int | None:
        """None: `after_start` has the tick."""
        return None

    def after_start(self, start: int) -> Sequence[int]:
        """The tick, and the one after it."""
        return [self.tick, self.tick + 1]


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
class LastArrivals(_Named):
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
    def includes_now(self) -> bool:
        """True: what arrives now is in the window."""
        return True

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


@dataclass(frozen=True, slots=True)
class Since(_Named):
    """From the last beginning of an atom of a predicate to now, for each value of the arguments it shares.

    An atom begins where it arrives, and where it holds but did not at the tick before.

    Attributes:
        signature: the predicate.
        key: for each of its arguments the position of the streaming atom's argument that is the same (counted
            from 0), or a ground term; None for any.
        is_after: whether the tick of the beginning is left out.
    """

    signature: Signature
    key: tuple[int | Term | None, ...]
    is_after: bool = False

    @property
    def reach(self) -> None:
        """None: it looks back without end."""
        return None

    @property
    def most_ticks(self) -> None:
        """None: it has any number of ticks."""
        return None

    @property
    def includes_now(self) -> bool:
        """True: the current tick is in the window, but for that of the beginning where it is left out."""
        return True

    @property
    def positions(self) -> tuple[int, ...]:
        """The arguments of the streaming atom whose values are those of a window, each once."""
        return tuple(dict.fromkeys(one for one in self.key if isinstance(one, int)))

    def __str__(self) -> str:
        texts = [
            "_" if one is None else str(one + 1) if isinstance(one, int) else f"={to_text(one)}"
            for one in self.key
        ]
        return f"{'after' if self.is_after else 'since'}({','.join([str(self.signature), *texts])})"


TimeWindow = SpanWindow | Offsets | Fixed
"""Windows that choose ticks."""

TickWindow = TimeWindow | LastArrivals | Since


def span_window(window: nodes.DurationWindow) -> SpanWindow:
    """The ticks that a window selects, once its sizes are plain numbers."""
    match window:
        case nodes.SlidingWindow(duration):
            return Sliding(resolved_number(duration.size))
        case nodes.LaggedWindow(nearest, furthest):
            first, last = resolved_number(nearest.size), resolved_number(furthest.size)
            return Lagged(first, last) if first else Sliding(last)
        case nodes.HoppingWindow(furthest, nodes.Duration(clock=nodes.Clock()) as step, nearest, base):
            return ClockHopping(resolved_number(furthest.size), _blocks(step, base), _number(nearest))
        case nodes.TumblingWindow(nodes.Duration(clock=nodes.Clock()) as duration, base):
            return ClockTumbling(_blocks(duration, base))
        case nodes.HoppingWindow(furthest, step, nearest, base):
            ends = resolved_number(furthest.size), resolved_number(step.size)
            return Hopping(*ends, _number(nearest), _phase(base, step))
        case nodes.TumblingWindow(duration, base):
            return Tumbling(resolved_number(duration.size), _phase(base, duration))
        case _:
            assert_never(window)


def _blocks(step: nodes.Duration, base: nodes.Duration | None) -> ClockBlocks:
    assert step.clock is not None
    number, shift = resolved_number(step.size), _number(base) * step.clock.tick_length
    part = number * PARTS_OF_DAYS.get(step.unit, 0)
    return ClockBlocks(number, step.unit, shift % part if part else shift, step.clock)


def _number(duration: nodes.Duration | None) -> int:
    return 0 if duration is None else resolved_number(duration.size)


def _phase(base: nodes.Duration | None, step: nodes.Duration) -> int:
    """The first tick that lies a multiple of a step from a base; 0 where the step is none."""
    return _number(base) % (resolved_number(step.size) or 1)


def tick_window(window: nodes.Window, atom: nodes.Atom) -> SpanWindow | Offsets | LastArrivals | Since:
    """The ticks or arrivals that a window of a streaming atom selects, once its sizes are plain numbers."""
    match window:
        case nodes.OffsetWindow(offsets):
            return Offsets(tuple(sorted({resolved_number(offset) for offset in offsets})))
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
        case nodes.SinceWindow(begun, is_after):
            key = tuple(_shared(argument, atom.arguments) for argument in begun.arguments)
            return Since(begun.signature, key, is_after)
        case _:
            return span_window(window)


def _shared(argument: Term, arguments: Sequence[Term]) -> int | Term | None:
    """What an argument of the atom of `[since b]` is to be; see Since."""
    if not isinstance(argument, Variable):
        return argument
    return arguments.index(argument) if argument in arguments and not argument.is_anonymous else None


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


def resolved_number(term: Term | nodes.OffsetRange) -> int:
    """The number that a size is once windows are in ticks. Raises TypeError before that."""
    if not isinstance(term, nodes.Number):
        raise TypeError("the window is not resolved")
    return term.value

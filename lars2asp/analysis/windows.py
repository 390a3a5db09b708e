"""Windows in ticks, and the pass that brings a program's windows there.

A window selects a set of ticks T(W,t) for the current tick t, clipped at the start of the timeline
(Beck, Dao-Tran, Eiter 2018, definitions 4 and 5).
"""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from lars2asp.analysis.constants import constant_values, has_interval, integer_value, varies
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import (
    LARGEST_INTEGER,
    Atom,
    AtTick,
    Duration,
    Function,
    HoppingWindow,
    Node,
    Number,
    OffsetWindow,
    Program,
    Signature,
    SlidingWindow,
    StreamingAtom,
    Term,
    Tick,
    TumblingWindow,
    Tuple,
    TupleWindow,
    Variable,
    Window,
    is_plain_fact,
)
from lars2asp.syntax.traversal import rewrite

MICROSECONDS = {
    "msec": 1_000,
    "sec": 1_000_000,
    "min": 60_000_000,
    "hour": 3_600_000_000,
    "day": 86_400_000_000,
}
"""The length of each time unit."""


@dataclass(frozen=True, slots=True)
class Sliding:
    """The ticks t-size ... t."""

    size: int

    def span(self, now: int, start: int) -> tuple[int, int]:
        """The first and the last tick."""
        return max(start, now - self.size), now

    def is_whole(self, now: int, start: int) -> bool:
        """Whether no tick of the window lies before the start."""
        return now - self.size >= start

    @property
    def reach(self) -> int:
        """How many ticks back the window looks."""
        return self.size

    @property
    def includes_now(self) -> bool:
        """Whether the current tick is in the window."""
        return True

    def __str__(self) -> str:
        return f"sliding({self.size})"


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
        """How many ticks back the window looks."""
        return self.offsets[-1]

    @property
    def includes_now(self) -> bool:
        """Whether the current tick is in the window."""
        return self.offsets[0] == 0

    def __str__(self) -> str:
        return f"offsets({','.join(map(str, self.offsets))})"


@dataclass(frozen=True, slots=True)
class Fixed:
    """One tick of the timeline, once it has come: the window of `a at 37`."""

    tick: int

    @property
    def reach(self) -> int:
        """None of the ticks back from now: the one tick is remembered by itself."""
        return 0

    @property
    def includes_now(self) -> bool:
        """Whether the current tick may be in the window."""
        return True

    def __str__(self) -> str:
        return f"fixed({self.tick})"


@dataclass(frozen=True, slots=True)
class Unbounded:
    """All ticks from the start to now: the window of `a at T`."""

    def span(self, now: int, start: int) -> tuple[int, int]:
        """The first and the last tick."""
        return start, now

    @property
    def includes_now(self) -> bool:
        """Whether the current tick is in the window."""
        return True

    def __str__(self) -> str:
        return "unbounded"


@dataclass(frozen=True, slots=True)
class Hopping:
    """The sliding window of the last multiple of `step`."""

    size: int
    step: int

    def span(self, now: int, start: int) -> tuple[int, int]:
        """The first and the last tick; the last lies before the first where there are none."""
        last = now - now % self.step
        return max(start, last - self.size), last

    def is_whole(self, now: int, start: int) -> bool:
        """Whether no tick of the window lies before the start."""
        return now - now % self.step - self.size >= start

    @property
    def reach(self) -> int:
        """How many ticks back the window looks."""
        return self.size + self.step - 1

    @property
    def includes_now(self) -> bool:
        """Whether the current tick may be in the window."""
        return True

    def __str__(self) -> str:
        return f"hopping({self.size},{self.step})"


@dataclass(frozen=True, slots=True)
class Tumbling:
    """The last complete block of `size` ticks, blocks counted from tick 0.

    A block is complete from its own last tick on.
    """

    size: int

    def span(self, now: int, start: int) -> tuple[int, int]:
        """The first and the last tick; the last lies before the first where there are none."""
        end = (now + 1) // self.size * self.size
        return max(start, end - self.size), end - 1

    def is_whole(self, now: int, start: int) -> bool:
        """Whether no tick of the window lies before the start."""
        return (now + 1) // self.size * self.size - self.size >= start

    @property
    def reach(self) -> int:
        """How many ticks back the window looks."""
        return 2 * self.size - 2

    @property
    def includes_now(self) -> bool:
        """Whether the current tick may be in the window."""
        return True

    def __str__(self) -> str:
        return f"tumbling({self.size})"


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
class LastArrivals:
    """The last arrivals: of the whole input, of a predicate, or of the streaming atom's predicate for each
    value of the arguments at the `group` positions (counted from 0) apart.

    Attributes:
        size: how many.
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

    @property
    def includes_now(self) -> bool:
        """Whether the current tick may be in the window: it is."""
        return True

    def __str__(self) -> str:
        if self.group:
            groups = (
                "=".join(
                    [
                        str(position + 1),
                        *("".join(map(str, place)) for of, place in self.alike if of == number),
                    ]
                )
                for number, position in enumerate(self.group)
            )
            return f"last({self.size},by({','.join(groups)}))"
        return f"last({self.size},{self.signature})" if self.signature else f"last({self.size})"

    def _others(self, number: int) -> Iterator[str]:
        return ("".join(map(str, place)) for of, place in self.alike if of == number)


SpanWindow = Sliding | Hopping | Tumbling | Unbounded
"""Windows of the ticks from a first to a last one."""

TimeWindow = SpanWindow | Offsets | Fixed
"""Windows that choose ticks."""

TickWindow = TimeWindow | LastArrivals


def tick_window(window: Window, atom: Atom) -> Sliding | Offsets | Hopping | Tumbling | LastArrivals:
    """What a window of a streaming atom selects; `resolve_windows` has brought it to plain numbers."""
    match window:
        case SlidingWindow(duration):
            return Sliding(_number(duration.size))
        case HoppingWindow(duration, step):
            return Hopping(_number(duration.size), _number(step.size))
        case TumblingWindow(duration):
            return Tumbling(_number(duration.size))
        case TupleWindow(size, signature, group):
            inside = tuple(variable for variable in dict.fromkeys(group) if variable in atom.arguments)
            positions = tuple(atom.arguments.index(variable) for variable in inside)
            alike = tuple(
                (number, place)
                for number, variable in enumerate(inside)
                for place in _places(variable, atom.arguments)
                if place != (Step(None, positions[number]),)
            )
            return LastArrivals(_number(size), signature, positions, alike)
        case OffsetWindow(offsets):
            return Offsets(tuple(sorted({_number(offset) for offset in offsets})))


def _places(
    variable: Variable, arguments: Sequence[Term], function: Signature | None = None
) -> Iterator[Place]:
    """Where a variable stands as it is: as an argument and in function terms and tuples."""
    for position, argument in enumerate(arguments):
        step = Step(function, position)
        match argument:
            case Variable() if argument == variable:
                yield (step,)
            case Function(name, inner, False):
                within = _places(variable, inner, Signature(name, len(inner)))
                yield from ((step, *place) for place in within)
            case Tuple(inner):
                within = _places(variable, inner, Signature("", len(inner)))
                yield from ((step, *place) for place in within)


def _number(term: Term) -> int:
    if not isinstance(term, Number):
        raise TypeError("the window is not resolved")
    return term.value


# --- the pass -------------------------------------------------------------------------------------


def tick_length(program: Program) -> int | None:
    """The length of a tick in microseconds, None without a (valid) `#tick`."""
    constants = constant_values(program)
    for tick in program.every(Tick):
        size = integer_value(tick.duration.size, constants)
        if size is not None and size > 0 and tick.duration.unit:
            return size * MICROSECONDS[tick.duration.unit]
    return None


def resolve_windows(program: Program, diagnostics: Diagnostics) -> Program:
    """Brings all windows to ticks, as plain numbers.

    Reported: sizes that are no natural number, units without `#tick`, sizes that are no whole number of
    ticks, and what is wrong with `#tick` itself.
    """
    _check_tick_statements(program, diagnostics)
    resolver = _Resolver(program, diagnostics)
    statements = tuple(
        statement if is_plain_fact(statement) else rewrite(statement, resolver.resolved)
        for statement in program.statements
    )
    return Program(statements, program.sources)


def _check_tick_statements(program: Program, diagnostics: Diagnostics) -> None:
    ticks = list(program.every(Tick))
    constants = constant_values(program)
    for tick in ticks[1:]:
        diagnostics.error(tick.location, "the tick length is given twice", "keep one #tick")
    for tick in ticks:
        size = integer_value(tick.duration.size, constants)
        if size is None or size < 1:
            diagnostics.error(tick.duration.location, "a tick's length must be a positive integer")
        if not tick.duration.unit:
            diagnostics.error(
                tick.duration.location,
                "a tick's length needs a unit",
                f"write for instance #tick 1 sec. (units are {', '.join(MICROSECONDS)})",
            )


class _Resolver:
    def __init__(self, program: Program, diagnostics: Diagnostics) -> None:
        self._constants = constant_values(program)
        self._tick_length = tick_length(program)
        self._may_lack_tick = len(diagnostics) > 0  # #tick may be what has a mistake
        self._diagnostics = diagnostics

    def resolved(self, node: Node) -> Node:
        """A window in ticks; any other node as it is."""
        match node:
            case SlidingWindow(duration):
                return dataclasses.replace(node, duration=self._duration(duration))
            case HoppingWindow(duration, step):
                every = self._positive(self._duration(step), "the step of a hopping window")
                size = self._duration(duration)
                if _number(every.size) > _number(size.size) + 1 and not size.unit:
                    self._diagnostics.warning(
                        node.location,
                        "the step is longer than the window, so some ticks are never looked at",
                        f"a window of size {_number(size.size)} has {_number(size.size) + 1} ticks",
                    )
                return dataclasses.replace(node, duration=size, step=every)
            case TumblingWindow(duration):
                block = self._positive(self._duration(duration), "the block of a tumbling window")
                return dataclasses.replace(node, duration=block)
            case TupleWindow(size):
                number = Number(self._natural(size, "a window's size"), location=size.location)
                if number.value == 0:
                    self._diagnostics.error(
                        size.location,
                        "a tuple window has no arrivals",
                        "[1 #] is the smallest: the last arrival",
                    )
                return dataclasses.replace(node, size=number)
            case OffsetWindow(offsets):
                numbers = tuple(
                    Number(self._natural(offset, "an offset"), location=offset.location) for offset in offsets
                )
                return dataclasses.replace(node, offsets=numbers)
            case _:
                if isinstance(node, StreamingAtom):
                    self._check_group(node)
                return node

    def _check_group(self, streaming: StreamingAtom) -> None:
        if isinstance(streaming, AtTick) and streaming.window is None:
            return
        if isinstance(streaming.window, TupleWindow):
            for variable in streaming.window.group:
                if variable not in streaming.atom.arguments:
                    self._diagnostics.error(
                        variable.location,
                        f"{variable.name} is no argument of {streaming.atom.name}",
                        "a window by X has the last arrivals for each value of the argument X",
                    )

    def _positive(self, duration: Duration, what: str) -> Duration:
        if _number(duration.size) == 0:
            self._diagnostics.error(duration.location, f"{what} has no ticks", "choose 1 or more")
            return dataclasses.replace(duration, size=Number(1))
        return duration

    def _duration(self, duration: Duration) -> Duration:
        size = self._natural(duration.size, "a window's size")
        if duration.unit and self._tick_length is None and not self._may_lack_tick:
            self._diagnostics.error(
                duration.location,
                "a window with a time unit needs the length of a tick",
                "add for instance #tick 1 sec. to the program",
            )
        elif duration.unit and self._tick_length:
            ticks = Fraction(size * MICROSECONDS[duration.unit], self._tick_length)
            if ticks.denominator != 1:
                self._diagnostics.error(
                    duration.location,
                    f"{size} {duration.unit} is no whole number of ticks",
                    "choose a multiple of the length that #tick gives, or a shorter tick",
                )
            size = min(int(ticks), LARGEST_INTEGER)  # no timeline is longer
        return Duration(Number(size, location=duration.size.location), location=duration.location)

    def _natural(self, term: Term, what: str) -> int:
        value = integer_value(term, self._constants)
        if value is None:
            if has_interval(term):
                hint = "write the numbers out: {1,2,3}"
            elif varies(term):
                hint = "it is the same at every tick and cannot depend on variables or @-calls"
            else:
                hint = "constants in it need a value: #const n = 5. in the program, or -c n=5"
            self._diagnostics.error(term.location, f"{what} must be an integer", hint)
        elif value < 0:
            self._diagnostics.error(term.location, f"{what} cannot be negative")
        return max(0, value or 0)

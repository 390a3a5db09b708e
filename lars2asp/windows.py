"""Windows in ticks, and the pass that brings a program's windows there.

A window selects a set of ticks T(W,t) for the current tick t, clipped at the start of the timeline
(Beck, Dao-Tran, Eiter 2018, definitions 4 and 5).
"""

import dataclasses
from dataclasses import dataclass
from fractions import Fraction

from lars2asp.constants import constant_values, integer_value
from lars2asp.diagnostics import Diagnostics
from lars2asp.syntax import (
    LARGEST_INTEGER,
    AtTick,
    Box,
    Diamond,
    Duration,
    Literal,
    Number,
    Program,
    Rule,
    SlidingWindow,
    Statement,
    Term,
    Tick,
    Window,
)
from lars2asp.traversal import map_literals

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


TickWindow = Sliding | Offsets | Fixed | Unbounded


def tick_window(window: Window) -> Sliding | Offsets:
    """The ticks of a window that `resolve_windows` has brought to plain numbers."""
    if isinstance(window, SlidingWindow):
        return Sliding(_number(window.duration.size))
    return Offsets(tuple(sorted({_number(offset) for offset in window.offsets})))


def _number(term: Term) -> int:
    if not isinstance(term, Number):
        raise TypeError("the window is not resolved")
    return term.value


# --- the pass -------------------------------------------------------------------------------------


def tick_length(program: Program) -> int | None:
    """The length of a tick in microseconds, None without a (valid) `#tick`."""
    constants = constant_values(program)
    for statement in program.statements:
        if isinstance(statement, Tick):
            size = integer_value(statement.duration.size, constants)
            if size is not None and size > 0 and statement.duration.unit:
                return size * MICROSECONDS[statement.duration.unit]
    return None


def resolve_windows(program: Program, diagnostics: Diagnostics) -> Program:
    """Brings all windows to ticks, as plain numbers.

    Reported: sizes that are no natural number, units without `#tick`, sizes that are no whole number of
    ticks, and what is wrong with `#tick` itself.
    """
    _check_tick_statements(program, diagnostics)
    resolver = _Resolver(program, diagnostics)
    return Program(tuple(map(resolver.statement, program.statements)), program.sources)


def _check_tick_statements(program: Program, diagnostics: Diagnostics) -> None:
    ticks = [statement for statement in program.statements if isinstance(statement, Tick)]
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

    def statement(self, statement: Statement) -> Statement:
        if isinstance(statement, Rule):
            return dataclasses.replace(statement, body=map_literals(statement.body, self._literal))
        return statement

    def _literal(self, literal: Literal) -> Literal:
        atom = literal.atom
        if isinstance(atom, Diamond | Box):
            return dataclasses.replace(
                literal, atom=dataclasses.replace(atom, window=self._window(atom.window))
            )
        if isinstance(atom, AtTick) and atom.window is not None:
            return dataclasses.replace(
                literal, atom=dataclasses.replace(atom, window=self._window(atom.window))
            )
        return literal

    def _window(self, window: Window) -> Window:
        if isinstance(window, SlidingWindow):
            return dataclasses.replace(window, duration=self._duration(window.duration))
        offsets = tuple(
            Number(self._natural(offset, "an offset"), location=offset.location) for offset in window.offsets
        )
        return dataclasses.replace(window, offsets=offsets)

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
            self._diagnostics.error(
                term.location,
                f"{what} must be an integer",
                "constants in it need a value: #const n = 5. in the program, or -c n=5",
            )
        elif value < 0:
            self._diagnostics.error(term.location, f"{what} cannot be negative")
        return max(0, value or 0)

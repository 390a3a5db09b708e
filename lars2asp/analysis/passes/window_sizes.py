"""The pass that brings windows, and the times for which facts are held, to ticks, as plain numbers."""

import dataclasses
from collections.abc import Sequence
from functools import partial
from math import gcd
from typing import Any

from lars2asp.analysis.arithmetic.constants import has_call, has_interval, integer_value, varies
from lars2asp.analysis.clock_blocks import MOST_DAYS, PARTS_OF_DAYS
from lars2asp.analysis.declared_time import MICROSECONDS, declared_clock, declared_moments, tick_length
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.analysis.tick_moments import DAY, HOUR, LARGEST_TICK
from lars2asp.analysis.windows import resolved_number, span_window
from lars2asp.analysis.zone_changes import SINCE_1980, changes_of, offsets_of
from lars2asp.syntax import codes, nodes
from lars2asp.syntax.advice.foreign_units import in_largest_unit
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import LARGEST_INTEGER, Node, Program, StreamingAtom, Term
from lars2asp.syntax.time_units import TICK
from lars2asp.syntax.traversal import every, rewrite


def resolve_windows(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> Program:
    """The program with all windows in ticks, and with the times of `#held`.

    Reported: sizes that are not natural numbers, units without `#tick`, sizes that are not a whole number of
    ticks, weeks, months and years without a zone.
    """
    resolver = _Resolver(analysis, diagnostics)
    return analysis.program.rewritten(lambda statement: [rewrite(statement, resolver.resolved)])


MOST_OFFSETS = 1000
"""The number of ticks of a range among other offsets. A range alone has any number of them."""

_WITHOUT_END = ("unbounded", "inf", "infinite", "infinity", "all", "forever", "ever")


def _is_without_end(term: Term) -> bool:
    """Whether somebody means a window without end."""
    return (
        term == nodes.Extremum("#sup")
        or term == nodes.Extremum("#inf")
        or (isinstance(term, nodes.Function) and not term.arguments and term.name in _WITHOUT_END)
    )


def _first_counted(program: Program) -> int:
    """The tick that begins in 1970, or first after that, if the origin was found in the input; else 0."""
    moments = declared_moments(program)
    if moments is None or not any(one.is_found for one in program.every(nodes.Origin)):
        return 0
    return moments.first_from(0)


class _Resolver:
    def __init__(self, analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
        self._analysis = analysis
        self._constants = analysis.constants
        self._tick_length = tick_length(analysis.program)
        self._clock = declared_clock(analysis.program)
        self._counted_from = _first_counted(analysis.program)
        self._may_lack_tick = diagnostics.has_errors  # #tick may be what has a mistake
        self._diagnostics = diagnostics

    def resolved(self, node: Node) -> Node:
        """A window in ticks; any other node as it is."""
        match node:
            case nodes.TupleWindow(size):
                before = len(self._diagnostics.found)
                number = self._natural(size, "a window's size")
                if number.value == 0 and len(self._diagnostics.found) == before:
                    self._diagnostics.error(
                        size.location,
                        "a tuple window needs at least one arrival",
                        "for the last arrival, write [1 #]",
                        code=codes.WINDOW_SIZE,
                    )
                return dataclasses.replace(node, size=number)
            case nodes.OffsetWindow((nodes.OffsetRange(nearest, furthest),)):
                ends = (nodes.Duration(end, location=end.location) for end in (nearest, furthest))
                return self.resolved(nodes.LaggedWindow(*ends, location=node.location))
            case nodes.OffsetWindow(offsets):
                numbers = tuple(number for offset in offsets for number in self._offsets(offset))
                return dataclasses.replace(node, offsets=numbers)
            case nodes.SinceWindow():
                return self._since(node)
            case nodes.Held():
                of = partial(self._duration, what="#held", size="the time until facts expire")
                return rewrite(node, of)
            case _:
                if isinstance(node, nodes.DurationWindow):
                    before = len(self._diagnostics.found)
                    window = self._counted(rewrite(self._by_the_clock(node), self._duration))
                    is_known = len(self._diagnostics.found) == before
                    return self._without_faults(window, tells=is_known)
                if isinstance(node, StreamingAtom):
                    self._check_group(node)
                    self._check_since(node)
                return node

    def _since(self, window: nodes.SinceWindow) -> nodes.SinceWindow:
        """`[since b]` with values in place of constants in b."""
        analysis = self._analysis

        def valued(node: Node) -> Node:
            is_name = isinstance(node, nodes.Function) and not node.arguments and not node.is_external
            return analysis.constant_terms.get(node.name, node) if is_name else node  # type: ignore[attr-defined]

        return dataclasses.replace(window, atom=rewrite(window.atom, valued))

    def _check_since(self, streaming: StreamingAtom) -> None:
        """Reports what `[since b]` cannot mean."""
        window = streaming.window
        if not isinstance(window, nodes.SinceWindow):
            return
        word = "after" if window.is_after else "since"
        for argument in window.atom.arguments:
            inner = next(every(nodes.Variable, argument), None)
            if isinstance(argument, nodes.Variable):
                if not argument.is_anonymous and argument not in streaming.atom.arguments:
                    self._diagnostics.error(
                        argument.location,
                        f"{argument.name} is not an argument of {streaming.atom.name}",
                        f"use only variables of the atom before [{word} b], or first derive a predicate "
                        "with all of them",
                        code=codes.SINCE_ARGUMENT,
                    )
            elif inner is not None or has_interval(argument) or has_call(argument):
                self._diagnostics.error(
                    argument.location,
                    f"an argument of b in [{word} b] must be a variable, `_` or a value",
                    "write a rule for it: begun(X) :- b(f(X)). and then [since begun(X)]",
                    code=codes.SINCE_ARGUMENT,
                )
        for atom, other in ((streaming.atom, "this window"), (window.atom, "`since`")):
            if atom.signature in self._analysis.placed:
                place = next(
                    head.atom.location
                    for _, head in self._analysis.heads
                    if head.tick is not None and head.atom.signature == atom.signature
                )
                self._diagnostics.error(
                    atom.location,
                    f"{other} does not see {atom.name}, because a head places it at other ticks "
                    f"(line {place.line})",
                    "use a predicate that rules derive at the current tick",
                    code=codes.PLACED_IN_SINCE,
                )

    def _by_the_clock(self, window: nodes.DurationWindow) -> nodes.DurationWindow:
        """A window whose steps or blocks are by the clock of the zone, if it has one."""
        block = nodes.block_of(window)
        if block is None or (block.unit == "day" and self._clock is None):
            return window
        if block.unit not in MOST_DAYS and not self._divides_a_day(block):
            return window
        fault = hint = ""
        if self._clock is None:
            fault = f"a {block.unit} needs {'a zone' if self._tick_length else '#tick, and a zone'}"
            hint = 'add for example #timezone "Europe/Vienna".'
            hint += " or write 7 day" if block.unit == "week" else ""
        elif self._clock.tick_length > MICROSECONDS["day"]:
            fault = "ticks are longer than a day, too long for windows of days"
            hint = "use a shorter #tick, or hours of elapsed time: [every 72 hour]"
        if fault and not self._may_lack_tick:
            self._diagnostics.error(block.location, fault, hint, code=codes.WINDOW_WITHOUT_ZONE)
        clock = self._clock or nodes.Clock(MICROSECONDS["hour"], 0, "UTC")
        if not fault and not clock.counts_days and self._clock is not None:
            self._check_borders(window, block)
        timed = dataclasses.replace(block, clock=clock)
        field = "step" if isinstance(window, nodes.HoppingWindow) else "duration"
        changes: dict[str, Any] = {field: timed}
        return dataclasses.replace(window, **changes)

    def _counted(self, window: nodes.DurationWindow) -> nodes.DurationWindow:
        """A window in ticks, whose blocks or steps are counted from 1970 where the input gave the origin."""
        block = nodes.block_of(window)
        if block is None or block.clock is not None or not self._counted_from:
            return window
        step, base = resolved_number(block.size), getattr(window, "base", None)
        begin = 0 if base is None else resolved_number(base.size)
        phase = (begin + self._counted_from) % (step or 1)
        if phase == begin % (step or 1):
            return window
        changes: dict[str, Any] = {"base": nodes.Duration(nodes.Number(phase), location=block.location)}
        return dataclasses.replace(window, **changes)

    def _divides_a_day(self, block: nodes.Duration) -> bool:
        """Whether a block is a part of a day by the clock; warns of hours that are elapsed time."""
        clock, size = self._clock, integer_value(block.size, self._constants)
        if clock is None or clock.counts_days or block.unit not in PARTS_OF_DAYS or not size or size < 0:
            return False
        length = size * PARTS_OF_DAYS[block.unit]
        offsets = offsets_of(clock.zone)
        if length >= DAY or DAY % length:
            if offsets != {0} and length > HOUR and clock.tick_length < DAY:
                day = f"{length // DAY} day" if length % DAY == 0 else ""
                self._diagnostics.warning(
                    block.location,
                    f"{size} {block.unit} are elapsed time here, and do not follow the clock of {clock.zone}",
                    f"to follow the clock, write {day}"
                    if day
                    else "to follow the clock, use a part of a day such as 6 hour",
                    code=codes.ELAPSED_TIME,
                )
            return False
        moments = (one.moment - clock.begin for one in changes_of(clock.zone))
        is_same = clock.begin >= 0 and not any(one % length for one in (*offsets, clock.begin, *moments))
        return not (is_same and (length <= HOUR or offsets == {0}))

    def _check_borders(self, window: nodes.DurationWindow, block: nodes.Duration) -> None:
        """Reports borders between blocks that lie within a tick."""
        clock, base = self._clock, getattr(window, "base", None)
        if clock is None:
            return
        length = integer_value(block.size, self._constants) or 0
        length = length * PARTS_OF_DAYS[block.unit] if block.unit in PARTS_OF_DAYS else DAY
        shift = 0 if base is None else integer_value(base.size, self._constants) or 0
        shift *= MICROSECONDS.get("" if base is None else base.unit, clock.tick_length)
        rests = {
            (shift - one - clock.begin) % clock.tick_length for one in offsets_of(clock.zone, SINCE_1980)
        }
        rest = gcd(clock.tick_length, length, *rests)
        if rest != clock.tick_length:
            self._diagnostics.error(
                block.location,
                f"by the clock of {clock.zone}, this window would begin within a tick",
                f"use a shorter tick, such as #tick {in_largest_unit(rest // 1000)}.",
                code=codes.BORDER_WITHIN_TICK,
            )

    def _without_faults(self, window: nodes.DurationWindow, *, tells: bool) -> nodes.DurationWindow:
        """A window in ticks, with other sizes where it has faults, which are reported if sizes are known."""
        for fault in span_window(window).faults():
            if fault.field:
                size: nodes.Duration = getattr(window, fault.field)
                if tells:
                    self._diagnostics.error(size.location, fault.message, fault.hint, code=codes.WINDOW_SIZE)
                instead = dataclasses.replace(size, size=nodes.Number(fault.instead))
                changes: dict[str, Any] = {fault.field: instead}
                window = dataclasses.replace(window, **changes)
            elif tells:
                self._diagnostics.warning(window.location, fault.message, fault.hint, code=codes.LONG_STEP)
        return window

    def _offsets(self, offset: Term | nodes.OffsetRange) -> Sequence[nodes.Number]:
        """The ticks of an offset: of `1..3` all three."""
        match offset:
            case nodes.OffsetRange(nearest, furthest):
                first, last = self._natural(nearest, "an offset"), self._natural(furthest, "an offset")
                if last.value < first.value:
                    hint = "write the smaller offset first, as in {1..5}"
                    self._diagnostics.error(
                        offset.location, "this range is empty", hint, code=codes.WINDOW_SIZE
                    )
                elif last.value - first.value >= MOST_OFFSETS:
                    window = f"[{first.value}..{last.value}]"
                    self._diagnostics.error(
                        offset.location,
                        f"this range contains more than {MOST_OFFSETS} offsets",
                        f"write {window} instead: it may have any length",
                        code=codes.WINDOW_SIZE,
                    )
                    return [first]
                numbers = range(first.value, last.value + 1) or [first.value]
                return [nodes.Number(number, location=offset.location) for number in numbers]
            case _:
                return [self._natural(offset, "an offset")]

    def _check_group(self, streaming: StreamingAtom) -> None:
        if isinstance(streaming, nodes.AtTick) and streaming.window is None:
            return
        if isinstance(streaming.window, nodes.TupleWindow):
            for variable in streaming.window.group:
                if variable not in streaming.atom.arguments:
                    self._diagnostics.error(
                        variable.location,
                        f"{variable.name} is not an argument of {streaming.atom.name}",
                        "after `by`, name an argument of the atom",
                        code=codes.GROUP_NOT_AN_ARGUMENT,
                    )

    def _duration(self, duration: Node, what: str = "a window", size: str = "a window's size") -> Node:
        """A duration in ticks; any other node as it is."""
        if not isinstance(duration, nodes.Duration):
            return duration
        number = self._natural(duration.size, size).value
        if duration.clock is not None:
            return dataclasses.replace(duration, size=nodes.Number(number, location=duration.size.location))
        unit = "" if duration.unit == TICK else duration.unit
        if unit and self._tick_length is None and not self._may_lack_tick:
            self._diagnostics.error(
                duration.location,
                f"{what} with a time unit needs the length of a tick",
                "add for example #tick 1 sec. to the program",
                is_shared=True,
                code=codes.UNIT_WITHOUT_TICK,
            )
        elif unit and self._tick_length:
            ticks, rest = divmod(number * MICROSECONDS[unit], self._tick_length)
            if rest:
                self._diagnostics.error(
                    duration.location,
                    f"{number} {unit} is not a whole number of ticks",
                    "use a multiple of #tick, or a shorter #tick",
                    code=codes.PARTIAL_TICK,
                )
            number = min(ticks, LARGEST_TICK)  # no timeline is longer
        return nodes.Duration(
            nodes.Number(number, location=duration.size.location),
            taken=duration.taken,
            location=duration.location,
        )

    def _natural(self, term: Term, what: str) -> nodes.Number:
        value = integer_value(term, self._constants)
        if value is None:
            if _is_without_end(term):
                hint = (
                    "for any tick so far, write `at _` or `at T` in place of `in [...]`; "
                    f"for all ticks so far, always in [{LARGEST_INTEGER}]"
                )
            elif has_interval(term):
                hint = "write the interval of ticks alone: [1..5] or {1..5}"
            elif isinstance(term, nodes.String):
                hint = "write it without quotes"
            elif varies(term):
                hint = "write a number or a constant, without variables and @-calls"
            else:
                hint = "give the constant a value: #const n = 5. in the program, or -c n=5"
            self._diagnostics.error(term.location, f"{what} must be an integer", hint, code=codes.WINDOW_SIZE)
        elif value < 0:
            self._diagnostics.error(term.location, f"{what} cannot be negative", code=codes.WINDOW_SIZE)
        size = min(max(0, value or 0), LARGEST_TICK)  # no timeline is longer
        return nodes.Number(size, location=term.location)

"""The answers to lookups over many ticks: when rows are in windows, by when they hold."""

from collections.abc import Callable, Sequence
from itertools import chain, pairwise, repeat
from operator import lt, sub

from lars2asp.analysis.window_edges import FOR_EVER, Edges, SlidingEdges
from lars2asp.analysis.windows import LastArrivals, Offsets, SpanWindow
from lars2asp.externals.terms.terms import Row
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.runtime.evaluators.blocks.held_rows import HeldRows, RowsOnce, Runs, merged, pairs, settle
from lars2asp.runtime.evaluators.blocks.points import Points, RowTicks, runs_of
from lars2asp.runtime.evaluators.blocks.swept_groups import Groups, Segments, counts, weights

NOW = LookupKind.NOW, LookupKind.INPUT
OF_POINTS = LookupKind.AT, LookupKind.LEAST, LookupKind.COUNT
"""Lookups whose answers are worked out tick by tick: for predicates that hold at single ticks."""


def refused(lookup: Lookup) -> str | None:
    """Why the answers to a lookup cannot be had over many ticks; None where they can."""
    kind, window = lookup.kind, lookup.window
    if kind in NOW and window is None:
        return None
    match window:
        case SpanWindow() if kind in (LookupKind.IN, LookupKind.ALWAYS, *OF_POINTS):
            return None
        case Offsets() if kind is LookupKind.IN:
            return None
        case LastArrivals(_, signature, group, ()) if kind in (LookupKind.IN, LookupKind.AT):
            if group or signature == lookup.signature:
                return None
    return lookup.title


def projects_first(lookup: Lookup, *, is_projection: bool) -> bool:
    """Whether rows may be taken apart before the window of a lookup is looked at.

    Args:
        lookup: the lookup; its answers are rows as they are.
        is_projection: whether several rows may become one.
    """
    if isinstance(lookup.window, LastArrivals):
        return False
    each_by_itself = lookup.kind in (LookupKind.ALWAYS, LookupKind.LEAST) and not is_projection
    return lookup.kind in (LookupKind.IN, *NOW) or each_by_itself


def answers(lookup: Lookup, held: HeldRows, start: int, *, complete: bool) -> HeldRows:
    """When the rows of an answer are in it; not for windows over arrivals.

    Args:
        lookup: the lookup.
        held: when the rows of its predicate hold.
        start: the first tick of the timeline.
        complete: whether boxes need windows that lie wholly on it.
    """
    match lookup.window:
        case None:
            return held
        case Offsets() as window:
            edges = [SlidingEdges(start, *stretch) for stretch in window.stretches]
            return _each(held, lambda runs: merged([tick for one in edges for tick in _inside(runs, one)]))
        case SpanWindow() as window:
            return _over_spans(lookup, held, window.edges(start), start, complete=complete)
        case window:
            raise ValueError(f"{window} is no window of ticks")


def answers_of_points(lookup: Lookup, ticks: RowTicks, start: int, *, complete: bool) -> HeldRows:
    """The same for rows that hold at single ticks."""
    if isinstance(lookup.window, SpanWindow):
        edges = lookup.window.edges(start)
        if lookup.kind in OF_POINTS:
            return _at_points(lookup, ticks, edges)
        if lookup.kind is LookupKind.IN:
            if isinstance(edges, SlidingEdges) and edges.first is not None:
                return _sliding_points(ticks, edges.last, edges.first + 1)
            return _points_inside(ticks, edges)
    held = {row: runs_of(some) for row, some in ticks.items()}
    return answers(lookup, held, start, complete=complete)


def span_of_each(lookup: Lookup, start: int) -> tuple[int, int] | None:
    """How many ticks behind its own a row begins and ends to be in an answer; None where these vary."""
    match lookup.window:
        case None:
            return 0, 1
        case SpanWindow() as window if lookup.kind is LookupKind.IN:
            edges = window.edges(start)
            if isinstance(edges, SlidingEdges) and edges.first is not None:
                return edges.last, edges.first + 1
    return None


def answers_once(points: Points, span: tuple[int, int]) -> RowsOnce:
    """The answer to a lookup with such a span, where each row holds at one tick."""
    last, after = span
    ticks = points.ticks
    return RowsOnce(points.rows, [tick + last for tick in ticks], [tick + after for tick in ticks])


def _over_spans(lookup: Lookup, held: HeldRows, edges: Edges, start: int, *, complete: bool) -> HeldRows:
    match lookup.kind:
        case LookupKind.IN:
            if isinstance(edges, SlidingEdges) and edges.first is not None:
                return _sliding(held, edges.last, edges.first)
            return _each(held, lambda runs: _inside(runs, edges))
        case LookupKind.ALWAYS:
            return _each(held, lambda runs: _throughout(runs, edges, start, complete=complete))
        case _:
            return _at_points(lookup, ticks_of(held), edges)


def _at_points(lookup: Lookup, ticks: RowTicks, edges: Edges) -> HeldRows:
    match lookup.kind:
        case LookupKind.LEAST:
            least = lookup.least or 1
            return {row: runs for row, some in ticks.items() if (runs := _at_least(some, least, edges))}
        case LookupKind.AT if isinstance(edges, SlidingEdges) and edges.first is not None:
            last, after = edges.last, edges.first + 1
            return {(*row, tick): [tick + last, tick + after] for row, some in ticks.items() for tick in some}
        case LookupKind.AT:
            when_last, when_first = edges.when_last, edges.when_first
            return {
                (*row, tick): [first, after]
                for row, some in ticks.items()
                for tick in some
                if (first := when_last(tick)) < (after := when_first(tick))  # some windows leap over ticks
            }
        case _:
            numbers: HeldRows = {}
            for row, some in ticks.items():
                for begin, end, number in zip(*_numbers(some, edges), strict=True):
                    numbers.setdefault((*row, number), []).extend((begin, end))
            settle(numbers)
            return numbers


def _sliding_points(ticks: RowTicks, last: int, after: int) -> HeldRows:
    """When some of these ticks is in a window: from `last` ticks later on, before `after`."""
    found: HeldRows = {}
    lapse = after - last
    for row, some in ticks.items():
        first = some[0]
        if len(some) == 1:
            found[row] = [first + last, first + after]
            continue
        runs = found[row] = [first + last]
        for before, tick in pairwise(some):
            if tick - before > lapse:
                runs += (before + after, tick + last)
        runs.append(some[-1] + after)
    return found


def _points_inside(ticks: RowTicks, edges: Edges) -> HeldRows:
    """When some of these ticks is in a window; many rows hold at one tick."""
    found: HeldRows = {}
    known = {
        tick: (edges.when_last(tick), edges.when_first(tick))
        for tick in {*chain.from_iterable(ticks.values())}
    }
    for row, some in ticks.items():
        begin, end = known[some[0]]
        if len(some) == 1:
            if begin < end:
                found[row] = [begin, end]
            continue
        runs: Runs = []
        for tick in some:
            begin, end = known[tick]
            if runs and begin <= runs[-1]:
                runs[-1] = max(end, runs[-1])
            elif begin < end:
                runs += (begin, end)
        if runs:
            found[row] = runs
    return found


def _sliding(held: HeldRows, last: int, first: int) -> HeldRows:
    """When some tick of intervals is in a window from `first` ticks ago to `last` ticks ago."""
    found: HeldRows = {}
    lapse = first - last
    for row, runs in held.items():
        if len(runs) == 2:
            found[row] = [runs[0] + last, runs[1] + first]
            continue
        # the window has one of two intervals all the time if the gap between them is no longer than it
        before, after = runs[1:-1:2], runs[2::2]
        here = [runs[0] + last]
        if max(map(sub, after, before)) > lapse:
            for end, begin in zip(before, after, strict=True):
                if begin - end > lapse:
                    here += (end + first, begin + last)
        here.append(runs[-1] + first)
        found[row] = here
    return found


def _each(held: HeldRows, of: Callable[[Runs], Runs]) -> HeldRows:
    return {row: found for row, runs in held.items() if (found := of(runs))}


def ticks_of(held: HeldRows) -> RowTicks:
    """The ticks at which rows hold."""
    return {row: _ticks_of(runs) for row, runs in held.items()}


def _ticks_of(runs: Runs) -> list[int]:
    begins = runs[::2]
    if sum(runs) == 2 * sum(begins) + len(begins):  # each is one tick
        return begins
    return [tick for begin, end in pairs(runs) for tick in range(begin, end)]


def _inside(runs: Runs, edges: Edges) -> Runs:
    """When some tick of intervals is in a window."""
    when_last, when_first = edges.when_last, edges.when_first
    found: Runs = []
    for begin, end in pairs(runs):
        first, last = when_last(begin), when_first(end - 1)
        if found and first <= found[-1]:
            found[-1] = max(last, found[-1])
        elif first < last:
            found += (first, last)
    return found


def _throughout(runs: Runs, edges: Edges, start: int, *, complete: bool) -> Runs:
    """When a window has ticks, and all of them are in one of the intervals."""
    least = edges.when_last(start)
    if complete and edges.when_whole is not None:
        least = max(least, edges.when_whole)
    found: Runs = []
    for begin, end in pairs(runs):
        first = least if begin <= start else max(least, edges.when_first(begin - 1), edges.when_last(begin))
        last = edges.when_last(end)
        if first < last:
            found += (first, last)
    return found


def _at_least(ticks: Sequence[int], least: int, edges: Edges) -> Runs:
    """When a window has so many of some ticks."""
    found: Runs = []
    for first, last in zip(ticks, ticks[least - 1 :], strict=False):
        begin, end = edges.when_last(last), edges.when_first(first)
        if begin < end:
            if found and begin <= found[-1]:
                found[-1] = end
            else:
                found += (begin, end)
    return found


def _numbers(ticks: Sequence[int], edges: Edges, least: int = 1) -> Segments:
    """How many of some ticks a window has, and from when to when; less than `least` are left out.

    Args:
        ticks: they ascend; several may be the same.
        edges: those of the window.
        least: a number.
    """
    return counts(*_when_within(ticks, edges)[:2], least)


def _when_within(ticks: Sequence[int], edges: Edges) -> tuple[list[int], list[int], bool]:
    """The first ticks at which a window has some ticks, and those after the last ones.

    And whether these are of all ticks: a window with leaps may never have one.
    """
    if isinstance(edges, SlidingEdges):
        last, first = edges.last, edges.first
        if first is None:
            return [tick + last for tick in ticks], [FOR_EVER] * len(ticks), True
        after = first + 1
        return [tick + last for tick in ticks], [tick + after for tick in ticks], True
    begins, ends = [*map(edges.when_last, ticks)], [*map(edges.when_first, ticks)]
    if all(map(lt, begins, ends)):
        return begins, ends, True
    some = [(begin, end) for begin, end in zip(begins, ends, strict=True) if begin < end]
    return [begin for begin, _ in some], [end for _, end in some], False


def sums_over_ticks(
    lookup: Lookup, ticks: RowTicks, start: int, size: int, *, has_weights: bool, least: int = 1
) -> Groups | None:
    """How many rows and ticks a window has from when to when, by the first values of rows: for the kind AT.

    Args:
        lookup: the lookup.
        ticks: when the rows of its predicate hold.
        start: the first tick of the timeline.
        size: the number of these values.
        has_weights: whether the sums of the values behind these are asked for.
        least: less than so many rows and ticks may be left out, as nothing was there.

    Returns:
        None where these are no numbers, or there are none.
    """
    assert isinstance(lookup.window, SpanWindow)
    edges = lookup.window.edges(start)
    if not has_weights:
        found = {group: _numbers(some, edges, least) for group, some in _ticks_by_group(ticks, size).items()}
        return {group: segments for group, segments in found.items() if segments[0]}
    by_group: dict[Row, list[tuple[int, int]]] = {}
    for row, some in ticks.items():
        weight = row[size] if len(row) > size else None
        if type(weight) is not int:
            return None
        weighted = by_group.setdefault(row[:size], [])
        weighted += zip(some, repeat(weight))
    return {group: _sums(some, edges) for group, some in by_group.items()}


def _ticks_by_group(ticks: RowTicks, size: int) -> RowTicks:
    """The ticks of rows by their first values, as often as there are rows."""
    if all(len(row) == size for row in ticks):
        return ticks
    found: RowTicks = {}
    for row, some in ticks.items():
        group = row[:size]
        others = found.get(group)
        if others is None:
            found[group] = [*some]
        else:
            others += some
    for some in found.values():
        some.sort()
    return found


def _sums(weighted: list[tuple[int, int]], edges: Edges) -> Segments:
    """The sums of the weights of the ticks that a window has, where they are not 0."""
    weighted.sort()
    ticks = [tick for tick, _ in weighted]
    begins, ends, are_all = _when_within(ticks, edges)
    if not are_all:
        weighted = [one for one in weighted if edges.when_last(one[0]) < edges.when_first(one[0])]
    return weights(begins, ends, [weight for _, weight in weighted])


Arrived = dict[Row, list[tuple[int, Row]]]
"""By groups: the tick and the row of arrivals, in their order."""


def last_arrivals(arrived: Arrived, size: int, end: int, *, with_ticks: bool = False) -> HeldRows:
    """When rows are among the last arrivals of their group, before a tick.

    Args:
        arrived: the arrivals.
        size: so many are the last ones.
        end: the tick.
        with_ticks: whether rows have the ticks at which they arrived behind their values.
    """
    found: HeldRows = {}
    for some in arrived.values():
        ends = [tick for tick, _ in some[size:]]
        ends += [end] * (len(some) - len(ends))
        if with_ticks:  # no two are equal
            found.update(
                ((*row, begin), [begin, last])
                for (begin, row), last in zip(some, ends, strict=True)
                if begin < last
            )
            continue
        for (begin, row), last in zip(some, ends, strict=True):
            if begin < last:
                runs = found.get(row)
                if runs is None:
                    found[row] = [begin, last]
                elif begin <= runs[-1]:
                    runs[-1] = max(runs[-1], last)
                else:
                    runs += (begin, last)
    return found

"""Rows by their ranks: when so many others of their group stand before them, without a look at all pairs."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence
from operator import gt
from typing import Any

from lars2asp.externals.terms.ground_terms import ground_value
from lars2asp.externals.terms.order import ranked
from lars2asp.externals.terms.terms import Row, Value
from lars2asp.runtime.evaluators.blocks.held_rows import HeldRows, Runs, pairs, values_at
from lars2asp.runtime.evaluators.delta.rules.aggregates import Bounded
from lars2asp.runtime.evaluators.delta.rules.bodies import Member, Shape, Test
from lars2asp.syntax.nodes import MIRRORED, Term, Tuple, Variable
from lars2asp.syntax.values import dataclass

Places = tuple[int, ...]

_MORE_THAN_BOUNDS = {(">=", False): 0, (">", False): 1, ("<", True): 0, ("<=", True): 1}
"""By a comparison, and whether empty groups meet it: what the number is above the bound, at least."""


@dataclass(frozen=True)
class Ranking:
    """Bounds of a count of the rows before a row.

        top(S,I) :- total(S,I,N), #count { J : total(S,J,M), (M,J) > (N,I) } < 10.

    Here `counted` is the second total/3, and `asked` the first one.

    Attributes:
        counted: the rows that are counted.
        asked: the rows before which they are counted.
        least: the number that groups of `Bounded` reach.
        counted_group: the places of counted rows that have the same values in asked ones.
        asked_group: where these have them.
        counted_order: the places of counted rows that are compared.
        asked_order: with which places of asked ones.
        is_descending: whether greater rows come before others.
        is_strict: whether equal rows do not.
        told_apart: the places of counted rows that keep what is counted apart, with those of the group; None
            where all rows are kept apart, or one is enough.
        row: the places of asked rows that make the groups of the aggregate.
    """

    counted: Shape
    asked: Shape
    least: int
    counted_group: Places
    asked_group: Places
    counted_order: Places
    asked_order: Places
    is_descending: bool
    is_strict: bool
    told_apart: Places | None
    row: Places

    @property
    def is_of_one(self) -> bool:
        """Whether rows are counted before rows of the same relation, and compared by the same values."""
        one = self.counted, self.counted_group, self.counted_order
        return one == (self.asked, self.asked_group, self.asked_order)


def ranking(bounded: Bounded) -> Ranking | None:
    """What bounds say of ranks; None where that is not what they say.

    There is one count, of one element. Besides the atom whose rows are counted, there stands one comparison
    in it, `<`, `<=`, `>` or `>=`, of values of such a row with as many of another one, one by one or as
    tuples. All that the element takes from the rest of the rule are values of that other row. What is counted
    are variables. The bound is one, and a number that a count reaches or not.
    """
    least, aggregate = _least(bounded), bounded.aggregate
    if least is None or aggregate.function != "#count" or len(aggregate.elements) != 1:
        return None
    [element] = aggregate.elements
    parts = element.body.parts
    members = [one for one in parts if isinstance(one, Member) and not one.is_negative]
    tests = [one for one in parts if isinstance(one, Test) and not one.is_negative]
    if (len(members), len(tests), len(parts)) != (2, 1, 3) or len(tests[0].comparisons) != 1:
        return None
    group, counts = element.terms[: aggregate.size], element.terms[aggregate.size :]
    for asked, counted in (members, members[::-1]):
        found = _ranking(asked, counted, tests[0], group, counts, least)
        if found is not None:
            return found
    return None


def _least(bounded: Bounded) -> int | None:
    """The number that is reached by groups of the relation."""
    if len(bounded.guards) != 1:
        return None
    [(comparison, bound)] = bounded.guards
    if type(bound) is not int:
        return None
    if comparison in ("=", "!=") and bound == 0:
        return 1
    more = _MORE_THAN_BOUNDS.get((comparison, bounded.is_met_by_empty))
    return None if more is None else bound + more


def _ranking(
    asked: Member, counted: Member, test: Test, group: Sequence[Term], counts: Sequence[Term], least: int
) -> Ranking | None:
    if not isinstance(asked.relation, Shape) or not isinstance(counted.relation, Shape):
        return None
    row = _places(group, asked.variables)
    if row is None or {*row} != {*range(len(asked.variables))}:
        return None
    [(left, comparison, right)] = test.comparisons
    if comparison in ("=", "!=") or isinstance(left, Tuple) is not isinstance(right, Tuple):
        return None
    ones, others = _side(left), _side(right)
    if len(ones) != len(others):
        return None
    counted_order, asked_order = _places(ones, counted.variables), _places(others, asked.variables)
    if counted_order is None or asked_order is None:
        comparison = MIRRORED[comparison]
        counted_order, asked_order = _places(others, counted.variables), _places(ones, asked.variables)
    if counted_order is None or asked_order is None:
        return None
    of_counted = [one for one in counts if ground_value(one) is None and one not in group]
    told_apart = _places(of_counted, counted.variables)
    if told_apart is None:
        return None
    shared = [name for name in counted.variables if name in asked.variables]
    counted_group = tuple(map(counted.variables.index, shared))
    known = {*counted_group, *told_apart}
    is_certain = least == 1 or len(known) == len(counted.variables)
    return Ranking(
        counted.relation,
        asked.relation,
        least,
        counted_group,
        tuple(map(asked.variables.index, shared)),
        counted_order,
        asked_order,
        comparison in (">", ">="),
        comparison in ("<", ">"),
        None if is_certain else tuple(sorted(known)),
        row,
    )


def _side(term: Term) -> Sequence[Term]:
    """What a side of a comparison compares one by one."""
    return term.arguments if isinstance(term, Tuple) and term.arguments else (term,)


def _places(terms: Sequence[Term], variables: Sequence[str]) -> Places | None:
    """Where the values of terms stand in rows; None where some do not."""
    names = [one.name for one in terms if isinstance(one, Variable) and one.name in variables]
    return tuple(map(variables.index, names)) if len(names) == len(terms) else None


def reached(
    one: Ranking, counted: Mapping[Row, Runs], asked: Mapping[Row, Runs], low: int, end: int
) -> HeldRows | None:
    """When groups reach the number, from a tick on and before another.

    None where several rows count as one at a time, or numbers are compared with what is none, which is said
    where it is met.
    """
    if one.told_apart is not None and not _is_apart(counted, one.told_apart):
        return None
    sources = [(asked, one.asked_order)]
    if not one.is_of_one:
        sources.append((counted, one.counted_order))
    columns = [
        [row[places[at]] for rows, places in sources for row in rows] for at in range(len(one.asked_order))
    ]
    if len(columns) == 1 and {*map(type, columns[0])} > {int}:
        return None
    codes = _codes(columns, is_descending=one.is_descending)
    found: list[Runs] = [[] for _ in asked]
    groups: dict[Row, list[_Change]] = {}
    width = len(asked) or 1
    values = [code * width + number for number, code in enumerate(codes[: len(asked)])]
    _put(groups, asked, one.asked_group, values, _ASKED | (one.is_of_one and _COUNTED), low, end)
    if not one.is_of_one:
        values = [code * width for code in codes[len(asked) :]]
        _put(groups, counted, one.counted_group, values, _COUNTED, low, end)
    beyond = (max(codes, default=0) + 2) * width
    for changes in groups.values():
        changes.sort()
        _sweep(one, changes, found, beyond)
    return {row: runs for row, runs in zip(values_at(asked, one.row), found, strict=True) if runs}


def _is_apart(held: Mapping[Row, Runs], places: Places) -> bool:
    """Whether rows with the same values at some places never hold at the same time."""
    known: dict[Row, Runs] = {}
    several: dict[Row, Runs] = {}
    for key, runs in zip(values_at(held, places), held.values(), strict=False):
        before = known.setdefault(key, runs)
        if before is not runs:
            several[key] = [*several.get(key, before), *runs]
    return not any(_overlap(runs) for runs in several.values())


def _overlap(runs: Runs) -> bool:
    return any(map(gt, sorted(runs[1::2]), sorted(runs[::2])[1:]))


def _codes(columns: Sequence[Sequence[Value]], *, is_descending: bool) -> list[int]:
    """Numbers for rows of values, which stand in these columns: they ascend with what comes first."""
    keys: Sequence[Any] = [*zip(*(ranked(column)[1] for column in columns), strict=True)]
    order = sorted({*keys}, reverse=is_descending)
    numbers = {key: number for number, key in enumerate(order)}
    return [numbers[key] for key in keys]


_COUNTED, _ASKED = 1, 2

_Change = tuple[int, int, int]
"""A tick, the value of what begins at it, or `~` of that of what ends, and whether it is counted or asked."""


def _put(
    groups: dict[Row, list[_Change]],
    held: Mapping[Row, Runs],
    places: Places,
    values: Iterable[int],
    role: int,
    low: int,
    stop: int,
) -> None:
    """Puts what begins and ends from a tick on and before another to the groups."""
    for key, runs, value in zip(values_at(held, places), held.values(), values, strict=False):
        changes = groups.get(key)
        if changes is None:
            changes = groups[key] = []
        for begin, end in pairs(runs):
            if begin < stop and low < end:
                changes.append((max(begin, low), value, role))
                changes.append((min(end, stop), ~value, role))


def _sweep(one: Ranking, changes: Sequence[_Change], found: Sequence[Runs], beyond: int) -> None:
    """Finds when asked rows of a group have so many counted ones before them.

    These are the rows from a limit on, which is the place of the last one of so many. Where it moves, rows
    between both places cross it; nothing else changes for rows that stay.

    Args:
        one: what is asked.
        changes: what begins and ends, in the order of ticks. Values are codes, times the number of asked
            rows, and the number of the row, if it is one of these.
        found: takes the intervals, by the numbers of rows.
        beyond: a value that is greater than others.
    """
    least, more, is_of_one, width = one.least, one.is_strict, one.is_of_one, len(found) or 1
    counted: list[int] = []
    asked = counted if is_of_one else []
    limit, now = beyond, changes[0][0] if changes else 0

    def cross() -> int:
        new = (counted[least - 1] // width + more) * width if len(counted) >= least else beyond
        if new < limit:
            for value in asked[bisect_left(asked, new) : bisect_left(asked, limit)]:
                found[value % width].append(now)
        elif limit < new:
            for value in asked[bisect_left(asked, limit) : bisect_left(asked, new)]:
                _close(found[value % width], now)
        return new

    for tick, value, role in changes:
        if tick != now:
            limit = cross()
            now = tick
        if value >= 0:
            if role & _COUNTED:
                insort(counted, value)
            if role & _ASKED:
                if not is_of_one:
                    insort(asked, value)
                if value >= limit:
                    found[value % width].append(now)
        else:
            ended = ~value
            if role & _COUNTED:
                del counted[bisect_left(counted, ended)]
            if role & _ASKED:
                if not is_of_one:
                    del asked[bisect_left(asked, ended)]
                if ended >= limit:
                    _close(found[ended % width], now)


def _close(runs: Runs, tick: int) -> None:
    """An interval ends, which is none if it began at the same tick."""
    if runs[-1] == tick:
        del runs[-1]
    else:
        runs.append(tick)

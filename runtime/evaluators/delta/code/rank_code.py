"""Rows by their ranks: when so many others of their group stand before them, without a look at all pairs."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from lars2asp.externals.terms.ground_terms import ground_value
from lars2asp.externals.terms.order import row_key
from lars2asp.externals.terms.places import picking
from lars2asp.externals.terms.terms import Row
from lars2asp.runtime.evaluators.delta.code.code_lines import CodeLines
from lars2asp.runtime.evaluators.delta.code.expressions import Scope
from lars2asp.runtime.evaluators.delta.code.relations import Piece, Relation
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
        told_apart: the places of counted rows that count as one if they have the same values there.
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
    told_apart: Places
    row: Places


def ranking(bounded: Bounded) -> Ranking | None:
    """What bounds say of ranks; None if they say something else.

    There is one count, of one element. Besides the atom whose rows are counted, there stands one comparison
    of tuples in it, `<`, `<=`, `>` or `>=`, of values of such a row with as many of another one. All that the
    element takes from the rest of the rule are values of that other row. What is counted are variables. The
    bound is one, and a number that a count reaches or not.
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
    if comparison in ("=", "!=") and bound == 0:
        return 1
    more = _MORE_THAN_BOUNDS.get((comparison, bounded.is_met_by_empty))
    return None if more is None or type(bound) is not int else bound + more


def _ranking(
    asked: Member, counted: Member, test: Test, group: Sequence[Term], counts: Sequence[Term], least: int
) -> Ranking | None:
    if not isinstance(asked.relation, Shape) or not isinstance(counted.relation, Shape):
        return None
    row = _places(group, asked.variables)
    [(left, comparison, right)] = test.comparisons
    if row is None or {*row} != {*range(len(asked.variables))} or comparison in ("=", "!="):
        return None
    if not (isinstance(left, Tuple) and isinstance(right, Tuple)):
        return None
    ones, others = left.arguments, right.arguments
    if len(ones) != len(others) or len(ones) < 2:
        return None
    counted_order, asked_order = _places(ones, counted.variables), _places(others, asked.variables)
    if counted_order is None or asked_order is None:
        comparison = MIRRORED[comparison]
        counted_order, asked_order = _places(others, counted.variables), _places(ones, asked.variables)
    of_counted = [one for one in counts if ground_value(one) is None and one not in group]
    told_apart = _places(of_counted, counted.variables)
    if counted_order is None or asked_order is None or told_apart is None:
        return None
    shared = [name for name in counted.variables if name in asked.variables]
    return Ranking(
        counted.relation,
        asked.relation,
        least,
        tuple(map(counted.variables.index, shared)),
        tuple(map(asked.variables.index, shared)),
        counted_order,
        asked_order,
        comparison in (">", ">="),
        comparison in ("<", ">"),
        told_apart,
        row,
    )


def _places(terms: Sequence[Term], variables: Sequence[str]) -> Places | None:
    """Where the values of terms stand in rows; None if some do not."""
    names = [one.name for one in terms if isinstance(one, Variable) and one.name in variables]
    return tuple(map(variables.index, names)) if len(names) == len(terms) else None


def _values(places: Places, *, is_row: bool = False) -> Callable[[Row], Any]:
    """What gives the values of a row at some places; a single one is no row, if none is needed."""
    return itemgetter(*places) if len(places) == 1 and not is_row else picking(places)


Order = tuple[Any, ...]
"""What sorts rows."""


class _Group:
    """The rows with the same values in both relations.

    Attributes:
        told: the orders of counted rows that count as one.
        counted: the first order of each of these, sorted.
        rows: the rows that are asked for, by their orders.
        asked: these orders, sorted.
        limit: the order from which on so many are before a row; None if there are not so many.
    """

    __slots__ = ("asked", "counted", "limit", "rows", "told")

    def __init__(self) -> None:
        self.told: dict[Row, list[Order]] = {}
        self.counted: list[Order] = []
        self.rows: dict[Order, dict[Row, None]] = {}
        self.asked: list[Order] = []
        self.limit: Order | None = None


class RankCode:
    """Keeps the rows before which so many others stand: those of a `Bounded` relation. O(log n) a change.

    The counted rows of a group are sorted, so are those that are asked for. If the place of the last one of
    so many moves, those between its places begin or end to be in the relation; for others nothing changes.

    Args:
        number: its number.
        one: what bounds say.
        relation: the relation.
        scope: the names that the code uses.

    Attributes:
        ranking: what bounds say.
    """

    def __init__(self, number: int, one: Ranking, relation: Relation, scope: Scope) -> None:
        self.ranking = one
        self._number, self.relation = number, relation
        self._groups: dict[Any, _Group] = {}
        self._is_plain, self._kinds = True, list[type]()
        self._asked_group, self._counted_group = _values(one.asked_group), _values(one.counted_group)
        self._asked_order, self._counted_order = _values(one.asked_order), _values(one.counted_order)
        self._told_apart = _values(one.told_apart)
        self._row = _values(one.row, is_row=True)
        self._lists: dict[str, list[Row]] = {}
        for role in ("asked", "counted"):
            for verb in ("ended", "began"):
                rows: list[Row] = []
                self._lists[f"{role}_{verb}"] = rows
                scope.names[f"{role}_{verb}_{number}"] = rows.append
        scope.names[self.name] = self._visit
        self._begin: Callable[[Sequence[Row]], None]
        self._end: Callable[[Sequence[Row]], None]

    @property
    def name(self) -> str:
        """The name of the function that hands on its changes."""
        return f"rank{self._number}"

    @property
    def size(self) -> int:
        """The number of rows that are kept."""
        return sum(len(one.counted) + len(one.asked) for one in self._groups.values())

    def forget(self) -> None:
        """Forgets all rows."""
        self._groups.clear()

    def write_visit(self, lines: CodeLines) -> None:
        """There is no code: `bind` gives what it calls."""

    def bind(self, names: dict[str, Any]) -> None:
        """Takes the functions that take the rows of the relation."""
        self._begin, self._end = (names[f"{verb}{self.relation.number}"] for verb in ("begin", "end"))

    def listen(self, asked: Relation, counted: Relation) -> None:
        """Takes the rows of both relations, which may be one."""
        for role, relation in (("asked", asked), ("counted", counted)):
            for is_begin in (True, False):
                lines = CodeLines()
                lines.line(f"{role}_{'began' if is_begin else 'ended'}_{self._number}(row)")
                relation.each[is_begin].append(Piece(self.name, lines, is_apart=True))

    def _visit(self) -> None:
        """Hands on what begins and ends by the changes that were taken."""
        one, groups, touched = self.ranking, self._groups, dict[Any, _Group]()
        began: list[Row] = []
        ended: list[Row] = []
        for row in self._lists["asked_ended"]:
            key, order = self._asked_group(row), self._order(self._asked_order(row))
            group = touched[key] = groups[key]
            rows = group.rows[order]
            del rows[row]
            if not rows:
                del group.rows[order]
                del group.asked[bisect_left(group.asked, order)]
            if self._is_reached(order, group.limit):
                ended.append(self._row(row))
        for name in ("counted_ended", "counted_began"):
            for row in self._lists[name]:
                key = self._counted_group(row)
                touched[key] = group = groups.setdefault(key, _Group())
                self._count(group, row, is_begin=name == "counted_began")
        place = -one.least if one.is_descending else one.least - 1
        for group in touched.values():
            limit = None if len(group.counted) < one.least else group.counted[place]
            if limit != group.limit:
                before, after = self._place(group, group.limit), self._place(group, limit)
                crossed = group.asked[min(before, after) : max(before, after)]
                out = began if (before < after) is one.is_descending else ended
                out += [self._row(row) for order in crossed for row in group.rows[order]]
                group.limit = limit
        for row in self._lists["asked_began"]:
            key, order = self._asked_group(row), self._order(self._asked_order(row))
            group = groups.setdefault(key, _Group())
            if order not in group.rows:
                group.rows[order] = {}
                insort(group.asked, order)
            group.rows[order][row] = None
            if self._is_reached(order, group.limit):
                began.append(self._row(row))
        for rows_of in self._lists.values():
            rows_of.clear()
        for key, group in touched.items():
            if not group.asked and not group.counted:
                del groups[key]
        if ended:
            self._end(ended)
        if began:
            self._begin(began)

    def _count(self, group: _Group, row: Row, *, is_begin: bool) -> None:
        """A counted row begins or ends; of those that count as one, the first counts."""
        key, order = self._told_apart(row), self._order(self._counted_order(row))
        counted, told = group.counted, group.told
        orders = told.get(key)
        if orders is None:
            told[key] = [order]
            insort(counted, order)
            return
        first = -1 if self.ranking.is_descending else 0
        before = orders[first]
        if is_begin:
            insort(orders, order)
        elif len(orders) == 1:
            del told[key]
            del counted[bisect_left(counted, before)]
            return
        else:
            del orders[bisect_left(orders, order)]
        if orders[first] != before:
            del counted[bisect_left(counted, before)]
            insort(counted, orders[first])

    def _order(self, order: Order) -> Order:
        """What sorts a row: its values, as long as those of each place are all numbers, or all strings."""
        if not self._is_plain:
            return row_key(order)
        kinds = [*map(type, order)]
        if kinds == self._kinds:
            return order
        if not self._kinds and {*kinds} <= {int, str}:
            self._kinds = kinds
            return order
        self._is_plain = False
        for group in self._groups.values():
            group.told = {key: [*map(row_key, orders)] for key, orders in group.told.items()}
            group.counted = [*map(row_key, group.counted)]
            group.rows = {row_key(one): rows for one, rows in group.rows.items()}
            group.asked = [*map(row_key, group.asked)]
            group.limit = None if group.limit is None else row_key(group.limit)
        return row_key(order)

    def _is_reached(self, order: Order, limit: Order | None) -> bool:
        """Whether so many are before a row."""
        if limit is None:
            return False
        if order == limit:
            return not self.ranking.is_strict
        return (order < limit) is self.ranking.is_descending

    def _place(self, group: _Group, limit: Order | None) -> int:
        """The place of the first one that is reached; of descending ones, that behind the last one."""
        one = self.ranking
        if limit is None:
            return 0 if one.is_descending else len(group.asked)
        return (bisect_left if one.is_descending is one.is_strict else bisect_right)(group.asked, limit)

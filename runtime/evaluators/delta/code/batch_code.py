"""Rules over rows in batches: what begins and ends at many ticks, each after those before it.

What lookups hand on is put in the order of ticks: at each first what ends, then what begins, then the facts
that hold at the tick alone.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import Any, NamedTuple, TypeGuard, cast

from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.externals.operators import Batch, net
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES
from lars2asp.planning.lookups import Lookup
from lars2asp.planning.rows.row_rules import RowRule
from lars2asp.runtime.evaluators.delta.code.aggregate_code import AggregateCode
from lars2asp.runtime.evaluators.delta.code.batch_relations import BatchRelation
from lars2asp.runtime.evaluators.delta.code.by_value import TakeRows
from lars2asp.runtime.evaluators.delta.code.expressions import Bindings
from lars2asp.runtime.evaluators.delta.code.heads import DerivedRows
from lars2asp.runtime.evaluators.delta.code.rank_code import RankCode, ranking
from lars2asp.runtime.evaluators.delta.code.relations import Relation
from lars2asp.runtime.evaluators.delta.code.row_code import (
    Joined,
    RowCode,
    RowHead,
    Target,
    asks_for_now,
    chosen_of,
    columns_of,
)
from lars2asp.runtime.evaluators.delta.rules.aggregates import Bounded, RowAggregate, Valued
from lars2asp.runtime.evaluators.delta.rules.bodies import Conjunct, GroupValue, Member, Shape
from lars2asp.syntax.nodes import Signature

Points = tuple[int, Sequence[Row]]
"""The number of a momentary lookup, and facts of a tick."""

_MOST_KNOWN = 500
"""The number of sets of lookups of which it is known what their changes may change."""


class Outcome:
    """What rules derive of predicates, as segments.

    Args:
        derived: what they derive.
        signatures: the predicates.
        changed: gathers what has segments.

    Attributes:
        signatures: the predicates.
        derived: what rules derive of them.
        segments: what has changed.
    """

    def __init__(self, derived: DerivedRows, signatures: list[Signature], changed: list["Outcome"]) -> None:
        self.signatures = signatures
        self.segments: Batch = []
        self.derived, self._changed = derived, changed
        self._changes = derived.changes

    @property
    def waiting(self) -> tuple[Sequence[Row], Sequence[Row], "Outcome"]:
        """What is empty as long as there are no changes, and this."""
        return (*self.derived.waiting, self)

    def settle(self, tick: int) -> None:
        """Adds what has changed at a tick."""
        changes = self._changes()
        if changes is not NO_CHANGES:
            if not self.segments:
                self._changed.append(self)
            self.segments.append((tick, changes.ended, changes.began))

    def _add(self, *segments: Any) -> None:
        if not self.segments:
            self._changed.append(self)
        self.segments += segments


class Passing(Outcome):
    """What rules derive of facts that hold at a tick alone: all of it ends at the next one.

    Attributes:
        end: the tick at which what was derived last ends; FOR_EVER for nothing.
        open: gets what has derived something that has not ended.
    """

    open: "list[Passing]"

    def __init__(self, derived: DerivedRows, signatures: list[Signature], changed: list[Outcome]) -> None:
        super().__init__(derived, signatures, changed)
        self._more, _ = derived.lists
        self._rows: Sequence[Row] = ()
        self.end = FOR_EVER

    def settle(self, tick: int) -> None:
        """Takes what is derived at a tick."""
        rows = self._more[:]
        self._more.clear()
        if len(rows) > 1:
            rows = [*dict.fromkeys(rows)]
        if self.end == FOR_EVER:
            self.open.append(self)
        if self.end == tick:
            found: Batch = []
            net(tick, self._rows, rows, found)
            self._add(*found)
        else:
            self.finish(tick)
            self._add((tick, (), rows))
        self._rows, self.end = rows, tick + 1

    def finish(self, frontier: int) -> None:
        """What was derived has ended before a tick."""
        if self.end < frontier:
            self._add((self.end, self._rows, ()))
            self._rows, self.end = (), FOR_EVER


class Beside(NamedTuple):
    """What a join derives of facts that hold at a tick alone, beside what others derive.

    Attributes:
        rows: the rows, of the tick that is worked out.
        more: takes what begins.
        less: takes what ends.
        bit: that of what takes them.
    """

    rows: list[Row]
    more: list[Row]
    less: list[Row]
    bit: int


class BatchCode(RowCode):
    """The functions of rules, for batches.

    Args:
        rules: the rules.
        arguments: as for RowCode.
        momentary: lookups whose answers are facts of the current tick alone: `take` gets them as points.
        options: as for RowCode.

    Attributes:
        chosen_points: what `chosen` is of other lookups, of momentary ones.
        moments: by momentary lookups the functions that take their facts into indexes, and those that derive.
        passes_at: the tick at which ends what facts of a tick alone derived; FOR_EVER for nothing.
    """

    _relation = BatchRelation

    def __init__(
        self, rules: Sequence[RowRule], *arguments: Any, momentary: Collection[Lookup] = (), **options: Any
    ) -> None:
        self._momentary = momentary
        self._passing_joins: frozenset[int] = frozenset()
        super().__init__(rules, *arguments, **options)
        names = self._names
        for rank in self._ranks:
            rank.bind(names)
        self.moments: dict[Lookup, tuple[list[TakeRows], list[TakeRows]]] = {}
        points: dict[Lookup, list[Hashable]] = {}
        self._of_now: list[TakeRows] = []
        """The functions that take the current tick."""
        self._moment_indexes: list[Any] = []
        for key, relation in self._relations.items():
            if not self._is_of_moment(relation):
                continue
            assert isinstance(key, Shape)
            self._moment_indexes += relation.indexes
            load, fire = names.get(f"load{relation.number}"), names.get(f"fire{relation.number}")
            if asks_for_now(key):
                assert load is not None
                self._of_now.append(load)
                continue
            loads, fires = self.moments.setdefault(key.lookup, ([], []))
            loads += [load] if load else []
            fires += [fire] if fire else []
            points.setdefault(key.lookup, []).append(key)
        self.chosen_points = chosen_of(points)
        self._takes = [*self.moments.values()]
        self._changed: list[Outcome] = []
        passing = self._passing_targets
        self._outcomes = [
            (Passing if derived in passing else Outcome)(derived, signatures, self._changed)
            for derived, signatures in self._signatures.items()
        ]
        self._open: list[Passing] = []
        """Those of them that have derived something that has not ended."""
        for one in self._outcomes:
            if isinstance(one, Passing):
                one.open = self._open
        self._number = {derived: number for number, derived in enumerate(self._signatures)}
        self._order()
        self._plans: dict[int, tuple[Sequence[Callable[[], None]], Sequence[Any]]] = {}
        """By what was touched: what is to be visited, and what may have changed."""
        self._beside = [
            Beside(share.lists[0], *head.target.lists, 1 << (self._first_outcome + self._number[head.target]))
            for head in self._heads
            if isinstance(head.target, DerivedRows) and (share := head.share) is not None
        ]
        self._ending: list[tuple[Beside, Sequence[Row]]] = []
        """What of it ends at a tick."""
        self._ends_at = FOR_EVER
        self.passes_at = FOR_EVER

    def _order(self) -> None:
        """What comes at a tick before what, by numbers: the functions and the bit of each."""
        lookups, number = [*self.begin], len(self.begin)
        places = [*range(number)]
        if self._scope.enumerates:
            places.sort(key=lambda place: lookups[place] not in self._negated)
        self._begins, self._ends = [0] * number, [0] * number
        self._functions: list[list[TakeRows]] = [[] for _ in range(2 * number)]
        self._first_moment = 2 * number
        self._first_outcome = number + len(self.moments)
        self._is_simple = not (self._of_now or self._moment_indexes or any(one.share for one in self._heads))
        """Whether facts of a tick alone are taken one lookup after the other."""
        moments = len(self.moments)
        bits = [0] * 2 * number
        for order, place in enumerate(places):
            lookup = lookups[place]
            begin, end = number + order, number - 1 - order  # the last to begin met all others
            self._begins[place], self._ends[place] = begin, end
            self._functions[begin], self._functions[end] = self.begin[lookup], self.end[lookup]
            bits[begin] = bits[end] = 1 << (moments + place)
        self._bits = [*bits, *(1 << place for place in range(moments))]
        affected = self._affected()
        self._touching: list[tuple[Sequence[int], Sequence[int]]]
        self._touching = [([], sorted(self._derived_of(lookup))) for lookup in self.moments]
        self._touching += [affected[lookup] for lookup in lookups]
        self._touching += [([], [one]) for one in range(len(self._outcomes))]
        self._everything = 1 << len(self._touching)
        self._touching.append(([*range(len(self._stages))], [*range(len(self._outcomes))]))

    @property
    def _heads(self) -> list[RowHead]:
        """What is derived of facts of a tick alone."""
        return [head for one in self._joined.values() if self._is_passing(one) for head in one.heads]

    def _derived_of(self, lookup: Lookup) -> set[int]:
        """What facts of a tick derive."""
        return {
            self._number[head.target]
            for joined in self._joined.values()
            if self._is_passing(joined)
            for part in joined.body.parts
            if isinstance(part, Member) and isinstance(part.relation, Shape)
            if part.relation.lookup is lookup
            for head in joined.heads
            if isinstance(head.target, DerivedRows)
        }

    # --- batches --------------------------------------------------------------------------------------

    def take(
        self,
        batches: Sequence[tuple[int, Batch]],
        points: Sequence[tuple[int, Batch]],
        frontier: int,
        begin: int | None = None,
    ) -> list[tuple[Sequence[Signature], Batch]]:
        """Takes segments; gives those of what is derived.

        Args:
            batches: the segments of lookups, by the numbers that these have in `begin`.
            points: those of momentary lookups, by the numbers that these have in `moments`.
            frontier: all ticks before it are over.
            begin: the first tick, if nothing was taken before (`start`).
        """
        if len(batches) == 1 and not points and begin is None and self.passes_at == FOR_EVER:
            self._take_one(*batches[0])
            return self._handed()
        first_moment = self._first_moment
        events: list[tuple[int, int, Sequence[Row]]] = []
        for place, batch in batches:
            if len(batch) == 1:
                [(tick, ended, began)] = batch
                if ended:
                    events.append((tick, self._ends[place], ended))
                if began:
                    events.append((tick, self._begins[place], began))
                continue
            order = self._ends[place]
            events += [(tick, order, ended) for tick, ended, _ in batch if ended]
            order = self._begins[place]
            events += [(tick, order, began) for tick, _, began in batch if began]
        for place, batch in points:
            order = first_moment + place
            events += [(tick, order, rows) for tick, rows in batch]
        if batches or len(points) > 1:
            events.sort()
        events.append((frontier, 0, ()))
        functions, bits, plans, scope = self._functions, self._bits, self._plans, self._scope
        moments: list[Points] = []
        takes, only_moments = self._takes, (1 << len(self._takes)) if self._is_simple else 0
        now, touched, ends_at = -1, 0, self._ends_at
        if begin is not None:
            self.start()
            now, touched = begin, self._everything
        for tick, order, rows in events:
            if tick != now:
                if touched:
                    visits, outcomes = plans.get(touched) or self._plan(touched)
                    for visit in visits:
                        visit()
                    if moments:
                        self._take_moments(now, moments)
                        moments.clear()
                        ends_at = self._ends_at
                    if scope.waiting:
                        scope.settle()
                    for more, less, outcome in outcomes:
                        if more or less:
                            outcome.settle(now)
                    touched = 0
                if ends_at <= tick:
                    if ends_at < tick:
                        for more, less, outcome in self._plan(self._end_beside())[1]:
                            if more or less:
                                outcome.settle(ends_at)
                    elif tick < frontier:
                        touched = self._end_beside()
                    ends_at = self._ends_at
                if tick == frontier:
                    break
                now = tick
            if order < first_moment:
                for function in functions[order]:
                    function(rows)
            elif touched < only_moments:
                for function in takes[order - first_moment][1]:
                    function(rows)
            else:
                moments.append((order - first_moment, rows))
            touched |= bits[order]
        self.passes_at = self._ends_at
        if self._open:
            self.passes_at = min(self.passes_at, self._finish(frontier))
        return self._handed()

    def _finish(self, frontier: int) -> int:
        """What facts of a tick derived has ended before a tick; gives the one at which others end."""
        for one in self._open:
            one.finish(frontier)
        self._open[:] = [one for one in self._open if one.end < FOR_EVER]
        return min([one.end for one in self._open], default=FOR_EVER)

    def _take_one(self, place: int, batch: Batch) -> None:
        """Takes the segments of one lookup alone."""
        begin, end, scope = self._begins[place], self._ends[place], self._scope
        begins, ends = self._functions[begin], self._functions[end]
        visits, outcomes = self._plan(self._bits[begin])
        for tick, ended, began in batch:
            if ended:
                for function in ends:
                    function(ended)
            if began:
                for function in begins:
                    function(began)
            for visit in visits:
                visit()
            if scope.waiting:
                scope.settle()
            for more, less, outcome in outcomes:
                if more or less:
                    outcome.settle(tick)

    def _handed(self) -> list[tuple[Sequence[Signature], Batch]]:
        """What has changed of what is derived."""
        found: list[tuple[Sequence[Signature], Batch]] = []
        for one in self._changed:
            found.append((one.signatures, one.segments))
            one.segments = []
        self._changed.clear()
        return found

    def _plan(self, touched: int) -> tuple[Sequence[Callable[[], None]], Sequence[Any]]:
        """What is to be visited if these lookups and outcomes are touched, and what may have changed."""
        found = self._plans.get(touched)
        if found is not None:
            return found
        some, rest = [], touched
        while rest:
            some.append(self._touching[rest.bit_length() - 1])
            rest ^= 1 << rest.bit_length() - 1
        stages = sorted({number for numbers, _ in some for number in numbers})
        derived = sorted({number for _, numbers in some for number in numbers})
        visits = [
            self._names[stage.name]
            for stage in (self._stages[number] for number in stages)
            if not (isinstance(stage, AggregateCode) and stage.is_direct)
        ]
        if self._recursive:
            visits.append(self._settle)
        outcomes = [self._outcomes[number].waiting for number in derived]
        if len(self._plans) > _MOST_KNOWN:
            self._plans.clear()
        self._plans[touched] = visits, outcomes
        return visits, outcomes

    def _take_moments(self, tick: int, moments: Iterable[Points]) -> None:
        """Takes the facts of a tick alone, once all else is known of it."""
        for take in self._of_now:
            take([(tick, tick)])
        for place, rows in moments:
            for load in self._takes[place][0]:
                load(rows)
        for place, rows in moments:
            for fire in self._takes[place][1]:
                fire(rows)
        for index in self._moment_indexes:
            index.clear()
        for one in self._beside:
            if one.rows:
                derived = one.rows[:]
                one.rows.clear()
                one.more.extend(derived)
                self._ending.append((one, derived))
                self._ends_at = tick + 1

    def _end_beside(self) -> int:
        """What was derived of facts of the tick before ends; gives the bits of what changes."""
        touched = 0
        for one, rows in self._ending:
            one.less.extend(rows)
            touched |= one.bit
        self._ending, self._ends_at = [], FOR_EVER
        return touched

    # --- code -----------------------------------------------------------------------------------------

    def _mark(self) -> None:
        """Finds the joins that are worked out anew at each tick that has facts, as these hold at it alone.

        Marks the relations that only these look at.
        """
        momentary = () if self._recursive else self._momentary
        derived = {*self.derived.values()}
        found = [
            joined
            for joined in self._joined.values()
            if momentary and joined.heads and derived.issuperset(head.target for head in joined.heads)
        ]
        marked = {key for key in self._relations if isinstance(key, Shape) and key.lookup in momentary}
        while True:
            found = [
                joined
                for joined in found
                if any(_is_fact(part) and part.relation in marked for part in joined.body.parts)
            ]
            numbers = frozenset(joined.number for joined in found)
            others = {
                part.relation
                for joined in self._joined.values()
                if joined.number not in numbers
                for part in joined.body.parts
                if isinstance(part, Member)
            }
            others |= self._derives_apart.keys()
            if marked.isdisjoint(others):
                break
            marked -= others
        for key in marked:
            self._batch_relations[key].mark_momentary()
        self._passing_joins = numbers
        self._passing_targets = {head.target for one in found for head in one.heads}.difference(
            (head.target for one in self._joined.values() if one.number not in numbers for head in one.heads),
            (self.derived[signature] for signature in self.facts),
        )
        for aggregate, code in self._aggregates.items():
            code.is_direct = aggregate.is_number and not any(
                isinstance(part, Member | GroupValue) and _is_of(part.relation, aggregate)
                for one in self._joined.values()
                if one.number not in numbers
                for part in one.body.parts
            )
        for number, joined in enumerate(found):
            for place, head in enumerate(joined.heads):
                assert isinstance(head.target, DerivedRows)
                if head.target not in self._passing_targets:
                    head.target.let_pass()
                    share = head.target.apart(self._scope, f"_{number}_{place}")
                    joined.heads[place] = head._replace(share=share)

    def _ranked(self, bounded: Bounded) -> Relation | None:
        one = ranking(bounded)
        if one is None or not self._recursive.keys().isdisjoint((one.asked.lookup, one.counted.lookup)):
            return None
        self._prepare(bounded.aggregate.elements[0].body)
        relation = self._relation(columns_of(bounded.aggregate.size), "groups by ranks", self._scope)
        code = RankCode(len(self._stages), one, relation, self._scope)
        code.listen(self._relations[one.asked], self._relations[one.counted])
        self._stages.append(code)
        self._fed.setdefault(code, []).append(bounded)
        return relation

    @property
    def _ranks(self) -> list[RankCode]:
        return [stage for stage in self._stages if isinstance(stage, RankCode)]

    @property
    def _derives_apart(self) -> dict[Hashable, list[Target]]:
        found: dict[Hashable, list[Target]] = {}
        for one in self._ranks:
            for relation in (one.ranking.asked, one.ranking.counted):
                found.setdefault(relation, []).append(one)
        return found

    @property
    def _batch_relations(self) -> dict[Hashable, BatchRelation]:
        """The relations, which are of this kind."""
        return cast(dict[Hashable, BatchRelation], self._relations)

    def _is_of_moment(self, relation: Relation) -> bool:
        return isinstance(relation, BatchRelation) and relation.is_momentary

    def _is_bulk(self, relation: Relation, bindings: Bindings, joined: Joined) -> bool:
        if bindings.steps.steps or not (relation.shape is None or relation.shape.is_plain):
            return False
        for head in joined.heads:
            own = bindings.copy(head.location)
            codes = [own.value(term) for term in head.terms]
            if not head.target.is_bulk or codes != list(relation.columns) or own.steps.steps:
                return False
        return True

    def _is_passing(self, joined: Joined) -> bool:
        return joined.number in self._passing_joins

    def _write_passing(self, joined: Joined) -> None:
        """Writes what is derived of facts that hold at a tick alone, once all else is known of it."""
        place, part = next(
            (place, one)
            for place, one in enumerate(joined.body.parts)
            if _is_fact(one) and self._batch_relations[one.relation].is_momentary
        )
        self._write_changes(joined, place, part, is_moment=True)


def _is_of(relation: Hashable, aggregate: RowAggregate) -> bool:
    """Whether a relation has groups of an aggregate."""
    return isinstance(relation, Bounded | Valued) and relation.aggregate == aggregate


def _is_fact(part: Conjunct) -> TypeGuard[Member]:
    """Whether a part of a body is a fact that holds."""
    return isinstance(part, Member) and not (part.is_negative or asks_for_now(part.relation))

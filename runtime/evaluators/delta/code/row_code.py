"""The code of rules over rows.

Each lookup has functions that take the rows of its answer which begin to hold, and those which end. They take
one change after the other, and count the instances that begin or cease to fire by it, by the row of their
head (semi-naive evaluation with counting: Gupta, Mumick, Subrahmanian 1993, section 4). Rows that depend on
each other are counted apart (lars2asp.runtime.evaluators.delta.code.recursion).
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import partial
from itertools import compress, count
from operator import itemgetter
from typing import Any, NamedTuple

from lars2asp.analysis.arithmetic.intervals import LARGEST_INTERVAL
from lars2asp.externals.operators import Batch
from lars2asp.externals.terms.ground_terms import ground_value
from lars2asp.externals.terms.terms import Row, Value
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.rows.delta_rules import THIS_TICK
from lars2asp.planning.rows.row_rules import AggregatePart, LookupPart, RowRule, recursive_predicates
from lars2asp.runtime.evaluators.delta.code.aggregate_code import AggregateCode
from lars2asp.runtime.evaluators.delta.code.by_value import TakeRows, by_value, common_values
from lars2asp.runtime.evaluators.delta.code.code_lines import CodeLines, run
from lars2asp.runtime.evaluators.delta.code.expressions import Bindings, Scope
from lars2asp.runtime.evaluators.delta.code.heads import DerivedRows, is_net, is_single
from lars2asp.runtime.evaluators.delta.code.partial_code import PartialCode
from lars2asp.runtime.evaluators.delta.code.recursion import Recursive, settle
from lars2asp.runtime.evaluators.delta.code.relations import Piece, Relation
from lars2asp.runtime.evaluators.delta.code.search import search
from lars2asp.runtime.evaluators.delta.code.steps import as_row, targets
from lars2asp.runtime.evaluators.delta.rules.aggregates import Bounded, RowAggregate, Valued
from lars2asp.runtime.evaluators.delta.rules.bodies import Conjunct, GroupValue, Member, RowBody, Shape
from lars2asp.runtime.evaluators.delta.rules.normal_form import normal_form
from lars2asp.runtime.evaluators.delta.rules.partial_joins import PartialJoin, split
from lars2asp.runtime.evaluators.delta.rules.term_forms import substituted
from lars2asp.syntax.nodes import Sign, Signature, Term, Variable
from lars2asp.syntax.source import NOWHERE, Location
from lars2asp.syntax.values import dataclass


class RowHead(NamedTuple):
    """What is derived where a body is true.

    Attributes:
        target: takes what is derived.
        terms: the terms.
        location: their place in the user's text.
        share: what is derived by this rule alone, where that is told apart.
    """

    target: DerivedRows | AggregateCode
    terms: tuple[Term, ...]
    location: Location
    share: DerivedRows | None = None

    @property
    def code(self) -> DerivedRows | AggregateCode:
        """Writes the code for what is derived."""
        return self.share or self.target


@dataclass
class Joined:
    """A body, and all that is derived where it is true.

    Attributes:
        body: the body.
        number: its number.
        heads: what is derived.
    """

    body: RowBody
    number: int
    heads: list[RowHead] = field(default_factory=list)

    @property
    def owner(self) -> str:
        """Its name, for who measures time."""
        return f"join {self.number}"


class _Affected(NamedTuple):
    """What the changes of lookups may change, by numbers: aggregates and joins, and what is derived.

    Attributes:
        stages: the former.
        outcomes: the latter.
        waiting: what is empty if these have no changes.
        more: of that what begins.
        less: of that what ends.
        number: the number of both.
    """

    stages: Sequence[int]
    outcomes: Sequence[int]
    waiting: Sequence[tuple[Sequence[Row], Sequence[Row]]]
    more: Sequence[Sequence[Row]]
    less: Sequence[Sequence[Row]]
    number: int

    @property
    def changed(self) -> list[int]:
        """The outcomes that have changes, or may have."""
        outcomes = self.outcomes
        began, ended = [*compress(outcomes, self.more)], [*compress(outcomes, self.less)]
        return sorted({*began, *ended}) if began and ended else began or ended


_Load = Callable[[Sequence[Row]], Sequence[Row]]


class _OfMoments(NamedTuple):
    """What a join derives of facts that hold at a tick alone.

    Attributes:
        rows: the rows, of the tick that is worked out.
        waiting: of what takes them: what begins, and what ends.
        outcome: the number of that.
    """

    rows: list[Row]
    waiting: tuple[Any, Any]
    outcome: int


class RowCode:
    """The functions of rules.

    Args:
        rules: the rules.
        functions: the user's functions, by name: each gives the values for values.
        on_message: takes messages about undefined operations, each once.
        check: is called now and then while recursion is followed; may raise where that takes too long.
        separates_input: whether what recursive predicates derive is told apart from their input.
        largest_interval: the number of values that one interval may have.
        momentary: lookups whose answers are facts of the current tick alone: `take_batches` gets them as
            points. None if that is not called for, but `take` and `held`.

    Attributes:
        text: the code.
        derived: what is derived, by predicate.
        begin: for each lookup the functions that take rows that begin to hold, each once.
        end: for each lookup the functions that take rows that end.
        chosen: by lookups of which only rows with certain values at a place matter: the place and the values.
        chosen_points: the same of momentary lookups.
        moments: by momentary lookups the functions that take their facts, and those that derive of them.
        asks_for_now: whether some rule asks for the current tick at ticks without facts.
        facts: the rows of facts, by predicate.
        guards: for each rule that is not recursive the lookups that must have answers for it to fire.
    """

    def __init__(
        self,
        rules: Sequence[RowRule],
        functions: Mapping[str, Callable[..., Any]],
        on_message: Callable[[Location, str], None],
        check: Callable[[], None] = lambda: None,
        *,
        separates_input: bool = False,
        largest_interval: int = LARGEST_INTERVAL,
        momentary: Collection[Lookup] | None = None,
    ) -> None:
        self._scope = Scope(on_message, functions, has_changes=True, largest_interval=largest_interval)
        self._separates_input = separates_input
        self._relations: dict[Hashable, Relation] = {}
        self._joined: dict[RowBody, Joined] = {}
        self._aggregates: dict[RowAggregate, AggregateCode] = {}
        self._stages: list[AggregateCode | PartialCode] = []
        """What hands on its changes when those of lookups are taken; each after those that it is made of."""
        self._fed: dict[DerivedRows | AggregateCode, list[Hashable]] = {}
        """The relations that are made of what aggregates and parts of joins derive."""
        self._starts: dict[DerivedRows, Lookup | None] = {}
        self._numbers = count()
        self._stamps = count(1)
        self._recursive: dict[Lookup | PartialJoin, Recursive] = {}
        self.facts: dict[Signature, list[Row]] = {}
        self.derived: dict[Signature, DerivedRows] = {}
        self._derive(rules)
        everything = (*self.derived.values(), *self._recursive.values())
        self._signatures: dict[DerivedRows, list[Signature]] = {one: [] for one in everything}
        for signature, one in self.derived.items():
            self._signatures[one].append(signature)
        self.guards = [
            found for found in map(positive_lookups, rules) if self._recursive.keys().isdisjoint(found)
        ]
        self._has_held = momentary is None
        self._moments = self._find_moments(momentary or ())
        comments = "".join(f"# {rule}\n" for rule in rules if not rule.is_fact)
        self.text = f"{comments}\n{self._write()}"
        self._names = names = run(self.text, self._scope.names)
        self._start: Callable[[], None] = names["start"]
        self._visits: list[Callable[[], None]] = [names[stage.name] for stage in self._stages]
        begins: dict[Lookup, list[tuple[Hashable, TakeRows]]] = {}
        ends: dict[Lookup, list[tuple[Hashable, TakeRows]]] = {}
        self.moments: dict[Lookup, list[tuple[_Load, TakeRows | None]]] = {}
        points: dict[Lookup, list[Hashable]] = {}
        self._of_now: list[_Load] = []
        """The functions that take the current tick."""
        for key, relation in self._relations.items():
            if relation.is_momentary:
                assert isinstance(key, Shape)
                number = relation.number
                if _asks_for_now(key):
                    self._of_now.append(names[f"load{number}"])
                    continue
                self.moments.setdefault(key.lookup, []).append(
                    (names[f"load{number}"], names.get(f"fire{number}"))
                )
                points.setdefault(key.lookup, []).append(key)
                continue
            begin, end = names[f"begin{relation.number}"], names[f"end{relation.number}"]
            source = key.lookup if isinstance(key, Shape) else key
            if isinstance(source, Lookup | PartialJoin) and source in self._recursive:
                self._recursive[source].begin.append(begin)
                self._recursive[source].end.append(end)
            elif isinstance(source, Lookup):
                begins.setdefault(source, []).append((key, begin))
                ends.setdefault(source, []).append((key, end))
        self.chosen = _chosen({lookup: [key for key, _ in some] for lookup, some in begins.items()})
        self.chosen_points = _chosen(points)
        self.begin = {lookup: by_value(functions) for lookup, functions in begins.items()}
        self.end = {lookup: by_value(functions) for lookup, functions in ends.items()}
        outcomes = {derived: number for number, derived in enumerate(self._signatures)}
        self._outcomes: list[tuple[Callable[[], Changes], list[Signature]]] = [
            (derived.changes, signatures) for derived, signatures in self._signatures.items()
        ]
        """What gives the changes of rows, and the predicates that have them."""
        self._waiting = [derived.waiting for derived in self._signatures]
        """What is empty where there are none."""
        self._settle: Callable[[], None] = partial(settle, list(self._recursive.values()), check)
        self._everything = self._affecting(range(len(self._stages)), range(len(self._outcomes)))
        self._affected = self._affected_by_lookups()
        self._affected_by_several: dict[tuple[Lookup, ...], _Affected] = {}
        self._touched: _Affected | None = None
        """What may have changed and was not looked at."""
        self._negated = self._negated_alone()
        """The lookups that only `not` asks for; they go first where instances on the way may be too many."""
        self._of_moments: list[_OfMoments] = [
            _OfMoments(share.lists[0], head.target.lists, outcomes[head.target])
            for joined in self._moments.values()
            for head in joined.heads
            if isinstance(head.target, DerivedRows) and (share := head.share) is not None
        ]
        """What facts of a tick alone derive."""
        self._moment_indexes = [
            index
            for relation in self._relations.values()
            if relation.is_momentary
            for index in relation.indexes
        ]
        self._passing: list[tuple[list[Row], Sequence[Row], int]] = []
        """What they derived at the last tick that had some: what takes its end, the rows, the outcome."""
        self.passes_at: int | None = None
        """The tick at which that ends."""
        self._held: dict[DerivedRows, tuple[Lookup | None, Callable[[Iterable[Row]], list[Row]]]] = {
            derived: (lookup, names[f"held{derived.number}"]) for derived, lookup in self._starts.items()
        }

    def start(self) -> None:
        """Counts the instances that fire while nothing holds; to be called once, before all else."""
        for signature, rows in self.facts.items():
            for target in self._targets(signature, self.derived[signature]):
                target.add(rows)
        self._start()
        self._visit(self._everything)

    def _visit(self, affected: "_Affected") -> None:
        """Visits what is affected by the changes that were taken."""
        visits = self._visits
        for number in affected.stages:
            visits[number]()
        if self._recursive:
            self._settle()
        before = self._touched
        self._touched = (
            affected if before is None or before is affected else self._together([before, affected])
        )

    def _affected_by_lookups(self) -> dict[Lookup, _Affected]:
        """What the changes of each lookup may change, through aggregates, parts of joins and recursion."""
        if self._recursive:
            return dict.fromkeys(self.begin, self._everything)
        derives: dict[Hashable, list[DerivedRows | AggregateCode]] = {}
        for body, joined in self._joined.items():
            for part in joined.body.parts:
                if isinstance(part, Member | GroupValue) and body not in self._moments:
                    derives.setdefault(part.relation, []).extend(head.target for head in joined.heads)
        shapes: dict[Lookup, list[Hashable]] = {lookup: [] for lookup in self.begin}
        for key in self._relations:
            if isinstance(key, Shape) and not self._relations[key].is_momentary:
                shapes[key.lookup].append(key)
        stages = {
            stage.derived if isinstance(stage, PartialCode) else stage: number
            for number, stage in enumerate(self._stages)
        }
        outcomes = {derived: number for number, derived in enumerate(self._signatures)}
        found = {}
        for lookup, waiting in shapes.items():
            targets: set[DerivedRows | AggregateCode] = set()
            while waiting:
                for target in derives.get(waiting.pop(), ()):
                    if target not in targets:
                        targets.add(target)
                        waiting.extend(self._fed.get(target, ()))
            found[lookup] = self._affecting(
                sorted(stages[target] for target in targets if target in stages),
                sorted(outcomes[target] for target in targets if target in outcomes),
            )
        return found

    def _affecting(self, stages: Sequence[int], outcomes: Sequence[int]) -> _Affected:
        waiting = [self._waiting[one] for one in outcomes]
        more, less = [more for more, _ in waiting], [less for _, less in waiting]
        return _Affected(stages, outcomes, waiting, more, less, len(stages) + len(outcomes))

    def _negated_alone(self) -> frozenset[Lookup]:
        members = [
            part for one in self._joined.values() for part in one.body.parts if isinstance(part, Member)
        ]
        found: list[set[Lookup]] = [set(), set()]
        for member in members:
            if isinstance(member.relation, Shape):
                found[member.is_negative].add(member.relation.lookup)
        return frozenset(found[True] - found[False])

    def _together(self, several: Sequence[_Affected]) -> _Affected:
        """What the changes of several lookups may change."""
        return self._affecting(
            sorted({number for one in several for number in one.stages}),
            sorted({number for one in several for number in one.outcomes}),
        )

    def take(self, changed: Sequence[tuple[Lookup, Changes]]) -> None:
        """Takes the changes of lookups."""
        if len(changed) > 1 and self._scope.enumerates:
            changed = sorted(changed, key=lambda one: one[0] not in self._negated)
        for lookup, changes in reversed(changed):  # the last to begin met all others: the first to end does
            if changes.ended:
                for end in self.end[lookup]:
                    end(changes.ended)
        for lookup, changes in changed:
            if changes.began:
                for begin in self.begin[lookup]:
                    begin(changes.began)
        if len(changed) == 1:
            self._visit(self._affected[changed[0][0]])
        elif changed:
            several = [self._affected[lookup] for lookup, _ in changed]
            named = 0
            for one in several:
                named += one.number
            everything = self._everything
            self._visit(everything if named >= everything.number else self._together(several))

    def take_batches(
        self,
        batches: Sequence[tuple[Lookup, Batch]],
        points: Sequence[tuple[Lookup, Batch]],
        frontier: int,
        begin: int | None = None,
    ) -> dict[Signature, Batch]:
        """Takes the segments of several ticks, each after those before it; gives those of what is derived.

        Args:
            batches: the segments.
            points: those of momentary lookups.
            frontier: all ticks before it are over.
            begin: the first tick, if nothing was taken before (`start`).
        """
        found: dict[Signature, Batch] = {signature: [] for signature in self.derived}
        if self._recursive:
            self._take_each(batches, found, begin)
            return found
        if len(batches) == 1 and not points and begin is None and self.passes_at is None:
            self._take_one(*batches[0], found)
            return found
        events: list[tuple[int, Lookup, Sequence[Row] | None, Sequence[Row]]]
        events = [(tick, lookup, ended, began) for lookup, batch in batches for tick, ended, began in batch]
        events += [(tick, lookup, None, rows) for lookup, batch in points for tick, rows in batch]
        if len(batches) + len(points) > 1:
            events.sort(key=_tick)
        outcomes: list[tuple[Callable[[], Changes], Batch]] = [(changes, []) for changes, _ in self._outcomes]
        begins, ends, visits, scope = self.begin, self.end, self._visits, self._scope
        number, place = len(events), 0
        if begin is not None:
            self.start()
            if not events or events[0][0] != begin:
                self._settle_at(begin, self._everything.outcomes, outcomes)
                begin = None
        while place < number:
            tick, lookup, ended, began = events[place]
            passes_at = self.passes_at
            if passes_at is not None and passes_at < tick:
                self._settle_at(passes_at, self._let_pass(), outcomes)
                passes_at = None
            changed: Sequence[int] = () if passes_at is None else self._let_pass()
            first, place = place, place + 1
            moments: Sequence[Any] = ()
            affected = _UNAFFECTED
            if place < number and events[place][0] == tick:
                while place < number and events[place][0] == tick:
                    place += 1
                several = events[first:place]
                if points:
                    moments = [one for one in several if one[2] is None]
                    several = [one for one in several if one[2] is not None]
                if several:
                    affected = self._take_several(several)
            elif ended is None:
                moments = events[first:place]
            else:
                if ended:
                    for function in ends[lookup]:
                        function(ended)
                if began:
                    for function in begins[lookup]:
                        function(began)
                affected = self._affected[lookup]
            for stage in affected.stages:
                visits[stage]()
            if moments:
                changed = [*changed, *self._take_moments(tick, moments)]
            if scope.waiting:
                scope.settle()
            if tick == begin:
                changed = self._everything.outcomes
            elif affected.outcomes:
                changed = [*changed, *affected.outcomes] if changed else affected.outcomes
            if changed:
                self._settle_at(tick, changed, outcomes)
        if self.passes_at is not None and self.passes_at < frontier:
            self._settle_at(self.passes_at, self._let_pass(), outcomes)
        for (_, signatures), (_, segments) in zip(self._outcomes, outcomes, strict=True):
            for signature in signatures:
                found[signature] = segments
        return found

    def _take_one(self, lookup: Lookup, batch: Batch, found: dict[Signature, Batch]) -> None:
        """Takes the segments of one lookup alone."""
        affected, scope = self._affected[lookup], self._scope
        begins, ends = self.begin[lookup], self.end[lookup]
        visits = [self._visits[stage] for stage in affected.stages]
        outcomes: list[tuple[Any, Any, Callable[[], Changes], Batch]] = []
        for number in affected.outcomes:
            changes_of, signatures = self._outcomes[number]
            segments: Batch = []
            outcomes.append((*self._waiting[number], changes_of, segments))
            found.update(dict.fromkeys(signatures, segments))
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
            for more, less, changes_of, segments in outcomes:
                if more or less:
                    changes = changes_of()
                    if changes is not NO_CHANGES:
                        segments.append((tick, changes.ended, changes.began))

    def _settle_at(
        self, tick: int, changed: Iterable[int], outcomes: Sequence[tuple[Callable[[], Changes], Batch]]
    ) -> None:
        """Adds segments of what has changed at a tick, of outcomes by their numbers."""
        waiting = self._waiting
        for number in changed:
            more, less = waiting[number]
            if more or less:
                changes_of, segments = outcomes[number]
                changes = changes_of()
                if changes is not NO_CHANGES:
                    segments.append((tick, changes.ended, changes.began))

    def _take_moments(self, tick: int, moments: Iterable[tuple[int, Any, Any, Sequence[Row]]]) -> list[int]:
        """Takes the facts of a tick alone, once all else is known of it; gives the outcomes that change."""
        fired: list[tuple[TakeRows, Sequence[Row]]] = []
        for take in self._of_now:
            take([(tick, tick)])
        for _, lookup, _, points in moments:
            for load, fire in self.moments[lookup]:
                rows = load(points)
                if rows and fire is not None:
                    fired.append((fire, rows))
        for fire, rows in fired:
            fire(rows)
        for index in self._moment_indexes:
            index.clear()
        found = []
        for one in self._of_moments:
            if one.rows:
                derived = one.rows[:]
                one.rows.clear()
                one.waiting[0].extend(derived)
                self._passing.append((one.waiting[1], derived, one.outcome))
                found.append(one.outcome)
        if found:
            self.passes_at = tick + 1
        return found

    def _let_pass(self) -> list[int]:
        """What was derived of facts of the tick before ends; gives the outcomes that change."""
        passing, self._passing, self.passes_at = self._passing, [], None
        for less, rows, _ in passing:
            less.extend(rows)
        return [outcome for _, _, outcome in passing]

    def _take_several(self, several: list[tuple[int, Lookup, Any, Sequence[Row]]]) -> _Affected:
        """Takes the changes of several lookups at one tick."""
        if self._scope.enumerates:
            several.sort(key=lambda one: one[1] not in self._negated)
        begins, ends = self.begin, self.end
        for _, lookup, ended, _ in reversed(
            several
        ):  # the last to begin met all others: the first to end does
            if ended:
                for function in ends[lookup]:
                    function(ended)
        for _, lookup, _, began in several:
            if began:
                for function in begins[lookup]:
                    function(began)
        key = tuple([one[1] for one in several])
        affected = self._affected_by_several.get(key)
        if affected is None:
            if len(self._affected_by_several) > _MOST_KNOWN:
                self._affected_by_several.clear()
            affected = self._together([self._affected[lookup] for lookup in key])
            self._affected_by_several[key] = affected
        return affected

    def _take_each(
        self, batches: Sequence[tuple[Lookup, Batch]], found: dict[Signature, Batch], begin: int | None
    ) -> None:
        """The same with recursion."""
        by_tick: dict[int, list[tuple[Lookup, Changes]]] = {}
        if begin is not None:
            self.start()
            by_tick[begin] = []
        for lookup, batch in batches:
            for tick, ended, began in batch:
                by_tick.setdefault(tick, []).append((lookup, Changes(began, ended)))
        for tick in sorted(by_tick):
            self.take(by_tick[tick])
            derived: dict[Signature, Changes] = {}
            self.add_changes(derived)
            for signature, (began, ended) in derived.items():
                found[signature].append((tick, ended, began))

    def add_changes(self, found: dict[Signature, Changes]) -> None:
        """Adds the changes of what is derived since the last call, by predicate."""
        if self._scope.waiting:
            self._scope.settle()
        outcomes, touched, self._touched = self._outcomes, self._touched, None
        for number in () if touched is None else touched.changed:
            changes_of, signatures = outcomes[number]
            changes = changes_of()
            if changes is not NO_CHANGES:
                for signature in signatures:
                    found[signature] = changes

    def forget(self) -> None:
        """Forgets all answers, while no rule can fire."""
        for kept in self._kept:
            kept.forget()
        self._start()
        self._visit(self._everything)

    @property
    def size(self) -> int:
        """The number of rows that are kept."""
        return sum(kept.size for kept in (*self._signatures, *self._kept))

    @property
    def _kept(self) -> list[Relation | AggregateCode | PartialCode]:
        """What keeps rows besides the heads."""
        return [*self._relations.values(), *self._stages]

    def held(self, signature: Signature, answer: Callable[[Lookup], Iterable[Row]]) -> list[Row]:
        """The rows that hold; `answer` gives those of a lookup."""
        derived = self.derived[signature]
        if derived.is_counted:
            return derived.held()
        if derived not in self._held:
            return list(self.facts.get(signature, ()))
        lookup, function = self._held[derived]
        found: list[Row] = function(() if lookup is None else answer(lookup))
        return found

    # --- rules ----------------------------------------------------------------------------------------

    def _derive(self, rules: Sequence[RowRule]) -> None:
        for signature in sorted(recursive_predicates(rules)):
            self._recursive[Lookup(LookupKind.OWN, signature)] = self._new_recursive()
        sources: dict[Signature, dict[tuple[RowBody, tuple[Term, ...]], Location]] = {}
        facts: dict[Signature, dict[Row, None]] = {}
        for rule in rules:
            if has_empty_tuples(rule):
                self._scope.on_message(rule.location, "empty tuple ignored")
            row = ground_row(rule)
            if row is not None:
                facts.setdefault(rule.derives, {})[row] = None
                continue
            normal = split(normal_form(rule.terms, rule.body, rule.location))
            canonical, joined, terms = self._join(normal.body, normal.terms)
            several = sources.setdefault(rule.derives, {})
            self._note(rule, joined, is_new=(canonical, terms) not in several)
            several.setdefault((canonical, terms), rule.location)
        self.facts = {signature: list(rows) for signature, rows in facts.items()}
        single: dict[tuple[RowBody, tuple[Term, ...]], DerivedRows] = {}
        for signature in dict.fromkeys([*facts, *sources]):
            several = sources.get(signature, {})
            recursive = self._recursive_of(signature)
            if len(several) == 1 and signature not in facts and recursive is None:
                [(source, location)] = several.items()
                body, terms = source
                joined = self._joined[body]
                derived = single.get(source)
                if derived is None:
                    derived = single[source] = self._new_derived(joined, terms)
                    joined.heads.append(RowHead(derived, terms, location))
            else:
                number, is_counted = next(self._numbers), bool(several)
                derived = self._new_shared(number, is_counted=is_counted)
                if recursive is not None and not self._separates_input:
                    derived = recursive
                for (body, terms), location in several.items():
                    for target in self._targets(signature, derived):
                        if target is recursive or not body.is_input:
                            share = self._share(target, location)
                            self._joined[body].heads.append(RowHead(target, terms, location, share))
            self.derived[signature] = derived

    def _join(self, body: RowBody, terms: tuple[Term, ...]) -> tuple[RowBody, Joined, tuple[Term, ...]]:
        """The join of a body or an equal one: its key, the join, and the terms over its variables."""
        canonical, names = body.canonical()
        joined = self._joined.get(canonical)
        if joined is None:
            self._prepare(body)
            joined = self._joined[canonical] = Joined(body, len(self._joined))
        _, own = joined.body.canonical()
        to_own: dict[str, Term] = {name: Variable(own[found]) for found, name in names.items()}
        return canonical, joined, tuple(substituted(term, to_own) for term in terms)

    def _recursive_of(self, signature: Signature) -> Recursive | None:
        return self._recursive.get(Lookup(LookupKind.OWN, signature))

    def _targets(self, signature: Signature, derived: DerivedRows) -> Iterable[DerivedRows]:
        """What takes the rows of a predicate: two where its input is separated."""
        return dict.fromkeys((self._recursive_of(signature) or derived, derived))

    def _note(self, rule: RowRule, joined: Joined, *, is_new: bool) -> None:
        """A rule has a join, and says no more than one before if it is not new; for who measures rules."""

    def _share(self, target: DerivedRows, location: Location) -> DerivedRows | None:
        """What a rule derives of rows that others derive as well, where that is told apart."""
        return None

    def _new_recursive(self) -> Recursive:
        return Recursive(next(self._numbers), self._scope, self._stamps)

    def _new_shared(self, number: int, *, is_counted: bool) -> DerivedRows:
        """What several rules derive, or rules and facts."""
        return DerivedRows(number, self._scope, is_counted=is_counted, is_net=False)

    def _new_derived(self, joined: Joined, terms: tuple[Term, ...]) -> DerivedRows:
        """What one body alone derives."""
        is_counted = not is_single(joined.body, terms)
        return DerivedRows(
            next(self._numbers), self._scope, is_counted=is_counted, is_net=is_net(joined.body)
        )

    # --- code -----------------------------------------------------------------------------------------

    def _prepare(self, body: RowBody) -> None:
        """Makes the relations of a body, and the aggregates that some of them are of."""
        for part in body.parts:
            if not isinstance(part, Member | GroupValue) or part.relation in self._relations:
                continue
            make = partial(Relation, scope=self._scope)
            match part.relation:
                case Shape(lookup, _, columns) as shape:
                    relation = make(columns, lookup.title, shape=shape, integers=integer_columns(shape))
                    if lookup in self._recursive:
                        relation.entries = self._recursive[lookup].entries
                case Bounded(aggregate) as bounded:
                    code = self._aggregate(aggregate)
                    relation = make(columns_of(aggregate.size), f"the bounds of aggregate {code.number}")
                    code.add_relation(bounded, relation)
                    self._fed.setdefault(code, []).append(bounded)
                case Valued(aggregate) as valued:
                    code = self._aggregate(aggregate)
                    columns = columns_of(aggregate.size + 1)
                    integers = columns[-1:] if aggregate.is_number else ()
                    relation = make(columns, f"the values of aggregate {code.number}", integers=integers)
                    code.add_relation(valued, relation)
                    self._fed.setdefault(code, []).append(valued)
                case PartialJoin(inner, variables):
                    terms: tuple[Term, ...] = tuple(map(Variable, variables))
                    _, joined, terms = self._join(inner, terms)
                    relation = make(columns_of(len(variables)), "a part of a join")
                    members = (one for one in joined.body.parts if isinstance(one, Member))
                    if any(self._relations[one.relation].entries for one in members):
                        recursive = self._recursive[part.relation] = self._new_recursive()
                        relation.entries = recursive.entries
                        joined.heads.append(RowHead(recursive, terms, inner.location))
                    else:
                        derived = self._new_derived(joined, terms)
                        joined.heads.append(RowHead(derived, terms, inner.location))
                        self._stages.append(PartialCode(derived, relation, self._scope))
                        self._fed.setdefault(derived, []).append(part.relation)
                case key:
                    raise TypeError(key)
            self._relations[part.relation] = relation

    def _aggregate(self, aggregate: RowAggregate) -> AggregateCode:
        found = self._aggregates.get(aggregate)
        if found is not None:
            return found
        elements = map(split, aggregate.elements)
        sources = [self._join(element.body, element.terms)[1:] for element in elements]
        is_one = len(sources) == 1 and is_single(sources[0][0].body, sources[0][1])
        location = aggregate.elements[0].body.location if aggregate.elements else NOWHERE
        found = AggregateCode(
            len(self._aggregates), aggregate, self._scope, is_single=is_one, location=location
        )
        self._aggregates[aggregate] = found
        self._stages.append(found)
        for joined, terms in sources:
            joined.heads.append(RowHead(found, terms, location))
        return found

    def _write(self) -> str:
        lines = CodeLines()
        start = CodeLines()
        for key, joined in self._joined.items():
            if key in self._moments:
                self._write_moment(joined)
                continue
            parts = joined.body.parts
            if all(part.is_negative for part in parts if isinstance(part, Member)):
                bindings = search(joined.body, None, self._relations, self._scope)
                self._write_instances(start, bindings, joined, is_more=True)
            for place, part in enumerate(parts):
                if isinstance(part, Member | GroupValue):
                    self._write_changes(joined, place, part)
        held = CodeLines()
        for joined in self._joined.values() if self._has_held else ():
            for head in joined.heads:
                target = head.target
                if target in self._signatures and not target.is_counted:
                    self._write_held(held, target, joined.body, head.terms)
        with lines.block("def start():"):
            lines.line('"""Nothing holds."""')
            lines.add(start)
        lines.line()
        for relation in self._relations.values():
            self._write_relation(lines, relation)
        for stage in self._stages:
            stage.write_visit(lines)
        lines.add(held)
        return lines.text

    def _write_moment(self, joined: Joined) -> None:
        """Writes what is derived of facts that hold at a tick alone, once all else is known of it."""
        parts = joined.body.parts
        place, part = next((place, one) for place, one in enumerate(parts) if self._is_moment(one))
        self._write_changes(joined, place, part, is_moment=True)

    def _is_moment(self, part: Conjunct) -> bool:
        if not isinstance(part, Member) or part.is_negative or _asks_for_now(part.relation):
            return False
        return self._relations[part.relation].is_momentary

    def _find_moments(self, momentary: Collection[Lookup]) -> dict[RowBody, Joined]:
        """The joins that are worked out anew at each tick that has facts, as they hold at that tick alone.

        Marks the relations that only these look at.
        """
        if not momentary or self._recursive:
            self.asks_for_now = any(_asks_for_now(key) for key in self._relations)
            return {}
        derived = {*self.derived.values()}
        found = {
            key: joined
            for key, joined in self._joined.items()
            if joined.heads and derived.issuperset(head.target for head in joined.heads)
        }
        marked = {key for key in self._relations if isinstance(key, Shape) and key.lookup in momentary}
        while True:
            found = {
                key: joined
                for key, joined in found.items()
                if any(
                    isinstance(part, Member)
                    and not (part.is_negative or _asks_for_now(part.relation))
                    and part.relation in marked
                    for part in joined.body.parts
                )
            }
            others = {
                part.relation
                for key, joined in self._joined.items()
                if key not in found
                for part in joined.body.parts
                if isinstance(part, Member)
            }
            if marked.isdisjoint(others):
                break
            marked -= others
        self.asks_for_now = any(_asks_for_now(key) for key in self._relations.keys() - marked)
        for key in marked:
            self._relations[key].mark_momentary()
        for number, joined in enumerate(found.values()):
            for place, head in enumerate(joined.heads):
                assert isinstance(head.target, DerivedRows)
                head.target.let_pass()
                share = head.target.apart(self._scope, f"_{number}_{place}")
                joined.heads[place] = head._replace(share=share)
        return found

    def _write_relation(self, lines: CodeLines, relation: Relation) -> None:
        relation.write(lines)

    def _write_changes(self, joined: Joined, place: int, part: Conjunct, *, is_moment: bool = False) -> None:
        """Writes the counting of the instances in which a part has the row that changed."""
        assert isinstance(part, Member | GroupValue)
        relation, scope = self._relations[part.relation], self._scope
        reports = scope.reports
        bindings = search(joined.body, place, self._relations, scope, is_change=not is_moment)
        reports = scope.reports - reports
        others = [
            one for one in joined.body.parts if isinstance(one, Member | GroupValue) and one is not part
        ]
        is_apart = all(one.relation != part.relation for one in others)
        is_bulk = (
            not bindings.steps.has_loops and all(head.target.is_bulk for head in joined.heads) and is_apart
        )
        for is_begin in (True,) if is_moment else (True, False):
            is_more = is_begin is not (isinstance(part, Member) and part.is_negative)
            scope.is_more = is_more
            found = bindings
            if reports and not is_more:
                found = search(joined.body, place, self._relations, scope)
            piece = Piece(joined.owner, CodeLines(), is_apart)
            if is_bulk:
                relation.at_once[is_begin].append(piece)
                guard = "" if reports else "".join(f"if {index}: " for index in found.needed[:1])
                self._write_bulk(piece.lines, relation.columns, found, joined, guard, is_more=is_more)
            else:
                relation.each[is_begin].append(piece)
                self._write_instances(piece.lines, found, joined, relation.columns, is_more=is_more)
            scope.is_more = True

    @staticmethod
    def _write_bulk(
        lines: CodeLines,
        columns: Sequence[str],
        bindings: Bindings,
        joined: Joined,
        guard: str,
        *,
        is_more: bool,
    ) -> None:
        """Writes comprehensions over all rows that change, behind a guard."""
        for head in joined.heads:
            own = bindings.copy(head.location)
            codes = [own.value(term) for term in head.terms]
            assert isinstance(head.code, DerivedRows)
            result, statement = head.code.bulk(codes, is_more=is_more)
            is_same = result == as_row(columns)
            if is_same and not own.steps.steps:
                rows = "rows"
            elif is_same:
                rows = own.steps.comprehension("row", f"row in rows for {targets(columns)}", "[row]")
            else:
                rows = own.steps.comprehension(result, targets(columns), "rows")
            lines.line(guard + statement.format(rows))

    @staticmethod
    def _write_instances(
        lines: CodeLines,
        bindings: Bindings,
        joined: Joined,
        columns: Sequence[str] | None = None,
        *,
        is_more: bool,
    ) -> None:
        """Writes the counting of instances; `columns` are those of the row that changes, if one does."""

        def heads() -> None:
            for head in joined.heads:
                own, code = bindings.copy(head.location), head.code
                codes = [own.value(term) for term in head.terms]
                row = "row" if columns is not None and codes == list(columns) else None
                write = partial(code.write, lines, codes, is_more=is_more, row=row)
                if isinstance(code, Recursive):
                    write = partial(write, stamps=bindings.stamps)
                own.steps.since(bindings.steps).write(lines, write)

        bindings.steps.write(lines, heads)

    def _write_held(
        self, lines: CodeLines, derived: DerivedRows, body: RowBody, terms: tuple[Term, ...]
    ) -> None:
        """Writes the function that finds all rows that are derived, as they are kept nowhere."""
        members = [
            (place, part)
            for place, part in enumerate(body.parts)
            if isinstance(part, Member) and not part.is_negative
        ]
        place, member = min(members, key=lambda one: not _is_answer(one[1]), default=(None, None))
        bindings = search(body, place, self._relations, self._scope, is_change=False)
        codes = [bindings.value(term) for term in terms]
        self._starts[derived] = None

        def found() -> None:
            bindings.steps.write(lines, lambda: lines.line(f"found.append({as_row(codes)})"))

        with lines.block(f"def held{derived.number}(rows):"):
            lines.line("found = []")
            if member is None:
                found()
            elif _is_answer(member):
                relation = self._relations[member.relation]
                self._starts[derived] = relation.lookup
                relation.write_rows(lines)
                with lines.block(f"for {targets(relation.columns)} in rows:"):
                    found()
            else:
                relation = self._relations[member.relation]
                columns = ", ".join(relation.columns) or "[]"
                with lines.block(f"for {columns} in {relation.index(())}:"):
                    found()
            lines.line("return found")
        lines.line()


def _chosen(
    shapes: Mapping[Lookup, Sequence[Hashable]],
) -> dict[Lookup, tuple[int, frozenset[Value]]]:
    """By lookups of which only rows with certain values at a place matter: the place and the values."""
    found = {
        lookup: common_values(some, 0 if lookup.signature is None else lookup.signature.arity)
        for lookup, some in shapes.items()
    }
    return {lookup: one for lookup, one in found.items() if one is not None}


def _asks_for_now(key: Hashable) -> bool:
    """Whether a relation has the current tick."""
    return isinstance(key, Shape) and key.lookup is THIS_TICK


_MOST_KNOWN = 500
"""The number of sets of lookups of which it is known what their changes may change."""

_tick = itemgetter(0)

_UNAFFECTED = _Affected((), (), (), (), (), 0)
"""Stands for nothing that changes."""


def columns_of(number: int) -> tuple[str, ...]:
    """Names for columns."""
    return tuple(f"v{place}" for place in range(number))


def _is_answer(member: Member) -> bool:
    """Whether the rows of a member's relation are answers to a lookup, one for each."""
    return isinstance(member.relation, Shape) and not member.relation.is_projection


def positive_lookups(rule: RowRule) -> list[Lookup]:
    """The lookups that must have answers for a rule to fire."""
    return [part.lookup for part in rule.body if isinstance(part, LookupPart) and part.sign is not Sign.NOT]


def has_empty_tuples(rule: RowRule) -> bool:
    """Whether an aggregate of a rule has an element that does not count as there is nothing in its tuple."""
    return any(
        not element.terms and part.function != "#count"
        for part in rule.body
        if isinstance(part, AggregatePart)
        for element in part.elements
    )


def ground_row(rule: RowRule) -> Row | None:
    """The row that a fact without anything to compute derives; None for other rules."""
    if rule.body:
        return None
    values = [ground_value(term) for term in rule.terms]
    row = tuple(value for value in values if value is not None)
    return row if len(row) == len(values) else None


_NUMBERED = (LookupKind.AT, LookupKind.SCHEDULED, LookupKind.COUNT, LookupKind.COUNT_BEFORE)
"""The lookups whose rows end with an integer."""


def integer_columns(shape: Shape) -> list[str]:
    """The columns of a shape whose values are integers, whatever the data is."""
    if shape.lookup.signature is None:
        terms: Sequence[Term] = shape.terms
    else:
        terms = shape.terms[-1:] if shape.lookup.kind in _NUMBERED else ()
    return [term.name for term in terms if isinstance(term, Variable) and term.name in shape.kept]

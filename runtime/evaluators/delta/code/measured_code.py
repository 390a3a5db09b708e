"""Code of rules that counts what each rule does, and says at sampled ticks whose time passes.

Each function that takes rows counts its calls. Its time at sampled ticks belongs to its relation, or, once
rules have taken so long that it pays to make a second form of it, to each join by itself: there `switch` is
told whose the time is from here on. What joins, relations and aggregates cost is divided between the rules
that they are of.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from time import perf_counter
from types import FunctionType
from typing import Any, TypeVar

from lars2asp.externals.operators import Batch
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.planning.lookups import Lookup
from lars2asp.planning.rows.row_rules import RowRule
from lars2asp.runtime.evaluators.costs.rule_statistics import RuleStatistics
from lars2asp.runtime.evaluators.delta.code.aggregate_code import AggregateCode
from lars2asp.runtime.evaluators.delta.code.batch_code import BatchCode, Outcome
from lars2asp.runtime.evaluators.delta.code.by_value import ByValue, TakeRows
from lars2asp.runtime.evaluators.delta.code.code_lines import CodeLines, run
from lars2asp.runtime.evaluators.delta.code.heads import DerivedRows
from lars2asp.runtime.evaluators.delta.code.partial_code import PartialCode
from lars2asp.runtime.evaluators.delta.code.rank_code import RankCode
from lars2asp.runtime.evaluators.delta.code.recursion import Recursive
from lars2asp.runtime.evaluators.delta.code.relations import Relation
from lars2asp.runtime.evaluators.delta.code.row_code import Joined, RowCode
from lars2asp.runtime.evaluators.delta.code.shares import SharedDerived, SharedRecursive
from lars2asp.runtime.evaluators.delta.code.tick_code import TickCode
from lars2asp.runtime.evaluators.delta.rules.aggregates import Bounded, Valued
from lars2asp.runtime.evaluators.delta.rules.bodies import GroupValue, Member
from lars2asp.runtime.evaluators.delta.rules.partial_joins import PartialJoin
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import NOWHERE, Location
from lars2asp.syntax.values import dataclass

T = TypeVar("T")

SHARE = 64
"""Compiling code for sampled ticks may take one part in so many of the time that rules take."""

COMPILING = 0.001
"""In seconds: how long it takes to compile a function, about."""

NOBODY = ""
"""Owns the time that belongs to no rule."""

_RECURSION = "recursion"
"""Owns the time in which rows that depend on each other are followed."""


class _Parts:
    """What a rule is made of.

    Attributes:
        joins: its joins: that of its body, and those of elements and parts of it.
        relations: what they join.
        stages: aggregates, and parts of joins.
        head: the predicate that it derives.
        owners: what its time is booked under.
        is_new: whether it says more than rules before it, for which else its atoms count.
    """

    def __init__(self, head: Signature) -> None:
        self.joins: dict[str, Joined] = {}
        self.relations: dict[str, Relation] = {}
        self.stages: dict[str, AggregateCode | PartialCode | RankCode] = {}
        self.head = head
        self.owners: Sequence[str] = ()
        self.is_new = False


class _Book:
    """What is counted; by itself, as Python looks up attributes more slowly where an object has many.

    Attributes:
        bodies: rules, their joins, and whether they say more than those before.
        runs: how often rows went through a relation.
        made: how many atoms have begun and ended.
        places: where these are, by what is derived.
        parts: what rules are made of.
        clock: books the time of sampled ticks.
        owned: seconds by owners.
        users: the rules that an owner is of.
        sampling: what sampled ticks need; None before the first one.
        timed_names: the names that code for sampled ticks uses.
        compiling: the seconds that compiling it has taken.
    """

    def __init__(self) -> None:
        self.bodies: list[tuple[RowRule, Joined, bool]] = []
        self.runs: list[int] = []
        self.made: list[int] = []
        self.places: dict[DerivedRows, int] = {}
        self.parts: dict[Location, _Parts] = {}
        self.clock = _Clock()
        self.owned: dict[str, float] = {}
        self.users: dict[str, list[Location]] = {}
        self.sampling: _Sampling | None = None
        self.timed_names: dict[str, Any] = {}
        self.compiling = 0.0


class MeasuredCode(RowCode):
    """The same functions, which count.

    Takes what RowCode takes.
    """

    def __init__(self, rules: Sequence[RowRule], *arguments: Any, **options: Any) -> None:
        self._book = book = _Book()
        super().__init__(rules, *arguments, **options)
        for rule, joined, is_new in book.bodies:
            if rule.location is not NOWHERE:
                parts = book.parts.setdefault(rule.location, _Parts(rule.derives))
                parts.is_new |= is_new
                self._collect(joined, parts)
        for location, parts in book.parts.items():
            parts.owners = self._owners(parts)
            for owner in parts.owners:
                book.users.setdefault(owner, []).append(location)

    @property
    def clock(self) -> "_Clock":
        """Books the time of sampled ticks."""
        return self._book.clock

    # --- rules ----------------------------------------------------------------------------------------

    def counted(self, location: Location, name: RuleStatistics) -> RuleStatistics:
        """What the rule at a place has done and cost."""
        parts = self._book.parts.get(location)
        if parts is None:
            return name
        derived = self.derived[parts.head]
        if not parts.is_new:
            changes = 0
        elif isinstance(derived, SharedDerived | SharedRecursive):
            changes = derived.made(location)
        else:
            changes = self._made(derived)
        shapes = (one for one in parts.relations.values() if one.shape is not None)
        return replace(
            name,
            evaluations=sum(self._book.runs[relation.number] for relation in shapes),
            changes=changes,
            rows=self._kept_for(parts),
            seconds=sum(self._book.owned.get(one, 0.0) / len(self._book.users[one]) for one in parts.owners),
        )

    def _kept_for(self, parts: _Parts) -> int:
        """The number of rows that are kept for a rule."""
        kept = sum(relation.rows for relation in parts.relations.values())
        kept += sum(_rows_of(stage) for stage in parts.stages.values())
        return kept + sum(map(_rows_of, self._targets(parts.head, self.derived[parts.head])))

    def _owners(self, parts: _Parts) -> list[str]:
        """What a rule's time is booked under."""
        found = [*parts.joins, *parts.relations, *parts.stages]
        found += [_owner_of(one) for one in self._targets(parts.head, self.derived[parts.head])]
        entries = any(relation.entries for relation in parts.relations.values())
        return [*found, _RECURSION] if entries or self._recursive_of(parts.head) is not None else found

    def _collect(self, joined: Joined, parts: _Parts) -> None:
        """Adds a join, and all that it is made of."""
        if joined.owner in parts.joins:
            return
        parts.joins[joined.owner] = joined
        for part in joined.body.parts:
            if not isinstance(part, Member | GroupValue):
                continue
            relation = self._relations[part.relation]
            parts.relations[relation.owner] = relation
            match part.relation:
                case PartialJoin(body):
                    for stage in self._stages:
                        if isinstance(stage, PartialCode) and stage.relation is relation:
                            parts.stages[stage.name] = stage
                    self._collect(self._joined[body], parts)
                case Bounded(aggregate) | Valued(aggregate):
                    ranks = (one for one in self._stages if isinstance(one, RankCode))
                    rank = next((one for one in ranks if one.relation is relation), None)
                    if rank is not None:
                        parts.stages[rank.name] = rank
                        for key in (rank.ranking.asked, rank.ranking.counted):
                            parts.relations[self._relations[key].owner] = self._relations[key]
                        continue
                    code = self._aggregates[aggregate]
                    parts.stages[code.name] = code
                    for element in aggregate.elements:
                        self._collect(self._joined[element.body.canonical()[0]], parts)

    # --- what the code is made of ---------------------------------------------------------------------

    def _note(self, rule: RowRule, joined: Joined, *, is_new: bool) -> None:
        self._book.bodies.append((rule, joined, is_new))

    def _share(self, target: DerivedRows, location: Location) -> DerivedRows | None:
        if location is NOWHERE or not isinstance(target, SharedDerived | SharedRecursive):
            return None
        return target.share(location)

    def _new_recursive(self) -> Recursive:
        return SharedRecursive(next(self._numbers), self._scope, self._stamps)

    def _new_shared(self, number: int, *, is_counted: bool) -> DerivedRows:
        if not is_counted:
            return super()._new_shared(number, is_counted=False)
        return SharedDerived(number, self._scope)

    def _write_relation(self, lines: CodeLines, relation: Relation) -> None:
        self._scope.names["runs"] = self._book.runs
        self._book.runs += [0] * (relation.number + 1 - len(self._book.runs))
        relation.write(lines, _counting(relation))

    # --- sampled ticks --------------------------------------------------------------------------------

    def begin_sample(self) -> None:
        """The time of rules is taken from here on."""
        if self._book.sampling is None:
            self._book.sampling = self._new_sampling()
        self.clock.begin()
        self._swap(self._book.sampling)

    def end_sample(self, ticks: int) -> None:
        """It is not any more; what was found stands for so many ticks."""
        assert self._book.sampling is not None
        self._swap(self._book.sampling)
        for owner, seconds in self.clock.end().items():
            self._book.owned[owner] = self._book.owned.get(owner, 0.0) + seconds * ticks

    def _swap(self, timed: "_Sampling") -> None:
        """Puts the functions for sampled ticks in place of the others, or takes them out again."""
        self.begin, timed.begin = timed.begin, self.begin
        self.end, timed.end = timed.end, self.end
        self._settle, timed.settle = timed.settle, self._settle
        for one, functions in timed.recursive.items():
            own = one.begin, one.end
            one.begin, one.end = functions
            timed.recursive[one] = own

    @property
    def may_compile(self) -> bool:
        """Whether rules have taken so long that code for sampled ticks is worth it."""
        return (self._book.compiling + COMPILING) * SHARE <= sum(self._book.owned.values())

    def compiled(self, relation: Relation, *, is_begin: bool) -> TakeRows:
        """The function that takes rows, in the form for sampled ticks."""
        outer, began = self.clock.switch(NOBODY), perf_counter()
        lines = CodeLines()
        relation.write_timed(lines, _counting(relation), is_begin=is_begin)
        names = run(lines.text, self._book.timed_names)
        self._book.compiling += perf_counter() - began
        self.clock.switch(outer)
        function: TakeRows = names[f"{'begin' if is_begin else 'end'}{relation.number}"]
        return function

    def is_of_same_rules(self, relation: Relation, *, is_begin: bool) -> bool:
        """Whether all that is done with rows of a relation is done for the same rules."""
        owners = {one.owner for one in (*relation.at_once[is_begin], *relation.each[is_begin])}
        return all(self._book.users.get(one) == self._book.users.get(relation.owner) for one in owners)

    def _new_sampling(self) -> "_Sampling":
        names, clock = dict(self._names), self.clock
        names["switch"] = clock.switch
        self._book.timed_names = names
        timed_of: dict[TakeRows, TakeRows] = {}
        for relation in self._relations.values():
            for is_begin, verb in ((True, "begin"), (False, "end")):
                name = f"{verb}{relation.number}"
                plain = names[name]
                names[name] = timed_of[plain] = _Timed(plain, relation, self, is_begin=is_begin)
        visits = {}
        for stage in self._stages:
            plain = self._names[stage.name]
            own = FunctionType(plain.__code__, names) if isinstance(plain, FunctionType) else plain
            visits[stage.name] = clock.owned(own, stage.name)

        def timed(one: TakeRows) -> TakeRows:
            return one.with_others(timed_of) if isinstance(one, ByValue) else timed_of[one]

        def all_timed(found: Mapping[Lookup, Sequence[TakeRows]]) -> dict[Lookup, list[TakeRows]]:
            return {lookup: [timed(one) for one in functions] for lookup, functions in found.items()}

        return _Sampling(
            all_timed(self.begin),
            all_timed(self.end),
            visits,
            clock.owned(self._settle, _RECURSION),
            self._timed_outcomes(),
            {
                one: ([timed_of[begin] for begin in one.begin], [timed_of[end] for end in one.end])
                for one in self._recursive.values()
            },
        )

    @abstractmethod
    def _timed_outcomes(self) -> list[Any]:
        """What gives the changes of what is derived, for sampled ticks."""

    @abstractmethod
    def _made(self, derived: DerivedRows) -> int:
        """How many atoms have begun and ended of what one rule derives."""


class MeasuredRowCode(MeasuredCode, TickCode):
    """That of single ticks.

    Takes what TickCode takes.
    """

    def __init__(self, rules: Sequence[RowRule], *arguments: Any, **options: Any) -> None:
        super().__init__(rules, *arguments, **options)
        self._book.made = [0] * len(self._outcomes)
        self._book.places = {derived: place for place, derived in enumerate(self._signatures)}

    def add_changes(self, found: dict[Signature, Changes]) -> None:
        """Adds the changes of what is derived since the last call, by predicate."""
        outcomes, made, touched, self._touched = self._outcomes, self._book.made, self._touched, None
        for number in () if touched is None else touched.changed:
            changes_of, signatures = outcomes[number]
            changes = changes_of()
            if changes is not NO_CHANGES:
                began, ended = changes
                made[number] += len(began) + len(ended)
                for signature in signatures:
                    found[signature] = changes

    def _swap(self, timed: "_Sampling") -> None:
        super()._swap(timed)
        others = [timed.visits[stage.name] for stage in self._stages]
        for place, stage in enumerate(self._stages):
            timed.visits[stage.name], self._visits[place] = self._visits[place], others[place]
        self._outcomes, timed.outcomes = timed.outcomes, self._outcomes

    def _timed_outcomes(self) -> list[tuple[Callable[[], Changes], list[Signature]]]:
        return [
            (self.clock.owned(changes, _owner_of(derived)), signatures)
            for derived, (changes, signatures) in zip(self._signatures, self._outcomes, strict=True)
        ]

    def _made(self, derived: DerivedRows) -> int:
        return self._book.made[self._book.places[derived]]


class MeasuredBatchCode(MeasuredCode, BatchCode):
    """That of batches: time is taken of whole relations.

    Takes what BatchCode takes; facts of a tick alone are taken as they begin and end.
    """

    may_compile = False

    def __init__(self, rules: Sequence[RowRule], *arguments: Any, **options: Any) -> None:
        super().__init__(rules, *arguments, **options)
        self._made_by = dict.fromkeys(self._signatures, 0)

    def _handed(self) -> list[tuple[Sequence[Signature], Batch]]:
        for one in self._changed:
            for _, ended, began in one.segments:
                self._made_by[one.derived] += len(ended) + len(began)
        return super()._handed()

    def forget_counts(self) -> None:
        """Nothing was done so far."""
        self._made_by = dict.fromkeys(self._signatures, 0)
        self._book.runs[:] = [0] * len(self._book.runs)
        for one in self._signatures:
            if isinstance(one, SharedDerived | SharedRecursive):
                one.forget_counts()

    def _swap(self, timed: "_Sampling") -> None:
        super()._swap(timed)
        self._names, timed.names = timed.names or {**self._names, **timed.visits}, self._names
        self._outcomes, timed.outcomes = timed.outcomes, self._outcomes
        self._plans, timed.plans = timed.plans, self._plans
        for place, lookup in enumerate(self.begin):
            self._functions[self._begins[place]] = self.begin[lookup]
            self._functions[self._ends[place]] = self.end[lookup]

    def _timed_outcomes(self) -> "list[_TimedOutcome]":
        return [_TimedOutcome(one, self.clock) for one in self._outcomes]

    def _made(self, derived: DerivedRows) -> int:
        return self._made_by[derived]


class _TimedOutcome:
    """What rules derive of predicates, for sampled batches."""

    def __init__(self, plain: Outcome, clock: "_Clock") -> None:
        self._plain, self._clock = plain, clock
        self._owner = _owner_of(plain.derived)

    @property
    def waiting(self) -> tuple[Sequence[Row], Sequence[Row], Any]:
        """See Outcome."""
        return (*self._plain.derived.waiting, self)

    def settle(self, tick: int) -> None:
        """Adds what has changed at a tick."""
        outer = self._clock.switch(self._owner)
        self._plain.settle(tick)
        self._clock.switch(outer)


@dataclass
class _Sampling:
    """What takes the place of the functions at sampled ticks, by the names of TickCode."""

    begin: dict[Lookup, list[TakeRows]]
    end: dict[Lookup, list[TakeRows]]
    visits: dict[str, Callable[[], None]]
    settle: Callable[[], None]
    outcomes: Any
    recursive: dict[Recursive, tuple[list[TakeRows], list[TakeRows]]]
    names: dict[str, Any] = field(default_factory=dict)
    plans: dict[int, Any] = field(default_factory=dict)


class _Timed:
    """A function that takes rows, for sampled ticks.

    While it does not pay to make the form in which joins are told apart, or where all of it is of the same
    rules, the time of the plain one belongs to the relation.

    Args:
        plain: the function.
        relation: the relation of the rows.
        is_begin: whether they begin.
        code: what the function is of.
    """

    def __init__(self, plain: TakeRows, relation: Relation, code: MeasuredCode, *, is_begin: bool) -> None:
        self._function, self._relation, self._code, self._is_begin = plain, relation, code, is_begin
        self._is_plain = True
        self._is_whole = code.is_of_same_rules(relation, is_begin=is_begin)

    def __call__(self, rows: Sequence[Row]) -> None:
        clock = self._code.clock
        if self._is_plain and not self._is_whole and self._code.may_compile:
            self._is_plain = False
            self._function = self._code.compiled(self._relation, is_begin=self._is_begin)
        if self._is_plain:
            outer = clock.switch(self._relation.owner)
            self._function(rows)
            clock.switch(outer)
        else:
            self._function(rows)


class _Clock:
    """Books the time that passes under owners."""

    def __init__(self) -> None:
        self._found: dict[str, float] = {}
        self._owner, self._since = NOBODY, 0.0

    def begin(self) -> None:
        """Time passes from here on, and belongs to nobody."""
        self._found = {}
        self._owner, self._since = NOBODY, perf_counter()

    def end(self) -> dict[str, float]:
        """The seconds by owners."""
        self.switch(NOBODY)
        return self._found

    def switch(self, owner: str) -> str:
        """From here on it is the time of another owner; gives the one whose it was."""
        now, before = perf_counter(), self._owner
        self._found[before] = self._found.get(before, 0.0) + now - self._since
        self._owner, self._since = owner, perf_counter()
        return before

    def owned(self, function: Callable[[], T], owner: str) -> Callable[[], T]:
        """A function whose time belongs to an owner."""

        def timed() -> T:
            outer = self.switch(owner)
            try:
                return function()
            finally:
                self.switch(outer)

        return timed


def _counting(relation: Relation) -> str:
    """The line that counts that rows go through a relation."""
    return f"runs[{relation.number}] += 1"


def _owner_of(derived: DerivedRows) -> str:
    return f"rows {derived.number}"


def _rows_of(kept: DerivedRows | AggregateCode | PartialCode | RankCode) -> int:
    """The number of rows that are kept, each once."""
    match kept:
        case AggregateCode() | RankCode():
            return kept.size
        case PartialCode(derived=derived):
            return _rows_of(derived)
        case Recursive():
            return kept.size
        case _:
            return len(kept.counted.rows)

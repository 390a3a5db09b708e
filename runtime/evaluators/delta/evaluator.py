"""The evaluator `delta`: the changes of derived atoms follow from the changes of lookups.

Rules that only rename atoms are evaluated on the spot, rules that are joins by code that is made for them
(lars2asp.runtime.evaluators.delta.joins). For all others clingo finds the instances, which are kept
(lars2asp.runtime.evaluators.delta.ground_instances).
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from lars2asp.externals.symbols import Atoms, Renaming, Row, key_of_text
from lars2asp.planning.instance_text import instance_text
from lars2asp.planning.join_rules import JoinRule

from lars2asp.externals.database import IntervalDatabase
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Component
from lars2asp.runtime.evaluators.delta.ground_instances import GroundInstances
from lars2asp.runtime.evaluators.delta.joins import Heads, Joins
from lars2asp.runtime.evaluators.delta.support import Support
from lars2asp.runtime.evaluators.protocol import Task
from lars2asp.syntax.nodes import Signature


class DeltaEvaluator:
    """Evaluates a component that has rules for it.

    Args:
        component: the component.
        task: the database, and the rest that its evaluator needs.

    Attributes:
        ground_instances: the instances that clingo finds, if there are such rules.
    """

    def __init__(self, component: Component, task: Task) -> None:
        if component.delta_rules.refusal is not None:
            raise ValueError(f"there are no rules for delta: {component.delta_rules.refusal}")
        self._delta_rules = component.delta_rules
        self._names = component.program.names
        self._task = task
        self._database = database = task.database
        rules = self._delta_rules.rules
        self._renames = [
            _Renamed(rule.positive[0].lookup, rule.derives, database) for rule in rules if rule.is_renaming
        ]
        joins = [rule.join for rule in rules if rule.join is not None]
        self._joins = Joins([join for join in joins if not join.is_fact], task)
        self._facts = _facts(join for join in joins if join.is_fact)
        self._inputs = [
            _Renamed(Lookup(LookupKind.INPUT, signature), signature, database)
            for signature in sorted(component.derives)
            if component.output_has_input
        ]
        self._sources: list[_Facts | _Renamed | Heads] = [*self._facts, *self._renames, *self._joins.heads]
        derived = Counter(one.signature for one in self._sources)
        derived.update(rule.derives for rule in rules if rule.is_ground_by_clingo)
        self._shared = {signature for signature, number in derived.items() if number > 1}
        """The predicates that several sources derive."""
        self._support = Support()
        """The derivations of their atoms, and of those that clingo's instances derive."""
        self._began: list[int] = []
        self._ended: list[int] = []
        """The changes of all other atoms by this tick."""
        self._is_new = True
        self._background = [Lookup(LookupKind.INPUT, signature) for signature in self._delta_rules.background]
        self._background_input: frozenset[Signature] = frozenset()
        database.watch(self._background)
        is_ground = any(rule.is_ground_by_clingo for rule in rules)
        self.ground_instances = self._ground(()) if is_ground else None
        self._is_late = task.is_late

    def step(self, tick: int) -> Changes:
        """The changes of the atoms that the component derives. Raises EvaluationError."""
        self._began, self._ended = [], []
        load, self._is_late = self._is_late, False
        if self._is_new:
            self._is_new = False
            for facts in self._facts:
                self._derive(facts.signature, Changes(facts.held))
        for given in self._inputs:
            changes = given.load(tick) if load else given.step(tick)
            if changes is not NO_CHANGES:
                self._share(given.signature)
                self._derive(given.signature, changes)
        for renamed in self._renames:
            changes = renamed.load(tick) if load else renamed.step(tick)
            if changes is not NO_CHANGES:
                self._derive(renamed.signature, changes)
        if self._joins.heads:
            for signature, changes in self._joins.load(tick) if load else self._joins.step(tick):
                self._derive(signature, changes)
        if self.ground_instances is not None:
            self.ground_instances = self._stepped(self.ground_instances, tick, load=load)
        if self._shared or self.ground_instances is not None:
            changes = self._support.changes()
            self._began += changes.began
            self._ended += changes.ended
        return Changes(self._began, self._ended) if self._began or self._ended else NO_CHANGES

    @property
    def size(self) -> int:
        """The number of answers and derived atoms that are remembered."""
        by_clingo = self.ground_instances.size if self.ground_instances is not None else 0
        held = sum(len(source.held) for source in self._sources)
        return by_clingo + len(self._support) + self._joins.size + held

    def _share(self, signature: Signature) -> None:
        """From now on the input has atoms of a predicate as well."""
        if signature not in self._shared:
            self._shared.add(signature)
            for one in self._sources:
                if one.signature == signature:
                    self._support.take_over(one.held)

    def _derive(self, signature: Signature, changes: Changes) -> None:
        if signature in self._shared:
            self._support.withdraw(changes.ended)
            self._support.add(changes.began)
        else:
            self._ended += changes.ended
            self._began += changes.began

    def _stepped(self, instances: GroundInstances, tick: int, *, load: bool) -> GroundInstances:
        """The instances after a tick; new ones if the input has predicates of background data from now on."""
        if load:
            given = {one.signature for one in self._background if self._database.answer(one, tick)}
        else:
            given = {one.signature for one in self._background if self._database.changes(one, tick).began}
        new = frozenset(one for one in given if one is not None) - self._background_input
        if new:
            self._background_input |= new
            instances.withdraw()
            instances = self._ground(self._background_input)
        if new or load:
            instances.load(tick)
        else:
            instances.step(tick)
        return instances

    def _ground(self, in_input: Collection[Signature]) -> GroundInstances:
        """Instances where the input has atoms of these predicates of the background data."""
        text = instance_text(self._delta_rules, self._names, in_input)
        return GroundInstances(text, self._task, self._support)


@dataclass(frozen=True)
class _Facts:
    """The facts of a predicate that rules derive.

    Attributes:
        signature: the predicate.
        held: the keys of the atoms, each once.
    """

    signature: Signature
    held: list[int]


def _facts(joins: Iterable[JoinRule]) -> list[_Facts]:
    """Facts by their predicates."""
    rows: dict[Signature, set[Row]] = {}
    for join in joins:
        terms = [term for term in join.terms if isinstance(term, str)]
        rows.setdefault(join.head, set()).add(tuple(map(key_of_text, terms)))
    return [_Facts(signature, Atoms(signature)(of_one)) for signature, of_one in rows.items()]


class _Renamed:
    """A rule that only renames atoms, or the input, which needs no other name.

    Attributes:
        signature: the predicate that is derived.
    """

    def __init__(self, lookup: Lookup, signature: Signature, database: IntervalDatabase) -> None:
        self.signature = signature
        self._lookup = lookup
        self._database = database
        [self._watched] = database.watch([lookup])
        self._renaming = Renaming(signature)
        self._renamed: dict[int, int] = {}

    @property
    def held(self) -> list[int]:
        """The keys of the atoms that are derived."""
        return list(self._renamed.values())

    def load(self, tick: int) -> Changes:
        """The atoms derived at the first tick of a rule that is taken up while the stream goes on."""
        self._watched.changes(tick)
        return self._take(Changes(list(set(self._database.answer(self._lookup, tick)))))

    def step(self, tick: int) -> Changes:
        """The changes of the derived atoms."""
        changes = self._watched.changes(tick)
        return changes if changes is NO_CHANGES else self._take(changes)

    def _take(self, changes: Changes) -> Changes:
        ended = [self._renamed.pop(key) for key in changes.ended]
        heads = self._renaming(changes.began)
        self._renamed.update(zip(changes.began, heads, strict=True))
        return Changes(heads, ended) if heads or ended else NO_CHANGES

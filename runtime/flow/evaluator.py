"""The engine `flow`: what begins and ends at the ticks of a batch, by a graph of operators."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.analysis.windows import LastArrivals, Since
from lars2asp.externals.operators import Batch, Handed, Operator, Readers
from lars2asp.externals.terms.terms import AtomRows, GroundAtom, Row
from lars2asp.externals.traces.placed import Passing, Placed
from lars2asp.externals.traces.sources import (
    Beside,
    Both,
    CurrentFacts,
    EndingFacts,
    ForeknownFacts,
    LastingFacts,
    Source,
)
from lars2asp.externals.traces.told import Open
from lars2asp.externals.traces.trace import Points, Stretches
from lars2asp.externals.views import Changes, RowChanges, TickChanges, changes_of
from lars2asp.externals.windows.about_windows import AboutWindow
from lars2asp.externals.windows.arrivals import AllArrivals
from lars2asp.externals.windows.choice import is_never
from lars2asp.externals.windows.growing import Growing, ThisTick
from lars2asp.planning.heads_in_flow import Placing
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Component, Plan
from lars2asp.runtime.evaluators.costs.meter import Meter
from lars2asp.runtime.evaluators.flow_refusals import is_of_now, patient_ones, speculates
from lars2asp.runtime.evaluators.limit import TickLimit
from lars2asp.runtime.evaluators.protocol import Evaluation, Evaluator, rows_of_keys
from lars2asp.runtime.flow.correction import Correction
from lars2asp.runtime.flow.failing import Failed, Recorded, Turn
from lars2asp.runtime.flow.graph import Graph, arranged
from lars2asp.runtime.flow.observers import in_turn, observers
from lars2asp.runtime.flow.relation import Primed, Relation
from lars2asp.runtime.flow.rules import Functions, OnMessage, Rules
from lars2asp.runtime.flow.solved import Answers, MakesSolver, Solved, SolvedRules, Solver, Solving
from lars2asp.runtime.flow.states import Begun, FlowState, arrival_key
from lars2asp.syntax.nodes import Signature

NO_FACTS: Mapping[Signature, Stretches] = MappingProxyType({})
"""Stands for no facts that hold for a while."""

Told = Sequence[tuple[Any, int]]
"""Rows of a tick as they are told (`told_of`)."""

NO_METERS: Mapping[Component, Meter] = MappingProxyType({})
"""Stands for nothing that is measured."""

NOTHING_TOLD: Mapping[Signature, Told] = MappingProxyType({})
"""Stands for none, by predicates."""


class Outcome(NamedTuple):
    """What comes of a batch.

    Attributes:
        changes: the changes of the output by ticks, in their order, as if all had an answer stream.
        turns: at which ticks it changes whether there is one.
    """

    changes: list[TickChanges]
    turns: Sequence[Turn] = ()

    def ticks(self, *, has_failed: bool) -> Iterator[tuple[int, RowChanges, bool]]:
        """The ticks at which something changes, what does, and whether they have no answer stream.

        Args:
            has_failed: whether the tick before had none.
        """
        if not self.turns:
            for tick, changed in self.changes:
                yield tick, changed, has_failed
            return
        changes, turns = dict(self.changes), dict(self.turns)
        for tick in sorted(changes.keys() | turns):
            has_failed = turns.get(tick, has_failed)
            yield tick, changes.get(tick, ()), has_failed


class _Derived(Operator):
    """Keeps what rules derive of a predicate, or which input is shown, and gathers changes of the output.

    Args:
        shown: the predicate in the output; None if it is not shown.
        changed: gets those that have a batch.
        made: counts the rows that begin.
        keeps: whether `rows` has what is derived if it is shown as well.

    Attributes:
        has_input: whether it has what the input tells of the predicate.
        rows: what is derived, unless it is shown.
        batch: what changes of the output.
    """

    def __init__(
        self, shown: Signature | None, changed: "list[_Derived]", made: list[int], *, keeps: bool
    ) -> None:
        super().__init__()
        self.shown, self._changed, self._made, self.keeps = shown, changed, made, keeps
        self.has_input = True
        self.rows: set[Row] = set()
        self.batch: Batch = []

    def advance(self, frontier: int) -> Handed:
        """Takes what begins and ends."""
        rows, batch = self.rows, self.inputs[0]
        self.inputs[0] = []
        for _, _, began in batch:
            self._made[0] += len(began)
        for _, ended, began in batch if self.keeps or self.shown is None else ():
            rows.difference_update(ended)
            rows.update(began)
        if self.shown is None:
            return ()
        if self.batch:
            self.batch += batch
        else:
            self._changed.append(self)
            self.batch = batch
        return ()


class _Supports:
    """How many components show each atom: terms that one shows may be atoms of others. O(1) a change."""

    def __init__(self) -> None:
        self._numbers = Counter[tuple[Signature, Row]]()

    def add(self, signature: Signature, rows: Iterable[Row]) -> None:
        """One more shows these."""
        self._numbers.update((signature, row) for row in rows)

    def net(self, changes: RowChanges) -> RowChanges:
        """What the output has more and less by changes of what components show at a tick."""
        numbers, before = self._numbers, dict[tuple[Signature, Row], bool]()
        for signature, several in changes:
            for rows, by in zip(several, (1, -1), strict=True):
                for row in rows:
                    atom = signature, row
                    before.setdefault(atom, atom in numbers)
                    numbers[atom] += by
        found: dict[Signature, tuple[list[Row], list[Row]]] = {}
        for atom, held in before.items():
            if not numbers[atom]:
                del numbers[atom]
            if held is not (atom in numbers):
                found.setdefault(atom[0], ([], []))[held].append(atom[1])
        return [(signature, Changes(*one)) for signature, one in found.items()]


IN_ORDER = Signature("", 0)
"""Stands in batches for all that is told, as atoms in the order in which they arrived (`in_order`)."""


class FlowEvaluator:
    """Evaluates a program that `refusal_of_flow` has no objection to, in batches of any size.

    Args:
        plan: the program.
        reach: how many ticks back predicates are looked at (None: without end).
        start: the first tick of the timeline.
        background: the rows that hold always.
        complete: whether boxes need windows that lie wholly on the timeline.
        on_message: takes messages about undefined operations.
        functions: the users' functions that are pure, over values.
        make_solver: makes the evaluator of the component that may have several answer streams.
        solver: that of the ticks before.
        state: what it goes on from.
        limit: how long a tick may take.
        meters: what measures components.

    Attributes:
        now: the last tick that is over.
        facts: the number of facts so far.
        ticks: the number of ticks at which the output changed, as far as these were taken.
        made: the number of rows that began to be derived in the last batch.
        foreknown: how many began to hold in it without facts, as the calendar or a comparison has it.
        shown: the output, as far as changes were taken.
        evaluations: by ticks those of clingo; whoever may go back forgets them.
        is_broken: whether something was raised in the middle of a batch: what is known then is of no tick.
        is_anew: whether the last tick could not be evaluated: rules derive all anew at the next one.
        is_timed_out: whether that is the next one at which something changes.
    """

    def __init__(
        self,
        plan: Plan,
        reach: Mapping[Signature, int | None],
        start: int,
        background: Iterable[AtomRows],
        *,
        complete: bool,
        on_message: OnMessage,
        functions: Functions,
        make_solver: MakesSolver,
        solver: Evaluator | None = None,
        state: FlowState | None = None,
        limit: TickLimit | None = None,
        meters: Mapping[Component, Meter] = NO_METERS,
    ) -> None:
        self._plan, self._reach, self.start = plan, reach, start
        self._complete, self._on_message, self._functions = complete, on_message, functions
        self._limit, self._meters = limit, meters
        self._background: dict[Signature, dict[Row, None]] = {}
        for signature, rows in background:
            self._background.setdefault(signature, {}).update(dict.fromkeys(rows))
        self._lasting: frozenset[Signature] = frozenset()
        """The predicates of the input of which facts hold for a while, or that rules derive."""
        self._derives = frozenset(signature for one in plan.in_batches for signature in one.derives)
        self._unread_open: dict[Signature, Open] = {}
        """What is open of predicates that nothing looks at."""
        self.now = start - 1
        self.facts = self.ticks = self.made = self.foreknown = 0
        self.shown: dict[Signature, set[Row]] = {}
        self.evaluations: dict[int, Evaluation] = {}
        self._make_solver = make_solver
        self._solver_before, self._speculates = solver, speculates(plan)
        self._solver: Solver | None = None
        self._solvers: dict[Component, Solver] = {}
        self._known: dict[Component, dict[int, Evaluation]] = {}
        """The evaluations of components of which each tick has one answer stream."""
        self._solved: Solved | None = None
        self._merged: dict[Signature, int] = {}
        self._counted: FlowState | None = None
        """What was known when intervals were counted."""
        self.is_anew = self.is_timed_out = False
        self._begin: int | None = None
        self._again = FOR_EVER
        """The first tick at which facts are gone of a tick that could not be evaluated."""
        if state is None:
            self._build(None)
        else:
            self.restore(state)

    def _build(self, state: FlowState | None, begin: int | None = None) -> Primed:
        """Makes the operators, which go on from a state; gives what lookups have then.

        If nothing could be derived at its tick, rules derive all from a tick on; without it they wait.
        """
        self.is_broken = False
        is_waiting = state is not None and state.is_anew and begin is None
        plan, start = self._plan, self.start
        components, derived = plan.in_batches, self._derives
        may_fail = any(one.fails or not one.is_certain for one in components)
        self._failed = Failed() if may_fail else None
        foreknown = (one.signature for one in plan.foreknown)
        lasting = frozenset((*plan.held, *self._background, *self._lasting, *foreknown))
        others = lasting | derived
        by_rules = [one for one in components if one.is_certain and not self._is_solved(one)]
        rules = [self._new_rules(one, others) for one in by_rules]
        self._relations: dict[Signature, Relation] = {}
        self._current: dict[Signature, Relation] = {}
        """What is derived at ticks without an answer stream as well, where windows see less."""
        self._late = frozenset(signature for one in components for signature in one.late)
        self._fading = frozenset(signature for one in components for signature in one.fading)
        self._recorded: dict[Signature, Recorded] = {}
        self._keeping: dict[Signature, Signature] = {}
        """The predicates of rows that windows remember of others."""
        self._told: dict[Signature, LastingFacts | CurrentFacts] = {}
        """What the input tells of predicates that rules derive."""
        self._both: list[tuple[Signature, Both]] = []
        """These together with what is derived."""
        by_clingo = {one: self._solve(one, state, derived) for one in components if one not in by_rules}
        self._now: list[ThisTick] = []
        """What has the current tick."""
        self._observed: list[tuple[Relation, Growing]] = []
        """Windows with what they are over, those first that observe others."""
        self._choose(rules, derived)
        for component, one in zip(by_rules, rules, strict=True):
            readers_of: dict[Lookup, Readers] = {}
            growing: dict[Lookup, tuple[int, Relation | None]] = {}
            for place, lookup in enumerate((*one.lookups, *one.momentary)):
                if lookup.signature is None:
                    growing[lookup] = place, None
                    continue
                if is_never(lookup) or self._reads_input(lookup, one, place):
                    continue
                relation = self._relation_of(lookup, derived)
                if place >= len(one.lookups):
                    readers_of[lookup] = relation.read_points(lookup, one.chosen_points.get(lookup))
                elif relation.grows(lookup):
                    growing[lookup] = place, relation
                    continue
                else:
                    readers_of[lookup] = relation.read(lookup)
                readers_of[lookup].append((one, place))
            for lookup in in_turn(growing, component.delta_rules.rules):
                place, looked_at = growing[lookup]
                bodies = observers(lookup, component.delta_rules.rules, readers_of)
                first = 1 if looked_at is None else looked_at.first_observer(lookup)
                number = {each: number for number, each in enumerate(dict.fromkeys(chain(*bodies)), first)}
                places = [[number[each] for each in body] for body in bodies]
                if looked_at is None:
                    self._now.append(ThisTick(places, start))
                    window: Growing = self._now[-1]
                else:
                    window = looked_at.read_growing(lookup, places)
                    if all(bodies):
                        self._observed.append((looked_at, window))
                window.readers.append((one, place))
                for each in number if all(bodies) else ():
                    readers_of[each].append((window, number[each]))
                readers_of[lookup] = window.readers
        self._arriving: AllArrivals | None = None
        of_all = [window for relation in self._relations.values() for window in relation.of_all]
        if of_all:
            self._arriving = arriving = AllArrivals(plan.held)
            for signature, some in {} if state is None else state.open.items():
                arriving.open.rows |= {GroundAtom(signature, row): end for row, (_, end) in some.items()}
            arriving.readers += [(window, 0) for window in of_all]
            for place, signature in enumerate(plan.held, 1):
                own = self._told_of(signature) or self._relation(signature, derived).source
                if isinstance(own, CurrentFacts):  # rules may derive it, and no fact arrives
                    own.arrivals.append((arriving, place))
        for relation in [*self._relations.values()]:
            for since, window in relation.since:
                begun = self._relation(since.signature, derived)
                begun.begins(window)
        keeps = any(one.program.shows_terms for one in by_clingo)
        self._supports = _Supports() if keeps else None
        """How many components show atoms, if that may be more than one."""
        self._derived: dict[Signature, _Derived] = {}
        self._changed: list[_Derived] = []
        """Those that have changes of the output."""
        self._made = [0]
        """The number of rows that began to be derived in a batch."""
        self._unread: dict[Signature, _Derived] = {}
        """What is handed on, and only rules that never fire look at."""
        for signature in sorted(plan.shown_input):
            sink = self._derived[signature] = _Derived(signature, self._changed, self._made, keeps=keeps)
            self._relation(signature, derived).read(Lookup(LookupKind.NOW, signature)).append((sink, 0))
        self._placed: dict[Signature, Placed] = {}
        """By the predicates of atoms that are placed at ticks."""
        deriving: dict[Component, Rules | SolvedRules] = dict(zip(by_rules, rules, strict=True))
        deriving |= {one: each for one, each in by_clingo.items() if isinstance(each, SolvedRules)}
        for component, origin in deriving.items():
            for signature, destinations in component.delta_destinations.items():
                sink = self._derived[signature] = _Derived(
                    destinations.shown, self._changed, self._made, keeps=keeps
                )
                by_origin = origin.readers_of.setdefault(signature, [])
                readers = self._with_input(signature, by_origin)
                sink.has_input = component.output_has_input
                (readers if sink.has_input else by_origin).append((sink, 0))
                if component.fails and self._failed is not None:
                    readers.append((self._failed, 0))
                placing = component.placings.get(signature)
                if placing is not None and (placing.lasts or placing.is_late):  # others are over in time
                    placed = self._placed[signature] = self._place(placing)
                    readers.append((placed, 0))
                if signature in plan.forgotten:
                    readers += self._current[signature].inlet if signature in self._current else []
                    readers += self._relations[signature].fading if signature in self._relations else []
                    continue
                for name in dict.fromkeys((destinations.published, destinations.recorded)):
                    if name is None:
                        continue
                    if name in self._relations:
                        self._record(name, readers, by=signature)
                    if name in plan.forgotten:  # these are kept beside others
                        continue
                    if name in self._current:
                        readers += self._current[name].inlet
                    elif name not in self._relations:
                        self._unread[name] = sink
        self._corrections: list[Operator] = []
        """They lead from what a state has to what rules derive."""
        self._changed_at: int | None = None
        """The tick of a state of other rules."""
        if self._solved is not None:
            names = self._relations.keys() & components[-1].program.recorded.values()
            for name in sorted(names):
                readers = self._solved.recorded_by[name] = []
                self._with_input(name, readers, is_recorded=True).extend(self._relations[name].inlet)
        remembered = {*self._keeping, *(() if self._solved is None else self._solved.recorded_by)}
        for name in self._told.keys() & self._relations.keys() & plan.forgotten - remembered:
            self._told[name].readers += self._relations[name].inlet
        primed: Primed = {}
        if state is not None and state.now >= start:
            primed = self._primed(state, [*rules, *by_clingo.values()])
            derived_then = self._prime(state, primed, begin, is_waiting=is_waiting)
            if state.output is not None and not state.is_anew:
                self._change(state, state.output, deriving, derived_then)
        relations = [*self._relations.values(), *self._current.values()]
        if begin is None and not is_waiting:
            _hand_on_renamed(relations, rules)
        operators = [one for relation in relations for one in relation.operators]
        operators += (*self._told.values(), *(both for _, both in self._both))
        operators += (*self._now, *self._placed.values())
        operators += [] if self._arriving is None else [self._arriving]
        if is_waiting:
            _let_wait(operators, relations)
        else:
            operators += [one for one in rules if not one.is_idle]
            operators += (*self._recorded.values(), *by_clingo.values(), *self._derived.values())
            operators += [] if self._failed is None else [self._failed]
            operators += self._corrections
        inlets = [relation.inlet for relation in relations]
        self._inlets: dict[Signature, Readers] = {one: [(told, 0)] for one, told in self._told.items()}
        """Who takes what is told of predicates that rules derive."""
        inlets += self._inlets.values()
        sources = [(one, each) for one, each in self._sources if isinstance(each, ForeknownFacts)]
        self._foreknown = [one for _, one in sources]
        patient = patient_ones(plan, lasting, by_rules) if sources else ()
        self._patient = [one for signature, one in sources if signature in patient]
        """Those of which it matters only what holds at ticks with facts."""
        for source in self._patient:
            source.wait()
        self._inlet: Readers = [] if self._arriving is None else [(self._arriving, 0)]
        """Who takes all facts in their order."""
        inlets.append(self._inlet)
        self._graph = Graph(arranged(operators, inlets))
        self._by_rules = derived.intersection(self._relations)
        self._momentary = {one.signature for each in rules for one in each.momentary}
        return primed

    def _new_rules(self, component: Component, others: Collection[Signature]) -> Rules:
        rules, meter = component.delta_rules, self._meters.get(component)
        how = self.start, self._functions, self._on_message, self._plan.largest_interval
        if meter is None:
            momentary = [lookup for lookup in rules.lookups if is_of_now(lookup, others)]
            return Rules(rules, *how, momentary, self._limit)
        from lars2asp.runtime.flow.measured import MeteredRules  # noqa: PLC0415 - few ask

        return MeteredRules(component, meter, *how, (), self._limit)

    def _is_solved(self, component: Component) -> bool:
        """Whether clingo evaluates a component."""
        rules = component.delta_rules
        return rules.refusal is not None or bool(rules.functions.difference(self._functions))

    def _solve(
        self, component: Component, state: FlowState | None, derived: Collection[Signature]
    ) -> Solving:
        """Makes the operator of a component that clingo evaluates."""
        solver = self._solvers.get(component)
        if solver is None:
            solver = self._solvers[component] = self._new_solver(component, state)
        operator: Solving
        if component.is_certain:
            operator = SolvedRules(solver, self.start, self._background)
        else:
            stops = self._speculates
            operator = self._solved = Solved(solver, self.start, self._background, stops=stops)
            assert self._failed is not None
            operator.readers.append((self._failed, 0))
        for place, lookup in enumerate(solver.lookups):
            since = lookup.window if isinstance(lookup.window, Since) else None
            own = component.derives.intersection((lookup.signature, since and since.signature))
            if lookup.signature is None and since is None:
                operator.look_at(place, AboutWindow(lookup, self.start, complete=self._complete))
                continue
            if lookup.signature is None and since is not None:
                keys = self._relation(since.signature, derived).read_keys(lookup, since, own)
                keys.append((operator, place))
                continue
            if is_never(lookup, own) or self._reads_input(lookup, operator, place):
                continue
            relation = self._relation_of(lookup, derived)
            grows = relation.grows(lookup)
            readers = (
                relation.read_growing(lookup, [()], own).readers if grows else relation.read(lookup, own)
            )
            readers.append((operator, place))
        return operator

    def _new_solver(self, component: Component, state: FlowState | None) -> Solver:
        make, program = partial(self._make_solver, component), component.program
        if component.is_certain:
            known = self._known.setdefault(component, {})
            solver = self._metered(component, program, make, known, None, has_failed=False, evaluator=None)
            if state is not None:
                solver.follow({one: self._derived_by(state, one) for one in component.derives})
            return solver
        before, self._solver_before = self._solver_before, None
        last, has_failed = (None, False) if state is None else (state.last, state.has_failed)
        has_failed = has_failed and state is not None and not state.is_anew
        how = make, self.evaluations, last
        self._solver = self._metered(component, program, *how, has_failed=has_failed, evaluator=before)
        return self._solver

    def _metered(self, component: Component, *arguments: Any, **options: Any) -> Solver:
        """A solver, which is measured if its component is."""
        meter = self._meters.get(component)
        if meter is None:
            return Solver(*arguments, **options)
        from lars2asp.runtime.flow.measured import MeteredSolver  # noqa: PLC0415 - few ask

        return MeteredSolver(meter, *arguments, **options)

    def _choose(self, rules: Sequence[Rules], derived: Collection[Signature]) -> None:
        """Windows need not have rows that no rule asks for."""
        for lookup in dict.fromkeys(lookup for one in rules for lookup in one.lookups):
            asked = [one for one in rules if lookup in one.lookups]
            if lookup.signature is None or is_never(lookup):
                continue
            if lookup.signature in derived or lookup.signature in self._plan.shown_input:
                continue
            if any(lookup in one.lookups for one in self._solvers.values()):
                continue
            if len(asked) == 1 and lookup in asked[0].chosen and lookup not in asked[0].renamed:
                self._relation(lookup.signature, derived).choose(lookup, asked[0].chosen[lookup])

    def _relation_of(self, lookup: Lookup, derived: Collection[Signature]) -> Relation:
        """What a lookup is about."""
        signature = lookup.signature
        assert signature is not None
        if lookup.window is None and signature in self._plan.forgotten:
            return self._relation(signature, derived, self._current)
        is_one = self._failed is None or self._speculates
        if is_one or lookup.window is not None or signature not in derived:
            return self._relation(signature, derived)
        return self._relation(signature, derived, self._current)

    def _record(self, signature: Signature, readers: Readers, by: Signature) -> None:
        """What is derived of a predicate, which is handed to readers, is under windows as well.

        It may be derived as atoms of another predicate.
        """
        inlet = self._relations[signature].inlet
        if by != signature:
            self._keeping[signature] = by
        if self._failed is None or self._speculates:
            if by != signature:
                readers = self._with_input(signature, readers, is_recorded=True)
            readers += inlet
            return
        recorded = self._recorded[signature] = Recorded()
        readers.append((recorded, 0))
        self._failed.readers.append((recorded, 1))
        self._with_input(signature, recorded.readers, is_recorded=True).extend(inlet)

    def _with_input(self, signature: Signature, readers: Readers, *, is_recorded: bool = False) -> Readers:
        """Who reads what is derived of a predicate together with what the input tells, if it does."""
        told = self._told_of(signature)
        if told is None:
            return readers
        both = Both(is_recorded=is_recorded)
        self._both.append((signature, both))
        readers.append((both, 0))
        told.readers.append((both, 1))
        return both.readers

    def _told_of(self, signature: Signature) -> LastingFacts | CurrentFacts | None:
        """What the input tells of a predicate that rules derive; None if that is nothing so far."""
        if signature not in self._lasting or signature not in self._derives:
            return None
        if signature not in self._told:
            by = self._plan.held.get(signature)
            self._told[signature] = (
                LastingFacts((), self.start) if by is None else CurrentFacts(by, (), self.start)
            )
        return self._told[signature]

    def _reads_input(self, lookup: Lookup, reader: Operator, place: int) -> bool:
        """Whether a lookup is about the input of a predicate that rules derive: then it reads that."""
        if lookup.kind is not LookupKind.INPUT or lookup.signature not in self._derives:
            return False
        told = self._told_of(lookup.signature)
        if told is not None:
            told.readers.append((reader, place))
        return True

    def _place(self, placing: Placing) -> Placed:
        """What has the atoms that heads place at ticks; windows over them are there."""
        kind = Placed if placing.lasts else Passing
        found = kind(self.start, is_late=placing.is_late)
        found.readers = [*self._relation(placing.arrived, ()).inlet]
        over = self._relations.get(placing.signature)
        if over is not None:
            found.late = [*(over.late if placing.lasts else over.passing)]
        return found

    def _relation(
        self,
        signature: Signature,
        derived: Collection[Signature],
        relations: dict[Signature, Relation] | None = None,
    ) -> Relation:
        relations = self._relations if relations is None else relations
        found = relations.get(signature)
        if found is not None:
            return found
        plan, start = self._plan, self.start
        always = self._background.get(signature, ())
        foreknown = next((one for one in plan.foreknown if one.signature == signature), None)
        source: Source | None = None
        if foreknown is not None:
            source = ForeknownFacts(foreknown, start)
        elif signature in derived:
            source = Beside(always, start) if always else None
        elif signature in plan.held:
            source = CurrentFacts(plan.held[signature], always, start)
        elif always or signature in self._lasting:
            source = LastingFacts(always, start)
        found = relations[signature] = Relation(
            start,
            self._reach.get(signature, 0),
            source,
            always,
            is_points=source is None and signature not in derived,
            complete=self._complete,
            told=self._told_of(signature),
            is_late=signature in self._late,
            is_fading=signature in self._fading,
        )
        return found

    def _primed(self, state: FlowState, rules: Iterable[Rules | Solving]) -> Primed:
        """What lookups have at the tick of a state, from which windows go on."""
        primed: Primed = {one: {} for one in rules}
        for signature, placed in self._placed.items():
            placed.restore(state.future.get(signature, {}), state.derives.get(signature, ()), state.now)
        for signature, relation in self._relations.items():
            here = {*state.derives.get(signature, ()), *state.told.get(signature, ())}
            for window, place in relation.fading if signature in self._plan.forgotten else ():
                window.inputs[place].append((state.now, (), [*here]))
            if isinstance(relation.source, CurrentFacts):
                relation.source.go_on(state.current.get(signature, {}))
            elif isinstance(relation.source, LastingFacts):
                relation.source.go_on(state.open.get(signature, {}))
            held = state.held.get(signature, {})
            if isinstance(relation.source, CurrentFacts):  # of which nobody may know but for arrivals
                held = {row: [state.now, FOR_EVER] for row in relation.source.now} | {**held}
            for one, rows in relation.prime(held, state.arrived, state.begun, state.now).items():
                primed[one] |= rows
        for signature, relation in self._current.items():
            here = {*state.derives.get(signature, ()), *state.told.get(signature, ())}
            held = {row: [state.now, state.now + 1] for row in here}
            for one, rows in relation.prime(held, {}, {}, state.now).items():
                primed[one] |= rows
        for signature, told in self._told.items():
            rows_told = state.told.get(signature, {})
            if isinstance(told, LastingFacts):
                told.go_on(state.open.get(signature, {}))
            else:
                told.go_on(state.current.get(signature, {}))
            told.restore({row: [state.now, end] for row, (end, _) in rows_told.items()}, state.now)
            for reader, place in told.readers:
                if isinstance(reader, Rules | Solving):
                    primed[reader][place] = [*rows_told]
        for signature, both in self._both:
            rows_told = state.told.get(signature, {})
            both.told = {*rows_told}
            if both.is_recorded and state.has_failed:
                continue
            if self._solved is not None and signature in self._solved.recorded_by:
                both.derived = {*self._solved.recorded.get(signature, ())}
            elif both.is_recorded and signature in self._keeping:
                both.derived = {*state.derives.get(self._keeping[signature], ())}
            else:
                both.derived = self._derived_by(state, signature)
        for relation, observed in self._observed:
            for one, rows in relation.prime_observed(observed, state.now).items():
                primed[one] |= rows
        for now in self._now:
            came = now.restore(state.now)
            for reader, place in now.readers:
                if isinstance(reader, Rules):
                    primed[reader][place] = came
        return primed

    def _prime(
        self, state: FlowState, primed: Primed, begin: int | None, *, is_waiting: bool
    ) -> dict[Rules | Solving, Mapping[Signature, Collection[Row]]]:
        """The operators go on from a state; gives what rules derive at its tick. Or they begin at one."""
        found: dict[Rules | Solving, Mapping[Signature, Collection[Row]]] = {}
        for one, some in () if is_waiting else primed.items():
            if begin is None:
                found[one] = one.prime(some, state.now)
            else:
                one.begin(some, begin)
        has_failed = state.has_failed and begin is None
        for signature, recorded in self._recorded.items():
            kept = state.derives.get(self._keeping.get(signature, signature), ())
            recorded.restore(kept, has_failed=has_failed)
        if self._failed is not None:
            self._failed.holds = has_failed
        for signature, sink in self._derived.items():
            derives = {*state.derives.get(signature, ())}
            if begin is not None and sink.has_input:
                derives.update(state.told.get(signature, ()))
            if state.is_anew and signature in self._plan.shown_input:
                held = state.held.get(signature, {})
                derives = {
                    *self._background.get(signature, ()),
                    *(row for row, runs in held.items() if runs[-1] > state.now),
                }
            if sink.keeps or sink.shown is None:
                sink.rows = {*derives}
            if sink.shown is not None:
                self._show(sink.shown, derives)
        if state.last is not None:
            for signature, shown in rows_of_keys(state.last.output).items():
                self._show(signature, shown)
        return found

    def _show(self, signature: Signature, rows: Collection[Row]) -> None:
        """A component shows atoms at the tick of a state."""
        self.shown.setdefault(signature, set()).update(rows)
        if self._supports is not None:
            self._supports.add(signature, rows)

    def _change(
        self,
        state: FlowState,
        output: Mapping[Signature, Collection[Row]],
        deriving: Mapping[Component, Rules | SolvedRules],
        found: Mapping[Rules | Solving, Mapping[Signature, Collection[Row]]],
    ) -> None:
        """At the tick behind a state its output and its derived rows become what rules derive.

        Args:
            state: the state.
            output: its output.
            deriving: the components, with their operators.
            found: what they derive at its tick.
        """
        self._changed_at = now = state.now
        rest = dict(output)
        readers_of = dict[Signature, Readers]()
        for operator in deriving.values():
            readers_of |= operator.readers_of
        readers_of |= {
            one: both.readers for one, both in self._both if (self._derived.get(one), 0) in both.readers
        }
        for signature, sink in self._derived.items():
            if sink.shown is not None:
                readers = readers_of.get(signature)
                if readers is None:
                    readers = self._relations[signature].read(Lookup(LookupKind.NOW, signature))
                known = rest.pop(sink.shown, ())
                self.shown[sink.shown] = {*known}
                sink.rows = {*known} if sink.keeps else sink.rows
                readers.remove((sink, 0))
                readers += self._corrected(now, known, self._derived_at(state, signature), [(sink, 0)])
        for component, operator in deriving.items():
            if isinstance(operator, Rules):
                for signature, readers in operator.readers_of.items():
                    known = self._derived_at(state, signature)
                    if component.fails:
                        known = {()} if state.has_failed else set()
                    here = found[operator].get(signature, ())
                    readers[:] = self._corrected(now, known, here, [*readers])
        for one in found:
            if isinstance(one, Solving):
                one.evaluate_at(now + 1)
        self.shown |= {one: {*rows} for one, rows in rest.items()}
        if self._supports is not None:
            self._supports = _Supports()
            for shown, some in self.shown.items():
                self._supports.add(shown, some)
        if self._solver is not None and state.last is None:
            self._solver.follow(rest)
        elif self._solver is None:
            for shown, rows in rest.items():
                gone = _Derived(shown, self._changed, self._made, keeps=False)
                self._corrected(now, rows, (), [(gone, 0)])
                self._corrections.append(gone)

    def _derived_by(self, state: FlowState, signature: Signature) -> set[Row]:
        """What is derived of a predicate by a state, apart from what the input tells alone."""
        if state.output is not None:
            return self._derived_at(state, signature)
        told = state.told.get(signature, {})
        return {row for row in state.derives.get(signature, ()) if row not in told or told[row][1]}

    def _derived_at(self, state: FlowState, signature: Signature) -> set[Row]:
        """What is derived of a predicate by a state of other rules; facts of the input may have been told."""
        found = {*state.derives.get(signature, ())}
        if not state.has_failed:
            always, held = self._background.get(signature, {}), state.held.get(signature, {}).items()
            found |= {row for row, runs in held if runs[-1] > state.now and row not in always}
        return found

    def _corrected(
        self, now: int, known: Collection[Row], here: Collection[Row], readers: Readers
    ) -> Readers:
        """Who takes what changes behind a tick at which some rows are derived, and readers know of others."""
        before, derived = {*known}, {*here}
        if before == derived:
            return readers
        correction = Correction(now + 1, derived, before)
        correction.readers = readers
        self._corrections.append(correction)
        return [(correction, 0)]

    # --- states ---------------------------------------------------------------------------------------

    def state(self) -> FlowState:
        """What is known now; it stays as it is."""
        relations = self._relations.items()
        return FlowState(
            self.start,
            self.now,
            self.facts,
            self.ticks,
            self.merged,
            {one: relation.held(self.now) for one, relation in relations}
            | {
                one: {row: [self.now, self.now + 1] for row in self._rows(sink)}
                for one, sink in self._unread.items()
                if not self.has_failed
            },
            {
                arrival_key(lookup): {key: [*map(self._ending, some)] for key, some in groups.items()}
                for _, relation in relations
                for lookup, groups in relation.arrived.items()
            },
            {one: source.rows(self.now) for one, source in self._sources if isinstance(source, CurrentFacts)},
            {one: {*self._rows(sink)} for one, sink in self._derived.items()},
            self._begun(),
            {one: sink.shown for one, sink in self._derived.items() if sink.shown is not None},
            self.has_failed,
            self.evaluation,
            None if self._changed_at != self.now else {one: {*rows} for one, rows in self.shown.items()},
            self._opened(),
            {
                one: {row: (told.end_of(row), self._is_derived(one, row)) for row in told.now}
                for one, told in self._told.items()
            },
            self.is_anew,
            self.is_timed_out,
            {signature: placed.future for signature, placed in self._placed.items()},
        )

    def _is_derived(self, signature: Signature, row: Row) -> bool:
        """Whether rules derive a row besides the input."""
        return any(one == signature and row in both.derived for one, both in self._both)

    def _opened(self) -> dict[Signature, Mapping[Row, tuple[int, int]]]:
        """What holds on until it ends."""
        found: dict[Signature, Mapping[Row, tuple[int, int]]] = {
            one: {row: (0, end) for row, end in some.rows.items()} for one, some in self._unread_open.items()
        }
        found |= {one: some.opened for one, some in self._sources if isinstance(some, LastingFacts)}
        return {one: some for one, some in found.items() if some}

    def is_open(self, atom: GroundAtom) -> bool:
        """Whether an atom holds on until it ends."""
        signature, row = atom
        told: Source | None = self._told.get(signature)
        if signature in self._relations and told is None:
            told = self._relations[signature].source
        opened = told.open if isinstance(told, LastingFacts) else self._unread_open.get(signature)
        return opened is not None and row in opened.rows

    @property
    def evaluation(self) -> Evaluation | None:
        """The answer streams of the component that may have several; None if there is none of either."""
        return None if self._solver is None else self._solver.evaluation

    @property
    def has_failed(self) -> bool:
        """Whether the last tick has no answer stream."""
        return self.is_anew or (self._failed is not None and self._failed.holds)

    def _begun(self) -> Begun:
        """When windows last began that begin with an atom."""
        found: dict[Signature, dict[str, dict[Row, int]]] = {}
        for relation in self._relations.values():
            for since, window in relation.since:
                found.setdefault(since.signature, {})[str(since.key)] = window.begun
        return found

    @property
    def solver(self) -> Evaluator | None:
        """The evaluator of the component that may have several answer streams."""
        found = None if self._solver is None else self._solver.evaluator
        return found or self._solver_before

    def confirm(self) -> None:
        """Nobody goes back beyond this tick."""
        for known in (self.evaluations, *self._known.values()):
            known.clear()

    def restore(self, state: FlowState, begin: int | None = None, solver: Evaluator | None = None) -> Primed:
        """Takes over what was known then, before the first batch; gives what lookups had.

        Args:
            state: what was known.
            begin: the tick at which rules derive all anew, if nothing could be derived at that of the state.
            solver: the evaluator of the component that may have several answer streams, if it may go on.
        """
        self.now, self.facts, self.ticks = state.now, state.facts, state.ticks
        self._merged = {**state.merged}
        self.shown, self._solver, self._solvers = {}, None, {}
        lasting = (
            one for one, held in state.held.items() if any(runs[-1] > state.now + 1 for runs in held.values())
        )
        self._lasting |= {*lasting, *state.told, *state.open}
        self._lasting |= {
            signature
            for groups in state.arrived.values()
            for tick, _, end, signature in chain.from_iterable(groups.values())
            if end > tick + 1
        }
        self.is_anew, self._begin, self._again = state.is_anew, begin, FOR_EVER
        self.is_timed_out = state.is_timed_out
        self._solver_before = solver or self._solver_before
        primed = self._build(state, begin)
        self._unread_open = {}
        for signature, some in state.open.items():
            if signature not in self._told and signature not in self._relations:
                opened = self._unread_open[signature] = Open()
                opened.rows = {row: end for row, (_, end) in some.items()}
        return primed

    def fail(
        self,
        tick: int,
        points: Iterable[AtomRows],
        told: Mapping[Signature, Told],
        *,
        is_timed_out: bool = False,
    ) -> None:
        """The next tick is over, with its input; it cannot be evaluated, and no rule derives anything at it.

        At the next tick that is evaluated all is derived anew. O(rows).

        Args:
            tick: the tick.
            points: as for `step`.
            told: as for `step`.
            is_timed_out: whether that is the next one at which something changes.
        """
        state, points = self.state(), [*points]
        self.confirm()
        alone = {
            one: {row: (end, False) for row, (end, _) in some.items()} for one, some in state.told.items()
        }
        failed = replace(state, derives={}, told=alone, has_failed=True, last=None, is_anew=True)
        self.restore(replace(failed, is_timed_out=is_timed_out), None, self.solver)
        self._take(tick, points, self._with_placed(tick, told))
        for signature in self._by_rules:
            others = {*self._background.get(signature, ()), *state.told.get(signature, ())}
            held = state.held.get(signature, {}).items()
            ended = [row for row, runs in held if runs[-1] > state.now and row not in others]
            self._graph.push(self._relations[signature].readers, [(tick, ended, ())] if ended else [])
        self._advance(tick)
        if any(signature in self._momentary for signature, _ in points):
            self._again = tick + 1

    def _with_placed(self, tick: int, told: Mapping[Signature, Told]) -> dict[Signature, Told]:
        """What is told of a tick, and what earlier ones have placed there, which holds as if it were told."""
        found = {**told}
        for one, placing in self._plan.placings.items():
            placed = self._placed[one].future.get(tick, ()) if one in self._placed else ()
            known = {row for row, _ in found.get(placing.signature, ())}
            more = _ending_at(tick, (row for row in placed if row not in known))
            if more:
                found[placing.signature] = [*found.get(placing.signature, ()), *more]
        return found

    def answers(self) -> dict[Lookup, Collection[Row]]:
        """What lookups have at the last tick; of one that could not be evaluated, what no rule derives."""
        again = self._again
        found, self._again = self.restore(self.state(), None, self.solver), again
        return {
            (*one.lookups, *one.momentary)[place]: rows
            for one, some in found.items()
            for place, rows in some.items()
        }

    def answers_of(self, component: Component) -> Answers:
        """What the lookups of a component have that clingo evaluates."""
        return self._solvers[component].answers

    @property
    def certain(self) -> dict[Signature, set[Row]] | None:
        """The output but for that of the component that may have several, if terms are shown."""
        if self._supports is None:
            return None
        return {one.shown: {*one.rows} for one in self._derived.values() if one.shown is not None}

    @property
    def lookups(self) -> Collection[Lookup]:
        """All lookups."""
        return {
            lookup
            for one in self._plan.in_batches
            for lookup in (one.program.lookups if one in self._solvers else one.delta_rules.lookups)
        }

    def kept_in(self, lookups: Collection[Lookup]) -> int:
        """The number of intervals that windows reach now, of each lookup for itself."""
        if self._counted is None or self._counted.now != self.now:
            self._counted = self.state()
        return sum(_reached(self._counted, lookup) for lookup in lookups)

    def _let_last(self, signatures: Collection[Signature]) -> None:
        """Facts of predicates may hold for a while from here on."""
        state = self.state()
        self._lasting |= {*signatures}
        self._merged = state.merged
        self._build(state, self._begin if self.is_anew else None)

    @property
    def merged(self) -> dict[Signature, int]:
        """By predicates that are looked at, the facts that were equal to another of their tick."""
        found = {**self._merged}
        for signature, source in self._sources:
            if isinstance(source, EndingFacts) and source.merged:
                found[signature] = found.get(signature, 0) + source.merged
        return found

    @property
    def _sources(self) -> Iterable[tuple[Signature, Source]]:
        """What rows predicates have by the input, or always."""
        yield from self._told.items()
        for signature, relation in self._relations.items():
            if relation.source is not None:
                yield signature, relation.source

    @property
    def size(self) -> int:
        """The number of rows that are kept for later batches, and of those that hold now."""
        kept = sum(relation.trace.size for relation in self._relations.values())
        return kept + sum(len(self._rows(sink)) for sink in self._derived.values())

    @property
    def kept(self) -> int:
        """The number of intervals that are kept."""
        state = self.state()
        runs = sum(len(runs) for held in state.held.values() for runs in held.values()) // 2
        runs += sum(len(rows) for ticks in state.future.values() for rows in ticks.values())
        return runs + sum(len(some) for groups in state.arrived.values() for some in groups.values())

    @property
    def atoms(self) -> int:
        """The number of atoms of which intervals are kept."""
        state = self.state()
        found = {one: {*held} for one, held in state.held.items()}
        for one, placing in self._plan.placings.items():
            for rows in state.future.get(one, {}).values():
                found.setdefault(placing.signature, set()).update(rows)
        for groups in state.arrived.values():
            for _, row, _, signature in chain.from_iterable(groups.values()):
                found.setdefault(signature, set()).add(row)
        return sum(map(len, found.values()))

    @property
    def last_end(self) -> int:
        """The first tick at which all facts so far are over, but for those of which nothing says when."""
        ends = [one.last_end for _, one in self._sources]
        return max((*ends, *(one.last + 1 for one in self._placed.values())), default=0)

    def _rows(self, sink: _Derived) -> Collection[Row]:
        """What is derived of a predicate, as far as changes were taken."""
        return sink.rows if sink.keeps or sink.shown is None else self.shown.get(sink.shown, ())

    def show(self, *several: RowChanges) -> None:
        """Takes changes of the output."""
        shown = self.shown
        for changes in several:
            for signature, (began, ended) in changes:
                rows = shown.get(signature)
                if rows is None:
                    rows = shown[signature] = set()
                rows.difference_update(ended)
                rows.update(began)

    # --- single ticks ---------------------------------------------------------------------------------

    def step(self, tick: int, points: Iterable[AtomRows], told: Mapping[Signature, Told]) -> RowChanges:
        """The changes of the output at the next tick that is evaluated, as if it had an answer stream.

        Args:
            tick: the tick; nothing is due before.
            points: its facts, of predicates that no rule derives, each predicate once.
            told: all else, as for `block`.
        """
        if self.is_anew:
            self.restore(self.state(), tick)
        self._take(tick, points, told)
        self._advance(tick)
        self.is_anew = self.is_timed_out = False
        if self._failed is not None:
            self._failed.turns.clear()
        if not self._changed and self._solved is None:
            return ()
        found: list[tuple[Signature, Changes]] = []
        for sink in self._changed:
            shown = sink.shown
            if shown is not None and sink.batch:
                [(_, ended, began)], sink.batch = sink.batch, []
                found.append((shown, changes_of((began, ended))))
        self._changed.clear()
        if self._solved is not None:
            found += [one for _, changes in self._solved.batch for one in changes]
            self._solved.batch = []
        return found if self._supports is None else self._supports.net(found)

    def _take(self, tick: int, points: Iterable[AtomRows], told: Mapping[Signature, Told]) -> None:
        """Takes the facts of a tick."""
        if self._patient:
            self._call_patient(tick, tick)
        if told or self._arriving is not None:
            batches = {signature: ([(tick, rows)], True) for signature, rows in points}
            self._push(batches, {signature: [(tick, facts)] for signature, facts in told.items()})
        else:
            relations = self._relations
            for signature, rows in points:
                relation = relations.get(signature)
                if relation is None:
                    continue
                if not relation.is_points:
                    self._graph.push(relation.inlet, [(tick, _ending_at(tick, rows))])
                elif len(rows) == 1:
                    self._graph.push(relation.inlet, [(tick, rows)])
                else:
                    self._graph.push(relation.inlet, self._each_once(signature, [(tick, rows)]))

    def _call_patient(self, first: int, last: int) -> None:
        """The next ticks that are evaluated are up to one, and have facts from another one on."""
        for one in self._patient:
            if one.change <= last:
                one.change = max(one.change, first)
                self._graph.push([(one, 0)], [])

    def renew(self) -> None:
        """The component that may have several answer streams is evaluated as from a state."""
        if self._solver is not None:
            self._solver.evaluator = None

    def _push(
        self,
        points: Mapping[Signature, tuple[Batch, bool]],
        told: Mapping[Signature, Sequence[tuple[int, Told]]],
    ) -> None:
        """Pushes what is told of ticks.

        Args:
            points: facts of single ticks, and whether some of a tick may be equal.
            told: all else.
        """
        relations, push = self._relations, self._graph.push
        new = [
            one
            for one in told
            if (one in relations and relations[one].is_points)
            or (one in self._derives and one not in self._lasting)
        ]
        if new:
            self._let_last(new)
            relations, push = self._relations, self._graph.push
        for signature, (batch, may_repeat) in points.items():
            if signature not in relations:
                if may_repeat and self._arriving is not None:
                    self._each_once(signature, batch)
            elif relations[signature].is_points:
                push(relations[signature].inlet, self._each_once(signature, batch) if may_repeat else batch)
            elif signature not in told:
                push(relations[signature].inlet, [(tick, _ending_at(tick, rows)) for tick, rows in batch])
        for signature, some in told.items():
            inlet = self._inlets.get(signature)
            if signature == IN_ORDER:
                inlet = self._inlet
            elif inlet is None and signature in relations:
                inlet = relations[signature].inlet
            facts = dict(some)
            if signature in points:
                for tick, rows in points[signature][0]:
                    facts[tick] = [*_ending_at(tick, rows), *facts.get(tick, ())]
            if inlet is None:
                self._pass_by(signature, facts)
            else:
                push(inlet, sorted(facts.items()))

    def _pass_by(self, signature: Signature, told: Mapping[int, Told]) -> None:
        """Nothing looks at a predicate: only what is open of it matters, and what was equal."""
        opened = self._unread_open.get(signature)
        if opened is None:
            if self._arriving is None and all(end <= FOR_EVER for some in told.values() for _, end in some):
                return
            opened = self._unread_open[signature] = Open()
        for tick in sorted(told):
            opened.take(tick, told[tick])
        if self._arriving is not None and opened.merged:
            self._merged[signature] = self._merged.get(signature, 0) + opened.merged
        opened.merged = 0

    def _advance(self, last: int) -> None:
        """All ticks up to one are over."""
        if self.is_broken:
            raise RuntimeError("the reasoner was interrupted within a tick: it cannot go on")
        self.is_broken = True
        self._graph.advance(last + 1)
        self.is_broken = False
        self.now = last

    def looks_at(self, signature: Signature) -> bool:
        """Whether anything depends on a predicate."""
        return signature in self._relations or signature in self._told or self._arriving is not None

    @property
    def next_due(self) -> int | None:
        """The first tick at which time alone may change something; None for none."""
        if self.is_anew and not self.is_timed_out:
            return self.now + 1
        due = min(self._graph.next_due, self._again)
        return None if due >= FOR_EVER else due

    # --- batches --------------------------------------------------------------------------------------

    def block(
        self, points: Mapping[Signature, Points], last: int, lasting: Mapping[Signature, Stretches] = NO_FACTS
    ) -> Outcome:
        """What comes of the ticks up to one, which have these facts.

        Args:
            points: facts of single ticks, which are not over, of predicates that no rule derives.
            last: the last tick of the batch.
            lasting: all else that is told; of a predicate no facts of one tick may be here and in `points`.
                All facts of predicates that rules derive are here, and those of predicates whose facts are
                held, as if no others came; and IN_ORDER.
        """
        if last <= self.now:
            return Outcome([])
        begin = self.now + 1 if self.is_anew else None
        if begin is not None:
            self.restore(self.state(), begin)
        self.facts += sum(len(some.rows) for some in points.values())
        self.facts += sum(len(some.rows) for one, some in lasting.items() if one != IN_ORDER)
        if self._patient:
            given = [some.ticks[0] for some in points.values() if some.ticks]
            given += [some.ticks[0] for some in lasting.values() if some.ticks]
            self._call_patient(min(given, default=last), last)
        self._push(
            {
                signature: (some.by_tick(), some.may_repeat)
                for signature, some in points.items()
                if some.rows and (signature in self._relations or self._arriving is not None)
            },
            {signature: some.by_tick() for signature, some in lasting.items() if some.rows},
        )
        began = sum(one.began for one in self._foreknown)
        self._made[0] = 0
        self._advance(last)
        self._graph.rest(last + 1)
        self.foreknown = sum(one.began for one in self._foreknown) - began
        turns: list[Turn] = []
        if self._failed is not None:
            turns, self._failed.turns = self._failed.turns, turns
        self.is_anew = self.is_timed_out = False
        if begin is not None and not (turns and turns[0][0] == begin):
            turns.insert(0, (begin, False))
        return Outcome(self._changes(), turns)

    def _ending(self, arrival: tuple[int, Row, int, Signature]) -> tuple[int, Row, int, Signature]:
        """An arrival, also if it ends with the current tick, as is known of facts that are held."""
        tick, row, end, signature = arrival
        source: Source | None = None
        if signature in self._plan.held:
            source = self._told.get(signature) or self._relations[signature].source
        if isinstance(source, CurrentFacts) and end == FOR_EVER and source.ends_at(row, self.now + 1):
            end = self.now + 1
        return tick, row, end, signature

    def _each_once(self, signature: Signature, batch: Batch) -> Batch:
        """The facts of each tick, each once."""
        number = 0
        for place, (tick, rows) in enumerate(batch):
            if len(rows) > 1 and len({*rows}) < len(rows):
                some = [*dict.fromkeys(rows)]
                number += len(rows) - len(some)
                batch[place] = tick, some
        if number:
            self._merged[signature] = self._merged.get(signature, 0) + number
        return batch

    def _changes(self) -> list[TickChanges]:
        """What has changed of the output."""
        found: dict[int, list[tuple[Signature, Changes]]] = {}
        [self.made] = self._made
        sinks = sorted(self._changed, key=lambda one: one.number)
        self._changed.clear()
        for sink in sinks:
            assert sink.shown is not None
            shown, batch, sink.batch = sink.shown, sink.batch, []
            if len(sinks) == 1 and self._solved is None:
                return [(tick, [(shown, changes_of((began, ended)))]) for tick, ended, began in batch]
            for tick, ended, began in batch:
                changed = shown, changes_of((began, ended))
                others = found.get(tick)
                if others is None:
                    found[tick] = [changed]
                else:
                    others.append(changed)
        if self._solved is not None:
            for tick, changes in self._solved.batch:
                found.setdefault(tick, []).extend(changes)
            self.made += self._solved.made
            self._solved.batch, self._solved.made = [], 0
        if self._supports is not None:
            return [(tick, self._supports.net(found[tick])) for tick in sorted(found)]
        return sorted(found.items())


def _ending_at(tick: int, rows: Iterable[Row]) -> Told:
    """Facts of a tick alone, as they are told."""
    return [(row, tick + 1) for row in rows]


def _reached(state: FlowState, lookup: Lookup) -> int:
    """The number of intervals that a lookup reaches."""
    window, signature = lookup.window, lookup.signature
    if isinstance(window, LastArrivals):
        return sum(map(len, state.arrived.get(arrival_key(lookup), {}).values()))
    if window is None or signature is None:
        return 0
    first = state.start if window.reach is None else state.now - window.reach
    if isinstance(window, Since):
        begun = state.begun.get(window.signature, {}).get(str(window.key), {})
        first = min(begun.values(), default=state.now + 1)
    held = state.held.get(signature, {}).values()
    return sum(end > first for runs in held for end in runs[1::2])


def _let_wait(operators: Sequence[Operator], relations: Iterable[Relation]) -> None:
    """Only operators of the input work: nobody else reads them."""
    inside = {*operators}
    every = (readers for one in operators for readers in one.outputs)
    for readers in (*every, *(relation.inlet for relation in relations)):
        readers[:] = [each for each in readers if each[0] in inside]


def _hand_on_renamed(relations: Iterable[Relation], rules: Sequence[Rules]) -> None:
    """Who reads what only renames the answer to a window reads the window itself."""
    lists = [
        readers for relation in relations for operator in relation.operators for readers in operator.outputs
    ]
    sources = {each: readers for readers in lists for each in readers if isinstance(each[0], Rules)}
    for one in reversed(rules):
        for place, readers in one.renaming():
            source = sources.get((one, place))
            if source is not None:
                source += readers
                one.rename_no_more(place)
                if not one.has_code(place):
                    source.remove((one, place))

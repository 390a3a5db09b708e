"""Explains why an atom holds at a tick, or why not, from the head down."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import count, islice
from types import MappingProxyType

from lars2asp.analysis.decimals import PlaceDecimals
from lars2asp.analysis.held_facts import held_facts
from lars2asp.analysis.predicates import HeadAtom, head_atoms, is_fact, offset_from_now
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.externals.terms.order import in_order
from lars2asp.externals.terms.terms import Row, Value, function
from lars2asp.runtime.explanations.past.history import History
from lars2asp.runtime.explanations.past.holding import Interval
from lars2asp.runtime.explanations.past.interpretation import Interpretation, Placement
from lars2asp.runtime.explanations.past.recollection import MOST_LOOKED_AT, Sought
from lars2asp.runtime.explanations.past.terms import Binding, Terms
from lars2asp.runtime.explanations.reasons.conflict import NO_CONFLICT, Conflict, Contraries
from lars2asp.runtime.explanations.reasons.costs import BestOthers, Costs
from lars2asp.runtime.explanations.reasons.foundations import Derivation, Foundations
from lars2asp.runtime.explanations.reasons.growing_tree import Key, Spot, Tree
from lars2asp.runtime.explanations.reasons.heads import Furthest, HeadRule, Requirements, Wanted
from lars2asp.runtime.explanations.reasons.literals import Literals
from lars2asp.runtime.explanations.reasons.memory import Link, Memory
from lars2asp.runtime.explanations.reasons.other_heads import called_in, other_heads
from lars2asp.runtime.explanations.reasons.placements import Placements
from lars2asp.runtime.explanations.reasons.search import Search
from lars2asp.runtime.explanations.reasons.several import Made, Way, Ways, several
from lars2asp.runtime.explanations.words.claims import (
    DEEPEST,
    Absent,
    Claim,
    CutOff,
    DefinedBy,
    FailedRule,
    FromInput,
    FromProgram,
    FromRule,
    LastTold,
    LateRule,
    NoAnswer,
    Place,
    Reason,
    Remembered,
    Repeated,
    RuleLiteral,
)
from lars2asp.runtime.explanations.words.instances import NOTHING_BOUND, Bound, ClaimedAtom, Numbers
from lars2asp.runtime.explanations.words.labels import Labels
from lars2asp.runtime.explanations.words.program_times import ProgramTimes
from lars2asp.runtime.explanations.words.tick_places import tick_places
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Signature
from lars2asp.syntax.traversal import every


class Explainer:
    """Explains answers of a program.

    Args:
        program: the checked program, its `at most` as they are written.
        history: what was told and answered.
        functions: the user's `@`-functions, over values.
        is_strict: whether windows see only the input of earlier ticks.
        complete_windows: whether `always`, `not` and `at most` need windows wholly on the timeline.
        conflict: gives what cannot hold together at a tick without answer stream.
        others: the best other answer streams at some ticks.
        check: is called again and again; may raise where an explanation takes too long.

    Attributes:
        placements: what heads placed at other ticks.
        numbers: what integers stand for.
    """

    def __init__(
        self,
        program: Program,
        history: History,
        functions: Mapping[str, Callable[..., Row]],
        *,
        is_strict: bool = False,
        complete_windows: bool = False,
        conflict: Callable[[int], Conflict] = lambda _: NO_CONFLICT,
        others: Mapping[int, BestOthers] = MappingProxyType({}),
        check: Callable[[], None] = lambda: None,
    ) -> None:
        analysis = ProgramAnalysis(program)
        self._program = program
        self._held = held_facts(program).keys()
        self._conflict = conflict
        self._labels = Labels(program)
        times = ProgramTimes.of(analysis)
        has_some = times is not None or any(program.every(nodes.Decimals))
        places = PlaceDecimals(program) if has_some else None
        self.numbers = Numbers(places, times=times, formulas=analysis.formulas, ticks=tick_places(program))
        self._history = history
        self._constants, self._integers = analysis.constant_terms, analysis.constants
        self._terms = Terms(self._constants, self._integers, functions)
        self._rules: dict[Signature, list[HeadRule]] = {}
        background: dict[Signature, dict[Row, int]] = {}
        for number, statement in enumerate(program.statements):
            if isinstance(statement, nodes.External):
                if statement.value != nodes.Function("false"):
                    is_passing = statement.atom.signature not in analysis.derived
                    self._add(HeadRule(number, statement, HeadAtom(statement.atom), is_passing, self.numbers))
            elif isinstance(statement, nodes.Rule) and is_fact(statement):
                assert isinstance(statement.head, nodes.Atom)
                known = background.setdefault(statement.head.signature, {})
                for row in self._terms.rows(statement.head.arguments, {}, 0):
                    known.setdefault(row, number)
            elif isinstance(statement, nodes.Rule):
                for head in head_atoms(statement):
                    self._add(HeadRule(number, statement, head, numbers=self.numbers))
        self._background = background
        passing = () if is_strict else (s for s, rules in self._rules.items() if _any_temporary(rules))
        self._interpretation = Interpretation(
            history,
            background,
            self._terms,
            analysis.constants,
            is_strict=is_strict,
            complete_windows=complete_windows,
            passing=frozenset(passing),
            placing=frozenset(s for s, rules in self._rules.items() if any(r.head.tick for r in rules)),
            derivable=frozenset(self._rules),
            is_kept=self._is_kept,
            placed=self._placed_at,
            check=check,
        )
        self._search = Search(self._interpretation)
        self._requirements = Requirements(self._search)
        self._costs = Costs([*program.every(nodes.WeakConstraint)], self._search, others, self.numbers)
        self._literals = Literals(self._search, self)
        self._foundations = Foundations(self._rules, self._search, self._derivations)
        self._memory = Memory(
            self._requirements, self._interpretation, self._terms, self._foundations.groups, check
        )
        self.placements = Placements(self._rules, self._requirements, self._interpretation, history)
        self._ways: dict[Key, Ways] = {}

    def _add(self, rule: HeadRule) -> None:
        self._rules.setdefault(rule.head.atom.signature, []).append(rule)

    # --- questions ------------------------------------------------------------------------------------

    def explain(
        self, atom: nodes.Atom, tick: int, depth: int | None = None, explanations: int = 1
    ) -> list[Claim]:
        """Claims about the atoms that match one at a tick: those that hold, else that none does.

        Args:
            atom: the atom.
            tick: the tick.
            depth: the number of rules that stand upon one another, at most.
            explanations: the number of claims for each atom that holds, at most; each is another explanation.
        """
        deepest = DEEPEST if depth is None else min(depth, DEEPEST)
        atom, signature = self._as_told(atom), atom.signature
        rows = dict.fromkeys(
            row
            for row, _ in self._search.atoms(atom, {}, tick)
            if self._interpretation.holds(signature, row, tick, tick)
        )
        found: list[Claim] = []
        numbers = count(1)
        for row in in_order(rows):

            def made(
                fixed: Mapping[Key, Hashable], excluded: Mapping[Key, Set[Hashable]], row: Row = row
            ) -> Made:
                tree = Tree(deepest, numbers, fixed, excluded)  # each is read by itself
                return self.holding(signature, row, tick, Spot(tick, tree)), tree

            claim, tree = made({}, {})
            if claim is not None:
                found += several(claim, tree, explanations, self._ways, made)
        return found or [self.absent(atom, {}, tick, Spot(tick, Tree(deepest, numbers)))]

    def _as_told(self, atom: nodes.Atom) -> nodes.Atom:
        """The atom with strings in place of constants, where the stream has these there: `alarm(kitchen)`."""
        history, signature = self._history, atom.signature
        known = [*history.input(signature).arrivals(), *history.derived(signature).arrivals()]

        def told(place: int, term: nodes.Term) -> nodes.Term:
            match term:
                case nodes.Function(name, (), False) if name not in self._constants:
                    values = {interval.row[place] for interval in known}
                    if values:
                        is_string = function(name, ()) not in values and str in map(type, values)
                    else:
                        is_string = history.has_told(name) and not history.has_told(function(name, ()))
                    return nodes.String(name) if is_string else term
                case _:
                    return term

        arguments = tuple(told(place, term) for place, term in enumerate(atom.arguments))
        return nodes.Atom(atom.name, arguments, atom.is_positive)

    # --- atoms that hold ------------------------------------------------------------------------------

    def holding(
        self, signature: Signature, row: Row, tick: int, spot: Spot, *, rests: bool = True
    ) -> Claim | None:
        """Why an atom holds at a tick; see Claims."""
        tree, atom = spot.tree, self.numbers.atom(signature, row)
        spot = spot if rests else spot.apart
        seen_at = self._interpretation.viewpoint(signature, row, tick, spot.now)
        key = atom, tick, seen_at, True
        if spot.is_above(key):
            return None
        known = tree.numbers.get(key)
        needed: Set[Key] = tree.resting.get(key, frozenset())
        if key in tree.open:
            known, needed = tree.open[key].number, frozenset([key])
        if known is not None and not any(map(spot.is_above, needed)):
            if rests:
                tree.needs(needed)
            return Claim(tree.number(), atom, tick, seen_at, True, Repeated(known))
        number = tree.begin(key)
        reason = self._reason(key, signature, row, replace(spot, now=seen_at))
        needed = tree.end(key, rests=rests and reason is not None)
        if reason is None:
            return None
        if not isinstance(reason, CutOff) and known is None:
            tree.numbers[key] = number
            tree.resting.pop(key, None)
            if needed:
                tree.resting[key] = needed
        return Claim(number, atom, tick, seen_at, True, reason, self._labels.label_of_atom(atom))

    def _reason(self, key: Key, signature: Signature, row: Row, spot: Spot) -> Reason | None:
        """Why an atom holds, in the first way that is allowed; None if none is."""
        tree, tick = spot.tree, key[1]
        if spot.level >= tree.depth and tick >= self._history.kept_from:
            return next(self._given(signature, row, tick), CutOff("depth", tree.depth == DEEPEST))
        if key not in self._ways:
            self._ways[key] = Ways(self._possible(signature, row, tick, spot.now))
        is_tried, kept, needed = False, tree.size, tree.needed
        for name, way in self._ways[key]:
            is_tried = True
            if tree.allows(key, name):
                if key not in tree.numbers:
                    tree.ways[key] = name
                reason = self._derived(key, name, way, spot) if isinstance(way, Derivation) else way
                if reason is not None:
                    return reason
                tree.drop(kept)
                tree.needed = needed
        is_older = any(self._may_be_older(rule, tick, spot.now) for rule in self._rules.get(signature, ()))
        return CutOff("not kept") if not is_tried or is_older else None

    def _may_be_older(self, rule: HeadRule, tick: int, seen_at: int) -> bool:
        """Whether a rule may have placed atoms at a tick when it was evaluated before what is kept."""
        if rule.head.tick is None or rule.is_temporary or self._interpretation.is_strict:
            return False
        offset = offset_from_now(rule.head.tick, self._integers)
        first = self._interpretation.start if offset is None else tick + offset
        return self._interpretation.start <= first < self._history.kept_from

    def _derived(self, key: Key, name: Hashable, way: Derivation, spot: Spot) -> FromRule | Remembered | None:
        """What an instance of a rule derives; None if it would rest on what is being explained."""
        rule, binding, at = way
        if at == key[1] and (later := spot.tree.later(key)) is not None:
            remembered = self._remembered(key, name, way, later, spot)
            if remembered is not None:
                return remembered
        literals = self._true_literals(rule, binding, replace(spot, now=at, level=spot.level + 1))
        if literals is None:
            return None
        body, condition = literals[: len(rule.body)], literals[len(rule.body) :]
        weighed = self._costs.weighed(*key[:2], at, holds=True) if rule.is_open else None
        bound = rule.bound(binding, range(len(rule.literals)))
        calls = called_in(self._terms, rule.head, binding, key[0], at)
        place = self._place(rule.number, bound)
        return FromRule(place, bound, body, at, rule.is_open, weighed, calls, condition)

    def _remembered(
        self, key: Key, name: Hashable, way: Derivation, later: Key, spot: Spot
    ) -> Remembered | None:
        """Since when the instance that derives an atom at a tick and at a later one has done so."""
        tree = spot.tree
        if tree.ways.get(later) != _at(name, later[1]):
            return None
        row, links = key[0].row, self._links(key, way, later, tree)
        assert row is not None
        first = None if links is None else self._memory.held_since(links)
        if first is None or links is None:
            return None
        there = replace(spot, now=first, level=spot.level + 1)
        since = self.holding(key[0].signature, row, first, there)
        if since is None:
            return None
        told, ago = list[tuple[ClaimedAtom, Place, Bound, int]](), 0
        for signature, values, (by, known, _), step in links:
            bound = by.bound(known, range(len(by.literals)))
            atom = self.numbers.atom(signature, values)
            told.append((atom, self._place(by.number, bound), bound, ago))
            ago += step
        (_, place, bound, _), *through = told
        return Remembered(since, place, bound, ago, through=tuple(through))

    def _links(self, key: Key, way: Derivation, later: Key, tree: Tree) -> list[Link] | None:
        """The instances by which an atom rests on itself, down from a later tick; None if some are none."""
        between = [*tree.open]
        between = [one for one in between[between.index(later) + 1 :] if one != key]
        found, above = list[Link](), later
        signature, row = key[0].signature, key[0].row
        for one in between:
            assert row is not None
            found.append(Link(signature, row, way, above[1] - one[1]))
            ways = self._ways.get(one, ()) if one[3] and one[1] == one[2] else ()
            other = next((by for name, by in ways if name == tree.ways.get(one)), None)
            if not isinstance(other, Derivation) or other[2] != one[1] or one[0].row is None:
                return None
            signature, row, way, above = one[0].signature, one[0].row, other, one
        assert row is not None
        return [*found, Link(signature, row, way, above[1] - key[1])]

    def _possible(self, signature: Signature, row: Row, tick: int, seen_at: int) -> Iterator[Way]:
        """The ways to explain that an atom holds at a tick."""
        is_given = False
        for given in self._given(signature, row, tick):
            is_given = True
            yield given
        if tick >= self._history.kept_from:
            for one in self._candidates(signature, row, tick, seen_at):
                if not (is_given and one.rule.is_open):  # what is given is not chosen
                    yield one

    def _given(self, signature: Signature, row: Row, tick: int) -> Iterator[FromProgram | FromInput]:
        """What says that an atom holds at a tick, without rules."""
        fact = self._background.get(signature, {}).get(row)
        if fact is not None:
            yield FromProgram(self._place(fact))
        told = self._interpretation.told(signature, row, tick)
        if told is not None:
            is_held = signature in self._held
            may_end = is_held and told.last is not None and told.last > self._history.latest
            yield FromInput(told.record, told.first, told.last, is_held, may_end)

    def _candidates(self, signature: Signature, row: Row, tick: int, seen_at: int) -> Iterator[Derivation]:
        """The derivations of an atom at a tick, one first that does not rest on itself."""
        founded = self._foundations.derivation(signature, row, tick, seen_at)
        if founded is not None:
            yield founded
        yield from self._derivations(signature, row, tick, seen_at)

    def _derivations(self, signature: Signature, row: Row, tick: int, seen_at: int) -> Iterator[Derivation]:
        """The derivations of an atom at a tick."""
        for rule in self._rules.get(signature, ()):
            for at in self._evaluations(rule, tick, seen_at):
                if (at < seen_at and rule.is_temporary) or not self._history.has_answer(at):
                    continue
                for binding in self._instances(rule, signature, row, tick, at):
                    yield Derivation(rule, binding, at)

    def _evaluations(self, rule: HeadRule, tick: int, seen_at: int) -> Iterable[int]:
        """The ticks of evaluation at which a rule may derive atoms at a tick, nearest first."""
        is_lasting = not (rule.is_temporary or self._interpretation.is_strict)
        if rule.head.tick is None:
            return (tick,) if tick == seen_at or is_lasting else ()
        offset = offset_from_now(rule.head.tick, self._integers)
        first = max(self._history.kept_from, self._interpretation.start) if is_lasting else seen_at
        if offset is not None:
            return (tick + offset,) if first <= tick + offset <= seen_at else ()
        return range(seen_at, first - 1, -1)

    def _instances(
        self, rule: HeadRule, signature: Signature, row: Row, tick: int, at: int
    ) -> Iterator[Binding]:
        """The instances of a rule that derive an atom at a tick, when it is evaluated at another."""
        is_past = rule.head.is_chosen and tick < at
        if is_past and not self._history.was_placed(at, tick, signature, row):
            return
        wanted = Wanted(self._terms, rule.head, row, tick, at)
        start = wanted.start()
        if start is None:
            return
        for binding in self._requirements.instances(rule, start, at):
            if wanted.may_be_met(binding):
                yield binding

    def _true_literals(self, rule: HeadRule, binding: Binding, spot: Spot) -> tuple[RuleLiteral, ...] | None:
        """The literals of a true instance; None if one would rest on what is being explained."""
        found: dict[int, RuleLiteral] = {}
        for place in self._requirements.order(rule, {}):
            literal = self._literals.true(rule, place, binding, spot)
            if literal is None:
                return None
            found[place] = literal
        return tuple(found[place] for place in range(len(rule.literals)))

    # --- atoms that do not hold -----------------------------------------------------------------------

    def absent(self, atom: nodes.Atom, binding: Binding, tick: int, spot: Spot) -> Claim:
        """Why no instance of an atom holds at a tick."""
        tree, signature = spot.tree, atom.signature
        seen_at = self._interpretation.viewpoint(signature, None, tick, spot.now)
        is_bound = self._terms.is_bound(atom, binding)
        row = self._terms.row(atom.arguments, binding, spot.now) if is_bound else None
        arguments = self._terms.pattern(atom.arguments, binding, spot.now) if row is None else row
        said = self.numbers.atom(signature, arguments)
        key = said, tick, seen_at, False
        known, number = tree.numbers.get(key), tree.number()
        if known is not None:
            return Claim(number, said, tick, seen_at, False, Repeated(known))
        reason: Reason
        if tick < self._history.kept_from:
            reason = CutOff("not kept")
        elif spot.level >= tree.depth:
            reason = CutOff("depth", tree.depth == DEEPEST)
        elif not self._history.has_answer(tick) and signature in self._rules:
            reason = self._clash(tick)
        else:
            tree.numbers[key] = number  # that something does not hold may rest on itself
            is_below = any(one == said and later > tick for one, later in tree.denied)
            first = self._memory.absent_since(atom, binding, tick) if is_below else None
            tree.denied.append((said, tick))
            if first is None:
                reason = self._absence(atom, binding, row, tick, Spot(seen_at, tree, spot.level))
            else:
                since = self.absent(atom, binding, first, Spot(first, tree, spot.level + 1))
                reason = Remembered(since, is_ever=first == self._interpretation.start)
            tree.denied.pop()
        return Claim(number, said, tick, seen_at, False, reason)

    def _absence(self, atom: nodes.Atom, binding: Binding, row: Row | None, tick: int, spot: Spot) -> Absent:
        arguments: Sequence[Value | None] = row or [
            self._terms.value(term, binding, spot.now) if self._terms.is_bound(term, binding) else None
            for term in atom.arguments
        ]

        def is_meant(found: Row) -> bool:
            return self._terms.match_all(atom.arguments, found, binding, spot.now) is not None

        pattern = () if row is not None else atom.arguments
        furthest: dict[int, tuple[HeadRule, Wanted, Furthest]] = {}
        late: dict[int, int] = {}
        has_older = False
        for rule in self._rules.get(atom.signature, ()):
            later = rule.evaluations_after(spot.now, tick, self._integers)
            has_older = has_older or self._may_be_older(rule, tick, spot.now)
            for at in (*self._evaluations(rule, tick, spot.now), *later):
                if at < tick and not self._history.has_answer(at):
                    continue
                wanted = Wanted(self._terms, rule.head, arguments, tick, at, is_meant, pattern, binding)
                start = wanted.start()
                if start is None or not wanted.has_form_of(atom, binding):
                    continue
                if at > spot.now:
                    late.setdefault(rule.number, at)
                    continue
                found = self._requirements.furthest(rule, start, at, wanted.may_be_met)
                known = furthest.get(rule.number)
                if known is None or found.gets_further_than(known[2]):
                    furthest[rule.number] = rule, wanted, found
        said = None if row is None else self.numbers.atom(atom.signature, row)
        failed = (self._failed(*one, said, tick, spot) for _, one in sorted(furthest.items(), key=_number))
        last, history = self._last_told(atom, binding, spot.now), self._history
        is_all = last is not None or history.knows_all_input
        source = self._source(atom.signature)
        known_from = None if is_all else history.kept_from
        late_rules = (LateRule(self._place(number), at) for number, at in sorted(late.items()))
        rules_from = history.kept_from if has_older else None
        nearest = self._nearest(atom, binding, spot.now) if last is None else None
        return Absent(last, tuple(failed), source, known_from, tuple(late_rules), rules_from, nearest)

    def _failed(
        self,
        rule: HeadRule,
        wanted: Wanted,
        furthest: Furthest,
        atom: ClaimedAtom | None,
        tick: int,
        spot: Spot,
    ) -> FailedRule:
        """Why a rule did not derive an atom, by the instance that got furthest."""
        (binding, failing, before), at = furthest, wanted.at
        if failing is None:
            weighed = None if atom is None else self._costs.weighed(atom, tick, at, holds=False)
            bound = rule.bound(binding)
            return FailedRule(self._place(rule.number, bound), bound, None, at, weighed=weighed)
        below = Spot(at, spot.tree, spot.level + 1)
        others, has_more = other_heads(self._requirements, self._literals, wanted, rule, furthest, below)
        if others:
            bound = rule.bound(binding, [failing])
            failed = self._literals.elsewhere(rule, failing, binding, below)
            place = self._place(rule.number, bound)
            return FailedRule(place, bound, failed, at, others=others, has_more=has_more)
        giving = self._literals.giving(rule, failing, before, binding, below)
        met, failed = tuple(giving.values()), self._literals.untrue(rule, failing, binding, below)
        bound = rule.bound(binding, [failing, *giving])
        return FailedRule(self._place(rule.number, bound), bound, failed, at, met)

    def _clash(self, tick: int) -> NoAnswer:
        """What cannot hold together at a tick, as far as that is known."""
        found = self._conflict(tick)
        clashing: list[tuple[Place, Bound]] = []
        for instance in found.instances:
            there = [n for n, one in enumerate(self._program.statements) if one.location == instance.location]
            number = there[min(instance.number, len(there) - 1)]
            clashing.append(self._clashing(number, instance.values))
        for one in found.contraries:
            clashing += (made for made in self._making(one, tick) if made not in clashing)
        contraries = (self.numbers.atom(one.signature, one.row) for one in found.contraries)
        return NoAnswer(tuple(clashing), tuple(contraries))

    def _clashing(self, number: int, values: Mapping[str, Value]) -> tuple[Place, Bound]:
        """An instance of a statement that clashes with others."""
        bound = Bound(values, self.numbers.of_rule(self._program.statements[number]))
        return self._place(number, bound), bound

    def _making(self, contraries: Contraries, tick: int) -> Iterator[tuple[Place, Bound]]:
        """The instances that derive an atom and its classical negation at a tick without answer stream.

        What is derived at the tick is not known, so that only rules are looked at that do not ask for it.
        """
        for is_positive in (True, False):
            signature = contraries.signature._replace(is_positive=is_positive)
            if next(self._given(signature, contraries.row, tick), None) is not None:
                continue
            rules = (rule for rule in self._rules.get(signature, ()) if self._is_over_input(rule))
            instances = (
                self._clashing(rule.number, binding)
                for rule in rules
                for binding in self._instances(rule, signature, contraries.row, tick, tick)
            )
            yield from islice(instances, 1)

    def _is_over_input(self, rule: HeadRule) -> bool:
        """Whether a rule derives an atom at the tick of evaluation from input and facts alone."""
        atoms = every(nodes.Atom, *rule.literals)
        return not (rule.is_open or rule.head.tick or any(one.signature in self._rules for one in atoms))

    def _last_told(self, atom: nodes.Atom, binding: Binding, seen_at: int) -> LastTold | None:
        """The last tick up to one at which the input told an instance of an atom, and that instance."""
        found: LastTold | None = None
        history, signature = self._history, atom.signature
        if history.is_of_calendar(signature):
            return None
        told = (one for one in history.input(signature).arrivals() if history.is_kept(one))
        for interval in (*history.older(signature), *told):
            last = seen_at if interval.last is None else min(interval.last, seen_at)
            is_later = interval.first <= last and (found is None or last >= found.tick)
            if is_later and self._terms.match_all(atom.arguments, interval.row, binding, seen_at) is not None:
                found = self._told(signature, interval, last)
        return found

    def _nearest(self, atom: nodes.Atom, binding: Binding, seen_at: int) -> LastTold | None:
        """What the input told that comes nearest to an atom; of several the latest."""
        sought = Sought.of(atom, binding, seen_at, self._terms)
        signature, history = atom.signature, self._history
        if not sought.may_be_near or history.is_of_calendar(signature):
            return None
        told = islice(reversed(history.input(signature).arrivals()), MOST_LOOKED_AT)
        nearest, least = None, len(sought.arguments)
        for interval in (*told, *reversed(history.older(signature))):
            distance = sought.distance(interval.row) if interval.first <= seen_at else None
            if distance is not None and distance < least:
                last = seen_at if interval.last is None else min(interval.last, seen_at)
                nearest, least = self._told(signature, interval, last), distance
                if least == 1:
                    break
        return nearest

    def _told(self, signature: Signature, interval: Interval, last: int) -> LastTold:
        """An atom of the input up to the last tick at which it held."""
        held_from = interval.first if signature in self._held and interval.first < last else None
        return LastTold(last, self.numbers.atom(signature, interval.row), interval.record, held_from)

    def _source(self, signature: Signature) -> DefinedBy:
        """Where the atoms of a predicate can come from besides the input."""
        if signature in self._rules:
            return DefinedBy.RULES
        return DefinedBy.FACTS if signature in self._background else DefinedBy.INPUT

    # --- the stream -----------------------------------------------------------------------------------

    def _is_kept(self, signature: Signature, row: Row, tick: int) -> bool:
        """Whether later ticks see an atom that was derived at a tick: not by rules with `#temp` alone."""
        is_lasting = any(not rule.is_temporary for rule in self._rules.get(signature, ()))
        return is_lasting and not self._history.fleeting.has(signature, row, tick)

    def _placed_at(self, at: int) -> Sequence[Placement]:
        return self.placements.at(at)

    def _place(self, number: int, bound: Bound = NOTHING_BOUND) -> Place:
        statement = self._program.statements[number]
        if isinstance(statement, nodes.Rule) and statement.is_of_formula:  # labels are those of rules around
            return Place(number, statement.location)
        location = statement.location
        return Place(number, location, self._labels.label_of_rule(location, bound))


def _at(name: Hashable, tick: int) -> Hashable:
    """The name of the way of an instance at another tick."""
    match name:
        case (number, _, values):
            return number, tick, values
        case _:
            return name


def _any_temporary(rules: Sequence[HeadRule]) -> bool:
    return any(rule.is_temporary for rule in rules)


def _number(one: tuple[int, object]) -> int:
    return one[0]

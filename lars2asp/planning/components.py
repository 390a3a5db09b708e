"""Components: the rules that must be evaluated together, in an order of evaluation.

Components are strongly connected parts of the stream dependency graph (Eiter, Ogris, Schekotihin 2019,
definitions 7 to 9; Calimeri et al. 2021, section 4.1), merged with neighbours where separate components gain
nothing. A component by itself has exactly one answer stream, whatever holds below it; all other rules
(choices, disjunctions, loops through negation, constraints, optimization, and all that depends on these) are
one last component, since an answer stream of a part of it may belong to none of the whole.
"""

import dataclasses
from collections.abc import Collection, Iterable
from functools import cached_property

from lars2asp.analysis.called_functions import called_functions
from lars2asp.analysis.graphs import strongly_connected
from lars2asp.analysis.passes.growth import growing_predicates
from lars2asp.analysis.predicates import head_atoms, streaming_atoms
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.planning.current_heads import with_current_heads
from lars2asp.planning.head_predicates import HeadPredicates
from lars2asp.planning.heads_in_flow import HeadsInFlow
from lars2asp.planning.names import Names
from lars2asp.planning.plan import Published
from lars2asp.planning.rows.delta_rules import (
    DeltaRules,
    NotForDeltaError,
    RestOfProgram,
    delta_rule,
)
from lars2asp.planning.rows.row_rules import input_rules
from lars2asp.planning.strata import Stratum, named_in, spread, statements_without_head, strata_of
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Rule, Semantics, Signature, Statement
from lars2asp.syntax.values import dataclass


@dataclass(frozen=True)
class ComponentRules:
    """The rules of one component.

    Attributes:
        program: its statements, and the facts that they look at.
        derives: the predicates that its rules derive.
        is_certain: whether it has exactly one answer stream, whatever holds below.
        delta_rules: its rules for the evaluator `delta`.
        fails: whether they derive the atom of ticks without an answer stream.
        heads: says what rules derive in batches of ticks.
        settled: the predicates of which atoms stay in the stream with either semantics.
    """

    program: Program
    derives: frozenset[Signature]
    is_certain: bool
    delta_rules: DeltaRules
    fails: bool = False
    heads: HeadsInFlow | None = None
    settled: frozenset[Signature] = frozenset()


@dataclass(frozen=True)
class Components:
    """A program in components.

    Attributes:
        rules: the components, lowest first; at most the last one is not certain.
        published: the derived predicates of certain components that components above look at.
        assumed: predicates of background data of which the input must not have atoms: then only the whole
            program, as it was written, says what holds.
    """

    rules: tuple[ComponentRules, ...]
    published: Published
    assumed: frozenset[Signature] = frozenset()


def components_of(analysis: ProgramAnalysis, semantics: Semantics, *, in_batches: bool = False) -> Components:
    """The components of a checked program.

    Args:
        analysis: the program.
        semantics: how windows over derived atoms are read.
        in_batches: whether another part removes ticks without an answer stream. Then derived atoms enter the
            stream at once all the same, and constraints may be rules of their own.
    """
    finder = _ComponentFinder(analysis, semantics, in_batches=in_batches)
    if not finder.may_fail:
        rewritten = with_current_heads(analysis, semantics)
        if rewritten.settled and not (in_batches and rewritten.assumed):
            program = ProgramAnalysis(rewritten.program)
            finder = _ComponentFinder(program, semantics, rewritten.settled, in_batches=in_batches)
            return dataclasses.replace(finder.components(), assumed=rewritten.assumed)
    return finder.components()


def may_fail(analysis: ProgramAnalysis, semantics: Semantics) -> bool:
    """Whether a tick may have no answer stream; what rules derive is not recorded then."""
    return _ComponentFinder(analysis, semantics).may_fail


def uncertain_predicates(analysis: ProgramAnalysis, semantics: Semantics) -> frozenset[Signature]:
    """The derived predicates of which there may be several answer streams, or none."""
    return _ComponentFinder(analysis, semantics).uncertain


class _ComponentFinder:
    def __init__(
        self,
        analysis: ProgramAnalysis,
        semantics: Semantics,
        settled: frozenset[Signature] = frozenset(),
        *,
        in_batches: bool = False,
    ) -> None:
        self._analysis = analysis
        self._in_batches = in_batches
        self._program = program = analysis.program
        self._settled = settled
        self._semantics = semantics
        self._names = Names(program)
        self._derived = frozenset(analysis.derived)
        self._others = set(self._derived)
        """The predicates whose heads are as they are written."""
        if in_batches and not analysis.externals:
            self._others = {head.atom.signature for _, head in analysis.heads if head.is_chosen}
            self._others |= settled
        self._placed = analysis.placed
        self._facts = analysis.facts
        self._separates_input = HeadPredicates(analysis, semantics, self._names).separates_input
        self._last = statements_without_head(analysis)
        self._contrary = frozenset(s for s in analysis.predicates if not s.is_positive)
        """The predicates -p: clingo sees to it that p and -p exclude each other, in the last component."""

    def components(self) -> Components:
        while True:
            found = self._components()
            if found is not None:
                return found

    def _components(self) -> Components | None:
        """The components; None if strata turned out not to be certain, so that it is all to be done again."""
        heads = self._heads
        certain = [stratum for stratum in self._strata if stratum.is_certain]
        uncertain = [stratum for stratum in self._strata if not stratum.is_certain]
        has_last = bool(uncertain or self._last or self._contrary)
        below = frozenset(signature for stratum in certain for signature in stratum.members)
        published = below & self._named_elsewhere()
        at_once = frozenset(
            signature
            for stratum in certain
            for signature in stratum.members & published
            if (self._in_batches or not self.may_fail) and self._enters_at_once(signature, stratum)
        )
        rest = RestOfProgram(
            self._analysis.constants, self._analysis.constant_terms, below - at_once, heads.late
        )
        for stratum in certain:
            stratum.delta_rules = self._translated(stratum, rest)
        served = [one for one in certain if one.is_by_delta and not one.delta_rules.functions]
        left = {s for one in self._strata if one not in served for s in heads.others_of(one.members)}
        if not left.isdisjoint(heads.special):
            self._others |= left
            self.__dict__.pop("_strata")
            self.__dict__.pop("_heads")
            return None
        for stratum in certain:
            seen = {s.atom.signature for s in streaming_atoms(Program(tuple(stratum.rules)))}
            steps = (
                lower.stage + bool(stratum.is_by_delta or lower.is_by_delta or seen & lower.members & at_once)
                for lower in stratum.below
            )
            stratum.stage = max(steps, default=0)
        components = _merged(certain, self._leading_to_last(uncertain) if self._in_batches else ())
        contradictory = [  # clingo could find a contradiction in their text
            stratum
            for merged in components
            if not all(stratum.is_by_delta and not stratum.delta_rules.functions for stratum in merged)
            and has_contraries(named_in(rule for stratum in merged for rule in stratum.rules))
            for stratum in merged
        ]
        if contradictory:
            for stratum in contradictory:
                stratum.is_certain = False
            spread(self._strata)
            return None
        found = [self._rules_of(merged) for merged in components]
        if has_last:
            fails = self._failing_rules(rest) if self._in_batches and not uncertain else None
            found.append(fails or self._last_rules(uncertain, below))
        return Components(tuple(found), Published(at_once, published - at_once))

    def _leading_to_last(self, uncertain: Iterable[Stratum]) -> set[Stratum]:
        """The strata that clingo or constraints look at to decide which ticks have no answer stream."""
        named = named_in(self._last) | self._contrary
        named |= {one._replace(is_positive=True) for one in self._contrary}
        found: set[Stratum] = set()
        waiting = [*uncertain, *(one for one in self._strata if one.members & named)]
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting += one.below
        return found

    @property
    def uncertain(self) -> frozenset[Signature]:
        """The predicates of the strata that are not certain."""
        if self._contrary:
            self.components()  # which strata clingo could find a contradiction in is seen there
        return frozenset(s for stratum in self._strata if not stratum.is_certain for s in stratum.members)

    @cached_property
    def may_fail(self) -> bool:
        """Whether a tick may have no answer stream."""
        uncertain = any(not stratum.is_certain for stratum in self._strata)
        return bool(uncertain or self._last or self._contrary or called_functions(self._program))

    @cached_property
    def _heads(self) -> HeadsInFlow:
        """What rules derive."""
        is_strict = self._semantics is Semantics.STRICT
        return HeadsInFlow(self._analysis, self._names, is_strict=is_strict, others=self._others)

    @cached_property
    def _strata(self) -> list[Stratum]:
        """The strongly connected parts, each after those that it depends on."""
        return strata_of(self._analysis, self._heads)

    @cached_property
    def _growing(self) -> frozenset[Signature]:
        return growing_predicates(self._analysis)

    def _named_elsewhere(self) -> set[Signature]:
        """The predicates that statements other than the rules of their stratum name."""
        twins = {signature._replace(is_positive=True) for signature in self._contrary}
        found = named_in(self._last) | self._contrary | twins
        return found.union(*(named_in(stratum.rules) - stratum.members for stratum in self._strata))

    def _enters_at_once(self, signature: Signature, stratum: Stratum) -> bool:
        """Whether derived atoms may enter the stream before the tick is over."""
        if signature in self._settled:
            return True
        if signature not in self._heads.special:
            if self._semantics is Semantics.STRICT or signature in self._placed:
                return False
            temporary = (rule for rule in stratum.rules if rule.is_temporary)
            if any(head.atom.signature == signature for rule in temporary for head in head_atoms(rule)):
                return False
        own = streaming_atoms(Program(tuple(stratum.rules)))
        return all(streaming.atom.signature != signature for streaming in own)

    # --- rules for delta ------------------------------------------------------------------------------

    def _translated(self, stratum: Stratum, rest: RestOfProgram) -> DeltaRules:
        heads, members = self._heads, stratum.members
        rules: list[tuple[Rule, Signature | None]] = [
            (fact, None) for s in members for fact in self._facts.get(s, ())
        ]
        fleeting = set[bool]()
        for rule in stratum.rules:
            found = [*head_atoms(rule)]
            is_special = len(found) == 1 and found[0].atom.signature in heads.special
            rules.append((rule, heads.of(rule, found[0]) if is_special else None))
            if not is_special:
                fleeting.add(rule.is_temporary)
        if any(one.is_late and one.signature in members for one in heads.placings(members).values()):
            return DeltaRules("recursion through heads at ticks")
        try:
            made = [
                one
                for rule, derives in rules
                for one in delta_rule(rule, members, self._names, rest, derives)
            ]
        except NotForDeltaError as error:
            return DeltaRules(str(error))
        made += heads.rules(members)
        if len(fleeting) > 1:
            return DeltaRules("rules for one predicate both with and without #temp")
        told = list(input_rules(made))
        if told and stratum.members & self._growing:
            return DeltaRules("recursion that builds terms without end")
        return DeltaRules(None, (*made, *told), stratum.members)

    # --- the rules of components -------------------------------------------------------------------------

    def _rules_of(self, strata: list[Stratum]) -> ComponentRules:
        derives = frozenset(signature for stratum in strata for signature in stratum.members)
        rules = [rule for stratum in strata for rule in stratum.rules]
        delta_rules = self._delta_rules(strata, derives)
        return ComponentRules(
            self._program_of(rules, derives),
            derives,
            True,
            delta_rules,
            heads=self._heads,
            settled=self._settled,
        )

    def _last_rules(self, strata: list[Stratum], below: frozenset[Signature]) -> ComponentRules:
        derives = frozenset(signature for stratum in strata for signature in stratum.members)
        derives |= self._analysis.externals
        rules = [rule for stratum in strata for rule in stratum.rules]
        pairs = [s for one in sorted(self._contrary) for s in (one, one._replace(is_positive=True))]
        program = self._program_of([*rules, *self._last], frozenset((*self._derived, *pairs)) - below)
        defined = tuple(nodes.Defined(signature) for signature in pairs)
        program = Program((*program.statements, *defined), program.sources)
        return ComponentRules(
            program, derives, False, DeltaRules("it may have several answer streams, or none")
        )

    def _failing_rules(self, rest: RestOfProgram) -> ComponentRules | None:
        """Rules that derive an atom at ticks without an answer stream, in place of constraints.

        None if there are other statements than constraints, or `delta` does not serve one.
        """
        unanswered = nodes.Atom(self._names.unanswered)
        rules = []
        for one in self._last:
            if not isinstance(one, Rule) or one.head is not None:
                return None
            rules.append(dataclasses.replace(one, head=unanswered))
        for contrary in sorted(self._contrary):
            terms = tuple(nodes.Variable(f"X{place}") for place in range(1, contrary.arity + 1))
            pair = (nodes.Atom(contrary.name, terms, is_positive=sign) for sign in (True, False))
            rules.append(Rule(unanswered, tuple(nodes.Literal(atom) for atom in pair)))
        own = frozenset((unanswered.signature,))
        try:
            made = tuple(one for rule in rules for one in delta_rule(rule, own, self._names, rest))
        except NotForDeltaError:
            return None
        return ComponentRules(Program(()), own, True, DeltaRules(None, made, own), fails=True)

    def _program_of(self, own: Iterable[Statement], derives: frozenset[Signature]) -> Program:
        """Statements and the facts that they look at, in the order of the program."""
        statements, places = self._program.statements, self._places
        looked_at = self._facts_for(named_in(own), derives)
        kept = {places[id(statement)] for statement in (*own, *looked_at) if id(statement) in places}
        kept |= self._declared
        return Program(tuple(statements[place] for place in sorted(kept)), self._program.sources)

    @cached_property
    def _places(self) -> dict[int, int]:
        """The place in the program of each statement, by its identity."""
        return {id(statement): place for place, statement in enumerate(self._program.statements)}

    @cached_property
    def _declared(self) -> frozenset[int]:
        """The places of declarations."""
        statements = enumerate(self._program.statements)
        return frozenset(place for place, s in statements if isinstance(s, nodes.Declaration))

    def _facts_for(self, named: Iterable[Signature], derives: frozenset[Signature]) -> list[Rule]:
        """The facts of predicates, but for predicates that rules of other components derive."""
        looked_at = derives | (set(named) - self._derived)
        return [fact for signature, facts in self._facts.items() if signature in looked_at for fact in facts]

    def _delta_rules(self, strata: list[Stratum], derives: frozenset[Signature]) -> DeltaRules:
        all_rules = [stratum.delta_rules for stratum in strata]
        refusals = dict.fromkeys(rules.refusal for rules in all_rules if rules.refusal is not None)
        if refusals:
            return DeltaRules("; ".join(refusals))
        made = tuple(rule for rules in all_rules for rule in rules.rules)
        return DeltaRules(None, made, derives, self._separates_input)


def has_contraries(signatures: Collection[Signature]) -> bool:
    """Whether a predicate is among them together with its classical negation."""
    return any(not one.is_positive and one._replace(is_positive=True) in signatures for one in signatures)


def _merged(strata: list[Stratum], apart: Collection[Stratum]) -> list[list[Stratum]]:
    """The strata of each component, components after those that they depend on.

    Strata of one stage for `delta` are one component, or two where some call functions of the user, which may
    keep `delta` from serving these. Strata that decide which ticks have no answer stream are apart from the
    others, whose windows depend on that. Other strata are one component if one depends on the other.
    """
    components: list[list[Stratum]] = []
    stages: dict[int, list[Stratum]] = {}
    for stratum in strata:
        stages.setdefault(stratum.stage, []).append(stratum)
    for _, here in sorted(stages.items()):
        kept = [stratum for stratum in here if stratum.is_by_delta]
        parts: dict[tuple[bool, bool], list[Stratum]] = {}
        for stratum in kept:
            parts.setdefault((bool(stratum.delta_rules.functions), stratum in apart), []).append(stratum)
        components += [parts[each] for each in sorted(parts)]
        texts = [stratum for stratum in here if not stratum.is_by_delta]
        graph: dict[Stratum, dict[Stratum, None]] = {stratum: {} for stratum in texts}
        for stratum in texts:
            for lower in stratum.below & graph.keys():
                graph[stratum][lower] = graph[lower][stratum] = None
        found = strongly_connected(graph)
        components += [[stratum for stratum in texts if stratum in members] for members in found]
    return components

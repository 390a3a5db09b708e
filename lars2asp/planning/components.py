"""Components: the rules that must be evaluated together, in the order in which they can be.

Components are strongly connected parts of the stream dependency graph (Eiter, Ogris, Schekotihin 2019,
definitions 7 to 9; Calimeri et al. 2021, section 4.1), merged with neighbours where nothing is gained by the
cut. Apart are parts that have exactly one answer stream, whatever holds below them; all else (choices,
disjunctions, loops through negation, constraints, what is optimized, and all that depends on these) is one
last component, since an answer stream of a part of it may belong to none of the whole.
"""

import dataclasses
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, pairwise

from lars2asp.analysis.called_functions import called_functions
from lars2asp.analysis.constants import constant_values
from lars2asp.analysis.dependencies import Dependency, DependencyKind, dependencies
from lars2asp.analysis.graphs import strongly_connected
from lars2asp.analysis.predicates import (
    all_predicates,
    derived_predicates,
    external_predicates,
    head_atoms,
    is_fact,
    streaming_atoms,
)
from lars2asp.planning.current_heads import written_in_the_present
from lars2asp.planning.instances import (
    InstanceRule,
    Instances,
    NotInstancesError,
    Surroundings,
    instance_rule,
)
from lars2asp.planning.names import Names
from lars2asp.syntax.nodes import (
    Atom,
    Boolean,
    Comparison,
    Constant,
    Declaration,
    Defined,
    External,
    Literal,
    Program,
    Rule,
    Semantics,
    Signature,
    Statement,
    StreamingAtom,
)
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import walk


@dataclass(frozen=True)
class Share:
    """A component's share of a program.

    Attributes:
        program: its statements, and the facts that they look at.
        derives: the predicates that its rules derive.
        is_certain: whether it has exactly one answer stream, whatever holds below.
        instances: its rules for the evaluator `delta`, or why that cannot serve it.
    """

    program: Program
    derives: frozenset[Signature]
    is_certain: bool
    instances: Instances | str


@dataclass(frozen=True)
class Cut:
    """A program in components.

    Attributes:
        shares: the components, lowest first; at most the last one is not certain.
        at_once: derived predicates whose atoms enter the stream as soon as their component is evaluated.
        apart: other derived predicates of certain components that components above look at.
        assumed: predicates of background data of which the input must not tell atoms: then only the whole
            program, as it was written, says what holds.
    """

    shares: tuple[Share, ...]
    at_once: frozenset[Signature]
    apart: frozenset[Signature]
    assumed: frozenset[Signature] = frozenset()


def cut(program: Program, semantics: Semantics) -> Cut:
    """The components of a checked program."""
    cutter = _Cutter(program, semantics)
    if not cutter.may_fail:
        present = written_in_the_present(program, semantics)
        if present.settled:
            cutter = _Cutter(present.program, semantics, present.settled)
            return dataclasses.replace(cutter.cut(), assumed=present.assumed)
    return cutter.cut()


@dataclass(eq=False)
class _Group:
    """Predicates that depend on each other, and what is found out about them."""

    members: frozenset[Signature]
    rules: list[Rule]
    is_certain: bool = True
    below: "set[_Group]" = field(default_factory=set)
    instance_rules: list[InstanceRule] | str = ""
    stage: int = 0

    @property
    def is_kept(self) -> bool:
        """Whether `delta` serves it."""
        return isinstance(self.instance_rules, list)

    @property
    def is_ground_by_clingo(self) -> bool:
        """Whether `delta` needs clingo for it."""
        rules = self.instance_rules
        return isinstance(rules, list) and any(rule.is_ground_by_clingo for rule in rules)


class _Cutter:
    def __init__(
        self, program: Program, semantics: Semantics, settled: frozenset[Signature] = frozenset()
    ) -> None:
        self._program = program
        self._settled = settled
        self._semantics = semantics
        self._names = Names(program)
        self._rules = [s for s in program.but_plain_facts if isinstance(s, Rule) and not is_fact(s)]
        self._heads = [(rule, head) for rule in self._rules for head in head_atoms(rule)]
        self._derived = frozenset(derived_predicates(program))
        self._placed = frozenset(head.atom.signature for _, head in self._heads if head.tick is not None)
        self._facts: dict[Signature, list[Rule]] = {}
        for rule in program.rules():
            if is_fact(rule) and isinstance(rule.head, Atom):
                self._facts.setdefault(rule.head.signature, []).append(rule)
        without_head = {id(rule) for rule in self._rules} - {id(rule) for rule, _ in self._heads}
        self._last = [
            s
            for s in program.statements
            if (id(s) in without_head if isinstance(s, Rule) else not isinstance(s, Declaration))
        ]
        """Statements that derive nothing; they belong to the last component."""
        self._contrary = frozenset(s for s in all_predicates(program) if not s.is_positive)
        """The predicates -p: clingo sees to it that p and -p exclude each other, in the last component."""

    def cut(self) -> Cut:
        while True:
            found = self._cut()
            if found is not None:
                return found

    def _cut(self) -> Cut | None:
        """The components; None if groups turned out not to be certain, so that it is all to be done again."""
        certain = [group for group in self._groups if group.is_certain]
        uncertain = [group for group in self._groups if not group.is_certain]
        has_last = bool(uncertain or self._last or self._contrary)
        looked_at = self._looked_at()
        below = frozenset(signature for group in certain for signature in group.members)
        published = frozenset(signature for signature in below if looked_at.get(signature))
        at_once = frozenset(
            signature
            for group in certain
            for signature in group.members & published
            if not self.may_fail and self._enters_at_once(signature, group)
        )
        self._find_instances(certain, below - at_once)
        for group in certain:
            seen = {s.atom.signature for s in streaming_atoms(Program(tuple(group.rules)))}
            steps = (
                lower.stage + bool(group.is_kept or lower.is_kept or seen & lower.members & at_once)
                for lower in group.below
            )
            group.stage = max(steps, default=0)
        components = _merged(certain)
        contradictory = [
            group
            for merged in components
            if not all(group.is_kept for group in merged) and self._may_contradict(merged)
            for group in merged
        ]
        if contradictory:
            for group in contradictory:
                group.is_certain = False
            _spread(self._groups)
            return None
        shares = [self._share(merged) for merged in components]
        if has_last:
            shares.append(self._last_share(uncertain, below))
        return Cut(tuple(shares), at_once, published - at_once)

    def _may_contradict(self, groups: list[_Group]) -> bool:
        """Whether clingo would find a contradiction in the text of these groups itself."""
        named = _named(rule for group in groups for rule in group.rules)
        return has_contraries(named)

    @cached_property
    def may_fail(self) -> bool:
        """Whether a tick may have no answer stream."""
        uncertain = any(not group.is_certain for group in self._groups)
        return bool(uncertain or self._last or self._contrary or called_functions(self._program))

    # --- groups ---------------------------------------------------------------------------------------

    @cached_property
    def _groups(self) -> list[_Group]:
        """The strongly connected parts, each after those that it depends on."""
        if any(isinstance(s, External) for s in self._program.statements):
            return [_Group(self._derived, [rule for rule, _ in self._heads], False)] if self._derived else []
        edges = [edge for edge in dependencies(self._program) if edge.needed in self._derived]
        graph: dict[Signature, dict[Signature, None]] = {signature: {} for signature in sorted(self._derived)}
        for edge in edges:
            graph[edge.derived][edge.needed] = None
            if edge.is_mutual:
                graph[edge.needed][edge.derived] = None
        for rule in self._rules:
            heads = [head.atom.signature for head in head_atoms(rule)]
            for one, other in pairwise(heads):
                graph[one][other] = graph[other][one] = None
        groups = [_Group(members, []) for members in strongly_connected(graph)]
        of = {signature: group for group in groups for signature in group.members}
        for rule in self._rules:
            for head in islice(head_atoms(rule), 1):  # the others are of the same group
                of[head.atom.signature].rules.append(rule)
        for edge in edges:
            if of[edge.derived] is not of[edge.needed]:
                of[edge.derived].below.add(of[edge.needed])
        self._find_uncertain(groups, of, edges)
        return groups

    def _find_uncertain(
        self, groups: list[_Group], of: Mapping[Signature, _Group], edges: list[Dependency]
    ) -> None:
        inner = [edge for edge in edges if of[edge.derived] is of[edge.needed]]
        recursive = {of[edge.derived] for edge in inner}
        for edge in inner:
            if edge.kind is not DependencyKind.POSITIVE:
                of[edge.derived].is_certain = False
        for rule, head in self._heads:
            group = of[head.atom.signature]
            if head.is_chosen or (group in recursive and not _is_plain(rule)):
                group.is_certain = False
        for statement in self._last:
            for node in walk(statement):
                if isinstance(node, StreamingAtom) and node.atom.signature in self._placed:
                    of[node.atom.signature].is_certain = False
        _spread(groups)

    def _looked_at(self) -> dict[Signature, set[_Group | None]]:
        """For each predicate who names it besides its own rules: groups, or None for the last component."""
        own = {signature: group for group in self._groups for signature in group.members}
        found: dict[Signature, set[_Group | None]] = {}
        for group in self._groups:
            for signature in _named(group.rules):
                if own.get(signature) is not group:
                    found.setdefault(signature, set()).add(group)
        twins = {signature._replace(is_positive=True) for signature in self._contrary}
        for signature in _named(self._last) | self._contrary | twins:
            found.setdefault(signature, set()).add(None)
        return found

    def _enters_at_once(self, signature: Signature, group: _Group) -> bool:
        """Whether what is derived may enter the stream before the tick is over."""
        if signature in self._settled:
            return True
        if self._semantics is Semantics.STRICT or signature in self._placed:
            return False
        if any(rule.is_temporary for rule in group.rules if _derives(rule, {signature})):
            return False
        own = streaming_atoms(Program(tuple(group.rules)))
        return all(streaming.atom.signature != signature for streaming in own)

    # --- rules for delta ------------------------------------------------------------------------------

    def _find_instances(self, groups: list[_Group], hidden: frozenset[Signature]) -> None:
        around = Surroundings(constant_values(self._program), self._facts, self._derived, hidden)
        for group in groups:
            try:
                rules = [*group.rules, *(fact for s in group.members for fact in self._facts.get(s, ()))]
                group.instance_rules = [
                    instance_rule(rule, group.members, self._names, around) for rule in rules
                ]
            except NotInstancesError as error:
                group.instance_rules = str(error)
                continue
            if len({rule.is_temporary for rule in group.rules}) > 1:
                group.instance_rules = "rules for one predicate both with and without #temp"

    # --- shares ---------------------------------------------------------------------------------------

    def _share(self, groups: list[_Group]) -> Share:
        derives = frozenset(signature for group in groups for signature in group.members)
        rules = [rule for group in groups for rule in group.rules]
        return Share(self._program_of(rules, derives), derives, True, self._instances(groups, derives))

    def _last_share(self, groups: list[_Group], below: frozenset[Signature]) -> Share:
        derives = frozenset(signature for group in groups for signature in group.members)
        derives |= external_predicates(self._program)
        rules = [rule for group in groups for rule in group.rules]
        pairs = [s for one in sorted(self._contrary) for s in (one, one._replace(is_positive=True))]
        program = self._program_of([*rules, *self._last], frozenset((*self._derived, *pairs)) - below)
        defined = tuple(Defined(signature) for signature in pairs)
        program = Program((*program.statements, *defined), program.sources)
        return Share(program, derives, False, "it may have several answer streams, or none")

    def _program_of(self, own: Iterable[Statement], derives: frozenset[Signature]) -> Program:
        """Statements and the facts that they look at, in the order of the program."""
        kept = {id(statement) for statement in own}
        kept |= {id(fact) for fact in self._facts_for(_named(own), derives)}
        return Program(
            tuple(s for s in self._program.statements if id(s) in kept or isinstance(s, Declaration)),
            self._program.sources,
        )

    def _facts_for(self, named: Iterable[Signature], derives: frozenset[Signature]) -> list[Rule]:
        """The facts of predicates; those of predicates that rules elsewhere derive belong there."""
        looked_at = derives | (set(named) - self._derived)
        return [fact for signature, facts in self._facts.items() if signature in looked_at for fact in facts]

    def _instances(self, groups: list[_Group], derives: frozenset[Signature]) -> Instances | str:
        refusals = [group.instance_rules for group in groups if isinstance(group.instance_rules, str)]
        if refusals:
            return "; ".join(dict.fromkeys(refusals))
        made = [
            rule
            for group in groups
            if not isinstance(group.instance_rules, str)
            for rule in group.instance_rules
        ]
        constants = [s for s in self._program.statements if isinstance(s, Constant)]
        constants = [dataclasses.replace(constant, is_override=False) for constant in constants]
        found = Instances(tuple(made), "", derives, self._names)
        facts = self._facts_for(found.background, frozenset())
        return dataclasses.replace(found, facts="".join(f"{to_text(s)}\n" for s in [*constants, *facts]))


def has_contraries(signatures: Collection[Signature]) -> bool:
    """Whether a predicate is among them together with its classical negation."""
    return any(not one.is_positive and one._replace(is_positive=True) in signatures for one in signatures)


def _spread(groups: Iterable[_Group]) -> None:
    """What depends on groups that are not certain is not certain either."""
    for group in groups:  # those below come first
        if any(not lower.is_certain for lower in group.below):
            group.is_certain = False


def _derives(rule: Rule, signatures: Collection[Signature]) -> bool:
    return any(head.atom.signature in signatures for head in head_atoms(rule))


def _named(statements: Iterable[Statement]) -> set[Signature]:
    """The predicates that statements name."""
    return {part.signature for s in statements for part in walk(s) if isinstance(part, Atom)}


def _is_plain(rule: Rule) -> bool:
    """Whether the body has no aggregates and conditional literals."""
    return all(
        isinstance(literal, Literal) and isinstance(literal.atom, Atom | StreamingAtom | Comparison | Boolean)
        for literal in rule.body
    )


def _merged(groups: list[_Group]) -> list[list[_Group]]:
    """The groups of each component, components after those that they depend on.

    Groups of one stage for `delta` are one component, or two where clingo grounds for some of them, as others
    stand in for these at times. Other groups are one component where one depends on the other.
    """
    components: list[list[_Group]] = []
    for stage in sorted({group.stage for group in groups}):
        here = [group for group in groups if group.stage == stage]
        kept = [group for group in here if group.is_kept]
        ground = [group for group in kept if group.is_ground_by_clingo]
        components += filter(None, ([group for group in kept if group not in ground], ground))
        texts = [group for group in here if not group.is_kept]
        graph: dict[_Group, dict[_Group, None]] = {group: {} for group in texts}
        for group in texts:
            for lower in group.below & graph.keys():
                graph[group][lower] = graph[lower][group] = None
        found = strongly_connected(graph)
        components += [[group for group in texts if group in members] for members in found]
    return components

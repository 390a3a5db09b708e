"""Translates a checked program to ASP with `@`-calls: streaming atoms become plain atoms.

With `q(X) :- p(X).` in the program,

    a(X) :- q(X) in [5].

becomes (the tests have every case; lars2asp.streaming has the definitions of streaming atoms)

    a(X) :- lars_in_sliding_5_q(X).
    lars_in_sliding_5_q(X1) :- q(X1) = @lars_in("q",1,"sliding(5)",lars_now).
    lars_in_sliding_5_q(X1) :- q(X1).

A head `p(X) at T` derives `lars_placed_p(X,T)`: what holds at a tick by this evaluation. Where it must be
known what rules derive, apart from what else makes an atom true, they derive an atom of a generated predicate
`lars_derived_p`, which then makes p true: with strict semantics for the output, with `#temp` for the record.
"""

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from lars2asp.analysis.called_functions import called_functions
from lars2asp.analysis.constants import constant_values
from lars2asp.analysis.declared_time import declared_zone, tick_length
from lars2asp.analysis.predicates import (
    HeadAtom,
    all_predicates,
    derived_predicates,
    external_predicates,
    head_atom_of,
    head_atoms,
    is_fact,
    merge_windows,
    named_plainly,
)
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.planning.components import Share, cut, has_contraries
from lars2asp.planning.lookups import Bound, Lookup, LookupKind
from lars2asp.planning.names import Names
from lars2asp.planning.plan import Ask, Component, Plan, PlanLine, Published, Role
from lars2asp.planning.relevant_answers import bounds
from lars2asp.planning.streaming import StreamingAtoms, atom_of, plain_atom
from lars2asp.syntax.nodes import (
    NOW,
    Atom,
    AtTick,
    Body,
    Comparison,
    ConditionalLiteral,
    Constant,
    Declaration,
    Disjunction,
    External,
    Function,
    Guard,
    Head,
    HeadAggregate,
    HeadAggregateElement,
    Heuristic,
    Input,
    Literal,
    Node,
    Program,
    Rule,
    Script,
    Semantics,
    SemanticsChoice,
    SetAggregate,
    Show,
    ShowTerm,
    Sign,
    Signature,
    Statement,
    StreamingAtom,
    Term,
    Variable,
    WeakConstraint,
)
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import NOWHERE, Location
from lars2asp.syntax.traversal import NodeT, rewrite

_ElementT = TypeVar("_ElementT", ConditionalLiteral, HeadAggregateElement)


def translate(program: Program, semantics: Semantics | None = None) -> Plan:
    """The plan of a checked program; `semantics` goes before the program's own choice.

    Raises nothing for a program that passed the checks.
    """
    effective = effective_semantics(program, semantics)
    parts = cut(program, effective)
    analysis = ProgramAnalysis(program)
    published = Published(parts.at_once, parts.apart)
    components: list[Component] = []
    for share in parts.shares:
        below = frozenset(signature for component in components for signature in component.derives)
        part = _Part(analysis, share, published, below)
        components.append(_Translation(share.program, effective, part).component())
    return dataclasses.replace(
        _Translation(program, effective).plan(),
        components=tuple(components),
        published=published,
        assumed=parts.assumed,
        shown_input=analysis.shown - external_predicates(program) - frozenset(analysis.derived),
    )


@dataclass(frozen=True)
class _Part:
    """What a component is part of.

    Attributes:
        whole: the program.
        share: the component's share of it.
        published: what components hand on.
        below: the predicates that components below derive.
    """

    whole: ProgramAnalysis
    share: Share
    published: Published
    below: frozenset[Signature]


def effective_semantics(program: Program, given: Semantics | None) -> Semantics:
    """The semantics given from outside, else that of the program, else the default."""
    chosen = [choice.semantics for choice in program.every(SemanticsChoice)]
    return given or (chosen[0] if chosen else Semantics.RECORDED)


class _Heads:
    """What the heads of a program say about its predicates."""

    def __init__(self, program: Program, semantics: Semantics) -> None:
        self.is_strict = semantics is Semantics.STRICT
        has_show = any(isinstance(statement, Show) for statement in program.statements)
        self.separates_input = self.is_strict and not has_show
        """Whether the output leaves out what only the input tells.

        That is what Laser and Ticker report: the answer stream without the data stream.
        """
        self.derived = frozenset(derived_predicates(program))
        rules = [s for s in program.but_plain_facts if isinstance(s, Rule) and not is_fact(s)]
        heads = [(rule, head) for rule in rules for head in head_atoms(rule)]
        ticked = [(rule, head) for rule, head in heads if head.tick is not None]
        self.placed = frozenset(head.atom.signature for _, head in ticked)
        """The predicates of heads `a at T`."""
        self.merged = merge_windows(program, constant_values(program))
        """Those whose placed atoms must be one with what holds at the tick anyway, and where that is.

        So that choosing what holds already is no other answer stream.
        """
        kept = {head.atom.signature for rule, head in heads if not rule.is_temporary}
        fleeting = {head.atom.signature for rule, head in heads if rule.is_temporary}
        self.kept = frozenset(kept)
        """The predicates with a rule whose atoms are recorded."""
        self.kept_at = frozenset(head.atom.signature for rule, head in ticked if not rule.is_temporary)
        """Those with a head `a at T` in such a rule."""
        if self.is_strict:
            self.marked = self.derived if self.separates_input else frozenset()
        else:
            self.marked = frozenset(kept & fleeting)

    def is_marked(self, rule: Rule, signature: Signature) -> bool:
        """Whether what the rule derives of the predicate is kept apart."""
        return signature in self.marked and (self.is_strict or not rule.is_temporary)


class _Translation:
    def __init__(self, program: Program, semantics: Semantics, part: _Part | None = None) -> None:
        self._program = program
        self._part = part
        self._whole = ProgramAnalysis(program) if part is None else part.whole
        self._semantics = semantics
        self._constants = constant_values(program)
        self._places = all_predicates(program)
        self._names = Names(self._whole.program)
        self._heads = _Heads(program, semantics)
        self._lines: list[PlanLine] = []
        self._depends_on_now = False
        self._shown_as: dict[str, Signature] = {}
        self._streaming = StreamingAtoms(
            self._names,
            self._constants,
            self._heads.derived
            | external_predicates(program)
            | (part.published.apart if part is not None else frozenset()),
            self._heads.placed,
            self._emit,
        )

    def plan(self) -> Plan:
        program, heads = self._program, self._heads
        constants = [dataclasses.replace(constant, is_override=False) for constant in program.every(Constant)]
        for constant in constants:
            self._add(to_text(constant), constant.location)
        for statement in program.statements:
            if not isinstance(statement, Declaration):
                self._statement(statement)
        self._bridges()
        self._input_rules()
        reach = self._whole.reach
        recorded = {self._recorded_as(signature): signature for signature in self._recorded(reach)}
        placed = {self._placed_as(s): s for s in heads.kept_at} if not heads.is_strict else {}
        self._show(recorded, placed)
        return Plan(
            semantics=self._semantics,
            facts="".join(f"{to_text(s)}\n" for s in [*constants, *filter(is_fact, program.rules())]),
            lines=tuple(self._lines),
            part=self._names.part,
            parameter=self._names.now,
            functions={kind: self._names.function(kind) for kind in LookupKind},
            lookups=tuple(self._streaming.lookups),
            ask_names=tuple(self._names.asked(i) for i, _ in enumerate(self._streaming.lookups)),
            names=self._names,
            bounds=self._bounds(),
            shown_as=self._shown_as,
            recorded=recorded,
            placed=placed,
            reach=reach,
            depends_on_now=self._depends_on_now or self._streaming.depends_on_now,
            optimizes=any(isinstance(statement, WeakConstraint) for statement in program.statements),
            has_externals=any(
                isinstance(s, External) and s.value != Function("false") for s in program.statements
            ),
            shows_terms=any(isinstance(statement, ShowTerm) for statement in program.statements),
            guides_solver=any(isinstance(statement, Heuristic) for statement in program.statements),
            scripts=tuple(program.every(Script)),
            called=called_functions(program),
            tick_length=tick_length(program),
            zone=declared_zone(program),
            inputs=tuple(program.every(Input)),
            declarations=tuple(program.every(Declaration)),
        )

    def component(self) -> Component:
        """The plan of a component, and what becomes of what it derives."""
        part = self._part
        if part is None:
            raise TypeError("the whole program is no component")
        share, plan = part.share, self.plan()
        roles = {}
        for signature in share.derives:
            roles[signature] = Role(
                shown=signature if signature in self._shown() else None,
                published=signature if signature in self._published else None,
                recorded=signature if signature in self._recorded(plan.reach) else None,
            )
        return Component(
            plan,
            share.derives,
            share.is_certain,
            share.instances,
            self._roles(plan),
            roles,
            has_contraries(self._places),
            not self._heads.separates_input,
        )

    def _bounds(self) -> dict[Lookup, tuple[Bound, ...]]:
        """Of which lookups only some answers matter, in a component."""
        part = self._part
        if part is None:
            return {}
        derived = frozenset(self._whole.derived)
        plain = {
            signature: Lookup(LookupKind.NOW if signature in part.below else LookupKind.INPUT, signature)
            for signature in self._places
            if signature not in self._heads.derived
        }
        hidden = self._heads.derived | self._heads.placed | self._streaming.named
        return bounds(self._program, derived, plain, hidden, self._constants)

    def _recorded(self, reach: Collection[Signature]) -> frozenset[Signature]:
        """The predicates whose atoms are recorded when the tick is over."""
        if self._heads.is_strict:
            return frozenset()
        at_once = self._part.published.at_once if self._part is not None else frozenset()
        return (self._heads.kept & frozenset(reach)) - at_once

    @property
    def _published(self) -> frozenset[Signature]:
        """The predicates that this text hands on."""
        part = self._part
        if part is None:
            return frozenset()
        return (part.published.at_once | part.published.apart) & part.share.derives

    def _shown(self) -> frozenset[Signature]:
        """The predicates of the output that are this text's to show."""
        shown = self._whole.shown
        return shown if self._part is None else shown & self._part.share.derives

    def _roles(self, plan: Plan) -> dict[Signature, Role]:
        """What becomes of the predicates of the text, for a component that is certain."""
        part = self._part
        if part is None or not part.share.is_certain:
            return {}
        roles: dict[Signature, Role] = {}

        def add(signature: Signature, **role: Signature) -> None:
            roles[signature] = dataclasses.replace(roles.get(signature, Role()), **role)

        for signature in self._shown():
            add(self._shown_as_derived(signature), shown=signature)
        for signature in self._published:
            add(signature, published=signature)
        for text, signature in plan.recorded.items():
            add(text, recorded=signature)
        for text, signature in plan.placed.items():
            add(text, placed=signature)
        return roles

    def _shown_as_derived(self, signature: Signature) -> Signature:
        """The predicate that is output for a predicate."""
        if not self._heads.separates_input:
            return signature
        return Signature(self._names.derived(signature), signature.arity)

    def _recorded_as(self, signature: Signature) -> Signature:
        """The predicate whose atoms are recorded as those of a predicate."""
        if signature not in self._heads.marked:
            return signature
        return Signature(self._names.derived(signature), signature.arity)

    def _placed_as(self, signature: Signature) -> Signature:
        is_marked = signature in self._heads.marked
        name = self._names.derived_at(signature) if is_marked else self._names.placed(signature)
        return Signature(name, signature.arity + 1)

    def _add(self, text: str, origin: Location) -> None:
        self._lines.append(PlanLine((text,), origin))

    def _emit(self, pieces: Sequence[str | Ask], origin: Location) -> None:
        self._lines.append(PlanLine(tuple(pieces), origin))

    def _statement(self, statement: Statement) -> None:
        """Adds the line for a statement, and behind it those that it needs."""
        if isinstance(statement, Rule) and is_fact(statement) and isinstance(statement.head, Atom):
            signature = statement.head.signature
            if signature not in self._heads.marked:
                self._lines.append(PlanLine((to_text(statement),), statement.location, signature))
                return
        position = len(self._lines)
        if isinstance(statement, Rule):
            head, body = statement.head, self._mapped_all(statement.body)
            translated: Node = dataclasses.replace(
                statement, head=self._head(statement, head), body=body, is_temporary=False
            )
            self._marks(statement, body)
        else:
            translated = self._mapped(statement)
            if isinstance(statement, External) and statement.value != Function("false"):
                self._show_external(statement)
        self._lines.insert(position, PlanLine((to_text(translated),), statement.location))

    def _mapped(self, node: NodeT) -> NodeT:
        """The node with plain atoms for streaming atoms and the tick for `@now`."""

        def plain(part: Node) -> Node:
            return self._streaming.atom(part) if isinstance(part, StreamingAtom) else part

        def ticked(part: Node) -> Node:
            if part != NOW:
                return part
            self._depends_on_now = True
            return Function(self._names.now, location=part.location)

        return rewrite(rewrite(node, plain), ticked)

    def _mapped_all(self, nodes: Sequence[NodeT]) -> tuple[NodeT, ...]:
        return tuple(map(self._mapped, nodes))

    # --- heads ----------------------------------------------------------------------------------------

    def _head(self, rule: Rule, head: Head | None) -> Head | None:
        ticked = frozenset(found.atom.signature for found in head_atoms(rule) if found.tick is not None)
        match head:
            case None:
                return None
            case Atom() | AtTick():
                (found,) = head_atoms(rule)
                return self._mapped(self._derived_atom(rule, found))
            case Disjunction() | SetAggregate() | HeadAggregate():
                nodes: tuple[Any, ...] = head.elements
                elements: Any = tuple(self._element(element, ticked) for element in nodes)
                nothing: Any = ()
                guards = self._mapped(dataclasses.replace(head, elements=nothing))
                return dataclasses.replace(guards, elements=elements)
            case _:
                return self._mapped(head)

    def _derived_atom(self, rule: Rule, head: HeadAtom) -> Atom:
        """The atom that a rule with one atom in its head derives."""
        signature, location = head.atom.signature, head.atom.location
        is_marked = self._heads.is_marked(rule, signature)
        if head.tick is not None:
            return self._ticked(head.atom, head.tick, is_marked=is_marked)
        if is_marked:
            return Atom(self._names.derived(signature), head.atom.arguments, location=location)
        return head.atom

    def _ticked(self, atom: Atom, tick: Term, *, is_marked: bool) -> Atom:
        """The atom that stands for `a at T` in a head."""
        names = self._names
        name = names.derived_at(atom.signature) if is_marked else names.placed(atom.signature)
        return Atom(name, (*atom.arguments, tick), location=atom.location)

    def _element(self, element: _ElementT, ticked: frozenset[Signature]) -> _ElementT:
        atom = self._ticked_element(element, ticked)
        if atom is None:
            return self._mapped(element)
        literal = dataclasses.replace(element.literal, atom=atom)
        return self._mapped(dataclasses.replace(element, literal=literal))

    def _ticked_element(
        self, element: ConditionalLiteral | HeadAggregateElement, ticked: frozenset[Signature]
    ) -> Atom | None:
        """The atom in place of `a at T` in an element; None for other elements.

        Where a head has `a` besides, that is `a at @now`, so that it is not counted as another atom.
        """
        found = head_atom_of(element)
        if found is None:
            return None
        if found.tick is None and found.atom.signature not in ticked:
            return None
        return self._ticked(found.atom, NOW if found.tick is None else found.tick, is_marked=False)

    def _show_external(self, statement: External) -> None:
        """Externals that are true are output, even where the output is what rules derive.

        Rules must not derive them: they would be no externals any more.
        """
        signature = statement.atom.signature
        if not self._heads.separates_input or signature not in self._heads.derived:
            return
        name = self._names.external(signature)
        self._shown_as[name] = signature
        self._choose(HeadAtom(statement.atom), name, self._mapped_all(statement.body), statement.location)

    def _marks(self, rule: Rule, body: Body) -> None:
        """For heads that choose: rules that keep apart what was chosen, which the head cannot.

        What else a disjunction offers (`not a`, a comparison) counts as its contrary in the body.
        """
        if isinstance(rule.head, Disjunction):
            others = [element for element in rule.head.elements if head_atom_of(element) is None]
            body = (*body, *(self._mapped(_contrary(element)) for element in others))
        for head in head_atoms(rule):
            signature = head.atom.signature
            if head.is_chosen and self._heads.is_marked(rule, signature):
                is_now = head.tick is None
                mark = self._names.derived(signature) if is_now else self._names.derived_at(signature)
                self._choose(head, mark, body, rule.location)

    def _choose(self, head: HeadAtom, mark: str, body: Body, origin: Location) -> None:
        """A rule for the atoms of a predicate `mark`: those of the head that hold, where the body is true."""
        terms = (*head.atom.arguments, *([head.tick] if head.tick is not None else []))
        # not the terms themselves: an interval would be another one in each place
        variables = [Variable(self._names.variable(i)) for i in range(1, len(terms) + 1)]
        if head.tick is None:
            chosen = dataclasses.replace(head.atom, arguments=tuple(variables))
        else:
            chosen = Atom(self._names.placed(head.atom.signature), tuple(variables))
        equations = (
            Literal(Comparison(variable, (Guard("=", self._mapped(term)),)))
            for variable, term in zip(variables, terms, strict=True)
        )
        condition = (Literal(chosen), *equations, *self._mapped_all(head.condition))
        self._add(to_text(Rule(Atom(mark, tuple(variables)), (*condition, *body))), origin)

    # --- what connects predicates ---------------------------------------------------------------------

    def _bridges(self) -> None:
        """From what rules derive to what holds now."""
        heads, names = self._heads, self._names
        for signature in derived_predicates(self._program):
            origin = self._places[signature]
            variables = [f"X{i}" for i in range(1, signature.arity + 1)]
            plain = plain_atom(signature, variables)
            derived = atom_of(names.derived(signature), variables)
            is_marked = signature in heads.marked
            if is_marked:
                self._add(f"{plain} :- {derived}.", origin)
            if signature not in heads.placed:
                continue
            self._depends_on_now = True
            placed = names.placed(signature)
            if is_marked:
                derived_at = names.derived_at(signature)
                self._add(
                    f"{atom_of(placed, [*variables, 'T'])} :- {atom_of(derived_at, [*variables, 'T'])}.",
                    origin,
                )
                self._add(f"{derived} :- {atom_of(derived_at, [*variables, names.now])}.", origin)
            self._add(f"{plain} :- {atom_of(placed, [*variables, names.now])}.", origin)
            if signature in heads.merged:
                self._merge(signature, variables, origin)

    def _merge(self, signature: Signature, variables: Sequence[str], origin: Location) -> None:
        """Makes what holds at a tick anyway one with what heads place there."""
        name = self._names.placed(signature)
        ticked = [*variables, "T"]
        asked = [
            self._streaming.ask(LookupKind.AT, ticked, signature, window)
            for window in self._heads.merged[signature]
        ]
        if not self._heads.is_strict:
            asked.append(self._streaming.ask(LookupKind.SCHEDULED, ticked, signature))
        for ask in asked:
            self._streaming.rule(atom_of(name, ticked), [ask], origin)
        now = atom_of(name, [*variables, self._names.now])
        self._add(f"{now} :- {plain_atom(signature, variables)}.", origin)

    def _input_rules(self) -> None:
        """For every predicate the rule that brings in what the input tells, or components below derive."""
        derived_elsewhere = frozenset(self._whole.derived)
        named = self._heads.derived | self._streaming.named | named_plainly(self._program)
        for signature, location in self._places.items():
            variables = [f"X{i}" for i in range(1, signature.arity + 1)]
            kind = LookupKind.INPUT
            if self._part is not None and signature in self._part.below:
                kind = LookupKind.NOW
            elif signature not in self._heads.derived and signature in derived_elsewhere:
                continue  # it is looked at in the past alone
            if self._part is not None and signature not in named:
                continue  # it is looked at in windows alone
            told = self._streaming.ask(kind, variables, signature)
            self._streaming.rule(plain_atom(signature, variables), [told], location)

    def _show(self, recorded: Collection[Signature], placed: Collection[Signature]) -> None:
        self._add("#show.", NOWHERE)
        shown = dict.fromkeys(map(self._shown_as_derived, sorted(self._shown())))
        if self._heads.separates_input:
            self._shown_as |= {self._names.derived(s): s for s in sorted(self._shown())}
        shown |= dict.fromkeys(Signature(name, s.arity) for name, s in self._shown_as.items())
        if self._part is not None and self._part.share.is_certain:
            shown |= dict.fromkeys((*self._published, *recorded, *placed))
        for signature in shown:
            self._add(f"#show {signature}.", NOWHERE)


def _contrary(element: ConditionalLiteral) -> ConditionalLiteral | Literal:
    """What is true where an element of a disjunction is not."""
    sign = Sign.NOT_NOT if element.literal.sign is Sign.NOT else Sign.NOT
    literal = dataclasses.replace(element.literal, sign=sign)
    return dataclasses.replace(element, literal=literal) if element.condition else literal

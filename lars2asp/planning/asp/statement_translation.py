"""Translates statement by statement: plain atoms for streaming atoms, and generated predicates in heads."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from lars2asp.analysis.predicates import HeadAtom, head_atoms, head_atoms_of, is_fact
from lars2asp.planning.asp.asp_program import Draft
from lars2asp.planning.asp.streaming import StreamingAtoms, plain_atom, variables_of
from lars2asp.planning.head_predicates import HeadPredicates
from lars2asp.planning.names import Names
from lars2asp.syntax import nodes
from lars2asp.syntax.source import Location
from lars2asp.syntax.traversal import NodeT, rewrite, walk

_ElementT = TypeVar("_ElementT", nodes.ConditionalLiteral, nodes.HeadAggregateElement)


class StatementTranslator:
    """Translates the statements of one program.

    Args:
        names: the generated names.
        heads: the predicates of the program's heads.
        constants: the values of integer constants.
        derived: the predicates that may hold now without the input.

    Attributes:
        drafts: the translation so far.
        streaming: translates streaming atoms.
        shown_as: for generated predicates in the output, the predicates whose atoms they stand for.
        depends_on_now: whether the translation has `@now`.
    """

    def __init__(
        self,
        names: Names,
        heads: HeadPredicates,
        constants: Mapping[str, int],
        derived: frozenset[nodes.Signature],
    ) -> None:
        self.drafts: list[Draft] = []
        self.streaming = StreamingAtoms(names, constants, derived, heads.placed, self.add)
        self.shown_as: dict[str, nodes.Signature] = {}
        self.depends_on_now = False
        self._names = names
        self._heads = heads
        self._pools = 0

    def add(self, statement: nodes.Statement, origin: Location) -> None:
        """Adds the line for a statement that is translated."""
        self.drafts.append(Draft(statement, origin))

    def translate(self, statement: nodes.Statement) -> None:
        """Adds the line for a statement, and behind it those that it needs."""
        if (
            isinstance(statement, nodes.Rule)
            and is_fact(statement)
            and isinstance(statement.head, nodes.Atom)
        ):
            signature = statement.head.signature
            if signature not in self._heads.marked:
                self.drafts.append(Draft(statement, statement.location, signature))
                return
        position = len(self.drafts)
        if isinstance(statement, nodes.Rule):
            head, body = statement.head, self._mapped_all(statement.body)
            translated: nodes.Statement = dataclasses.replace(
                statement, head=self._head(statement, head), body=body, is_temporary=False
            )
            self._marks(statement, body)
        else:
            translated = self._mapped(statement)
            if isinstance(statement, nodes.External) and statement.value != nodes.Function("false"):
                self._show_external(statement)
        self.drafts.insert(position, Draft(translated, statement.location))

    def _mapped(self, node: NodeT) -> NodeT:
        """The node with plain atoms for streaming atoms and the tick for `@now`."""

        def plain(part: nodes.Node) -> nodes.Node:
            return self.streaming.atom(part) if isinstance(part, nodes.StreamingAtom) else part

        def ticked(part: nodes.Node) -> nodes.Node:
            if part != nodes.NOW:
                return self._of_one_predicate(part) if isinstance(part, nodes.Pool) else part
            self.depends_on_now = True
            return nodes.Function(self._names.now, location=part.location)

        if any(isinstance(part, nodes.StreamingAtom) for part in walk(node)):
            node = rewrite(node, plain)
        if any(isinstance(part, nodes.Pool) or part == nodes.NOW for part in walk(node)):
            node = rewrite(node, ticked)
        return node

    def _of_one_predicate(self, part: nodes.Pool) -> nodes.Pool:
        """A pool of atoms of several predicates as one of a generated predicate, which says each of them."""
        atoms: Any = part.alternatives
        if len({atom.signature for atom in atoms if isinstance(atom, nodes.Atom)}) < 2:
            return part
        self._pools += 1
        name = self._names.either(self._pools)
        numbers = {
            signature: nodes.Number(n)
            for n, signature in enumerate(dict.fromkeys(a.signature for a in atoms))
        }
        for signature, number in numbers.items():
            variables = variables_of(signature)
            body = (nodes.Literal(plain_atom(signature, variables)),)
            self.add(nodes.Rule(nodes.Atom(name, (number, *variables)), body), part.location)
        alternatives: Any = tuple(
            nodes.Atom(name, (numbers[atom.signature], *atom.arguments), location=atom.location)
            for atom in atoms
        )
        return nodes.Pool(alternatives, location=part.location)

    def _mapped_all(self, parts: Sequence[NodeT]) -> tuple[NodeT, ...]:
        return tuple(map(self._mapped, parts))

    # --- heads ----------------------------------------------------------------------------------------

    def _head(self, rule: nodes.Rule, head: nodes.Head | None) -> nodes.Head | None:
        ticked = frozenset(found.atom.signature for found in head_atoms(rule) if found.tick is not None)
        match head:
            case None:
                return None
            case nodes.Atom() | nodes.AtTick():
                (found,) = head_atoms(rule)
                return self._mapped(self._derived_atom(rule, found))
            case nodes.Disjunction() | nodes.SetAggregate() | nodes.HeadAggregate():
                given: tuple[Any, ...] = head.elements
                elements: Any = tuple(self._element(element, ticked) for element in given)
                nothing: Any = ()
                guards = self._mapped(dataclasses.replace(head, elements=nothing))
                return dataclasses.replace(guards, elements=elements)
            case _:
                return self._mapped(head)

    def _derived_atom(self, rule: nodes.Rule, head: HeadAtom) -> nodes.Atom:
        """The atom that a rule with one atom in its head derives."""
        signature, location = head.atom.signature, head.atom.location
        is_marked = self._heads.is_marked(rule, signature)
        if head.tick is not None:
            return self._ticked(head.atom, head.tick, is_marked=is_marked)
        if is_marked:
            return nodes.Atom(self._names.derived(signature), head.atom.arguments, location=location)
        return head.atom

    def _ticked(self, atom: nodes.Atom, tick: nodes.Term, *, is_marked: bool) -> nodes.Atom:
        """The atom that stands for `a at T` in a head."""
        names = self._names
        name = names.derived_at(atom.signature) if is_marked else names.placed(atom.signature)
        return nodes.Atom(name, (*atom.arguments, tick), location=atom.location)

    def _element(self, element: _ElementT, ticked: frozenset[nodes.Signature]) -> _ElementT:
        """An element of a head.

        Where a head has `a` besides `a at T`, that is `a at @now`, so that it is not counted as another atom.
        """
        found = [*head_atoms_of(element)]
        if all(head.tick is None and head.atom.signature not in ticked for head in found):
            return self._mapped(element)
        literals = [
            nodes.Literal(
                self._ticked(head.atom, nodes.NOW if head.tick is None else head.tick, is_marked=False),
                location=element.literal.location,
            )
            for head in found
        ]
        return self._mapped(dataclasses.replace(element, literal=nodes.pooled(literals)))

    def _show_external(self, statement: nodes.External) -> None:
        """Externals that are true are output, even where only derived atoms are.

        Rules must not derive them: they would be no externals any more.
        """
        signature = statement.atom.signature
        if not self._heads.separates_input or signature not in self._heads.derived:
            return
        name = self._names.external(signature)
        self.shown_as[name] = signature
        self._choose(HeadAtom(statement.atom), name, self._mapped_all(statement.body), statement.location)

    def _marks(self, rule: nodes.Rule, body: nodes.Body) -> None:
        """For heads that choose: rules that derive the generated predicates, which the head cannot.

        The other elements of a disjunction (`not a`, a comparison) count as their contraries in the body.
        """
        if isinstance(rule.head, nodes.Disjunction):
            others = [element for element in rule.head.elements if not any(head_atoms_of(element))]
            body = (*body, *(self._mapped(_contrary(element)) for element in others))
        for head in head_atoms(rule):
            signature = head.atom.signature
            if head.is_chosen and self._heads.is_marked(rule, signature):
                is_now = head.tick is None
                mark = self._names.derived(signature) if is_now else self._names.derived_at(signature)
                self._choose(head, mark, body, rule.location)

    def _choose(self, head: HeadAtom, mark: str, body: nodes.Body, origin: Location) -> None:
        """A rule for the atoms of a predicate `mark`: those of the head that hold, where the body is true."""
        terms = (*head.atom.arguments, *([head.tick] if head.tick is not None else []))
        # not the terms themselves: an interval stands for another number in each place
        variables = [nodes.Variable(self._names.variable(i)) for i in range(1, len(terms) + 1)]
        if head.tick is None:
            chosen = dataclasses.replace(head.atom, arguments=tuple(variables))
        else:
            chosen = nodes.Atom(self._names.placed(head.atom.signature), tuple(variables))
        equations = (
            nodes.Literal(nodes.Comparison(variable, (nodes.Guard("=", self._mapped(term)),)))
            for variable, term in zip(variables, terms, strict=True)
        )
        condition = (nodes.Literal(chosen), *equations, *self._mapped_all(head.condition))
        self.add(nodes.Rule(nodes.Atom(mark, tuple(variables)), (*condition, *body)), origin)


def _contrary(element: nodes.ConditionalLiteral) -> nodes.ConditionalLiteral | nodes.Literal:
    """The literal that is true where an element of a disjunction is not."""
    sign = nodes.Sign.NOT_NOT if element.literal.sign is nodes.Sign.NOT else nodes.Sign.NOT
    literal = nodes.pooled([dataclasses.replace(literal, sign=sign) for literal in element.alternatives])
    return dataclasses.replace(element, literal=literal) if element.condition else literal

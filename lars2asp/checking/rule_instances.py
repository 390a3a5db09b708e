"""Instances of rules by the definition: a true body, then a true condition of the element of the head.

The variables of an element are others than those of the same name within aggregates of the body.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from lars2asp.analysis.predicates import HeadAtom, head_atoms
from lars2asp.checking.explanation_shapes import need, shaped
from lars2asp.definition.bodies import backtracked, in_body, outer_names
from lars2asp.definition.stream import NaiveStream
from lars2asp.definition.terms import Bindings
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Rule, Sign
from lars2asp.syntax.traversal import variable_names

Meant = Callable[[Bindings], Bindings | None]
"""Whether bindings are those of an instance that is meant: None if not."""

ALL = 1 << 30
"""How far an instance gets of which all is true."""


class Required(NamedTuple):
    """A literal of a rule.

    Attributes:
        literal: the literal.
        position: its place in the body or the condition.
        element: the element of the head in whose condition it stands; None in the body.
    """

    literal: Any
    position: int
    element: int | None = None

    def known_to(self, rule: Rule, known: Bindings) -> Bindings:
        """The values of variables that it looks at."""
        return in_body(rule, known) if self.element is None else known

    def among(self, rule: Rule) -> Sequence[Any]:
        """The body or the condition that it stands in."""
        if self.element is None:
            return rule.body
        return next(head.condition for head in head_atoms(rule) if head.element == self.element)


def required_by(stream: NaiveStream, rule: Rule, head: HeadAtom, known: Bindings) -> list[Required]:
    """What must be true for a head, in the order in which it is looked at."""
    body = stream.bodies.plan(rule.body, in_body(rule, known))
    after = {**known, **dict.fromkeys(outer_names(rule.body), 0)}
    condition = stream.bodies.plan(head.condition, after)
    parts = (rule.body, body, None), (head.condition, condition, head.element)
    return [Required(one, _place(one, all_), number) for all_, order, number in parts for one in order]


def _place(literal: object, among: Sequence[object]) -> int:
    return next(place for place, one in enumerate(among) if one is literal)


def named_by(rule: Rule, node: Any) -> Required | None:
    """The literal of a rule that is told of."""
    position, element = shaped(node, "literal")["position"], node.get("element")
    literals = rule.body
    if element is not None:
        found = [head.condition for head in head_atoms(rule) if head.element == element]
        need(found, f"the head has no element {element}")
        (literals,) = found
    need(position >= 0, "a position is below 0")
    return Required(literals[position], position, element) if position < len(literals) else None


def heads_with(rule: Rule, condition: Sequence[Any]) -> list[HeadAtom]:
    """The atoms of a head whose condition has the literals that are told of."""
    told = [(node.get("element"), shaped(node, "literal")["position"]) for node in condition]
    return [
        head
        for head in head_atoms(rule)
        if told == [(head.element, place) for place, _ in enumerate(head.condition)]
    ]


def giving(before: Sequence[Required], failing: Required | None) -> list[Required]:
    """The literals that gave the variables of a comparison that fails their values.

    An atom gives all of its variables, an equation or an aggregate those that nothing before it gave; then
    what gave an equation its other variables is among them.
    """
    if failing is None or not isinstance(getattr(failing.literal, "atom", None), nodes.Comparison):
        return []
    known, gives = set[str](), list[set[str]]()
    for one in before:
        names = _equated(one.literal)
        is_atom = isinstance(getattr(one.literal, "atom", None), nodes.Atom | nodes.StreamingAtom)
        gives.append(names if is_atom else names - known)
        known |= names
    found, wanted = list[Required](), variable_names(failing.literal)
    for one, given in zip(reversed(before), reversed(gives), strict=True):
        if given & wanted:
            found.insert(0, one)
            if isinstance(one.literal.atom, nodes.Comparison):
                wanted |= variable_names(one.literal)
    return found


def _equated(literal: Any) -> set[str]:
    """The variables for which a literal may have one value: those of atoms, and beside `=`."""
    atom = getattr(literal, "atom", None)
    if atom is None or literal.sign is not Sign.POSITIVE or isinstance(atom, nodes.AtMost):
        return set()
    if isinstance(atom, nodes.Atom | nodes.StreamingAtom):
        return variable_names(atom)
    if isinstance(atom, nodes.Comparison):
        return variable_names(atom) if any(one.comparison == "=" for one in atom.guards) else set()
    guards = (getattr(atom, "left", None), getattr(atom, "right", None))
    return variable_names(*(one for one in guards if one and one.comparison == "="))


def solve(
    stream: NaiveStream, rule: Rule, required: Sequence[Required], known: Bindings
) -> Iterator[Bindings]:
    """The ways to bind variables that make literals true, taken in their order."""
    return backtracked(required, known, lambda one, found: extend(stream, rule, one, found))


def extend(stream: NaiveStream, rule: Rule, required: Required, known: Bindings) -> Iterator[Bindings]:
    """The ways to bind the variables of a literal that make it true."""
    for found in stream.bodies.extend(required.literal, required.known_to(rule, known), required.among(rule)):
        yield {**known, **found}


def deepest(
    stream: NaiveStream, rule: Rule, required: Sequence[Required], known: Bindings, is_meant: Meant
) -> int:
    """How many literals an instance makes true, at most; `ALL` if it makes all true."""
    deepest, waiting = 0, [(0, iter([known]))]
    while waiting:
        depth, found = waiting[-1]
        one = next(found, None)
        if one is None:
            waiting.pop()
        elif is_meant(one) is not None:
            if depth == len(required):
                return ALL
            deepest = max(deepest, depth)
            waiting.append((depth + 1, extend(stream, rule, required[depth], one)))
    return deepest

"""Whether claims rest on themselves: on which others they rest, directly and as elements that are counted."""

from collections.abc import Collection, Mapping, Sequence

from lars2asp.checking.explanation_shapes import Json, bare
from lars2asp.definition.stream import NaiveStream
from lars2asp.definition.terms import Bindings, read_atom
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Sign
from lars2asp.syntax.traversal import every
from lars2asp.syntax.values import dataclass


@dataclass(frozen=True)
class Counting:
    """A true aggregate, set or conditional literal, with the elements that are told of.

    Attributes:
        stream: what holds when.
        literal: the literal.
        known: the values of variables.
        elements: the elements, as JSON has them.
    """

    stream: NaiveStream
    literal: nodes.Literal | nodes.ConditionalLiteral
    known: Bindings
    elements: Sequence[Json]

    @property
    def claims(self) -> set[int]:
        """The claims on which all elements rest."""
        return {number for one in self.elements for number in _claims_of(one)}

    def is_true_by(self, founded: Collection[int]) -> bool:
        """Whether it is true by the elements that rest on some claims alone."""
        texts = {bare(one["text"]) for one in self.elements if all(n in founded for n in _claims_of(one))}
        if isinstance(self.literal, nodes.Literal):
            return self.stream.bodies.is_true_of(
                self.literal.atom, self.known, lambda one: bare(one) in texts
            )
        conditions = (one for one in self.literal.condition if one.sign is Sign.POSITIVE)
        needed = {self.stream.layer_of(atom.signature) for atom in every(nodes.Atom, *conditions)} - {None}
        missing = (
            one for each in self.elements for one in each.get("claims", ()) if one["id"] not in founded
        )
        return all(self.stream.layer_of(read_atom(one["atom"]).signature) in needed for one in missing)


def _claims_of(element: Json) -> list[int]:
    return [one["id"] for one in element.get("claims", ()) if one["holds"]]


def unfounded_claims(
    supports: Mapping[int, Sequence[int]], counting: Mapping[int, Sequence[Counting]]
) -> dict[int, list[int]]:
    """The claims that rest on themselves or on such ones, and on which others they rest.

    Args:
        supports: the claims on which claims rest.
        counting: the aggregates, sets and conditional literals on which they rest.
    """
    rests = {
        number: [*found, *(one for each in counting.get(number, ()) for one in each.claims)]
        for number, found in supports.items()
    }
    needing: dict[int, list[int]] = {}
    missing = {number: len(found) for number, found in rests.items()}
    for number, found in rests.items():
        for one in found:
            needing.setdefault(one, []).append(number)
    founded = set[int]()
    ready = [number for number, found in missing.items() if not found]
    ready += [number for number in needing if number not in rests]
    while ready:
        while ready:
            number = ready.pop()
            if number in founded:
                continue
            founded.add(number)
            for other in needing.get(number, ()):
                missing[other] -= 1
                if not missing[other]:
                    ready.append(other)
        ready = [
            number
            for number, found in counting.items()
            if number not in founded
            and founded.issuperset(supports.get(number, ()))
            and all(one.is_true_by(founded) for one in found)
        ]
    return {number: found for number, found in rests.items() if number not in founded}

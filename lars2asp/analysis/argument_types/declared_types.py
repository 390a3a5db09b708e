"""The types that a program declares: `#types`, `#decimals`."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lars2asp.analysis.calendar_atoms import CALENDAR_ATOMS
from lars2asp.syntax import nodes
from lars2asp.syntax.argument_type import ArgumentType, decimal
from lars2asp.syntax.nodes import Program
from lars2asp.syntax.source import NOWHERE, Location

PredicateKey = tuple[str, int]
"""A predicate and the one that is its classical negation: its name and arity."""


class DeclaredType(NamedTuple):
    """The type of a place, and where it is declared: nowhere if the compiler says so."""

    type: ArgumentType
    location: Location

    @property
    def is_written(self) -> bool:
        """Whether the user declares it."""
        return self.location is not NOWHERE


Declarations = Mapping[PredicateKey, list[DeclaredType | None]]


def declared_types(program: Program) -> Declarations:
    """What is declared of predicates, the first declaration of each place."""
    found: dict[PredicateKey, list[DeclaredType | None]] = {}
    for one in type_declarations(program):
        places = found.setdefault((one.predicate, len(one.places)), [None] * len(one.places))
        for place, said in enumerate(types_in(one)):
            if places[place] is None and said is not None:
                places[place] = DeclaredType(said, one.location)
    for calendar in program.every(nodes.Calendar):
        atom = CALENDAR_ATOMS.get(calendar.predicate.name)
        key = (calendar.predicate.name, calendar.predicate.arity)
        if atom is not None and atom.arity == calendar.predicate.arity:
            found[key] = [DeclaredType(said, calendar.location) for said in atom.types]
    return found


def type_declarations(program: Program) -> Iterator[nodes.Types | nodes.Decimals]:
    """The declarations of types, in the order of the program."""
    for one in program.statements:
        if isinstance(one, nodes.Types | nodes.Decimals):
            yield one


def types_in(declaration: nodes.Types | nodes.Decimals) -> tuple[ArgumentType | None, ...]:
    """The types that a declaration says."""
    if isinstance(declaration, nodes.Types):
        return declaration.places
    return tuple(None if digits is None else decimal(digits) for digits in declaration.places)

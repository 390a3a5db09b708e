"""What is known of a program, as one value that is handed to passes, translation and splitting."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from lars2asp.analysis.constants import constant_values
from lars2asp.analysis.predicates import (
    derived_predicates,
    is_fact,
    placed_predicates,
    reaches,
    shown_predicates,
    streaming_atoms,
)
from lars2asp.syntax.nodes import Program, Rule, Signature, StreamingAtom


@dataclass(frozen=True)
class ProgramAnalysis:
    """A program, and what follows from it; each is computed when it is first read, and never again."""

    program: Program

    @cached_property
    def constants(self) -> Mapping[str, int]:
        """The integers that its constants stand for."""
        return constant_values(self.program)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules and constraints: all but the background data."""
        found = (s for s in self.program.but_plain_facts if isinstance(s, Rule))
        return tuple(rule for rule in found if not is_fact(rule))

    @cached_property
    def streaming_atoms(self) -> tuple[StreamingAtom, ...]:
        """The streaming atoms of bodies and conditions."""
        return tuple(streaming_atoms(self.program))

    @cached_property
    def derived(self) -> tuple[Signature, ...]:
        """The predicates that rules derive, in the order of the program."""
        return derived_predicates(self.program)

    @cached_property
    def placed(self) -> frozenset[Signature]:
        """The predicates of heads `a at T`."""
        return placed_predicates(self.program)

    @cached_property
    def shown(self) -> frozenset[Signature]:
        """The predicates of the output."""
        return shown_predicates(self.program)

    @cached_property
    def reach(self) -> Mapping[Signature, int | None]:
        """How many ticks back each predicate under a streaming atom is looked at; None is without end."""
        return reaches(self.program, self.constants)

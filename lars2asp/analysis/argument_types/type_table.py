"""The type of each argument of each predicate, and what says so."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from lars2asp.analysis.argument_types.declared_types import declared_types
from lars2asp.analysis.argument_types.demands import number_places
from lars2asp.analysis.argument_types.function_types import FunctionTypes
from lars2asp.analysis.argument_types.kinds import (
    DURATION,
    EXTREME,
    NAME,
    NUMBER,
    NUMBERS,
    OPEN,
    TEMPORAL,
    TERM,
    TEXT,
    TIME,
    VALUES,
    Evidence,
    Known,
)
from lars2asp.analysis.argument_types.kinds_in_rules import Constants
from lars2asp.analysis.argument_types.place_kinds import PlaceKinds
from lars2asp.syntax import nodes
from lars2asp.syntax.argument_type import ANY, INTEGER, ArgumentType
from lars2asp.syntax.argument_type import DURATION as DURATION_TYPE
from lars2asp.syntax.argument_type import NAME as NAME_TYPE
from lars2asp.syntax.argument_type import TERM as TERM_TYPE
from lars2asp.syntax.argument_type import TEXT as TEXT_TYPE
from lars2asp.syntax.argument_type import TIME as TIME_TYPE
from lars2asp.syntax.nodes import Program, Signature
from lars2asp.syntax.values import dataclass

_OF_KIND = {
    **{NUMBER: INTEGER, TIME: TIME_TYPE, DURATION: DURATION_TYPE},
    **{TEXT: TEXT_TYPE, NAME: NAME_TYPE, TERM: TERM_TYPE},
}


@dataclass(frozen=True, slots=True)
class PlaceType:
    """The type of an argument.

    Attributes:
        type: the type; `any` where nothing says more, or its values are of several kinds.
        evidence: what says so, the first place of each kind; none where nothing does.
        is_required: whether the input must have it.
        taken_at: where a rule takes numbers alone, if nothing else says that it is one.
        has_extremes: whether `#inf` and `#sup` may stand there besides, as for `#min` of nothing.
    """

    type: ArgumentType = ANY
    evidence: tuple[Evidence, ...] = ()
    is_required: bool = False
    taken_at: str = ""
    has_extremes: bool = False

    @property
    def is_always_number(self) -> bool:
        """Whether nothing but numbers stand there."""
        return self.type.is_number and not self.has_extremes


Types = Mapping[Signature, tuple[PlaceType, ...]]
"""The types of the arguments of predicates that have some."""


class ArgumentTypes:
    """The types of a program: what is known of its places, and the table of their types."""

    def __init__(
        self,
        program: Program,
        constants: Constants,
        functions: FunctionTypes,
        predicates: Callable[[], Iterable[Signature]],
    ) -> None:
        self._program = program
        self._predicates = predicates
        self.declared = declared_types(program)
        self.places = PlaceKinds(program, self.declared, constants, functions)
        taken = number_places(program, predicates(), self.places)
        if taken:
            self.places.take_as_numbers(taken)

    @cached_property
    def table(self) -> Types:
        """The types of all predicates with arguments, in the order of the program."""
        inputs = (Signature(one.predicate, len(one.columns)) for one in self._program.every(nodes.Input))
        declared = (Signature(*key) for key in self.declared)
        signatures = dict.fromkeys([*inputs, *declared, *self._predicates()])
        return {one: self._types(one) for one in signatures if one.arity}

    def _types(self, signature: Signature) -> tuple[PlaceType, ...]:
        said = self.declared.get((signature.name, signature.arity), [None] * signature.arity)
        found = list[PlaceType]()
        for place, known in enumerate(self.places.of(signature)):
            declared, evidence = said[place], tuple(known.evidence.values())
            taken = self.places.taken.get((signature, place))
            if any(one.column is not None and one.column.conversion == "any" for one in evidence):
                found.append(PlaceType(ANY, evidence))
            elif declared is not None:
                is_read = declared.is_written or self._is_read(signature, evidence)
                found.append(PlaceType(declared.type, evidence, is_read and declared.type != ANY))
            elif taken is not None:
                found.append(PlaceType(INTEGER, evidence, True, f"{taken.location}"))
            else:
                kind = _type_of(known)
                is_required = kind != ANY and self._is_read(signature, evidence)
                has_extremes = bool(known.kinds & EXTREME)
                found.append(PlaceType(kind, evidence, is_required, has_extremes=has_extremes))
        return tuple(found)

    def _is_read(self, signature: Signature, evidence: Iterable[Evidence]) -> bool:
        """Whether a place is that of a column of the input alone."""
        return any(one.column is not None for one in evidence) and not self.places.is_derived(signature)


def _type_of(known: Known) -> ArgumentType:
    kinds = known.kinds & VALUES
    if known.kinds & OPEN:
        return ANY
    if kinds & NUMBERS:  # ticks, and numbers beside times, are like them
        temporal = kinds & TEMPORAL
        kinds = kinds & ~NUMBERS | (temporal if temporal in (TIME, DURATION) else NUMBER)
    return _OF_KIND.get(kinds, ANY)

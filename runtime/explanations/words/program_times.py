"""The times and durations of a program that is explained."""

from collections.abc import Mapping
from typing import Self

from lars2asp.analysis.argument_types.kinds import DURATION, TIME, Kinds, Known
from lars2asp.analysis.argument_types.kinds_in_rules import ScopeKinds
from lars2asp.analysis.argument_types.place_kinds import PlaceKinds
from lars2asp.analysis.decimals import declared_forms
from lars2asp.analysis.declared_time import tick_length
from lars2asp.analysis.number_forms import DurationForm, NumberForm, NumberForms, TimeForm
from lars2asp.analysis.predicates import head_atoms
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Signature, Variable
from lars2asp.syntax.traversal import body_of
from lars2asp.syntax.values import dataclass


@dataclass(frozen=True)
class ProgramTimes:
    """Where a program has times and durations.

    Attributes:
        kinds: what is known of places.
        places: how the integers of predicates are written.
        forms: how times and durations are written.
    """

    kinds: PlaceKinds
    places: NumberForms
    forms: Mapping[Kinds, NumberForm]

    @classmethod
    def of(cls, analysis: ProgramAnalysis) -> Self | None:
        """Those of a program; None where it has none."""
        places, length = declared_forms(analysis.program), tick_length(analysis.program)
        found = [form for forms in places.values() for form in forms if not isinstance(form, int)]
        if length is None or not found:
            return None
        forms: dict[Kinds, NumberForm] = {DURATION: DurationForm(length)}
        time = next((form for form in found if isinstance(form, TimeForm)), None)
        if time is not None:
            forms[TIME] = time
        return cls(analysis.types.places, places, forms)

    def form(self, known: Known) -> NumberForm | None:
        """How a value is written; None where it is neither a time nor a duration for certain."""
        return self.forms.get(known.kinds)

    def scope(self, statement: nodes.Statement, head: Signature | None, element: int | None) -> ScopeKinds:
        """The variables of a statement: of its body, and of conditions in its head; see `rule_variables`."""
        found = self.kinds.scope(body_of(statement))
        if head is None or not isinstance(statement, nodes.Rule):
            return found
        for one in head_atoms(statement):
            if one.element == element if element is not None else one.atom.signature == head:
                found = found.within(one.condition)
        return found

    def variables(self, scope: ScopeKinds) -> dict[str, NumberForm]:
        """How the variables are written that are times and durations."""
        forms = {name: self.form(scope.of(Variable(name))) for name in scope.told}
        return {name: form for name, form in forms.items() if form is not None}

    def of_places(
        self, signature: Signature, decimals: tuple[int | None, ...]
    ) -> tuple[NumberForm | None, ...]:
        """How the integers of a predicate are written that has these decimals."""
        forms = self.places.get(signature)
        if forms is None:
            return decimals
        return tuple(
            digits if isinstance(form, int) else form for digits, form in zip(decimals, forms, strict=True)
        )

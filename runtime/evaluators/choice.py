"""The choice of an evaluator for each component."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lars2asp.analysis.windows import LastArrivals, Unbounded
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Component, Plan, Published
from lars2asp.runtime.errors import EvaluatorError
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.evaluators.external import refusal
from lars2asp.runtime.evaluators.stamped.stamped import is_worth_keeping
from lars2asp.syntax.nodes import Signature

_MOST_LISTED = 20


@dataclass(frozen=True)
class Assignment:
    """A component and its evaluator.

    Attributes:
        component: the component.
        evaluator: the evaluator.
        reason: why it was chosen.
        when_fast: the evaluator that takes over while the stream changes too fast for `delta`, if any.
    """

    component: Component
    evaluator: EvaluatorName
    reason: str
    when_fast: EvaluatorName | None = None


def assign(plan: Plan, name: EvaluatorName) -> tuple[Assignment, ...]:
    """The evaluators of the components of a plan.

    Raises EvaluatorError if the evaluator that is asked for cannot serve one of them.
    """
    if name is EvaluatorName.ONESHOT:
        return (Assignment(plan.whole, name, "asked for"),)
    if name is EvaluatorName.AUTO:
        return tuple(map(_choose, plan.components))
    for component in plan.components:
        reason = refusal_of(component, name)
        if reason is not None:
            raise EvaluatorError(f"evaluator {name} cannot serve this program: {reason}")
    return tuple(Assignment(component, name, "asked for") for component in plan.components)


def assign_in_parts(plan: Plan) -> tuple[Assignment, ...]:
    """`oneshot` for each component by itself, where it can serve it so.

    For a stream that was evaluated by components before.
    """
    return tuple(
        _choose(component)
        if component.is_certain and component.has_contraries
        else Assignment(component, EvaluatorName.ONESHOT, "asked for")
        for component in plan.components
    )


@dataclass(frozen=True)
class Needs:
    """The demands of the components of a plan on the database.

    Attributes:
        lookups: the lookups of all components.
        recorded: the predicates that are recorded when a tick is over.
        placed: those whose atoms are placed at ticks.
        published: those that are handed from component to component.
        reach: how many ticks back the predicates under streaming atoms are looked at (None: without end).
    """

    lookups: tuple[Lookup, ...]
    recorded: frozenset[Signature]
    placed: frozenset[Signature]
    published: Published
    reach: Mapping[Signature, int | None]


def needed(plan: Plan, assignments: Sequence[Assignment]) -> Needs:
    """The demands of components with any evaluators, or of the whole program as one."""
    components = [assignment.component for assignment in assignments]
    recorded = frozenset(s for component in components for s in component.program.recorded.values())
    placed = frozenset(s for component in components for s in component.program.placed.values())
    if components == [plan.whole]:
        return Needs(plan.whole.program.lookups, recorded, placed, Published(), plan.reach)
    lookups = [lookup for component in components for lookup in component.program.lookups]
    for component in components:
        lookups += component.delta_rules.lookups
    if plan.assumed:  # then the whole program may have to take over
        lookups += plan.whole.program.lookups
    lookups += (Lookup(LookupKind.NOW, signature) for signature in sorted(plan.shown_input))
    asked = tuple(dict.fromkeys(lookups))
    return Needs(asked, recorded, placed, plan.published, _reach(plan, asked))


def _reach(plan: Plan, lookups: Sequence[Lookup]) -> dict[Signature, int | None]:
    """How far back lookups look: less than the program says where its rules were rewritten."""
    found: dict[Signature, int | None] = dict.fromkeys(plan.reach, 0)
    for lookup in lookups:
        signature, window = lookup.signature, lookup.window
        if signature is not None and window is not None and not isinstance(window, LastArrivals):
            known, own = found[signature], None if isinstance(window, Unbounded) else window.reach
            found[signature] = None if known is None or own is None else max(known, own)
    return found


def refusal_of(component: Component, name: EvaluatorName) -> str | None:
    """Why an evaluator cannot serve a component; None where it can."""
    match name:
        case EvaluatorName.DELTA:
            return component.delta_rules.refusal
        case EvaluatorName.EXTERNAL if component.is_certain and component.has_contraries:
            return "classical negation, which only the last component may find contradictions in"
        case EvaluatorName.EXTERNAL:
            return refusal(component.program)
        case EvaluatorName.STAMPED if component.program.has_externals:
            return "it has externals of its own that are true or free"
        case _:
            return None


def _choose(component: Component) -> Assignment:
    if component.delta_rules.refusal is None:
        name, reason = EvaluatorName.DELTA, "no recursion, no choice, no aggregate"
        ground = sorted({one.origin.line for one in component.delta_rules.rules if one.is_ground_by_clingo})
        when_fast = _when_fast(component) if ground else None
        if ground:
            reason += f"; clingo grounds lines {listed(ground)}"
        else:
            reason += "; without clingo"
        if when_fast is not None:
            reason += f"; {when_fast} while most of what holds is new"
        return Assignment(component, name, reason, when_fast)
    refused = refusal_of(component, EvaluatorName.EXTERNAL)
    if refused is None:
        return Assignment(component, EvaluatorName.EXTERNAL, f"delta cannot: {component.delta_rules.refusal}")
    if refusal_of(component, EvaluatorName.STAMPED) is None and is_worth_keeping(component.program):
        return Assignment(component, EvaluatorName.STAMPED, f"{refused}, and background data is kept")
    return Assignment(component, EvaluatorName.ONESHOT, refused)


def listed(lines: Sequence[int]) -> str:
    """The numbers of lines; of many the first ones."""
    return f"{', '.join(map(str, lines[:_MOST_LISTED]))}{', ...' if len(lines) > _MOST_LISTED else ''}"


def _when_fast(component: Component) -> EvaluatorName | None:
    """The evaluator that takes over from `delta` while the stream changes too fast for it."""
    if is_worth_keeping(component.program):
        return EvaluatorName.STAMPED
    return None if component.has_contraries else EvaluatorName.ONESHOT

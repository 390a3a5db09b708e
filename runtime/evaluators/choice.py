"""The choice of an evaluator for each component."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from lars2asp.analysis.windows import LastArrivals, Since
from lars2asp.planning.asp.asp_program import AspProgram
from lars2asp.planning.asp.overground_text import binds_aggregates
from lars2asp.planning.asp.recursion import computes_in_recursion
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Component, Plan, Published
from lars2asp.planning.rows.delta_rules import DeltaRules
from lars2asp.runtime.errors import EvaluatorError
from lars2asp.runtime.evaluators.clingo.background import background_atoms
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.evaluators.flow_refusals import refusal_of_flow
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.values import dataclass

_MOST_LISTED = 20

OF_CLINGO = (EvaluatorName.ONESHOT, EvaluatorName.EXTERNAL, EvaluatorName.STAMPED)
"""The evaluators that take any component."""

_MUCH = 1000
"""The number of atoms of background data for which a Control is worth keeping, even if no others recur."""


@dataclass(frozen=True)
class Assignment:
    """A component and its evaluator.

    Attributes:
        component: the component.
        evaluator: the evaluator.
        reason: why it was chosen.
    """

    component: Component
    evaluator: EvaluatorName
    reason: str


def assign(plan: Plan, name: EvaluatorName, pure: Collection[str] = frozenset()) -> tuple[Assignment, ...]:
    """The evaluators of the components of a plan.

    Args:
        plan: the plan.
        name: the evaluator that is asked for.
        pure: the user's functions that are declared pure.

    Raises:
        EvaluatorError: if the evaluator that is asked for cannot serve one of them.
    """
    if name is EvaluatorName.ONESHOT:
        return (Assignment(plan.whole, name, "asked for"),)
    if name is EvaluatorName.AUTO:
        return tuple(chosen(component, pure) for component in plan.components)
    if name is EvaluatorName.FLOW:
        reason = refusal_of_flow(plan, pure)
        if reason is not None:
            raise EvaluatorError(f"evaluator {name} cannot serve this program: {reason}")
        by_delta = "if flow cannot take a record"
        return tuple(
            Assignment(one, EvaluatorName.DELTA, by_delta)
            if _refusal_of_delta(one.delta_rules, pure) is None
            else chosen(one, pure)
            for one in plan.components
        )
    for component in plan.components:
        reason = refusal_of(component, name, pure)
        if reason is not None:
            raise EvaluatorError(f"evaluator {name} cannot serve this program: {reason}")
    return tuple(Assignment(component, name, "asked for") for component in plan.components)


def assign_in_parts(plan: Plan, pure: Collection[str] = frozenset()) -> tuple[Assignment, ...]:
    """`oneshot` for each component by itself, where it can serve it so.

    For a stream that was evaluated by components before; see `assign`.
    """
    return tuple(
        chosen(component, pure)
        if component.is_certain and component.has_contraries
        else Assignment(component, EvaluatorName.ONESHOT, "asked for")
        for component in plan.components
    )


def in_flow(plan: Plan, name: EvaluatorName, *, is_whole: bool) -> Plan:
    """The plan as `flow` evaluates it if an evaluator is asked for: one of clingo's takes all components.

    Args:
        plan: the plan.
        name: the evaluator.
        is_whole: whether the program is evaluated as one.
    """
    if is_whole:
        return replace(plan, components=(plan.whole,), batched=None, shown_input=frozenset())
    if name not in OF_CLINGO:
        return plan
    rules = DeltaRules(f"{name} is asked for")
    parts = (one if one.fails else replace(one, delta_rules=rules) for one in plan.in_batches)
    return replace(plan, components=tuple(parts), batched=None)


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
        if signature is not None and window is not None and not isinstance(window, LastArrivals | Since):
            known, own = found[signature], window.reach
            found[signature] = None if known is None or own is None else max(known, own)
    return found


def refusal_of(component: Component, name: EvaluatorName, pure: Collection[str]) -> str | None:
    """Why an evaluator cannot serve a component; None where it can. See `assign`."""
    match name:
        case EvaluatorName.DELTA:
            return _refusal_of_delta(component.delta_rules, pure)
        case EvaluatorName.EXTERNAL if component.is_certain and component.has_contraries:
            return "classical negation, which only the last component may find contradictions in"
        case EvaluatorName.EXTERNAL:
            return _refusal_of_external(component.program)
        case EvaluatorName.STAMPED if component.program.has_externals:
            return "it has externals of its own that are true or free"
        case _:
            return None


def _refusal_of_delta(rules: DeltaRules, pure: Collection[str]) -> str | None:
    if rules.refusal is not None:
        return rules.refusal
    others = sorted(rules.functions - frozenset(pure))
    return f"@{others[0]} is not declared pure" if others else None


def _refusal_of_external(program: AspProgram) -> str | None:
    if program.depends_on_now:
        return "its rules depend on the current tick (@now, `at T` over what rules derive, or a head `at T`)"
    if program.has_externals:
        return "it has externals of its own that are true or free"
    return None


def is_worth_keeping(program: AspProgram) -> bool:
    """Whether there is so much background data that a Control is worth keeping for it."""
    lines = sum(line.background is not None for line in program.lines)
    if lines >= _MUCH or not lines:
        return bool(lines)
    return (
        sum(len(rows) for _, rows in background_atoms(program.facts, program.wide_facts)) >= _MUCH
    )  # intervals may stand for many


def is_stamped_for_background(program: AspProgram, *, is_certain: bool) -> bool:
    """Whether `auto` leaves a program to `stamped`, for its background data.

    Where there may be several answer streams, what is a fact for a tick by itself may be none with stamps.
    Aggregates and recursion that rest on facts alone would have no end.
    """
    is_safe = is_certain or not (binds_aggregates(program) or computes_in_recursion(program))
    return is_safe and is_worth_keeping(program)


def chosen(component: Component, pure: Collection[str]) -> Assignment:
    """The evaluator of a component, as `auto` chooses it."""
    by_delta = _refusal_of_delta(component.delta_rules, pure)
    if by_delta is None:
        return Assignment(component, EvaluatorName.DELTA, "no choice; without clingo")
    refused = refusal_of(component, EvaluatorName.EXTERNAL, pure)
    if refused is None and binds_aggregates(component.program):
        refused = "a variable takes the value of an aggregate, so it needs one for each set of atoms"
    if refused is None:
        return Assignment(component, EvaluatorName.EXTERNAL, f"delta cannot: {by_delta}")
    if refusal_of(component, EvaluatorName.STAMPED, pure) is None and is_stamped_for_background(
        component.program, is_certain=component.is_certain
    ):
        return Assignment(component, EvaluatorName.STAMPED, f"{refused}, and background data is kept")
    return Assignment(component, EvaluatorName.ONESHOT, refused)


def listed(lines: Sequence[int]) -> str:
    """The numbers of lines; of many the first ones."""
    return f"{', '.join(map(str, lines[:_MOST_LISTED]))}{', ...' if len(lines) > _MOST_LISTED else ''}"

"""Why a program cannot be evaluated in blocks."""

from collections.abc import Collection

from lars2asp.analysis.windows import LastArrivals
from lars2asp.planning.plan import Component, Plan
from lars2asp.runtime.evaluators.blocks.windowed_rows import OF_POINTS, refused
from lars2asp.syntax.nodes import Semantics, Signature


def refusal_of_blocks(plan: Plan, background: Collection[Signature]) -> str | None:
    """Why `blocks` cannot serve a program as a whole; None where it can. `background` holds always."""
    if plan.semantics is Semantics.STRICT:
        return "windows over derived atoms are read strictly"
    if plan.assumed:
        return "background data that the input may add to"
    if plan.held:
        return f"#held {min(plan.held)}"
    if plan.calendar:
        return "#calendar"
    for number, component in enumerate(plan.components):
        later = frozenset(signature for one in plan.components[number:] for signature in one.derives)
        reason = _refusal_of(component, plan, background, later)
        if reason is not None:
            return reason
    return None


def _refusal_of(
    component: Component, plan: Plan, background: Collection[Signature], later: Collection[Signature]
) -> str | None:
    """Why a component cannot be had in blocks; `later` is what it or one that comes after it derives."""
    rules = component.delta_rules
    if not component.is_certain:
        return "rules that may have several answer streams, or none"
    if rules.refusal is not None:
        return rules.refusal
    if rules.recursive:
        return f"recursion through {min(rules.recursive)}"
    if rules.functions:
        return f"calls of @{min(rules.functions)}"
    for destination in component.delta_destinations.values():
        if destination.placed is not None:
            return f"heads `at`, of {destination.placed}"
        if destination.recorded is not None or destination.published in plan.published.apart:
            return f"{destination.recorded or destination.published}, which enters the stream after its tick"
    derived = frozenset(signature for one in plan.components for signature in one.derives)
    for lookup in rules.lookups:
        what = refused(lookup)
        if what is not None:
            return what
        if lookup.window is not None and lookup.signature in later:
            return f"{lookup.title}, which is derived no earlier than what looks at it"
        is_of_input = lookup.signature not in derived
        if lookup.kind in OF_POINTS and (not is_of_input or lookup.signature in background):
            return f"{lookup.title}, which may hold for long"
        if isinstance(lookup.window, LastArrivals) and not is_of_input:
            return f"{lookup.title}, which rules derive"
    return None

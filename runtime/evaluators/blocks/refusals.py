"""Why a program cannot be evaluated in blocks."""

from collections.abc import Collection

from lars2asp.analysis.predicates import head_atoms
from lars2asp.analysis.windows import LastArrivals
from lars2asp.planning.arrivals import Arrivals, arrivals
from lars2asp.planning.lookups import Lookup
from lars2asp.planning.plan import Component, Plan
from lars2asp.planning.rows.delta_rules import DeltaRules
from lars2asp.planning.rows.row_rules import LookupPart, all_parts
from lars2asp.runtime.evaluators.blocks.stepped_code import span_back
from lars2asp.runtime.evaluators.blocks.windowed_rows import OF_POINTS, refused
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Semantics, Signature
from lars2asp.syntax.source import NOWHERE, Location, shown

_MOST_SHOWN = 80


def refusal_of_blocks(plan: Plan, background: Collection[Signature]) -> str | None:
    """Why `blocks` cannot serve a program as a whole, and where; None where it can.

    Args:
        plan: the program.
        background: the predicates of its facts, which hold always.
    """
    if plan.semantics is Semantics.STRICT:
        return "with #semantics strict, windows see only the input"
    if plan.assumed:
        return f"the program contains facts of {min(plan.assumed)}, and the input may add more"
    for component in plan.components:  # what else is refused may follow from that
        if not component.is_certain:
            return _uncertain(component, plan)
    lasting = {*background, *(one.signature for one in plan.foreknown), *plan.held}
    arriving = arrivals(plan.components, lasting)
    derived = frozenset(signature for one in plan.components for signature in one.derives)
    later = {*derived}
    for component in plan.components:
        reason = _refusal_of(component, plan, arriving, later, derived)
        if reason is not None:
            return reason
        later -= component.derives
    return None


def momentary(plan: Plan) -> frozenset[Signature] | None:
    """The predicates whose facts have to hold at single ticks, in blocks; None where all have to.

    But for those that are held by #held, which never have to.
    """
    lookups = {lookup for one in plan.components for lookup in one.delta_rules.lookups}
    if any(isinstance(one.window, LastArrivals) for one in lookups):
        return None
    return frozenset(one.signature for one in lookups if one.kind in OF_POINTS and one.signature is not None)


def _uncertain(component: Component, plan: Plan) -> str:
    """Why a component cannot be had in blocks that may have several answer streams, or none."""
    rules = [one for one in plan.program.but_plain_facts if isinstance(one, nodes.Rule)]
    heads = [(rule.location, [head.atom.signature for head in head_atoms(rule)]) for rule in rules]
    own = [at for at, signatures in heads if not component.derives.isdisjoint(signatures)]
    if component.derives:
        several = "there may be several answer streams, or none"
        return _at(own[0], f"from this rule on {several}") if own else several
    constraints = [at for at, signatures in heads if not signatures]
    negated = [(at, one) for at, signatures in heads for one in signatures if not one.is_positive]
    if not constraints and negated:
        at, one = negated[0]
        other = one._replace(is_positive=True)
        return _at(at, f"{one} and {other} exclude each other: there may be no answer stream")
    return _at(constraints[0] if constraints else NOWHERE, "there may be no answer stream")


def _refusal_of(
    component: Component,
    plan: Plan,
    arriving: Arrivals,
    later: Collection[Signature],
    derived: Collection[Signature],
) -> str | None:
    """Why a component cannot be had in blocks; `later` is what it or one that comes after it derives."""
    rules = component.delta_rules
    if rules.refusal is not None:
        return rules.refusal
    if rules.recursive:
        return _of(min(rules.recursive), rules, "depends on itself")
    if rules.functions:
        name = min(rules.functions)
        return _at(plan.called.get(name, NOWHERE), f"it calls @{name}")
    for rule in rules.enumerating(plan.largest_interval):
        return _at(rule.location, "an interval may have too many values at some tick")
    for one, destination in component.delta_destinations.items():
        if destination.placed is not None:
            return _of(one, rules, "is placed by heads `at`", of=destination.placed)
        if destination.recorded is None and destination.published in plan.published.apart:
            words = "depends on rules whose windows look at it"
            return _of(one, rules, words, of=destination.published)
    for lookup in rules.lookups:
        what = refused(lookup)
        if what is not None:
            return _looking(lookup, rules, "such atoms are not served")
        if lookup.window is not None and lookup.signature in component.derives:
            if span_back(lookup) is None:
                return _looking(
                    lookup, rules, f"{lookup.signature} is derived together with this rule's head"
                )
        elif lookup.window is not None and lookup.signature in later:
            return _looking(lookup, rules, f"{lookup.signature} is derived no earlier than this rule's head")
        if (
            lookup.kind in OF_POINTS
            and lookup.signature is not None
            and not arriving.get(lookup.signature, True)
        ):
            return _looking(lookup, rules, f"{lookup.signature} may hold at ticks without input")
        if isinstance(lookup.window, LastArrivals) and lookup.signature in derived:
            return _looking(lookup, rules, f"{lookup.signature} is derived by rules")
        if isinstance(lookup.window, LastArrivals) and lookup.signature in plan.held:
            return _looking(lookup, rules, f"{lookup.signature} is held by #held")
    return None


def _of(derived: Signature, rules: DeltaRules, words: str, of: Signature | None = None) -> str:
    """What is said of a predicate, at the first rule that derives it."""
    at = next((one.location for one in rules.rules if one.derives == derived), NOWHERE)
    return _at(at, f"{of or derived} {words}")


def _looking(lookup: Lookup, rules: DeltaRules, words: str) -> str:
    """What is said of a streaming atom, which is told as it is written."""
    parts = (part for rule in rules.rules for part in all_parts(rule.body))
    at = next(
        (one.location for one in parts if isinstance(one, LookupPart) and one.lookup is lookup), NOWHERE
    )
    if at is NOWHERE:
        return f"a window over {lookup.signature}: {words}"
    return _at(at, f"'{shown(at.source.text[at.begin : at.end], _MOST_SHOWN)}': {words}")


def _at(at: Location, reason: str) -> str:
    """A reason, and where it is."""
    return reason if at is NOWHERE else f"{at}: {reason}"

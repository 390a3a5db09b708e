"""Why a program is not evaluated by `flow`."""

from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet

from lars2asp.analysis.predicates import head_atoms
from lars2asp.analysis.windows import LastArrivals, Since
from lars2asp.externals.windows.choice import OF_THE_TICK, is_growing, is_momentary, is_served
from lars2asp.planning.arrivals import arrivals, needs_one_of
from lars2asp.planning.lookups import Lookup
from lars2asp.planning.plan import Component, Plan
from lars2asp.planning.rows.delta_rules import THIS_TICK, DeltaRules
from lars2asp.planning.rows.row_rules import LookupPart, RowRule, all_parts
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Semantics, Sign, Signature
from lars2asp.syntax.source import NOWHERE, Location, shown

_MOST_SHOWN = 80
_NOT_SERVED = "flow does not evaluate this kind of atom"


def refusal_of_flow(plan: Plan, pure: Collection[str]) -> str | None:
    """Why `flow` cannot serve a program as a whole, and where; None if it can.

    Args:
        plan: the program.
        pure: the user's functions that are declared pure.
    """
    derived = frozenset(signature for one in plan.in_batches for signature in one.derives)
    for component in plan.in_batches:
        is_pure = component.delta_rules.functions <= {*pure}
        if component.is_certain and component.delta_rules.refusal is None and is_pure:
            reason = _refusal_of(component, plan)
        else:
            reason = _refusal_of_solved(component, plan, derived)
        if reason is not None:
            return reason
    held = sorted(one.signature for one in plan.placings.values() if one.signature in plan.held)
    if held:
        return f"rules place atoms of {held[0]}, of which the input holds facts"
    changing = derived if plan.semantics is Semantics.STRICT else _changing(plan)
    for component in plan.in_batches:
        for lookup in _lookups(component):
            window = lookup.window
            if isinstance(window, Since) and not changing.isdisjoint((lookup.signature, window.signature)):
                return _looking(lookup, component.delta_rules)
    return None


def left_by_auto(plan: Plan) -> str | None:
    """Why `auto` leaves a program to components, though `flow` could serve it: they are faster there.

    Components with rewritten heads take half the time while the input adds nothing to background facts. With
    strict semantics they put facts off while nothing can fire (benchmark chain-above-boxes).
    """
    if plan.assumed:
        return f"the program contains facts of {min(plan.assumed)}, and the input may add more"
    if plan.semantics is Semantics.STRICT:
        return "#semantics strict needs --evaluator flow"
    return None


def refusal_of_batches(plan: Plan, pure: Collection[str]) -> str | None:
    """Why `flow` takes a program tick by tick, and where; None if it need not.

    Functions that are not pure may give something else when a tick is evaluated again, and in another order.
    Of shown terms it matters which component shows them.
    """
    others = plan.called.keys() - {*pure}
    if others:
        return _at(plan.called[min(others)], f"@{min(others)} is not declared pure")
    shown = (one for one in plan.program.but_plain_facts if isinstance(one, nodes.ShowTerm))
    return next((_at(one.location, "#show of terms") for one in shown), None)


def _changing(plan: Plan) -> frozenset[Signature]:
    """The predicates of which later ticks know more, or forget some atoms."""
    return frozenset(signature for one in plan.in_batches for signature in one.late | one.fading)


def _refusal_of_solved(component: Component, plan: Plan, derived: AbstractSet[Signature]) -> str | None:
    """Why a component cannot be served that may have several answer streams, or none."""
    program = component.program
    functions = component.delta_rules.functions
    why = component.delta_rules.refusal or f"@{min(functions, default='')} is not declared pure"
    if component.fading and plan.semantics is not Semantics.STRICT:  # its rules are divided by #temp
        return why
    if component.is_certain:
        if program.placed or not component.derives.issuperset(component.destinations):
            return why
    elif program.placed:
        name = min(program.placed.values())
        rules = (one for one in plan.program.but_plain_facts if isinstance(one, nodes.Rule))
        at = (one.location for one in rules if any(head.atom.signature == name for head in head_atoms(one)))
        return _at(next(at, NOWHERE), f"windows look at {name}, of which there may be several answer streams")
    for lookup in program.lookups:
        if not is_served(lookup):
            return f"{lookup.title}: {_NOT_SERVED}"
    return None


def _looks_back(lookup: Lookup, derived: AbstractSet[Signature]) -> bool:
    """Whether a lookup is about derived atoms of earlier ticks."""
    window = lookup.window
    begins = isinstance(window, Since) and window.signature in derived
    return begins or (window is not None and lookup.signature in derived)


def speculates(plan: Plan) -> bool:
    """Whether derived atoms of earlier ticks decide which ticks have an answer stream.

    Then a batch is evaluated as if all had one, and taken back if that is wrong.
    """

    def are_reached(lookups: Iterable[Lookup]) -> bool:
        return any(_looks_back(one, derived) or one.signature in reached for one in lookups)

    components = plan.in_batches
    if plan.semantics is Semantics.STRICT:
        return False  # no tick sees what was derived at another
    if plan.revises and any(one.fails or not one.is_certain for one in components):
        return True
    derived = frozenset(signature for one in components if one.is_certain for signature in one.derives)
    reached: set[Signature] = set()
    for component in components:  # each comes after those that it looks at
        if not component.is_certain:
            return are_reached(component.program.lookups)
        if component.delta_rules.refusal is not None:
            if are_reached(component.program.lookups):
                reached |= component.derives
            continue
        rules, is_new = component.delta_rules.rules, True
        while is_new:
            is_new = False
            for rule in rules:
                parts = (part.lookup for part in all_parts(rule.body) if isinstance(part, LookupPart))
                if rule.derives not in reached and are_reached(parts):
                    if component.fails:
                        return True
                    reached.add(rule.derives)
                    is_new = True
    return False


def in_order(plan: Plan) -> bool:
    """Whether it matters in which order facts of all predicates arrive."""
    windows = (one.window for component in plan.in_batches for one in _lookups(component))
    return any(isinstance(one, LastArrivals) and one.signature is None and not one.group for one in windows)


def grows(plan: Plan, others: Collection[Signature]) -> bool:
    """Whether some rule may have other answers at each tick, without an event of the tick, as rows hold on.

    Args:
        plan: the program.
        others: the predicates that have other rows than facts of single ticks.
    """
    rules = (rule for one in plan.in_batches for rule in one.delta_rules.rules)
    by_clingo = [one for one in plan.in_batches if one.delta_rules.refusal is not None]
    solved = (lookup for one in by_clingo for lookup in _lookups(one))
    if any(one.program.depends_on_now for one in by_clingo):
        return True
    return any(
        one.signature is None or (one.signature in others and is_growing(one)) for one in solved
    ) or any(
        isinstance(part, LookupPart)
        and (part.lookup is THIS_TICK or (part.lookup.signature in others and is_growing(part.lookup)))
        for rule in rules
        if not _guards(rule, others)
        for part in all_parts(rule.body)
    )


def patient_ones(
    plan: Plan, lasting: Collection[Signature], by_rules: Collection[Component]
) -> set[Signature]:
    """The predicates known in advance of which it matters only what holds at ticks at which facts arrive.

    Args:
        plan: the program.
        lasting: the predicates of which the input has rows that hold for a while.
        by_rules: the components that clingo does not evaluate.
    """
    known, found = arrivals(plan.in_batches, lasting), {one.signature for one in plan.foreknown}
    found -= plan.shown_input
    for component in plan.in_batches:
        rules = component.delta_rules.rules if component in by_rules else ()
        waiting = [rule for rule in rules if needs_one_of(rule, known)]
        patient = _asked(waiting) - _asked(rule for rule in rules if rule not in waiting)
        for lookup in component.delta_rules.lookups if rules else component.program.lookups:
            by = lookup.window.signature if isinstance(lookup.window, Since) else None
            if lookup not in patient or lookup.kind not in OF_THE_TICK:
                found.difference_update(one for one in (lookup.signature, by) if one is not None)
    return found


def _asked(rules: Iterable[RowRule]) -> set[Lookup]:
    """What the bodies of rules look at."""
    parts = (part for rule in rules for part in all_parts(rule.body))
    return {part.lookup for part in parts if isinstance(part, LookupPart)}


def _lookups(component: Component) -> Sequence[Lookup]:
    """What a component looks at."""
    rules = component.delta_rules
    return rules.lookups if rules.refusal is None else component.program.lookups


def is_of_now(lookup: Lookup, others: Collection[Signature]) -> bool:
    """Whether the answer to a lookup has facts of the current tick alone, or is that tick.

    Args:
        lookup: the lookup.
        others: the predicates that have other rows than facts of single ticks.
    """
    if lookup is THIS_TICK:
        return True
    return lookup.signature is not None and lookup.signature not in others and is_momentary(lookup)


def _guards(rule: RowRule, others: Collection[Signature]) -> list[Signature]:
    """The predicates whose facts of the current tick alone a body needs; others have other rows."""
    parts = (part for part in rule.body if isinstance(part, LookupPart) and part.sign is Sign.POSITIVE)
    lookups = (part.lookup for part in parts if is_of_now(part.lookup, others))
    return [one.signature for one in lookups if one.signature is not None]


def _refusal_of(component: Component, plan: Plan) -> str | None:
    """Why a component cannot be served that has rules for it."""
    rules = component.delta_rules
    for lookup in rules.lookups:
        if lookup is THIS_TICK:
            continue
        signature = lookup.signature
        if signature is None or not is_served(lookup):
            return _looking(lookup, rules)
    return None


def _looking(lookup: Lookup, rules: DeltaRules) -> str:
    """Says of a streaming atom, as it is written, that it is not served."""
    parts = (part for rule in rules.rules for part in all_parts(rule.body))
    at = next(
        (one.location for one in parts if isinstance(one, LookupPart) and one.lookup is lookup), NOWHERE
    )
    if at is NOWHERE:
        return f"a window over {lookup.signature}: {_NOT_SERVED}"
    return _at(at, f"'{shown(at.source.text[at.begin : at.end], _MOST_SHOWN)}': {_NOT_SERVED}")


def _at(at: Location, reason: str) -> str:
    """A reason, and where it is."""
    return reason if at is NOWHERE else f"{at}: {reason}"

"""A plan as text: its components, their evaluators and why, the predicates that they read and hand on."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from math import inf
from types import MappingProxyType

from lars2asp.analysis.argument_types.type_texts import type_declarations_of
from lars2asp.analysis.predicates import head_atoms, streaming_atoms, window_of
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.analysis.windows import LastArrivals, Since
from lars2asp.planning.lookups import LookupKind
from lars2asp.planning.noted_times import noted_program
from lars2asp.planning.plan import Component, Plan
from lars2asp.runtime.evaluators.choice import Assignment, assign, listed
from lars2asp.runtime.evaluators.costs.meter import Cost
from lars2asp.runtime.evaluators.delta.evaluator import row_code
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.evaluators.flow_refusals import left_by_auto, refusal_of_batches, refusal_of_flow
from lars2asp.syntax.nodes import Held, Program, Signature
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Location, shown, visible

NO_COSTS: Mapping[str, Cost] = MappingProxyType({})

LARGE_WINDOW = 10_000
"""The number of ticks from which on a window is said to be large."""

MOST_WINDOWS = 10
"""The number of large windows that are said."""

_HIDDEN = (LookupKind.INPUT, LookupKind.HAS_NOW, LookupKind.SPAN, LookupKind.TICKS, LookupKind.BOX_TICKS)
"""Lookups that are not printed: they follow from the others."""


def plan_text(
    plan: Plan,
    evaluator: EvaluatorName,
    pure: Collection[str] = frozenset(),
    *,
    with_code: bool = False,
    costs: Mapping[str, Cost] = NO_COSTS,
) -> str:
    """The text that `compile --plan` prints.

    Args:
        plan: the plan.
        evaluator: the evaluator that is asked for.
        pure: the user's functions that are declared pure.
        with_code: whether the code of rules stands below each of its components.
        costs: what components have cost in a run, by what they derive.

    Raises:
        EvaluatorError: as `assign` does.
    """
    lines, assignments = meaning_lines(plan), assign(plan, evaluator, pure)
    if evaluator is EvaluatorName.AUTO:
        reason = refusal_of_flow(plan, pure) or refusal_of_batches(plan, pure) or left_by_auto(plan)
        how = "many ticks at once" if reason is None else f"tick by tick: {reason}"
        if reason is None or all(one.evaluator is EvaluatorName.DELTA for one in assignments):
            lines.append(f"large files and pipes: {how}")
    for number, assignment in enumerate(assignments, start=1):
        lines += ["", f"component {number}", *(f"  {line}" for line in _component(plan, assignment))]
        cost = costs.get(derived(plan, assignment.component))
        if cost is not None:
            lines.append(f"  cost {cost}")
        if with_code and assignment.evaluator is EvaluatorName.DELTA:
            component = assignment.component
            code = row_code(component.delta_rules)
            lines += ["", *(f"    {line}".rstrip() for line in code.splitlines())]
    return "\n".join(lines) + "\n"


def meaning_lines(plan: Plan) -> list[str]:
    """The semantics of a plan, formulas, how far back predicates are looked at, types, and what is held.

    Also which rules are left out, and why.
    """
    formulas = (
        f"{one} is {atom.text}" for one, atom in ProgramAnalysis(noted_program(plan)).formulas.items()
    )
    reaches = (f"{one} is looked at {_how_far(plan, one)}" for one in plan.reach)
    held = (to_text(one) for one in plan.declarations if isinstance(one, Held))
    types = type_declarations_of(plan.types)
    windows = _large_windows(plan)
    return [f"semantics: {plan.semantics}", *formulas, *reaches, *windows, *types, *held, *_left_out(plan)]


def _large_windows(plan: Plan) -> Iterator[str]:
    """Where windows are large, the largest first: what they look at is kept as long."""
    analysis = ProgramAnalysis(noted_program(plan))
    gone = {rule.location for rule in plan.left_out}
    found: dict[Location, tuple[int | None, Signature]] = {}
    for rule in analysis.rules:
        if rule.location in gone:
            continue
        for streaming in streaming_atoms(Program((rule,))):
            window = window_of(streaming, analysis.constants)
            reach = 0 if isinstance(window, LastArrivals | Since) else window.reach
            if reach is None or reach >= LARGE_WINDOW:
                found[streaming.location] = reach, streaming.atom.signature
    largest = sorted(found.items(), key=lambda one: -inf if one[1][0] is None else -one[1][0])
    for location, (reach, signature) in largest[:MOST_WINDOWS]:
        text = shown(" ".join(location.source.text[location.begin : location.end].split()))
        if text:
            where = f"{visible(location.source.name)}:{location.line}"
            yield f"{where}: {text} keeps {signature} for {_ticks(reach)}"


def derived(plan: Plan, component: Component) -> str:
    """The predicates that a component of a plan derives."""
    if component is plan.whole:
        return "the whole program"
    return _listed(component.derives) if component.derives else "nothing"


def _ticks(reach: int | None) -> str:
    if reach is None:
        return "without end"
    return f"{reach} tick{'s' if reach != 1 else ''}"


def _how_far(plan: Plan, signature: Signature) -> str:
    """How far back a predicate is looked at: memory follows that."""
    reach = plan.reach[signature]
    if reach is not None:
        return f"{_ticks(reach)} back"
    analysis = ProgramAnalysis(plan.program)
    windows = [(s.atom.signature, window_of(s, analysis.constants)) for s in analysis.streaming_atoms]
    own = [window for one, window in windows if one == signature]
    begins = [window.signature for window in own if isinstance(window, Since)]
    if any(window.reach is None for window in own if not isinstance(window, LastArrivals | Since)):
        return f"{_ticks(None)} back"
    if begins:
        return f"since {_listed(set(begins))} last began; earlier events are dropped"
    return "only when it last began"


def _component(plan: Plan, assignment: Assignment) -> Iterator[str]:
    component = assignment.component
    what = derived(plan, component)
    if component is plan.whole:
        yield f"is {what}, with all its answer streams"
    elif component.is_certain:
        yield f"derives {what}, in one answer stream"
    else:
        yield f"derives {what}, in several answer streams or none"
    yield f"evaluator: {assignment.evaluator}: {assignment.reason}"
    is_by_delta = assignment.evaluator is EvaluatorName.DELTA
    lookups = component.delta_rules.lookups if is_by_delta else component.program.lookups
    told = (one for one in lookups if one.signature is not None and one.kind not in _HIDDEN)
    reads = dict.fromkeys(one.title for one in told)
    if reads:
        yield f"reads {', '.join(reads)}"
    published = [one.published for one in component.delta_destinations.values() if one.published is not None]
    at_once = [signature for signature in published if signature in plan.published.at_once]
    apart = [signature for signature in published if signature not in plan.published.at_once]
    if at_once:
        yield f"hands on {_listed(at_once)}, which enter the stream at once"
    if apart:
        yield f"hands on {_listed(apart)} for the current tick"
    rules = sorted({line.origin.line for line in component.program.lines if line.origin.source.text})
    if rules and component is not plan.whole:
        yield f"lines {listed(rules)}"


def _left_out(plan: Plan) -> Iterator[str]:
    """The places of the rules that are left out, by what they derive."""
    places: dict[str, dict[str, None]] = {}
    for rule in plan.left_out:
        of = places.setdefault(_listed({head.atom.signature for head in head_atoms(rule)}), {})
        of[f"{visible(rule.location.source.name)}:{rule.location.line}"] = None  # pools make several of one
    for derives, of_rules in places.items():
        yield f"{derives} is left out, as no answer depends on it: {', '.join(of_rules)}"


def _listed(signatures: Iterable[Signature]) -> str:
    return ", ".join(map(str, sorted(signatures)))

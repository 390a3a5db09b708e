"""Plans of random programs, and plans in which clingo finds the instances of all rules."""

from dataclasses import replace

from hypothesis import assume

from lars2asp.compiler import Overrides, compile_program
from lars2asp.planning.plan import Component, Plan
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source
from tests.strategies import Case


def compiled(case: Case) -> Plan:
    """The plan of a case; programs with errors are passed over."""
    try:
        overrides = Overrides(semantics=Semantics(case.semantics))
        return compile_program(Source("random.lars", case.program), overrides=overrides)
    except ProgramError:
        assume(False)
        raise


def by_clingo(plan: Plan) -> Plan:
    """The same plan, but no rule counts as a join: clingo finds their instances for `delta`."""
    return replace(plan, components=tuple(map(_by_clingo, plan.components)))


def _by_clingo(component: Component) -> Component:
    delta_rules = component.delta_rules
    if delta_rules.refusal is not None:
        return component
    rules = tuple(replace(rule, join=None) for rule in delta_rules.rules)
    return replace(component, delta_rules=replace(delta_rules, rules=rules, facts=component.program.facts))

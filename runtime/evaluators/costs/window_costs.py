"""What windows hold for single rules: the intervals that the database keeps of what they look at."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cached_property

from lars2asp.analysis.predicates import head_atoms, streaming_atoms_of, window_of
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.noted_times import noted_program
from lars2asp.planning.plan import Component, Plan
from lars2asp.runtime.evaluators.costs.rule_statistics import RuleStatistics, named
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import StreamingAtom
from lars2asp.syntax.source import Location
from lars2asp.syntax.values import dataclass

_KINDS: Mapping[type[object], tuple[LookupKind, ...]] = {
    nodes.Diamond: (LookupKind.IN,),
    nodes.Box: (LookupKind.ALWAYS, LookupKind.ALWAYS_BEFORE),
    nodes.AtTick: (LookupKind.AT,),
    nodes.Count: (LookupKind.COUNT, LookupKind.COUNT_BEFORE),
    nodes.AtLeast: (LookupKind.LEAST, LookupKind.LEAST_BEFORE),
}
"""What the database may be asked for a streaming atom."""


@dataclass(eq=False)
class WindowCosts:
    """What windows hold for the rules of a program; worked out when it is asked for.

    Attributes:
        plan: the program.
        lookups: all lookups.
        kept: gives the number of intervals that windows hold for lookups, of each for itself.
    """

    plan: Plan
    lookups: Collection[Lookup]
    kept: Callable[[Collection[Lookup]], int]

    @cached_property
    def _analysis(self) -> ProgramAnalysis:
        return ProgramAnalysis(noted_program(self.plan))

    @cached_property
    def _lookups(self) -> dict[Location, set[Lookup]]:
        """What rules ask of windows, by their places."""
        by_window: dict[object, list[Lookup]] = {}
        for lookup in self.lookups:
            by_window.setdefault((lookup.signature, lookup.window), []).append(lookup)
        found: dict[Location, set[Lookup]] = {}
        for rule in self._analysis.rules:
            own = found.setdefault(rule.location, set())
            for streaming in streaming_atoms_of(rule):
                key = streaming.atom.signature, window_of(streaming, self._analysis.constants)
                own |= {one for one in by_window.get(key, ()) if one.kind in _kinds_of(streaming)}
        return found

    def held(self, location: Location) -> int:
        """The number of intervals that windows hold for the rule at a place."""
        return self.kept(self._lookups.get(location, ()))

    def together(self, component: Component, steps: int, seconds: float) -> tuple[RuleStatistics, ...]:
        """The rules of a component that clingo evaluates together, at some ticks and in some time."""
        derives = component.derives
        locations = {
            rule.location: None
            for rule in self._analysis.rules
            if not rule.is_of_formula and _is_of(rule, derives, is_certain=component.is_certain)
        }
        others = len(locations) - 1
        return tuple(
            replace(one, evaluations=steps, seconds=seconds, held=self.held(at), others=others)
            for one, at in zip(named([*locations]), locations, strict=True)
        )


def _kinds_of(streaming: StreamingAtom) -> tuple[LookupKind, ...]:
    return _KINDS.get(type(streaming), ())


def _is_of(rule: nodes.Rule, derives: frozenset[nodes.Signature], *, is_certain: bool) -> bool:
    """Whether a rule is one of a component that derives some predicates; constraints are of the last one."""
    heads = {head.atom.signature for head in head_atoms(rule)}
    return not derives.isdisjoint(heads) if heads else not is_certain

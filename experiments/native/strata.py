"""In which order predicates are evaluated."""

from collections.abc import Iterable, Mapping, Sequence

from experiments.native.native_program import (
    BodyFormula,
    LastArrivalWindow,
    NativeRule,
    Operator,
    Predicate,
    UnsupportedError,
)


def depends(formula: BodyFormula) -> bool:
    """Whether a formula looks at what rules derive: tuple windows hold input alone."""
    return not isinstance(formula.formula.window, LastArrivalWindow)


def strata(rules: Sequence[NativeRule]) -> list[frozenset[Predicate]]:
    """The predicates that rules derive, in sets that depend on each other, the lowest first.

    Raises:
        UnsupportedError: for recursion through negation or through a window.
    """
    needs: dict[Predicate, set[Predicate]] = {rule.predicate: set() for rule in rules}
    for rule in rules:
        for one in filter(depends, rule.formulae):
            if one.formula.predicate in needs:
                needs[rule.predicate].add(one.formula.predicate)
    found = _components(needs)
    where = {predicate: stratum for stratum in found for predicate in stratum}
    for rule in rules:
        for one in filter(depends, rule.formulae):
            if one.formula.predicate in where and where[one.formula.predicate] is where[rule.predicate]:
                if one.is_negated:
                    raise UnsupportedError(rule.source, "recursion through negation")
                if one.formula.operator is not Operator.NOW:
                    raise UnsupportedError(rule.source, "recursion through windows")
    return found


def _components(needs: Mapping[Predicate, Iterable[Predicate]]) -> list[frozenset[Predicate]]:
    """The strongly connected components of a graph, each after those that it needs."""
    reached: dict[Predicate, set[Predicate]] = {}
    for start in needs:
        seen: set[Predicate] = set()
        pending = list(needs[start])
        while pending:
            one = pending.pop()
            if one not in seen:
                seen.add(one)
                pending += needs[one]
        reached[start] = seen
    components = {
        frozenset({one} | {other for other in reached[one] if one in reached[other]}) for one in needs
    }
    # what a component needs reaches fewer predicates than it does itself
    return sorted(components, key=lambda each: min((len(reached[one] - each), one) for one in each))

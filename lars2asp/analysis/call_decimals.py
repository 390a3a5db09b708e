"""The decimals of what `@`-functions get and give: those of the places where their calls stand."""

from collections.abc import Mapping
from typing import NamedTuple

from lars2asp.analysis.decimals import PlaceDecimals, Variables, body_variables, term_decimals
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import NOW, Atom, Function, Program, Statement, Term, Variable
from lars2asp.syntax.traversal import body_of, every


class CallDecimals(NamedTuple):
    """Those of all calls of a function; None stands for a call of which nothing says them.

    Attributes:
        arguments: by place.
        result: of what it gives.
    """

    arguments: dict[int, set[int | None]]
    result: set[int | None]


def call_decimals(program: Program) -> Mapping[str, CallDecimals]:
    """The decimals of the calls of each `@`-function, in a program that was checked."""
    found: dict[str, CallDecimals] = {}
    calling = [one for one in program.but_plain_facts if any(map(_is_call, every(Function, one)))]
    places = PlaceDecimals(program) if calling else None
    for statement in calling:
        assert places is not None
        variables = _variables(statement, places)
        results = _results(statement, places, variables)
        for call in filter(_is_call, every(Function, statement)):
            known = found.setdefault(call.name, CallDecimals({}, set()))
            for place, argument in enumerate(call.arguments):
                known.arguments.setdefault(place, set()).add(term_decimals(argument, variables))
            known.result.add(results.get(id(call)))
    return found


def _is_call(term: Function) -> bool:
    return term.is_external and term != NOW


def _variables(statement: Statement, places: PlaceDecimals) -> Variables:
    """The decimals of the variables of a statement, also of those in conditions and aggregates."""
    found = body_variables(body_of(statement), places)
    for part in every(nodes.ConditionalLiteral, statement):
        found = body_variables(part.condition, places, found)
    for element in every(nodes.AggregateElement, statement):
        found = body_variables(element.condition, places, found)
    for head_element in every(nodes.HeadAggregateElement, statement):
        found = body_variables(head_element.condition, places, found)
    return found


def _results(statement: Statement, places: PlaceDecimals, variables: Variables) -> dict[int, int | None]:
    """The decimals of what calls give, by the ids of the calls, where something says them."""
    found: dict[int, int | None] = {}
    in_atoms: dict[str, int | None] = {}
    for atom in every(Atom, statement):
        for argument, decimals in zip(atom.arguments, places.of(atom), strict=True):
            if isinstance(argument, Function):
                found[id(argument)] = decimals
            elif isinstance(argument, Variable) and decimals is not None:
                in_atoms.setdefault(argument.name, decimals)
    for comparison in every(nodes.Comparison, statement):
        sides = [comparison.term, *(guard.term for guard in comparison.guards)]
        known = (_decimals(side, variables, in_atoms) for side in sides)
        decimals = next((one for one in known if one is not None), None)
        found.update((id(side), decimals) for side in sides if isinstance(side, Function))
    return found


def _decimals(term: Term, variables: Variables, in_atoms: Mapping[str, int | None]) -> int | None:
    """The decimals of a side of a comparison; of a variable those of its place in a head."""
    found = term_decimals(term, variables)
    return in_atoms.get(term.name) if found is None and isinstance(term, Variable) else found

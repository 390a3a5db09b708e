"""`#const`: the values of constants, and integer terms over them."""

from collections.abc import Mapping

from lars2asp.analysis.arithmetic.integers import calculated
from lars2asp.analysis.graphs import strongly_connected
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Node, Program, Term, Variable
from lars2asp.syntax.source import NOWHERE, Location
from lars2asp.syntax.traversal import every, rewrite


def constant_values(program: Program) -> dict[str, int]:
    """The integers that the constants of a program stand for; constants with other values are left out."""
    values = {name: integer_value(term, {}) for name, term in constant_terms(program).items()}
    return {name: value for name, value in values.items() if value is not None}


def constant_terms(program: Program) -> dict[str, Term]:
    """The terms that the constants of a program stand for, without names of other constants in them.

    Integers are worked out where `integer_value` says one. Constants that are defined by themselves, through
    others or not, are left out.
    """
    definitions = {
        s.name: s.value for s in program.every(nodes.Constant) if s.value != nodes.Function(s.name)
    }
    used = {
        name: [part.name for part in every(nodes.Function, term) if part.name in definitions]
        for name, term in definitions.items()
    }
    values: dict[str, Term] = {}

    def settled(node: Node) -> Node:
        match node:
            case nodes.Function(name, (), False) if name in values:
                return values[name]
            case nodes.UnaryOperation() | nodes.Absolute() | nodes.BinaryOperation():
                number = integer_value(node, {})
                return node if number is None else integer_term(number)
            case _:
                return node

    for name, *others in strongly_connected(used):
        if not others and name not in used[name]:
            values[name] = rewrite(definitions[name], settled)
    return values


def integer_term(number: int, location: Location = NOWHERE) -> Term:
    """The term for an integer."""
    value = nodes.Number(abs(number), location=location)
    return value if number >= 0 else nodes.UnaryOperation("-", value, location=location)


def varies(term: Term) -> bool:
    """Whether a term has variables or `@`-calls."""
    return any(every(Variable, term)) or has_call(term)


def has_call(node: Node) -> bool:
    """Whether there is an `@`-call in a node."""
    return any(part.is_external for part in every(nodes.Function, node))


def has_interval(term: Term) -> bool:
    """Whether `..` stands in a term."""
    return any(part.operator == ".." for part in every(nodes.BinaryOperation, term))


def integer_value(term: Term, constants: Mapping[str, int]) -> int | None:
    """The integer that a term without variables and calls stands for; None where it stands for none."""
    match term:
        case nodes.Number(value):
            return value
        case nodes.Function(name, (), False) if name in constants:
            return constants[name]
        case nodes.UnaryOperation(operator, argument):
            operand = integer_value(argument, constants)
            return operand if operand is None else (-operand if operator == "-" else ~operand)
        case nodes.Absolute(argument):
            operand = integer_value(argument, constants)
            return operand if operand is None else abs(operand)
        case nodes.BinaryOperation(operator, left, right):
            return _apply(operator, integer_value(left, constants), integer_value(right, constants))
        case _:
            return None


def _apply(operator: str, left: int | None, right: int | None) -> int | None:
    if left is None or right is None or operator == "..":
        return None
    return calculated(operator, left, right)

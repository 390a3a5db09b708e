"""`#const`: the values of constants, and integer terms over them."""

from collections.abc import Callable, Mapping
from operator import add, and_, mul, or_, sub, xor

from lars2asp.analysis.arithmetic.division import quotient, remainder
from lars2asp.analysis.graphs import strongly_connected
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import LARGEST_INTEGER, SMALLEST_INTEGER, Node, Program, Term, Variable
from lars2asp.syntax.source import NOWHERE, Location
from lars2asp.syntax.traversal import every, rewrite

_Operation = Callable[[int, int], int]
_PLAIN: Mapping[str, _Operation] = {"+": add, "-": sub, "*": mul, "&": and_, "?": or_, "^": xor}
"""The operators that mean the same in clingo and in Python."""


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
    """The integer that a term without variables and calls stands for.

    None where it stands for none, or where a number of more than 32 bits comes up (clingo would wrap around).
    """
    value = exact_value(term, constants)
    return value if value is not None and SMALLEST_INTEGER <= value <= LARGEST_INTEGER else None


def exact_value(term: Term, constants: Mapping[str, int]) -> int | None:
    """The same, however large the number is that comes up last."""
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
    if left is None or right is None or (operator in "/\\" and right == 0):
        return None
    match operator:
        case "/":
            return quotient(left, right)
        case "\\":
            return remainder(left, right)
        case "**":
            return left**right if 0 <= right < 32 or abs(left) < 2 <= right else None
        case _:
            plain = _PLAIN.get(operator)
            return plain(left, right) if plain is not None else None

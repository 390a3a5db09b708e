"""`#const`: the values of constants, and integer terms over them."""

from collections.abc import Mapping

from lars2asp.diagnostics import Diagnostics
from lars2asp.syntax import (
    Absolute,
    BinaryOperation,
    Constant,
    Function,
    Number,
    Program,
    Term,
    UnaryOperation,
    Variable,
)
from lars2asp.traversal import walk


def constant_definitions(program: Program) -> dict[str, Term]:
    """The term that each `#const` of a program gives its name."""
    return {s.name: s.value for s in program.statements if isinstance(s, Constant)}


def check_constants(program: Program, diagnostics: Diagnostics) -> Program:
    """Reports constants that are defined twice, or as no one term; the program is returned as it is."""
    seen: set[str] = set()
    for statement in program.statements:
        if isinstance(statement, Constant):
            if statement.name in seen:
                diagnostics.error(statement.location, f"the constant {statement.name} is defined twice")
            seen.add(statement.name)
            for part in walk(statement.value):
                if isinstance(part, Variable):
                    diagnostics.error(part.location, f"the value of {statement.name} must not have variables")
                elif isinstance(part, BinaryOperation) and part.operator == "..":
                    diagnostics.error(
                        part.location, f"the value of {statement.name} must be one term, no interval"
                    )
    return program


def integer_value(term: Term, constants: Mapping[str, Term]) -> int | None:
    """The integer that a term without variables and calls stands for; None where it stands for none."""
    match term:
        case Number(value):
            return value
        case Function(name, (), False) if name in constants:
            rest = {other: value for other, value in constants.items() if other != name}
            return integer_value(constants[name], rest)
        case UnaryOperation(operator, argument):
            operand = integer_value(argument, constants)
            return operand if operand is None else (-operand if operator == "-" else ~operand)
        case Absolute(argument):
            operand = integer_value(argument, constants)
            return operand if operand is None else abs(operand)
        case BinaryOperation(operator, left, right):
            return _apply(operator, integer_value(left, constants), integer_value(right, constants))
        case _:
            return None


def _apply(operator: str, left: int | None, right: int | None) -> int | None:
    if left is None or right is None or (operator in "/\\" and right == 0):
        return None
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":  # rounds towards zero, as in clingo
            return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        case "\\":
            return abs(left) % abs(right) * (-1 if left < 0 else 1)
        case "**":
            return left**right if 0 <= right < 64 else None
        case "&":
            return left & right
        case "?":
            return left | right
        case "^":
            return left ^ right
        case _:
            return None

"""`#const`: the values of constants, and integer terms over them."""

from collections.abc import Mapping

from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import (
    LARGEST_INTEGER,
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
from lars2asp.syntax.traversal import walk


def constant_values(program: Program) -> dict[str, int]:
    """The integers that the constants of a program stand for; constants with other values are left out."""
    terms = {s.name: s.value for s in program.every(Constant)}
    users: dict[str, list[str]] = {name: [] for name in terms}
    for name, term in terms.items():
        for part in walk(term):
            if isinstance(part, Function) and part.name in users:
                users[part.name].append(name)
    values: dict[str, int] = {}
    waiting = list(terms)
    while waiting:
        name = waiting.pop()
        value = integer_value(terms[name], values) if name not in values else None
        if value is not None:
            values[name] = value
            waiting += users[name]
    return values


def _circular(program: Program) -> set[str]:
    """The constants that are defined by themselves, through others or not."""
    definitions = {
        s.name: s.value
        for s in program.every(Constant)
        if s.value != Function(s.name)  # `a = a` says nothing
    }
    uses = {
        name: {part.name for part in walk(term) if isinstance(part, Function) and part.name in definitions}
        for name, term in definitions.items()
    }
    users: dict[str, set[str]] = {name: set() for name in uses}
    for name, others in uses.items():
        for other in others:
            users[other].add(name)
    left, waiting = set(uses), list(uses)
    while waiting:  # leave out what uses nothing that is left, and what nothing that is left uses
        name = waiting.pop()
        if name in left and not (uses[name] and users[name]):
            left.remove(name)
            for other in uses[name]:
                users[other].discard(name)
            for user in users[name]:
                uses[user].discard(name)
            waiting += [*uses[name], *users[name]]
    return left


def check_constants(program: Program, diagnostics: Diagnostics) -> Program:
    """Reports constants that are defined twice, or as no one term.

    In the program returned a definition with `[override]` has taken the place of one without.
    """
    circular = _circular(program)
    overridden = {s.name for s in program.every(Constant) if s.is_override}
    statements = tuple(
        s
        for s in program.statements
        if not (isinstance(s, Constant) and s.name in overridden and not s.is_override)
    )
    seen: set[str] = set()
    for statement in statements:
        if isinstance(statement, Constant):
            if statement.name in seen:
                diagnostics.error(
                    statement.location,
                    f"the constant {statement.name} is defined twice",
                    "keep one; values from outside go before it: -c name=value",
                )
            seen.add(statement.name)
            if statement.name in circular:
                diagnostics.error(statement.location, f"the constant {statement.name} is defined by itself")
            for part in walk(statement.value):
                if isinstance(part, Variable):
                    diagnostics.error(part.location, f"the value of {statement.name} must not have variables")
                elif isinstance(part, Function) and part.is_external:
                    diagnostics.error(part.location, f"the value of {statement.name} must not be an @-call")
                elif isinstance(part, BinaryOperation) and part.operator == "..":
                    diagnostics.error(
                        part.location, f"the value of {statement.name} must be one term, no interval"
                    )
    return Program(statements, program.sources)


def varies(term: Term) -> bool:
    """Whether a term has variables or `@`-calls."""
    return any(
        isinstance(part, Variable) or (isinstance(part, Function) and part.is_external) for part in walk(term)
    )


def has_interval(term: Term) -> bool:
    """Whether `..` stands in a term."""
    return any(isinstance(part, BinaryOperation) and part.operator == ".." for part in walk(term))


def integer_value(term: Term, constants: Mapping[str, int]) -> int | None:
    """The integer that a term without variables and calls stands for.

    None where it stands for none, or for one of more than 32 bits (on which clingo would wrap around).
    """
    match term:
        case Number(value):
            return value
        case Function(name, (), False) if name in constants:
            return constants[name]
        case UnaryOperation(operator, argument):
            operand = integer_value(argument, constants)
            return operand if operand is None else (-operand if operator == "-" else ~operand)
        case Absolute(argument):
            operand = integer_value(argument, constants)
            return operand if operand is None else abs(operand)
        case BinaryOperation(operator, left, right):
            result = _apply(operator, integer_value(left, constants), integer_value(right, constants))
            return result if result is not None and abs(result) <= LARGEST_INTEGER else None
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
            return left**right if 0 <= right < 32 or abs(left) < 2 <= right else None
        case "&":
            return left & right
        case "?":
            return left | right
        case "^":
            return left ^ right
        case _:
            return None

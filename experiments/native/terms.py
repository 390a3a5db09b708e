"""Terms and comparisons of rules as the native evaluators have them, and their text in Python.

A value is an integer or a text: a constant's name, or a string with its quotes, as clingo writes it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

Value = int | str

ORDERS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
"""Signs of comparisons, and what they are in Python."""


@dataclass(frozen=True, slots=True)
class Known:
    """A value that the program says."""

    value: Value


@dataclass(frozen=True, slots=True)
class Name:
    """A variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Anything:
    """`_`: any value."""


@dataclass(frozen=True, slots=True)
class Now:
    """`@now`, the tick of evaluation."""


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """An operation on integers: a sign between two terms, or `-` and `|` (absolute value) on one."""

    operator: str
    operands: tuple["Expression", ...]


Expression = Known | Name | Now | Arithmetic
BodyArgument = Known | Name | Anything
"""An argument of a streaming atom in a body; arithmetic is moved to comparisons."""


@dataclass(frozen=True, slots=True)
class NativeComparison:
    """A comparison of two expressions; one with `=` gives a variable its value where it has none yet."""

    left: Expression
    sign: str
    right: Expression


def names(*terms: Expression | Anything) -> Iterator[str]:
    """The names of the variables in terms."""
    for term in terms:
        if isinstance(term, Name):
            yield term.name
        elif isinstance(term, Arithmetic):
            yield from names(*term.operands)


def mentions_now(term: Expression | Anything) -> bool:
    """Whether `@now` stands in a term."""
    return isinstance(term, Now) or (isinstance(term, Arithmetic) and any(map(mentions_now, term.operands)))


def written(term: Expression) -> str:
    """An expression in Python, over variables `v_NAME` and the tick `t`."""
    match term:
        case Known(value):
            return repr(value)
        case Name(name):
            return variable(name)
        case Now():
            return "t"
        case Arithmetic("|", (operand,)):
            return f"abs({written(operand)})"
        case Arithmetic(operator, (operand,)):
            return f"({operator}{written(operand)})"
        case Arithmetic("/" | "\\" as operator, (left, right)):
            function = "quotient" if operator == "/" else "remainder"
            return f"{function}({written(left)}, {written(right)})"
        case Arithmetic(operator, (left, right)):
            return f"({written(left)} {operator} {written(right)})"
    raise TypeError(type(term))


def variable(name: str) -> str:
    """The Python name of a variable."""
    return f"v_{name}"


def hindrances(term: Expression) -> Iterator[str]:
    """Conditions, in Python, under which an expression has no value: operands are no integers, or zero."""
    if not isinstance(term, Arithmetic):
        return
    for operand in term.operands:
        if isinstance(operand, Known) and isinstance(operand.value, str):
            yield "True"
        elif isinstance(operand, Name):
            yield f"{variable(operand.name)}.__class__ is not int"
        else:
            yield from hindrances(operand)
    if term.operator in "/\\":
        yield f"{written(term.operands[1])} == 0"


def comparison(compared: NativeComparison) -> str:
    """A comparison in Python, true where it is; integers come first, constants next, strings last."""
    left, right, sign = written(compared.left), written(compared.right), ORDERS[compared.sign]
    plain = f"{left} {sign} {right}"
    if compared.sign in ("=", "!="):
        return plain
    uncertain = [term for term in (compared.left, compared.right) if not _is_integer(term)]
    if not uncertain:
        return plain
    tests = " and ".join(f"{written(term)}.__class__ is int" for term in uncertain)
    return f"({plain} if {tests} else rank({left}) {sign} rank({right}))"


def _is_integer(term: Expression) -> bool:
    return isinstance(term, Arithmetic | Now) or (isinstance(term, Known) and isinstance(term.value, int))


# --- what the Python text calls -------------------------------------------------------------------


def rank(value: Value) -> tuple[int, int, str]:
    """A key that sorts values as clingo does."""
    if isinstance(value, int):
        return 0, value, ""
    return (2 if value.startswith('"') else 1), 0, value


def quotient(left: int, right: int) -> int:
    """A quotient, rounded towards zero as in clingo."""
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def remainder(left: int, right: int) -> int:
    """The remainder of such a quotient."""
    return left - right * quotient(left, right)

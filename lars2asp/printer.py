"""Prints the abstract syntax as program text that parses to the same syntax again."""

from collections.abc import Iterable

from lars2asp import syntax
from lars2asp.syntax import (
    Absolute,
    Aggregate,
    AggregateElement,
    Atom,
    AtTick,
    BinaryOperation,
    Boolean,
    Box,
    Column,
    Comparison,
    Constant,
    Defined,
    Diamond,
    Duration,
    Extremum,
    Function,
    Guard,
    Input,
    Literal,
    Node,
    Number,
    OffsetWindow,
    Program,
    Rule,
    SemanticsChoice,
    Show,
    SlidingWindow,
    String,
    Tick,
    Tuple,
    UnaryOperation,
    Variable,
)

_LEVELS = {"..": 1, "^": 2, "?": 3, "&": 4, "+": 5, "-": 5, "*": 6, "/": 6, "\\": 6, "**": 7}
_UNARY_LEVEL = 8


def to_text(node: Node | Program) -> str:
    """The text of a node; a program gives one statement a line."""
    if isinstance(node, Program):
        return "".join(f"{to_text(statement)}\n" for statement in node.statements)
    if isinstance(node, syntax.Term):
        return _term(node)
    return _node(node)


def _node(node: Node) -> str:
    match node:
        case Duration(size, unit):
            return f"{_term(size)} {unit}" if unit else _term(size)
        case SlidingWindow(duration):
            return f"[{_node(duration)}]"
        case OffsetWindow(offsets):
            return f"{{{_list(offsets)}}}"
        case Atom(name, arguments, is_positive):
            return f"{'' if is_positive else '-'}{name}{f'({_list(arguments)})' if arguments else ''}"
        case Boolean(value):
            return "#true" if value else "#false"
        case Guard(comparison, term):
            return f"{comparison} {_term(term)}"
        case Comparison(term, guards):
            return " ".join([_term(term), *map(_node, guards)])
        case Diamond(atom, window):
            return f"{_node(atom)} in {_node(window)}"
        case Box(atom, window):
            return f"{_node(atom)} always in {_node(window)}"
        case AtTick(atom, tick, window):
            return f"{_node(atom)} at {_term(tick)}" + (f" in {_node(window)}" if window else "")
        case AggregateElement(terms, condition):
            return (
                f"{_list(terms)}: {', '.join(map(_node, condition))}" if condition else (_list(terms) or ":")
            )
        case Aggregate(function, elements, left, right):
            before = f"{_term(left.term)} {left.comparison} " if left else ""
            return f"{before}{function} {{ {'; '.join(map(_node, elements))} }}" + (
                f" {_node(right)}" if right else ""
            )
        case Literal(atom, sign):
            return f"{'not ' * sign}{_node(atom)}"
        case _:
            return _statement(node)


def _statement(node: Node) -> str:
    match node:
        case Rule(head, body):
            before = _node(head) if head else ""
            after = f"{' ' if head else ''}:- {', '.join(map(_node, body))}" if body or not head else ""
            return f"{before}{after.rstrip()}."
        case Constant(name, value):
            return f"#const {name} = {_term(value)}."
        case Show(signature):
            return f"#show {signature}." if signature else "#show."
        case Defined(signature):
            return f"#defined {signature}."
        case Tick(duration):
            return f"#tick {_node(duration)}."
        case Input(predicate, columns, time):
            return f"#input {predicate}({', '.join(map(_node, columns))}) at {_quote(time)}."
        case SemanticsChoice(semantics):
            return f"#semantics {semantics}."
        case Column(name, scale, conversion):
            column = f"{conversion}({_quote(name)})" if conversion else _quote(name)
            return column if scale is None else f"{column} * {scale}"
        case _:
            raise TypeError(f"no text for {type(node).__name__}")


def _term(term: syntax.Term) -> str:
    match term:
        case Number(value):
            return str(value)
        case String(value):
            return _quote(value)
        case Extremum(name) | Variable(name):
            return name
        case Function(name, arguments, is_external):
            return f"{'@' if is_external else ''}{name}{f'({_list(arguments)})' if arguments else ''}"
        case Tuple(arguments):
            return f"({_term(arguments[0])},)" if len(arguments) == 1 else f"({_list(arguments)})"
        case Absolute(argument):
            return f"|{_term(argument)}|"
        case UnaryOperation(operator, argument):
            return f"{operator}{_operand(argument, _UNARY_LEVEL + 1)}"
        case BinaryOperation(operator, left, right):
            level = _LEVELS[operator]
            is_right_associative = operator == "**"
            left_text = _operand(left, level + is_right_associative)
            right_text = _operand(right, level + (not is_right_associative))
            return f"{left_text}{operator}{right_text}"


def _operand(term: syntax.Term, level: int) -> str:
    own = _UNARY_LEVEL + 1
    if isinstance(term, BinaryOperation):
        own = _LEVELS[term.operator]
    elif isinstance(term, UnaryOperation):
        own = _UNARY_LEVEL
    return _term(term) if own >= level else f"({_term(term)})"


def _list(terms: Iterable[syntax.Term]) -> str:
    return ",".join(map(_term, terms))


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
    return f'"{escaped}"'

"""Prints the abstract syntax as program text that parses to the same syntax again."""

from collections.abc import Iterable

from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import (
    Absolute,
    Aggregate,
    AggregateElement,
    AtLeast,
    AtMost,
    Atom,
    AtTick,
    BinaryOperation,
    Body,
    Boolean,
    Box,
    Column,
    Comparison,
    ConditionalLiteral,
    Constant,
    Count,
    Defined,
    Diamond,
    Disjunction,
    Duration,
    Edge,
    External,
    Extremum,
    Function,
    Guard,
    HeadAggregate,
    HeadAggregateElement,
    Heuristic,
    HoppingWindow,
    Input,
    Literal,
    Node,
    Number,
    OffsetWindow,
    Program,
    ProjectAtom,
    ProjectSignature,
    Rule,
    Script,
    SemanticsChoice,
    SetAggregate,
    Show,
    ShowTerm,
    SlidingWindow,
    String,
    Tick,
    TimeZone,
    TumblingWindow,
    Tuple,
    TupleWindow,
    UnaryOperation,
    Variable,
    WeakConstraint,
)

_UNARY_LEVEL = 8


def to_text(node: Node | Program) -> str:
    """The text of a node; a program gives one statement a line."""
    if isinstance(node, Program):
        return "".join(f"{to_text(statement)}\n" for statement in node.statements)
    if isinstance(node, nodes.Term):
        return _term(node)
    return _node(node)


def _node(node: Node) -> str:
    match node:
        case Duration(size, unit):
            return f"{_size(size)} {unit}" if unit else _size(size)
        case SlidingWindow(duration):
            return f"[{_node(duration)}]"
        case OffsetWindow(offsets):
            return f"{{{_list(offsets)}}}"
        case HoppingWindow(duration, step):
            return f"[{_node(duration)} step {_node(step)}]"
        case TumblingWindow(duration):
            return f"[every {_node(duration)}]"
        case TupleWindow(size, signature, group):
            chosen = f" {signature}" if signature else f" by {_list(group)}" if group else ""
            return f"[{_size(size)} #{chosen}]"
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
        case AtLeast(atom, number, window):
            return f"{_node(atom)} at least {_term(number)} in {_node(window)}"
        case AtMost(atom, number, window):
            return f"{_node(atom)} at most {_term(number)} in {_node(window)}"
        case Count(atom, number, window):
            return f"{_node(atom)} count {_term(number)} in {_node(window)}"
        case AggregateElement(terms, condition):
            return f"{_list(terms)}{_condition(condition)}" if condition else (_list(terms) or ":")
        case ConditionalLiteral(literal, condition):
            return f"{_node(literal)}{_condition(condition)}"
        case HeadAggregateElement(terms, literal, condition):
            return f"{_list(terms)}: {_node(literal)}{_condition(condition)}"
        case Aggregate(function, elements, left, right) | HeadAggregate(function, elements, left, right):
            return _guarded(f"{function} ", elements, left, right)
        case SetAggregate(elements, left, right):
            return _guarded("", elements, left, right)
        case Disjunction(elements):
            return "; ".join(map(_node, elements))
        case Literal(atom, sign):
            return f"{'not ' * sign}{_node(atom)}"
        case _:
            return _statement(node)


def _statement(node: Node) -> str:
    match node:
        case Rule(head, body, is_temporary):
            before = f"{'#temp ' if is_temporary else ''}{_node(head)}" if head else ""
            after = f"{' ' if head else ''}:- {_body(body)}" if body or not head else ""
            return f"{before}{after.rstrip()}."
        case WeakConstraint(body, weight, priority, terms):
            more = f",{_list(terms)}" if terms else ""
            return f":~ {_body(body)}. [{_term(weight)}@{_term(priority)}{more}]"
        case Constant(name, value, is_override):
            return f"#const {name} = {_term(value)}.{' [override]' if is_override else ''}"
        case Show(signature):
            return f"#show {signature}." if signature else "#show."
        case ShowTerm(term, body):
            return f"#show {_term(term)}{_behind_colon(body)}."
        case External(atom, body, value):
            return f"#external {_node(atom)}{_behind_colon(body)}. [{_term(value)}]"
        case ProjectSignature(signature):
            return f"#project {signature}."
        case ProjectAtom(atom, body):
            return f"#project {_node(atom)}{_behind_colon(body)}."
        case Heuristic(atom, body, weight, priority, modifier):
            tail = f"[{_term(weight)}@{_term(priority)},{_term(modifier)}]"
            return f"#heuristic {_node(atom)}{_behind_colon(body)}. {tail}"
        case Edge(source, target, body):
            return f"#edge ({_term(source)},{_term(target)}){_behind_colon(body)}."
        case Script(code):
            return f"#script (python){code}#end."
        case Defined(signature):
            return f"#defined {signature}."
        case Tick(duration):
            return f"#tick {_node(duration)}."
        case TimeZone(name):
            return f"#timezone {_term(name)}."
        case Input(predicate, columns, time):
            return f"#input {predicate}({', '.join(map(_node, columns))}) at {_quote(time)}."
        case SemanticsChoice(semantics):
            return f"#semantics {semantics}."
        case Column(name, scale, conversion):
            column = f"{conversion}({_quote(name)})" if conversion else _quote(name)
            return column if scale is None else f"{column} * {scale}"
        case _:
            raise TypeError(f"no text for {type(node).__name__}")


def _size(term: nodes.Term) -> str:
    """The text of a term at the beginning of a window, where `every` is a word of its own."""
    text = _term(term)
    return f"({text})" if text.startswith("every") else text


def _body(body: Body) -> str:
    """The literals of a body; a semicolon ends a condition."""
    parts = [f"{_node(part)}{'; ' if isinstance(part, ConditionalLiteral) else ', '}" for part in body]
    return "".join(parts)[:-2]


def _behind_colon(body: Body) -> str:
    return f" : {_body(body)}" if body else ""


def _condition(condition: tuple[Literal, ...]) -> str:
    return f": {', '.join(map(_node, condition))}" if condition else ""


def _guarded(before: str, elements: tuple[Node, ...], left: Guard | None, right: Guard | None) -> str:
    text = f"{before}{{ {'; '.join(map(_node, elements))} }}"
    if left:
        text = f"{_term(left.term)} {left.comparison} {text}"
    return f"{text} {_node(right)}" if right else text


def _term(term: nodes.Term) -> str:
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
            level = nodes.OPERATOR_LEVELS[operator]
            is_right_associative = operator == "**"
            left_text = _operand(left, level + is_right_associative)
            right_text = _operand(right, level + (not is_right_associative))
            return f"{left_text}{operator}{right_text}"


def _operand(term: nodes.Term, level: int) -> str:
    own = _UNARY_LEVEL + 1
    if isinstance(term, BinaryOperation):
        own = nodes.OPERATOR_LEVELS[term.operator]
    elif isinstance(term, UnaryOperation):
        own = _UNARY_LEVEL
    return _term(term) if own >= level else f"({_term(term)})"


def _list(terms: Iterable[nodes.Term]) -> str:
    return ",".join(map(_term, terms))


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
    return f'"{escaped}"'

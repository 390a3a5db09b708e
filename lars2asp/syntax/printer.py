"""Prints the abstract syntax as program text that parses to the same syntax again."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, assert_never

from lars2asp.syntax import nodes
from lars2asp.syntax.column_places import ColumnPlace
from lars2asp.syntax.node import FIELDS
from lars2asp.syntax.rdf_terms import is_iri
from lars2asp.syntax.sheet_addresses import SheetAddress
from lars2asp.syntax.string_escapes import clingo_string, with_escapes
from lars2asp.syntax.time_units import NAMES

_UNARY_LEVEL = 8

_WORD = re.compile(r'"(?:[^"\\\n]|\\.)*+"|[A-Za-z0-9_\']+')
"""A name, a variable or a number; or a string."""

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")


_FORMS: dict[type[nodes.Node], str] = {
    nodes.Diamond: "{atom} in {window}",
    nodes.Box: "{atom} always in {window}",
    nodes.AtLeast: "{atom} at least {number} in {window}",
    nodes.AtMost: "{atom} at most {number} in {window}",
    nodes.Count: "{atom} count {number} in {window}",
    nodes.ShowTerm: "#show {term}{body}.",
    nodes.Defined: "#defined {signature}.",
    nodes.External: "#external {atom}{body}. [{value}]",
    nodes.ProjectSignature: "#project {signature}.",
    nodes.ProjectAtom: "#project {atom}{body}.",
    nodes.Edge: "#edge ({source},{target}){body}.",
    nodes.Script: "#script (python){code}#end.",
    nodes.Tick: "#tick {duration}.",
    nodes.TimeZone: "#timezone {name}.",
    nodes.Origin: "#origin {moment}.",
    nodes.Lateness: "#lateness {duration}.",
    nodes.LargestGap: "#largest_gap {duration}.",
    nodes.SemanticsChoice: "#semantics {semantics}.",
    nodes.CompleteWindows: "#complete_windows.",
}
"""The texts of nodes that say each of their fields once; a body stands behind a colon."""


def to_text(node: nodes.Node | nodes.Program) -> str:
    """The text of a node; a program gives one statement a line, without the rules of formulas in brackets."""
    if isinstance(node, nodes.Program):
        return "".join(f"{to_text(one)}\n" for one in node.statements if not nodes.is_of_formula(one))
    return _said(node)


def program_text(program: nodes.Program) -> str:
    r"""The same as files have it: with `\u{HEX}` for the characters of strings that are not printable."""
    return "".join(
        f"{to_text(one) if isinstance(one, nodes.Script) else with_escapes(to_text(one))}\n"
        for one in program.statements
        if not nodes.is_of_formula(one)
    )


def as_written(duration: nodes.Duration) -> nodes.Duration:
    """A duration with the unit that its text has, or that it takes from the other bound of its window."""
    source, begin, end = duration.location
    text = " ".join(source.text[begin:end].split())
    if duration.taken:
        return nodes.Duration(nodes.Function(text), duration.taken)
    return nodes.Duration(nodes.Function(text)) if text.endswith(_UNITS) else duration


_UNITS = tuple(NAMES)


def _said(value: Any) -> str:
    """The text of what a field holds."""
    if isinstance(value, nodes.Term):
        return _term(value)
    if isinstance(value, tuple) and not isinstance(value, nodes.Signature):
        return f" : {_body(value)}" if value else ""
    return _node(value) if isinstance(value, nodes.Node) else str(value)


def _node(node: nodes.Node) -> str:
    form = _FORMS.get(type(node))
    if form is not None:
        return form.format_map({name: _said(getattr(node, name)) for name in FIELDS[type(node)].saying})
    match node:
        case nodes.Duration(size, unit):
            return f"{_size(size)} {unit}" if unit else _size(size)
        case nodes.FormulaAtom(_, arguments):
            values = dict(zip(node.names, map(_term, arguments), strict=True))
            return _WORD.sub(lambda found: values.get(found[0], found[0]), node.text)
        case nodes.Atom(name, arguments, is_positive):
            return f"{'' if is_positive else '-'}{name}{f'({_list(arguments)})' if arguments else ''}"
        case nodes.Boolean(value):
            return "#true" if value else "#false"
        case nodes.Guard(comparison, term):
            return f"{comparison} {_term(term)}"
        case nodes.Comparison(term, guards):
            return " ".join([_term(term), *map(_node, guards)])
        case nodes.AtTick(atom, tick, window):
            return f"{_node(atom)} at {_term(tick)}" + (f" in {_node(window)}" if window else "")
        case nodes.AggregateElement(terms, condition):
            return f"{_list(terms)}{_condition(condition)}" if condition else (_list(terms) or ":")
        case nodes.ConditionalLiteral(literal, condition):
            return f"{_node(literal)}{_condition(condition)}"
        case nodes.HeadAggregateElement(terms, literal, condition):
            return f"{_list(terms)}: {_node(literal)}{_condition(condition)}"
        case nodes.Aggregate(function, elements, left, right) | nodes.HeadAggregate(
            function, elements, left, right
        ):
            return _guarded(f"{function} ", elements, left, right)
        case nodes.SetAggregate(elements, left, right):
            return _guarded("", elements, left, right)
        case nodes.Disjunction(elements):
            return "; ".join(map(_node, elements))
        case nodes.OffsetRange():
            return _term(_offset(node))
        case nodes.Literal(atom, sign):
            return f"{'not ' * sign}{_node(atom)}"
        case nodes.Pool(alternatives):
            return _said(_merged(alternatives))
        case _:
            return _window(node) if isinstance(node, nodes.Window) else _statement(node)


def _window(window: nodes.Window) -> str:
    match window:
        case nodes.SlidingWindow(duration):
            return f"[{_node(duration)}]"
        case nodes.LaggedWindow(nearest, furthest):
            return f"[{_ends(nearest, furthest)}]"
        case nodes.HoppingWindow(furthest, step, nearest, base):
            ends = _node(furthest) if nearest is None else _ends(nearest, furthest)
            return f"[{ends} step {_node(step)}{_base(base)}]"
        case nodes.TumblingWindow(duration, base):
            return f"[every {_node(duration)}{_base(base)}]"
        case nodes.OffsetWindow(offsets):
            return f"{{{_list(map(_offset, offsets))}}}"
        case nodes.TupleWindow(size, signature, group):
            chosen = f" {signature}" if signature else f" by {_list(group)}" if group else ""
            return f"[{_size(size)} #{chosen}]"
        case nodes.SinceWindow(atom, is_after):
            return f"[{'after' if is_after else 'since'} {_node(atom)}]"
        case _:
            assert_never(window)


def _offset(offset: nodes.Term | nodes.OffsetRange) -> nodes.Term:
    if isinstance(offset, nodes.OffsetRange):
        return nodes.BinaryOperation("..", offset.nearest, offset.furthest)
    return offset


def _ends(nearest: nodes.Duration, furthest: nodes.Duration) -> str:
    if nearest.unit or furthest.unit:
        return f"{_node(nearest)} .. {_node(furthest)}"
    return _size(nodes.BinaryOperation("..", nearest.size, furthest.size))


def _base(base: nodes.Duration | None) -> str:
    return "" if base is None else f" from {_node(base)}"


def _statement(node: nodes.Node) -> str:
    match node:
        case nodes.Rule(head, body, is_temporary):
            before = f"{'#temp ' if is_temporary else ''}{_node(head)}" if head else ""
            after = f"{' ' if head else ''}:- {_body(body)}" if body or not head else ""
            return f"{before}{after.rstrip()}."
        case nodes.WeakConstraint(body, weight, priority, terms):
            more = f",{_list(terms)}" if terms else ""
            return f":~ {_body(body)}. [{_weight(weight)}@{_term(priority)}{more}]"
        case nodes.Heuristic(named, body, weight, priority, modifier):
            numbers = f"{_weight(weight)}@{_term(priority)},{_term(modifier)}"
            return f"#heuristic {_node(named)}{_said(body)}. [{numbers}]"
        case nodes.Constant(name, value, is_override):
            return f"#const {name} = {_term(value)}.{' [override]' if is_override else ''}"
        case nodes.Show(signature):
            return f"#show {signature}." if signature else "#show."
        case nodes.Input(predicate, columns, _, _, form, each, records, pattern, rdf_property, others):
            said = ", ".join(_column(one, each) for one in columns)
            more = _spread(node.spread) + (f" records each {clingo_string(records)}" if records else "")
            lines = (
                f" from {clingo_string(pattern)}"
                if pattern
                else f" from {rdf_property}"
                if rdf_property
                else ""
            )
            all_times = (nodes.InputTime(node.times, form), *others)
            times = " or ".join(_times(*one, each) for one in all_times)
            more += _where(node.conditions, each)
            return f"#input {predicate}({said}){lines} at {times}{more}."
        case nodes.Decimals(predicate, places):
            said = ",".join("_" if place is None else str(place) for place in places)
            return f"#decimals {predicate}({said})."
        case nodes.Types(predicate, types):
            said = ",".join("_" if one is None else str(one) for one in types)
            return f"#types {predicate}({said})."
        case nodes.Held(predicate, arguments, group, duration):
            atom = _node(nodes.Atom(predicate.name, arguments, predicate.is_positive))
            key = f" by {_list(group)}" if group else ""
            return f"#held {atom}{key}{f' for {_node(duration)}' if duration else ''}."
        case nodes.Calendar(predicate, arguments, file):
            atom = _node(nodes.Atom(predicate.name, arguments, predicate.is_positive))
            return f"#calendar {atom}{'' if file is None else f' from {clingo_string(file)}'}."
        case nodes.Table(predicate, columns, path, sheet, _, spread):
            said = ", ".join(map(_column, columns))
            file = clingo_string(str(SheetAddress(path, sheet)))
            return f"#table {predicate}({said}) from {file}{_spread(spread)}{_where(node.conditions)}."
        case nodes.Column():
            return _column(node)
        case nodes.Condition():
            return _compared(node)
        case _:
            raise TypeError(f"no text for {type(node).__name__}")


def _where(conditions: Sequence[nodes.Condition], each: Collection[str] = ()) -> str:
    """What stands behind a declaration with conditions."""
    return f" where {', '.join(_compared(one, each) for one in conditions)}" if conditions else ""


def _compared(node: nodes.Condition, each: Collection[str] = ()) -> str:
    value = node.value if node.is_number else clingo_string(node.value)
    return f"{_column(node.column, each)} {node.comparison} {value}"


def _column(node: nodes.Column, each: Collection[str] = ()) -> str:
    """A column of a declaration that has a fact for each element of some."""
    if node.is_fixed:
        return f"fixed({node.name})"
    if node.is_of_record:
        return f"{node.name}()"
    marks = (f"{word} {clingo_string(mark)}" for word, mark in node.marks._asdict().items() if mark)
    inner = ", ".join((_times(node.names, node.time_format, each), *map(clingo_string, node.signs), *marks))
    column = f"{node.conversion}({inner})" if node.conversion else inner
    column = f"{column} rounded" if node.is_rounded else column
    column = column if node.scale is None else f"{column} * {node.scale}"
    column = f"{column} or missing" if node.or_missing else column
    if node.otherwise is None:
        return column
    is_number = _NUMBER.fullmatch(node.otherwise) and not node.signs
    return f"{column} or {node.otherwise if is_number else clingo_string(node.otherwise)}"


def _spread(spread: nodes.Spread | None) -> str:
    """What a declaration says of columns, or keys, that give a fact each."""
    if spread is None:
        return ""
    key, value, source, is_of_columns = spread
    return f" each {key}, {value} of {'columns ' if is_of_columns else ''}{clingo_string(source)}"


def _times(names: Sequence[str], form: str, each: Collection[str]) -> str:
    """Columns that are joined, and the format of what they say."""
    said = (f"each {clingo_string(name)}" if name in each else _column_name(name) for name in names)
    return " + ".join(said) + (f" {clingo_string(form)}" if form else "")


def _column_name(name: str) -> str:
    return name if isinstance(name, ColumnPlace) or is_iri(name) else clingo_string(name)


def _merged(alternatives: Sequence[Any]) -> Any:
    """The node that is written for alternatives of a pool: pools of terms stand where they differ."""
    first = alternatives[0]
    if all(one == first for one in alternatives):
        return first
    if isinstance(first, nodes.Term):
        return nodes.Function(f"({';'.join(dict.fromkeys(map(_term, alternatives)))})")
    if isinstance(first, nodes.Atom):
        pool = ";".join(dict.fromkeys(_list(one.arguments) for one in alternatives))
        return nodes.Atom(f"{first.name}({pool})", (), first.is_positive)
    changes: dict[str, Any] = {}
    for name in FIELDS[type(first)].inner:
        values = [getattr(one, name) for one in alternatives]
        is_tuple = isinstance(values[0], tuple)
        changes[name] = tuple(map(_merged, zip(*values, strict=True))) if is_tuple else _merged(values)
    return replace(first, **changes)


def _size(term: nodes.Term) -> str:
    """The text of a term at the beginning of a window, where `every`, `since` and `after` are words."""
    text = _term(term)
    return f"({text})" if text.startswith(("every", "since", "after")) else text


def _body(body: nodes.Body) -> str:
    """The literals of a body; a semicolon ends a condition."""
    parts = [f"{_node(part)}{'; ' if isinstance(part, nodes.ConditionalLiteral) else ', '}" for part in body]
    return "".join(parts)[:-2]


def _weight(term: nodes.Term) -> str:
    """A term before `@`, which close behind a string begins its language."""
    text = _term(term)
    return f"{text} " if text.endswith('"') else text


def _condition(condition: tuple[nodes.Literal, ...]) -> str:
    return f": {', '.join(map(_node, condition))}" if condition else ""


def _guarded(
    before: str, elements: tuple[nodes.Node, ...], left: nodes.Guard | None, right: nodes.Guard | None
) -> str:
    text = f"{before}{{ {'; '.join(map(_node, elements))} }}"
    if left:
        text = f"{_term(left.term)} {left.comparison} {text}"
    return f"{text} {_node(right)}" if right else text


def _term(term: nodes.Term) -> str:
    match term:
        case nodes.Number(value):
            return str(value)
        case nodes.DurationTerm(number, unit):
            return f"{_term(number)} {unit}"
        case nodes.Decimal(text):
            return text
        case nodes.String(value):
            return clingo_string(value)
        case nodes.Extremum(name) | nodes.Variable(name):
            return name
        case nodes.Function(name, arguments, is_external):
            return f"{'@' if is_external else ''}{name}{f'({_list(arguments)})' if arguments else ''}"
        case nodes.Tuple(arguments):
            return f"({_term(arguments[0])},)" if len(arguments) == 1 else f"({_list(arguments)})"
        case nodes.Absolute(argument):
            return f"|{_term(argument)}|"
        case nodes.UnaryOperation(operator, argument):
            return f"{operator}{_operand(argument, _UNARY_LEVEL + 1)}"
        case nodes.BinaryOperation(operator, left, right):
            level = nodes.OPERATOR_LEVELS[operator]
            is_right_associative = operator == "**"
            left_text = _operand(left, level + is_right_associative)
            right_text = _operand(right, level + (not is_right_associative))
            return f"{left_text}{operator}{right_text}"


def _operand(term: nodes.Term, level: int) -> str:
    own = _UNARY_LEVEL + 1
    if isinstance(term, nodes.BinaryOperation):
        own = nodes.OPERATOR_LEVELS[term.operator]
    elif isinstance(term, nodes.UnaryOperation):
        own = _UNARY_LEVEL
    return _term(term) if own >= level else f"({_term(term)})"


def _list(terms: Iterable[nodes.Term]) -> str:
    return ",".join(map(_term, terms))

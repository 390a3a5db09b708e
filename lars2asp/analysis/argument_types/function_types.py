"""What `@`-functions take and give, as they are annotated.

def f(x: int) -> str        makes X = @f(Y) a text, and Y a number
"""

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from lars2asp.analysis.argument_types.kinds import (
    DURATION,
    NAME,
    NUMBER,
    OPEN,
    TERM,
    TEXT,
    TIME,
    Evidence,
    Kinds,
    Known,
)
from lars2asp.syntax import nodes
from lars2asp.syntax.source import Location
from lars2asp.syntax.traversal import every

_TAKEN: Mapping[str, Kinds] = {
    **{"int": NUMBER, "float": NUMBER, "Decimal": NUMBER, "bool": NUMBER | NAME | TEXT, "str": TEXT | NAME},
    **{"datetime": TIME | NUMBER, "timedelta": DURATION, "tuple": TERM, "list": TERM},
}
_GIVEN: Mapping[str, Kinds] = {**_TAKEN, "bool": NAME, "str": TEXT, "datetime": TIME}
_SEVERAL = ("list", "tuple", "List", "Tuple")


class FunctionType(NamedTuple):
    """The type of a function.

    Attributes:
        takes: the kinds of its arguments; those of the last one are for more, where there may be more.
        gives: the kinds of each of its results.
        location: where it is defined.
    """

    takes: Sequence[Kinds]
    gives: Kinds
    location: Location

    def known(self, kinds: Kinds) -> Known:
        """What is known of a value that it takes or gives."""
        evidence = Evidence(self.location, "as the function is annotated")
        return Known(kinds, {kind: evidence for kind in _EACH if kind & kinds})


_EACH = (NUMBER, TEXT, NAME, TERM, TIME, DURATION)

FunctionTypes = Mapping[str, FunctionType]
"""The types of functions that have some, by their names."""


def given_types(functions: Collection[str]) -> Mapping[str, FunctionType | None]:
    """The types of functions that are given: those of a mapping; None for names alone."""
    return functions if isinstance(functions, Mapping) else dict.fromkeys(functions)


def script_functions(program: nodes.Program) -> FunctionTypes:
    """The types of the functions that the scripts of a program define; no script is run."""
    found: dict[str, FunctionType] = {}
    for script in program.every(nodes.Script):
        try:
            tree = ast.parse(script.code)
        except (SyntaxError, ValueError, MemoryError, RecursionError):  # which is reported elsewhere
            continue
        lines = script.code.splitlines(keepends=True)
        for statement in tree.body:
            for name in _defined(statement):
                found.pop(name, None)
            if isinstance(statement, ast.FunctionDef) and all(map(_is_pure, statement.decorator_list)):
                begin = script.location.begin + sum(map(len, lines[: statement.lineno - 1]))
                text = lines[statement.lineno - 1].rstrip()
                location = Location(script.location.source, begin, begin + len(text))
                found[statement.name] = _type_of(statement, location)
    return found


def annotated(parameters: Sequence[str], result: str, location: Location) -> FunctionType:
    """The type of a function with such annotations, as Python writes them; empty for none."""
    return FunctionType(
        [_kinds(_parsed(one), _TAKEN) for one in parameters], _given(_parsed(result)), location
    )


def call_arguments(term: nodes.Term, functions: FunctionTypes) -> Iterator[tuple[nodes.Term, Known]]:
    """The arguments of calls within a term of which kinds are known."""
    for call in every(nodes.Function, term):
        known = functions.get(call.name) if call.is_external else None
        if known is not None:
            for place, argument in enumerate(call.arguments):
                kinds = known.takes[min(place, len(known.takes) - 1)] if known.takes else OPEN
                if not kinds & OPEN:
                    yield argument, known.known(kinds)


def _defined(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement defines, or may define."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.alias):
            yield node.asname or node.name


def _is_pure(decorator: ast.expr) -> bool:
    return getattr(decorator, "attr", None) == "pure" or getattr(decorator, "id", None) == "pure"


def _type_of(function: ast.FunctionDef, location: Location) -> FunctionType:
    arguments = function.args
    more = [arguments.vararg] if arguments.vararg else []
    parameters = [*arguments.posonlyargs, *arguments.args, *more]
    takes = [_kinds(one.annotation, _TAKEN) for one in parameters]
    return FunctionType(takes, _given(function.returns), location)


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body if text else None
    except (SyntaxError, ValueError):
        return None


def _given(annotation: ast.expr | None) -> Kinds:
    """The kinds of each result; lists and tuples give several."""
    return _kinds(annotation, _GIVEN, are_several=True)


def _kinds(annotation: ast.expr | None, known: Mapping[str, Kinds], *, are_several: bool = False) -> Kinds:
    """The kinds of the values that an annotation names, none for None; OPEN where that is not known."""
    match annotation:
        case ast.Constant(value=None):
            return 0
        case ast.Constant(value=str(text)):
            return _kinds(_parsed(text), known, are_several=are_several)
        case ast.BinOp(left, ast.BitOr(), right):
            return _union([_kinds(one, known, are_several=are_several) for one in (left, right)])
        case ast.Subscript(value, inside):
            name, parts = _name(value), getattr(inside, "elts", [inside])
            if name in ("Optional", "Union"):
                return _union([_kinds(one, known, are_several=are_several) for one in parts])
            if name in _SEVERAL and are_several:
                return _union([_kinds(one, known) for one in parts if getattr(one, "value", None) is not ...])
            return TERM if name in _SEVERAL else OPEN
        case _:
            name = _name(annotation) or ""
            return OPEN if are_several and name in _SEVERAL else known.get(name, OPEN)


def _name(annotation: ast.expr | None) -> str | None:
    """The last part of a name such as `datetime.datetime`."""
    match annotation:
        case ast.Name(name) | ast.Attribute(_, name):
            return name
        case _:
            return None


def _union(kinds: Sequence[Kinds]) -> Kinds:
    """All of several kinds; OPEN where one is so, or there are none."""
    found = 0
    for one in kinds:
        found |= one
    return OPEN if found & OPEN or not found else found

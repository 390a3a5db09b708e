"""What functions of Python are annotated to take and give."""

import inspect
import linecache
from collections.abc import Callable
from types import CodeType
from typing import Any

from lars2asp.analysis.argument_types.function_types import FunctionType, annotated
from lars2asp.syntax.source import NOWHERE, Location, Source

_EMPTY = inspect.Signature.empty


def function_type(function: Any) -> FunctionType | None:
    """What a function of Python is annotated to take and give; None where it is not."""
    if not (inspect.isfunction(function) or inspect.ismethod(function)) or not function.__annotations__:
        return None
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    kinds = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
    parameters = [_text(one.annotation) for one in signature.parameters.values() if one.kind not in kinds]
    return annotated(parameters, _text(signature.return_annotation), _location(inspect.unwrap(function)))


def _text(annotation: Any) -> str:
    return "" if annotation is _EMPTY else inspect.formatannotation(annotation)


def _location(function: Callable[..., Any]) -> Location:
    """The first line of a function in its file; nowhere where that is not there."""
    code: CodeType | None = getattr(function, "__code__", None)
    lines = [] if code is None else linecache.getlines(code.co_filename)
    if code is None or code.co_firstlineno > len(lines):
        return NOWHERE
    place = code.co_firstlineno - 1
    while place + 1 < len(lines) and not lines[place].lstrip().startswith("def "):
        place += 1
    begin, line = sum(map(len, lines[:place])), lines[place].rstrip()
    indent = len(line) - len(line.lstrip())
    return Location(Source(code.co_filename, "".join(lines)), begin + indent, begin + len(line))

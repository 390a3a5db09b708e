"""The user's `@`-functions: from scripts in the program, a module, or a context object."""

import ast
import importlib.util
import inspect
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

from lars2asp.analysis.argument_types.function_types import FunctionType
from lars2asp.analysis.argument_types.kinds import OPEN
from lars2asp.analysis.call_decimals import call_decimals
from lars2asp.analysis.called_functions import HINT
from lars2asp.planning.plan import Plan
from lars2asp.runtime.errors import EvaluationError, FunctionError, Terminated
from lars2asp.runtime.reasoning.annotated_functions import function_type
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax import codes
from lars2asp.syntax.diagnostics import LONGEST_MESSAGE, Diagnostic, Lars2aspError, ProgramError
from lars2asp.syntax.source import Location, Source, shown

if TYPE_CHECKING:
    from clingo import Symbol

    from lars2asp.runtime.reasoning.function_values import FunctionValues


def load_module(path: str | Path) -> ModuleType:
    """The module in a file. Raises Lars2aspError if it cannot be run."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    if spec is None or spec.loader is None:
        raise Lars2aspError(f"{path}: this is not a Python file")
    try:
        Path(path).open("rb").close()  # else errors of the module with other files look the same
    except OSError as error:
        raise Lars2aspError(f"{path}: cannot read this file: {error.strerror}") from error
    try:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except _NOT_OF_THE_CODE:
        raise
    except BaseException as error:
        line = _line_in(error, str(path))
        place = str(path) if line is None else f"{path}:{line}"
        raise Lars2aspError(f"{place}: {_reason(error)}") from error
    return module


def merged(contexts: Iterable[object]) -> object:
    """A context object with the functions of several; earlier objects override later objects."""
    functions: dict[str, Any] = {}
    for context in contexts:
        for name in public_names(context):
            functions.setdefault(name, getattr(context, name))
    return SimpleNamespace(**functions)


def public_names(context: object) -> frozenset[str]:
    """The names of the functions that a context object (a module, an instance) offers.

    Raises Lars2aspError if they cannot be listed.
    """
    try:
        names = [name for name in dir(context) if isinstance(name, str)]
    except _NOT_OF_THE_CODE:
        raise
    except BaseException as error:
        raise Lars2aspError(
            f"cannot list the functions of the context {type(context).__name__}: {_reason(error)}"
        ) from error
    return frozenset(name for name in names if not name.startswith("__") and callable(_static(context, name)))


def given_functions(context: object, *, trusted: bool = True) -> dict[str, FunctionType | None]:
    """The `@`-functions that a context offers a program, by name; None if they are not annotated.

    A program that is not trusted is not offered those whose names begin with `_`.
    """
    names = sorted(name for name in public_names(context) if trusted or not name.startswith("_"))
    return {name: function_type(_attribute(context, name)) for name in names}


_NOT_OF_THE_CODE = (KeyboardInterrupt, Terminated)
"""Raised from outside while the user's code runs; they end the run."""


def _reason(error: BaseException) -> str:
    """The kind of an error and its message, on one line; the message may itself fail."""
    try:
        message = shown(str(error), LONGEST_MESSAGE)
    except Exception:
        message = "(its message cannot be shown)"
    return f"{type(error).__name__}: {message}"


def _written(value: object) -> str:
    """A value of the user's as Python writes it; that may fail."""
    try:
        return shown(repr(value), LONGEST_MESSAGE)
    except Exception:
        return f"a {type(value).__name__} (it cannot be shown)"


def _line_in(error: BaseException, file: str) -> int | None:
    """The line of a file that raised an error; None if in none."""
    from traceback import walk_tb  # noqa: PLC0415

    stack = walk_tb(error.__traceback__)
    lines = [
        number for frame, number in stack if frame.f_code.co_filename in (file, str(Path(file).absolute()))
    ]
    return lines[-1] if lines else None


def _attribute(context: object | None, name: str) -> Any:
    """The attribute of a context object; None if there is none, or reading it fails."""
    try:
        return getattr(context, name, None)
    except _NOT_OF_THE_CODE:
        raise
    except BaseException:
        return None


def _static(context: object, name: str) -> object:
    """An attribute, read without running a property; bound and static methods as functions."""
    found = inspect.getattr_static(context, name, None)
    return found.__func__ if isinstance(found, staticmethod | classmethod) else found


F = TypeVar("F", bound=Callable[..., Any])


def pure(function: F) -> F:
    """Declares that a function is pure: equal arguments give equal results, without side effects.

    The evaluators `delta` and `flow` call a pure function themselves, once for as long as they need
    the result.
    Use it for methods of `functions=`, for modules and for scripts.

    >>> from types import SimpleNamespace
    >>> from lars2asp import Reasoner, pure
    >>> @pure
    ... def distance(x: int, y: int):
    ...     return abs(x - y)
    >>> program = "far(X,Y) :- at(X,Y), @distance(X,Y) > 5."
    >>> reasoner = Reasoner.from_text(program, functions=SimpleNamespace(distance=distance))
    >>> reasoner.step(0, ["at(1,9)"]).holds.texts
    ('far(1,9)',)

    Args:
        function: The function.

    Raises:
        TypeError: For a value that is not a function.
    """
    if not callable(function):
        raise TypeError(f"pure declares a function, not {function!r}: write @pure above its def")
    function.is_pure = True  # type: ignore[attr-defined]
    return function


def pure_names(functions: Mapping[str, Callable[..., Any]]) -> frozenset[str]:
    """The names of those functions, as user_functions gives them, that are declared pure."""
    return frozenset(name for name, function in functions.items() if _is_pure(function))


def pure_by_text(plan: Plan, context: object | None) -> frozenset[str]:
    """The same for the functions that a plan calls, without running its scripts: they say `@pure`."""
    found = set()
    for script in plan.scripts:
        with suppress(SyntaxError):
            for node in ast.walk(ast.parse(script.code)):
                if isinstance(node, ast.FunctionDef):
                    found |= {node.name for one in node.decorator_list if _named_pure(one)}
    own = {name: function for name in plan.called if callable(function := _attribute(context, name))}
    return pure_names(own) | (found & plan.called.keys() - own.keys())


def _named_pure(decorator: ast.expr) -> bool:
    name = decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", None)
    return name == pure.__name__


def _is_pure(function: Callable[..., Any]) -> bool:
    return _attribute(function, "is_pure") is True


def user_functions(plan: Plan, context: object | None) -> dict[str, Callable[..., Any]]:
    """The functions that a plan calls, by name. The context object overrides scripts.

    They take and return clingo's symbols; see FunctionValues for the user's functions. The scripts are run,
    once and in the order of the text, in one namespace.

    Raises:
        ProgramError: For functions that are not there.
        EvaluationError: If a script fails.
    """
    if not plan.called:
        _run_scripts(plan)
        return {}
    from lars2asp.runtime.reasoning.function_values import FunctionValues  # noqa: PLC0415 - few need it

    namespace, calls, timeline = _run_scripts(plan), call_decimals(plan.program), Timeline.of(plan)
    found: dict[str, Callable[..., Any]] = {}
    missing = []
    for name, location in plan.called.items():
        function = _attribute(context, name)
        function = namespace.get(name) if function is None else function
        if callable(function):
            if _has_plain_values(location.source):
                from lars2asp.runtime.reasoning.plain_values import over_plain_values  # noqa: PLC0415

                function = over_plain_values(function)
            values = FunctionValues.of(function, calls[name], timeline)
            found[name] = _guarded(name, location, function, values)
        else:
            missing.append(
                Diagnostic(location, f"there is no function @{name}", hint=HINT, code=codes.UNKNOWN_FUNCTION)
            )
    if missing:
        raise ProgramError(missing)
    return found


def _has_plain_values(source: Source) -> bool:
    """Whether functions that a source calls have Python's values without saying so."""
    if not source.dialect:
        return False
    from lars2asp.syntax.dialects.registry import dialect_of  # noqa: PLC0415 - most programs are ours

    return dialect_of(source).has_python_values


def _run_scripts(plan: Plan) -> Mapping[str, Any]:
    namespace: dict[str, Any] = {"__name__": "__lars2asp__"}
    for script in plan.scripts:
        source = script.location.source
        lines_before = "\n" * (script.location.line - 1)
        try:
            exec(compile(lines_before + script.code, source.name, "exec"), namespace)
        except _NOT_OF_THE_CODE:
            raise
        except BaseException as error:
            line = _line_in(error, source.name)
            where = f" (line {line})" if line is not None else ""
            reason = f"the script failed: {_reason(error)}{where}"
            raise EvaluationError(f"{script.location}: error: {reason}") from error
    return namespace


def _guarded(
    name: str, location: Location, function: Callable[..., Any], values: "FunctionValues"
) -> Callable[..., Any]:
    """The function over symbols; its errors name the place in the program."""
    from clingo import Symbol  # noqa: PLC0415 - programs without functions start sooner

    from lars2asp.runtime.reasoning.function_values import UnfitValueError  # noqa: PLC0415

    def failed(arguments: Iterable["Symbol"], reason: str) -> FunctionError:
        return FunctionError(f"{location}: error: @{name}({','.join(map(str, arguments))}) {reason}")

    def call(*arguments: "Symbol") -> Any:
        try:
            given = values.arguments(arguments)
        except UnfitValueError as error:
            raise failed(arguments, f"cannot be called: {error}") from error
        try:
            result = function(*given)
            if isinstance(result, Symbol) and values.gives & OPEN:
                return result
            several = [*result] if isinstance(result, list | tuple) else [result]
        except _NOT_OF_THE_CODE:
            raise
        except BaseException as error:
            raise failed(arguments, f"failed: {_reason(error)}") from error
        found: list[Symbol] = []
        for one in several:
            try:
                found += values.symbols([one])
            except UnfitValueError as error:
                raise failed(arguments, f"gave {_written(one)}, which {error}") from error
        return found

    return pure(call) if _is_pure(function) else call

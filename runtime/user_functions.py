"""The user's `@`-functions: from scripts in the program, a module, or a context object."""

import importlib.util
import inspect
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from clingo import Symbol

from lars2asp.diagnostics import Diagnostic, Lars2aspError, ProgramError
from lars2asp.functions import HINT
from lars2asp.plan import Plan
from lars2asp.source import Location
from runtime.errors import EvaluationError


def load_module(path: str | Path) -> ModuleType:
    """The module in a file. Raises Lars2aspError where it cannot be run."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    if spec is None or spec.loader is None:
        raise Lars2aspError(f"{path}: is no Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except OSError as error:
        raise Lars2aspError(f"{path}: cannot be read: {error.strerror}") from error
    except (Exception, SystemExit) as error:
        raise Lars2aspError(f"{path}: {type(error).__name__}: {error}") from error
    return module


def merged(contexts: Iterable[object]) -> object:
    """One context object with the functions of several; earlier ones go before later ones."""
    functions: dict[str, Any] = {}
    for context in contexts:
        for name in public_names(context):
            functions.setdefault(name, getattr(context, name))
    return SimpleNamespace(**functions)


def public_names(context: object) -> frozenset[str]:
    """The names of the functions that a context object (a module, an instance) offers."""
    return frozenset(
        name for name in dir(context) if not name.startswith("__") and callable(_static(context, name))
    )


def _static(context: object, name: str) -> object:
    """An attribute as it stands, without running a property; bound methods and static ones as functions."""
    found = inspect.getattr_static(context, name, None)
    return found.__func__ if isinstance(found, staticmethod | classmethod) else found


def user_functions(plan: Plan, context: object | None) -> dict[str, Callable[..., Any]]:
    """The functions that a plan calls, by name: those of the context object go before those of scripts.

    The scripts are run, once and in the order of the text, in one namespace.

    Raises:
        ProgramError: for functions that are not there.
        EvaluationError: if a script fails.
    """
    namespace = _run_scripts(plan)
    found: dict[str, Callable[..., Any]] = {}
    missing = []
    for name, location in plan.called.items():
        function = getattr(context, name, None) if context is not None else None
        function = namespace.get(name) if function is None else function
        if callable(function):
            found[name] = _guarded(name, location, function)
        else:
            missing.append(Diagnostic(location, f"@{name} is not known", hint=HINT))
    if missing:
        raise ProgramError(missing)
    return found


def _run_scripts(plan: Plan) -> Mapping[str, Any]:
    namespace: dict[str, Any] = {"__name__": "__lars2asp__"}
    for script in plan.scripts:
        source = script.location.source
        lines_before = "\n" * (script.location.line - 1)
        try:
            exec(compile(lines_before + script.code, source.name, "exec"), namespace)
        except (Exception, SystemExit) as error:
            reason = f"the script failed: {type(error).__name__}: {error}"
            raise EvaluationError(f"{script.location}: error: {reason}") from error
    return namespace


def _guarded(name: str, location: Location, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, its errors told about the program."""

    def call(*arguments: Symbol) -> Any:
        try:
            result = function(*arguments)
        except (Exception, SystemExit) as error:
            reason = f"@{name}({','.join(map(str, arguments))}) failed: {type(error).__name__}: {error}"
            raise EvaluationError(f"{location}: error: {reason}") from error
        symbols = result if isinstance(result, list | tuple) else [result]
        for symbol in symbols:
            if not isinstance(symbol, Symbol):
                shown = ",".join(map(str, arguments))
                raise EvaluationError(
                    f"{location}: error: @{name}({shown}) gave {symbol!r}, which is no clingo symbol"
                )
        return result

    return call

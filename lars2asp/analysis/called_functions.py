"""The user's `@`-functions: which a program calls, which its scripts define."""

import ast
import warnings
from collections.abc import Collection, Iterator

from lars2asp.syntax import codes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import NOW, Function, Program, Script
from lars2asp.syntax.source import Location
from lars2asp.syntax.traversal import every

HINT = "define it in #script (python) ... #end., in a module for --functions, or in the context object"
_UNTRUSTED_HINT = "in Python, an untrusted program can call only the methods of a context object"


def called_functions(program: Program) -> dict[str, Location]:
    """The names of the `@`-functions other than `@now` that a program calls, and where it does first."""
    called: dict[str, Location] = {}
    for part in every(Function, *program.but_plain_facts):
        if part.is_external and part != NOW:
            called.setdefault(part.name, part.location)
    return called


def check_functions(
    program: Program, given: Collection[str], diagnostics: Diagnostics, *, trusted: bool = True
) -> None:
    """Reports `@`-functions that neither the program's scripts nor the given names define."""
    defined = [_defined_names(script, diagnostics) for script in program.every(Script)]
    if None in defined:  # what a script makes is seen only when it runs
        return
    known = {name for names in defined if names for name in names}.union(given)
    for name, location in called_functions(program).items():
        if name not in known:
            diagnostics.error(
                location,
                f"there is no function @{name}",
                HINT if trusted else _UNTRUSTED_HINT,
                code=codes.UNKNOWN_FUNCTION,
            )


def _defined_names(script: Script, diagnostics: Diagnostics) -> set[str] | None:
    """The names that the top level of a script defines; None where that shows only when it runs."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python says them again when the script runs
            tree = ast.parse(script.code)
            compile(tree, script.location.source.name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        lines = script.code.splitlines(keepends=True)
        line = min(getattr(error, "lineno", None) or 1, max(1, len(lines)))
        begin = script.location.begin + sum(map(len, lines[: line - 1]))
        text = lines[line - 1].rstrip() if lines else ""
        place = Location(script.location.source, begin, begin + max(1, len(text)))
        is_too_deep = isinstance(error, MemoryError | RecursionError)
        reason = "it is nested too deeply" if is_too_deep else getattr(error, "msg", error)
        diagnostics.error(place, f"this script is not valid Python: {reason}", code=codes.SCRIPT_ERROR)
        return None
    names: set[str] = set()
    for name in _names_in(tree):
        if name == "*":
            return None
        names.add(name)
    if "main" in names:
        diagnostics.warning(
            script.location,
            "lars2asp does not call main",
            "remove it: lars2asp evaluates the program tick by tick",
            code=codes.MAIN_NOT_CALLED,
        )
    return names


def _names_in(tree: ast.Module) -> Iterator[str]:
    for statement in tree.body:
        match statement:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Import(names=imported) | ast.ImportFrom(names=imported):
                yield from (alias.asname or alias.name for alias in imported)
            case ast.Assign(targets=targets):
                nodes = (node for target in targets for node in ast.walk(target))
                yield from (node.id for node in nodes if isinstance(node, ast.Name))
            case ast.Expr() | ast.AsyncFunctionDef():
                continue
            case _:  # conditions, loops: anything may be defined in them
                yield "*"

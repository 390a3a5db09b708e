"""Whether what scripts import is there, found out without running them.

Finders are asked for each module, and no module is run but those of clingo and lars2asp themselves. Imports
within functions, conditions and `try` may be meant to fail; what stands behind a call at the top level may
depend on it, as on `sys.path.append`.
"""

import ast
import sys
from collections.abc import Iterator
from difflib import get_close_matches
from importlib import import_module

from lars2asp.syntax import codes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Program, Script
from lars2asp.syntax.source import Location

_OWN = ("clingo", "lars2asp")
"""Packages that any run imports."""


def check_imports(program: Program, diagnostics: Diagnostics) -> None:
    """Reports imports of the program's scripts that will fail."""
    for script in program.every(Script):
        try:
            tree = ast.parse(script.code)
        except (SyntaxError, ValueError, MemoryError, RecursionError):  # the compiler has said so
            continue
        for statement in tree.body:
            if not _only_defines(statement):
                return
            for message, hint in _problems(statement):
                diagnostics.error(_place(script, statement), message, hint, code=codes.MISSING_IMPORT)


def _only_defines(statement: ast.stmt) -> bool:
    """Whether a statement imports or defines, and calls nothing."""
    if isinstance(
        statement, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    ):
        return True
    is_plain = isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr | ast.Try)
    return is_plain and not any(isinstance(node, ast.Call) for node in ast.walk(statement))


def _problems(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    match statement:
        case ast.Import(names):
            for alias in names:
                yield from _module_problems(alias.name)
        case ast.ImportFrom(level=level) if level:
            yield "a script is in no package: it cannot import from `.`", "name the module in full"
        case ast.ImportFrom(module=str() as module, names=names):
            problems = list(_module_problems(module))
            yield from problems
            for alias in names if not problems else ():
                yield from _name_problems(module, alias.name)


def _module_problems(name: str) -> Iterator[tuple[str, str]]:
    if not _is_found(name):
        yield f"the script imports {name}, which is not there", "is the name right, and is it installed?"


def _name_problems(module: str, name: str) -> Iterator[tuple[str, str]]:
    """What is wrong with a name that is imported from a module, where that is known."""
    if module.partition(".")[0] in _OWN:
        try:
            import_module(module)
        except Exception:  # what is wrong with it shows when the script runs
            return
    loaded = sys.modules.get(module)
    if loaded is None or name == "*" or hasattr(loaded, name) or _is_found(f"{module}.{name}"):
        return
    near = get_close_matches(name, dir(loaded), 1)
    yield f"the script imports {name} from {module}, which has none", f"is {near[0]} meant?" if near else ""


def _is_found(name: str) -> bool:
    """Whether a finder knows a module; packages around it are not run."""
    path: list[str] | None = None
    parts = name.split(".")
    for number in range(1, len(parts) + 1):
        full = ".".join(parts[:number])
        loaded = sys.modules.get(full)
        if loaded is not None:
            path = getattr(loaded, "__path__", None)
        elif number > 1 and path is None:
            return False
        else:
            try:
                specs = (finder.find_spec(full, path) for finder in sys.meta_path)
                spec = next((one for one in specs if one is not None), None)
            except Exception:  # a finder that fails knows nothing
                return True
            if spec is None:
                return False
            found = spec.submodule_search_locations
            path = None if found is None else list(found)
    return True


def _place(script: Script, statement: ast.stmt) -> Location:
    lines = script.code.splitlines(keepends=True)

    def offset(line: int, column: int) -> int:
        before = len(lines[line - 1].encode()[:column].decode())
        return script.location.begin + sum(map(len, lines[: line - 1])) + before

    end_line, end_column = statement.end_lineno or statement.lineno, statement.end_col_offset or 0
    begin = offset(statement.lineno, statement.col_offset)
    return Location(script.location.source, begin, offset(end_line, end_column))

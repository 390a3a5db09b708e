"""How many lines a user writes for a job: of text without comments, and of Python with all that it needs."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def lines_of_text(text: str) -> int:
    """The lines that are not empty and not comments of `%`."""
    return sum(bool(line.strip()) and not line.strip().startswith("%") for line in text.splitlines())


def lines_of_entry(path: Path, table: str, name: str, root: Path = ROOT, declared: Sequence[str] = ()) -> int:
    """The lines of an entry of a dictionary of a module, and of the definitions that it needs.

    Imports, docstrings, comments and empty lines do not count. What is imported from a module of the same
    folder counts. To an entry that is a text belongs what is declared for it: a text for all of them, and of
    a dictionary of texts the one under the key of the entry, and those whose keys are named in what counts.

    Args:
        path: the module.
        table: the name of the dictionary.
        name: the key of the entry.
        root: the folder from which modules are imported.
        declared: the names of these texts and dictionaries.
    """
    definitions = _definitions(path, root)
    [assigned] = [one for one in definitions[table][1].body if isinstance(one, ast.AnnAssign)]
    assert assigned.value is not None
    entry = _entries(assigned.value)[name]
    if isinstance(entry, ast.Constant):
        values = [one.value for way in declared for one in _assigned(definitions[way][1])]
        return _lines_with_declared(name, str(entry.value), values)
    counted: dict[str, int] = {}
    waiting = [*_names(entry)]
    while waiting:
        used = waiting.pop()
        if used in definitions and used not in counted and used != table:
            source, module = definitions[used]
            counted[used] = _size(source, module)
            waiting += _names(module)
    return sum(counted.values())


def _assigned(module: ast.Module) -> Iterator[ast.Assign | ast.AnnAssign]:
    return (one for one in module.body if isinstance(one, ast.Assign | ast.AnnAssign))


def _entries(value: ast.expr) -> Mapping[str, ast.expr]:
    assert isinstance(value, ast.Dict)
    return {
        str(key.value): entry
        for key, entry in zip(value.keys, value.values, strict=True)
        if isinstance(key, ast.Constant)
    }


def _lines_with_declared(name: str, text: str, declared: Sequence[ast.expr | None]) -> int:
    """The lines of a text, and of what is declared for it."""
    always = [_text(one) for one in declared if isinstance(one, ast.Constant | ast.JoinedStr)]
    named = {
        key: _text(entry)
        for one in declared
        if isinstance(one, ast.Dict)
        for key, entry in _entries(one).items()
    }
    counted, waiting = [text, *always], [text]
    if name in named:
        counted.append(named.pop(name))
    while waiting:
        words = {*re.findall(r"\w+", waiting.pop())}
        found = [named.pop(key) for key in [*named] if key in words]
        counted += found
        waiting += found
    return sum(map(lines_of_text, counted))


def _text(value: ast.expr) -> str:
    """A text; what is put into it is as good as a word."""
    if isinstance(value, ast.JoinedStr):
        return "".join(str(one.value) if isinstance(one, ast.Constant) else "_" for one in value.values)
    assert isinstance(value, ast.Constant)
    return str(value.value)


def _definitions(path: Path, root: Path) -> Mapping[str, tuple[Path, ast.Module]]:
    """By names: where each stands that the module defines or imports from beside it, and its text."""
    found: dict[str, tuple[Path, ast.Module]] = {}
    for one in ast.parse(path.read_text()).body:
        match one:
            case ast.ImportFrom(module=module) if module and module.startswith(_package(path, root)):
                found |= _definitions(root / f"{module.replace('.', '/')}.py", root)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] = path, ast.Module([one], [])
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found[name] = path, ast.Module([one], [])
    return found


def _package(path: Path, root: Path) -> str:
    return ".".join(path.parent.relative_to(root).parts) + "."


def _names(tree: ast.AST) -> Iterator[str]:
    return (one.id for one in ast.walk(tree) if isinstance(one, ast.Name))


def _size(path: Path, module: ast.Module) -> int:
    """The lines of code of a definition, without its docstrings."""
    [definition] = module.body
    decorators = getattr(definition, "decorator_list", [])
    begin = min([definition.lineno, *(one.lineno for one in decorators)])
    numbers = {*range(begin, (definition.end_lineno or begin) + 1)}
    for one in ast.walk(definition):
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
            numbers -= {*range(one.lineno, (one.end_lineno or one.lineno) + 1)}
    lines = path.read_text().splitlines()
    return sum(bool(text := lines[number - 1].strip()) and not text.startswith("#") for number in numbers)

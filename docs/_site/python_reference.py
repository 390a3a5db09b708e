"""Writes the Python reference from docstrings to standard output; it is docs/reference/python/index.md."""

import ast
import inspect
import re
from collections import deque
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from html import escape
from importlib import import_module
from itertools import pairwise
from types import ModuleType
from typing import Any, is_typeddict

from lars2asp.runtime.settings.setting import Setting
from lars2asp.runtime.settings.table import SETTINGS

GROUPS = {
    "Run": "Reasoner Answer Atoms Explanation Statistics Account Revised Final",
    "Programs": "check compile_program Plan Source Signature Diagnostic Severity",
    "Input": "Record Events Rejected PassedOver Origin Reading Timeline Format TimeUnit read_file read_frame",
    "Values": "Term constant function pure",
    "Output": "AnswerFrames AnswerFrame Chart PlanDrawing",
    "Errors": "Lars2aspError ProgramError InputError EvaluationError FunctionError TickTimeoutError "
    "EvaluatorError SnapshotError InUseError",
}
"""The names of `lars2asp`, by subject."""

MODULES = ("lars2asp.connectors", "lars2asp.explanations", "lars2asp.spark", "lars2asp.typing")

KEYWORDS = {
    "`Reasoner`, `Reasoner.from_file`, `Reasoner.from_text`": "reasoner program",
    "`Reasoner.run`, `intervals`, `changes`, `chart`": "run",
    "`Reasoner.run_live`, `run_live_async`": "live",
    "`Reasoner.why`": "why",
    "`lars2asp.spark`": "spark",
}
"""The calls with keywords, and how the table of settings calls them."""

_HEAD = """# Python API reference

This page lists every public name of lars2asp, from its docstring.
[Use lars2asp from Python](../../how-to/use-from-python.md) shows how to use them.
`lars2asp.__version__` is the version, as text.
"""
_SECTION = re.compile(r"(Args|Attributes|Raises|Keywords[\w ]*):")
_ITEM = re.compile(r"([A-Za-z_]\w*): ?(.*)")
_DUNDERS = "__contains__", "__getitem__", "__iter__", "__len__"


def page() -> str:
    """The page."""
    package = import_module("lars2asp")
    parts = [_HEAD]
    for group, names in GROUPS.items():
        parts += [f"\n## {group}\n", *(_entry(package, name) for name in names.split())]
    parts += ["\n## Keywords\n", *(_keywords(call, places) for call, places in KEYWORDS.items())]
    for name in MODULES:
        module = import_module(name)
        parts += [f"\n## {name}\n", _prose(inspect.getdoc(module) or "")]
        parts += [_entry(module, one) for one in module.__all__]
    return "".join(parts)


def _entry(module: ModuleType, name: str) -> str:
    """What the page says of a public name."""
    found = getattr(module, name)
    if is_typeddict(found):
        keys = f"\nKeys: {_listed(found.__annotations__)}.\n"
        return f"\n### `{name}`\n{_prose(inspect.getdoc(found) or '')}{keys}"
    if inspect.isclass(found):
        return _class(found, name)
    if inspect.isfunction(found):
        return f"\n### `{name}`\n{_signature(found, name)}{_prose(inspect.getdoc(found) or '')}"
    return f"\n### `{name}`\n\n```text\n{_alias(found)}\n```\n{_prose(_said_of_alias(name))}"


def _class(found: type, name: str) -> str:
    parts = [f"\n### `{name}`\n"]
    if issubclass(found, Enum):
        parts.append(f"\nValues: {_listed(str(one.value) for one in found)}.\n")
    elif issubclass(found, Exception):
        parts.append(f"\nBases: {_listed(one.__name__ for one in found.__bases__)}.\n")
    elif "__init__" in vars(found) or hasattr(found, "_fields"):
        parts.append(_signature(found, name))
    parts.append(_prose(inspect.getdoc(found) or ""))
    init = vars(found).get("__init__")
    if init is not None and init.__doc__ and "See Attributes" not in init.__doc__:
        parts.append(_prose(inspect.cleandoc(init.__doc__)))
    for one, member in members(found):
        said = inspect.cleandoc(_function(member).__doc__ or "")
        title = f"`{name}.{one}`"
        is_value = isinstance(member, property | cached_property)
        parts.append(
            f"\n#### {title}\n{'' if is_value else _signature(_function(member), one)}{_prose(said)}"
        )
    return "".join(parts)


def members(found: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties of a class that its own or another class of lars2asp defines."""
    seen: set[str] = set()
    for base in inspect.getmro(found):
        if not base.__module__.startswith("lars2asp"):
            continue
        for name, member in vars(base).items():
            is_method = inspect.isfunction(_function(member))
            is_public = not name.startswith("_") or (name in _DUNDERS and _function(member).__doc__)
            if is_method and is_public and name not in seen:
                seen.add(name)
                yield name, member


def _function(member: Any) -> Any:
    """The function of a method or property."""
    found = getattr(member, "fget", None) or getattr(member, "func", member)
    return getattr(found, "__func__", found)


def _signature(found: Any, name: str) -> str:
    """The call, with each parameter on a line of its own if there are many."""
    try:
        parameters = inspect.signature(found).parameters.values()
    except ValueError:
        return ""
    shown = []
    for one in parameters:
        if one.name in ("self", "cls"):
            continue
        default = "" if one.default is one.empty else f"={_default(one.default)}"
        star = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        if one.kind is one.KEYWORD_ONLY and not any(part.startswith("*") for part in shown):
            shown.append("*")
        shown.append(f"{star}{one.name}{default}")
    return f"\n```text\n{name}({', '.join(shown)})\n```\n"


def _default(value: object) -> str:
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    text = repr(value)
    return "..." if "<" in text or len(text) > 40 else text


def _alias(found: object) -> str:
    """A type alias as text, without the folders of modules."""
    text = found.__name__ if isinstance(found, type) else str(found)
    return re.sub(r"\b(?:lars2asp|collections|typing|datetime|clingo|pathlib)(?:\.\w+)*\.(?=[A-Z])", "", text)


def _said_of_alias(name: str) -> str:
    """The text after the assignment of an alias."""
    tree = ast.parse(inspect.getsource(import_module("lars2asp.typing")))
    [module] = [one.module for one in tree.body if isinstance(one, ast.ImportFrom) and name in _names(one)]
    body = ast.parse(inspect.getsource(import_module(str(module)))).body
    for one, after in pairwise(body):
        target = one.targets[0] if isinstance(one, ast.Assign) else getattr(one, "target", None)
        if isinstance(target, ast.Name) and target.id == name and isinstance(after, ast.Expr):
            return inspect.cleandoc(ast.literal_eval(after.value))
    return ""


def _names(statement: ast.ImportFrom) -> list[str]:
    return [one.name for one in statement.names]


def _listed(names: Any) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _keywords(call: str, places: str) -> str:
    rows = [one for one in SETTINGS.values() if {*one.python.split()} & {*places.split()}]
    lines = "".join(f"| `{one.name}` | {_meaning(one)} |\n" for one in rows)
    return f"\n### Keywords of {call}\n\n| keyword | meaning |\n| --- | --- |\n{lines}"


def _meaning(one: Setting) -> str:
    default = "" if one.default in (None, "") else f" [default: {one.default}]"
    return _escaped(f"{one.help}{default} {one.more}".strip()).replace("|", "\\|")


def _prose(text: str) -> str:
    """A docstring as Markdown: sections become lists, indented text and sessions become code."""
    out, section = [""], ""
    lines = deque(text.splitlines())
    while lines:
        line = lines.popleft()
        indent = len(line) - len(line.lstrip())
        if _SECTION.fullmatch(line):
            section = line[:-1]
            out += [f"**{section}**", ""]
        elif line.startswith(">>>"):
            session = [line, *iter(lambda: lines.popleft() if lines and lines[0] else None, None)]
            out += ["```pycon", *session, "```"]
        elif not section and indent >= 4:
            block = [line, *iter(lambda: lines.popleft() if lines and lines[0] else None, None)]
            out += ["```text", *(one[4:] for one in block), "```"]
        elif section and indent == 4 and (item := _ITEM.fullmatch(line.strip())):
            out.append(f"- `{item[1]}`: {_escaped(item[2])}")
        elif section and indent:
            out.append(f"  {_escaped(line.strip())}")
        else:
            section = section if not line else ""
            out.append(_escaped(line))
    return "\n".join(out).rstrip() + "\n"


def _escaped(text: str) -> str:
    """Text with the signs of Markdown and HTML as they are, except in code."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        one if one.startswith("`") else escape(one, quote=False).replace("*", "\\*") for one in parts
    )


if __name__ == "__main__":
    print(page(), end="")

"""Imports run one way: lars2asp <- externals <- runtime <- examples <- experiments."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ["lars2asp", "externals", "runtime", "examples", "experiments"]
FACES = [Path("lars2asp/__init__.py"), Path("lars2asp/__main__.py")]
"""The public face and the command line look into all rooms."""

FILES = [path.relative_to(ROOT) for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]


def imported_rooms(path: Path) -> set[str]:
    """The rooms that a module imports from."""
    names: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return {name.split(".")[0] for name in names} & {*ROOMS, "tests"}


@pytest.mark.parametrize("path", [path for path in FILES if path not in FACES], ids=str)
def test_imports_run_one_way(path: Path) -> None:
    own = ROOMS.index(path.parts[0])
    assert imported_rooms(path) <= set(ROOMS[: own + 1])


@pytest.mark.parametrize("path", [path for path in FILES if path.parts[0] == "lars2asp"], ids=str)
def test_the_language_is_pure(path: Path) -> None:
    """No Control in the language: it works on text alone."""
    if path not in FACES:
        assert "clingo" not in {
            name.split(".")[0]
            for node in ast.walk(ast.parse((ROOT / path).read_text()))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in [getattr(node, "module", None) or node.names[0].name]
        }


def test_the_encodings_are_no_package() -> None:
    """A package of that name would hide the standard library's."""
    assert not (ROOT / "encodings" / "__init__.py").exists()

"""The Python reference is made of the docstrings, has every public name, and its examples run."""

import doctest
import inspect
import subprocess
import sys
from importlib import import_module, util
from pathlib import Path
from typing import Any

import pytest

import lars2asp
from lars2asp.runtime.settings.table import SETTINGS

DOCS = Path(__file__).parents[2] / "docs"
_spec = util.spec_from_file_location("python_page", DOCS / "_site" / "python_reference.py")
assert _spec is not None
assert _spec.loader is not None
python_page: Any = util.module_from_spec(_spec)
_spec.loader.exec_module(python_page)

MODULES = ("lars2asp", *python_page.MODULES)
PUBLIC = [
    (module, name) for module in MODULES for name in import_module(module).__all__ if name != "__version__"
]
PLACES = set(python_page.KEYWORDS.values())


def test_the_page_is_that_of_the_docstrings() -> None:
    made = subprocess.run(
        [sys.executable, DOCS / "_site" / "python_reference.py"],
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    assert (DOCS / "reference" / "python" / "index.md").read_text(encoding="utf-8") == made.stdout, (
        "write it again: python docs/_site/python_reference.py > docs/reference/python/index.md"
    )


def test_the_page_has_every_name_method_and_keyword() -> None:
    page = (DOCS / "reference" / "python" / "index.md").read_text(encoding="utf-8")
    names = [name for names in python_page.GROUPS.values() for name in names.split()]
    assert sorted(names) == sorted({*lars2asp.__all__} - {"__version__"})
    for module, name in PUBLIC:
        assert f"\n### `{name}`\n" in page, f"{module}.{name}"
        found = getattr(import_module(module), name)
        for member, _ in python_page.members(found) if inspect.isclass(found) else ():
            assert f"\n#### `{name}.{member}`\n" in page
    assert {place for places in PLACES for place in places.split()} == {
        place for one in SETTINGS.values() for place in one.python.split()
    }
    for one in SETTINGS.values():
        assert not one.python or f"\n| `{one.name}` | " in page, one.name


@pytest.mark.parametrize(("module", "name"), PUBLIC)
def test_every_public_name_and_method_has_a_docstring(module: str, name: str) -> None:
    found = getattr(import_module(module), name)
    if inspect.isclass(found) or inspect.isfunction(found):
        assert found.__doc__, name
        assert not found.__doc__.startswith(f"{name}("), "that of a dataclass, which nobody wrote"
    for member, of in python_page.members(found) if inspect.isclass(found) else ():
        assert python_page._function(of).__doc__, f"{name}.{member}"


@pytest.mark.parametrize(("module", "name"), PUBLIC)
def test_examples_run(module: str, name: str) -> None:
    found = getattr(import_module(module), name)
    if inspect.isclass(found) or inspect.isfunction(found):
        of = sys.modules[found.__module__]
        for one in doctest.DocTestFinder(recurse=True).find(found, name, of, vars(of)):
            assert doctest.DocTestRunner().run(one).failed == 0, one.name


def test_the_example_of_the_package_runs() -> None:
    assert doctest.testmod(lars2asp).attempted == 3
    assert doctest.testmod(lars2asp).failed == 0

"""What is installed is one import package, lars2asp, from the repository and from an archive of it."""

import json
import os
import re
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from tests.support.processes import completed

ROOT = Path(__file__).parent.parent
USER_CODE = """
from lars2asp import Reasoner

print(Reasoner.__module__.split(".")[0])
print(Reasoner.from_text("seen(X) :- ping(X) in [3].").step(0, ["ping(a)"]).holds.texts)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this repository."""
    [path] = WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("dist")))
    return Path(path)


PAGE_FILES = (
    *("explained.js", "icon.svg", "live.css", "live.html", "live.js"),
    *("uplot/LICENSE", "uplot/uPlot.iife.min.js", "uplot/uPlot.min.css"),
)


def files_of(wheel: Path) -> set[str]:
    """The files of the wheel, without those that describe it."""
    names = zipfile.ZipFile(wheel).namelist()
    return {name for name in names if not name.split("/")[0].endswith(".dist-info")}


def test_the_wheel_has_all_of_lars2asp_and_nothing_else(wheel: Path) -> None:
    folders = [ROOT / "lars2asp", ROOT / "lars2asp/externals", ROOT / "lars2asp/runtime"]
    modules = {str(path.relative_to(ROOT)) for folder in folders for path in folder.rglob("*.py")}
    data = {
        "lars2asp/py.typed",
        "lars2asp/syntax/parsing/grammar.lark",
        "lars2asp/syntax/parsing/parse_tables.json",
        *(str(path.relative_to(ROOT)) for path in (ROOT / "lars2asp/syntax/dialects").glob("*/grammar.lark")),
        *(str(path.relative_to(ROOT)) for path in (ROOT / "lars2asp/syntax/dialects").glob("*/*.json")),
        *(f"lars2asp/runtime/live_page/{name}" for name in PAGE_FILES),
        "lars2asp/runtime/charts/page.css",
        "lars2asp/runtime/charts/page.html",
        "lars2asp/runtime/charts/lanes.js",
        "lars2asp/runtime/charts/page.js",
        "lars2asp/runtime/charts/times.js",
        "lars2asp/runtime/plan_drawing/page.css",
        "lars2asp/runtime/plan_drawing/dagre/LICENSE",
        "lars2asp/runtime/plan_drawing/dagre/dagre.min.js",
        "lars2asp/runtime/plan_drawing/plan.js",
        "lars2asp/runtime/rule_tests/notation.lark",
        "lars2asp/runtime/spark/session/log4j2.properties",
    }
    assert files_of(wheel) == modules | data


def test_an_archive_of_the_sources_gives_the_same_wheel(wheel: Path) -> None:
    names = {one.distribution_path for one in SdistBuilder(str(ROOT)).recurse_included_files()}
    assert files_of(wheel) == {name for name in names if name.startswith("lars2asp/")}
    assert {"pyproject.toml", "hatch_build.py", "README.md", "tests/test_packaging.py"} <= names
    assert not any(name.startswith(("runtime/", "externals/")) for name in names)


def test_the_description_has_no_links_into_the_repository(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        description = archive.read(name).decode().partition("\n\n")[2]
    assert "Your own data" in description and "![" not in description
    assert all("://" in link for link in re.findall(r"\]\(([^)]*)\)", description))


def test_modules_of_users_with_the_names_of_our_folders_do_no_harm(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site-packages")
    for name in ("runtime.py", "externals.py", "encodings/__init__.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("raise AssertionError\n")
    code = f"import sys; sys.path.insert(1, 'site-packages'){USER_CODE}"
    done = completed([sys.executable, "-c", code], cwd=tmp_path)
    assert done.stdout.splitlines() == ["lars2asp", "('seen(a)',)"]


def test_everything_names_the_same_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert json.loads((ROOT / "examples/vscode/package.json").read_text())["version"] == version
    deployed = [*(ROOT / "examples/deployment").iterdir(), *(ROOT / "docs/how-to").glob("*.md")]
    tags = [tag for path in deployed for tag in re.findall(r"lars2asp:(\d[\d.]*\d)", path.read_text())]
    assert len(tags) >= 5 and set(tags) == {version}


def test_encodings_are_no_python_package() -> None:
    assert not list((ROOT / "encodings").rglob("*.py"))  # one of this name would hide the standard library's


@pytest.mark.parametrize("folder", ["externals", "runtime"])
def test_a_checkout_without_symbolic_links_says_what_to_do(folder: str, tmp_path: Path) -> None:
    (tmp_path / "lars2asp").mkdir()
    for name in ("__init__.py", "__main__.py"):
        (tmp_path / "lars2asp" / name).write_text((ROOT / "lars2asp" / name).read_text())
    (tmp_path / "lars2asp" / folder).write_text(f"../{folder}")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    said = completed([sys.executable, "-m", "lars2asp"], cwd=tmp_path, status=1, env=environment).stderr
    assert f"{folder} is a text file, not a symbolic link" in said
    assert "git config core.symlinks true" in said and "ModuleNotFoundError" not in said

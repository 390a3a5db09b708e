"""The site can be built; links, anchors, and the files and names that pages speak of exist."""

import os
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.support.pages import CODE, DOCS, FILES, PAGES, ROOT, anchors, links, without_code
from tests.support.processes import completed

ALL_PAGES = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGES.md")),
    *PAGES,
    ROOT / "experiments" / "RESULTS.md",
    ROOT / "encodings" / "README.md",
]
MAPS = [ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"]
"""The pages that say where in the repository something is."""

CHANGES = (ROOT / "CHANGES.md").read_text()

FOLDERS = ("lars2asp", "externals", "runtime", "encodings", "examples", "experiments", "tests", "docs")

_PATH = re.compile(r"[\w.*-]+(?:/[\w.*-]+)+/?|[\w-]+/|[\w*-]+\.(?:py|md|lark|lars|toml|yml|txt)")
_NAMED = re.compile(r"`([\w/.-]+\.py)`: (`\w+`(?:, `\w+`)*)")


def names(page: Path) -> object:
    return pytest.param(page, id=str(page.relative_to(ROOT)))


def test_the_site_is_built_without_a_warning_and_loads_nothing_from_other_hosts(tmp_path: Path) -> None:
    pytest.importorskip("material")
    completed(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", tmp_path],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    for page in PAGES:
        built = (tmp_path / page.relative_to(DOCS).with_suffix(".html")).read_text()
        assert not re.search(r"<(?:script|link|img)\b[^>]*https?://", built)
        assert f"lars2asp {version('lars2asp')}" in built
    kinds = {path.suffix for path in tmp_path.rglob("*") if path.is_file()}
    assert not kinds & {".py", ".pyc"}


@pytest.mark.parametrize("page", [names(page) for page in ALL_PAGES])
def test_links_lead_to_what_exists(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


@pytest.mark.parametrize("page", [names(page) for page in PAGES])
def test_pages_of_the_site_link_to_pages_of_the_site_alone(page: Path) -> None:
    """Or to pictures and files to download; what lies elsewhere in the repository is named by its path."""
    for link in links(page):
        path = link.partition("#")[0]
        target = (page.parent / path).resolve()
        assert (
            not path or target in PAGES or target.is_relative_to(FILES) or path.endswith((".svg", ".png"))
        ), link


def paths(page: Path) -> Iterator[str]:
    """The paths of the repository that a page names as code."""
    top = {path.name for path in ROOT.iterdir()}
    for code in CODE.findall(without_code(page)):
        text = code[1]
        is_ours = "/" not in text or text.endswith(".py") or text.split("/")[0] in top
        if is_ours and _PATH.fullmatch(text):
            yield text


@pytest.mark.parametrize("page", [names(page) for page in MAPS])
def test_files_and_folders_that_are_named_exist(page: Path) -> None:
    """A name alone, such as `timer.py`, is that of a file anywhere in the repository."""
    files = {path.name for folder in FOLDERS for path in (ROOT / folder).rglob("*.*")}
    for path in paths(page):
        found = any(ROOT.glob(path)) if "/" in path else path in files or (ROOT / path).exists()
        assert found, path


@pytest.mark.parametrize("page", [names(page) for page in MAPS])
def test_names_that_are_said_to_stand_in_a_file_stand_there(page: Path) -> None:
    """That is written `path.py`: `Name`, `other_name`."""
    for path, listed in _NAMED.findall(" ".join(without_code(page).split())):
        matches = list(ROOT.glob(path)) if "/" in path else list(find(path))
        assert len(matches) == 1, path
        text = matches[0].read_text()
        for name in re.findall(r"\w+", listed):
            defined = rf"\b(?:class|def) {name}\b|^ *{name}\b[^=\n]*="
            assert re.search(defined, text, re.MULTILINE), f"{path}: {name}"


def find(name: str) -> Iterator[Path]:
    """The files of the product with a name."""
    for folder in ("lars2asp", "externals", "runtime"):
        yield from (ROOT / folder).rglob(name)


def test_the_newest_release_is_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    headings = re.findall(r"^## \[([^\]]+)\]", CHANGES, re.MULTILINE)
    assert headings[:2] == ["Unreleased", project["version"]]


def test_the_entries_of_releases_are_short() -> None:
    released = CHANGES[CHANGES.index("\n## [0.3.0]") :]
    entries = re.findall(r"^- (.*(?:\n  .*)*)", released, re.MULTILINE)
    assert len(entries) > 80
    long = [one for one in entries if len(re.sub(r"\(\[.*\)\)", "", one).split()) > 25]
    assert long == [], "new entries belong under Unreleased; older details have left the file"

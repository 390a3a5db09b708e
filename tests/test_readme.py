"""README: its programs, files and commands are followed, and its picture is drawn."""

import re
import sys
from importlib import import_module
from pathlib import Path

from tests.support.followed_pages import followed
from tests.support.pages import BLOCK, DOCS, ROOT

sys.path.insert(0, str(DOCS / "_site"))

pictures = import_module("pictures")

README = ROOT / "README.md"
TEXT = README.read_text()
OVERDUE = DOCS / "img" / "overdue.svg"


def test_it_is_short() -> None:
    assert len(TEXT.split()) <= 400


def test_it_can_be_followed(tmp_path: Path) -> None:
    """Its other commands install lars2asp: `make environments` tests pip, CI runs `make test`."""
    shown = list(followed(README, tmp_path))
    assert len(shown) == 3
    for one in shown:
        assert one.fits(), f"{one.what}\n{one.found}"


def test_its_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    named = set(re.findall(r"^make ([a-z-]+)|`make ([a-z-]+)`", TEXT, re.MULTILINE))
    assert len(named) == 3
    for target in named:
        assert f"\n{''.join(target)}:" in makefile


def test_its_picture_is_that_of_the_landing_page() -> None:
    """It is written by `python -m tests.test_readme`."""
    assert OVERDUE.read_text() == overdue_picture()
    programs = [
        next(block[2] for block in BLOCK.finditer(page.read_text()) if block[1] == "lars overdue.lars")
        for page in (README, DOCS / "index.md")
    ]
    assert programs[0] == programs[1]


def overdue_picture() -> str:
    found = re.search(r"<!-- picture: (.*?)\n(.*?)-->", (DOCS / "index.md").read_text(), re.DOTALL)
    assert found is not None
    return str(pictures.in_a_file(pictures.stream_picture(found[2], found[1])))


if __name__ == "__main__":
    OVERDUE.write_text(overdue_picture())

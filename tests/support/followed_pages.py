"""Follows a page in an empty folder, block by block: files are written, commands are run.

`python -m tests.support.followed_pages PAGE...` writes the output of the commands into the pages. Look at it.
A `...` stays if the output still fits.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.support.pages import BLOCK, FILES, links
from tests.support.processes import LARS2ASP, started

_NAME = re.compile(r"[\w.-]+\.[\w-]+|Dockerfile")
_FOR_SHELLS = re.compile(r"[|<>$;&`*?~#\\]")


class Printed(NamedTuple):
    """A text of a page, and what is there when you follow the page.

    Attributes:
        what: the command, or the file.
        expected: the text of the page.
        found: what the command prints, or the file contains.
    """

    what: str
    expected: str
    found: str

    def fits(self) -> bool:
        """Whether the texts are the same; `...` in the page stands for any text."""
        pattern = ".*?".join(map(re.escape, self.expected.rstrip().split("...")))
        return re.fullmatch(pattern, self.found.rstrip(), re.DOTALL) is not None


def followed(page: Path, folder: Path, variables: Mapping[str, str] | None = None) -> Iterator[Printed]:
    """Yields the commands and files of a page in order, each with its text on the page and in the folder.

    Args:
        page: the page.
        folder: an empty folder.
        variables: the environment of the commands. By default they find the programs of this Python.
    """
    for link in links(page):
        target = (page.parent / link.partition("#")[0]).resolve()
        if target.is_relative_to(FILES):
            shutil.copy(target, folder)
    for block in BLOCK.finditer(page.read_text()):
        kind, _, info = block[1].partition(" ")
        name, _, how = info.partition(", ")
        if kind == "console":
            for command, expected in commands(block[2]):
                yield Printed(command, expected, run(command, folder, variables))
        elif _NAME.fullmatch(name):
            path = folder / name
            if how == "as written":
                yield Printed(name, block[2], path.read_text())
            elif how == "at the end":
                path.write_text(path.read_text() + block[2])
            else:
                path.write_text(block[2])


def commands(text: str) -> list[tuple[str, str]]:
    """The commands of a block, each with its output."""
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert not parts[0].strip(), f"no command: {text}"
    found = (re.match(r"((?:[^\n]*\\\n)*[^\n]*\n)(.*)", part, re.DOTALL) for part in parts[1:])
    return [(one[1].strip(), one[2]) for one in found if one is not None]


def run(command: str, folder: Path, variables: Mapping[str, str] | None = None) -> str:
    """What a command prints, output and errors together. A shell has it, but for one of lars2asp alone."""
    is_own = variables is None
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    variables = {**os.environ, "PATH": programs} if variables is None else variables
    line = command.replace("\\\n", " ")
    told = ["bash", "-c", command]
    if is_own and line.startswith("lars2asp ") and not _FOR_SHELLS.search(line):
        told = [*LARS2ASP, *shlex.split(line)[1:]]
    with started(
        told,
        cwd=folder,
        env={**variables, "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        return process.communicate()[0].decode()


def rewritten(page: Path) -> str:
    """The text of a page with the output that its commands print."""
    text, end = page.read_text(), 0
    parts = []
    with TemporaryDirectory() as folder:
        for one in followed(page, Path(folder)):
            marked = f"$ {one.what}\n{one.expected}"
            shown = marked if marked in text[end:] else one.expected
            start = text.index(shown, end)
            parts.append(text[end:start])
            parts.append(shown if one.fits() else shown[: len(shown) - len(one.expected)] + one.found)
            end = start + len(shown)
    return "".join([*parts, text[end:]])


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(rewritten(Path(name)))

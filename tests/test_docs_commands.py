"""Pages show what commands print: each page is followed in an empty folder, block by block.

| block | in this test |
| --- | --- |
| ```csv NAME | the file is written, whatever its kind is |
| ```lars NAME, at the end | the text is added to the file |
| ```lars NAME, as written | the file has the text already |
| ```console | its commands are run, and their output is compared; `...` stands for any text |
| ```sh | commands for other machines: the parser must accept those of lars2asp |
| ```json, ```jsonl, ```toml, ```yaml | the text is read as such |

A link to `files/NAME` is a download: the file is in the folder. Other blocks have tests in test_docs.py.
"""

import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest
import yaml

from lars2asp.runtime.command_line.main import cli
from tests.support.followed_pages import Printed, commands, followed
from tests.support.pages import BLOCK, DOCS, PAGES, page_name

KINDS = {
    *(
        "",
        "check",
        "console",
        "csv",
        "dockerfile",
        "ini",
        "javascript",
        "json",
        "jsonl",
        "lars",
        "nginx",
        "pycon",
    ),
    *("python", "sh", "sparql", "sql", "stream", "text", "toml", "turtle", "why", "windows", "xml", "yaml"),
}
"""The kinds of blocks of pages. Each has a test, but for text."""

FOLLOWED = [
    page
    for page in PAGES
    if page.parent != DOCS or page.name == "index.md"
    if any(block[1] == "console" for block in BLOCK.finditer(page.read_text()))
]


def named(pages: list[Path]) -> list[object]:
    return [pytest.param(page, id=page_name(page)) for page in pages]


@pytest.mark.parametrize("page", named(FOLLOWED))
def test_a_page_can_be_followed(page: Path, tmp_path: Path) -> None:
    """Files and commands in the order of the page."""
    for one in followed(page, tmp_path):
        assert one.fits(), f"{one.what}\n{one.found}"


def test_other_output_is_noticed() -> None:
    assert Printed("", "one\n...\nthree\n", "one\ntwo\nthree\n").fits()
    assert not Printed("", "one\n", "one\ntwo\n").fits()
    assert not Printed("", "one\ntwo\n", "one\n").fits()
    assert commands("$ a \\\n  -b\nout\n$ c\n") == [("a \\\n  -b", "out\n"), ("c", "")]


@pytest.mark.parametrize("page", named(PAGES))
def test_blocks_are_of_kinds_that_are_tested(page: Path) -> None:
    for block in BLOCK.finditer(page.read_text()):
        kind = block[1].partition(" ")[0]
        assert kind in KINDS, f"```{block[1]}"
        match kind:
            case "json":
                json.loads(block[2])
            case "jsonl":
                [json.loads(line) for line in block[2].splitlines()]
            case "toml":
                tomllib.loads(block[2])
            case "yaml":
                [*yaml.safe_load_all(block[2])]
            case "sh":
                check_commands(block[2])


def check_commands(text: str) -> None:
    """Has the parser read each command of lars2asp in a text, without running it."""
    for line in text.replace("\\\n", " ").splitlines():
        for part in re.split(r" \| | && ", line):
            words = shlex.split(part, comments=True)
            if words[:1] == ["lars2asp"]:
                ends = [place for place, word in enumerate(words) if word in {">", "2>", "&", "<"}]
                check_command(words[1 : ends[0] if ends else None])


def check_command(words: list[str]) -> None:
    """Whether the command, and all of its options, exist."""
    name, *rest = words
    with cli.make_context("lars2asp", words, resilient_parsing=True) as context:
        command = cli.get_command(context, name)
        assert command is not None, name
        options = {
            one for parameter in command.params for one in (*parameter.opts, *parameter.secondary_opts)
        }
        for word in rest:
            option = word.partition("=")[0]
            if re.match(r"--\w", option):
                assert option in options, f"{option} of {name}"


def test_a_wrong_option_is_noticed() -> None:
    check_commands("lars2asp run rooms.lars --input readings.csv > out.jsonl")
    with pytest.raises(AssertionError, match="--lateness-of"):
        check_commands("lars2asp run rooms.lars --lateness-of 3")

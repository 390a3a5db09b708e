"""A measured figure in README, in the documentation and in CHANGES names the command that gives it.

What counts as one, and where the command may stand, says tests/support/measured.py.
"""

import re
from pathlib import Path

import pytest

from experiments.__main__ import main
from tests.support.measured import commands, figures_without_command
from tests.support.pages import PAGES, ROOT, page_name

READ = [*(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGES.md")), *PAGES]

SET = {
    "CHANGES.md": {"16 MiB": "the limit of a record"},
    "how-to/connect/nats.md": {"64 MiB": "the limit of what waits for the reasoner"},
    "how-to/connect/tcp.md": {"64 MiB": "the limit of what waits for the reasoner"},
    "how-to/connect/websocket-sse.md": {"256 MiB": "the limit of a message"},
    "how-to/read-your-data/json.md": {"16 MiB": "the limit of a record"},
    "how-to/restart-and-change-a-program.md": {"a twentieth of the time": "the share of checkpoints"},
    "how-to/run-in-production.md": {"200 MB": "a recommendation"},
    "reference/limits.md": {
        "1 ms": "a limit",
        "16 MiB": "the limit of a record",
        "64 MiB": "the limit of what waits for the reasoner",
        "256 MiB": "the limit of a message",
    },
    "reference/command-line.md": {"16 MiB": "a default", "2 GB": "an example"},
    "how-to/watch-a-run.md": {"a tenth of the time": "the share that questions are given"},
}
"""By pages, what is set by the program or a setting, and not measured."""


@pytest.mark.parametrize("page", READ, ids=page_name)
def test_measured_figures_name_their_command(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    found = figures_without_command(text)
    known = SET.get(page_name(page), {})
    missing = [f"{page_name(page)}:{one.line}: {one.text}" for one in found if one.text not in known]
    assert not missing, "name the command that gives it beside it, or leave it out"
    assert known.keys() <= {one.text for one in found}, "what is no longer said is taken from the list"


@pytest.mark.parametrize("page", READ, ids=page_name)
def test_commands_that_pages_name_exist(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    names = main.list_commands(main.make_context("experiments", ["list"]))
    for command in commands(page.read_text(encoding="utf-8")):
        if command["name"]:
            assert command["name"] in names, command[0]
        if command["target"]:
            assert re.search(rf"^{command['target']}:", makefile, re.MULTILINE), command[0]
        if command["module"]:
            module = ROOT / command["module"].replace(".", "/")
            assert module.with_suffix(".py").exists() or (module / "__main__.py").exists(), command[0]


@pytest.mark.parametrize(
    "said",
    [
        "It takes 2.4 us a fact.",
        "A batch costs 0.3 s.",
        "It has 383 MiB in the end.",
        "After 20 % of the rows.",
        "It reads 400,000 rows a second.",
        "It is 1.4 times as fast.",
        "It takes at most twice what the other takes.",
        "10,000 rows take a second.",
        "It has 400 bytes for each fact.",
        "It takes a third of the time, and twice the memory.",
        "- It takes two thirds of the\n  time.",
        "| | us |\n| --- | --- |\n| a fact, 3 times as fast | 2.4 |",
        "# Cost: `python -m experiments run`\n\nIt takes 2 ms.",
        "`python -m experiments run` measures it.\n\nOther things.\n\nIt takes 2 ms.",
        "- It takes 2 ms.\n- `python -m experiments run` measures something else.",
    ],
)
def test_a_figure_without_a_command_is_found(said: str) -> None:
    assert figures_without_command(said)


@pytest.mark.parametrize(
    "said",
    [
        "It takes 2.4 us a fact (`python -m experiments run laser`).",
        "`make bench-spark` measures it:\n\n| | us |\n| --- | --- |\n| a fact, 3 times as fast | 2.4 |",
        "By `python -m experiments jobs whole`:\n\n- 2 ms for this\n- 3 ms for that",
        "A window of 10 minutes, `[5 sec]` or `20 MB`, looked at twice.",
        "```\n12533 facts at 2004 ticks in 0.1 s\n```",
        "Ticks of a second; version 3.11; line 2; 1.5 million rows.",
    ],
)
def test_what_is_no_figure_and_what_has_its_command_is_not(said: str) -> None:
    assert not figures_without_command(said)

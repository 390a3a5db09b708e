"""Each code is used, and has an entry; its example gives the code, and the corrected one gives none."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from lars2asp.__main__ import main
from lars2asp.syntax import codes
from lars2asp.syntax.message_help.entry import Entry
from lars2asp.syntax.message_help.table import GROUPS, entries, entry_of, near

ROOT = Path(__file__).parents[4]
NAMES = codes.names()
ENTRIES = [one for group in GROUPS for one in entries(group)]
CODE_OF_A_MESSAGE = re.compile(r"^[^ |].*?: (?:error|warning|info): (L[0-9]{3}): ", re.MULTILINE)
LONGEST_LINE = 100
WORDS_OF_A_SENTENCE = 30


def used() -> set[str]:
    """The names of the codes that modules give to diagnostics."""
    folders = ("lars2asp", "runtime", "externals")
    texts = [file.read_text(encoding="utf-8") for one in folders for file in (ROOT / one).rglob("*.py")]
    return {
        name.lower().replace("_", "-")
        for text in texts
        if "message_help.entry" not in text
        for name in re.findall(r"\bcodes\.([A-Z_]+)\b", text)
    }


def test_codes_are_unique_and_used() -> None:
    assert len(set(NAMES.values())) == len(NAMES)
    assert used() == NAMES.keys() == {one.name for one in ENTRIES}


def test_entries_are_in_their_groups_in_the_order_of_codes() -> None:
    found = [one.code for one in ENTRIES]
    assert found == sorted(set(found))
    assert all(one.code.startswith(group) for group in GROUPS for one in entries(group))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda one: one.name)
def test_the_example_gives_the_code_and_the_corrected_one_none(
    entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in entry.files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    options = entry.options.split(), entry.right_options.split()
    for program, given, expected in zip(entry.programs, options, ({entry.code}, set()), strict=True):
        (tmp_path / entry.file).write_text(program, encoding="utf-8")
        main(["check", entry.file, *given])
        said = capfd.readouterr().err
        assert set(CODE_OF_A_MESSAGE.findall(said)) == expected, said
        assert expected or "no problems found" in said, said


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda one: one.name)
def test_texts_are_short_and_plain(entry: Entry) -> None:
    assert len(entry.title) <= LONGEST_LINE
    assert not entry.title.endswith(".")
    assert all(len(line) <= LONGEST_LINE for program in entry.programs for line in program.splitlines())
    for text in (entry.cause, entry.cure):
        assert text.endswith((".", "`"))
        sentences = re.split(r"(?<=[.?:])\s", re.sub(r"`[^`]*`", "code", text))
        assert all(len(one.split()) <= WORDS_OF_A_SENTENCE for one in sentences)


def test_an_entry_is_found_by_code_and_name() -> None:
    assert entry_of("l101") is entry_of("Unsafe-Variable") is entry_of("L101")
    assert entry_of("L999") is entry_of("") is entry_of("unsafe") is None
    assert near("unsafe-varible") == "unsafe-variable"
    assert near("l1011") == "L101"
    assert near("xyz") is None


def test_the_compiler_starts_without_the_texts() -> None:
    code = "import sys, lars2asp.compiler; print([one for one in sys.modules if 'message_help' in one])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_page_of_diagnostics_is_that_of_the_entries() -> None:
    page = [sys.executable, str(ROOT / "docs" / "_site" / "messages.py")]
    done = subprocess.run(page, capture_output=True, text=True, check=True)
    assert (ROOT / "docs" / "reference" / "messages.md").read_text(encoding="utf-8") == done.stdout, (
        "write it anew: python docs/_site/messages.py > docs/reference/messages.md"
    )

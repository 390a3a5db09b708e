"""Lines that users write for a job."""

from pathlib import Path

from experiments.jobs.program_lines import lines_of_entry, lines_of_text

PARTS = """
def part(text):
    return text
"""
MODULE = """
import re

from jobs.parts import part

NUMBER = re.compile("a")


def first(text):
    \"\"\"Says
    nothing.\"\"\"
    # a comment

    return helper(text)


def helper(text):
    return NUMBER.match(part(text))


def second(text):
    return 1


COLUMNS = "a\\nb"
VIEWS: dict = {
    "one": "x",
    "four": "1",
    "inner": f"x {NUMBER}\\ny",
    "outer": "select\\nfrom inner",
}
JOBS: dict = {
    "one": first,
    "two": second,
    "three": "select\\n\\n1",
    "four": "select 1 from outer",
}
"""


def test_empty_lines_and_comments_do_not_count() -> None:
    assert lines_of_text("\n% a comment\na :- b.\n\nb.\n") == 2


def test_a_text_counts_with_what_is_declared_for_it(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(MODULE)
    found = [lines_of_entry(path, "JOBS", "four", tmp_path, some) for some in ((), ("COLUMNS",), ("VIEWS",))]
    assert found == [1, 1 + 2, 1 + 1 + 2 + 2]  # its own, that of outer, and of inner which outer names


def test_an_entry_counts_with_all_that_it_needs(tmp_path: Path) -> None:
    folder = tmp_path / "jobs"
    folder.mkdir()
    (folder / "parts.py").write_text(PARTS)
    path = folder / "module.py"
    path.write_text(MODULE)
    found = {name: lines_of_entry(path, "JOBS", name, tmp_path) for name in ("one", "two", "three")}
    assert found == {"one": 2 + 2 + 1 + 2, "two": 2, "three": 2}

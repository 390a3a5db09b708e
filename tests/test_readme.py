"""What README says is so: its programs, its data and its Python code are run as they stand."""

import re
import shlex
import sys
from pathlib import Path

from tests.support.processes import LARS2ASP, completed
from tests.support.readme import README, ROOT, block_after, own_data, write_own_data


def test_the_first_program_is_right(tmp_path: Path) -> None:
    program = tmp_path / "first.lars"
    program.write_text(block_after("# lars2asp"))
    completed([*LARS2ASP, "check", program])


def test_an_own_program_on_an_own_table(tmp_path: Path) -> None:
    write_own_data(tmp_path)
    section = own_data()
    commands = [place for place, block in enumerate(section) if block.startswith(".venv/bin/lars2asp ")]
    assert len(commands) == 2
    for place in commands:
        done = completed([*LARS2ASP, *shlex.split(section[place])[1:]], cwd=tmp_path)
        assert done.stdout == section[place + 1]
        assert done.stderr == "readings.csv: read with delimiter ';'\n"


def test_check_proposes_the_declarations(tmp_path: Path) -> None:
    """But for the time zone, which is that of the machine."""
    write_own_data(tmp_path)
    proposed = completed([*LARS2ASP, "check", "--input", "readings.csv"], cwd=tmp_path).stdout.splitlines()
    written = block_after("Write `rooms.lars`").splitlines()[:5]
    assert [line for line in written if "#timezone" not in line] == [
        line for line in proposed if line.startswith("#") and "#timezone" not in line
    ]


def test_what_check_says(tmp_path: Path) -> None:
    program = block_after("Write `rooms.lars`").replace("alarm(R) :-", "alarm(R,S) :-")
    (tmp_path / "rooms.lars").write_text(program)
    done = completed([*LARS2ASP, "check", "rooms.lars"], cwd=tmp_path, status=2)
    assert done.stderr == block_after("it would say")


def test_the_python_code_prints_what_its_comments_say(tmp_path: Path) -> None:
    write_own_data(tmp_path)
    code = block_after("## From Python")
    said = [line.removeprefix("# ") for line in code.splitlines() if line.startswith("# ")]
    assert completed([sys.executable, "-c", code], cwd=tmp_path).stdout.splitlines() == said


def test_the_make_targets_of_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in set(re.findall(r"make ([a-z-]+)", README)):
        assert f"\n{target}:" in makefile

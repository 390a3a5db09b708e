"""What README says is so: its programs, its data and its Python code are run as they stand."""

import re
import sys
from pathlib import Path

from tests.support.processes import LARS2ASP, completed
from tests.support.readme import README, ROOT, block_after


def test_the_first_program_is_right(tmp_path: Path) -> None:
    program = tmp_path / "first.lars"
    program.write_text(block_after("# lars2asp"))
    completed([*LARS2ASP, "check", program])


def test_an_own_program_on_an_own_table(tmp_path: Path) -> None:
    (tmp_path / "readings.csv").write_text(block_after("wrote `readings.csv`"))
    (tmp_path / "rooms.lars").write_text(block_after("Write `rooms.lars`"))
    command = block_after("Run it:").split()
    assert command[0] == ".venv/bin/lars2asp"
    done = completed([*LARS2ASP, *command[1:]], cwd=tmp_path)
    assert done.stdout == block_after("Run it:", 1)


def test_what_check_says(tmp_path: Path) -> None:
    program = block_after("Write `rooms.lars`").replace("alarm(R) :-", "alarm(R,S) :-")
    (tmp_path / "rooms.lars").write_text(program)
    done = completed([*LARS2ASP, "check", "rooms.lars"], cwd=tmp_path, status=2)
    assert done.stderr == block_after("it would say")


def test_the_python_code_prints_what_its_comments_say() -> None:
    code = block_after("## From Python")
    done = completed([sys.executable, "-c", code])
    assert done.stdout.splitlines()[0] == "('quiet(b)', 'seen(a)')"
    assert len(done.stdout.splitlines()) == 6


def test_the_make_targets_of_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in set(re.findall(r"make ([a-z-]+)", README)):
        assert f"\n{target}:" in makefile

"""The command line of the experiments."""

import subprocess
import sys

import pytest
from click.testing import CliRunner

from experiments.__main__ import main
from experiments.benchmarks import BENCHMARKS

NAMES = main.list_commands(main.make_context("experiments", ["list"]))


@pytest.mark.parametrize("name", NAMES)
def test_each_command_explains_itself(name: str) -> None:
    done = CliRunner().invoke(main, [name, "--help"])
    assert done.exit_code == 0
    assert f"{name} [OPTIONS]" in done.output


def test_the_list_of_commands_imports_none() -> None:
    code = "import sys; from experiments.__main__ import main; main(['--help'], standalone_mode=False)"
    code += "; print('lars2asp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    *listed, is_imported = done.stdout.splitlines()
    assert all(any(line.split()[:1] == [name] for line in listed) for name in NAMES)
    assert is_imported == "False"


def test_all_benchmarks_are_listed() -> None:
    listed = CliRunner(env={"COLUMNS": "200"}).invoke(main, ["list"])
    assert listed.exit_code == 0
    for name in BENCHMARKS:
        assert name in listed.output


def test_an_unknown_benchmark_is_a_mistake() -> None:
    done = CliRunner().invoke(main, ["run", "nothing-like-it"])
    assert done.exit_code == 2
    assert "there is no benchmark nothing-like-it" in done.output

"""The command that measures what jobs cost."""

from click.testing import CliRunner

from experiments.jobs.jobs import main


def test_the_command_prints_tables() -> None:
    done = CliRunner().invoke(main, ["compiling", "--quick"])
    assert done.exit_code == 0, done.output
    assert "| rules | compiled, s |" in done.stdout


def test_a_part_that_is_none_is_refused() -> None:
    done = CliRunner().invoke(main, ["nowhere"])
    assert done.exit_code == 2
    assert "there is no part nowhere" in done.output

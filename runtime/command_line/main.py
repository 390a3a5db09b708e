"""The command line: `lars2asp run`, `spark`, `check`, `compile`."""

from collections.abc import Sequence
from typing import Any

import click

from lars2asp import __version__
from lars2asp.runtime.command_line.exit_status import reported
from lars2asp.runtime.command_line.program_commands import check_command, compile_command
from lars2asp.runtime.command_line.run_command import run_command
from lars2asp.runtime.command_line.spark_command import spark_command
from lars2asp.runtime.runs.stop import orderly_end
from lars2asp.runtime.tuning import DEFAULT, Tuning


@click.group(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(__version__)
def cli() -> None:
    """Stream reasoning with LARS, compiled to answer set programming.

    A PROGRAM is one or more files, read as one program. Exit status: 0 done; 1 some records were rejected;
    2 usage, program or input that cannot be read; 3 the evaluator asked for cannot serve the program;
    130 interrupted (143 by SIGTERM).
    """


for _command in (run_command, spark_command, check_command, compile_command):
    cli.add_command(_command)


def run(arguments: Sequence[str] | None = None, tuning: Tuning | None = None) -> int:
    """Runs the command line, by default that of this process, and returns its exit status."""

    def orderly() -> Any:
        with orderly_end():
            return cli.main(arguments, prog_name="lars2asp", standalone_mode=False, obj=tuning or DEFAULT)

    return reported(orderly)

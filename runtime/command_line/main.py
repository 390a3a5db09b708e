"""The command line: `lars2asp run`, `why`, `test`, `spark`, `check`, `compile`, `format`, ..."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from lars2asp.runtime.command_line.exit_status import reported
from lars2asp.runtime.runs.processes.stop import orderly_end
from lars2asp.runtime.tuning import DEFAULT, Tuning

_COMMANDS = {
    "check": "command_line.program_commands",
    "compile": "command_line.program_commands",
    "format": "command_line.format_command",
    "run": "command_line.run_command",
    "test": "rule_tests.test_command",
    "spark": "command_line.spark_command",
    "why": "command_line.why_command",
    "why-not": "command_line.why_command",
    "check-why": "command_line.check_why_command",
    "rspql": "command_line.rspql_command",
    "language-server": "language_server.language_server_command",
    "help": "command_line.help_command",
}
"""The commands, by the modules that define them."""

_GONE = {"prepare-spark": "you need not prepare anything, run lars2asp spark"}
"""Commands of earlier versions, and what to do without them."""

LONGEST_SENTENCE = 1000
"""More characters than the first sentence of a command's help has."""


class _Commands(click.Group):
    """The commands, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _GONE:
            raise click.UsageError(f"the command {cmd_name} was removed: {_GONE[cmd_name]}", ctx)
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"lars2asp.runtime.{_COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, f"{cmd_name.replace('-', '_')}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the commands, each with its first sentence."""
        with formatter.section("Commands"):
            commands = ((name, self.get_command(ctx, name)) for name in _COMMANDS)
            formatter.write_dl(
                [(name, one.get_short_help_str(LONGEST_SENTENCE)) for name, one in commands if one]
            )


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(package_name="lars2asp")
def cli() -> None:
    """Stream reasoning with LARS, compiled to answer set programming.

    A PROGRAM is one or more files, read as one program.

    \b
    Exit status:
      0    done
      1    some records were rejected; check: rows would be; test: a case failed; check-why: a claim is
           wrong; format --check: a file would change
      2    wrong usage; lars2asp cannot read a file or write the output; clingo refuses a tick
      3    the evaluator you asked for cannot serve the program
      4    an @-function of yours failed
      130  interrupted; 143 ended by SIGTERM
    """


def run(arguments: Sequence[str] | None = None, tuning: Tuning | None = None) -> int:
    """Runs the command line, by default that of this process, and returns its exit status."""

    def orderly() -> Any:
        with orderly_end():
            return cli.main(arguments, prog_name="lars2asp", standalone_mode=False, obj=tuning or DEFAULT)

    return reported(orderly)

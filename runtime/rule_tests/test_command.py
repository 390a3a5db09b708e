"""The command `lars2asp test`."""

import os
from pathlib import Path
from typing import Any

import click

from lars2asp.runtime.command_line.exit_status import DONE
from lars2asp.runtime.command_line.setting_options import setting_options
from lars2asp.runtime.command_line.settings_command import SettingsCommand
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.rule_tests.case_options import CASE_SETTINGS
from lars2asp.runtime.rule_tests.coverage import Coverage
from lars2asp.runtime.rule_tests.notation import read_rule_file
from lars2asp.runtime.rule_tests.recording import record
from lars2asp.runtime.rule_tests.results import result_of, rule_files
from lars2asp.runtime.runs.processes.stop import prompt_end
from lars2asp.runtime.settings.table import of_command
from lars2asp.syntax.source import visible
from lars2asp.syntax.summaries import counted

FAILED = 1


@click.command("test", cls=SettingsCommand)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(exists=True))
@setting_options("test", as_written=True)
@click.pass_context
@prompt_end()
def test_command(context: click.Context, /, **options: Any) -> int:
    """Run tests of rules from .lars-test files and from folders.

    \b
    A file names the program, the stream and the answers.
      program rooms.lars
      case hot for two minutes
      given:
        0: hot(kitchen)
        1: hot(kitchen)
        2: hot(kitchen)
      expect at 2: alarm(kitchen)
      never alarm(hall)

    lars2asp exits with 1 if a case fails. docs/how-to/test-and-debug.md explains the notation.
    """
    words = _words(context)
    if options["record"] is not None:
        number = record(Path(options["record"]), options["paths"], options["input"], words)
        click.echo(f"{options['record']} expects {counted(number, 'answer')}")
        return DONE
    if options["input"]:
        raise click.UsageError("--input needs --record. Cases name their input with `given FILE`")
    passed = failed = 0
    coverages: dict[tuple[Path, ...], Coverage] = {}
    for path in rule_files(options["paths"]):
        file = read_rule_file(path)
        for case in file.cases:
            if (options["case"] or "") not in case.name:
                continue
            result = result_of(file, case, words)
            if options["coverage"] and result.run is not None:
                coverages.setdefault(file.programs or (path,), Coverage()).add(result.run)
            passed, failed = passed + (not result.failures), failed + bool(result.failures)
            if result.failures:
                click.echo(f"failed  {visible(case.name)}\n{result.text}")
            elif not options["quiet"]:
                remark = "" if case.claims else " (it only checks that the program runs)"
                click.echo(f"passed  {visible(case.name)}{remark}")
    if not passed + failed:
        raise InputError(f"no case has {options['case']!r} in its name")
    for coverage in coverages.values():
        for line in coverage.lines():
            click.echo(line)
    click.echo(f"{counted(passed, 'case')} passed, {failed} failed")
    return FAILED if failed else DONE


def _words(context: click.Context) -> tuple[str, ...]:
    """The options that decide answers, as they are written in a test file after `with`."""
    given = context.params
    folder = Path(given["record"] or "").parent
    words: list[str] = []
    for one in of_command("test"):
        if one.name not in CASE_SETTINGS or context.get_parameter_source(one.name) is _DEFAULT:
            continue
        if one.kind == "switch":
            words.append(one.option if given[one.name] else one.option.replace("--", "--no-", 1))
            continue
        for value in given[one.name] if one.is_many else [given[one.name]]:
            text = value
            if one.name == "functions":
                text = os.path.relpath(value, folder) if given["record"] else str(Path(value).absolute())
            words += (one.short or one.option, text)
    return tuple(words)


_DEFAULT = click.core.ParameterSource.DEFAULT

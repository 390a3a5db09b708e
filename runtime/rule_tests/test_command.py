"""The command `lars2asp test`."""

import os
from pathlib import Path
from typing import Any

import click

from lars2asp.runtime.command_line.exit_status import DONE
from lars2asp.runtime.command_line.setting_options import setting_options
from lars2asp.runtime.command_line.settings_command import SettingsCommand
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.rule_tests.coverage import Coverage
from lars2asp.runtime.rule_tests.notation import read_rule_file
from lars2asp.runtime.rule_tests.recording import record
from lars2asp.runtime.rule_tests.results import result_of, rule_files
from lars2asp.runtime.runs.processes.stop import prompt_end
from lars2asp.syntax.source import visible
from lars2asp.syntax.summaries import counted

FAILED = 1


@click.command("test", cls=SettingsCommand)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(exists=True))
@setting_options("test")
@prompt_end()
def test_command(**options: Any) -> int:
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

    lars2asp exits with 1 if a case fails. docs/testing.md explains the notation.
    """
    words = tuple(word for name, value in options["const"] for word in ("-c", f"{name}={value}"))
    folder = Path(options["record"] or "").parent
    for name in options["functions"]:
        seen = os.path.relpath(name, folder) if options["record"] else str(Path(name).absolute())
        words += ("--functions", seen)
    if options["record"] is not None:
        words += ("--year", f"{options['year']}") if options["year"] is not None else ()
        number = record(Path(options["record"]), options["paths"], options["input"], words)
        click.echo(f"{options['record']} expects {counted(number, 'answer')}")
        return DONE
    if options["input"]:
        raise click.UsageError("--input is for --record: files with tests name what is given")
    if options["year"] is not None:
        raise click.UsageError("--year is for --record: cases have it by `with --year 2025`")
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
                remark = "" if case.claims else " (it claims nothing but that the program runs)"
                click.echo(f"passed  {visible(case.name)}{remark}")
    if not passed + failed:
        raise InputError(f"no case has {options['case']!r} in its name")
    for coverage in coverages.values():
        for line in coverage.lines():
            click.echo(line)
    click.echo(f"{counted(passed, 'case')} passed, {failed} failed")
    return FAILED if failed else DONE

"""The command `lars2asp spark`."""

import gc
from pathlib import Path
from typing import Any

import click

from lars2asp.runtime.command_line.address_settings import take_settings
from lars2asp.runtime.command_line.exit_status import DONE, RECORDS_REJECTED
from lars2asp.runtime.command_line.program_options import (
    checked_of,
    context_of,
    program_argument,
    show_warnings,
)
from lars2asp.runtime.command_line.setting_options import setting_options
from lars2asp.runtime.command_line.settings_command import SettingsCommand
from lars2asp.runtime.fingerprints import fingerprint
from lars2asp.runtime.runs.command.run_end import RunEnd
from lars2asp.runtime.spark.query.spark_query import FileFormat, QueryOutputFormat, SparkInput, SparkQuery
from lars2asp.runtime.spark.spark_errors import spark_module
from lars2asp.runtime.spark.spark_settings import SparkSettings
from lars2asp.syntax.nodes import Input


@click.command("spark", cls=SettingsCommand)
@program_argument
@setting_options("spark")
def spark_command(**options: Any) -> int:
    """Run a program on Spark over files or a topic, and write changes.

    \b
    Each row of the output is a change at a tick:
      {"time": 3, "atom": "hot(kitchen)", "change": "began", "partition": 0}
    The change is began, ended, rejected (a bad record, with its reason), unsatisfiable (no answer stream is
    left) or satisfiable (there is one again).
    """
    options["context"] = context_of(options)
    checked = checked_of(options)
    show_warnings(checked.warnings)
    missing = [name for name in ("input", "output", "checkpoint") if not options[name]]
    if missing:
        raise click.UsageError(f"Missing option '--{missing[0]}'.")
    if len(options["input"]) > 1:
        raise click.UsageError("Spark reads one --input only: put the files into a folder")
    address = take_settings(options, "input", options["input"][0], "spark")
    options["output"] = take_settings(options, "output", options["output"], "spark")
    if options["follow"] and options["until"] is not None:
        raise click.UsageError("--until needs an input that ends: remove --follow")
    packages = {"spark.jars.packages": ",".join(options["packages"])} if options["packages"] else {}
    source = SparkInput(
        address,
        FileFormat(options["input_format"]) if options["input_format"] else None,
        options["max_files_per_trigger"],
        tuple(checked.program.every(Input)),
    )
    settings = SparkSettings.of(options | {"input_format": source.form, "functions": options["context"]})
    query = SparkQuery(
        source,
        options["output"],
        Path(options["checkpoint"]),
        options["until"],
        options["follow"],
        options["master"],
        packages | dict(options["conf"]),
        fingerprint([Path(name).read_bytes() for name in options["functions"]]),
        QueryOutputFormat(options["output_format"]),
        options["quiet"],
    )
    gc.enable()
    runner = spark_module("lars2asp.runtime.spark.query.query_run")
    result = runner.QueryRun(checked, settings, query).done()
    end = RunEnd(
        {source.address: result.account},
        is_recorded=not options["follow"],
        never_held=(),
        inputs=[source.address],
        programs=options["program"],
        is_quiet=options["quiet"],
    )
    for line in (*end.lines, result):
        click.echo(line, err=True)
    return RECORDS_REJECTED if result.rejected or end.is_unread else DONE

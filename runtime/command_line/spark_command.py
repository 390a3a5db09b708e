"""The command `lars2asp spark`."""

import gc
import os
import re
from pathlib import Path
from typing import Any

import click

from lars2asp.runtime.command_line.exit_status import DONE, RECORDS_REJECTED
from lars2asp.runtime.command_line.options import (
    choice,
    clingo_option,
    complete_windows_option,
    evaluator_option,
    lateness_option,
    name_and_value,
    number_from,
    quiet_option,
    time_options,
)
from lars2asp.runtime.command_line.program_options import (
    checked_of,
    context_of,
    program_options,
    show_warnings,
)
from lars2asp.runtime.fingerprints import fingerprint
from lars2asp.runtime.runs.command.run_end import RunEnd
from lars2asp.runtime.sharding.layout import Layout, shares_text
from lars2asp.runtime.spark.query.spark_query import FileFormat, QueryOutputFormat, SparkInput, SparkQuery
from lars2asp.runtime.spark.spark_errors import spark_module
from lars2asp.runtime.spark.spark_settings import Partitioning, SparkSettings, split_of
from lars2asp.splitting.split_text import split_text
from lars2asp.syntax.nodes import Input


def _input(_: click.Context, __: click.Parameter, paths: tuple[str, ...]) -> str | None:
    """The input. Raises UsageError for several."""
    if len(paths) > 1:
        raise click.UsageError("Spark reads one --input: put the files into a folder")
    return paths[0] if paths else None


@click.command("spark")
@program_options
@click.option(
    "--input",
    "input_",
    metavar="PATH",
    multiple=True,
    callback=_input,
    help="The stream: a file, the files of a folder, now and later, an address that Spark knows, or "
    "kafka://HOST:PORT/TOPIC.",
)
@click.option(
    "--output", metavar="FOLDER", help="Where changes go: the files of a folder, or kafka://HOST:PORT/TOPIC."
)
@click.option(
    "--output-format",
    type=choice(QueryOutputFormat),
    default="jsonl",
    help="How changes are written: lines of JSON, or tables with more columns (Delta needs its --package).",
)
@click.option(
    "--checkpoint",
    metavar="DIR",
    help="Keep here what the same run, started again, needs to go on. A folder that all machines see.",
)
@click.option(
    "--format",
    "format_",
    type=choice(FileFormat),
    help="How the input is written. [default: as names of files say, else their content]",
)
@click.option("--follow", is_flag=True, help="Go on with what comes until interrupted.")
@click.option("--start", metavar="TIME", help="First tick. [default: that of the input]")
@click.option(
    "--until",
    metavar="TIME",
    help="When all is read, let time go on to the end of this tick. [default: the last ticks stay open]",
)
@lateness_option("records of later batches are waited for")
@click.option("--files-per-batch", type=number_from(1), metavar="N", help="Read so many files at a time.")
@click.option(
    "--partition",
    type=choice(Partitioning),
    default="auto",
    help="Reasoners: one for each group of rules and key, as far as that is possible (auto); one (none); "
    "components in levels, by keys (pipelined); one in this process (driver).",
)
@click.option(
    "--partitions",
    type=number_from(1),
    metavar="N",
    help="How many reasoners work side by side, where the program can be split so far. "
    "[default: as many as cores, or as the checkpoint has]",
)
@complete_windows_option
@evaluator_option("How to evaluate.")
@clingo_option
@time_options
@click.option(
    "--master",
    metavar="URL",
    default="local[*]",
    help="Where Spark runs: local[4] on four cores of this machine, spark://HOST:PORT, ...",
)
@click.option(
    "--conf",
    "config",
    type=name_and_value("spark.driver.memory=4g"),
    multiple=True,
    help="A setting of Spark, as in --conf spark.driver.memory=4g.",
)
@click.option(
    "--package",
    "packages",
    metavar="GROUP:NAME:VERSION",
    multiple=True,
    help="A Java library that Spark loads, such as the one for Kafka.",
)
@quiet_option
@click.option(
    "--explain",
    is_flag=True,
    help="Say how the program is split over reasoners, and what share of the work each "
    "partition is expected to have, and end.",
)
def spark_command(**options: Any) -> int:
    """Run a program on Spark, over files or a topic, and write what begins and ends to hold.

    \b
    Each row of the output says what happens at a tick:
      {"time": 3, "atom": "hot(kitchen)", "change": "began", "partition": 0}
    where change is began, ended, rejected (a record that was not taken, with its reason), unsatisfiable or
    satisfiable (there is no answer stream any more, there is one again).
    """
    partitioning = Partitioning(options["partition"])
    options["context"] = context_of(options)
    checked = checked_of(options)
    show_warnings(checked.warnings)
    if options["explain"]:
        partitions = options["partitions"] or _cores(options["master"])
        layout = Layout.for_partitions(split_of(checked, partitioning), partitions)
        click.echo(split_text(layout.split) + shares_text(layout, partitions), nl=False)
        return DONE
    missing = [name for name in ("input_", "output", "checkpoint") if not options[name]]
    if missing:
        raise click.UsageError(f"Missing option '--{missing[0].rstrip('_')}'.")
    if options["follow"] and options["until"] is not None:
        raise click.UsageError("--until is for what ends: leave out --follow")
    packages = {"spark.jars.packages": ",".join(options["packages"])} if options["packages"] else {}
    source = SparkInput(
        options["input_"],
        FileFormat(options["format_"]) if options["format_"] else None,
        options["files_per_batch"],
        tuple(checked.program.every(Input)),
    )
    settings = SparkSettings.of(
        options | {"form": source.form, "unit": options["time_unit"], "functions": options["context"]}
    )
    query = SparkQuery(
        source,
        options["output"],
        Path(options["checkpoint"]),
        options["until"],
        options["follow"],
        options["master"],
        packages | dict(options["config"]),
        fingerprint([Path(name).read_bytes() for name in options["modules"]]),
        QueryOutputFormat(options["output_format"]),
        options["is_quiet"],
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
        is_quiet=options["is_quiet"],
    )
    for line in (*end.lines, result):
        click.echo(line, err=True)
    return RECORDS_REJECTED if result.rejected or end.is_unread else DONE


def _cores(master: str) -> int:
    """The cores that Spark has there, without asking it: those of this machine where the address has none."""
    found = re.match(r"local\[([0-9]+)", master)
    return int(found[1]) if found else os.cpu_count() or 1

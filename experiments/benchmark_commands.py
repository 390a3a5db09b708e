"""The commands over the benchmarks of the papers: list, run, profile, figures, report.

NAME is the name of a benchmark, or how it begins; without one all are taken.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from experiments.benchmark import Benchmark, EngineName
from experiments.benchmarks import BENCHMARKS
from experiments.measuring.machine import Machine
from experiments.measuring.profiling import profiled
from experiments.measuring.runner import QUICK, DifferentError, Effort, EngineResult, measured
from experiments.reporting import figures as drawing
from experiments.reporting import report as writing
from experiments.reporting import results

_names = click.argument("names", nargs=-1, metavar="[NAME]...")
_folder = click.option(
    "--results", "folder", type=click.Path(path_type=Path, file_okay=False), help="Where results are kept."
)


@click.command("list")
def list_all() -> None:
    """Lists the benchmarks."""
    table = Table("name", "what", "from", "engines")
    for benchmark in BENCHMARKS.values():
        table.add_row(benchmark.name, benchmark.title, benchmark.source, ", ".join(benchmark.engines))
    Console().print(table)


@click.command()
@_names
@_folder
@click.option("--quick", is_flag=True, help="Few and short settings, one run each.")
@click.option("--repeats", type=click.IntRange(1), help="Runs of each engine.")
@click.option(
    "--engine",
    "engines",
    multiple=True,
    type=click.Choice([name.value for name in EngineName]),
    help="Run these in place of the benchmark's own; results are kept with --results only.",
)
def run(
    names: tuple[str, ...], folder: Path | None, quick: bool, repeats: int | None, engines: tuple[str, ...]
) -> None:
    """Runs benchmarks: compares answers, then measures, and keeps results as CSV.

    Each run has a process of its own; nothing else should run on the machine meanwhile. Results go to
    experiments/results, with --quick to experiments/results-quick.
    """
    effort = QUICK if quick else Effort()
    if repeats is not None:
        effort = Effort(effort.is_quick, repeats, effort.seconds, effort.check_seconds)
    target = folder or (results.QUICK_FOLDER if quick else results.FOLDER)
    is_kept = folder is not None or not engines
    machine, console = Machine.here(), Console(stderr=True)
    differs = False
    benchmarks = [
        replace(chosen, engines=tuple(map(EngineName, engines))) if engines else chosen
        for chosen in _chosen(names)
    ]
    bar = _progress_bar(console)
    task = bar.add_task("", total=sum(_runs(one, effort) for one in benchmarks))
    done = 0
    for benchmark in benchmarks:
        with bar:
            rows, differences = _measured(benchmark, effort, partial(_advance, bar, task))
        done += _runs(benchmark, effort)
        bar.update(task, completed=done)  # runs that were refused are left out
        for difference in differences:
            console.print(f"[red]{benchmark.name}: {difference}; the setting is left out[/red]")
            differs = True
        found = results.of(rows, machine)
        if is_kept:
            results.write(target, benchmark.name, found)
        Console().print(writing.table(benchmark, found))
    sys.exit(1 if differs else 0)


def _progress_bar(console: Console) -> Progress:
    """How many of the runs are over, and how long the others take; nothing where there is no terminal."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def _runs(benchmark: Benchmark, effort: Effort) -> int:
    """The number of runs of a benchmark: one to compare answers, and those that are measured."""
    settings = benchmark.settings(effort.is_quick)
    engines = sum(len(set(benchmark.engines) - dict(setting.without).keys()) for setting in settings)
    return engines * (1 + effort.repeats)


def _advance(bar: Progress, task: TaskID, text: str) -> None:
    """A run begins, and the one before is over."""
    bar.update(task, description=text, advance=1)


def _measured(
    benchmark: Benchmark, effort: Effort, say: Callable[[str], None]
) -> tuple[list[EngineResult], list[DifferentError]]:
    """The results on all settings, and the differences of answers."""
    rows: list[EngineResult] = []
    differences = []
    for setting in benchmark.settings(effort.is_quick):
        try:
            rows += measured(benchmark, setting, effort, lambda text: say(f"{benchmark.name}, {text}"))
        except DifferentError as error:
            differences.append(error)
    return rows, differences


@click.command()
@_names
@_folder
def figures(names: tuple[str, ...], folder: Path | None) -> None:
    """Draws results as SVG and PNG, beside the CSV files."""
    target = folder or results.FOLDER
    for benchmark in _chosen(names):
        kept = results.read(target, benchmark.name)
        if kept is not None:
            click.echo(drawing.draw(benchmark, kept, target))


@click.command()
@_folder
def profile(folder: Path | None) -> None:
    """Finds where the time goes in those settings in which `auto` is behind another engine."""
    target = folder or results.FOLDER
    profiles = {}
    for one in writing.behind(_kept(target)):
        found = profiled(BENCHMARKS[one.benchmark], one.setting, EngineName.AUTO)
        profiles[one.benchmark, one.setting] = found
        click.echo(f"{one.benchmark}, {one.setting}: {found}")
    results.write_profiles(target, profiles)


@click.command()
@_folder
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="The file to write.")
def report(folder: Path | None, output: Path | None) -> None:
    """Writes experiments/RESULTS.md from the CSV files."""
    source = folder or results.FOLDER
    kept = _kept(source)
    path = output or Path(__file__).parent / "RESULTS.md"
    text = writing.markdown(BENCHMARKS, kept, results.read_profiles(source), source)
    path.write_text(text, encoding="utf-8")
    click.echo(path)


def _kept(folder: Path) -> dict[str, results.Results]:
    """All results that there are."""
    return {name: found for name in BENCHMARKS if (found := results.read(folder, name)) is not None}


def _chosen(names: tuple[str, ...]) -> list[Benchmark]:
    for name in names:
        if not any(one.startswith(name) for one in BENCHMARKS):
            raise click.UsageError(f"there is no benchmark {name}; `list` has their names")
    return [
        benchmark
        for benchmark in BENCHMARKS.values()
        if not names or any(benchmark.name.startswith(name) for name in names)
    ]

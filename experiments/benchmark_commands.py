"""The commands for the benchmarks of the papers: list, run, profile, figures, report.

NAME is the name of a benchmark, or the beginning of names; without one a command takes all benchmarks.
"""

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from experiments.benchmark import Benchmark, EngineName
from experiments.benchmark_work import BenchmarkWork, duration_text
from experiments.benchmarks import BENCHMARKS
from experiments.kept_results import FOLDER, QUICK_FOLDER
from experiments.measuring.machine import Machine
from experiments.measuring.profiling import profiled
from experiments.measuring.runner import QUICK, Effort
from experiments.reporting import figures as drawing
from experiments.reporting import question_sections, results, sections, site_page
from experiments.reporting import report as writing

_names = click.argument("names", nargs=-1, metavar="[NAME]...")
_folder = click.option(
    "--results", "folder", type=click.Path(path_type=Path, file_okay=False), help="The folder of results."
)


@click.command("list")
def list_all() -> None:
    """List the benchmarks."""
    table = Table("name", "title", "source", "engines")
    for benchmark in BENCHMARKS.values():
        table.add_row(benchmark.name, benchmark.title, benchmark.source, ", ".join(benchmark.engines))
    Console().print(table)


@click.command()
@_names
@_folder
@click.option("--quick", is_flag=True, help="Run few and short settings, once each.")
@click.option("--repeats", type=click.IntRange(1), help="Run each engine so many times.")
@click.option("--anew", is_flag=True, help="Measure everything again.")
@click.option("--missing", is_flag=True, help="Skip settings that any version has measured.")
@click.option(
    "--engine",
    "engines",
    multiple=True,
    type=click.Choice([name.value for name in EngineName]),
    help="Run this engine in place of the benchmark's own. Keeps results only with --results.",
)
def run(
    names: tuple[str, ...],
    folder: Path | None,
    quick: bool,
    repeats: int | None,
    anew: bool,
    missing: bool,
    engines: tuple[str, ...],
) -> None:
    """Run benchmarks: compare the answers, measure, and keep the results as CSV.

    NAME is the name of a benchmark, or the beginning of names; without one all run. Each run has a process
    of its own. The machine should be idle otherwise. Results go to experiments/results, with --quick to
    experiments/results-quick. The command writes them after each setting. After an interruption it continues
    there: results of the same program on the same machine count.
    """
    if anew and missing:
        raise click.UsageError("--anew and --missing exclude each other")
    effort = QUICK if quick else Effort()
    if repeats is not None:
        effort = Effort(effort.is_quick, repeats, effort.seconds, effort.check_seconds)
    target = folder or (QUICK_FOLDER if quick else FOLDER)
    machine, console = Machine.here(), Console(stderr=True)
    benchmarks = [
        replace(chosen, engines=tuple(map(EngineName, engines))) if engines else chosen
        for chosen in _chosen(names)
    ]
    kept_in = None if engines and folder is None else target
    works = [
        BenchmarkWork(one, effort, kept_in, lambda other: not anew and (missing or machine.is_like(other)))
        for one in benchmarks
    ]
    console.print(duration_text(works), soft_wrap=True)
    bar = _progress_bar(console)
    task = bar.add_task("", total=sum(work.number_of_runs for work in works))
    done = 0
    differs = False
    try:
        for work in works:
            with bar:
                differences = work.run(machine, partial(_advance, bar, task))
            done += work.number_of_runs
            bar.update(task, completed=done)  # runs that were refused are left out
            for difference in differences:
                console.print(f"[red]{work.benchmark.name}: {difference}; the setting is left out[/red]")
                differs = True
            found = work.results
            if found.rows:
                Console().print(writing.table(work.benchmark, found))
    except KeyboardInterrupt:
        console.print("interrupted; the same command continues with the other settings")
        sys.exit(130)
    sys.exit(1 if differs else 0)


def _progress_bar(console: Console) -> Progress:
    """The progress of the runs; nothing is shown without a terminal."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def _advance(bar: Progress, task: TaskID, text: str) -> None:
    """A run begins, and the one before is over."""
    bar.update(task, description=text, advance=1)


@click.command()
@_names
@_folder
def figures(names: tuple[str, ...], folder: Path | None) -> None:
    """Draw results as SVG and PNG, next to the CSV files."""
    target = folder or FOLDER
    for benchmark in _chosen(names):
        kept = results.read(target, benchmark.name)
        if kept is not None:
            click.echo(drawing.draw(benchmark, kept, target))


@click.command()
@_folder
def profile(folder: Path | None) -> None:
    """Find where the time goes in settings with an engine that is faster than `auto`."""
    target = folder or FOLDER
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
    """Write experiments/RESULTS.md and docs/compare/benchmarks.md from the CSV files, with their figures.

    With --output, write only the results, to that file.
    """
    source = folder or FOLDER
    kept = _kept(source)
    path = output or Path(__file__).parent / "RESULTS.md"
    more = sections.paragraphs(source)
    text = writing.markdown(BENCHMARKS, kept, results.read_profiles(source), source, more)
    path.write_text(text, encoding="utf-8")
    click.echo(path)
    if output is None and folder is None:
        site_page.PAGE.write_text(site_page.page(kept, source), encoding="utf-8")
        click.echo(site_page.PAGE)
        for question in question_sections.answered(kept):
            target = drawing.folder_of(question.benchmark)
            click.echo(question_sections.draw(question, kept[question.benchmark], target))
        for section in sections.measured(source):
            click.echo(section.draw(source, drawing.folder_of(section.name)))


def _kept(folder: Path) -> dict[str, results.Results]:
    """All results."""
    return {name: found for name in BENCHMARKS if (found := results.read(folder, name)) is not None}


def _chosen(names: tuple[str, ...]) -> list[Benchmark]:
    for name in names:
        if not any(one.startswith(name) for one in BENCHMARKS):
            raise click.UsageError(f"there is no benchmark {name}; `list` prints their names")
    return [
        benchmark
        for benchmark in BENCHMARKS.values()
        if not names or any(benchmark.name.startswith(name) for name in names)
    ]

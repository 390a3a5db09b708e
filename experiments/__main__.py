"""Benchmarks and other measurements: `python -m experiments COMMAND`."""

from importlib import import_module

import click

_COMMANDS = {
    "list": ("benchmark_commands.list_all", "List the benchmarks."),
    "run": ("benchmark_commands.run", "Run benchmarks: compare answers, then measure."),
    "profile": ("benchmark_commands.profile", "Find where the time of `auto` goes."),
    "figures": ("benchmark_commands.figures", "Draw the results of benchmarks."),
    "report": ("benchmark_commands.report", "Write experiments/RESULTS.md and the page of benchmarks."),
    "path": ("path.path.main", "Measure the whole path of a fact."),
    "jobs": ("jobs.jobs.main", "Measure the cost of jobs, also in plain loops and other systems."),
    "throughput": ("throughput.measure.main", "Measure latency at growing rates, also in other systems."),
    "scale": ("scale.measure.main", "Measure the reach of one process: facts, windows, rules, keys."),
    "long-runs": ("endurance.long_runs.main", "Compare early ticks with late ones."),
    "soak": ("endurance.soak.main", "Measure memory with constants that never repeat."),
    "kills": ("endurance.kills.main", "Interrupt runs again and again."),
    "spark-kills": ("endurance.spark_kills.main", "Kill runs on Spark again and again."),
    "firings": ("timing.firings.main", "Measure the delay of answers that time alone makes true."),
    "clingo-door": (
        "timing.clingo_door.main",
        "Measure the conversion of rows to clingo's symbols and back.",
    ),
    "recursion": ("recursion.measure.main", "Measure positive recursion: delta, external, by hand."),
    "explanations": ("timing.explanations.main", "Measure the cost of explanations."),
    "live-page": ("timing.live_page.main", "Measure the cost and the delays of a live page."),
    "tables": ("timing.tables.main", "Measure reading large files, also in pandas, pyarrow and DuckDB."),
    "triples": ("timing.triples.main", "Measure the speed of reading RDF triples."),
    "editor-keys": ("timing.editor_keys.main", "Measure the cost of a key in the language server."),
    "part-costs": ("timing.part_costs.main", "Measure the cost of parts of programs for a fact."),
    "beside": ("timing.beside.main", "Measure what a choice, a constraint, a function cost other rules."),
    "since-cost": ("timing.since_cost.main", "Measure the cost of ticks with rules since an atom."),
    "spark": ("on_spark.measure.main", "Measure batches on Spark, and one reasoner."),
    "window-queries": ("timing.window_queries.main", "Compare two forms of an interval stream."),
    "worst-ratios": ("ratios.measure.main", "Compare auto with oneshot on random programs."),
    "fuzz": ("fuzzing.fuzz.main", "Mutate input and programs."),
}
"""The places and descriptions of commands, by their names."""

_SPARK = ("pyspark",)
_PEERS = ("bytewax", "meteor_reasoner", "pathway", "pyflink", "telingo")


class _LazyCommands(click.Group):
    """The commands, each imported when it is called, so that `--help` imports none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names."""
        return [*_COMMANDS]

    def invoke(self, ctx: click.Context) -> object:
        """Runs a command. If a package is missing, the message says how to install it."""
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            package = (error.name or "").partition(".")[0]
            if package in ("", "examples", "experiments", "lars2asp"):
                raise
            extra = "spark" if package in _SPARK else "peers" if package in _PEERS else "experiments"
            install = f"pip install 'lars2asp[{extra}]'"
            raise click.ClickException(f"the package {package} is missing: {install}") from error

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One of them."""
        if cmd_name not in _COMMANDS:
            return None
        module, _, name = _COMMANDS[cmd_name][0].rpartition(".")
        command: click.Command = getattr(import_module(f"experiments.{module}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Their names with what they do."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


main = _LazyCommands(
    "experiments",
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    help="Measure lars2asp, native engines and other systems.",
)

if __name__ == "__main__":
    main()

"""Options that describe a program, and the program that they describe."""

from collections.abc import Iterable
from typing import Any

import click

from lars2asp.compiler import CheckedProgram, Overrides, checked_program, compile_plan
from lars2asp.planning.plan import Plan
from lars2asp.runtime.command_line.config_file import NamedValues
from lars2asp.runtime.command_line.options import (
    PREDICATE,
    Decorator,
    choice,
    name_and_value,
    number_from,
    together,
)
from lars2asp.runtime.reasoning.user_functions import given_functions, load_module, merged
from lars2asp.runtime.sources.text.byte_streams import plain_name
from lars2asp.runtime.sources.times.late_origin import with_own_moments
from lars2asp.syntax.diagnostics import Diagnostic
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.parser import read_sources
from lars2asp.syntax.source import Source, visible

_text_options = together(
    click.option(
        "--dialect",
        metavar="NAME",
        help="The system in whose language the program is: idlvsr (I-DLV-sr), dsr (Distributed-SR), "
        "laser, ticker, lars2asp. Settings stand behind a colon, as in idlvsr:t-unit=min. [default: found "
        "by a file's ending, or its first lines]",
    ),
    click.option(
        "-c",
        "--const",
        "constants",
        cls=NamedValues,
        type=name_and_value("n=5"),
        multiple=True,
        help="Give a #const another value, as in -c n=5.",
    ),
    click.option(
        "--only",
        type=PREDICATE,
        multiple=True,
        metavar="PRED/ARITY",
        help="Show this predicate alone, as in alarm/1, whatever #show says, and evaluate no rule that it "
        "does not need. May be given several times.",
    ),
    click.option("--tick", help="The length of a tick, as in '1 sec'; goes before #tick."),
    click.option(
        "--semantics",
        type=choice(Semantics),
        help="What windows over derived atoms see; goes before #semantics. [default: recorded]",
    ),
    click.option(
        "--largest-interval",
        type=number_from(1),
        metavar="N",
        help="How many values one interval L..U may have at a tick. [default: 1000000]",
    ),
    click.option(
        "--no-scripts",
        is_flag=True,
        help="For a program of others: refuse #script and --functions, and #include of what lies outside "
        "the folders of the program files.",
    ),
)

_functions_option = click.option(
    "--functions",
    "modules",
    metavar="FILE",
    multiple=True,
    help="A Python file with @-functions that the program calls.",
)


_DATA = (".csv", ".tsv", ".jsonl", ".parquet", ".feather", ".arrow")
"""How files of data end, which no program does."""


def _programs(_: click.Context, __: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        if plain_name(name).lower().endswith(_DATA):
            raise click.UsageError(f"{name} is a file of data, and no program: write --input {name}")
    return names


def _program_argument(*, is_required: bool) -> Decorator:
    kind = click.Path(dir_okay=False)
    return click.argument("program", nargs=-1, required=is_required, type=kind, callback=_programs)


program_text_options = together(_program_argument(is_required=True), _text_options)
"""Options that describe a program without Python functions."""

program_options = together(program_text_options, _functions_option)
"""Options that describe a program."""

optional_program_options = together(_program_argument(is_required=False), _text_options, _functions_option)
"""The same where there may be no program."""


def overrides_of(options: dict[str, Any]) -> Overrides:
    return Overrides.of(options, given_functions(options["context"]) if "context" in options else frozenset())


def context_of(options: dict[str, Any]) -> object:
    """The functions of the modules that are named; these are run."""
    if options["no_scripts"] and options["modules"]:
        raise click.UsageError("--functions runs Python code: leave it or --no-scripts out")
    return merged(map(load_module, options["modules"]))


def sources_of(options: dict[str, Any]) -> tuple[Source, ...]:
    """The program files. Raises Lars2aspError."""
    return read_sources(options["program"], options["dialect"])


def checked_of(options: dict[str, Any]) -> CheckedProgram:
    sources, trusted = sources_of(options), not options["no_scripts"]
    return checked_program(*sources, overrides=overrides_of(options), trusted=trusted)


def plan_of(options: dict[str, Any], *, explained: bool = False) -> Plan:
    return plan_of_checked(checked_of(options), explained=explained)


def plan_of_checked(checked: CheckedProgram, *, explained: bool = False) -> Plan:
    """The plan for one run; what is remarked on the program is said."""
    plan = compile_plan(checked, explained=explained)
    show_warnings(plan.warnings)
    return with_own_moments(plan)


def show_warnings(warnings: Iterable[Diagnostic]) -> None:
    for warning in warnings:
        click.echo(visible(str(warning)), err=True)

"""Options that describe a program, and the program that they describe."""

from collections.abc import Callable, Iterable
from typing import Any

import click

from lars2asp.compiler import CheckedProgram, Overrides, checked_program, compile_plan
from lars2asp.planning.plan import Plan
from lars2asp.runtime.reasoning.user_functions import given_functions, load_module, merged
from lars2asp.runtime.sources.given_declarations import added_sources
from lars2asp.runtime.sources.text.byte_streams import plain_name
from lars2asp.runtime.sources.times.late_origin import with_own_moments
from lars2asp.syntax.diagnostics import Diagnostic
from lars2asp.syntax.parser import read_sources
from lars2asp.syntax.source import Source, visible

_DATA = (".csv", ".tsv", ".jsonl", ".parquet", ".feather", ".arrow")
"""How files of data end, which no program does."""


def _programs(_: click.Context, __: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        if plain_name(name).lower().endswith(_DATA):
            raise click.UsageError(f"{name} is a data file, not a program: write --input {name}")
    return names


def _argument(*, is_required: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    kind = click.Path(dir_okay=False)
    return click.argument("program", nargs=-1, required=is_required, type=kind, callback=_programs)


program_argument = _argument(is_required=True)
"""The files of a program."""

optional_program_argument = _argument(is_required=False)
"""The same for a command that needs none."""


def overrides_of(options: dict[str, Any]) -> Overrides:
    return Overrides.of(options, given_functions(options["context"]) if "context" in options else frozenset())


def context_of(options: dict[str, Any]) -> object:
    """The functions of the modules that are named; these are run."""
    if not options["trusted"] and options["functions"]:
        raise click.UsageError("--functions runs Python code: leave it or --untrusted out")
    return merged(map(load_module, options["functions"]))


def sources_of(options: dict[str, Any]) -> tuple[Source, ...]:
    """The program files, and the declarations that `--declare` adds. Raises Lars2aspError."""
    return (
        *read_sources(options["program"], options["dialect"]),
        *added_sources(options.get("declare", ())),
    )


def checked_of(options: dict[str, Any]) -> CheckedProgram:
    sources, trusted = sources_of(options), options["trusted"]
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

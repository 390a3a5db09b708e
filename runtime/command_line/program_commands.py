"""The commands that run no program: `lars2asp check` and `compile`."""

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from lars2asp.analysis.argument_types.type_texts import type_lines
from lars2asp.compiler import check, compile_plan, read_program
from lars2asp.planning.plan import Plan
from lars2asp.runtime.command_line.exit_status import CANNOT_RUN, DONE, RECORDS_REJECTED
from lars2asp.runtime.command_line.input_check import fits, proposals
from lars2asp.runtime.command_line.input_options import (
    find_origin,
    inputs_option,
    lateness_of,
    reading_of,
    written_options,
)
from lars2asp.runtime.command_line.options import choice, evaluator_option, quiet_option
from lars2asp.runtime.command_line.program_options import (
    checked_of,
    context_of,
    optional_program_options,
    overrides_of,
    plan_of,
    program_options,
    show_warnings,
    sources_of,
)
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.evaluators.costs.meter import Cost
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.plan_drawing.drawing_format import DrawingFormat
from lars2asp.runtime.reasoning.user_functions import pure_by_text
from lars2asp.runtime.runs.processes.stop import prompt_end
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.tables.table_form import Dialect
from lars2asp.runtime.sources.times.late_origin import with_own_moments
from lars2asp.syntax.diagnostics import Diagnostic, Diagnostics, Severity
from lars2asp.syntax.nodes import NOW, Function, Program
from lars2asp.syntax.option_values import OptionValue
from lars2asp.syntax.parser import parse
from lars2asp.syntax.printer import program_text
from lars2asp.syntax.source import Source, shown, visible
from lars2asp.syntax.traversal import every

_OF_A_PROPOSAL = ("program", "inputs", "format_", "delimiter", "encoding", "missing", "is_quiet")


class WaysToSplit(StrEnum):
    """How a program is split over reasoners."""

    PARTITIONED = "partitioned"
    PIPELINED = "pipelined"


@click.command("check")
@optional_program_options
@inputs_option(
    "A file with input: say whether the program reads it; without a program propose the declarations. Given "
    "several times, files are merged by time, as run merges them.",
    default=None,
)
@written_options
@click.option(
    "--types",
    "with_types",
    is_flag=True,
    help="Print the type of each argument of each predicate, and what says so.",
)
@quiet_option
@click.pass_context
@prompt_end()
def check_command(context: click.Context, /, **options: Any) -> int:
    """Say all that is wrong with a program; exit 0 when nothing is.

    Scripts of the program are not run, but what they import is looked for.

    With --input, also whether its declarations fit a file: exit 1 if rows would be rejected. Without a
    program a table is looked at, or JSON lines whose records have fields of their own, or a log. What would
    read it is tried on all of it and printed, to be pasted; exit 1 if records would be lost, or no times are
    found.
    """
    if not options["program"]:
        if not options["inputs"]:
            raise click.UsageError("Missing argument 'PROGRAM...'.")
        proposed = proposals(options["inputs"], _form_of(context))
        click.echo(proposed.text, nl=False)
        return DONE if proposed.is_whole else RECORDS_REJECTED
    options["context"] = context_of(options)
    sources, trusted = sources_of(options), not options["no_scripts"]
    diagnostics = check(*sources, overrides=overrides_of(options), trusted=trusted, informs=True)
    if trusted and any("#script" in source.text or "#include" in source.text for source in sources):
        diagnostics = (*diagnostics, *_missing_imports(sources))
    for diagnostic in diagnostics:
        click.echo(visible(str(diagnostic)), err=True)
    if any(d.severity is Severity.ERROR for d in diagnostics):
        return CANNOT_RUN
    if options["with_types"]:
        for line in type_lines(checked_of(options).types):
            click.echo(visible(line))
    if not options["inputs"]:
        return DONE
    plan = with_own_moments(compile_plan(checked_of(options)))
    reading = reading_of(plan, options)
    find_origin(reading, options)
    waited = lateness_of(reading, options["inputs"])
    return fits(options["inputs"], reading, waited, plan.program, is_quiet=options["is_quiet"])


def _form_of(context: click.Context) -> Reading:
    """What is known of how a table is written of which a program is to be proposed. Raises UsageError."""
    for option in context.command.params:
        name = option.name or ""
        is_given = context.get_parameter_source(name) is not ParameterSource.DEFAULT
        if is_given and name not in _OF_A_PROPOSAL:
            raise click.UsageError(f"{option.opts[-1]} goes with a program that reads the input")
    options = context.params
    return Reading(
        Format(options["format_"]) if options["format_"] else None,
        dialect=Dialect(options["delimiter"], frozenset(options["missing"]), options["encoding"]),
        own=options["own_settings"],
    )


def _missing_imports(sources: tuple[Source, ...]) -> tuple[Diagnostic, ...]:
    """What is wrong with the imports of the program's scripts."""
    from lars2asp.runtime.reasoning.script_imports import check_imports  # noqa: PLC0415 - few need it

    found = Diagnostics()
    check_imports(read_program(*sources, diagnostics=Diagnostics()), found)
    return found.found


class Target(OptionValue):
    """What `compile` makes of a program."""

    ASP = "asp"
    LARS2ASP = "lars2asp"


class _CompileCommand(click.Command):
    """The command `compile`, whose option --split may have a value, or be followed by a program."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Takes the arguments: what comes behind --split is its value only if it is one of the values."""
        values, following = [*WaysToSplit], [*args[1:], ""]
        given = [
            f"{one}={WaysToSplit.PARTITIONED}" if one == "--split" and after not in values else one
            for one, after in zip(args, following, strict=False)
        ]
        return super().parse_args(ctx, given)


@click.command("compile", cls=_CompileCommand)
@program_options
@click.option("--plan", "as_plan", is_flag=True, help="Print the components, what evaluates each, and why.")
@click.option("--code", "with_code", is_flag=True, help="Print the plan with the code that `delta` makes.")
@click.option(
    "--split",
    "splitting",
    type=choice(WaysToSplit),
    help="Print how the program can be split over several reasoners, and why not further: so that each reads "
    "the input alone (--split), or that some also read what others derive (--split=pipelined).",
)
@evaluator_option("The evaluator that is asked for, with --plan.")
@click.option(
    "--to",
    "target",
    type=choice(Target),
    help="What the program becomes: ASP text, or, of the program of another system, the program in the "
    "language of lars2asp. [default: asp]",
)
@click.option(
    "--format",
    "drawing",
    type=choice(DrawingFormat),
    help="Draw the plan: a page to look at (html), a graph for Graphviz (dot), the picture that it makes "
    "(svg). [default: text]",
)
@click.option(
    "--stats-json",
    "statistics_file",
    metavar="FILE",
    help="What a run has cost, as run --stats-json has written it: the plan shows it at its components.",
)
@prompt_end()
def compile_command(**options: Any) -> int:
    """Print the ASP text that a program becomes, and what its windows look at; or its plan.

    \b
    The plan as a page, with what a run has cost:
      lars2asp run rooms.lars --input readings.csv --output answers.jsonl --stats-json costs.json
      lars2asp compile rooms.lars --plan --format html --stats-json costs.json > plan.html
    """
    options["context"] = context_of(options)
    if options["target"] == Target.LARS2ASP:
        click.echo(_as_written_here(options), nl=False)
        return DONE
    if options["splitting"]:
        from lars2asp.splitting.split import split  # noqa: PLC0415
        from lars2asp.splitting.split_text import split_text  # noqa: PLC0415

        checked = checked_of(options)
        show_warnings(checked.warnings)
        is_pipelined = options["splitting"] == WaysToSplit.PIPELINED
        found = split(checked.program, checked.semantics, pipelined=is_pipelined)
        click.echo(split_text(found), nl=False)
        return DONE
    from lars2asp.runtime.evaluators.plan_text import meaning_lines, plan_text  # noqa: PLC0415

    plan = plan_of(options)
    if any(options[name] for name in ("as_plan", "with_code", "drawing", "statistics_file")):
        evaluator = EvaluatorName(options["evaluator"])
        pure, costs = pure_by_text(plan, options["context"]), _costs_of(plan, evaluator, options)
        if options["drawing"] is None:
            text = plan_text(plan, evaluator, pure, with_code=options["with_code"], costs=costs)
        else:
            text = _drawn(plan, evaluator, pure, costs, options)
    else:
        text = _listing(plan, meaning_lines(plan))
    click.echo(text, nl=False)
    return DONE


def _as_written_here(options: dict[str, Any]) -> str:
    """The program in the language of lars2asp. Raises ProgramError for what cannot be read."""
    diagnostics = Diagnostics()
    program = parse(*sources_of(options), diagnostics=diagnostics, trusted=not options["no_scripts"])
    diagnostics.raise_errors()
    _tell_of_functions(program, diagnostics)
    show_warnings(diagnostics.found)
    return program_text(program)


def _tell_of_functions(program: Program, diagnostics: Diagnostics) -> None:
    """Says that functions which get Python's values in a dialect need annotations for that here."""
    from lars2asp.syntax.dialects.registry import dialect_of  # noqa: PLC0415 - most programs are ours

    for call in every(Function, *program.statements):
        source = call.location.source
        if call.is_external and call != NOW and source.dialect and dialect_of(source).has_python_values:
            diagnostics.info(
                call.location,
                f"as a program of lars2asp @{call.name} gets what its parameters are annotated as",
                f"write for instance def {call.name}(x: int); without that they are clingo's symbols",
            )
            return


def _costs_of(plan: Plan, evaluator: EvaluatorName, options: dict[str, Any]) -> Mapping[str, Cost]:
    """What the components of a plan have cost in a run. Raises InputError where it was of another plan."""
    from lars2asp.runtime.evaluators.plan_text import derived  # noqa: PLC0415
    from lars2asp.runtime.runs.command.run_statistics import read_costs  # noqa: PLC0415

    path = options["statistics_file"]
    if path is None:
        return {}
    costs = read_costs(path)
    is_whole = evaluator is EvaluatorName.ONESHOT
    for component in (plan.whole,) if is_whole else plan.components:
        if derived(plan, component) not in costs:
            what = shown(derived(plan, component))
            raise InputError(
                f"{path}: no component derives {what}: the run was of another program, or with another "
                "--evaluator; give the same one"
            )
    return costs


def _drawn(
    plan: Plan,
    evaluator: EvaluatorName,
    pure: Collection[str],
    costs: Mapping[str, Cost],
    options: dict[str, Any],
) -> str:
    """The drawing of a plan. Raises UsageError."""
    from lars2asp.runtime.evaluators.choice import assign  # noqa: PLC0415
    from lars2asp.runtime.plan_drawing.drawing import drawing_of  # noqa: PLC0415

    if options["with_code"]:
        raise click.UsageError("--code is text: leave out --format")
    title = ", ".join(Path(name).name for name in options["program"])
    drawing = drawing_of(plan, assign(plan, evaluator, pure), costs, title)
    return drawing.to_text(DrawingFormat(options["drawing"]))


def _listing(plan: Plan, meaning: Iterable[str]) -> str:
    parts = [f"% {line}\n" for line in meaning]
    program = plan.whole.program
    parts.append(f"#program {program.names.part}({program.names.now}).\n")
    last = None
    for line in program.lines:
        if line.origin != last and line.origin.source.text:
            text = line.origin.source.text[line.origin.begin : line.origin.end]
            parts.append(f"\n% {line.origin}: {visible(' '.join(text.split()))}\n")
        last = line.origin
        parts.append(f"{line.text}\n")
    return "".join(parts)

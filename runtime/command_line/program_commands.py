"""The commands that run no program: `lars2asp check` and `compile`."""

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from lars2asp.analysis.argument_types.type_texts import type_lines
from lars2asp.compiler import compile_plan, examine, read_program
from lars2asp.planning.plan import Plan
from lars2asp.runtime.command_line.exit_status import CANNOT_RUN, DONE, RECORDS_REJECTED
from lars2asp.runtime.command_line.input_check import NoProposalError, fits, proposals
from lars2asp.runtime.command_line.input_options import (
    find_origin,
    lateness_of,
    reading_of,
)
from lars2asp.runtime.command_line.program_options import (
    checked_of,
    context_of,
    optional_program_argument,
    overrides_of,
    plan_of,
    program_argument,
    show_warnings,
    sources_of,
)
from lars2asp.runtime.command_line.setting_options import setting_options
from lars2asp.runtime.command_line.settings_command import SettingsCommand
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.evaluators.costs.meter import Cost
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.plan_drawing.drawing_format import DrawingFormat
from lars2asp.runtime.reasoning.user_functions import pure_by_text
from lars2asp.runtime.runs.processes.stop import prompt_end
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.times.late_origin import with_own_moments
from lars2asp.syntax import codes
from lars2asp.syntax.diagnostics import Diagnostic, Diagnostics, Severity
from lars2asp.syntax.nodes import NOW, Function, Input, Program, is_plain_fact
from lars2asp.syntax.option_values import OptionValue
from lars2asp.syntax.parser import parse
from lars2asp.syntax.printer import program_text
from lars2asp.syntax.source import Source, shown, visible
from lars2asp.syntax.traversal import every

_OF_A_PROPOSAL = ("program", "input", "input_format", "delimiter", "encoding", "missing", "quiet")


class WaysToSplit(StrEnum):
    """How a program is split over reasoners."""

    PARTITIONED = "partitioned"
    PIPELINED = "pipelined"


@click.command("check", cls=SettingsCommand)
@optional_program_argument
@setting_options("check")
@click.pass_context
@prompt_end()
def check_command(context: click.Context, /, **options: Any) -> int:
    """Report problems of a program, and of its input; exit 0 if there are none.

    lars2asp does not run scripts of the program, but it looks for the modules they import.

    With --input, lars2asp also checks that the declarations fit the file. It exits with 1 if a run would
    reject rows. Without a program, give a table, JSON lines or a log: lars2asp proposes declarations, tries
    them on the whole file, and prints them for you to paste. It then exits with 1 if records would be lost,
    if it found no times, or if it cannot read the file as records.
    """
    if not options["program"]:
        if not options["input"]:
            raise click.UsageError("Missing argument 'PROGRAM...'.")
        try:
            proposed = proposals(options["input"], _form_of(context))
        except NoProposalError as error:
            click.echo(f"error: {visible(str(error))}", err=True)
            return RECORDS_REJECTED
        click.echo(proposed.text, nl=False)
        return DONE if proposed.is_whole else RECORDS_REJECTED
    options["context"] = context_of(options)
    sources, trusted = sources_of(options), options["trusted"]
    diagnostics, program = examine(*sources, overrides=overrides_of(options), trusted=trusted, informs=True)
    if trusted and any("#script" in source.text or "#include" in source.text for source in sources):
        diagnostics = (*diagnostics, *_missing_imports(sources))
    for diagnostic in diagnostics:
        click.echo(visible(str(diagnostic)), err=True)
    if any(d.severity is Severity.ERROR for d in diagnostics):
        return CANNOT_RUN
    if options["types"]:
        for line in type_lines(checked_of(options).types):
            click.echo(visible(line))
    if not options["input"]:
        if not options["quiet"] and all(one.severity is Severity.INFO for one in diagnostics):
            names = ", ".join(options["program"])
            click.echo(f"{visible(names)}: no problems found ({_size(program)})", err=True)
        return DONE
    plan = with_own_moments(compile_plan(checked_of(options)))
    reading = reading_of(plan, options)
    find_origin(reading, options)
    waited = lateness_of(reading, options["input"])
    return fits(options["input"], reading, waited, plan.program, is_quiet=options["quiet"])


def _form_of(context: click.Context) -> Reading:
    """What is known of how a table is written of which a program is to be proposed. Raises UsageError."""
    for option in context.command.params:
        name = option.name or ""
        is_given = context.get_parameter_source(name) is not ParameterSource.DEFAULT
        if is_given and name not in _OF_A_PROPOSAL:
            raise click.UsageError(f"{option.opts[-1]} needs a program that reads the input")
    options = context.params
    return Reading(
        Format(options["input_format"]) if options["input_format"] else None,
        **{name: options[name] for name in ("delimiter", "missing", "encoding")},
        own=options["own_settings"],
    )


def _size(program: Program) -> str:
    """How many rules and inputs a program has, as it is written."""
    rules = {one.location for one in program.rules() if not (is_plain_fact(one) or one.is_of_formula)}
    inputs = {one.predicate for one in program.every(Input)}
    return f"{_number(len(rules), 'rule')}, {_number(len(inputs), 'input')}"


def _number(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


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


class _CompileCommand(SettingsCommand):
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
@program_argument
@setting_options("compile")
@prompt_end()
def compile_command(**options: Any) -> int:
    """Print a program as ASP text, or its plan.

    \b
    Draw the plan as a page, with the costs of a run:
      lars2asp run rooms.lars --input readings.csv --output answers.jsonl --stats-json costs.json
      lars2asp compile rooms.lars --plan --output-format html --costs costs.json > plan.html
    """
    options["context"] = context_of(options)
    if options["target"] == Target.LARS2ASP:
        click.echo(_as_written_here(options), nl=False)
        return DONE
    if options["split"]:
        from lars2asp.splitting.split import split  # noqa: PLC0415
        from lars2asp.splitting.split_text import split_text  # noqa: PLC0415

        checked = checked_of(options)
        show_warnings(checked.warnings)
        is_pipelined = options["split"] == WaysToSplit.PIPELINED
        found = split(checked.program, checked.semantics, pipelined=is_pipelined)
        click.echo(split_text(found), nl=False)
        return DONE
    from lars2asp.runtime.evaluators.plan_text import meaning_lines, plan_text  # noqa: PLC0415

    plan = plan_of(options)
    if any(options[name] for name in ("plan", "code", "output_format", "costs")):
        evaluator = EvaluatorName(options["evaluator"])
        pure, costs = pure_by_text(plan, options["context"]), _costs_of(plan, evaluator, options)
        if options["output_format"] is None:
            text = plan_text(plan, evaluator, pure, with_code=options["code"], costs=costs)
        else:
            text = _drawn(plan, evaluator, pure, costs, options)
    else:
        text = _listing(plan, meaning_lines(plan))
    click.echo(text, nl=False)
    return DONE


def _as_written_here(options: dict[str, Any]) -> str:
    """The program in the language of lars2asp. Raises ProgramError for what cannot be read."""
    diagnostics = Diagnostics()
    program = parse(*sources_of(options), diagnostics=diagnostics, trusted=options["trusted"])
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
                f"in lars2asp, @{call.name} receives values of the annotated types of its parameters",
                f"write for example def {call.name}(x: int), or it receives symbols of clingo",
                code=codes.DIALECT_DIFFERENCE,
            )
            return


def _costs_of(plan: Plan, evaluator: EvaluatorName, options: dict[str, Any]) -> Mapping[str, Cost]:
    """What the components of a plan have cost in a run. Raises InputError where it was of another plan."""
    from lars2asp.runtime.evaluators.plan_text import derived  # noqa: PLC0415
    from lars2asp.runtime.runs.command.run_statistics import read_costs  # noqa: PLC0415

    path = options["costs"]
    if path is None:
        return {}
    costs = read_costs(path)
    is_whole = evaluator is EvaluatorName.ONESHOT
    for component in (plan.whole,) if is_whole else plan.components:
        if derived(plan, component) not in costs:
            what = shown(derived(plan, component))
            raise InputError(
                f"{path}: no part of the program derives {what}: the costs are of another program or "
                "another --evaluator: use the same ones"
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

    if options["code"]:
        raise click.UsageError("--code prints text: remove --output-format")
    title = ", ".join(Path(name).name for name in options["program"])
    drawing = drawing_of(plan, assign(plan, evaluator, pure), costs, title)
    return drawing.to_text(DrawingFormat(options["output_format"]))


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

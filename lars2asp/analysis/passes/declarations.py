"""The passes that check what a program declares: constants, the length of a tick, time zone, semantics."""

from datetime import time
from itertools import islice

from lars2asp.analysis.argument_types.declared_types import type_declarations, types_in
from lars2asp.analysis.arithmetic.constants import integer_value
from lars2asp.analysis.calendar_atoms import CALENDAR_ATOMS, HOLIDAY
from lars2asp.analysis.declared_time import (
    MICROSECONDS,
    counts_days,
    declared_zone,
    moment_of,
    tick_length,
    zone_of,
)
from lars2asp.analysis.line_patterns import LinePattern, LinePatternError
from lars2asp.analysis.predicates import all_predicates
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.analysis.time_formats import format_problem
from lars2asp.syntax import codes, nodes
from lars2asp.syntax.argument_type import ArgumentType
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Program, Signature, Variable
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.rdf_terms import is_iri
from lars2asp.syntax.source import Location, shown
from lars2asp.syntax.traversal import walk


def check_constants(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> Program:
    """Reports constants that are defined twice, or as no one term.

    In the program returned a definition with `[override]` has taken the place of one without.
    """
    program = analysis.program
    overridden = {s.name for s in program.every(nodes.Constant) if s.is_override}
    statements = tuple(
        s
        for s in program.statements
        if not (isinstance(s, nodes.Constant) and s.name in overridden and not s.is_override)
    )
    seen: set[str] = set()
    for statement in statements:
        if isinstance(statement, nodes.Constant):
            name, value = statement.name, statement.value
            if name in seen:
                diagnostics.error(
                    statement.location,
                    f"the constant {name} is defined twice",
                    "keep one definition; -c name=value overrides it",
                    code=codes.GIVEN_TWICE,
                )
            seen.add(name)
            if name not in analysis.constant_terms and value != nodes.Function(name):
                diagnostics.error(
                    statement.location,
                    f"the constant {name} is defined in terms of itself",
                    code=codes.CONSTANT_VALUE,
                )
            for part in walk(value):
                if isinstance(part, Variable):
                    diagnostics.error(
                        part.location,
                        f"the value of {name} must not contain variables",
                        code=codes.CONSTANT_VALUE,
                    )
                elif isinstance(part, nodes.Function) and part.is_external:
                    diagnostics.error(
                        part.location, f"the value of {name} must not be an @-call", code=codes.CONSTANT_VALUE
                    )
                elif isinstance(part, nodes.BinaryOperation) and part.operator == "..":
                    diagnostics.error(
                        part.location,
                        f"the value of {name} must be one term, no interval",
                        code=codes.CONSTANT_VALUE,
                    )
    return Program(statements, program.sources)


def check_type_declarations(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Reports places that are declared in two ways, and remarks on predicates that do not occur."""
    program = analysis.program
    said: dict[tuple[str, int, int], ArgumentType] = {}
    known: set[tuple[str, int]] | None = None
    for one in type_declarations(program):
        name, types = one.predicate, types_in(one)
        arity, what = len(types), "decimals" if isinstance(one, nodes.Decimals) else "types"
        if known is None:
            known = {(signature.name, signature.arity) for signature in all_predicates(program)}
            known |= {(table.predicate, len(table.columns)) for table in program.every(nodes.Input)}
        if (name, arity) not in known:
            others = sorted(Signature(*each) for each in known if each[0] == name)
            diagnostics.warning(
                one.location,
                f"#{what} {name}/{arity}: the program does not use this predicate",
                f"did you mean {others[0]}?" if others else "check the spelling",
                code=codes.UNKNOWN_DECLARED,
            )
        for place, found in enumerate(types):
            if found is not None and said.setdefault((name, arity, place), found) != found:
                diagnostics.error(
                    one.location,
                    f"the {what} of {name}/{arity} are declared twice, in different ways",
                    "keep one of the declarations",
                    code=codes.GIVEN_TWICE,
                )


def check_declarations(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Reports what is declared twice, zones that do not exist, and tick lengths and moments that are none."""
    program = analysis.program
    _check_once(
        program, nodes.SemanticsChoice, "the semantics is chosen twice", "keep one #semantics", diagnostics
    )
    _check_once(program, nodes.TimeZone, "the time zone is given twice", "keep one #timezone", diagnostics)
    for zone in program.every(nodes.TimeZone):
        if zone_of(zone.name.value) is None:
            diagnostics.error(
                zone.name.location,
                f"{shown(zone.name.value) or 'the empty string'} is not a time zone",
                'use a name of the tz database, such as "Europe/Vienna" or "UTC"',
                code=codes.UNKNOWN_ZONE,
            )
    _check_origin(program, diagnostics)
    _check_once(
        program, nodes.CompleteWindows, "#complete_windows is given twice", "keep one of them", diagnostics
    )
    _check_once(program, nodes.Tick, "the tick length is given twice", "keep one #tick", diagnostics)
    for tick in program.every(nodes.Tick):
        size = integer_value(tick.duration.size, analysis.constants)
        if size is None or not 1 <= size <= nodes.LARGEST_INTEGER:
            message = f"a tick's length must be an integer from 1 to {nodes.LARGEST_INTEGER}"
            diagnostics.error(tick.duration.location, message, code=codes.WRONG_DURATION)
        if tick.duration.unit not in MICROSECONDS:
            diagnostics.error(
                tick.duration.location,
                "the length of a tick needs a unit",
                f"write for example #tick 1 sec. (units: {', '.join(MICROSECONDS)})",
                code=codes.WRONG_DURATION,
            )
    _check_lateness(analysis, diagnostics)
    _check_held(analysis, diagnostics)
    _check_calendar(analysis, diagnostics)
    for declaration in program.every(nodes.Input):
        columns = [one.time_format for one in declaration.all_columns if one.conversion == "time"]
        times = declaration.time_formats
        for place, form in enumerate((*times, *columns)):
            problem = format_problem(form, needs_date=place >= len(times)) if form else None
            if problem is not None:
                message = f'"{shown(form)}" is not a time format: {problem.reason}'
                diagnostics.error(declaration.location, message, problem.hint, code=codes.TIME_FORMAT)
        if declaration.pattern:
            _check_pattern(declaration, diagnostics)
        elif declaration.rdf_property or any(map(is_iri, declaration.times)):
            _check_triples(declaration, diagnostics)


def _check_pattern(declaration: nodes.Input, diagnostics: Diagnostics) -> None:
    """Its columns are places of its pattern."""
    pattern = LinePattern(declaration.pattern)
    try:
        names = pattern.names
    except LinePatternError as error:
        message = f'"{shown(declaration.pattern)}" is not a line pattern: {error}'
        diagnostics.error(
            declaration.location, message, 'write for example "{user} from {ip}"', code=codes.LINE_PATTERN
        )
        return
    for column in declaration.all_columns:
        for name in column.names if column.is_cell else ():
            if name not in names:
                hint = f"its places are {', '.join(names)}"
                diagnostics.error(
                    column.location, f"the pattern has no place {{{name}}}", hint, code=codes.PATTERN_PLACE
                )
    if declaration.has_lists or declaration.spread is not None:
        what = "JSON records" if declaration.spread is None else "tables and JSON records"
        diagnostics.error(
            declaration.location,
            f"`each` works with {what} only, but this #input reads lines of text",
            code=codes.MISPLACED_EACH,
        )
    for message, hint in dict.fromkeys(pattern.warnings()):
        diagnostics.warning(
            declaration.location, f"#input {declaration.predicate}: {message}", hint, code=codes.LINE_PATTERN
        )


def _check_triples(declaration: nodes.Input, diagnostics: Diagnostics) -> None:
    """Its columns are the terms of triples, and its time is a property."""
    place, cells = declaration.location, declaration.cells
    if declaration.rdf_property and len(cells) not in (2, 3):
        hint = "write for example #input speed(S,V) from ex:speed."
        message = "with a property after `from`, the columns are subject, object and, if you need it, graph"
        diagnostics.error(place, message, hint, code=codes.TRIPLES_INPUT)
    elif not declaration.rdf_property and len(cells) not in (3, 4):
        hint = "write for example #input triple(S,P,any(O))., or add `from` and a property"
        message = "the columns of triples are subject, property, object and, if you need it, graph"
        diagnostics.error(place, message, hint, code=codes.TRIPLES_INPUT)
    if len({column.name for column in cells}) < len(cells):
        diagnostics.error(
            place, "two columns have the same name", "give each column its own name", code=codes.TRIPLES_INPUT
        )
    if declaration.conditions or any(column.is_fixed for column in declaration.columns):
        hint = "filter the facts with a rule"
        diagnostics.error(
            place,
            "`where` and `fixed(...)` work with records only, but this #input reads triples",
            hint,
            code=codes.TRIPLES_INPUT,
        )
    if declaration.other_times:
        diagnostics.error(
            place, "triples have only one time", "name one property after `at`", code=codes.TRIPLES_INPUT
        )
    if declaration.joined or any(column.joined for column in cells):
        diagnostics.error(
            place,
            "`at` cannot join several terms of triples",
            "name one property after `at`",
            code=codes.TRIPLES_INPUT,
        )
    if declaration.has_lists or declaration.spread is not None:
        what = "JSON records" if declaration.spread is None else "tables and JSON records"
        diagnostics.error(
            place, f"`each` works with {what} only, but this #input reads triples", code=codes.MISPLACED_EACH
        )


def _check_origin(program: Program, diagnostics: Diagnostics) -> None:
    _check_once(program, nodes.Origin, "the origin is given twice", "keep one #origin", diagnostics)
    for origin in program.every(nodes.Origin):
        text = origin.moment.value
        moment = moment_of(text)
        if moment is None:
            diagnostics.error(
                origin.moment.location,
                f"{shown(text) or 'the empty string'} is not an ISO 8601 timestamp",
                'write for example #origin "2026-01-01T00:00:00Z".',
                code=codes.WRONG_ORIGIN,
            )
        elif moment.tzinfo is None and not any(program.every(nodes.TimeZone)):
            diagnostics.error(
                origin.moment.location,
                f"the origin {shown(text)} has no UTC offset",
                f"write {moment.isoformat()}Z for UTC, or set the zone with --timezone or #timezone "
                '"Europe/Vienna".',
                code=codes.WRONG_ORIGIN,
            )
        elif moment.tzinfo is not None and counts_days(program):
            local = moment.astimezone(declared_zone(program))
            if local.time() != time():
                diagnostics.error(
                    origin.moment.location,
                    f"days of #tick would begin at {local.time().isoformat()} by the clock of {local.tzinfo}",
                    f'write #origin "{local.date()}". for midnight, or remove the offset to keep this time; '
                    "for ticks of exactly 24 hours, write #tick 24 hour.",
                    code=codes.WRONG_ORIGIN,
                )


def _check_lateness(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    program = analysis.program
    _check_once(program, nodes.Lateness, "the lateness is given twice", "keep one #lateness", diagnostics)
    message, hint = "the largest gap is given twice", "keep one #largest_gap"
    _check_once(program, nodes.LargestGap, message, hint, diagnostics)
    late = "a lateness", 0, "0 or more", "#lateness 5 min."
    gap = "a largest gap", 1, "1 or more", "#largest_gap 1 hour."
    durations = [(one.duration, late) for one in program.every(nodes.Lateness)]
    durations += [(one.duration, gap) for one in program.every(nodes.LargestGap)]
    for duration, (what, least, wanted, example) in durations:
        size = integer_value(duration.size, analysis.constants)
        if size is None or size < least:
            diagnostics.error(
                duration.location, f"{what} must be {wanted}", f"write {example}", code=codes.WRONG_DURATION
            )
        elif duration.unit in MICROSECONDS and tick_length(program) is None:
            diagnostics.error(
                duration.location,
                f"{what} with a unit needs the length of a tick",
                "add for example #tick 1 sec.",
                code=codes.UNIT_WITHOUT_TICK,
            )


def _check_held(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    first: dict[nodes.Signature, nodes.Held] = {}
    for held in analysis.program.every(nodes.Held):
        predicate, location = held.predicate, held.location
        before = first.setdefault(predicate, held)
        if before is not held:
            place = f"{before.location.source.name}:{before.location.line}"
            message = f"#held is given twice for {predicate}, first at {place}"
            diagnostics.error(location, message, "keep one #held for each predicate", code=codes.GIVEN_TWICE)
        names = set[str]()
        for argument in held.arguments:
            if not isinstance(argument, Variable):
                diagnostics.error(
                    argument.location,
                    f"{to_text(argument)} is not a variable: #held covers all facts of {predicate}",
                    "write variables, and _ for arguments that `by` does not name",
                    code=codes.HELD_ARGUMENT,
                )
            elif not argument.is_anonymous and argument.name in names:
                diagnostics.error(
                    argument.location,
                    f"{argument.name} occurs twice in #held",
                    "give each argument its own variable, or write _",
                    code=codes.HELD_ARGUMENT,
                )
            else:
                names.add(argument.name)
        for variable in held.group:
            if variable not in held.arguments:
                diagnostics.error(
                    variable.location,
                    f"{variable.name} is not an argument of {predicate.name}",
                    "after `by`, write arguments"
                    + "".join(f"{', ' if n else ', such as '}{one}" for n, one in enumerate(sorted(names)))
                    + ": a new fact replaces the last fact with the same values",
                    code=codes.HELD_ARGUMENT,
                )
        if predicate in analysis.derived:
            diagnostics.warning(
                location,
                f"#held covers input only, but rules derive {predicate}",
                "derive another predicate, or use a window in the rule",
                code=codes.DERIVED_HELD,
            )


def _check_calendar(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    program = analysis.program
    length, places = tick_length(program), _places_of_others(analysis)
    first: dict[Signature, nodes.Calendar] = {}
    for one in program.every(nodes.Calendar):
        predicate, location = one.predicate, one.location
        known = CALENDAR_ATOMS.get(predicate.name) if predicate.is_positive else None
        if known is None or known.arity != predicate.arity:
            atoms = ", ".join(f"{name}({atom.arguments})" for name, atom in CALENDAR_ATOMS.items())
            diagnostics.error(
                location, f"the calendar has no {predicate}", f"use one of: {atoms}", code=codes.CALENDAR
            )
            continue
        if not any(program.every(nodes.TimeZone)):
            hint = 'add for example #timezone "Europe/Vienna"., or use --timezone'
            diagnostics.error(
                location, "#calendar needs a time zone", hint, is_shared=True, code=codes.CALENDAR
            )
        if length is None:
            hint = "add for example #tick 1 sec. to the program"
            diagnostics.error(
                location, "#calendar needs the length of a tick", hint, is_shared=True, code=codes.CALENDAR
            )
        elif length > known.unit:
            diagnostics.error(
                location,
                f"ticks are too long for {predicate}",
                "use a shorter #tick, or remove the atom",
                code=codes.CALENDAR,
            )
        if (one.file is None) is (predicate.name == HOLIDAY):
            diagnostics.error(
                location,
                f"{predicate} needs a file" if one.file is None else f"{predicate} takes no file",
                'only holidays come from a file: #calendar holiday(N) from "holidays.csv".',
                code=codes.CALENDAR,
            )
        before = first.setdefault(predicate, one)
        place = before.location if before is not one else places.get(predicate)
        if place is not None:
            diagnostics.error(
                location,
                f"{predicate} comes from #calendar, but is also input or derived at "
                f"{place.source.name}:{place.line}"
                if before is one
                else f"{predicate} is in #calendar twice, first in line {place.line}",
                "rename the other predicate" if before is one else "remove one of them",
                code=codes.CALENDAR,
            )
        for argument in one.arguments:
            if not isinstance(argument, Variable):
                diagnostics.error(
                    argument.location,
                    f"{to_text(argument)} is not a variable: #calendar provides all atoms of {predicate}",
                    "write a variable here, and choose in rules: weekday(6)",
                    code=codes.CALENDAR,
                )


def _places_of_others(analysis: ProgramAnalysis) -> dict[Signature, Location]:
    """Where predicates are derived, or told by something else than the calendar."""
    program = analysis.program
    places = {head.atom.signature: rule.location for rule, head in reversed(analysis.heads)}
    places |= {signature: facts[0].location for signature, facts in analysis.facts.items()}
    places |= {Signature(one.predicate, len(one.columns)): one.location for one in program.every(nodes.Input)}
    places |= {one.predicate: one.location for one in program.every(nodes.Held)}
    return places | {one.atom.signature: one.location for one in program.every(nodes.External)}


def _check_once(
    program: Program, kind: type[nodes.Declaration], message: str, hint: str, diagnostics: Diagnostics
) -> None:
    for again in islice(program.every(kind), 1, None):
        diagnostics.error(again.location, message, hint, code=codes.GIVEN_TWICE)

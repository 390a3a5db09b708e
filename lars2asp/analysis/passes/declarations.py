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
from lars2asp.syntax import nodes
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
                    "keep one; values from outside go before it: -c name=value",
                )
            seen.add(name)
            if name not in analysis.constant_terms and value != nodes.Function(name):
                diagnostics.error(statement.location, f"the constant {name} is defined by itself")
            for part in walk(value):
                if isinstance(part, Variable):
                    diagnostics.error(part.location, f"the value of {name} must not have variables")
                elif isinstance(part, nodes.Function) and part.is_external:
                    diagnostics.error(part.location, f"the value of {name} must not be an @-call")
                elif isinstance(part, nodes.BinaryOperation) and part.operator == "..":
                    diagnostics.error(part.location, f"the value of {name} must be one term, no interval")
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
                f"{name}/{arity} has {what}, but does not occur in the program",
                f"is {others[0]} meant?" if others else "is the name misspelt?",
            )
        for place, found in enumerate(types):
            if found is not None and said.setdefault((name, arity, place), found) != found:
                diagnostics.error(
                    one.location,
                    f"the {what} of {name}/{arity} are declared twice, in different ways",
                    "keep one of the declarations",
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
                'zones have the names of the tz database, such as "Europe/Vienna" or "UTC"',
            )
    _check_origin(program, diagnostics)
    _check_once(
        program, nodes.CompleteWindows, "#complete_windows stands twice", "keep one of them", diagnostics
    )
    _check_once(program, nodes.Tick, "the tick length is given twice", "keep one #tick", diagnostics)
    for tick in program.every(nodes.Tick):
        size = integer_value(tick.duration.size, analysis.constants)
        if size is None or not 1 <= size <= nodes.LARGEST_INTEGER:
            message = f"a tick's length must be an integer from 1 to {nodes.LARGEST_INTEGER}"
            diagnostics.error(tick.duration.location, message)
        if tick.duration.unit not in MICROSECONDS:
            diagnostics.error(
                tick.duration.location,
                "a tick's length needs a unit",
                f"write for instance #tick 1 sec. (units are {', '.join(MICROSECONDS)})",
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
                message = f'"{shown(form)}" is not a format of times: {problem.reason}'
                diagnostics.error(declaration.location, message, problem.hint)
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
        message = f'"{shown(declaration.pattern)}" is not a pattern of lines: {error}'
        diagnostics.error(declaration.location, message, "write for instance {user} from {ip}")
        return
    for column in declaration.all_columns:
        for name in column.names if column.is_cell else ():
            if name not in names:
                hint = f"its places are {', '.join(names)}"
                diagnostics.error(column.location, f"the pattern has no place {{{name}}}", hint)
    if declaration.has_lists or declaration.spread is not None:
        what = "JSON records" if declaration.spread is None else "tables and JSON records"
        diagnostics.error(declaration.location, f"each is for {what}, and these are lines of text")
    for message, hint in dict.fromkeys(pattern.warnings()):
        diagnostics.warning(declaration.location, f"#input {declaration.predicate}: {message}", hint)


def _check_triples(declaration: nodes.Input, diagnostics: Diagnostics) -> None:
    """Its columns are the terms of triples, and its time is a property."""
    place, cells = declaration.location, declaration.cells
    if declaration.rdf_property and len(cells) not in (2, 3):
        hint = "write for instance #input speed(S,V) from ex:speed."
        message = "with a property behind from, the columns are subject and object, and the graph if need be"
        diagnostics.error(place, message, hint)
    elif not declaration.rdf_property and len(cells) not in (3, 4):
        hint = "write for instance #input triple(S,P,any(O)). or name a property by from"
        message = "the columns are subject, property and object of triples, and the graph if need be"
        diagnostics.error(place, message, hint)
    if len({column.name for column in cells}) < len(cells):
        diagnostics.error(place, "two columns have one name", "each term of triples has a name of its own")
    if declaration.conditions or any(column.is_fixed for column in declaration.columns):
        hint = "write a rule over the facts of triples"
        diagnostics.error(place, "where and fixed(...) are for records, and these are triples", hint)
    if declaration.other_times:
        diagnostics.error(place, "triples have one time", "name one property behind at")
    if declaration.joined or any(column.joined for column in cells):
        diagnostics.error(place, "terms of triples are not joined", "name one property behind at")
    if declaration.has_lists or declaration.spread is not None:
        what = "JSON records" if declaration.spread is None else "tables and JSON records"
        diagnostics.error(place, f"each is for {what}, and these are triples")


def _check_origin(program: Program, diagnostics: Diagnostics) -> None:
    _check_once(program, nodes.Origin, "the origin is given twice", "keep one #origin", diagnostics)
    for origin in program.every(nodes.Origin):
        text = origin.moment.value
        moment = moment_of(text)
        if moment is None:
            diagnostics.error(
                origin.moment.location,
                f"{shown(text) or 'the empty string'} is not a timestamp of ISO 8601",
                'write for instance #origin "2026-01-01T00:00:00Z".',
            )
        elif moment.tzinfo is None and not any(program.every(nodes.TimeZone)):
            diagnostics.error(
                origin.moment.location,
                f"the origin {shown(text)} names no offset",
                f"write {moment.isoformat()}Z (UTC), or name its zone by --timezone or #timezone "
                '"Europe/Vienna".',
            )
        elif moment.tzinfo is not None and counts_days(program):
            local = moment.astimezone(declared_zone(program))
            if local.time() != time():
                diagnostics.error(
                    origin.moment.location,
                    f"days of #tick would begin at {local.time().isoformat()} by the clock of {local.tzinfo}",
                    f'write #origin "{local.date()}". for midnight, or leave out the offset if they do; '
                    "#tick 24 hour. has ticks of 24 hours",
                )


def _check_lateness(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    program = analysis.program
    _check_once(program, nodes.Lateness, "the lateness is given twice", "keep one #lateness", diagnostics)
    message, hint = "the largest gap is given twice", "keep one #largest_gap"
    _check_once(program, nodes.LargestGap, message, hint, diagnostics)
    late = "a lateness", 0, "a natural number", "#lateness 5 min."
    gap = "a largest gap", 1, "1 or more", "#largest_gap 1 hour."
    durations = [(one.duration, late) for one in program.every(nodes.Lateness)]
    durations += [(one.duration, gap) for one in program.every(nodes.LargestGap)]
    for duration, (what, least, wanted, example) in durations:
        size = integer_value(duration.size, analysis.constants)
        if size is None or size < least:
            diagnostics.error(duration.location, f"{what} must be {wanted}", f"write {example}")
        elif duration.unit in MICROSECONDS and tick_length(program) is None:
            diagnostics.error(
                duration.location,
                f"{what} with a unit needs the length of a tick",
                "add for instance #tick 1 sec.",
            )


def _check_held(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    first: dict[nodes.Signature, nodes.Held] = {}
    for held in analysis.program.every(nodes.Held):
        predicate, location = held.predicate, held.location
        before = first.setdefault(predicate, held)
        if before is not held:
            place = f"{before.location.source.name}:{before.location.line}"
            message = f"{predicate} is held twice, the first time at {place}"
            diagnostics.error(location, message, "keep one #held for each predicate")
        names = set[str]()
        for argument in held.arguments:
            if not isinstance(argument, Variable):
                diagnostics.error(
                    argument.location,
                    f"{to_text(argument)} is not a variable: #held speaks of all facts of {predicate}",
                    "its arguments are variables, or _ where they are not named behind `by`",
                )
            elif not argument.is_anonymous and argument.name in names:
                diagnostics.error(
                    argument.location,
                    f"{argument.name} stands twice in what is held",
                    "each argument has a variable of its own, or is _",
                )
            else:
                names.add(argument.name)
        for variable in held.group:
            if variable not in held.arguments:
                diagnostics.error(
                    variable.location,
                    f"{variable.name} is not an argument of {predicate.name}",
                    "facts that have the same arguments behind `by` take turns",
                )
        if predicate in analysis.derived:
            diagnostics.warning(
                location,
                f"what rules derive of {predicate} is not held",
                "facts of the input are: derive another predicate, or give the rule a window",
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
            diagnostics.error(location, f"the calendar has no {predicate}", f"it has {atoms}")
            continue
        if not any(program.every(nodes.TimeZone)):
            hint = 'name it by --timezone or #timezone "Europe/Vienna".'
            diagnostics.error(location, "a calendar needs a time zone", hint, is_shared=True)
        if length is None:
            hint = "add for instance #tick 1 sec. to the program"
            diagnostics.error(location, "a calendar needs the length of a tick", hint, is_shared=True)
        elif length > known.unit:
            diagnostics.error(
                location,
                f"a tick is longer than what {predicate} tells apart",
                "take a shorter #tick, or leave the atom out",
            )
        if (one.file is None) is (predicate.name == HOLIDAY):
            diagnostics.error(
                location,
                f"{predicate} has no file" if one.file is None else f"{predicate} needs no file",
                'holidays stand in one: #calendar holiday(N) from "holidays.csv".',
            )
        before = first.setdefault(predicate, one)
        place = before.location if before is not one else places.get(predicate)
        if place is not None:
            diagnostics.error(
                location,
                f"{predicate} is of the calendar, and told or derived at {place.source.name}:{place.line}"
                if before is one
                else f"{predicate} stands in #calendar twice, the first time in line {place.line}",
                "give the other predicate another name" if before is one else "leave one of them out",
            )
        for argument in one.arguments:
            if not isinstance(argument, Variable):
                diagnostics.error(
                    argument.location,
                    f"{to_text(argument)} is not a variable: #calendar has all atoms of {predicate}",
                    "rules choose: weekday(6)",
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
        diagnostics.error(again.location, message, hint)

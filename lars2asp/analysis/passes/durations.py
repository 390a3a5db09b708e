"""The pass that writes durations, and times, as ticks, and declares which places have them.

#tick 1 sec.
late(X) :- order(X,A,B), B-A > 2 hour.    becomes    late(X) :- order(X,A,B), B-A > 7200.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from lars2asp.analysis.argument_types.kinds import DURATION as DURATION_KIND
from lars2asp.analysis.argument_types.kinds import TIME as TIME_KIND
from lars2asp.analysis.argument_types.type_table import ArgumentTypes
from lars2asp.analysis.arithmetic.decimal_numbers import NotScaledError
from lars2asp.analysis.decimals import temporal_forms
from lars2asp.analysis.declared_time import MICROSECONDS, tick_length
from lars2asp.analysis.number_forms import NumberForm, number_of
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import codes, nodes
from lars2asp.syntax.argument_type import DURATION, TIME, ArgumentType
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Node, Program, Statement
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.time_units import TICK
from lars2asp.syntax.traversal import rewrite


def write_durations(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> Program | None:
    """The program with ticks for durations; None where it has neither times nor durations.

    It declares the places of times and durations that it found, so that all parts of the program know them.
    """
    program = analysis.program
    length = tick_length(program)
    may_lack_tick = diagnostics.has_errors  # #tick may be what has a mistake
    has_terms = nodes.DurationTerm in analysis.kinds
    has_places = False
    for one in program.every(nodes.Input):
        for column in one.all_columns:
            if column.conversion in ("time", "duration"):
                has_places = True
                if length is None and not may_lack_tick:
                    diagnostics.error(
                        column.location,
                        f"a {column.conversion} column needs the length of a tick",
                        "add for example #tick 1 sec. to the program",
                        is_shared=True,
                        code=codes.UNIT_WITHOUT_TICK,
                    )
    for declared in program.every(nodes.Types):
        has_places = has_places or any(one in (TIME, DURATION) for one in declared.places)
    given = (one.gives for one in analysis.functions.values()) if length is not None else ()
    has_places = has_places or any(kinds in (TIME_KIND, DURATION_KIND) for kinds in given)
    if not has_terms and not has_places:
        return None

    def in_ticks(node: Node) -> Node:
        if not isinstance(node, nodes.DurationTerm):
            return node
        ticks, what = 0, "duration"
        if node.unit == TICK:
            what = "" if length is None else what
            ticks, rest = divmod(Fraction(to_text(node.number)), 1)
        elif length is not None:
            ticks, rest = divmod(Fraction(to_text(node.number)) * MICROSECONDS[node.unit], length)
        if node.unit == TICK or length is not None:
            if rest:
                diagnostics.error(
                    node.location,
                    f"{to_text(node)} is not a whole number of ticks",
                    "use a multiple of #tick, or a shorter #tick",
                    code=codes.PARTIAL_TICK,
                )
        elif not may_lack_tick:
            diagnostics.error(
                node.location,
                "a duration with a unit needs the length of a tick",
                "add for example #tick 1 sec. to the program",
                is_shared=True,
                code=codes.UNIT_WITHOUT_TICK,
            )
        return nodes.Number(
            ticks,
            stands_for=what,
            location=node.location,
        )

    if has_terms:
        program = program.rewritten(lambda statement: [rewrite(statement, in_ticks)])
    types = ProgramAnalysis(program, analysis.given).types
    forms = temporal_forms(program)
    statements = [_with_times(one, types, forms, diagnostics) for one in program.statements] if forms else []
    return Program((*(statements or program.statements), *_declarations(types)), program.sources)


def _with_times(
    statement: Statement,
    types: ArgumentTypes,
    forms: Mapping[ArgumentType, NumberForm],
    diagnostics: Diagnostics,
) -> Statement:
    """A statement with ticks for strings: of facts where places are declared, and of comparisons."""
    if not isinstance(statement, nodes.Rule):
        return statement
    if not statement.body and isinstance(statement.head, nodes.Atom):
        said = types.declared.get((statement.head.name, len(statement.head.arguments)))
        if said is None:
            return statement
        arguments = tuple(
            _in_ticks(term, None if one is None else one.type, forms, diagnostics)
            for term, one in zip(statement.head.arguments, said, strict=True)
        )
        return replace(statement, head=replace(statement.head, arguments=arguments))
    if not any(isinstance(one, nodes.Literal) and _has_string(one.atom) for one in statement.body):
        return statement
    scope = types.places.scope_of(statement)
    kinds = {TIME_KIND: TIME, DURATION_KIND: DURATION}

    def compared(node: nodes.LiteralAtom) -> nodes.LiteralAtom:
        if not isinstance(node, nodes.Comparison):
            return node
        sides = (node.term, *(one.term for one in node.guards))
        found = {kinds.get(scope.of(side).kinds) for side in sides}
        found.discard(None)
        if len(found) != 1:
            return node
        [one] = found
        guards = tuple(
            replace(guard, term=_in_ticks(guard.term, one, forms, diagnostics)) for guard in node.guards
        )
        return replace(node, term=_in_ticks(node.term, one, forms, diagnostics), guards=guards)

    body = tuple(
        replace(one, atom=compared(one.atom)) if isinstance(one, nodes.Literal) else one
        for one in statement.body
    )
    return replace(statement, body=body)


def _has_string(atom: Node) -> bool:
    return isinstance(atom, nodes.Comparison) and any(
        isinstance(side, nodes.String) for side in (atom.term, *(one.term for one in atom.guards))
    )


def _in_ticks(
    term: nodes.Term,
    kind: ArgumentType | None,
    forms: Mapping[ArgumentType, NumberForm],
    diagnostics: Diagnostics,
) -> nodes.Term:
    """The ticks for a string where a time, or a duration, stands; other terms as they are."""
    if kind is None or not isinstance(term, nodes.String) or kind not in forms:
        return term
    try:
        ticks = number_of(term.value, forms[kind])
    except NotScaledError as error:
        diagnostics.error(term.location, str(error), code=codes.WRONG_TIME)
        return nodes.Number(0, stands_for=kind.name, location=term.location)
    number = nodes.Number(abs(ticks), stands_for=kind.name, location=term.location)
    return number if ticks >= 0 else nodes.UnaryOperation("-", number, location=term.location)


def _declarations(types: ArgumentTypes) -> Iterator[nodes.Types]:
    """Declarations of the times and durations that are not declared."""
    for signature, places in types.table.items():
        found = tuple(
            one.type if one.type in (TIME, DURATION) and not types.places.declared(signature, place) else None
            for place, one in enumerate(places)
        )
        if any(found):
            yield nodes.Types(signature.name, found)

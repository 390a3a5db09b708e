"""The pass that writes durations as ticks, and declares which places have times and durations.

#tick 1 sec.
late(X) :- order(X,A,B), B-A > 2 hour.    becomes    late(X) :- order(X,A,B), B-A > 7200.
"""

from collections.abc import Iterator

from lars2asp.analysis.argument_types.type_table import ArgumentTypes
from lars2asp.analysis.declared_time import MICROSECONDS, tick_length
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import nodes
from lars2asp.syntax.argument_type import DURATION, TIME
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Node, Program
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import every, rewrite


def write_durations(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> Program | None:
    """The program with ticks for durations; None where it has neither times nor durations.

    It declares the places of times and durations that it found, so that all parts of the program know them.
    """
    program = analysis.program
    length = tick_length(program)
    may_lack_tick = diagnostics.has_errors  # #tick may be what has a mistake
    has_terms = any(every(nodes.DurationTerm, *program.but_plain_facts))
    has_places = False
    for one in program.every(nodes.Input):
        for column in one.columns:
            if column.conversion == "time":
                has_places = True
                if length is None and not may_lack_tick:
                    diagnostics.error(
                        column.location,
                        "a time as a value needs the length of a tick",
                        "add for instance #tick 1 sec. to the program",
                        is_shared=True,
                    )
    for declared in program.every(nodes.Types):
        has_places = has_places or any(one in (TIME, DURATION) for one in declared.places)
    if not has_terms and not has_places:
        return None

    def in_ticks(node: Node) -> Node:
        if not isinstance(node, nodes.DurationTerm):
            return node
        ticks = 0
        if length is not None:
            ticks, rest = divmod(node.number.value * MICROSECONDS[node.unit], length)
            if rest:
                diagnostics.error(
                    node.location,
                    f"{to_text(node)} is not a whole number of ticks",
                    "choose a multiple of the length that #tick gives, or a shorter tick",
                )
        elif not may_lack_tick:
            diagnostics.error(
                node.location,
                "a duration with a unit needs the length of a tick",
                "add for instance #tick 1 sec. to the program",
                is_shared=True,
            )
        return nodes.Number(ticks, is_duration=True, location=node.location)

    if has_terms:
        program = program.rewritten(lambda statement: [rewrite(statement, in_ticks)])
    types = ProgramAnalysis(program).types
    return Program((*program.statements, *_declarations(types)), program.sources)


def _declarations(types: ArgumentTypes) -> Iterator[nodes.Types]:
    """Declarations of the times and durations that are not declared."""
    for signature, places in types.table.items():
        found = tuple(
            one.type if one.type in (TIME, DURATION) and not types.places.declared(signature, place) else None
            for place, one in enumerate(places)
        )
        if any(found):
            yield nodes.Types(signature.name, found)

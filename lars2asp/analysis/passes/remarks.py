"""Warnings: what is odd about a program that can run, and most likely is not what was meant; and infos."""

import re
from datetime import datetime, tzinfo

from lars2asp.analysis.declared_time import counts_days, declared_zone, needs_whole_windows
from lars2asp.analysis.passes.foreign_terms import is_quoted
from lars2asp.analysis.predicates import head_atoms, offset_from_now
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import codes, nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Program, Semantics, Variable
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Location, Source, shown
from lars2asp.syntax.traversal import every, variable_names, walk

_DAYS = re.compile(r"(?<![A-Za-z_])(?:day|d)$")
_HOURS = re.compile(r"[0-9)\s](?:hour|h|min|m|sec|s|msec|ms)$")
_NOW = nodes.SlidingWindow(nodes.Duration(nodes.Number(0)))


def remark(analysis: ProgramAnalysis, semantics: Semantics, diagnostics: Diagnostics) -> None:
    """Notes warnings about a program without errors."""
    _singletons(analysis.program, diagnostics)
    _windows(analysis, diagnostics)
    _future(analysis, semantics, diagnostics)


# --- variables ------------------------------------------------------------------------------------


def _has_anonymous(source: Source) -> bool:
    """Whether `_` is a variable in the language of a source."""
    if not source.dialect:
        return True
    from lars2asp.syntax.dialects.registry import dialect_of  # noqa: PLC0415 - most programs are ours

    return dialect_of(source).has_anonymous_variables


def _singletons(program: Program, diagnostics: Diagnostics) -> None:
    """Variables that stand once in their statement."""
    places: dict[Location, dict[str, set[Location]]] = {}  # pools made several statements of one
    ticks: set[Location] = set()
    summed: set[Location] = set()  # ticks within #sum, of which check_meanings speaks
    instances: set[Location] = set()  # of directives that speak of all instances of an atom
    brackets: set[Location] = set()
    within = _variables_within(program)
    for statement in program.but_plain_facts:
        has_own = isinstance(statement, nodes.Constant | nodes.Held | nodes.Calendar)
        if has_own or nodes.is_of_formula(statement) or not _has_anonymous(statement.location.source):
            continue
        for node in walk(statement):
            if isinstance(node, nodes.Heuristic | nodes.ProjectAtom):
                instances |= {variable.location for variable in every(Variable, node.atom)}
            if isinstance(node, Variable) and node.location not in brackets:
                found = places.setdefault(statement.location, {})
                found.setdefault(node.name, set()).add(node.location)
            elif isinstance(node, nodes.AtTick) and node.window is not None:
                ticks.add(node.tick.location)
            elif isinstance(node, nodes.Aggregate) and node.function in ("#sum", "#sum+"):
                summed |= {one.tick.location for one in every(nodes.AtTick, node)}
            elif isinstance(node, nodes.FormulaAtom):
                brackets.add(node.location)
                found = places.setdefault(statement.location, {})
                for name, inside in within[node.name].items():
                    found.setdefault(name, set()).update(inside)
    for variables in places.values():
        for name, locations in variables.items():
            if name.startswith("_") or is_quoted(name):
                continue
            if len(locations) == 1 and not locations <= instances | summed:
                (location,) = locations
                looks_like_text = len(name) > 2 and name[1:].islower()
                value = f'; for the text {name}, write "{name}"' if looks_like_text else ""
                diagnostics.warning(
                    location,
                    f"{name} is used only once",
                    f"remove `at {name}`"
                    if location in ticks
                    else f"check the spelling; if the value does not matter, write _ or _{name}{value}",
                    code=codes.SINGLE_VARIABLE,
                )


def _variables_within(program: Program) -> dict[str, dict[str, set[Location]]]:
    """Where the variables of formulas in brackets stand, by the names of the predicates."""
    found: dict[str, dict[str, set[Location]]] = {}
    for rule in program.rules():
        if rule.is_of_formula and isinstance(rule.head, nodes.Atom):
            here = found.setdefault(rule.head.name, {})
            brackets: set[Location] = set()
            for part in rule.body:
                for node in walk(part):
                    if isinstance(node, Variable) and node.location not in brackets:
                        here.setdefault(node.name, set()).add(node.location)
                    elif isinstance(node, nodes.FormulaAtom):
                        brackets.add(node.location)
                        for name, inside in found[node.name].items():
                            here.setdefault(name, set()).update(inside)
    return found


# --- windows and ticks ----------------------------------------------------------------------------


def _windows(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    derived = set(analysis.derived)
    for streaming in analysis.streaming_atoms:
        if isinstance(streaming.window, nodes.TupleWindow) and streaming.atom.signature in derived:
            diagnostics.warning(
                streaming.location,
                f"tuple windows contain input only, but rules derive {streaming.atom.signature}",
                "use a window of ticks for derived atoms, such as [10]",
                code=codes.DERIVED_IN_TUPLE_WINDOW,
            )


def inform(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Notes where a program without errors looks at windows that are shorter at the start of a stream.

    It also notes days of 24 hours that are not those of the zone, and last arrivals of any kind.
    """
    _inform_of_days(analysis.program, diagnostics)
    _inform_of_last_arrivals(analysis, diagnostics)
    if needs_whole_windows(analysis.program):
        return
    boxes = (one for one in analysis.streaming_atoms if isinstance(one, nodes.Box))
    for box in boxes:
        if box.window != _NOW:
            diagnostics.info(
                box.location,
                "at the start of the stream this can be true before the window is full",
                "add #complete_windows. to wait for the full window",
                code=codes.START_OF_STREAM,
            )
            return


def _inform_of_last_arrivals(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """`msg(D,"beat") in [1 # by D]`: the last message of D, whatever it is."""
    for streaming in analysis.streaming_atoms:
        window, atom = streaming.window, streaming.atom
        fixed = [one for one in atom.arguments if not variable_names(one)]
        if not isinstance(window, nodes.TupleWindow) or not window.group or not fixed:
            continue
        whose = ", ".join(one.name for one in window.group)
        kind = next(name for name in ("K", "K1", "K2") if name not in whose)
        diagnostics.info(
            streaming.location,
            f"the window contains the last arrivals of {atom.name} for each {whose}, with any other values"
            f": {shown(to_text(fixed[0]))} may not be among them",
            f"for the last arrivals with this value, write {kind} for {shown(to_text(fixed[0]))}, "
            f"[... # by {whose},{kind}]"
            f" and {kind} = {shown(to_text(fixed[0]))}",
            code=codes.LAST_OF_ANY_VALUE,
        )


def _inform_of_days(program: Program, diagnostics: Diagnostics) -> None:
    zone = declared_zone(program)
    moments = (datetime(year, month, 1, tzinfo=zone) for year in range(2000, 2038) for month in (1, 7))
    if zone is None or len({moment.utcoffset() for moment in moments}) == 1:
        return
    if counts_days(program):
        _inform_of_hours(program, zone, diagnostics)
        return
    statements = program.but_plain_facts
    hopping, tumbling = every(nodes.HoppingWindow, *statements), every(nodes.TumblingWindow, *statements)
    parts = [part for one in hopping for part in (one.step, one.base)]
    parts += [part for one in tumbling for part in (one.duration, one.base)]
    blocks = {part.location for part in parts if part is not None}
    for duration in every(nodes.Duration, *statements):
        source, begin, end = duration.location
        if duration.location not in blocks and _DAYS.search(source.text, begin, end):
            diagnostics.info(
                duration.location,
                f"a day is 24 hours here, even when clocks change in {zone}",
                "for days of the zone, use [every 1 day] or #calendar date(Y,M,D).",
                code=codes.ELAPSED_TIME,
            )
            return


def _inform_of_hours(program: Program, zone: tzinfo, diagnostics: Diagnostics) -> None:
    for duration in every(nodes.Duration, *program.but_plain_facts):
        source, begin, end = duration.location
        if _HOURS.search(source.text, begin, end):
            diagnostics.info(
                duration.location,
                f"24 hours mean one calendar day of {zone} here, because a tick is a day",
                "for ticks of exactly 24 hours, write #tick 24 hour.",
                code=codes.ELAPSED_TIME,
            )
            return


def _future(analysis: ProgramAnalysis, semantics: Semantics, diagnostics: Diagnostics) -> None:
    """Atoms placed at later ticks that nothing keeps until then."""
    for rule in analysis.rules:
        if semantics is not Semantics.STRICT and not rule.is_temporary:
            continue
        for head in head_atoms(rule):
            offset = None if head.tick is None else offset_from_now(head.tick, analysis.constants)
            if head.tick is not None and offset is not None and offset < 0:
                reason = "strict semantics" if semantics is Semantics.STRICT else "#temp"
                diagnostics.warning(
                    head.tick.location,
                    f"with {reason}, a head cannot place atoms at later ticks",
                    "write #semantics recorded." if semantics is Semantics.STRICT else "remove #temp",
                    code=codes.FORGOTTEN_HEAD,
                )

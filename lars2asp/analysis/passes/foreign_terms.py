"""The pass that warns of terms that look like others: `now`, `'Kitchen'`, `"25"`; bounds, units of sets."""

import re
from collections.abc import Iterator, Sequence

from lars2asp.analysis.declared_time import MICROSECONDS, tick_length
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import codes, nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import NOW, Atom, Function, Node, Program, String, Term, Variable
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.time_units import TICK
from lars2asp.syntax.traversal import every, walk

_PLAIN_NOW = Function("now")
_NUMBER = re.compile(r"\s*-?[0-9]+(?:\.[0-9]+)?\s*")
_ARITHMETIC = ("+", "-", "*", "/", "\\", "**", "..")


def check_terms(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Warns of such terms."""
    program = analysis.program
    quoted: set[str] = set()
    plain_now: list[Node] = []
    length = tick_length(program)
    for statement in program.but_plain_facts:
        if isinstance(statement, nodes.Constant):
            continue
        for node in walk(statement):
            if isinstance(node, Variable | Function) and is_quoted(node.name) and node.name not in quoted:
                quoted.add(node.name)
                kind = "variable" if isinstance(node, Variable) else "constant"
                diagnostics.warning(
                    node.location,
                    f"{node.name} in single quotes is a {kind}, not text",
                    f'use double quotes: "{node.name[1:-1]}"',
                    code=codes.SINGLE_QUOTES,
                )
            elif isinstance(node, nodes.Comparison):
                _check_comparison(node, diagnostics)
            elif isinstance(node, nodes.SetAggregate):
                _check_bound(node, analysis, diagnostics)
            elif isinstance(node, nodes.OffsetWindow | nodes.LaggedWindow | nodes.HoppingWindow):
                _check_units(node, length, diagnostics)
            plain_now += (term for term in _as_number(node) if term == _PLAIN_NOW)
    if plain_now and "now" not in analysis.constant_terms and not _is_value(program, _PLAIN_NOW):
        for term in plain_now:
            diagnostics.warning(
                term.location,
                "`now` is an ordinary constant, not the current tick",
                f"write {to_text(NOW)}",
                is_shared=True,
                code=codes.NOW_IS_NO_TICK,
            )


def _check_bound(found: nodes.SetAggregate, analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Warns where an atom before braces is their bound: `p {n}`, or `p` where a line has no dot."""
    match found.left:
        case nodes.Guard("<=", Function(name, arguments, False) as bound):
            if arguments or name not in analysis.constant_terms:
                text = to_text(bound)
                diagnostics.warning(
                    bound.location,
                    f"{text} is read as the lower bound of {{...}}, but a bound must be a number",
                    f"add the missing '.' or ',' after {text}, or write a window as {text} in {{...}}",
                    code=codes.BOUND_OF_SET,
                )


def _check_units(
    window: nodes.OffsetWindow | nodes.LaggedWindow | nodes.HoppingWindow,
    length: int | None,
    diagnostics: Diagnostics,
) -> None:
    """Warns of numbers that take a unit from a number near them, if ticks or one tick may be meant.

    Such are `{1,3 min}` and `[1 sec .. 20]`, whose numbers were ticks in 0.1, and `[1..24 hour step 6 hour]`,
    which leaves out the newest hour.
    """
    if isinstance(window, nodes.OffsetWindow):
        taking = (one for one in every(nodes.DurationTerm, *window.offsets) if one.is_taken)
        _check_taken(
            [(one, one.unit) for one in taking if one.number != nodes.Number(0)], length, diagnostics
        )
        return
    nearest = window.nearest if isinstance(window, nodes.HoppingWindow) else None
    furthest = window.furthest if isinstance(window, nodes.LaggedWindow) else window.duration
    if furthest.taken:
        _check_taken([(furthest, furthest.taken)], length, diagnostics)
    elif (
        isinstance(window, nodes.HoppingWindow)
        and nearest is not None
        and nearest.taken
        and nearest.size == nodes.Number(1)
        and length is not None
        and MICROSECONDS.get(nearest.taken, 0) > length
    ):
        newest = f"[1 tick .. {to_text(furthest)} step {to_text(window.step)}]"
        diagnostics.warning(
            nearest.location,
            f"1 is 1 {nearest.taken} here, so the window leaves out the newest {nearest.taken}",
            f"write {newest} to include it, or 1 {nearest.taken} if you mean that",
            code=codes.UNIT_OF_OTHER_NUMBER,
        )


def _check_taken(taking: Sequence[tuple[Node, str]], length: int | None, diagnostics: Diagnostics) -> None:
    """Warns of numbers that were ticks."""
    for node, unit in taking:
        if MICROSECONDS.get(unit) != length and unit != TICK:
            source, begin, end = node.location
            text = source.text[begin:end]
            diagnostics.warning(
                node.location,
                f"{text} takes the unit of the other number: it is {text} {unit}",
                f"write {text} {unit}, or {text} tick",
                code=codes.UNIT_OF_OTHER_NUMBER,
            )


def is_quoted(name: str) -> bool:
    """Whether the name of a variable or constant has quotes around it, as strings have elsewhere."""
    return len(name) > 2 and name[0] == name[-1] == "'"


def _as_number(node: Node) -> Iterator[Term]:
    """The terms directly below a node that are compared, counted with, or a tick."""
    match node:
        case nodes.Comparison(term, guards):
            yield term
            yield from (guard.term for guard in guards)
        case nodes.BinaryOperation(operator, left, right) if operator in _ARITHMETIC:
            yield from (left, right)
        case nodes.AtTick(_, tick):
            yield tick


def _is_value(program: Program, constant: Function) -> bool:
    """Whether a constant is an argument of an atom of the program, so that its name is one of the data."""
    atoms = every(Atom, *program.statements)
    return any(constant in atom.arguments for atom in atoms)


def _check_comparison(comparison: nodes.Comparison, diagnostics: Diagnostics) -> None:
    """Warns where the order of a number and a string that reads as one is asked for."""
    left = comparison.term
    for guard in comparison.guards:
        right, sign = guard.term, guard.comparison
        for string, other, is_true in ((right, left, "<" in sign), (left, right, ">" in sign)):
            if (
                isinstance(string, String)
                and not isinstance(other, String)
                and sign not in ("=", "!=")
                and _NUMBER.fullmatch(string.value)
            ):
                number = string.value.strip()
                decimals = " and declare the decimals: #decimals reading(_,1)." if "." in number else ""
                told = (number, to_text(other)) if string is left else (to_text(other), number)
                diagnostics.warning(
                    string.location,
                    f"{to_text(string)} is text, and every number is less than text: "
                    f"for numbers this is {'always' if is_true else 'never'} true",
                    f"write {told[0]} {sign} {told[1]}{decimals}",
                    code=codes.TEXT_AND_NUMBER,
                )
        left = right

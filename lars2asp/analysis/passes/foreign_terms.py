"""The pass that warns of terms that look like others: `now`, `'Kitchen'`, `"25"`; bounds, units of sets."""

import re
from collections.abc import Iterator

from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import NOW, Atom, Function, Node, Program, String, Term, Variable
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import every, walk

_PLAIN_NOW = Function("now")
_NUMBER = re.compile(r"\s*-?[0-9]+(?:\.[0-9]+)?\s*")
_ARITHMETIC = ("+", "-", "*", "/", "\\", "**", "..")


def check_terms(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Warns of such terms."""
    program = analysis.program
    quoted: set[str] = set()
    plain_now: list[Node] = []
    for statement in program.but_plain_facts:
        if isinstance(statement, nodes.Constant):
            continue
        for node in walk(statement):
            if isinstance(node, Variable | Function) and is_quoted(node.name) and node.name not in quoted:
                quoted.add(node.name)
                kind = "variable" if isinstance(node, Variable) else "constant"
                diagnostics.warning(
                    node.location,
                    f"{node.name} is a {kind} whose name has the quotes",
                    f'strings stand in double quotes: write "{node.name[1:-1]}"',
                )
            elif isinstance(node, nodes.Comparison):
                _check_comparison(node, diagnostics)
            elif isinstance(node, nodes.SetAggregate):
                _check_bound(node, analysis, diagnostics)
            elif isinstance(node, nodes.OffsetWindow):
                _check_unit(node, diagnostics)
            plain_now += (term for term in _as_number(node) if term == _PLAIN_NOW)
    if plain_now and "now" not in analysis.constant_terms and not _is_value(program, _PLAIN_NOW):
        for term in plain_now:
            diagnostics.warning(
                term.location,
                "now is a constant like any other, and not the current tick",
                f"write {to_text(NOW)}",
                is_shared=True,
            )


def _check_bound(found: nodes.SetAggregate, analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Warns where an atom before braces is their bound: `p {n}`, or `p` where a line has no dot."""
    match found.left:
        case nodes.Guard("<=", Function(name, arguments, False) as bound):
            if arguments or name not in analysis.constant_terms:
                text = to_text(bound)
                diagnostics.warning(
                    bound.location,
                    f"{text} is read as a bound of the set behind it, and a bound is a number",
                    f"is a '.' or ',' missing behind {text}? A window is written {text} in {{...}}",
                )


def _check_unit(window: nodes.OffsetWindow, diagnostics: Diagnostics) -> None:
    """Warns of `{1,3 min}`, as in I-DLV-sr, where the unit is that of all."""
    *others, last = window.offsets
    if (
        isinstance(last, nodes.DurationTerm)
        and others
        and all(isinstance(one, nodes.Number) for one in others)
    ):
        numbers = [to_text(one) for one in (*others, last.number)]
        units = ",".join(f"{number} {last.unit}" for number in numbers)
        ticks = f"{numbers[0]} is" if len(others) == 1 else f"{' and '.join(numbers[:-1])} are"
        diagnostics.warning(
            window.location,
            f"the unit is that of {numbers[-1]} alone: {ticks} in ticks",
            f"write {{{units}}} where all are meant",
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
                    f"{to_text(string)} is a string, which every number is below: "
                    f"of numbers this is {'always' if is_true else 'never'} true",
                    f"write {told[0]} {sign} {told[1]}{decimals}",
                )
        left = right
